"""Extend Jupyter Book by one Sphinx extension, an ordered list of passes.

`languages` handles locales and translations, `source` transforms the text of a page, `reference`
generates pages from other sources, and `output` adds scripts, styles and search to the HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.site.languages import blocks, catalogues, passages, translations
from book.site.output import (
    assets,
    cards,
    cell_bars,
    exercise_data,
    failures,
    icons,
    launch_buttons,
    metadata,
    progress,
    review,
    scripts,
    search,
    settings,
    stand,
    states,
    static_host,
    styles,
)
from book.site.reference import api, exercises, glossary, notices, objectives
from book.site.source import (
    anchors,
    descriptions,
    formulas,
    pictures,
    slides,
    stubs,
    tables,
    terms,
    typesetting,
)

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
    """Return all passes in order.

    A key is a Sphinx event or a kind of transform, with the priority of its first pass.
    """
    page_catalogues = catalogues.PageCatalogues()
    page_script = scripts.PageScript()
    return {
        ("config-inited", 500): [
            assets.digest_assets,
            terms.digest_glossary,
            settings.read_settings,
        ],
        ("builder-inited", 500): [
            page_catalogues.store_chinese,
            assets.copy_static_files,
            formulas.start_katex,
            search.disable_sphinx_search,
        ],
        # before a page is parsed
        ("source-read", 500): [
            stand.read_again,
            anchors.convert_labels_and_folds,
            review.drop_cell,
            slides.mark_cells,
            stubs.move_stubs,
        ],
        # parsed: sections have their labels, links are not yet resolved
        ("transform", 500): [exercises.PlaceExercises, blocks.NameBlocks, tables.NameRows],
        ("doctree-read", 500): [descriptions.describe_page, pictures.describe_pictures],
        # links are resolved: all text is in its place
        ("post-transform", 890): [
            typesetting.KeepPunctuation,
            typesetting.SlantLatin,
            passages.MarkPassages,
            terms.MarkTerms,  # looks for terms between formulas
        ],
        ("doctree-resolved", 500): [
            page_catalogues.activate_catalogue,
            cell_bars.add_cell_bars,
            slides.render_marks,
        ],
        ("html-collect-pages", 500): [catalogues.search_pages, static_host.not_found_page],
        # the template context is filled, before the theme's handler, which renders parts of it
        ("html-page-context", 400): [
            page_catalogues.translate_page,
            failures.add_failure_function,
            assets.load_figures,
            states.deduplicate_states,
            progress.add_placeholder,
            stand.add_titles,
            scripts.load_scripts,
            formulas.load_fonts,
            pictures.size_pictures,
            tables.drop_empty_heads,
            translations.load_script,
            metadata.add_metadata,
        ],
        # after the page has all its scripts
        ("html-page-context", 900): [
            launch_buttons.add_buttons,
            search.remove_sphinx_scripts,
            page_script.load,
            failures.mark_scripts,
            assets.defer_scripts,
            styles.check_sheets,
        ],
        ("build-finished", 500): [
            assets.delete_unused,
            scripts.delete_parts,
            review.write_scripts,
            icons.delete_icon_font,
            search.delete_sphinx_scripts,
            formulas.write_style_sheet_and_fonts,
            styles.write_theme_sheet,  # after the scripts that no page loads are deleted
            styles.write_site_sheet,
            styles.link_sheets,
            notices.write_notices,
            exercise_data.write_exercise_data,
            translations.write_scripts,
            search.build_index,
            static_host.write_files,
            metadata.write_sitemap,
            cards.write_cards,
        ],
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Register every pass with Sphinx."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for (event, first), added_passes in passes().items():
        for priority, added in enumerate(added_passes, first):
            _connect(app, event, added, priority)
    app.config.template_bridge = "book.site.output.icons.Templates"
    app.add_config_value("site_assets_digest", "", "html")
    app.add_config_value("terms_digest", "", "html")
    app.add_js_file(scripts.PAGE)
    # PageCatalogues relies on each page being written right after it is resolved
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def _connect(app: Sphinx, event: str, added: Any, priority: int) -> None:
    kinds = {"transform": app.add_transform, "post-transform": app.add_post_transform}
    if event in kinds:
        added.default_priority = priority
        kinds[event](added)
    else:
        app.connect(event, added, priority)
