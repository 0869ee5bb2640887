"""Add the static assets that pages load besides the theme: figures, scripts and style sheets."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

import attention_course
from attention_figures import bundle
from book.site.output import failures, scripts

INLINE = ("start", "language")  # scripts inlined into every page, before any other
# The theme's static files that no page uses: logos of other firms, and its templates.
UNUSED = (
    *("locales", "images", "webpack-macros.html", "sbt-webpack-macros.html"),
    *(f"{name}.js" for name in INLINE),
    *("plus.png", "minus.png"),
)

SOURCES = (
    "site/**/*.py",
    "site/**/*.svg",
    "web/*.mjs",
    "_static/**/*",
    "_templates/**/*",
)  # of the build, besides the pages
FIGURE = re.compile(r'(data-figure="([^"]+)"[^>]*>)(.*?</div>)', re.DOTALL)
LEAD = re.compile(r'<div class="attention-figure" id="figure-.*?</div>', re.DOTALL)
# Hydrate the lead figure before its first paint to avoid a layout shift.
HYDRATE = "<script>window.hydrateFigures?.(document.currentScript.parentNode)</script>"
NO_SCRIPT = "Without JavaScript, this figure stands still."
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
    """Load the figures' scripts above the first figure, and hydrate it before it is painted.

    What stands above is painted while the scripts load. The other figures are hydrated when they
    come near the viewport.
    """
    no_script = f'<noscript><p class="not-loaded">{context["gettext"](NO_SCRIPT)}</p></noscript>'
    body, figures = FIGURE.subn(rf'id="figure-\2" \1{no_script}\3', context.get("body", ""))
    if figures:
        states = _figures_states(body)
        tags = _figures_scripts(app, pagename, states, context)
        context["body"] = LEAD.sub(lambda lead: f"{tags}{lead[0]}{HYDRATE}", body, count=1)
        context["figures_sheets"] = _figures_sheets(app, states)


def defer_scripts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Defer all scripts of the head; they keep their order."""
    for name in INLINE:
        context[f"{name}_script"] = (_static(app) / f"{name}.js").read_text("utf-8")
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def _figures_states(body: str) -> list[dict[str, Any]]:
    found = "".join(figure[3] for figure in FIGURE.finditer(body))  # exercises have states too
    return [json.loads(state) for state in STATE.findall(found)]


def _figures_sheets(app: Sphinx, states: list[dict[str, Any]]) -> list[str]:
    """Write the style sheets of a page's figures: one for all pages, one for the same kinds."""
    kinds = bundle.kinds_stylesheet({state["kind"] for state in states})
    own = f"figures-{sha256(kinds.encode()).hexdigest()[:8]}.css"
    for name, css in {"figures-core.css": bundle.core_stylesheet(), own: kinds}.items():
        (Path(app.outdir) / "_static" / name).write_text(css, encoding="utf-8")
    return ["figures-core.css", own]


def _figures_scripts(
    app: Sphinx, pagename: str, states: list[dict[str, Any]], context: dict[str, Any]
) -> str:
    """Write the scripts of a page's figures; return the tags that load them."""
    kinds, langs = (frozenset(state[name] for state in states) for name in ("kind", "lang"))
    own = pagename.removeprefix("book/").replace("/", "-")
    loaded = {
        f"figures-core-{'-'.join(sorted(langs))}.js": bundle.core_script(langs),
        f"figures-{own}.js": bundle.kinds_script(kinds, langs),
    }
    later = dict(model_script(state["trained"]) for state in states if "trained" in state)
    for name, script in {**loaded, **later}.items():
        (Path(app.outdir) / "_static" / name).write_text(script, encoding="utf-8")
    tags = ""
    for name, script in loaded.items():
        digest = sha256(script.encode()).hexdigest()[:8]
        source = f"{context['pathto'](f'_static/{name}', 1)}?v={digest}"
        attributes = {"src": source, **failures.attributes(name, context["gettext"])}
        written = " ".join(f'{key}="{escape(value)}"' for key, value in attributes.items())
        tags += f"<script {written}></script>"
    return tags


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
