"""A browser, for what is measured in pages."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tools.browser import WITH_WINDOWS, find_chromium
from tools.launch import ARGUMENTS

# How far the layout jumped until a moment after all had come (CLS), read once the page is settled.
SETTLED = """async () => {
  await document.fonts.ready;
  return document.readyState === "complete";
}"""
SHIFTS = """() => new Promise((resolve) => {
  const shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) shifts.push(shift.value);
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(shifts.reduce((sum, shift) => sum + shift, 0)), 300);
})"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a Chromium, if there is one such as readers have: it paints windows, if unseen ones."""
    path = find_chromium(WITH_WINDOWS) or find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def traffic(page: Page, address: str) -> dict[str, float]:
    """Open a page; return the kilobytes that came for it over the network, by address.

    They count as a server that compresses sends them. What the browser still has, from a page
    before in the same context, does not count.
    """
    asked: dict[str, str] = {}
    cached: set[str] = set()

    def note(event: dict[str, Any]) -> None:
        asked[event["requestId"]] = event["response"]["url"]
        if event["response"].get("fromDiskCache"):
            cached.add(event["requestId"])

    def note_status(event: dict[str, Any]) -> None:  # the server's: a page may be told another
        if event["statusCode"] == 304:
            cached.add(event["requestId"])

    listener = page.context.new_cdp_session(page)
    listener.send("Network.enable")
    listener.on("Network.responseReceived", note)
    listener.on("Network.responseReceivedExtraInfo", note_status)
    listener.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    page.goto(address, wait_until="networkidle")
    listener.detach()
    urls = {url for request, url in asked.items() if request not in cached}
    bodies = {url: page.request.get(url).body() for url in urls if url.startswith("http")}
    return {url: len(gzip.compress(body)) / 1000 for url, body in bodies.items()}


def shift(browser: Browser, address: str, width: int) -> float:
    """Open a page without a cache; return how far its layout jumps meanwhile, as CLS counts it."""
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(SETTLED)
    total: float = page.evaluate(SHIFTS)
    context.close()
    return total
