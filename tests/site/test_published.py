"""Test what a published site needs: an address for search engines and previews, static hosts."""

import json
import struct
from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urljoin
from xml.etree import ElementTree

import nbformat
import pytest
import yaml
from book_pages import CHAPTERS, PAGES, ROOT, ROOT_PAGE
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser
from sphinx.errors import ConfigError
from sphinx.util.template import FileRenderer

from book.site.languages.chinese import MESSAGES
from book.site.output import cards, settings
from tools import archive, publish
from tools.font import CHINESE, covered
from tools.serve import server

ParseHtml = Callable[[str], BeautifulSoup]
URL = "https://example.org/attention/"
FRONTS = ["book/en/index.html", "book/zh/index.html"]
ONE_CHAPTER = ["book/en/04-masked-softmax.html", "book/zh/04-masked-softmax.html"]
PUBLISHED = [ROOT_PAGE, *FRONTS, *ONE_CHAPTER]  # what the fixture `published` has
ADDRESSED = (
    'link[rel="canonical"], link[hreflang], meta[property^="og:"], meta[name^="twitter:"], '
    'script[type="application/ld+json"], a[download], a[href$=".pdf"]'
)
XMLNS = {"": "http://www.sitemaps.org/schemas/sitemap/0.9", "xhtml": "http://www.w3.org/1999/xhtml"}
FIGURES = {
    page: entry["figure"]
    for page, entry in yaml.safe_load((ROOT / "book/descriptions.yml").read_text("utf-8")).items()
    if "figure" in entry
}
published_once = pytest.mark.xdist_group("published")


@cache
def _parsed(site: Path, page: str) -> BeautifulSoup:
    return BeautifulSoup((site / page).read_text("utf-8"), "html.parser")


def _canonical(html: BeautifulSoup) -> list[str]:
    return [str(link["href"]) for link in html.select('link[rel="canonical"]')]


def _versions(html: BeautifulSoup) -> dict[str, str]:
    return {str(link["hreflang"]): str(link["href"]) for link in html.select("link[hreflang]")}


def _properties(html: BeautifulSoup) -> dict[str, str]:
    found = html.select('meta[property^="og:"]')
    properties = {str(tag["property"]): str(tag["content"]) for tag in found}
    assert len(properties) == len(found)
    return properties


def _text(part: Tag) -> str:
    """Return what a part of a page says, without the translations of its terms."""
    shown = copy(part)
    for extra in shown.select("[role=tooltip], .headerlink"):
        extra.decompose()
    return shown.get_text()


def _record(html: BeautifulSoup) -> Any:
    (script,) = html.select('script[type="application/ld+json"]')
    return json.loads(script.text)


@published_once
@pytest.mark.parametrize("page", PUBLISHED)
def test_a_page_names_its_own_address(page: str, published: Path) -> None:
    html = _parsed(published, page)
    assert _canonical(html) == [URL + page] == [_properties(html)["og:url"]]


@published_once
@pytest.mark.parametrize("page", PUBLISHED)
def test_all_versions_of_a_page_name_each_other(page: str, published: Path) -> None:
    versions = _versions(_parsed(published, page))
    assert set(versions) == {"en", "zh-CN", "x-default"}
    assert URL + page in versions.values()
    for version in versions.values():
        assert _versions(_parsed(published, version.removeprefix(URL))) == versions


@published_once
def test_the_sitemap_lists_the_pages_and_nothing_else(published: Path) -> None:
    root = ElementTree.parse(published / "sitemap.xml").getroot()
    listed = {}
    for entry in root:
        links = entry.findall("xhtml:link", XMLNS)
        versions = {link.attrib["hreflang"]: link.attrib["href"] for link in links}
        listed[entry.findtext("loc", "", XMLNS)] = versions
    assert listed == {URL + page: _versions(_parsed(published, page)) for page in PUBLISHED}
    assert len(root) == len(listed)
    assert f"\nSitemap: {URL}sitemap.xml\n" in (published / "robots.txt").read_text("utf-8")


