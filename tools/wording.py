"""Find wording that the book avoids in the texts that its readers meet."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import yaml

from tools.prose import has_chinese

ROOT = Path(__file__).parents[1]
PACKAGES = ("attention_course", "attention_figures")

# English that nobody speaks, by pattern. Readers stumbled over each of them.
TICS = re.compile(
    r"\b[Ww]hoever\b|\b(?<!\*)(?:[Ss]omebody|[Nn]obody)\b|\bof which more\b"
    r"|\bremind(?:s|ed)? one of\b|\bone and the same\b|\b(?:is|are) (?:told in|looked at)\b"
    r"|\bwants? (?:room|more|no)\b|\b[Gg]ive or take\b|\bthe like\b|\b[Ll]ikewise\b"
    r"|(?:^|[.?!:] )(?:So (?:it (?:is|was|would)|says|is it|are)|Always the)\b",
    re.MULTILINE,
)
# Chinese words of which the book has another one; the glossary has more under `avoided_zh`.
AVOIDED = {
    "直条": "竖条",
    "机会均等": "等可能",
    "做出判断": "作出判断",
    "做出选择": "作出选择",
}


def avoided() -> dict[str, str]:
    """Return the Chinese words that the book avoids, each with the word to use."""
    parts = yaml.safe_load((ROOT / "book/glossary.yml").read_text("utf-8"))
    terms = [entry for part in parts.values() for entry in part]
    return AVOIDED | {word: e["zh"] for e in terms for word in e.get("avoided_zh", [])}


def faults(text: str, words: dict[str, str]) -> list[str]:
    """List wording that the book avoids, English or Chinese.

    >>> faults("Whoever asks gets an answer.", {})
    ['Whoever']
    >>> faults("用融合内核计算", {"融合内核": "融合算子"})
    ['融合内核: 融合算子']
    """
    if not has_chinese(text):
        return TICS.findall(text)
    return [f"{word}: {better}" for word, better in words.items() if word in text]


def per_thousand(text: str, word: str) -> float:
    """Return how often a word occurs in each 1,000 Chinese characters.

    >>> per_thousand("查询与键", "键")
    250.0
    """
    characters = len(re.findall(r"[\u4e00-\u9fff]", text))
    return 1000 * text.count(word) / characters


def texts() -> Iterator[tuple[str, str]]:
    """Yield all texts for readers in the tree, each with its file."""
    for path in sorted((ROOT / "book").glob("[ez][nh]/*.*")):
        yield from ((_name(path), text) for text in _on_page(path))
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        yield from ((_name(path), text) for text in _in_program(path))
    others = ("*/web/strings/*.ts", "book/*.yml", "docs/*.md", "README*.md")
    for path in sorted(path for pattern in others for path in ROOT.glob(pattern)):
        yield from ((_name(path), line) for line in path.read_text("utf-8").splitlines())


def markdown(path: Path) -> str:
    """Return the prose of a notebook."""
    cells = nbformat.read(path, 4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def _on_page(path: Path) -> Iterator[str]:
    if path.suffix == ".ipynb":
        yield from markdown(path).split("\n\n")
    elif path.suffix == ".md":
        yield from path.read_text("utf-8").split("\n\n")


def _in_program(path: Path) -> Iterator[str]:
    """Yield the strings of a Python file but its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    statements = {id(x.value) for x in ast.walk(tree) if isinstance(x, ast.Expr)}
    constants = (x for x in ast.walk(tree) if isinstance(x, ast.Constant))
    yield from (x.value for x in constants if isinstance(x.value, str) and id(x) not in statements)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
