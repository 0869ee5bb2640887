"""Define what exists in English and in Chinese: texts, names, any other value."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from attention_figures.languages import LANGUAGES

Lang = Literal["en", "zh"]
T = TypeVar("T")


@dataclass(frozen=True)
class Translated(Generic[T]):
    """The same thing, such as a text or the names of keys, in English and in Chinese."""

    en: T
    zh: T

    def into(self, lang: Lang) -> T:
        """Return it in a language.

        Raises:
            KeyError: lang is neither "en" nor "zh".
        """
        return {"en": self.en, "zh": self.zh}[lang]


@dataclass(frozen=True)
class Text(Translated[str]):
    """A text in English and in Chinese.

    >>> Text("{word} is a verb", "{word}是动词").filled(word=Text("see", "看")).zh
    '看是动词'
    """

    def filled(self, **parts: object) -> "Text":
        """Replace each {name} by its part, which may itself be translated."""
        en, zh = (
            {k: getattr(v, lang) if isinstance(v, Translated) else v for k, v in parts.items()}
            for lang in LANGUAGES
        )
        return Text(self.en.format(**en), self.zh.format(**zh))
