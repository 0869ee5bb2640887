"""Test that question, handle and result of a figure share a screen, on a desk and a phone."""

import pytest
from book_pages import CHAPTERS, DESK, PHONE, SharedPage, with_devices

from tools import limits

HEIGHTS = {DESK: limits.FIGURE_ON_DESK, PHONE: limits.FIGURE_ON_PHONE}
# The result that answers the question, where more follows below: input fields and details.
RESULTS = {
    "attention": ".compass, .pipeline > .weights",
    "broadcasting": ".made",
    "comparison": ".in-the-plane > .plot",
    "bandwidth": ".errors",
    "dates": ".read-tokens",
    "forward_pass": ".trace",
    "kernel_regression": ".training",
    "look_ahead": ".word-rows",
    "mask_doctor": ".columns",
    "masked_softmax": ".stage[data-now] .panel",
    "pooling": ".line-of-values",
    "product": ".made",
    "replay": ".panel",
    "score": ".row-weights",
    "temperature": ".next-places",
}
# For each figure: its name, the lower end of question, handle and result, its height, and its
# smallest and largest letters.
MEASURED = """(results) => {
  const figures = [...document.querySelectorAll("[data-figure][data-live]")];
  const find = (figure, selector) => [...figure.querySelectorAll(selector)];
  const lettersOf = (figure) => {
    const sizes = [];
    const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: of } = texts.currentNode;
      const { width, height } = of.getBoundingClientRect();
      if (!data.trim() || Math.min(width, height) < 2) continue;
      if (!of.checkVisibility({ visibilityProperty: true })) continue;
      const drawing = of.closest("svg");
      const wide = drawing?.viewBox.baseVal?.width;
      const scale = wide ? drawing.getBoundingClientRect().width / wide : 1;
      sizes.push(scale * parseFloat(getComputedStyle(of).fontSize));
    }
    return [Math.min(...sizes), Math.max(...sizes)].map((size) => Math.round(10 * size) / 10);
  };
  return figures.map((figure) => {
    const handles = find(figure, "[data-handle]");
    const drawn = figure.querySelector(".drawn");
    const result = results[figure.dataset.kind];
    const parts = [
      ...find(figure, "[data-question]"),
      ...(handles.length ? handles : find(figure, ".controls, .walk")),
      (result && drawn.querySelector(result)) ?? drawn,
    ];
    const ends = parts.map((part) => part.getBoundingClientRect().bottom);
    const { top, height } = figure.getBoundingClientRect();
    const end = Math.round(Math.max(...ends) - top);
    return [figure.dataset.figure, end, Math.round(height), ...lettersOf(figure)];
  });
}"""
# Boxes of figures that hide a few pixels at their right; on a phone, code may.
SLIGHTLY_CUT = """(but) => [...document.querySelectorAll("[data-figure] *")].filter((box) => {
  const hidden = box.scrollWidth - box.clientWidth;
  return hidden > 0 && hidden < 12 && box.clientWidth > 20 && !box.matches(but)
    && /auto|scroll/.test(getComputedStyle(box).overflowX);
}).map((box) => [box.closest("[data-figure]").dataset.figure, box.className])"""
PRESSED = "(buttons) => buttons.forEach((button) => button.click())"


@pytest.mark.parametrize(("page", "device"), with_devices(CHAPTERS))
def test_question_handle_and_result_are_on_one_screen(
    page: str, device: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, device)
    opened.evaluate("scrollTo(0, 0)")  # where nothing sticks to the edge of the window
    measured: list[tuple[str, int, int, float, float]] = []
    for button in ("[data-control=reset]", "[data-skip]"):  # with the question open, and answered
        pressed = opened.locator(f"[data-figure] {button}")
        pressed.evaluate_all(PRESSED)
        measured += opened.evaluate(MEASURED, RESULTS)
    assert opened.evaluate(SLIGHTLY_CUT, "pre" if device == PHONE else "none") == []
    opened.locator("[data-control=reset]").evaluate_all(PRESSED)
    assert len(measured) == 2 * opened.locator("[data-figure]").count() > 0
    assert [(name, end) for name, end, *_ in measured if end > HEIGHTS[device]] == []
    if device == DESK:
        assert [(name, high) for name, _, high, *_ in measured if high > limits.WHOLE_FIGURE] == []
    letters = [(name, sizes) for name, _, _, *sizes in measured]
    least, most = limits.SMALLEST_LETTERS - 0.1, limits.LARGEST_LETTERS + 0.1
    assert [one for one in letters if min(one[1]) < least or max(one[1]) > most] == []
