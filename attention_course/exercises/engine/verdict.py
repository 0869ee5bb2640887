"""What is found of an answer, in words."""

import html
import re
from dataclasses import dataclass

from attention_course.exercises.engine.words import FAILED, Words

_MESSAGE = re.compile(r"(?<=</code>：)[ -~…]+$")  # of an error, which is English in any language


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `check` found, in words; true where the exercise is solved.

    Args:
        passed: whether it is.
        words: what there is to say in both languages, a paragraph each.
        mistakes: names of the classic mistakes that explain everything the answer does.
        lang: "en" or "zh", the language it shows in.

    Attributes:
        passed, words, mistakes, lang: as given.

    >>> Verdict(True, (Words("Correct.", "正确。"),), lang="zh")
    正确。
    """

    passed: bool
    words: tuple[Words, ...]
    mistakes: tuple[str, ...] = ()
    lang: str = "en"

    @property
    def paragraphs(self) -> list[str]:
        """The words in its language."""
        return [str(getattr(one, self.lang)) for one in self.words]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return "\n".join(self.paragraphs)

    def _repr_html_(self) -> str:
        """Paragraphs, which wrap on a narrow page as text in a frame does not."""
        marked = (
            re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(p, quote=False))
            for p in self.paragraphs
        )
        marked = (_MESSAGE.sub(r'<span lang="en">\g<0></span>', p) for p in marked)
        return "".join(f"<p>{paragraph}</p>" for paragraph in marked)


def refusal(*words: Words, mistakes: tuple[str, ...] = ()) -> Verdict:
    """Say of an answer that it is not right yet, and why."""
    first, *rest = words
    return Verdict(False, (Words(FAILED.en + first.en, FAILED.zh + first.zh), *rest), mistakes)
