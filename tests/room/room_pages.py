"""Open the pages of a lecturer and of phones in Chromium."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from lecture import Lecture
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

# No full-screen mode: the size of a full screen cannot be chosen.
NO_FULL_SCREEN = "delete Element.prototype.requestFullscreen;"
LOST = re.compile("WebSocket|ERR_|Failed to load resource")  # what Chromium says without a network


@dataclass
class Screens:
    """A lecturer and phones, each with a browser of its own."""

    browser: Browser
    lecture: Lecture
    contexts: list[BrowserContext] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def phone(self, language: str) -> Page:
        """Open the room's short address on a phone."""
        page = self.page(
            viewport={"width": 390, "height": 844},
            locale="zh-CN" if language == "zh" else "en-GB",
            has_touch=True,
        )
        page.goto(self.lecture.room)
        expect(page.locator("[data-room-link=up]")).to_be_visible()
        return page

    def lecturer(self, path: str) -> Page:
        """Open a page of the book with the token, and begin the lecture."""
        page = self.page(viewport={"width": 1280, "height": 720})
        self.enter(page, path)
        return page

    def enter(self, page: Page, path: str) -> None:
        """Open a page with the token of the server that runs now."""
        served = self.lecture.served
        page.goto(f"{served.origin}/{path}?token={served.token}")
        begin(page)

    def page(self, **options: object) -> Page:
        """Open an empty page."""
        context = self.browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
        context.add_init_script(NO_FULL_SCREEN)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        return page


@contextmanager
def screens(browser: Browser, lecture: Lecture) -> Iterator[Screens]:
    """Close all pages at the end, which must not have logged an error."""
    opened = Screens(browser, lecture)
    yield opened
    for context in opened.contexts:
        context.close()
    assert [error for error in opened.errors if not LOST.search(error)] == []


def begin(lecturer: Page) -> None:
    lecturer.keyboard.press("Alt+l")
    expect(lecturer.locator(".lecture-bar")).to_be_visible()


def show(lecturer: Page, figure: str) -> Locator:
    """Go on to the screen of a figure."""
    place = lecturer.locator(f"[data-figure={figure}]")
    for _ in range(30):
        if place.is_visible() and lecturer.locator("html[data-lecture=figure]").count():
            return place
        lecturer.keyboard.press("PageDown")
    raise AssertionError(f"no screen shows {figure}")


def is_in(phone: Page, phase: str, round_: int = 1) -> Locator:
    """Wait for a phase, and return the phone's panel."""
    rounds = f"[data-room-round='{round_}']" if phase in ("open", "closed") else ""
    panel = phone.locator(f"[data-room-phase={phase}]{rounds}")
    expect(panel).to_be_visible()
    return panel


def guess(phone: Page, option: int) -> None:
    """Choose an option, and wait until the room has it."""
    phone.locator(f"[data-room-guess='{option}']").check()
    expect(phone.locator("[data-room-status]")).to_contain_text(re.compile("is in|已提交"))


def counts(lecturer: Page, shown: int) -> list[int]:
    """Wait for this many bars of the distribution, and return their counts."""
    bars = lecturer.locator(".room-bar")
    expect(bars).to_have_count(shown)
    return [int(bar.get_attribute("data-count") or "") for bar in bars.all()]


def verdict(phone: Page) -> str:
    """Return the verdict on the phone's screen, without emphasis."""
    is_in(phone, "revealed")
    shown = phone.locator(":is([data-verdict], [data-observation-verdict], [data-told]):visible")
    with suppress(AssertionError):
        expect(shown.last).not_to_be_empty()
    return shown.last.inner_text()
