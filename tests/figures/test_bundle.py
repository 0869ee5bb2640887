"""The figures' JavaScript and rules, as a page gets them."""

import gzip
import re
from pathlib import Path

import pytest
from figure_examples import EXAMPLES, SOURCES, pipeline

from attention_lib.figures import bundle
from attention_lib.figures.frontend import FIGURES

SHIPPED = bundle.joined("page")  # which has all that Jupyter's module has


def test_a_page_of_its_own_needs_nothing_else() -> None:
    page = pipeline().to_html()
    for name in ("http://www.w3.org/2000/svg", "url(#"):  # no addresses: a name, and a place in it
        page = page.replace(name, "")
    assert not re.search(r"https?:|url\(|@import| src=| href=", page)


def test_every_source_is_part_of_the_module_that_is_shipped() -> None:
    for source in SOURCES.glob("*.js"):
        names = re.findall(
            r"^export (?:const|(?:async )?function) (\w+)", source.read_text("utf-8"), re.M
        )
        assert names, source.name
        for name in names:
            assert re.search(rf"^(const|(async )?function) {name}\b", SHIPPED, re.M), name
    assert not re.search(r"^(import|export) (?!default)", SHIPPED, re.M)


def test_the_sources_share_no_name_that_joining_would_make_clash() -> None:
    names = re.findall(r"^(?:const|let|function|async function) (\w+)", SHIPPED, re.M)
    assert len(names) > 50
    assert len(names) == len(set(names))


def test_the_sources_are_checked_scripts_without_dependencies() -> None:
    sources: list[Path] = sorted(SOURCES.glob("*.js"))
    for source in sources:
        text = source.read_text("utf-8")
        assert text.startswith("// @ts-check"), source.name
        for path in re.findall(r'from "(.*)"', text):
            assert (source.parent / path).exists(), (source.name, path)


def test_no_source_has_a_template_within_a_template() -> None:
    # What makes them small for the page takes the inner one for code, and its spaces away.
    for source in [*SOURCES.glob("*.js"), *Path("book/_static").glob("*.js")]:
        assert not re.search(r"\$\{[^}]*`", source.read_text("utf-8")), source.name


def test_both_languages_have_the_same_words() -> None:
    words: dict[str, set[str]] = {"en": set(), "zh": set()}
    for lang, body in re.findall(r"^  (en|zh): \{(.*?)^  \}", SHIPPED, re.M | re.S):
        words[lang] |= set(re.findall(r"^    (\w+):", body, re.M))
    assert words["en"] == words["zh"]
    assert len(words["en"]) > 10


def test_every_word_and_every_rule_is_used() -> None:
    texts = {source: source.read_text("utf-8") for source in SOURCES.glob("*.js")}
    code = "\n".join(text for source, text in texts.items() if "words" not in source.stem)
    said = "\n".join(text for source, text in texts.items() if "words" in source.stem)
    assert [
        word for word in _named(re.findall(r"^    (\w+):", said, re.M)) if f'"{word}"' not in code
    ] == []
    web = [
        path
        for path in FIGURES.sources.rglob("*.ts*")
        if not {"node_modules", "words"} & {*path.parts}
    ]
    new = "\n".join(path.read_text("utf-8") for path in web)
    own = re.findall(r"^  (\w+):", (FIGURES.sources / "words/en.ts").read_text("utf-8"), re.M)
    assert [word for word in _named(own) if f'"{word}"' not in new] == []
    classes = set(re.findall(r"\.([a-z][\w-]*)", bundle.stylesheet()))
    assert len(classes) > 30
    assert [name for name in classes if not re.search(rf'[" ]{name}[" `]', code + new)] == []


def _named(words: list[str]) -> list[str]:
    """Return those that the code calls by their whole names."""
    named = [word for word in words if not re.match(r"(stage\d|score_|preset_|label_)", word)]
    assert len(named) > 30
    return named


def test_a_page_gets_the_kinds_that_it_shows() -> None:
    script = bundle.joined("page", ["pooling", "score"])
    assert re.findall(r"^  (\w+): \w+Figure,$", script, re.M) == ["pooling", "score"]
    assert "function poolingFigure" in script
    assert "function kernelFigure" not in script


def test_a_page_gets_the_words_of_its_own_language() -> None:
    english, chinese = (bundle.joined("page", None, [lang]) for lang in ("en", "zh"))
    assert "Download numbers" in english
    assert not re.search("[一-龥]", english)
    assert "下载数值" in chinese
    assert "Download numbers" not in chinese


@pytest.mark.parametrize("kind", sorted({example("en").kind for example in EXAMPLES.values()}))
def test_a_page_loads_little(kind: str) -> None:
    sizes = {
        name: len(gzip.compress(script.encode()))
        for name, script in bundle.scripts([kind], ["zh"]).items()
    }
    core = sizes.pop("figures-core.js", 0)  # once for all pages
    assert core <= 25_000
    assert sum(sizes.values()) <= (10_000 if core else 25_000)
