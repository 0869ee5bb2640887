"""The figures' JavaScript as one module for Jupyter and one classic script for static pages.

Joining the sources, ES modules, is taking away their imports and exports: the names at their top
levels are distinct. Comments and indents stay behind: they are for those who read the sources.
"""

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from rjsmin import jsmin

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
# In kinds.js, the import of a kind and its place in the list.
_KIND = re.compile(r'^(?:import .* from "\./(\w+)\.js";|  (\w+): \w+Figure,)\n', re.MULTILINE)
# In words.js and the like, all that is said in a language.
_SAID = re.compile(r"^  (en|zh): \{\n(?: {4}.*\n)*  \},\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function |const )", re.MULTILINE)


def joined(
    entry: str, kinds: Collection[str] | None = None, langs: Collection[str] = ("en", "zh")
) -> str:
    """Every module that `entry` needs, each once and after those it needs itself.

    `kinds` of figures are those that there will be; None: all. `langs` are their languages.
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        source = (_FOLDER / "js" / f"{name}.js").read_text(encoding="utf-8")
        if name == "kinds" and kinds is not None:
            source = _KIND.sub(
                lambda line: line[0] if (line[1] or line[2]) in kinds else "", source
            )
        source = _SAID.sub(lambda said: said[0] if said[1] in langs else "", source)
        for needed in _IMPORT.findall(source):
            if needed not in parts:
                add(needed)
        parts[name] = _EXPORT.sub("", _IMPORT.sub("", source))

    add(entry)
    return "\n".join(parts.values())


@cache
def module() -> str:
    """One ES module for anywidget."""
    return str(jsmin(f"{joined('figure')}\nexport default {{ render }};"))


@cache
def script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset({"en", "zh"})
) -> str:
    """One classic script that brings the figures of a page alive; works on file:// as well.

    Those below it on the page follow by `hydrateFigures(parent)`, each as soon as it is there.

    >>> len(script(frozenset({"pooling"}), frozenset({"en"}))) < len(script())
    True
    """
    start = "hydrate(document);\nwindow.hydrateFigures = hydrate;"
    return str(jsmin(f"(() => {{\n{joined('page', kinds, langs)}\n{start}\n}})();"))


@cache
def stylesheet() -> str:
    """Rules for every figure, in light, dark and print."""
    return (_FOLDER / "figures.css").read_text(encoding="utf-8")
