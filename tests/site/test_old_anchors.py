"""Addresses that led into the book before the front end was written anew still do."""

import json
from collections.abc import Callable
from posixpath import dirname, join, normpath

import pytest
from book_pages import ROOT
from bs4 import BeautifulSoup

ANCHORS = json.loads((ROOT / "tests/fixtures/anchors.json").read_text("utf-8"))
Soup = Callable[[str], BeautifulSoup]


def page_that_opens(page: str, soup: Soup) -> str:
    """Return the page itself, or the one that it sends its readers to."""
    refresh = soup(page).find("meta", {"http-equiv": "Refresh"})
    if refresh is None:
        return page
    return page_that_opens(normpath(join(dirname(page), refresh["content"].split("url=")[1])), soup)


@pytest.mark.parametrize("page", ANCHORS)
def test_every_place_that_had_an_address_still_has_it(page: str, soup: Soup) -> None:
    there = {node["id"] for node in soup(page_that_opens(page, soup)).select("[id]")}
    assert set(ANCHORS[page]) - there == set()


def test_the_addresses_are_those_of_a_whole_book() -> None:
    assert sum(map(len, ANCHORS.values())) == 1482
