"""Test the archive: it holds the whole site, opens from disk, and is reproducible."""

import errno
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser

from tools.archive import pack

CHAPTER = "book/zh/04-masked-softmax.html"


def test_the_archive_opens_from_disk_and_its_pages_lead_to_each_other(
    site: Path, browser: Browser, tmp_path: Path
) -> None:
    pack(site, tmp_path / "the-book-1.0.zip")
    ZipFile(tmp_path / "the-book-1.0.zip").extractall(tmp_path)
    errors: list[str] = []
    page = browser.new_page(locale="zh-CN")
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "the-book-1.0/index.html").as_uri())
    page.wait_for_url("**/book/zh/index.html")
    page.on(
        "requestfailed",  # a page that is left may give up requests
        lambda it: it.failure == "net::ERR_ABORTED" or errors.append(f"{it.url} {it.failure}"),
    )
    page.locator(f"article a[href$='{Path(CHAPTER).name}']").first.click()
    page.wait_for_selector("[data-figure][data-live]")
    page.wait_for_selector(".katex-html")
    page.close()
    assert errors == []


def test_the_same_site_gives_the_same_bytes(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "b").mkdir(parents=True)
    for name in ("b/two.html", "one.html", ".buildinfo"):
        (site / name).write_text(name, "utf-8")
    first, second = tmp_path / "x/book.zip", tmp_path / "y/book.zip"
    for target in (first, second):
        target.parent.mkdir()
        pack(site, target)
        (site / "one.html").touch()
    assert first.read_bytes() == second.read_bytes()
    assert ZipFile(first).namelist() == ["book/b/two.html", "book/one.html"]


def test_an_archive_that_cannot_be_finished_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    site, target = tmp_path / "site", tmp_path / "book.zip"
    site.mkdir()
    (site / "one.html").write_text("one", "utf-8")
    target.write_text("of before", "utf-8")
    monkeypatch.setattr(ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="No space left"):
        pack(site, target)
    assert target.read_text("utf-8") == "of before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.zip", "site"]
