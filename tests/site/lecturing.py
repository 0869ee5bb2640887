"""How a test lectures: the pages and screens it has, and what a lecturer does."""

from playwright.sync_api import Locator, Page, ViewportSize, expect

PAGE, CHINESE = "book/en/04-masked-softmax.html", "book/zh/09-decomposable-attention.html"
PROJECTOR: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}


def begin(page: Page) -> None:
    page.keyboard.press("Alt+l")
    expect(page.locator(".lecture-bar")).to_be_visible()


def says(page: Page) -> str:
    return page.locator(".lecture-bar [role=status]").inner_text()


def go_to_the_figure(page: Page) -> Locator:
    for _ in range(9):
        if page.locator("html").get_attribute("data-lecture") == "figure":
            break
        page.keyboard.press("PageDown")
    return page.locator("[data-figure]:visible")
