"""Search the book in a test."""

from urllib.parse import unquote

from playwright.sync_api import Locator, Page

CHAPTER = "04-masked-softmax.html"
# The visible field holds the query, and its panel the results.
FOUND = """(query) => {
  const field = [...document.querySelectorAll("[name=q]")].find((f) => f.checkVisibility());
  return field.value === query && field.form.nextElementSibling.ariaBusy === "false";
}"""


def search_for(page: Page, query: str) -> Locator:
    """Type a query into the visible field, and return the panel with its results."""
    page.locator("[name=q]:visible").fill(query)
    page.wait_for_function(FOUND, arg=query.strip())
    return page.locator(".search-panel:visible")


def links(panel: Locator) -> list[str]:
    script = "(links) => links.map((link) => new URL(link.href).pathname.slice(1) + link.hash)"
    return [unquote(link) for link in panel.locator(".search-pages a").evaluate_all(script)]


def pages(panel: Locator) -> list[str]:
    script = "(links) => links.map((link) => new URL(link.href).pathname.slice(1))"
    return panel.locator(".search-pages > li > a").evaluate_all(script)
