"""Print the built book as one PDF for each language, beside the Makefile: `python -m tools.pdf`.

The environment variable SITE_URL is the address of the published site, which the book then names.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from book.site.languages import LANGUAGES
from tools.browser import FONTS, find_chromium, has_fonts
from tools.pdf.book import file_name
from tools.pdf.printing import OLDEST, print_language
from tools.serve import ROOT, SITE, is_built, server


def lacking(chromium: str | None) -> str:
    """Return a sentence on what a PDF needs and this computer lacks, or ""."""
    if not chromium:
        return f"A PDF needs Chromium {OLDEST} or newer: install it on PATH."
    if not has_fonts():
        return f"A PDF needs fonts: install {FONTS}."
    return ""


def pdfs(site: Path, folder: Path, chromium: str) -> dict[str, Path]:
    """Print a built site into a folder; return the files by language.

    Raises:
        RuntimeError: Chromium is too old, a link leads nowhere, or a file is too large.
    """
    written = {}
    with sync_playwright() as playwright, server(site, port=0) as address:
        browser = playwright.chromium.launch(executable_path=chromium)
        for language in LANGUAGES:
            target = folder / file_name(language)
            pages = print_language(browser, site, address, language, target)
            written[language.code] = target
            print(f"{target.name}: {pages} pages, {target.stat().st_size / 1e6:.1f} MB", flush=True)
        browser.close()
    return written


def main() -> int:
    """Print the site that was built last; return 1 if that is not possible."""
    if not is_built(SITE):
        return 1
    chromium = find_chromium()
    if reason := lacking(chromium):
        print(reason, file=sys.stderr)
        return 1
    assert chromium
    try:
        pdfs(SITE, ROOT, chromium)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
