"""The figures' JavaScript as one module for Jupyter and one classic script for static pages.

Joining the sources, ES modules, is taking away their imports and exports: the names at their top
levels are distinct. Comments and indents stay behind: they are for those who read the sources.
"""

import re
from functools import cache
from pathlib import Path

from rjsmin import jsmin

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function |const )", re.MULTILINE)


def joined(entry: str = "figure") -> str:
    """Every module that `entry` needs, each once and after those it needs itself."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        source = (_FOLDER / "js" / f"{name}.js").read_text(encoding="utf-8")
        for needed in _IMPORT.findall(source):
            if needed not in parts:
                add(needed)
        parts[name] = _EXPORT.sub("", _IMPORT.sub("", source))

    add(entry)
    return "\n".join(parts.values())


@cache
def module() -> str:
    """One ES module for anywidget."""
    return str(jsmin(f"{joined()}\nexport default {{ render }};"))


@cache
def script() -> str:
    """One classic script that brings every figure of a page alive; works on file:// as well."""
    return str(jsmin(f"(() => {{\n{joined()}\nhydrate(document);\n}})();"))


@cache
def stylesheet() -> str:
    """Rules for every figure, in light, dark and print."""
    return (_FOLDER / "figures.css").read_text(encoding="utf-8")
