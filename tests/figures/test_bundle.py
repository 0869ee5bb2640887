"""Test the bundles of the figures: JavaScript and style rules."""

import gzip
import re

import pytest
from figure_examples import EXAMPLES, pipeline
from node import call_in_node

from attention_figures import bundle
from attention_figures.frontend import FIGURES
from attention_figures.languages import LANGUAGES

COSTS = ["dot", "scaled_dot", "bilinear", "gaussian", "additive"]


def test_a_page_of_its_own_needs_nothing_else() -> None:
    page = pipeline().to_html()
    # Namespaces, which are not requested, and a path in the page.
    names = [f"http://www.w3.org/{name}" for name in ("2000/svg", "1999/xhtml", "1998/Math/MathML")]
    for name in (*names, "url(#"):
        page = page.replace(name, "")
    assert not re.search(r"https?:|url\(|@import| src=| href=", page)


def test_every_word_and_every_rule_is_used() -> None:
    web = [path for path in FIGURES.sources.rglob("*.ts*") if "node_modules" not in path.parts]
    code = "\n".join(path.read_text("utf-8") for path in web if path.parent.name != "strings")
    own = re.findall(r"^  (\w+):", (FIGURES.sources / "strings/en.ts").read_text("utf-8"), re.M)
    assert [word for word in _named(own) if f'"{word}"' not in code] == []
    classes = set(re.findall(r"\.([a-z][\w-]*)", bundle.stylesheet()))
    assert len(classes) > 30
    assert [name for name in classes if not re.search(rf'[" ]{name}[" `]', code)] == []


def _named(words: list[str]) -> list[str]:
    """Return the strings that the code uses by their full names."""
    named = [
        word
        for word in words
        if not re.match(r"(stage\d|score_|kernel_|preset_|label_|size_|windowCorner_)", word)
    ]
    assert len(named) > 30
    return named


def test_a_page_gets_the_words_of_its_own_language() -> None:
    english, chinese = (bundle.core_script(frozenset({lang})) for lang in ("en", "zh"))
    assert "Download numbers" in english
    assert "下载数值" in chinese
    assert "Download numbers" not in chinese


@pytest.mark.parametrize("lang", LANGUAGES)
def test_tables_call_the_scores_as_the_menus_do(lang: str) -> None:
    menus = dict(call_in_node("maths/scores.ts", "scoreStrings", lang))
    rows, _ = EXAMPLES["towns"](lang).headings()["scores"]
    assert rows == [menus["score_gaussian"], menus["score_sum"]]
    _, columns = EXAMPLES["cost"](lang).headings()["kept"]
    assert columns == [menus[f"score_{score}"] for score in COSTS]


@pytest.mark.parametrize("kind", sorted({example("en").kind for example in EXAMPLES.values()}))
def test_a_page_loads_little(kind: str) -> None:
    chinese = frozenset({"zh"})
    core, own = bundle.core_script(chinese), bundle.kinds_script(frozenset({kind}), chinese)
    assert len(gzip.compress(core.encode())) <= 44_000  # shared by all pages
    assert len(gzip.compress(own.encode())) <= 7_000