@published_once
@pytest.mark.parametrize("page", [*PUBLISHED, "index.html"])
def test_a_preview_has_words_and_a_picture(page: str, published: Path) -> None:
    html = _parsed(published, page)
    properties = _properties(html)
    if page != "index.html":  # it leads to the root page, whose preview it has
        (description,) = html.select('meta[name="description"]')
        assert properties["og:description"] == description["content"]
        assert properties["og:title"] == _text(html.article.h1)
    zh = page.startswith("book/zh/")
    locales = [properties["og:locale"], properties["og:locale:alternate"]]
    assert locales == (["zh_CN", "en_GB"] if zh else ["en_GB", "zh_CN"])
    assert bool(CHINESE.search(properties["og:image:alt"])) == zh
    picture = (published / properties["og:image"].removeprefix(URL)).read_bytes()
    assert picture.startswith(b"\x89PNG")
    stated = int(properties["og:image:width"]), int(properties["og:image:height"])
    assert struct.unpack(">II", picture[16:24]) == stated == (1200, 630)
    assert [tag["content"] for tag in html.select('meta[name="twitter:card"]')] == [
        "summary_large_image"
    ]


@published_once
def test_each_chapter_and_each_language_has_its_own_picture(published: Path) -> None:
    pages = [*FRONTS, *ONE_CHAPTER]
    pictures = {_properties(_parsed(published, page))["og:image"] for page in pages}
    assert len(pictures) == len(pages)
    drawn = {path.read_bytes() for path in (published / "_static/cards").iterdir()}
    assert len(drawn) == len(pages)


