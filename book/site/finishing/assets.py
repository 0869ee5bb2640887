"""What the pages load besides the theme: the live figures and their own scripts."""

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
from book.site.finishing import scripts

FIRST = "start.js"  # every page has it itself, before any other script
# Of the theme: pictures, which are other firms' logos, and templates of its own.
UNUSED = (
    *("locales", "images", "webpack-macros.html", "sbt-webpack-macros.html", FIRST),
    *("plus.png", "minus.png"),
)

OWN = ("site/**/*.py", "site/**/*.svg", "_static/**/*", "_templates/**/*")  # besides the pages
FIGURE = re.compile(r'(data-figure="([^"]+)"[^>]*>)(.*?</div>)', re.DOTALL)
# Alive before it is painted, so that nothing jumps.
ALIVE = "<script>window.hydrateFigures?.(document.currentScript.parentNode)</script>"
STILL = "Without JavaScript, this figure stands still."
EARLY = re.compile(r"/(documentation_options|figures-[\w-]+|exercises)\.js$")
STATE = re.compile(r'(?<=<script type="application/json">)[^<]*')  # it holds no "<": base.py


def notice_changes(app: Sphinx, config: Config) -> None:
    """Build again when something else than a page changes; Sphinx watches the pages alone."""
    book = Path(app.confdir, "book")
    own = sorted(path for pattern in OWN for path in book.glob(pattern) if path.is_file())
    read = map(Path.read_bytes, [*own, *scripts.built()])
    contents = [bundle.script().encode(), bundle.stylesheet().encode(), *read]
    config.site_assets_digest = sha256(b"".join(contents)).hexdigest()


def provide(app: Sphinx) -> None:
    static = _static(app)
    shutil.rmtree(static, ignore_errors=True)
    shutil.copytree(Path(app.confdir, "book/_static"), static)
    (static / "figures.css").write_text(bundle.stylesheet(), encoding="utf-8")
    scripts.provide(app, static)
    app.config.html_static_path.append(str(static))


def _static(app: Sphinx) -> Path:
    return Path(app.doctreedir) / "site_assets"


def load_figures(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    still = f'<noscript><p class="not-loaded">{context["gettext"](STILL)}</p></noscript>'
    live = rf'id="figure-\2" \1{still}\3{ALIVE}'
    body, figures = FIGURE.subn(live, context.get("body", ""))
    if figures:
        context["body"] = body
        for script in _figures_scripts(app, body):
            app.add_js_file(script, priority=200)
        app.add_css_file("figures.css")


def defer(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Let no other script hold up the text and the figures. Deferred ones keep their order."""
    context["start_script"] = (_static(app) / FIRST).read_text("utf-8")
    for script in context["script_files"]:
        if script.filename and not EARLY.search(str(script.filename)):
            script.attributes["defer"] = "defer"


def _figures_scripts(app: Sphinx, body: str) -> list[str]:
    """Write the scripts of these figures; return the names of those to begin with, in order."""
    found = "".join(figure[3] for figure in FIGURE.finditer(body))  # other parts have states too
    states = [json.loads(state) for state in STATE.findall(found)]
    kinds, langs = (frozenset(state[name] for state in states) for name in ("kind", "lang"))
    scripts = bundle.scripts(kinds, langs)
    later = dict(model_script(state["trained"]) for state in states if "trained" in state)
    for name, script in {**scripts, **later}.items():
        (Path(app.outdir) / "_static" / name).write_text(script, encoding="utf-8")
    return list(scripts)


def model_script(name: str) -> tuple[str, str]:
    """Return the name and the text of a script that brings a trained model to a page's figures.

    Args:
        name: what a figure's trait `trained` says, such as "dates/en": a folder, a language.

    >>> model_script("dates/en")[0]
    'figures-model-dates-en.js'
    """
    folder, lang = name.split("/")
    stored = Path(attention_course.__path__[0]) / folder / "models" / f"{lang}.json"
    model = stored.read_text("utf-8").strip()
    text = f"(globalThis.attentionModels ??= {{}})[{name!r}] = {model};\n"
    return f"figures-model-{folder}-{lang}.js", text


def drop_unused(app: Sphinx, error: Exception | None) -> None:
    for name in UNUSED:
        path = Path(app.outdir, "_static", name)
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
