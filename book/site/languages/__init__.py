"""Define the languages (locales) of the book; the modules here translate and pair its pages."""

from __future__ import annotations

from dataclasses import dataclass

from attention_figures import languages

HAN = f"[{languages.HAN}]"  # a Chinese character


@dataclass(frozen=True)
class Language:
    """A language of the book: its folder, its BCP 47 tag, and its own name."""

    code: str
    tag: str
    name: str
    title: str
    search_page: str

    @property
    def folder(self) -> str:
        """The folder of its pages."""
        return f"book/{self.code}/"

    @property
    def home(self) -> str:
        """The page that lists the chapters in this language."""
        return f"{self.folder}index"

    def has(self, page: str) -> bool:
        """Return whether a page is written in this language."""
        return page == self.search_page or page.startswith(self.folder)

    def page(self, other: str) -> str:
        """Return this language's translation of a page.

        >>> CHINESE.page("book/en/04-masked-softmax")
        'book/zh/04-masked-softmax'
        """
        for language in LANGUAGES:
            if other == language.search_page:
                return self.search_page
            if language.has(other):
                return self.folder + other.removeprefix(language.folder)
        return self.home


ENGLISH = Language("en", "en", "English", "Attention Scoring Functions", "search")
CHINESE = Language("zh", "zh-CN", "中文", "注意力评分函数", "search-zh")
LANGUAGES = (ENGLISH, CHINESE)
OTHER = {"en": CHINESE, "zh": ENGLISH}


def language_of(page: str) -> Language:
    """Return the language of a page; English for pages that belong to none."""
    return next((language for language in LANGUAGES if language.has(page)), ENGLISH)
