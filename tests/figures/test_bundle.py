"""The figures' JavaScript and rules, as a page gets them."""

import gzip
import re
from pathlib import Path
from typing import Any

from figure_examples import SOURCES, pipeline

from attention_lib.figures import bundle


def test_a_page_of_its_own_needs_nothing_else() -> None:
    page = pipeline().to_html().replace("http://www.w3.org/2000/svg", "")  # a name, no address
    assert not re.search(r"https?:|url\(|@import| src=| href=", page)


def test_every_source_is_part_of_the_module_that_is_shipped() -> None:
    for source in SOURCES.glob("*.js"):
        names = re.findall(r"^export (?:const|function) (\w+)", source.read_text("utf-8"), re.M)
        assert names, source.name
        for name in names:
            assert re.search(rf"^(const|function) {name}\b", bundle.joined(), re.M), name
    assert not re.search(r"^(import|export) (?!default)", bundle.joined(), re.M)


def test_the_sources_share_no_name_that_joining_would_make_clash() -> None:
    names = re.findall(r"^(?:const|let|function|async function) (\w+)", bundle.joined(), re.M)
    assert len(names) > 50
    assert len(names) == len(set(names))


def test_the_sources_are_checked_scripts_without_dependencies() -> None:
    sources: list[Path] = sorted(SOURCES.glob("*.js"))
    for source in sources:
        text = source.read_text("utf-8")
        assert text.startswith("// @ts-check"), source.name
        for path in re.findall(r'from "(.*)"', text):
            assert (source.parent / path).exists(), (source.name, path)


def test_both_languages_have_the_same_words() -> None:
    words: dict[str, Any] = {}
    for lang, body in re.findall(r"^  (en|zh): \{(.*?)^  \}", bundle.joined(), re.M | re.S):
        words[lang] = set(re.findall(r"^    (\w+):", body, re.M))
    assert words["en"] == words["zh"]
    assert len(words["en"]) > 10


def test_every_word_and_every_rule_is_used() -> None:
    code = "\n".join(s.read_text("utf-8") for s in SOURCES.glob("*.js") if s.stem != "words")
    words = re.findall(r"^    (\w+):", (SOURCES / "words.js").read_text("utf-8"), re.M)
    named = [word for word in words if not re.match(r"(stage\d|score_|preset_|label_)", word)]
    assert len(named) > 30
    assert [word for word in named if f'"{word}"' not in code] == []
    classes = set(re.findall(r"\.([a-z][\w-]*)", bundle.stylesheet()))
    assert len(classes) > 30
    assert [name for name in classes if not re.search(rf'[" ]{name}[" `]', code)] == []


def test_a_page_loads_little() -> None:
    assert len(gzip.compress(bundle.script().encode())) <= 27_500
