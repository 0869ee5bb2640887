"""Compare the two languages of the book, and check each page: `python -m tools.parity`.

`differences(english, chinese)` compares two notebooks; the script compares every page of the book.
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
# Questions of figures, exercises and puzzles, and the paragraphs of a verdict.
TEXT_FOR_READERS = re.compile(
    r"(?:data-(?:ask|observe)>|data-exercise=).*?</script>|^<p>.*", re.DOTALL
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def differences(english: NotebookNode, chinese: NotebookNode) -> list[str]:
    """List differences between two notebooks in what both languages must share.

    Cells have the same ids, types and tags in the same order. Code is equal except for comments,
    `lang="en"` and `lang="zh"`, and strings with Chinese translations. Where the code is equal, the
    outputs are equal too, or the numbers in them if the Chinese outputs have Chinese text. Prose is
    compared by `tools.prose`.

    Returns:
        One line for each difference, with the cell's id; none if the notebooks agree.
    """
    ids = [[cell.id for cell in notebook.cells] for notebook in (english, chinese)]
    if ids[0] != ids[1]:
        return _compare_ids(*ids)
    return [
        f"{en.id}: {difference}"
        for en, zh in zip(english.cells, chinese.cells, strict=True)
        for difference in _compare_cells(en, zh)
    ]


def page_differences(english: Path, chinese: Path) -> list[str]:
    """Compare two pages, notebooks or Markdown, and check each page by itself."""
    dead = [*links.dead(english), *links.dead(chinese)]
    if english.suffix == ".md":
        ours, theirs = english.read_text("utf-8"), chinese.read_text("utf-8")
        return dead + prose.differences(ours, theirs) + prose.chinese_faults(theirs)
    en, zh = map(read, (english, chinese))
    in_each = [
        f"{language}: {problem}"
        for language, notebook in (("en", en), ("zh", zh))
        for problem in (*structure.problems(notebook), *foreign(notebook, language))
    ]
    return [*dead, *in_each, *faults(zh), *differences(en, zh)]


def faults(chinese: NotebookNode) -> list[str]:
    """List typographic faults in the prose of a Chinese notebook, with the cell's id."""
    return [
        f"{cell.id}: {fault}"
        for cell in chinese.cells
        if cell.cell_type == "markdown"
        for fault in prose.chinese_faults(cell.source)
    ]


def foreign(notebook: NotebookNode, language: str) -> list[str]:
    """List stored figures, questions, exercises, puzzles and verdicts in the wrong language.

    The code does not show it: `lang` may be missing in both languages, or set by a course module.
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
    for text in TEXT_FOR_READERS.findall(html):
        if prose.has_chinese(text) != (language == "zh"):
            yield f"an output says {text[:60]!r}"


def problems(book: Path = BOOK) -> list[str]:
    """Compare every page of the book with its translation, and check that chapters are complete."""
    names = {language: _pages(book / language) for language in LANGUAGES}
    alone = [f"{name}: in one language only" for name in sorted(names["en"] ^ names["zh"])]
    return [*alone, *(chapters.missing(book) if book == BOOK else ())] + [
        f"{name}: {difference}"
        for name in sorted(names["en"] & names["zh"])
        for difference in page_differences(book / "en" / name, book / "zh" / name)
    ]


def _pages(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in pages(folder, ".ipynb", ".md")}


def _compare_ids(english: list[str], chinese: list[str]) -> list[str]:
    """List cells that only one notebook has; if there are none, the first out of order."""
    alone = [f"{id}: in English only" for id in english if id not in chinese]
    alone += [f"{id}: in Chinese only" for id in chinese if id not in english]
    places = zip_longest(english, chinese, fillvalue="the end")
    moved = (f"{en}: {zh} stands in its place in Chinese" for en, zh in places if en != zh)
    return alone or [next(moved)]


def _compare_cells(english: NotebookNode, chinese: NotebookNode) -> Iterator[str]:
    if english.cell_type != chinese.cell_type:
        yield f"{english.cell_type} became {chinese.cell_type}"
    elif english.metadata.get("tags") != chinese.metadata.get("tags"):
        yield f"tags: {english.metadata.get('tags')} became {chinese.metadata.get('tags')}"
    elif slide_type(english.metadata) != slide_type(chinese.metadata):
        yield f"slide: {slide_type(english.metadata)!r} became {slide_type(chinese.metadata)!r}"
    elif english.cell_type == "markdown":
        yield from prose.differences(english.source, chinese.source)
    elif english.cell_type == "code":
        yield from _compare_code(english, chinese)


def _compare_code(english: NotebookNode, chinese: NotebookNode) -> Iterator[str]:
    trees = [ast.parse(cell.source) for cell in (english, chinese)]
    if not _equal_code(*trees):
        yield "the code differs"
    elif ast.dump(trees[0]) == ast.dump(trees[1]) and not _equal_outputs(english, chinese):
        yield "equal code, but other outputs"


def _equal_outputs(english: NotebookNode, chinese: NotebookNode) -> bool:
    """Return whether outputs are equal; pictures, and words next to Chinese, may differ."""
    ours, theirs = (
        [{**out, "data": {**out.get("data", {}), "image/png": None}} for out in cell.outputs]
        for cell in (english, chinese)
    )
    if ours == theirs or not CHINESE.search(str(theirs)):
        return ours == theirs
    return _numbers(ours) == _numbers(theirs)


def _numbers(outputs: list[dict[str, Any]]) -> tuple[list[list[str]], list[str]]:
    """Return the MIME types of the outputs, and the numbers in them."""
    texts = (str(text) for out in outputs for text in (*out["data"].values(), out.get("text", "")))
    plain = [text for text in texts if "(children=(" not in text]  # the truncated repr of a widget
    kinds = [sorted(out["data"]) for out in outputs]
    return kinds, sorted(number for text in plain for number in NUMBER.findall(text))


def _equal_code(english: object, chinese: object) -> bool:
    if type(english) is not type(chinese):
        return False
    match english, chinese:
        case ast.keyword(arg="lang"), ast.keyword(arg="lang"):
            return _language(english) == "en" and _language(chinese) == "zh"
        case ast.JoinedStr(), ast.JoinedStr() if prose.has_chinese(_literal_text(chinese)):
            return _expressions(english) == _expressions(chinese)
        case ast.Constant(value=str()), ast.Constant(value=str(text)) if prose.has_chinese(text):
            return True
        case ast.AST(), ast.AST():
            return _equal_code([*ast.iter_fields(english)], [*ast.iter_fields(chinese)])
        case ((list() | tuple()), (list() | tuple())):
            return len(english) == len(chinese) and all(map(_equal_code, english, chinese))
    return english == chinese


def _language(keyword: ast.keyword) -> object:
    return keyword.value.value if isinstance(keyword.value, ast.Constant) else None


def _literal_text(string: ast.JoinedStr) -> str:
    return "".join(str(part.value) for part in string.values if isinstance(part, ast.Constant))


def _expressions(string: ast.JoinedStr) -> list[str]:
    """Return the expressions in an f-string, sorted: word order differs between languages."""
    return sorted(ast.dump(part) for part in string.values if isinstance(part, ast.FormattedValue))


def main() -> int:
    """Print all differences and problems; return 1 if there are any."""
    found = problems()
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
