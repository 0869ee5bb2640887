"""Test that figures name things by words, which are fully visible."""

import pytest
from book_pages import CHAPTERS, SharedPage, default_device, with_devices

# In this figure, only numbers distinguish six equal keys.
NUMBERED = {"alike"}
# Standalone names of a letter and a number, or like "key 0".
NUMBERS = """(figure) => {
  const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode())
    if (
      texts.currentNode.parentElement.checkVisibility() &&
      /^\\s*([kqv]\\d+|(key|query|键|查询) ?\\d+)\\s*$/.test(texts.currentNode.data)
    )
      found.push(texts.currentNode.data);
  return found;
}"""
# Names that do not fit in their place.
CUT = """(figure) => [...figure.querySelectorAll("th, .key-word, .query-word")]
  .filter((name) => name.checkVisibility() && getComputedStyle(name).overflowX !== "visible")
  .filter((name) => name.scrollWidth > name.clientWidth + 1)
  .map((name) => name.textContent)"""


def found(page: str, device: str, shared_page: SharedPage, script: str) -> dict[str, list[str]]:
    """Return the results of a script in each figure of a page."""
    figures = shared_page(page, device).locator("[data-figure][data-live]").all()
    assert figures
    named = {str(one.get_attribute("data-figure")): one.evaluate(script) for one in figures}
    return {name: texts for name, texts in named.items() if texts}


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_figure_calls_a_key_or_a_query_by_its_number(page: str, shared_page: SharedPage) -> None:
    assert {*found(page, default_device(page), shared_page, NUMBERS)} <= NUMBERED


@pytest.mark.parametrize(("page", "device"), with_devices(CHAPTERS))
def test_no_name_is_cut_off(page: str, device: str, shared_page: SharedPage) -> None:
    assert found(page, device, shared_page, CUT) == {}