@published_once
@pytest.mark.parametrize("page", [*FRONTS, *ONE_CHAPTER])
def test_a_description_for_machines_names_what_the_page_shows(page: str, published: Path) -> None:
    html, record = _parsed(published, page), _record(_parsed(published, page))
    lang = page.split("/")[1]
    assert record["@context"] == "https://schema.org"
    assert record["@id"] == record["url"] == URL + page
    assert record["name"] == _text(html.article.h1)
    assert record["description"] == html.select_one('meta[name="description"]')["content"]
    assert record["inLanguage"] == html.html["lang"]
    assert record["isAccessibleForFree"] is True
    assert record["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert record["image"] == _properties(html)["og:image"]
    other = page.replace("/en/", "/x/").replace("/zh/", "/en/").replace("/x/", "/zh/")
    relation = {"en": "workTranslation", "zh": "translationOfWork"}[lang]
    assert record[relation]["@id"] == URL + other
    assert record[relation]["name"] == _record(_parsed(published, other))["name"]


@published_once
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_course_lists_its_chapters_and_each_belongs_to_it(lang: str, published: Path) -> None:
    course = _record(_parsed(published, f"book/{lang}/index.html"))
    chapter = _record(_parsed(published, f"book/{lang}/04-masked-softmax.html"))
    assert (course["@type"], chapter["@type"]) == ("Course", "LearningResource")
    common = ("@type", "@id", "url", "name")
    shown = {name: chapter[name] for name in (*common, "position")}
    assert course["hasPart"] == [shown]
    assert shown["position"] == 4
    assert chapter["isPartOf"] == {name: course[name] for name in common}
    assert course["provider"]["@type"] == "Organization"  # nobody is named as the author
    assert course["educationalLevel"]
    assert chapter["learningResourceType"]
    page = _parsed(published, f"book/{lang}/04-masked-softmax.html")
    items = page.select_one("article ul").find_all("li")
    assert [_text(item).strip(" ;.；。\n") for item in items] == chapter["teaches"]


@published_once
@pytest.mark.parametrize("page", [*PUBLISHED, "search.html", "search-zh.html"])
def test_each_page_links_to_the_offline_copy(page: str, published: Path) -> None:
    (link,) = _parsed(published, page).select("a[download]")
    assert (published / urljoin(page, link["href"])).read_bytes() == b"an archive"
    zh = "zh" in page
    text = "本课程的离线版（zip，0 MB）" if zh else "Offline copy of this course (zip, 0 MB)"
    assert link.text == text


@published_once
@pytest.mark.parametrize("page", [*PUBLISHED, "search.html", "search-zh.html"])
def test_each_page_links_to_the_pdf_in_its_language(page: str, published: Path) -> None:
    (link,) = _parsed(published, page).select('a[href$=".pdf"]')
    lang = "zh" if "zh" in page else "en"
    assert (published / urljoin(page, link["href"])).read_text("utf-8") == f"a book in {lang}"
    said = {"en": "This course on paper (PDF, 0 MB)", "zh": "本课程的纸面版（PDF，0 MB）"}
    assert link.text == said[lang]


@published_once
def test_the_page_for_wrong_addresses_leads_to_the_address(published: Path) -> None:
    links = _parsed(published, "404.html").find_all("a")
    assert [link["href"] for link in links] == [URL + page for page in FRONTS]


@pytest.mark.parametrize("page", [*PAGES, "index.html"])
def test_without_an_address_a_page_has_nothing_that_needs_it(
    page: str, parse_html: ParseHtml
) -> None:
    assert parse_html(page).select(ADDRESSED) == []


def test_without_an_address_there_are_no_files_that_need_it(site: Path) -> None:
    for name in ("sitemap.xml", "robots.txt", cards.FOLDER):
        assert not (site / name).exists(), name
    assert (site / ".nojekyll").exists()


def test_the_page_for_wrong_addresses_is_complete_in_itself(
    site: Path, parse_html: ParseHtml
) -> None:
    html = parse_html("404.html")
    assert html.select_one("meta[name=robots]")["content"] == "noindex"
    loaded = [tag.get("src") or tag.get("href") for tag in html.select("[src], link[href]")]
    assert loaded == ["data:,"]
    for lang, front in zip(("en", "zh-CN"), FRONTS, strict=True):
        (part,) = html.select(f'section[lang="{lang}"]')
        assert part.a["href"] == front  # valid from disk
        assert (site / front).is_file()
        assert part.noscript.p.text


@pytest.mark.parametrize("place", ["gone.html", "book/zh/gone.html", "a/b/c//d/gone"])
@pytest.mark.parametrize("base", ["/", "/courses/attention/"])
def test_the_page_for_wrong_addresses_finds_the_book_from_any_depth(
    place: str, base: str, site: Path, browser: Browser
) -> None:
    page = browser.new_page()

    def host(route: Any) -> None:
        path = route.request.url.removeprefix("http://host.test")
        file = site / path.removeprefix(base)
        if path.startswith(base) and file.is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(status=404, path=site / "404.html")

    page.route("**/*", host)
    page.goto(f"http://host.test{base}{place}")
    wanted = [f"http://host.test{base}{front}" for front in FRONTS]
    page.wait_for_function(
        "wanted => wanted.every((url, i) => document.links[i].href === url)", arg=wanted
    )
    page.close()


def test_the_page_for_wrong_addresses_leads_nowhere_else(site: Path, browser: Browser) -> None:
    """A path that begins with two slashes must not be read as a host."""
    page = browser.new_page()
    asked: list[str] = []

    def host(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404, path=site / "404.html")

    page.route("**/*", host)
    with page.expect_request("http://host.test/_static/favicon.svg"):  # the last place
        page.goto("http://host.test//other.test/gone.html")
    assert len(asked) == 4
    assert [url for url in asked if not url.startswith("http://host.test/")] == []
    assert page.evaluate("[...document.links].every(({ host }) => host === 'host.test')")
    page.close()


def test_the_site_works_below_a_path(site: Path, browser: Browser) -> None:
    problems: list[str] = []
    with server(site.parent, port=0) as address:
        page = browser.new_page()
        page.on("response", lambda x: x.ok or x.status == 304 or problems.append(x.url))
        page.on("request", lambda x: x.url.startswith(f"{address}/site/") or problems.append(x.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{address}/site/index.html")
        page.wait_for_url(f"{address}/site/{FRONTS[0]}")
        page.locator(f"article a[href$='{Path(CHAPTERS[3]).name}']").first.click()
        page.wait_for_selector("[data-figure][data-live]")
        page.goto(f"{address}/site/search.html?q=padding")
        page.locator(".search-pages a").first.click()
        page.wait_for_url(f"{address}/site/book/en/**")
        page.locator("a.language-switch").click()
        page.wait_for_url(f"{address}/site/book/zh/**")
        page.close()
    assert problems == []


@pytest.mark.parametrize(
    "address",
    [
        "example.org/attention",
        "/attention/",
        "ftp://example.org/",
        "https://",
        "https://example.org/?a",
        "https://example.org/#",
        "https://example.org:x/",
        "https://me@example.org/",
        "https://exam ple.org/",
        ["https://example.org/"],
    ],
)
def test_an_address_that_is_none_is_refused(address: object) -> None:
    with pytest.raises(ConfigError, match="should be the absolute address of the site"):
        settings.site_url(address)


def test_an_address_ends_in_a_slash_and_is_encoded() -> None:
    for address in ("https://example.org:8000", " https://example.org:8000// "):
        assert settings.site_url(address) == "https://example.org:8000/"
    assert (
        settings.site_url("http://例.org/课程/a%20b") == "http://例.org/%E8%AF%BE%E7%A8%8B/a%20b/"
    )
    assert settings.site_url("") == settings.site_url(None) == ""


def _configured(
    folder: Path, lines: str, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> SimpleNamespace:
    """Return the configuration that Sphinx gets from these lines and this environment."""
    for name in ("SITE_URL", "OFFLINE_COPY", "PDF_EN", "PDF_ZH", "ARCHIVE_BUILD"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    (folder / "_config.yml").write_text(f"title: A book\n{lines}", "utf-8")
    config = SimpleNamespace(html_context={}, html_baseurl="")
    settings.read_settings(SimpleNamespace(confdir=folder), config)
    return config


def test_the_configuration_comes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"SITE_URL": "https://host.example/a"}
    config = _configured(tmp_path, "url:\nauthor: Ann Li, 王白", environment, monkeypatch)
    assert config.html_baseurl == "https://host.example/a/"
    assert config.html_context["authors"] == ["Ann Li", "王白"]
    config = _configured(tmp_path, f"url: {URL}", environment, monkeypatch)
    assert config.html_baseurl == URL
    assert _configured(tmp_path, 'author: ""', {}, monkeypatch).html_context["authors"] == []


def test_another_binderhub_may_be_named_by_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "repository: {{url: github.com/me/it, binderhub: {}}}"
    config = _configured(tmp_path, lines.format("https://hub.example/"), {}, monkeypatch)
    assert (
        config.html_context["repository"].binder_build == "https://hub.example/build/gh/me/it/main"
    )
    with pytest.raises(ConfigError, match=r"binderhub: in _config\.yml should be the absolute"):
        _configured(tmp_path, lines.format("hub.example"), {}, monkeypatch)


@pytest.mark.parametrize("name", ["OFFLINE_COPY", "PDF_EN", "PDF_ZH"])
def test_a_copy_that_is_not_there_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match=rf"{name} should be .* there is no nothing\.zip"):
        _configured(tmp_path, "", {name: "nothing.zip"}, monkeypatch)


@pytest.mark.parametrize("chromium", [None, "/chromium"])
def test_publishing_builds_archive_and_pdfs_and_then_the_site_with_them(
    chromium: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[dict[str, str]] = []
    pdfs = {"en": tmp_path / "en.pdf", "zh": tmp_path / "zh.pdf"}

    def print_pdfs(site: Path, folder: Path, chromium: str) -> dict[str, Path]:
        for path in pdfs.values():
            path.touch()
        return pdfs

    def build(source: Path, target: Path, **environment: str) -> Path:
        built.append(environment)
        return tmp_path

    for module in (archive, publish):
        monkeypatch.setattr(module, "build", build)
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(publish, "SITE", tmp_path / "_build/html")
    monkeypatch.setattr(publish, "find_chromium", lambda: chromium)
    monkeypatch.setattr(publish, "pdfs", print_pdfs)
    publish.main()
    first, second = (
        _configured(tmp_path, f"url: {URL}", environment, monkeypatch) for environment in built
    )
    assert first.html_baseurl == ""
    assert first.html_context["newest"] == URL
    assert second.html_baseurl == URL
    assert second.html_context["newest"] == ""
    assert second.html_context["offline_copy"] == tmp_path / f"{archive.NAME}.zip"
    assert first.html_context["pdfs"] == {}
    assert second.html_context["pdfs"] == (pdfs if chromium else {})


def test_the_pages_of_the_archive_name_the_address_if_there_is_one() -> None:
    templates = FileRenderer([str(ROOT / "book/_templates/components")])
    for translate in (str, MESSAGES.__getitem__):
        said = templates.render("offline.html", {"newest": URL, "_": translate})
        html = BeautifulSoup(said, "html.parser")
        assert html.a["href"] == html.a.text == URL
    assert html.text.strip() == f"本课程的最新版在 {URL}。"
    assert templates.render("offline.html", {"newest": ""}).strip() == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("chapter", FIGURES)
def test_a_preview_shows_weights_that_answer_no_question(chapter: str, lang: str) -> None:
    notebook = nbformat.read(ROOT / f"book/{lang}/{chapter}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    page = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    (figure,) = BeautifulSoup(page, "html.parser").select(f'[data-figure="{FIGURES[chapter]}"]')
    assert [caption for caption in figure.find_all("caption") if "weights[0]" in caption.text]
    assert json.loads(figure.select_one("script[data-ask]").text)["at"]


def test_each_chapter_has_a_picture_for_previews() -> None:
    assert {Path(page).stem for page in CHAPTERS} == set(FIGURES)


def test_the_font_has_all_chinese_characters_of_the_pictures() -> None:
    texts = cards.CHAPTER["zh"] + cards.WEIGHTS["zh"]
    assert set(CHINESE.findall(texts)) <= covered()
