"""Test every figure by keyboard alone: Tab, arrows, Enter and Space."""

from typing import Any

import pytest
from figure_examples import ALTERNATING_LANGUAGES, EACH_KIND, EXAMPLES, SOME_KINDS
from figure_page import Open, open_with_clock
from interaction import resize
from playwright.sync_api import Page, expect

# The focused element: a number for it, its control, its position, and whether it has an outline.
FOCUS = """() => {
  const at = document.activeElement;
  const figure = at?.closest(".attention-figure");
  if (!figure) return null;
  const box = (at.closest(".edge-handle")?.querySelector(".grip") ?? at).getBoundingClientRect();
  const { top, left, width, height } = box;
  const middle = (from, to, most) => (Math.max(0, from) + Math.min(most, to)) / 2;
  const over = document.elementFromPoint(
    middle(left, left + width, innerWidth), middle(top, top + height, innerHeight));
  // Points of a drawing may lie together, each within reach of a finger around another.
  const own = at.closest("label, .edge-handle, .head-swap, svg") ?? at;
  const clear = own.contains(over) || Boolean(over?.contains(own));
  const style = getComputedStyle(at);
  return {
    number: [...figure.querySelectorAll("*")].indexOf(at),
    control: at.dataset.control ?? "",
    type: at.type ?? at.localName,
    label: at.getAttribute("aria-label") ?? at.closest("label")?.textContent ?? at.textContent,
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: width > 0 && height > 0 && top < innerHeight && top + height > 0 && left >= 0 && clear,
  };
}"""
# Usable controls: visible, enabled, and not within a closed menu.
USABLE = """figure => [...figure.querySelectorAll("[data-control]")]
  .filter((e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }))
  .map((e) => e.dataset.control)"""
KEYS = {"range": ["ArrowRight", "ArrowLeft"], "number": ["ArrowUp"], "checkbox": ["Space"]}
KEYS |= {"select-one": ["ArrowDown", "ArrowUp"]}
MOVED = "e => e.type === 'checkbox' ? e.checked : e.value"
kinds = pytest.mark.parametrize("kind", EACH_KIND)


def walk(page: Page, limit: int = 400) -> list[dict[str, Any]]:
    """Press Tab until the focus leaves the figure."""
    stops: list[dict[str, Any]] = []
    while len(stops) < limit:
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at is None:
            return stops
        stops.append(at)
    pytest.fail("the focus is caught in the figure")


@pytest.mark.parametrize(("kind", "lang"), ALTERNATING_LANGUAGES)
def test_the_focus_reaches_every_control_in_order_visibly_and_leaves_again(
    open_figure: Open, kind: str, lang: str
) -> None:
    page = open_figure(EXAMPLES[kind](lang))
    if lang == "zh":
        resize(page, 320, 256)  # 1280 × 1024 at 400 %
    usable = page.locator(".attention-figure").evaluate(USABLE)
    stops = walk(page)
    assert {stop["control"] for stop in stops} >= set(usable)
    assert [stop for stop in stops if not (stop["outlined"] and stop["seen"])] == []
    assert [stop for stop in stops if not stop["label"].strip()] == []
    numbers = [stop["number"] for stop in stops]
    assert numbers == sorted(set(numbers))
    for number in reversed(numbers):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(FOCUS)["number"] == number


@kinds
def test_every_control_moves_by_its_keys(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    kinds_of_control = page.locator(".attention-figure").evaluate(
        """figure => [...figure.querySelectorAll("input[data-control], select[data-control]")]
          .filter((e) => !e.disabled && e.checkVisibility())
          .map((e) => [e.dataset.control, e.type])"""
    )
    assert kinds_of_control or page.locator("button[data-control]:not(.toolbar *)").count()
    for name, kind_of_control in kinds_of_control:
        if kind_of_control == "text":
            continue  # text input: see test_sentences.py
        field = page.locator(f'[data-control="{name}"]')
        field.focus()
        before = field.evaluate(MOVED)
        after = [before]
        for key in KEYS[kind_of_control]:
            page.keyboard.press(key)
            after.append(field.evaluate(MOVED))
        assert len(set(after)) > 1, name
        expect(field).to_be_focused()


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_buttons_and_the_menu_answer_to_enter_and_space(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    figure = page.locator(".attention-figure")
    page.locator('[data-control="hide"]').press("Space")
    expect(figure).to_have_attribute("data-hidden", "")
    page.locator('[data-control="hide"]').press("Enter")
    expect(figure).not_to_have_attribute("data-hidden", "")
    page.locator(".share summary").press("Enter")
    entries = page.locator(".share .entries button:visible")
    expect(entries.first).to_be_visible()
    page.keyboard.press("Tab")
    expect(entries.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".share summary")).to_be_focused()
    expect(page.locator(".share .entries").first).to_be_hidden()


@pytest.mark.parametrize(("kind", "lang"), ALTERNATING_LANGUAGES)
@pytest.mark.own_page
def test_a_change_by_keyboard_is_announced_once_and_politely(
    open_figure: Open, page: Page, kind: str, lang: str
) -> None:
    word = {"en": "eights", "zh": "权重"}[lang]
    open_with_clock(open_figure, page, EXAMPLES[kind](lang))
    status = page.locator("[data-announced]")
    expect(status).to_have_text("")
    expect(status).to_have_attribute("role", "status")
    told = """node => { window.told = [];
      new MutationObserver(() => told.push(node.textContent)).observe(node, { childList: true });
      return [node.closest("[lang]").lang, node.ariaLive]; }"""
    assert status.evaluate(told) in ([lang, None], [lang, "polite"])
    change(page, kind)
    page.clock.run_for(300)
    sentence = page.locator("[data-sentence]")
    expect(status).to_contain_text(sentence.inner_text() if sentence.count() else word)
    page.clock.run_for(5000)
    assert len(page.evaluate("told")) == 1


def change(page: Page, kind: str) -> None:
    """Move a control that changes weights, by three key presses."""
    field = page.locator(f'[data-control="{EXAMPLES[kind].moved}"]')
    field.focus()
    keys = {"range": "ArrowLeft", "select-one": "ArrowDown", "button": "Enter"}
    key = keys.get(field.evaluate("node => node.type"), "ArrowUp")
    for _ in range(3):
        page.keyboard.press(key)
        page.clock.run_for(200)  # less than the pause before an announcement
