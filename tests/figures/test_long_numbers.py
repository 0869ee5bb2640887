"""Whatever number is typed, the whole of it can be read: a part of it would be another number."""

import pytest
from figure_examples import EXAMPLES
from figure_page import Open
from reader import resize

TYPED = ("-12.34", "345.6", "-123.45", "-1000")
CUT = """(root) => [...root.querySelectorAll("tbody td")].flatMap((cell) => {
  const field = cell.querySelector("input");
  const text = document.createRange();
  text.selectNodeContents(cell);
  const over = field
    ? field.scrollWidth - field.clientWidth
    : text.getBoundingClientRect().width - cell.getBoundingClientRect().width;
  return over > 1 ? [field?.value ?? cell.textContent] : [];
})"""


@pytest.mark.parametrize("kind", EXAMPLES)
def test_long_numbers_are_not_cut_off(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    fields = page.locator("td input[inputmode=decimal]:visible")
    for width in (390, 1280):
        resize(page, width, 800)
        for field, number in zip(fields.all(), TYPED * 40, strict=False):
            field.fill(number)
            field.blur()
        assert page.locator("[data-figure]").evaluate(CUT) == [], width
