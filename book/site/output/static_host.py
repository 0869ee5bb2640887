"""Write what static hosts look for at the root of a site: .nojekyll, 404.html, archive, PDFs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from book.site.languages import LANGUAGES
from tools.serve import HOME, NO_PAGE


def not_found_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page for addresses that do not exist, with the sentences of our own server."""
    says = [(language, NO_PAGE[language.tag], HOME[language.tag]) for language in LANGUAGES]
    yield "404", {"says": says, "base": app.config.html_baseurl}, "404.html"


def write_files(app: Sphinx, error: Exception | None) -> None:
    """Write .nojekyll, without which GitHub Pages drops `_static`, and copy archive and PDFs."""
    if error:
        return
    Path(app.outdir, ".nojekyll").touch()
    context = app.config.html_context
    for path in (context["offline_copy"], *context["pdfs"].values()):
        if path:
            shutil.copy(path, app.outdir)
