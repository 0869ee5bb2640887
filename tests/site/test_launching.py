"""Test launch buttons for Binder and Colab, which need the URL of the repository."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

CHAPTER = "book/{}/04-masked-softmax"
BINDER = "https://mybinder.org/v2/gh/someone/attention/trunk?urlpath=lab/tree/{}.ipynb"
COLAB = "https://colab.research.google.com/github/someone/attention/blob/trunk/{}.ipynb"
FIRST = "!pip install git+https://github.com/someone/attention@trunk"


@pytest.mark.xdist_group("published")  # one build is enough for both languages
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chapter_opens_in_binder_and_colab(language: str, published: Path) -> None:
    chapter = CHAPTER.format(language)
    page = BeautifulSoup((published / f"{chapter}.html").read_text("utf-8"), "html.parser")
    buttons = page.select(".dropdown-launch-buttons .dropdown-item")
    assert [button["href"] for button in buttons] == [BINDER.format(chapter), COLAB.format(chapter)]
    assert [button.get_text(strip=True) for button in buttons] == ["Binder", "Colab"]
    assert page.select(".dropdown-launch-buttons img") == []  # no badge, neither local nor remote
    (word,) = page.select(".no-kernel:not(.closed)")
    assert FIRST in word.get_text()
    (project,) = word.select("a")  # for a reader of an archive, who has no clone
    assert project["href"] == "https://github.com/someone/attention"


def test_nothing_is_offered_where_no_repository_is_named(site: Path) -> None:
    for language in ("en", "zh"):
        page = (site / f"{CHAPTER.format(language)}.html").read_text("utf-8")
        assert "no-kernel" in page
        for sign in ("launch-buttons", "binder", "colab", "pip install", "dataset, {", "offered"):
            assert sign not in page.lower(), sign


@pytest.mark.xdist_group("published")
def test_a_report_begins_an_issue_with_what_was_written(published: Path, browser: Browser) -> None:
    opened = browser.new_page()
    opened.goto((published / f"{CHAPTER.format('zh')}.html").as_uri())
    opened.locator(".report summary").click()
    opened.locator(".report textarea").fill("一个逗号 & more\n\n")
    link = opened.locator(".report a")
    link.evaluate("link => link.addEventListener('click', (event) => event.preventDefault())")
    link.click()
    address = urlsplit(link.get_attribute("href") or "")
    assert (address.netloc, address.path) == ("github.com", "/someone/attention/issues/new")
    assert parse_qs(address.query)["body"] == ["一个逗号 & more\n\n"]
    assert "softmax" in parse_qs(address.query)["title"][0]
    opened.close()
