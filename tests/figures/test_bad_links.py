"""Test that an invalid link opens the initial state with a message."""

import pytest
from figure_examples import EXAMPLES, steps
from figure_page import Open, control
from interaction import REFUSED, fingerprint, go_to_hash, link_hash, load, move_controls, snapshot
from playwright.sync_api import expect

from tests.variants import sampled

KINDS = [kind for kind, one in EXAMPLES.items() if one.bad]


@pytest.mark.parametrize("kind", sampled(KINDS, KINDS[::2].__contains__))
def test_a_bad_link_leaves_the_start_and_says_so(open_figure: Open, kind: str) -> None:
    figure = EXAMPLES[kind]("en")
    page = open_figure(figure)
    start, own = snapshot(page), fingerprint(page)
    for values in EXAMPLES[kind].bad:
        move_controls(page, 1)
        go_to_hash(page, link_hash(figure, own, values))
        said = page.locator(REFUSED, has_text="does not fit this figure")
        expect(said, str(values)).to_have_count(1)
        assert snapshot(page) == start, values
        assert set(page.locator("[data-error]").all_inner_texts()) <= {""}
    page.reload()
    assert snapshot(page) == start
    expect(said).to_have_count(1)


@pytest.mark.parametrize(
    ("lang", "broken", "old"),
    [("en", "does not fit", "another version"), ("zh", "不适用于", "另一个版本")],
)
def test_unreadable_and_old_links_say_what_they_are(
    open_figure: Open, lang: str, broken: str, old: str
) -> None:
    figure = steps(lang)
    page = open_figure(figure)
    good = link_hash(figure, fingerprint(page), {"step": 2})
    start = snapshot(page)
    said = page.locator(REFUSED)
    for wrong in ("", "x", "%%%", "e30", "W10", "Ww", "//4", "%E2%98%83", good.split(":")[1][:-3]):
        go_to_hash(page, f"#figure-{figure.name}:{wrong}")
        expect(said).to_contain_text(broken if wrong not in ("W10",) else old)
        assert snapshot(page) == start
        go_to_hash(page, good.replace(":", "%3A"))
        expect(said).to_have_count(0)
        assert snapshot(page) != start
    load(open_figure(steps(lang, step=4)), page.url.split("#")[0] + good)
    expect(said).to_contain_text(old)
    expect(control(page, "step")).to_have_value("4")
    control(page, "valid_lens[0]").press("ArrowRight")
    expect(said).to_have_count(0)


CODE = "<img/src=x/onerror=acted=1> <script>acted=2</script> javascript:acted=3"


@pytest.mark.parametrize("values", [{"premise": CODE, "hypothesis": CODE}, {CODE: CODE}])
def test_code_in_a_link_is_only_text(open_figure: Open, values: dict[str, str]) -> None:
    figure = EXAMPLES["alignment"]("en")
    page = open_figure(figure)
    go_to_hash(page, link_hash(figure, fingerprint(page), values))
    root = page.locator("[data-figure]")
    if "premise" in values:
        expect(root.get_by_text("onerror").first).to_be_attached()
    else:
        expect(page.locator(REFUSED, has_text="does not fit")).to_have_count(1)
    assert root.locator("img, script, a[href^=javascript]").count() == 0
    assert page.evaluate("window.acted") is None
