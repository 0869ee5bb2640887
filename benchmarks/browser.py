"""Measure pages in Chromium: transfer size and layout shift."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tools.browser import HEADED, find_chromium
from tools.launch import ARGUMENTS

PHONE: ViewportSize = {"width": 412, "height": 823}  # as in Lighthouse
# Cumulative layout shift (CLS), read shortly after the page has loaded.
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
    """Start Chromium, preferably a headed build like readers' (in headless mode)."""
    path = find_chromium(HEADED) or find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def traffic(page: Page, address: str) -> dict[str, float]:
    """Open a page; return the kilobytes transferred over the network, by URL.

    Sizes are gzipped. Resources in the browser's cache, from earlier pages of the same context, do
    not count.
    """
    responses: dict[str, str] = {}
    cached: set[str] = set()

    def note(event: dict[str, Any]) -> None:
        responses[event["requestId"]] = event["response"]["url"]
        if event["response"].get("fromDiskCache"):
            cached.add(event["requestId"])

    def note_status(
        event: dict[str, Any],
    ) -> None:  # the raw status: the page may see 200 for a 304
        if event["statusCode"] == 304:
            cached.add(event["requestId"])

    listener = page.context.new_cdp_session(page)
    listener.send("Network.enable")
    listener.on("Network.responseReceived", note)
    listener.on("Network.responseReceivedExtraInfo", note_status)
    listener.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    page.goto(address, wait_until="networkidle")
    listener.detach()
    urls = {url for request, url in responses.items() if request not in cached}
    return {url: _kilobytes(page, url) for url in urls if url.startswith("http")}


def _kilobytes(page: Page, url: str) -> float:
    return len(gzip.compress(page.request.get(url).body())) / 1000


def unused_styles(browser: Browser, address: str) -> dict[str, float]:
    """Open a page on a phone; return the kilobytes of rules without effect, by style sheet.

    They are computed as in Lighthouse's audit "Reduce unused CSS": the share of a sheet's text
    outside the rules that match something, of its gzipped size.
    """
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    page = context.new_page()
    sheets: dict[str, dict[str, Any]] = {}
    listener = context.new_cdp_session(page)
    listener.on(
        "CSS.styleSheetAdded",
        lambda event: sheets.update({event["header"]["styleSheetId"]: event["header"]}),
    )
    for command in ("DOM.enable", "CSS.enable", "CSS.startRuleUsageTracking"):
        listener.send(command)
    page.goto(address, wait_until="networkidle")
    rules = listener.send("CSS.stopRuleUsageTracking")["ruleUsage"]
    used = dict.fromkeys(sheets, 0.0)
    for rule in rules:
        if rule["used"]:
            used[rule["styleSheetId"]] += rule["endOffset"] - rule["startOffset"]
    linked = {
        id: sheet for id, sheet in sheets.items() if sheet["sourceURL"] and not sheet["isInline"]
    }
    sizes = {id: _kilobytes(page, sheet["sourceURL"]) for id, sheet in linked.items()}
    context.close()
    return {
        sheet["sourceURL"]: sizes[id] * (1 - used[id] / sheet["length"])
        for id, sheet in linked.items()
    }


def shift(browser: Browser, address: str, width: int) -> float:
    """Open a page with an empty cache; return its cumulative layout shift."""
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(SETTLED)
    total: float = page.evaluate(SHIFTS)
    context.close()
    return total
