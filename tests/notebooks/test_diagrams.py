"""Test the diagrams: one file per language, the same drawing, described, self-contained."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import pytest

BOOK = Path(__file__).parents[2] / "book"
SVG = "{http://www.w3.org/2000/svg}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
NAMES = sorted({path.name for path in BOOK.glob("??/*.svg")})
EACH = pytest.mark.parametrize("name", NAMES)


def diagram(language: str, name: str) -> ET.Element:
    return ET.parse(BOOK / language / name).getroot()


def shape(element: ET.Element) -> tuple[object, ...]:
    """Return everything drawn, in order: tags, attributes except the language, and styles."""
    attributes = {key: x for key, x in element.attrib.items() if key != LANGUAGE}
    style = element.text if element.tag == f"{SVG}style" else None
    return element.tag, attributes, style, [shape(child) for child in element]


def words(element: ET.Element) -> list[str]:
    drawn = (text for text in element.iter(f"{SVG}text"))
    return ["".join(text.itertext()) for text in drawn]


def test_there_is_a_diagram() -> None:
    assert "attention-flow.svg" in NAMES


@EACH
def test_both_languages_draw_the_same_with_words_of_their_own(name: str) -> None:
    english, chinese = diagram("en", name), diagram("zh", name)
    assert shape(english) == shape(chinese)
    assert (english.get(LANGUAGE), chinese.get(LANGUAGE)) == ("en", "zh-CN")
    pairs = list(zip(words(english), words(chinese), strict=True))
    assert all(not re.search("[一-鿿]", en) for en, _ in pairs)
    # Words are translated; names such as softmax and k0 are not.
    translated = [en for en, zh in pairs if re.search("[一-鿿]", zh)]
    assert translated == [en for en, _ in pairs if re.search("[a-z]{3}", en) and en != "softmax"]


@EACH
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_diagram_has_a_title_and_a_description(language: str, name: str) -> None:
    root = diagram(language, name)
    named = {x.get("id"): (x.text or "").strip() for x in root.iter() if x.get("id")}
    ids = (root.get("aria-labelledby") or "").split()
    assert root.get("role") == "img"
    assert [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")] == ids  # type: ignore[union-attr]
    assert all(bool(re.search("[一-鿿]", named[i])) == (language == "zh") for i in ids)
    assert all(len(named[i]) > 10 for i in ids)


@EACH
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_diagram_asks_for_nothing_outside_and_runs_nothing(language: str, name: str) -> None:
    source = (BOOK / language / name).read_text("utf-8")
    foreign = source.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|href|@import|<script|<image|\bon\w+=|<!ENTITY", foreign)
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", foreign))


@EACH
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_diagram_is_shown_with_words_for_those_who_do_not_see_it(
    language: str, name: str
) -> None:
    pages = [nbformat.read(path, as_version=4) for path in (BOOK / language).glob("*.ipynb")]
    sources = "\n".join(cell.source for page in pages for cell in page.cells)
    alts = re.findall(rf"!\[([^\]]*)\]\({re.escape(name)}\)", sources)
    assert len(alts) == 1
    assert len(alts[0]) > 60
    assert bool(re.search("[一-鿿]", alts[0])) == (language == "zh")
