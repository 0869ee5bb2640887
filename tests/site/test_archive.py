"""The archive holds the whole site, opens from disk, and is the same whenever it is packed."""

from pathlib import Path
from zipfile import ZipFile

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
    page.on("requestfailed", lambda request: errors.append(request.url))
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
