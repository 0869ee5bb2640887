"""Move the questions for review from the chapters' pages into a script of each language.

The last cell of a chapter stores them in its notebook (attention_course/review). Its page shows
nothing of them: only the front page asks them, and loads the script when a review begins.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import nbformat
from sphinx.application import Sphinx

from attention_course.translated import Lang
from attention_figures.languages import LANGUAGES
from book.site.output.own_questions import questions as own_questions
from book.site.output.own_questions import variant
from book.site.output.scripts import PAGES
from book.site.reference.pages import chapter

CELL = "review"  # its id
FOLDER = "review"  # in _static
_HEADING = re.compile(r"^##+ (.+)$", re.MULTILINE)
_FIGURE = re.compile(r'data-figure="([\w-]+)"')
_NTH = {"en": "{section}, figure {n}", "zh": "{section}，第 {n} 幅图"}
_STATE = re.compile(r'<div class="attention-review"[^>]*><script[^>]*>(.*?)</script>')


def drop_cell(app: Sphinx, docname: str, content: list[str]) -> None:
    """Drop the cell that stores the questions from a chapter's page."""
    if Path(app.env.doc2path(docname)).suffix == ".ipynb":
        notebook = json.loads(content[0])
        notebook["cells"] = [cell for cell in notebook["cells"] if cell.get("id") != CELL]
        content[0] = json.dumps(notebook)


def families(page: Path) -> list[dict[str, Any]]:
    """Return the families of questions that a notebook stores, with their variants."""
    stored: list[dict[str, Any]] = _stored(page, page.stat().st_mtime_ns)["families"]
    return stored


@cache
def _stored(page: Path, changed: int) -> dict[str, Any]:
    for cell in nbformat.read(page, as_version=4).cells:
        if cell.id == CELL:
            html = "".join(cell.outputs[0]["data"]["text/html"])
            found = _STATE.match(html)
            assert found, f"{page}: the cell {CELL!r} stores no questions"
            stored: dict[str, Any] = json.loads(found[1])
            return stored
    return {"families": [], "given": {}}


def questions(page: Path) -> list[dict[str, Any]]:
    """Return all that can be asked in a review: key, figure and variants of each.

    These are the families, and the own questions of the figures that have none; their keys are
    made in book/web/review/schedule.ts in the same way.
    """
    return _questions(page, page.stat().st_mtime_ns)


@cache
def _questions(page: Path, changed: int) -> list[dict[str, Any]]:
    stored, lang = _stored(page, changed), cast("Lang", page.parent.name)
    covered = {one["figure"] for one in stored["families"]}
    own = [
        {"key": f"own_{name}", "figure": name, "variants": [variant(asked, given, lang)]}
        for name, asked in own_questions(page).items()
        if name not in covered
        for given in [stored["given"].get(name, "")]
    ]
    return [*stored["families"], *own]


def scripts(pages: list[Path]) -> list[str]:
    """Return the addresses, in `_static`, of the scripts that a review of these chapters needs."""
    asking = (PAGES.built / "review.js").read_bytes()
    questions = _script(pages).encode()
    names = {"review.js": asking, f"{FOLDER}/{pages[0].parent.name}.js": questions}
    return [f"{name}?v={sha256(text).hexdigest()[:8]}" for name, text in names.items()]


def _script(pages: list[Path]) -> str:
    variants = {
        page.stem: {one["key"]: one["variants"] for one in questions(page)} for page in pages
    }
    sections = {page.stem: _sections(page) for page in pages}
    parts = {"reviewVariants": variants, "reviewSections": sections}
    # Valid JavaScript, too, also where a text holds a line separator (ECMAScript 2019).
    return "".join(
        f"window.{name} = {json.dumps(part, ensure_ascii=False, separators=(',', ':'))};\n"
        for name, part in parts.items()
    )


def _sections(page: Path) -> dict[str, str]:
    """Return the section of each question's figure, with its number if others are in the section.

    A figure before the first section has none.
    """
    places = _places(page, page.stat().st_mtime_ns)
    figures = {one["figure"]: places[one["figure"]] for one in questions(page)}
    shared = Counter(section for section, _ in figures.values())
    words = _NTH[page.parent.name]
    return {
        one["key"]: words.format(section=section, n=n) if shared[section] > 1 else section
        for one in questions(page)
        for section, n in [figures[one["figure"]]]
    }


@cache
def _places(page: Path, changed: int) -> dict[str, tuple[str, int]]:
    """Return the section that each figure is in, and its number among the figures there."""
    found: dict[str, tuple[str, int]] = {}
    section, n = "", 0
    for cell in nbformat.read(page, as_version=4).cells:
        if cell.cell_type == "markdown":
            for heading in _HEADING.findall(cell.source):
                section, n = re.sub(r"[`*]", "", heading), 0
        for output in cell.get("outputs", []):
            for name in _FIGURE.findall("".join(output.get("data", {}).get("text/html", ""))):
                n += 1
                found[name] = section, n
    return found


def write_scripts(app: Sphinx, error: Exception | None) -> None:
    """Write the script of each language."""
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir, "_static", FOLDER)
    folder.mkdir(exist_ok=True)
    for lang in LANGUAGES:
        names = sorted(name for name in app.env.found_docs if f"/{lang}/" in name)
        pages = [Path(app.env.doc2path(name)) for name in names]
        script = _script([page for page in pages if chapter(page)])
        (folder / f"{lang}.js").write_text(script, "utf-8")
