"""What the pages load besides the theme: the live figures and MathJax, all from the site itself."""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from attention_lib.figures import bundle

MATHJAX = ("tex-chtml.js", "output/chtml/fonts/woff-v2", "input/tex/extensions")
UNUSED = ("vendor/fontawesome/*/js", "vendor/fontawesome/*/webfonts/*.ttf", "locales")

FIGURE = re.compile(r'data-figure="([^"]+)"')


def _notice_changes(app: Sphinx, config: Config) -> None:
    """Build again what loads these files when one changes; Sphinx watches the pages alone."""
    own = (path for path in sorted(Path(app.confdir, "book/_static").rglob("*")) if path.is_file())
    contents = [bundle.script().encode(), bundle.stylesheet().encode(), *map(Path.read_bytes, own)]
    config.site_assets_digest = sha256(b"".join(contents)).hexdigest()


def _provide(app: Sphinx) -> None:
    static = Path(app.doctreedir) / "site_assets"
    shutil.rmtree(static, ignore_errors=True)
    _copy_mathjax(static / "mathjax")
    (static / "figures.js").write_text(bundle.script(), encoding="utf-8")
    (static / "figures.css").write_text(bundle.stylesheet(), encoding="utf-8")
    app.config.html_static_path.append(str(static))


def _copy_mathjax(target: Path) -> None:
    source = Path(str(files("sphinx-mathjax-offline") / "static/mathjax"))
    for name in MATHJAX:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (source / name).is_dir() else shutil.copy
        copy(source / name, target / name)


def _load_figures(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    body, figures = FIGURE.subn(r'id="figure-\1" \g<0>', context.get("body", ""))
    if figures:
        context["body"] = body
        # Ahead of MathJax, which is many times as large.
        app.add_js_file("figures.js", priority=200, loading_method="defer")
        app.add_css_file("figures.css")


def _drop_unused(app: Sphinx, error: Exception | None) -> None:
    for pattern in UNUSED:
        for path in (Path(app.outdir) / "_static").glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_config_value("site_assets_digest", "", "html")
    app.connect("config-inited", _notice_changes)
    app.connect("builder-inited", _provide)
    app.connect("html-page-context", _load_figures)
    app.connect("build-finished", _drop_unused)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
