"""Build the site, its archive and its PDFs for a static host: `python -m tools.publish`.

Without a Chromium that can print them, there are no PDFs, and no page links to one.

The environment variable SITE_URL is its address, if `url:` in _config.yml is empty.
"""

import shutil
from pathlib import Path

from tools.archive import ROOT, archive, fresh_site
from tools.browser import find_chromium
from tools.build import build
from tools.pdf.__main__ import lacking, pdfs
from tools.serve import SITE


def main() -> None:
    """Build archive, PDFs and site, without files of earlier builds."""
    with fresh_site() as site:
        taken_along = {"OFFLINE_COPY": archive(site), **_pdfs(site)}
    shutil.rmtree(SITE.parent, ignore_errors=True)
    build(ROOT, ROOT, **{name: str(path) for name, path in taken_along.items()})
    print(f"Upload what is in {SITE.relative_to(ROOT)}")


def _pdfs(site: Path) -> dict[str, Path]:
    """Print the PDFs, if possible; return them by the variables that name them to a build."""
    chromium = find_chromium()
    if reason := lacking(chromium):
        print(f"The site will have no PDF. {reason}")
        return {}
    return {f"PDF_{lang.upper()}": path for lang, path in pdfs(site, ROOT, str(chromium)).items()}


if __name__ == "__main__":
    main()
