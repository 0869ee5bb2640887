"""Define the verdict on an answer."""

import html
import re
from dataclasses import dataclass

from attention_course.exercises.engine.texts import FAILED
from attention_course.translated import Text

_MESSAGE = re.compile(
    r"(?<=</code>：)[ -~…]+$"
)  # an error message, which is in English in both languages


@dataclass(frozen=True, repr=False)
class Verdict:
    """The verdict of `check`; true if the exercise is solved.

    Args:
        passed: whether the exercise is solved.
        words: the paragraphs of the verdict, in both languages.
        mistakes: names of the classic mistakes that explain everything the answer does.
        lang: "en" or "zh", the language of display.

    Attributes:
        passed, words, mistakes, lang: the arguments.

    >>> Verdict(True, (Text("Correct.", "正确。"),), lang="zh")
    正确。
    """

    passed: bool
    words: tuple[Text, ...]
    mistakes: tuple[str, ...] = ()
    lang: str = "en"

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs in the language of display."""
        return [str(getattr(one, self.lang)) for one in self.words]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return "\n".join(self.paragraphs)

    def _repr_html_(self) -> str:
        """Return HTML paragraphs, which wrap on a narrow page."""
        marked = (
            re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(p, quote=False))
            for p in self.paragraphs
        )
        marked = (_MESSAGE.sub(r'<span lang="en">\g<0></span>', p) for p in marked)
        return "".join(f"<p>{paragraph}</p>" for paragraph in marked)


def refusal(*words: Text, mistakes: tuple[str, ...] = ()) -> Verdict:
    """Make a verdict that the answer is not right yet, and why."""
    first, *rest = words
    return Verdict(False, (Text(FAILED.en + first.en, FAILED.zh + first.zh), *rest), mistakes)
