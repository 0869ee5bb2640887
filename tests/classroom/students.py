"""Act as a student of the class in a browser."""

from playwright.sync_api import BrowserContext, Page, expect

from benchmarks.classroom import PASSWORD

CHAPTER = "book/{}/04-masked-softmax.html"


def come(room: str, context: BrowserContext, name: str, lang: str = "en") -> Page:
    """Log in and open the chapter."""
    page = context.new_page()
    page.goto(room)
    page.fill("#username_input", name)
    page.fill("#password_input", PASSWORD)
    page.click("#login_submit")
    page.wait_for_url(f"**/user/{name}/book/**", timeout=60_000)
    page.goto(f"{room}/user/{name}/{CHAPTER.format(lang)}")
    return page


def run(page: Page, name: str, code: str | None = None) -> str:
    """Run a cell of the page, with other code if given; return its output."""
    bar = page.locator(f'.cell-bar[data-cell="{name}"]')
    cell = page.locator(".cell").filter(has=bar)
    if code is not None:
        bar.locator("[data-edit]").click()
        cell.locator(".cm-content").focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(code)
    bar.locator("[data-run]").click()
    expect(cell).to_have_attribute("data-state", "done", timeout=60_000)
    return cell.locator("[data-output]").inner_text().strip()
