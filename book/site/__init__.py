"""Extend Jupyter Book by one Sphinx extension, an ordered list of passes.

`languages` keeps the languages together and apart, `reading` works on the text of a page,
`reference` writes the pages that are made from elsewhere, `finishing` is about finished pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.site.finishing import (
    assets,
    failures,
    icons,
    launching,
    progress,
    running,
    scripts,
    search,
    states,
)
from book.site.languages import blocks, catalogues, passages, twins
from book.site.reading import (
    anchors,
    descriptions,
    formulas,
    pictures,
    slides,
    tables,
    terms,
    typesetting,
)
from book.site.reference import api, exercises, glossary, notices, objectives

Pass = type[SphinxTransform] | Callable[..., object]

DIRECTIVES = {
    "api": api.Api,
    "exercise-list": exercises.ExerciseList,
    "glossary-part": glossary.Glossary,
    "notices": notices.Notices,
    "objectives": objectives.ObjectiveTable,
    "progress": progress.Progress,
}


def passes() -> dict[tuple[str, int], list[Pass]]:
    """Return all that is done to the book, in order.

    Each moment is an event of Sphinx or a kind of transform, with the priority of its first pass.
    """
    voice = catalogues.Voice()
    return {
        ("config-inited", 500): [
            assets.notice_changes,
            terms.notice_changes,
            launching.read_settings,
        ],
        ("builder-inited", 500): [
            voice.load,
            assets.provide,
            formulas.prepare,
            search.build_without_sphinx,
        ],
        # a page is about to be read
        ("source-read", 500): [anchors.name_labels_and_folds, slides.mark_cells],
        # it is read: its sections have their labels by now, and links are resolved later
        ("transform", 500): [exercises.PlaceExercises, blocks.NameBlocks, tables.NameRows],
        ("doctree-read", 500): [descriptions.describe_page, pictures.describe_pictures],
        # it is resolved: all text is in its place
        ("post-transform", 890): [
            typesetting.KeepPunctuation,
            typesetting.SlantLatin,
            passages.MarkPassages,
            terms.MarkTerms,  # which looks for words between formulas
        ],
        ("doctree-resolved", 500): [voice.before_writing, running.add_bars, slides.show_marks],
        ("html-collect-pages", 500): [catalogues.search_pages],
        # its template is filled, before the theme has its turn, which tries parts of it
        ("html-page-context", 400): [
            voice.translate_page,
            failures.offer_attributes,
            assets.load_figures,
            states.share_states,
            progress.enliven,
            scripts.load,
            formulas.load,
            pictures.size_pictures,
            tables.drop_empty_heads,
            twins.load_script,
        ],
        # and when the page has all its scripts
        ("html-page-context", 900): [
            launching.add_buttons,
            search.load_without_sphinx,
            failures.mark_scripts,
            assets.defer,
        ],
        ("build-finished", 500): [
            assets.drop_unused,
            icons.drop_font,
            formulas.write_sheet_and_fonts,
            notices.write_notices,
            twins.write_scripts,
            search.index,
            search.drop_scripts,
        ],
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call every pass in its turn."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for (moment, first), several in passes().items():
        for priority, one in enumerate(several, first):
            _connect(app, moment, one, priority)
    app.config.template_bridge = "book.site.finishing.icons.Templates"
    app.add_config_value("site_assets_digest", "", "html")
    app.add_config_value("terms_digest", "", "html")
    app.add_js_file("search.js", onerror=search.FAILED)
    app.add_css_file("search.css")
    # a page is written just after it was resolved, which parallel writing would not keep to
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def _connect(app: Sphinx, moment: str, one: Any, priority: int) -> None:
    kinds = {"transform": app.add_transform, "post-transform": app.add_post_transform}
    if moment in kinds:
        one.default_priority = priority
        kinds[moment](one)
    else:
        app.connect(moment, one, priority)
