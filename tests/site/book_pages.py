"""Which pages the book has, and how a test opens one."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from playwright.sync_api import Page

from tests.variants import sampled

Visit = Callable[..., Page]  # the fixtures of these names
Look = Callable[[str, str], Page]
Loaded = Callable[[str], set[str]]

DESK, PHONE, PLAIN, ROOM = "desk", "phone", "plain", "room"
_SMALL = {"viewport": {"width": 390, "height": 844}}
WAYS: dict[str, dict[str, Any]] = {  # in which a page is looked at
    DESK: {"viewport": {"width": 1280, "height": 844}, "color_scheme": "light"},
    PHONE: {**_SMALL, "color_scheme": "dark", "from_disk": True, "has_touch": True},
    PLAIN: {**_SMALL, "java_script_enabled": False},
    # Without the whole screen, which has one size.
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


def looks(pages: list[str]) -> list[Any]:
    """Pair pages with ways: English ones on a desk, Chinese ones on a phone, others exhaustively.

    Both languages have the same layout, style sheets, scripts and figures.
    """
    return sampled(
        ((page, way) for page in pages for way in (DESK, PHONE)),
        lambda look: look[1] == usual_way(look[0]),
    )


def usual_way(page: str) -> str:
    """Return how tests look at a page where any way would do."""
    return PHONE if page in CHINESE else DESK


def in_turn(pages: list[str]) -> list[Any]:
    """Keep one language of each chapter, in turn, for what does not depend on its words."""
    return sampled(pages, is_in_turn)


def looks_in_turn(pages: list[str]) -> list[Any]:
    """Keep one language of each chapter, in turn, and the usual way of each page."""
    return sampled(
        ((page, way) for page in pages for way in (DESK, PHONE)),
        lambda look: look[1] == usual_way(look[0]) and is_in_turn(look[0]),
    )


def is_in_turn(page: str) -> bool:
    """Tell whether it is no chapter, or its chapter's turn has come in its language."""
    return page not in CHAPTERS or int(page[8:10]) % 2 == (page in CHINESE)


def twin(page: str) -> str:
    """Return the same page in the other language.

    >>> twin("book/en/index.html")
    'book/zh/index.html'
    """
    english = page.startswith("book/en/")
    return page.replace("/en/", "/zh/") if english else page.replace("/zh/", "/en/")
