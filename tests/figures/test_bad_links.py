"""A link that describes no state of a figure opens its start, and says so."""

from typing import Any

import pytest
from figure_examples import EXAMPLES, steps
from figure_page import Open, control
from playwright.sync_api import expect
from reader import REFUSED, fragment, go, mark, opened_at, seen, try_everything


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
