"""The figures' JavaScript as one module for Jupyter and one classic script for static pages.

Joining the sources, ES modules, is taking away their imports and exports: the names at their top
levels are distinct. Comments stay behind: they are for those who read the sources.
"""

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=function |const )", re.MULTILINE)


@cache
def module() -> str:
    """One ES module for anywidget."""
    return f"{_joined()}\nexport default {{ render }};\n"


@cache
def script() -> str:
    """One classic script that brings every figure of a page alive; works on file:// as well."""
    return f"(() => {{\n{_joined()}\nhydrate(document);\n}})();\n"


@cache
def stylesheet() -> str:
    """Rules for every figure, in light, dark and print."""
    return (_FOLDER / "figures.css").read_text(encoding="utf-8")


def _joined(entry: str = "figure") -> str:
    """Every module that `entry` needs, each once and after those it needs itself."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        source = (_FOLDER / "js" / f"{name}.js").read_text(encoding="utf-8")
        for needed in _IMPORT.findall(source):
            if needed not in parts:
                add(needed)
        parts[name] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", source)))

    add(entry)
    return "\n".join(parts.values())
