"""Hold the two languages of the book together: `python -m tools.parity`.

`differences(english, chinese)` compares two notebooks; run as a script, every page of the book.
"""

import ast
import re
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from attention_figures.languages import LANGUAGES
from tools import chapters, links, prose, structure
from tools.notebooks import BOOK, pages, read, slide_type

CHINESE = re.compile(r"[\u4e00-\u9fff]")
LANG = re.compile(r'data-(figure|exercise)="([\w-]+)"[^>]*? lang="(\w+)"')
# What a figure asks, what an exercise or a puzzle says, and the paragraphs of a verdict.
SAID = re.compile(r"(?:data-ask>|data-exercise=).*?</script>|^<p>.*", re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def differences(english: NotebookNode, chinese: NotebookNode) -> list[str]:
    """Say where two notebooks differ in what their languages must share.

    Cells have the same ids, types and tags in the same order. Their code is equal but for comments,
    `lang="en"` against `lang="zh"`, and strings whose Chinese twin has Chinese in it; where all of
    it is equal, so are the outputs, or the numbers in them if the Chinese ones have words of their
    own. Their prose shares what `tools.prose` says.

    Returns:
        One line for each difference, with the cell's id; none if the notebooks agree.
    """
    ids = [[cell.id for cell in notebook.cells] for notebook in (english, chinese)]
    if ids[0] != ids[1]:
        return _of_ids(*ids)
    return [
        f"{en.id}: {difference}"
        for en, zh in zip(english.cells, chinese.cells, strict=True)
        for difference in _of_cells(en, zh)
    ]


def page_differences(english: Path, chinese: Path) -> list[str]:
    """Compare two pages of the book, notebooks or Markdown; each keeps its own rules too."""
    dead = [*links.dead(english), *links.dead(chinese)]
    if english.suffix == ".md":
        ours, theirs = english.read_text("utf-8"), chinese.read_text("utf-8")
        return dead + prose.differences(ours, theirs) + prose.chinese_faults(theirs)
    en, zh = map(read, (english, chinese))
    own = [*structure.problems(en), *structure.problems(zh), *faults(zh)]
    other = [*foreign(en, "en"), *foreign(zh, "zh")]
    return [*dead, *own, *other, *differences(en, zh)]


def faults(chinese: NotebookNode) -> list[str]:
    """Say where the prose of a Chinese notebook does what `tools.prose` forbids, with the cell."""
    return [
        f"{cell.id}: {fault}"
        for cell in chinese.cells
        if cell.cell_type == "markdown"
        for fault in prose.chinese_faults(cell.source)
    ]


def foreign(notebook: NotebookNode, language: str) -> list[str]:
    """Say which stored figures, questions, exercises, puzzles and verdicts are in another language.

    Code cannot tell: `lang` may be forgotten in both languages, or chosen by a course module.
    """
    return [
        f"{cell.id}: {fault}, not {language}"
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for fault in _foreign(output.get("data", {}).get("text/html", ""), language)
    ]


def _foreign(html: str, language: str) -> Iterator[str]:
    for kind, name, lang in LANG.findall(html):
        if lang != language:
            yield f"{kind} {name} is {lang}"
    for said in SAID.findall(html):
        if prose.has_chinese(said) != (language == "zh"):
            yield f"an output says {said[:60]!r}"


def problems(book: Path = BOOK) -> list[str]:
    """Compare every page of the book with its twin; say what its chapters lack besides."""
    names = {language: _pages(book / language) for language in LANGUAGES}
    alone = [f"{name}: in one language only" for name in sorted(names["en"] ^ names["zh"])]
    return [*alone, *(chapters.missing(book) if book == BOOK else ())] + [
        f"{name}: {difference}"
        for name in sorted(names["en"] & names["zh"])
        for difference in page_differences(book / "en" / name, book / "zh" / name)
    ]


def _pages(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in pages(folder, ".ipynb", ".md")}


def _of_ids(english: list[str], chinese: list[str]) -> list[str]:
    """Name the cells that one notebook alone has; if there are none, the first out of order."""
    alone = [f"{id}: in English only" for id in english if id not in chinese]
    alone += [f"{id}: in Chinese only" for id in chinese if id not in english]
    places = zip_longest(english, chinese, fillvalue="the end")
    moved = (f"{en}: {zh} stands in its place in Chinese" for en, zh in places if en != zh)
    return alone or [next(moved)]


def _of_cells(english: NotebookNode, chinese: NotebookNode) -> Iterator[str]:
    if english.cell_type != chinese.cell_type:
        yield f"{english.cell_type} became {chinese.cell_type}"
    elif english.metadata.get("tags") != chinese.metadata.get("tags"):
        yield f"tags: {english.metadata.get('tags')} became {chinese.metadata.get('tags')}"
    elif slide_type(english.metadata) != slide_type(chinese.metadata):
        yield f"slide: {slide_type(english.metadata)!r} became {slide_type(chinese.metadata)!r}"
    elif english.cell_type == "markdown":
        yield from prose.differences(english.source, chinese.source)
    elif english.cell_type == "code":
        yield from _of_code(english, chinese)


def _of_code(english: NotebookNode, chinese: NotebookNode) -> Iterator[str]:
    trees = [ast.parse(cell.source) for cell in (english, chinese)]
    if not _alike(*trees):
        yield "the code differs"
    elif ast.dump(trees[0]) == ast.dump(trees[1]) and not _say_the_same(english, chinese):
        yield "equal code, but other outputs"


def _say_the_same(english: NotebookNode, chinese: NotebookNode) -> bool:
    """Tell whether the outputs are equal; words, and so pictures, may be those of other cells."""
    ours, theirs = (
        [{**out, "data": {**out.get("data", {}), "image/png": None}} for out in cell.outputs]
        for cell in (english, chinese)
    )
    if ours == theirs or not CHINESE.search(str(theirs)):
        return ours == theirs
    return _numbers(ours) == _numbers(theirs)


def _numbers(outputs: list[dict[str, Any]]) -> tuple[list[list[str]], list[str]]:
    """Return the kinds of outputs, and what numbers are in them."""
    texts = (str(text) for out in outputs for text in (*out["data"].values(), out.get("text", "")))
    plain = [text for text in texts if "(children=(" not in text]  # a widget's, cut off somewhere
    kinds = [sorted(out["data"]) for out in outputs]
    return kinds, sorted(number for text in plain for number in NUMBER.findall(text))


def _alike(english: object, chinese: object) -> bool:
    if type(english) is not type(chinese):
        return False
    match english, chinese:
        case ast.keyword(arg="lang"), ast.keyword(arg="lang"):
            return _language(english) == "en" and _language(chinese) == "zh"
        case ast.JoinedStr(), ast.JoinedStr() if prose.has_chinese(_words(chinese)):
            return _slots(english) == _slots(chinese)
        case ast.Constant(value=str()), ast.Constant(value=str(text)) if prose.has_chinese(text):
            return True
        case ast.AST(), ast.AST():
            return _alike([*ast.iter_fields(english)], [*ast.iter_fields(chinese)])
        case ((list() | tuple()), (list() | tuple())):
            return len(english) == len(chinese) and all(map(_alike, english, chinese))
    return english == chinese


def _language(keyword: ast.keyword) -> object:
    return keyword.value.value if isinstance(keyword.value, ast.Constant) else None


def _words(string: ast.JoinedStr) -> str:
    return "".join(str(part.value) for part in string.values if isinstance(part, ast.Constant))


def _slots(string: ast.JoinedStr) -> list[str]:
    """List what an f-string inserts; another word order is another language's right."""
    return sorted(ast.dump(part) for part in string.values if isinstance(part, ast.FormattedValue))


def main() -> int:
    """Print what differs."""
    found = problems()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
