"""The answer to an answer."""

import html
import re

from attention_lib.exercises.words import Words

_MESSAGE = re.compile(r"(?<=</code>：)[ -~…]+$")  # of an error, which is English in any language


class Answer:
    """What `check` found, in words; true where the exercise is solved.

    Args:
        passed: whether it is.
        words: what there is to say, a paragraph each.
        lang: "en" or "zh".

    Attributes:
        passed: as given.

    >>> Answer(True, [Words("Correct.", "正确。")], "zh")
    正确。
    """

    def __init__(self, passed: bool, words: list[Words], lang: str) -> None:
        self.passed = passed
        self._paragraphs = [str(getattr(one, lang)) for one in words]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return "\n".join(self._paragraphs)

    def _repr_html_(self) -> str:
        """Paragraphs, which wrap on a narrow page as text in a frame does not."""
        marked = (
            re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(p, quote=False))
            for p in self._paragraphs
        )
        marked = (_MESSAGE.sub(r'<span lang="en">\g<0></span>', p) for p in marked)
        return "".join(f"<p>{paragraph}</p>" for paragraph in marked)
