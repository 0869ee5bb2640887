"""Test hiding weights and everything that reveals them."""

import re

import pytest
from figure_examples import EACH_KIND, EXAMPLES, alternate
from figure_page import Open, control
from interaction import figure_on, move_controls, resize
from playwright.sync_api import Page, expect

kinds = pytest.mark.parametrize("kind", EACH_KIND)
# Tables that stay visible while weights are hidden: inputs and scores.
GIVEN = re.compile(
    r"(queries|keys|values|W_q\(queries\)|W_k\(keys\))\[\d\](\.T)?|scores\[\d\]|W_q|W_k|w_v|W"
    r"|mask\[\d\]|masked scores\[\d\]|row lengths\[\d\]|draws\[draw − 1\]"
)
# Tables, drawings and lines of numbers that stay visible.
VISIBLE = """(root) => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const named = (name) => (node) => [name, node.getAttribute("class") ?? ""];
  const tables = [...root.querySelectorAll("td:not(thead td), canvas")].filter(seen).map((node) =>
    ["table", (node.closest("table") ?? node).getAttribute("aria-label")]);
  const shapes = [...root.querySelectorAll(
    ".plot:not(.legend *, dt *) :is(circle, rect, path, line, text):not(.hit, .axes *)")]
    .filter(seen).map((node) => ["shape", node.closest("[class]:not(svg)").getAttribute("class")]);
  const numbers = [...root.querySelectorAll("dd:not(.hint), .bar, .hint")].filter(seen)
    .filter((node) => node.textContent || node.className === "bar").map((node) => {
    if (node.matches(".hint")) return ["hint", ""];
    let name = node;
    while (name && name.tagName !== "DT") name = name.previousElementSibling;
    return ["number", name?.textContent ?? node.className];
  });
  return [...new Set([...tables, ...shapes, ...numbers].map(String))];
}"""
SCORES = re.compile(r"scores\[\d\]")


def visible(page: Page, kind: str) -> set[str]:
    """Return the names of visible parts."""
    names: list[str] = figure_on(page).evaluate(VISIBLE)
    return set(names)


def is_given(label: str, kind: str) -> bool:
    """Return whether a table shows inputs only; scores are inputs unless they are chosen."""
    return bool(GIVEN.fullmatch(label)) and not (
        kind in ("scoring", "menu") and SCORES.fullmatch(label)
    )


def assert_tells_nothing(page: Page, kind: str) -> None:
    for name in visible(page, kind):
        what, _, label = name.partition(",")
        if what == "table":
            assert is_given(label, kind), label
        elif what == "shape":
            assert label in EXAMPLES[kind].left, label
        elif what == "hint":
            assert EXAMPLES[kind].hint
        else:
            raise AssertionError(label)
    said = figure_on(page).aria_snapshot()
    for cells in re.findall(
        r'table "(.*?)":\n((?:\s+- (?:row|cell|columnheader|rowheader).*\n)+)', said
    ):
        assert is_given(cells[0], kind) or " cell " not in cells[1]


@kinds
def test_hidden_weights_are_not_revealed_by_any_control(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    hide = control(page, "hide")
    everything = visible(page, kind)
    hide.click()
    expect(figure_on(page)).to_have_attribute("data-hidden", "")
    expect(page.locator("[data-at]:visible")).to_have_count(0)
    assert_tells_nothing(page, kind)
    move_controls(page, 1)
    assert_tells_nothing(page, kind)
    control(page, "reset").click()
    assert_tells_nothing(page, kind)
    hide.click()
    expect(figure_on(page)).not_to_have_attribute("data-hidden", "")
    assert visible(page, kind) == everything
    weights = "attention_weights" in EXAMPLES[kind].first
    assert not weights or page.locator("[data-at]:visible").count() > 0


@pytest.mark.parametrize(("kind", "device"), alternate("phone", "desk"))
def test_nothing_jumps_when_weights_are_hidden_and_shown(
    open_figure: Open, kind: str, device: str
) -> None:
    page = open_figure(EXAMPLES[kind]("zh"))
    page.emulate_media(reduced_motion="reduce")  # a highlighted handle pulses
    # The size of some parts depends on the weights, and so do the words within the caption's space.
    boxes = """(root) => [root, ...root.querySelectorAll(`*:not(.weight-bar, .arc, .row-note,
      .of-clock, :is(.row-track, .says, [data-code], [data-announced]) *)`)]
      .map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const top = root.getBoundingClientRect().y;
      return width + height ? [x, y - top, width, height].map(Math.round) : [];
    })"""
    resize(page, {"phone": 390, "desk": 1280}[device], 4000)
    before = figure_on(page).evaluate(boxes)
    for _ in range(2):
        control(page, "hide").click()
        assert figure_on(page).evaluate(boxes) == before


@pytest.mark.parametrize(("lang", "word"), [("en", "hidden"), ("zh", "已隐藏")])
def test_a_word_stands_where_weights_are_hidden(open_figure: Open, lang: str, word: str) -> None:
    page = open_figure(EXAMPLES["pipeline"](lang))
    control(page, "hide").click()
    expect(figure_on(page)).to_have_attribute("data-hidden", "")
    words = page.locator(".map").evaluate_all(
        """maps => maps.map((map) => [map.firstChild.getAttribute("aria-label"),
          getComputedStyle(map, "::after").content])"""
    )
    told = {label: text for label, text in words if text != "none"}
    assert told == {
        name: f'"{word}"' for b in (0, 1) for name in (f"attention_weights[{b}]", f"output[{b}].T")
    }


def test_the_mask_edge_of_hidden_weights_can_still_be_dragged(open_figure: Open) -> None:
    page = open_figure(EXAMPLES["pipeline"]("en"))
    control(page, "hide").click()
    edge = page.locator('[aria-label="attention_weights[0]"] ~ .edges [data-edge]')
    box = edge.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 20)
    page.mouse.up()
    expect(control(page, "valid_lens[0]")).to_have_value("4")
