"""Test a full, denied, corrupt and cleared storage: a page only forgets, without an error."""

import pytest
from book_pages import CHAPTERS, OpenPage, translation
from lecturing import begin
from playwright.sync_api import Page, expect
from searching import search_for
from test_states import PIPELINE, copied_link

from tests.variants import sampled

PAGE = next(page for page in CHAPTERS if "en/04" in page)
LENGTH = f'{PIPELINE} [data-control="valid_lens[0]"]'
MODES = "() => document.documentElement.dataset.mode"

# Fills the storage to the last character.
FULL = """for (const storage of [localStorage, sessionStorage]) {
  for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (let i = 0; i < 9; i++) storage.setItem(`full-${size}-${i}`, "x".repeat(size));
    } catch {}
  }
}"""
DENIED = """for (const name of ["localStorage", "sessionStorage"]) {
  const get = () => { throw new DOMException("denied", "SecurityError"); };
  Object.defineProperty(window, name, { configurable: true, get });
}"""
# As in Firefox with storage disabled.
NONE = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { configurable: true, value: null });"""
DENIED_LATER = """for (const name of ["getItem", "setItem", "removeItem"]) {
  const method = Storage.prototype[name];
  Storage.prototype[name] = function (...args) {
    if (window.denied) throw new DOMException("denied", "SecurityError");
    return method.apply(this, args);
  };
}"""
CORRUPT = """for (const storage of [localStorage, sessionStorage]) {
  storage.setItem("mode", '{"a": [');
  storage.setItem("theme", "\\0");
  storage.setItem("language", "<script>" + "x".repeat(10 ** 6));
  storage.setItem("side-by-side", "constructor");
  storage.setItem("sidebar-scroll-top", "-1e999");
}"""
CLEAR = "for (const storage of [localStorage, sessionStorage]) storage.clear();"


def _elsewhere(script: str) -> str:
    """Run a script in another page, as if the reader changed the browser's storage."""
    return f"""() => {{
      const frame = document.createElement("iframe");
      document.body.append(frame);
      const {{ localStorage, sessionStorage }} = frame.contentWindow;
      {script}
      frame.remove();
    }}"""


# Scripts that run before those of the page, and before each action of the reader.
STORAGES = {
    "full": (FULL, "() => {}"),
    "denied": (DENIED, "() => {}"),
    "none": (NONE, "() => {}"),
    "denied later": (DENIED_LATER, "() => { window.denied = true; }"),
    "corrupt": (CORRUPT, _elsewhere(CORRUPT)),
    "cleared": ("", _elsewhere(CLEAR)),
}


SOME = [("full", False), ("denied", True), ("denied later", False), ("corrupt", False)]


@pytest.mark.parametrize(
    ("storage", "from_disk"),
    sampled(
        [*((storage, False) for storage in STORAGES), ("full", True), ("denied", True)],
        SOME.__contains__,
    ),
)
def test_everything_works_with_any_storage(
    storage: str, from_disk: bool, open_page: OpenPage
) -> None:
    before, meanwhile = STORAGES[storage]
    opened = open_page(PAGE, from_disk=from_disk, before=before, color_scheme="light")
    opened.evaluate("(link) => location.replace(link)", copied_link(opened))

    opened.evaluate(meanwhile)
    _changes_its_colours(opened, meanwhile)
    opened.evaluate(meanwhile)
    _shows_the_other_language(opened)
    opened.evaluate(meanwhile)
    _searches(opened, from_disk)
    opened.evaluate(meanwhile)
    begin(opened)
    opened.keyboard.press("PageDown")
    opened.keyboard.press("Escape")
    opened.evaluate(meanwhile)
    opened.locator(LENGTH).fill("3")
    expect(opened.locator(f'{PIPELINE} [data-at="0,0,2"]')).not_to_have_text("0")
    opened.locator(PIPELINE).evaluate("figure => figure.scrollIntoView()")
    opened.evaluate(meanwhile)
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{translation(PAGE)}#figure-pipeline:*")
    expect(opened.locator(LENGTH)).to_have_value("3")
    expect(opened.locator("html")).to_have_attribute("data-theme", "light")


def _changes_its_colours(page: Page, meanwhile: str) -> None:
    """Press the button once for each of its choices."""
    seen = []
    for _ in range(3):
        page.evaluate(meanwhile)
        page.locator(".theme-switch-button:visible").click()
        seen.append(page.evaluate(MODES))
    assert seen == ["dark", "light", "auto"]


def _shows_the_other_language(page: Page) -> None:
    for choice, shown in (("page", True), ("off", False)):
        page.locator(".side-by-side-button").click()
        page.locator(f".side-by-side input[value={choice}]").check()
        page.keyboard.press("Escape")
        expect(page.locator(".counterpart:visible").first).to_be_visible(visible=shown)


def _searches(page: Page, from_disk: bool) -> None:
    page.keyboard.press("Control+k")
    if from_disk:
        expect(page.locator(".search-closed:visible")).to_have_count(1)
    else:
        expect(search_for(page, "padding").locator(".search-pages a").first).to_be_visible()
    page.keyboard.press("Escape")


def test_what_a_page_has_stored_it_goes_by_and_so_does_the_next(open_page: OpenPage) -> None:
    opened = open_page(PAGE, color_scheme="light")
    opened.locator(".theme-switch-button:visible").click()
    assert opened.evaluate("localStorage.getItem('mode')") == "dark"
    opened.goto(opened.url.replace(PAGE, translation(PAGE)))
    expect(opened.locator("html")).to_have_attribute("data-theme", "dark")
    opened.evaluate("localStorage.removeItem('mode')")
    assert opened.evaluate("localStorage.getItem('mode')") is None
    opened.reload()
    expect(opened.locator("html")).to_have_attribute("data-theme", "light")
