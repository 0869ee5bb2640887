"""Add the static assets that pages load besides the theme: figures, scripts and style sheets."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

import attention_course
from attention_figures import bundle
from book.site.output import scripts

START_SCRIPT = "start.js"  # inlined into every page, before any other script
# The theme's static files that no page uses: logos of other firms, and its templates.
UNUSED = (
    *("locales", "images", "webpack-macros.html", "sbt-webpack-macros.html", START_SCRIPT),
    *("plus.png", "minus.png"),
)

SOURCES = (
    "site/**/*.py",
    "site/**/*.svg",
    "_static/**/*",
    "_templates/**/*",
)  # of the build, besides the pages
FIGURE = re.compile(r'(data-figure="([^"]+)"[^>]*>)(.*?</div>)', re.DOTALL)
# Hydrate a figure before its first paint to avoid a layout shift.
HYDRATE = "<script>window.hydrateFigures?.(document.currentScript.parentNode)</script>"
NO_SCRIPT = "Without JavaScript, this figure stands still."
NOT_DEFERRED = re.compile(r"/(documentation_options|figures-[\w-]+|exercises)\.js$")
STATE = re.compile(r'(?<=<script type="application/json">)[^<]*')  # has no "<": base.py escapes it


def digest_assets(app: Sphinx, config: Config) -> None:
    """Rebuild all pages when an asset changes: Sphinx itself only watches the pages."""
    book = Path(app.confdir, "book")
    own = sorted(path for pattern in SOURCES for path in book.glob(pattern) if path.is_file())
    read = map(Path.read_bytes, [*own, *scripts.built()])
    contents = [bundle.script().encode(), bundle.stylesheet().encode(), *read]
    config.site_assets_digest = sha256(b"".join(contents)).hexdigest()


def copy_static_files(app: Sphinx) -> None:
    static = _static(app)
    shutil.rmtree(static, ignore_errors=True)
    shutil.copytree(Path(app.confdir, "book/_static"), static)
    scripts.copy_built(app, static)
    app.config.html_static_path.append(str(static))


def _static(app: Sphinx) -> Path:
    return Path(app.doctreedir) / "site_assets"


def load_figures(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    no_script = f'<noscript><p class="not-loaded">{context["gettext"](NO_SCRIPT)}</p></noscript>'
    live = rf'id="figure-\2" \1{no_script}\3{HYDRATE}'
    body, figures = FIGURE.subn(live, context.get("body", ""))
    if figures:
        context["body"] = body
        states = _figures_states(body)
        for script in _figures_scripts(app, states):
            app.add_js_file(script, priority=200)
        context["figures_sheet"] = _figures_sheet(app, states)


def defer_scripts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Defer all scripts but those of the figures; deferred scripts keep their order."""
    context["start_script"] = (_static(app) / START_SCRIPT).read_text("utf-8")
    for script in context["script_files"]:
        if script.filename and not NOT_DEFERRED.search(str(script.filename)):
            script.attributes["defer"] = "defer"


def _figures_states(body: str) -> list[dict[str, Any]]:
    found = "".join(figure[3] for figure in FIGURE.finditer(body))  # exercises have states too
    return [json.loads(state) for state in STATE.findall(found)]


def _figures_sheet(app: Sphinx, states: list[dict[str, Any]]) -> str:
    """Write the style sheet of a page's figures, which pages with the same kinds share."""
    css = bundle.stylesheet({state["kind"] for state in states}).encode()
    name = f"figures-{sha256(css).hexdigest()[:8]}.css"
    (Path(app.outdir) / "_static" / name).write_bytes(css)
    return name


def _figures_scripts(app: Sphinx, states: list[dict[str, Any]]) -> list[str]:
    """Write the scripts of a page's figures; return those to load with the page, in order."""
    kinds, langs = (frozenset(state[name] for state in states) for name in ("kind", "lang"))
    scripts = bundle.scripts(kinds, langs)
    later = dict(model_script(state["trained"]) for state in states if "trained" in state)
    for name, script in {**scripts, **later}.items():
        (Path(app.outdir) / "_static" / name).write_text(script, encoding="utf-8")
    return list(scripts)


def model_script(name: str) -> tuple[str, str]:
    """Return the name and the text of a script that defines a trained model for the figures.

    Args:
        name: the value of a figure's trait `trained`, folder and language, such as "dates/en".

    >>> model_script("dates/en")[0]
    'figures-model-dates-en.js'
    """
    folder, lang = name.split("/")
    stored = Path(attention_course.__path__[0]) / folder / "models" / f"{lang}.json"
    model = stored.read_text("utf-8").strip()
    text = f"(globalThis.attentionModels ??= {{}})[{name!r}] = {model};\n"
    return f"figures-model-{folder}-{lang}.js", text


def delete_unused(app: Sphinx, error: Exception | None) -> None:
    for name in UNUSED:
        path = Path(app.outdir, "_static", name)
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
