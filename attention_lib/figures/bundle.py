"""The figures' JavaScript as one module for Jupyter and classic scripts for static pages.

Kinds of figures that are in `web` come from what frontend.py builds, the others from `js`. Joining
the sources there, ES modules, is taking away their imports and exports: the names at their top
levels are distinct. Comments and indents stay behind: they are for those who read the sources.
"""

import json
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from rjsmin import jsmin

from attention_lib.figures.frontend import FIGURES

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
# In kinds.js, the import of a kind and its place in the list.
_KIND = re.compile(r'^(?:import .* from "\./(\w+)\.js";|  (\w+): \w+Figure,)\n', re.MULTILINE)
# In words.js and the like, all that is said in a language.
_SAID = re.compile(r"^  (en|zh): \{\n(?: {4}.*\n)*  \},\n", re.MULTILINE)
# In what is built for Jupyter, the end.
_DEFAULT = re.compile(r"export\{([\w$]+) as default\};\s*$")
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
    old = f"const oldFigures = (() => {{\n{joined('figure')}\nreturn {{ render }};\n}})();"
    new = _DEFAULT.sub(r"const newFigures = \1;", _built("jupyter.js"))
    is_new = f'{json.dumps(sorted(new_kinds()))}.includes(view.model.get("kind"))'
    render = f"(view) => ({is_new} ? newFigures : oldFigures).render(view)"
    return f"{jsmin(old)}\n{new}\nexport default {{ render: {render} }};"


def scripts(
    kinds: Collection[str] | None = None, langs: Collection[str] = ("en", "zh")
) -> dict[str, str]:
    """Classic scripts that bring the figures of a page alive, by the names of files, in order.

    They work on file:// as well. Pages share those that have equal names. Figures below them on the
    page follow by `hydrateFigures(parent)`, each as soon as it is there.

    >>> list(scripts(["pooling"], ["en"]))
    ['figures-core.js', 'figures-words-en.js', 'figures-kinds-pooling.js']
    """
    new = sorted(new_kinds() if kinds is None else new_kinds() & {*kinds})
    old = kinds and sorted({*kinds}.difference(new))
    made = {}
    if old != []:
        name = "-".join(["figures", *sorted(langs), *(old or ())])
        start = "hydrate(document);\nwindow.hydrateFigures = hydrate;"
        source = f"(() => {{\n{joined('page', old, langs)}\n{start}\n}})();"
        made[f"{name}.js"] = _minified(source)
    if new:
        words, shown = (
            (f"words/{lang}" for lang in sorted(langs)),
            (f"kinds/{kind}" for kind in new),
        )
        for name in ("core", *words, *shown):
            made[f"figures-{name.replace('/', '-')}.js"] = _built(f"{name}.js")
    return made


@cache
def script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset({"en", "zh"})
) -> str:
    """All `scripts` as one.

    >>> len(script(frozenset({"pooling"}), frozenset({"en"}))) < len(script())
    True
    """
    return "\n".join(scripts(kinds, langs).values())


@cache
def stylesheet() -> str:
    """Rules for every figure, in light, dark and print."""
    return (_FOLDER / "figures.css").read_text(encoding="utf-8") + _built("figures.css")


@cache
def _minified(source: str) -> str:
    return str(jsmin(source))


@cache
def _built_folder() -> Path:
    FIGURES.build()
    return FIGURES.built


def _built(name: str) -> str:
    return (_built_folder() / name).read_text("utf-8")


def new_kinds() -> set[str]:
    """Return the kinds of figures that have a file in `web/kinds`."""
    return {path.stem for path in _built_folder().glob("kinds/*.js")}
