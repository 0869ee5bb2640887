"""Switch the message catalogues for each page, so that one build serves both locales.

Sphinx itself is set to Chinese, so that each extension loads its Chinese catalogue. On English
pages the catalogues are replaced with empty ones: the messages in the source are English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import PurePosixPath
from typing import Any

from sphinx import locale
from sphinx.application import Sphinx

from book.site.languages import CHINESE, LANGUAGES, Language, language_of
from book.site.languages.chinese import MESSAGES

# MyST-NB does not translate these. The aria-label is dropped: screen readers would read it instead
# of the fold's own text.
UNTRANSLATED = re.compile(r"(?<=>)(?:Show|Hide) code cell \w+(?=<)")
LABEL = ' aria-label="Toggle hidden content"'

Page = tuple[str, dict[str, Any], str]


class BookTranslations(NullTranslations):
    """Translates by the book's own Chinese messages, falling back to a catalogue."""

    def gettext(self, message: str) -> str:
        """Return the Chinese for a message, or the message itself."""
        return MESSAGES.get(message) or super().gettext(message)


class PageCatalogues:
    """Activates the message catalogues of Sphinx, theme and extensions in a page's language."""

    def __init__(self) -> None:
        self.chinese: dict[tuple[str, str], NullTranslations] = {}

    def store_chinese(self, app: Sphinx) -> None:
        """Store the Chinese catalogues once Sphinx has loaded them."""
        for key, catalogue in locale.translators.items():
            if key[0] == "general":
                self.chinese[key] = BookTranslations()
                self.chinese[key].add_fallback(catalogue)

    def activate(self, language: Language) -> NullTranslations:
        """Translate all messages into `language` from here on."""
        empty = dict.fromkeys(self.chinese, NullTranslations())
        locale.translators.update(self.chinese if language is CHINESE else empty)
        return locale.get_translator()

    def activate_catalogue(self, app: Sphinx, doctree: object, pagename: str) -> None:
        """Translate what Sphinx itself writes into the page, such as titles of admonitions."""
        self.activate(language_of(pagename))

    def translate_page(
        self, app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Add the translator and the links of the page's language to the template context."""
        language = language_of(pagename)
        translator = self.activate(language)
        context.update(language=language.tag, docstitle=language.title)
        context.update(gettext=translator.gettext, ngettext=translator.ngettext)
        body = context.get("body", "").replace(LABEL, "")
        context["body"] = UNTRANSLATED.sub(lambda m: translator.gettext(m[0]), body)
        _add_links(app, pagename, language, context)


def _add_links(app: Sphinx, pagename: str, language: Language, context: dict[str, Any]) -> None:
    pathto = context["pathto"]

    def url(page: str) -> str:
        return own if (link := pathto(page)) == "#" else str(link)

    own = PurePosixPath(app.builder.get_target_uri(pagename)).name
    is_root = pagename == app.config.root_doc
    context.update(
        is_root=is_root,
        page_language=language,
        translations=[(other, url(other.page(pagename))) for other in LANGUAGES],
        root_link=url(app.config.root_doc),
        root_choices={other.code: url(other.home) for other in LANGUAGES},
        theme_logo_link=pathto(language.home),
        search_link=pathto(language.search_page),
        licences_link=pathto(f"{language.folder}licences"),
    )
    _, before, after = app.env.collect_relations().get(pagename, [None, None, None])
    for key, neighbour in (("prev", before), ("next", after)):
        if neighbour and (is_root or not neighbour.startswith(language.folder)):
            context[key] = None


def search_pages(app: Sphinx) -> Iterator[Page]:
    yield "index", {}, "redirect.html"
    for language in LANGUAGES:
        yield language.search_page, {}, "search.html"
