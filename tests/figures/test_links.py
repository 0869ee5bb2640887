"""A state is a link: it opens exactly this state, or says why it does not."""

import json
import random
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pytest
from figure_examples import EXAMPLES, look_up, pipeline, steps
from figure_page import Open, assert_shows, control
from playwright.sync_api import Page, expect
from reader import copied_link, figure_on, seen, try_everything

from attention_lib.figures import Figure

Js = Callable[..., Any]
REFUSED = "[data-link-refused]"
kinds = pytest.mark.parametrize("kind", EXAMPLES)


def fragment(figure: Figure, *content: Any) -> str:
    """Return the fragment of a link with this content."""
    packed = urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode())
    return f"#figure-{figure.name}:{packed.decode().rstrip('=')}"


def mark(page: Page) -> str:
    """Return the mark of the figure's start, from a link to the start."""
    packed = copied_link(page).split(":")[-1]
    own, differences = json.loads(urlsafe_b64decode(packed + "=="))
    assert differences == {}
    return str(own)


def go(page: Page, fragment: str) -> None:
    """Follow a link within the page."""
    page.evaluate("hash => { location.hash = hash }", fragment)


def opened_at(page: Page, address: str) -> None:
    """Load a page anew: a fragment alone would not."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("[data-live]")


def texts_and_values(page: Page) -> list[Any]:
    """Return what stands in cells and controls; scales and choices may have followed the reader."""
    shown: list[Any] = figure_on(page).evaluate(
        """(root) => [...root.querySelectorAll(":is(td, [data-control]):not([hidden] *)")].map(
          (node) => [node.dataset.control, node.value, node.checked, node.textContent])"""
    )
    return shown


@kinds
def test_a_link_opens_all_that_was_seen(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    file = page.url
    start = seen(page)
    moved = False
    for seed in (1, 3):
        try_everything(page, seed)
        link = copied_link(page)
        assert link.startswith(file + "#figure-")
        before = texts_and_values(page)
        opened_at(page, link)
        assert texts_and_values(page) == before
        again = seen(page)
        moved = moved or again != start
        assert copied_link(page) == link
        page.reload()
        assert seen(page) == again
        expect(page.locator(REFUSED)).to_have_count(0)
        control(page, "reset").click()
        assert seen(page) == start
    assert moved


def test_a_link_holds_only_what_differs_from_the_start(open_figure: Open) -> None:
    figure = steps()
    page = open_figure(figure)
    start = mark(page)
    control(page, "valid_lens[0]").fill("4")
    link = copied_link(page)
    opened_at(page, page.url + fragment(figure, start, {"valid_lens": [4, 3]}))
    assert copied_link(page) == link
    figure.valid_lens = [4, 3]
    assert_shows(page, figure)


def test_a_link_opens_on_a_page_that_is_open(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    start = mark(page)
    for temperature in (0.01, 10, 0):
        go(page, fragment(figure, start, {"temperature": temperature, "query": 1}))
        figure.temperature = temperature
        assert_shows(page, figure)
        expect(control(page, "query")).to_have_value("1")
    page.go_back()
    figure.temperature = 10
    assert_shows(page, figure)
    go(page, "#another")
    assert_shows(page, figure)


def test_it_scrolls_to_the_figure_when_all_above_it_is_there(page: Page, tmp_path: Any) -> None:
    figure = steps()
    late = "<script>setTimeout(() => {}, 0)</script><img src='late.png' style='display: block'>"
    file = tmp_path / "page.html"
    above = f"<p style='height: 3000px'>above</p>{late}"
    below = "<p style='height: 3000px'>below</p>"
    html = figure.to_html().replace('<div class="attention', f'{above}<div class="attention', 1)
    file.write_text(html.replace("</html>", f"{below}</html>"), encoding="utf-8")
    (tmp_path / "late.png").write_bytes(picture(40, 900))
    page.goto(file.as_uri())
    opened_at(page, file.as_uri() + fragment(figure, mark(page), {"step": 2}))
    page.wait_for_load_state("load")
    page.wait_for_function(
        "Math.abs(document.querySelector('[data-figure]').getBoundingClientRect().top) < 2"
    )


def picture(width: int, height: int) -> bytes:
    """Return a black PNG."""
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + check

    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    rows = zlib.compress(bytes(height * (1 + width)))
    header = chunk(b"IHDR", size + bytes([8, 0, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_hidden_weights_stay_hidden_in_a_link(open_figure: Open) -> None:
    page = open_figure(steps())
    control(page, "hide").click()
    link = copied_link(page)
    opened_at(page, link)
    expect(control(page, "hide")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-at="0,0,0"]')).to_be_hidden()
    assert copied_link(page) == link
    control(page, "hide").click()
    opened_at(page, copied_link(page))
    expect(page.locator('[data-at="0,0,0"]')).to_be_visible()


def scores(last: Any) -> list[Any]:
    """Return scores of the right shape, and in their last column whatever it is."""
    return [[[0, 0, 0, last]] * 2] * 2


BAD: dict[str, list[Any]] = {
    "steps": [
        *[None, 3, [], "step"],
        *[{"scores": wrong} for wrong in (1, [[[1, 2]]], scores(1001), scores("1"), scores(None))],
        *[{"valid_lens": wrong} for wrong in ([5, 0], [1], [[1, 1], [1]], 3, [1.5, 2], None)],
        *[{"step": wrong} for wrong in (6, "2", None, [2])],
        *[{"unknown": 1}, {"lang": "zh"}, {"__proto__": {"step": 1}}, {"toString": 1}],
        {"step": 2, "valid_lens": [9, 9]},  # one of two
    ],
    "pipeline": [{"num_hiddens": 5}, {"modules": []}, {"key_presets": {"random": []}}],
    "look_up": [
        *[{"temperature": wrong} for wrong in (-1, True, 1e9)],
        *[{"query": wrong} for wrong in (2, -1, 0.5, "0")],
    ],
    "regression": [{"kernel": "cubic"}],
    "scoring": [{"score": "sum"}, {"W": [[1e308, 0], [0, 1]]}],
    "comparison": [{"score": 6}],
    "scaling": [{"d": 3}, {"scaled": 1}],
    "dropout": [
        {"p": 0.95},
        *[{"draws": [[[wrong] * 4] * 3] * 3} for wrong in (1, -0.01, 0.125, "0.5")],
    ],
    "alignment": [
        *[{"premise": wrong} for wrong in ("two\nlines", "long" * 101, 5)],
        *[{"pairs": []}, {"parameters": {}}],
    ],
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_link_leaves_the_start_and_says_so(open_figure: Open, kind: str) -> None:
    figure = EXAMPLES[kind]("en")
    page = open_figure(figure)
    start, own = seen(page), mark(page)
    for values in BAD[kind]:
        try_everything(page, 1)
        go(page, fragment(figure, own, values))
        said = page.locator(REFUSED, has_text="describes no state of this figure")
        expect(said, str(values)).to_have_count(1)
        assert seen(page) == start, values
        assert set(page.locator("[data-error]").all_inner_texts()) <= {""}
    page.reload()
    assert seen(page) == start
    expect(said).to_have_count(1)


@pytest.mark.parametrize(
    ("lang", "broken", "old"),
    [("en", "describes no state", "another version"), ("zh", "不适用于", "另一个版本")],
)
def test_unreadable_and_old_links_say_what_they_are(
    open_figure: Open, lang: str, broken: str, old: str
) -> None:
    figure = steps(lang)
    page = open_figure(figure)
    good = fragment(figure, mark(page), {"step": 2})
    start = seen(page)
    said = page.locator(REFUSED)
    for wrong in ("", "x", "%%%", "e30", "W10", "Ww", "//4", "%E2%98%83", good.split(":")[1][:-3]):
        go(page, f"#figure-{figure.name}:{wrong}")
        expect(said).to_contain_text(broken if wrong not in ("W10",) else old)
        assert seen(page) == start
        go(page, good.replace(":", "%3A"))
        expect(said).to_have_count(0)
        assert seen(page) != start
    opened_at(open_figure(steps(lang, step=4)), page.url.split("#")[0] + good)
    expect(said).to_contain_text(old)
    expect(control(page, "step")).to_have_value("4")
    control(page, "valid_lens[0]").press("ArrowRight")
    expect(said).to_have_count(0)


def test_the_twin_in_the_other_language_opens_the_same_link(open_figure: Open) -> None:
    page = open_figure(pipeline("en"))
    control(page, "valid_lens[0]").fill("1")
    link = copied_link(page).split("#")[1]
    twin = pipeline("zh")
    page = open_figure(twin)
    go(page, f"#{link}")
    twin.valid_lens = [1, 3]
    assert_shows(page, twin)


def test_a_link_of_another_figure_means_nothing(open_figure: Open) -> None:
    page = open_figure(steps())
    start = seen(page)
    opened_at(page, f"{page.url}#figure-masked-softmax-2:e30")
    opened_at(page, f"{page.url}#figure-masked-softmax")
    assert seen(page) == start
    expect(page.locator(REFUSED)).to_have_count(0)


def test_any_text_survives_packing(js: Js) -> None:
    draw = random.Random(5)
    for _ in range(40):
        text = "".join(chr(draw.choice((65, 0xE9, 0x72D7, 0x1F408, 10))) for _ in range(9))
        content = [text, draw.random(), {text: [[-1.5, 1e-7]], "ok": True}]
        packed = js("links", "packed", content)
        assert re.fullmatch(r"[\w-]+", str(packed), re.ASCII)
        assert js("links", "unpacked", packed) == content


def test_the_mark_of_a_text_is_its_fnv_hash(js: Js) -> None:
    for text, hashed in (("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)):
        assert int(js("links", "markOf", text), 36) == hashed
