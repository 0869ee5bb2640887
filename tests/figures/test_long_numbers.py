"""Test that long numbers are never cut off: a part of a number would be another number."""

import pytest
from figure_examples import EACH_KIND, EXAMPLES
from figure_page import Open
from interaction import resize

TYPED = ("-12.34", "345.6", "-123.45", "-1000")
TYPE = """(fields, numbers) => fields.forEach((field, i) => {
  field.focus();
  field.value = numbers[i % numbers.length];
  for (const type of ["input", "change"])
    field.dispatchEvent(new Event(type, { bubbles: true }));
  field.blur();
})"""
CUT = """(root) => [...root.querySelectorAll("tbody td")].flatMap((cell) => {
  const field = cell.querySelector("input");
  const text = document.createRange();
  text.selectNodeContents(cell);
  const over = field
    ? field.scrollWidth - field.clientWidth
    : text.getBoundingClientRect().width - cell.getBoundingClientRect().width;
  return over > 1 ? [field?.value ?? cell.textContent] : [];
})"""


@pytest.mark.parametrize("kind", EACH_KIND)
def test_long_numbers_are_not_cut_off(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    for width in (390, 1280):
        resize(page, width, 800)
        page.locator("td input[inputmode=decimal]:visible").evaluate_all(TYPE, TYPED)
        assert page.locator("[data-figure]").evaluate(CUT) == [], width
