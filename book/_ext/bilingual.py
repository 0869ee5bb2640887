"""One build, two languages: every page speaks its own.

Sphinx itself is set to Chinese, so that each extension loads its Chinese catalogue. On English
pages the catalogues are exchanged for empty ones: the messages in the source are English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from gettext import NullTranslations
from typing import Any

from chinese import WORDS
from sphinx import locale
from sphinx.application import Sphinx

# What MyST-NB writes into a page in English always.
UNTRANSLATED = re.compile(r'(?<=[">])(?:Toggle hidden content|(?:Show|Hide) code cell \w+)(?=["<])')

Page = tuple[str, dict[str, Any], str]


@dataclass(frozen=True)
class Language:
    """A language of the book: its folder, its BCP 47 tag, and what it calls itself."""

    code: str
    tag: str
    name: str
    title: str
    search_page: str

    @property
    def home(self) -> str:
        """The page that lists the chapters in this language."""
        return f"book/{self.code}/index"

    def page(self, other: str) -> str:
        """Return the page of this language that says what `other` says in any.

        >>> CHINESE.page("book/en/04-masked-softmax")
        'book/zh/04-masked-softmax'
        """
        if other in {language.search_page for language in LANGUAGES}:
            return self.search_page
        folder, _, name = other.removeprefix("book/").partition("/")
        return f"book/{self.code}/{name}" if folder in {"en", "zh"} else self.home


ENGLISH = Language("en", "en", "English", "Attention Scoring Functions", "search")
CHINESE = Language("zh", "zh-CN", "中文", "注意力评分函数", "search-zh")
LANGUAGES = (ENGLISH, CHINESE)
OTHER = {"en": CHINESE, "zh": ENGLISH}
HAN = r"[\u3400-\u9fff]"  # a Chinese character


def language_of(pagename: str) -> Language:
    """Return the language a page is written in; English where it is none in particular."""
    chinese = pagename == CHINESE.search_page or pagename.startswith("book/zh/")
    return CHINESE if chinese else ENGLISH


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
        context["body"] = UNTRANSLATED.sub(lambda m: words.gettext(m[0]), context.get("body", ""))
        _link(app, pagename, language, context)


def _link(app: Sphinx, pagename: str, language: Language, context: dict[str, Any]) -> None:
    pathto = context["pathto"]
    is_root = pagename == app.config.root_doc
    context.update(
        is_root=is_root,
        page_language=language,
        twins=[(other, pathto(other.page(pagename))) for other in LANGUAGES],
        root_link=pathto(app.config.root_doc),
        theme_logo_link=pathto(language.home),
        search_link=pathto(language.search_page),
    )
    _, before, after = app.env.collect_relations().get(pagename, [None, None, None])
    for key, neighbour in (("prev", before), ("next", after)):
        if neighbour and (is_root or not neighbour.startswith(f"book/{language.code}/")):
            context[key] = None


def _search_pages(app: Sphinx) -> Iterator[Page]:
    for language in LANGUAGES:
        yield language.search_page, {}, "search.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    voice = Voice()
    app.connect("builder-inited", voice.load)
    app.connect("doctree-resolved", voice.before_writing)
    app.connect("html-page-context", voice.translate_page, priority=400)  # the theme's come at 500
    app.connect("html-collect-pages", _search_pages)
    # a page is written just after it was resolved, which parallel writing would not keep to
    return {"parallel_read_safe": True, "parallel_write_safe": False}
