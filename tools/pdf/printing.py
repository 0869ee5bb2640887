"""Let Chromium draw the figures of the built site, and print a book."""

import io
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urldefrag

import pikepdf
import yaml
from playwright.sync_api import Browser, Page

from attention_course.translated import Lang
from book.site.languages import Language
from book.site.output.settings import site_url
from tools.limits import PDF
from tools.pdf import glyphs
from tools.pdf.book import Edition, as_book
from tools.pdf.part import as_part, in_book
from tools.replacing import replacing
from tools.serve import ROOT

OLDEST = 131  # the first release of Chromium with margin boxes, which print the numbers of pages
SCALE = 0.8
WIDTH = 822  # of the text, in pixels: 174 mm, as paper.css says, at SCALE

_OPEN_FOLDS = """addEventListener("DOMContentLoaded", () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
})"""
_HYDRATE = """() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }))"""
_LIVE = """async () => {
  await document.fonts.ready;
  return !document.querySelector("article [data-figure]:not([data-live])");
}"""
# HTML has neither what a canvas shows nor what an input holds.
_FIGURES = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); // observers of sizes
  await frame(); // what they have drawn
  const copied = (figure) => {
    const copy = figure.cloneNode(true);
    const pairs = (which) => {
      const copies = copy.querySelectorAll(which);
      return [...figure.querySelectorAll(which)].map((one, i) => [one, copies[i]]);
    };
    for (const [canvas, still] of pairs("canvas")) {
      const { width, height } = canvas.getBoundingClientRect();
      const image = new Image();
      image.src = canvas.toDataURL();
      image.className = canvas.className;
      image.alt = canvas.getAttribute("aria-label") ?? "";
      const { visibility } = getComputedStyle(canvas);
      const size = `width: ${width}px; height: ${height}px`;
      image.style.cssText = `${canvas.style.cssText}; ${size}; visibility: ${visibility}`;
      still.replaceWith(image);
    }
    for (const [input, still] of pairs("input")) still.setAttribute("value", input.value);
    for (const [option, still] of pairs("option"))
      still.toggleAttribute("selected", option.selected);
    return copy.outerHTML;
  };
  const figures = [...document.querySelectorAll("article [data-figure]")];
  return Object.fromEntries(figures.map((figure) => [figure.dataset.figure, copied(figure)]));
}"""
_NUMBER = """(numbers) => {
  for (const place of document.querySelectorAll("[data-page-of]"))
    place.textContent = numbers[place.dataset.pageOf] ?? "?";
}"""


def pages_of(language: Language) -> list[str]:
    """Return the pages of the book in a language, in order, as paths within the site."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    entries = [entry for front in toc["chapters"] for entry in (front, *front["sections"])]
    return [f"{entry['file']}.html" for entry in entries if language.has(entry["file"])]


def print_pages(
    browser: Browser, site: Path, address: str, language: Language, pages: Sequence[str]
) -> bytes:
    """Return some pages of a language as one PDF.

    Args:
        browser: Chromium.
        site: folder of the built site.
        address: URL at which it is served, without a slash at its end.
        language: language of the pages.
        pages: paths within the site.

    Raises:
        RuntimeError: Chromium is too old, or a link leads nowhere.
    """
    if int(browser.version.split(".")[0]) < OLDEST:
        raise RuntimeError(f"A PDF needs Chromium {OLDEST} or newer; got {browser.version}.")
    edition = Edition.of(language, _published_at())
    target = partial(link, pages=pages, url=edition.url)
    lang: Lang = "zh" if language.code == "zh" else "en"
    parts = []
    for page in pages:
        html = (site / page).read_text("utf-8")
        figures = _figures(browser, f"{address}/{page}") if "data-figure" in html else {}
        parts.append(as_part(page, html, figures, lang, target))
    return finished(
        _printed(browser, f"{address}/{language.folder}", as_book(parts, edition)), edition
    )


def print_language(
    browser: Browser, site: Path, address: str, language: Language, target: Path
) -> int:
    """Print the whole book in a language into a file; return the number of its pages.

    Raises:
        RuntimeError: Chromium is too old, a link leads nowhere, or the file would be too large.
    """
    pdf = print_pages(browser, site, address, language, pages_of(language))
    if len(pdf) > PDF * 1e6:
        raise RuntimeError(f"{target.name} should have at most {PDF} MB; got {len(pdf) / 1e6:.1f}")
    with replacing(target) as part:
        part.write_bytes(pdf)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Return the pages, counted from 1, of all places that links lead to, by their ids."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        pages = enumerate(document.pages, 1)
        numbers = {page.obj.objgen: number for number, page in pages}
        places = document.Root.get("/Dests", {}).items()
        return {name.removeprefix("/"): numbers[place[0].objgen] for name, place in places}


def _published_at() -> str:
    stated = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")).get("url")
    return site_url(stated or os.environ.get("SITE_URL"))


def link(path: str, pages: Sequence[str], url: str) -> str | None:
    """Return where a link to a path within the site leads."""
    if urldefrag(path).url in pages:
        return in_book(path)
    return url + path if url else None


def _figures(browser: Browser, url: str) -> Mapping[str, str]:
    """Return all figures of a page by name, as HTML, before anyone has moved them.

    Raises:
        TimeoutError: of Playwright; a figure does not become live.
    """
    page = browser.new_page(
        viewport={"width": 1600, "height": 1000}, device_scale_factor=2, reduced_motion="reduce"
    )
    try:
        page.add_init_script(_OPEN_FOLDS)
        page.goto(url)
        width = f"width: {WIDTH}px; max-width: none; padding: 0"
        page.add_style_tag(
            content=f".bd-main .bd-content article.bd-article.bd-article {{ {width} }}"
        )
        page.evaluate(_HYDRATE)
        page.wait_for_function(_LIVE)
        return dict(page.evaluate(_FIGURES))
    finally:
        page.close()


def _printed(browser: Browser, folder: str, html: str) -> bytes:
    """Print a page of HTML as if it were in a folder of the site, with the numbers of its pages."""
    page, url = browser.new_page(), f"{folder}on-paper.html"
    try:
        page.route(url, lambda route: route.fulfill(body=html, content_type="text/html"))
        page.goto(url)
        # A first print says on which page each place is.
        page.evaluate(_NUMBER, page_numbers(_pdf(page)))
        return _pdf(page, outline=True, tagged=True)
    finally:
        page.close()


def _pdf(page: Page, outline: bool = False, tagged: bool = False) -> bytes:
    return page.pdf(
        prefer_css_page_size=True,
        print_background=True,
        scale=SCALE,
        outline=outline,
        tagged=tagged,
    )


def finished(pdf: bytes, edition: Edition) -> bytes:
    """Store the date of the commit instead of today's, correct the text, and compress all.

    Raises:
        RuntimeError: a link leads to a place that the book does not have.
    """
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        notes = [note for page in document.pages for note in page.get("/Annots", [])]
        links = [str(note.A.URI) for note in notes if "/URI" in note.get("/A", {})]
        if lost := [uri for uri in links if "/on-paper.html#" in uri]:
            raise RuntimeError(f"links of the PDF should lead somewhere; got {lost}")
        glyphs.correct(document)
        for name, date in edition.dates().items():
            document.docinfo[name] = date
        document.save(
            written, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True
        )
    return written.getvalue()
