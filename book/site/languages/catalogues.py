"""One build for all languages: every page speaks its own.

Sphinx itself is set to Chinese, so that each extension loads its Chinese catalogue. On English
pages the catalogues are exchanged for empty ones: the messages in the source are English.
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
from book.site.languages.chinese import WORDS

# What MyST-NB writes into a page in English always. A label would be read aloud instead of the
# question that a fold's own text asks, so folds have none.
UNTRANSLATED = re.compile(r"(?<=>)(?:Show|Hide) code cell \w+(?=<)")
LABEL = ' aria-label="Toggle hidden content"'

Page = tuple[str, dict[str, Any], str]


class OwnWords(NullTranslations):
    """The book's own Chinese words, and then those of a catalogue."""

    def gettext(self, message: str) -> str:
        """Return the Chinese for a message, or the message itself."""
        return WORDS.get(message) or super().gettext(message)


class Voice:
    """Exchanges the message catalogues of Sphinx, theme and extensions for those of a page."""

    def __init__(self) -> None:
        self.chinese: dict[tuple[str, str], NullTranslations] = {}

    def load(self, app: Sphinx) -> None:
        """Keep the Chinese catalogues, which Sphinx has loaded by now."""
        for key, catalogue in locale.translators.items():
            if key[0] == "general":
                self.chinese[key] = OwnWords()
                self.chinese[key].add_fallback(catalogue)

    def speak(self, language: Language) -> NullTranslations:
        """Make `language` the one that messages come in from here on."""
        silent = dict.fromkeys(self.chinese, NullTranslations())
        locale.translators.update(self.chinese if language is CHINESE else silent)
        return locale.get_translator()

    def before_writing(self, app: Sphinx, doctree: object, pagename: str) -> None:
        """Have what Sphinx writes for the page, such as titles of admonitions, in its language."""
        self.speak(language_of(pagename))

    def translate_page(
        self, app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Give the page's template the words and links of its language."""
        language = language_of(pagename)
        words = self.speak(language)
        context.update(language=language.tag, docstitle=language.title)
        context.update(gettext=words.gettext, ngettext=words.ngettext)
        body = context.get("body", "").replace(LABEL, "")
        context["body"] = UNTRANSLATED.sub(lambda m: words.gettext(m[0]), body)
        _link(app, pagename, language, context)


def _link(app: Sphinx, pagename: str, language: Language, context: dict[str, Any]) -> None:
    pathto = context["pathto"]

    def address(page: str) -> str:
        return own if (link := pathto(page)) == "#" else str(link)

    own = PurePosixPath(app.builder.get_target_uri(pagename)).name
    is_root = pagename == app.config.root_doc
    context.update(
        is_root=is_root,
        page_language=language,
        twins=[(other, address(other.page(pagename))) for other in LANGUAGES],
        root_link=address(app.config.root_doc),
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
