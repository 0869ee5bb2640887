"""List the pages of the book, and the devices with which tests open them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from playwright.sync_api import Page

from tests.variants import sampled

OpenPage = Callable[..., Page]  # types of the fixtures with these names
SharedPage = Callable[[str, str], Page]
Loaded = Callable[[str], set[str]]

DESK, PHONE, NO_SCRIPT, ROOM = "desk", "phone", "no script", "room"
_SMALL = {"viewport": {"width": 390, "height": 844}}
DEVICES: dict[str, dict[str, Any]] = {  # options of a browser context
    DESK: {"viewport": {"width": 1280, "height": 844}, "color_scheme": "light"},
    PHONE: {**_SMALL, "color_scheme": "dark", "from_disk": True, "has_touch": True},
    NO_SCRIPT: {**_SMALL, "java_script_enabled": False},
    # No full-screen mode: the size of a full screen cannot be chosen.
    ROOM: {
        "viewport": {"width": 1280, "height": 720},
        "before": "delete Element.prototype.requestFullscreen;",
    },
}

ROOT = Path(__file__).parents[2]
SEARCH = ["search.html", "search-zh.html"]


def _files(entry: dict[str, object]) -> list[str]:
    below = [*entry.get("chapters", []), *entry.get("sections", [])]
    return [entry.get("root") or entry["file"], *(name for part in below for name in _files(part))]


_TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
ROOT_PAGE, *BOOK = [f"{name}.html" for name in _files(_TOC)]
PAGES = [ROOT_PAGE, *BOOK, *SEARCH]
ENGLISH = [page for page in BOOK if page.startswith("book/en/")]
CHINESE = [page for page in BOOK if page.startswith("book/zh/")]
CHAPTERS = [page for page in BOOK if re.search(r"/\d\d-", page)]


def with_devices(pages: list[str]) -> list[Any]:
    """Pair English pages with a desk and Chinese ones with a phone; other pairs are exhaustive.

    Both languages have the same layout, style sheets, scripts and figures.
    """
    return sampled(
        ((page, device) for page in pages for device in (DESK, PHONE)),
        lambda variant: variant[1] == default_device(variant[0]),
    )


def default_device(page: str) -> str:
    """Return the device for tests of a page in which any device would do."""
    return PHONE if page in CHINESE else DESK


def alternate_languages(pages: list[str]) -> list[Any]:
    """Keep each page but the front page in one language, alternating.

    For tests that do not depend on a page's words.
    """
    return sampled(pages, is_alternate)


def alternate_languages_with_devices(pages: list[str]) -> list[Any]:
    """Keep pages as `alternate_languages` does, each on its default device."""
    return sampled(
        ((page, device) for page in pages for device in (DESK, PHONE)),
        lambda variant: variant[1] == default_device(variant[0]) and is_alternate(variant[0]),
    )


def is_alternate(page: str) -> bool:
    """Return whether `alternate_languages` keeps this page."""
    for language, pages in enumerate((ENGLISH, CHINESE)):
        if page in pages[1:]:
            return pages.index(page) % 2 == language
    return True


def translation(page: str) -> str:
    """Return the same page in the other language.

    >>> translation("book/en/index.html")
    'book/zh/index.html'
    """
    english = page.startswith("book/en/")
    return page.replace("/en/", "/zh/") if english else page.replace("/zh/", "/en/")
