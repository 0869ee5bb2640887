"""Test launch buttons for Binder and Colab, which need the URL of the repository."""

import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from tools.serve import ROOT

CHAPTER = "book/{}/04-masked-softmax"
TOC = """format: jb-book
root: book/index
chapters:
  - {file: book/en/index, sections: [{file: book/en/04-masked-softmax}]}
  - {file: book/zh/index, sections: [{file: book/zh/04-masked-softmax}]}
"""
REPOSITORY = "\nrepository:\n  url: git@github.com:someone/attention.git\n  branch: trunk\n"
BINDER = "https://mybinder.org/v2/gh/someone/attention/trunk?urlpath=lab/tree/{}.ipynb"
COLAB = "https://colab.research.google.com/github/someone/attention/blob/trunk/{}.ipynb"
FIRST = "!pip install git+https://github.com/someone/attention@trunk"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a chapter as in a clone on GitHub."""
    copy = tmp_path_factory.mktemp("launching")
    for name in ("book", "licences"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ROOT / "LICENSE", copy)
    settings = (ROOT / "_config.yml").read_text("utf-8")
    (copy / "_config.yml").write_text(settings + REPOSITORY, "utf-8")
    (copy / "_toc.yml").write_text(TOC, "utf-8")
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    # Not strict, because the other chapters are missing.
    done = subprocess.run([jupyter_book, "build", copy], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return copy / "_build/html"


@pytest.mark.xdist_group("launching")  # one build is enough for both languages
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chapter_opens_in_binder_and_colab(language: str, pages: Path) -> None:
    chapter = CHAPTER.format(language)
    page = BeautifulSoup((pages / f"{chapter}.html").read_text("utf-8"), "html.parser")
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
        for sign in ("launch-buttons", "binder", "colab", "pip install"):
            assert sign not in page.lower(), sign


@pytest.mark.xdist_group("launching")
def test_a_report_begins_an_issue_with_what_was_written(pages: Path, browser: Browser) -> None:
    opened = browser.new_page()
    opened.goto((pages / f"{CHAPTER.format('zh')}.html").as_uri())
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
