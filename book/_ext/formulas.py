r"""Room for formulas and pictures before they are there, so that the text around stays where it is.

A picture's size stands in its file. That of a formula is guessed from its source, to a tenth of the
text's em for most; book.css keeps the room free. Widths are those of characters in MathJax's font,
fitted to the book's formulas; \frac, ^ and _ are a size smaller.
"""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sphinx.application import Sphinx
from sphinx.util.images import get_image_size

FORMULA = re.compile(
    r'(?P<start><(?P<tag>span|div) class="(?:continued )?math [^>]*)'
    r'(?P<rest>>\s*(?:<span class="eqno">.*?</span>)?(?P<source>[^<>]*)</(?P=tag)>)'
)
PICTURE = re.compile(
    r'<img(?P<rest>(?![^>]* width=)[^>]* src="[^"]*/_images/(?P<name>[^"/]+)"[^>]*>)'
)
SCALE = 1.22  # MathJax matches its font to the height of the text's
SMALL = 0.71
MARGINS = 2.17  # above and below a formula on lines of its own

SIGN = re.compile(r"(^|[(,={])(\s*)-")  # of a number, not between two
TOKEN = re.compile(r"\\(?:[a-zA-Z]+|.)|\S")
WORDS = {"\\text", "\\operatorname", "\\mathrm", "\\texttt"}
NAMES = {"\\exp", "\\tanh", "\\cos", "\\sin", "\\ln", "\\log", "\\max", "\\min"}
WIDTHS = {  # of what is neither a letter nor a digit, in em of MathJax's font
    "= < > \\le \\ge \\ne \\approx \\to \\in \\propto": 1.32,
    "+ - * \\times \\pm": 1.1,
    "( ) [ ] | \\| \\lvert \\rvert i j f r t": 0.4,
    ". ; : ! l": 0.28,
    ", \\{ \\}": 0.44,
    "/ \\lVert \\rVert \\partial": 0.5,
    "\\, ' { } & \\left \\right \\bigl \\bigr \\Bigl \\Bigr \\mathbf \\tilde \\hat": 0.12,
    "− \\cdot w \\Sigma": 0.72,
    "\\sqrt \\top A B C D E F G H I J K L N O P Q R S T U V X Y Z": 0.82,
    "m M W \\quad": 0.95,
    "\\sum \\infty \\dots": 1.08,
    "\\qquad": 2.0,
}
WIDTH = {token: width for tokens, width in WIDTHS.items() for token in tokens.split()}
WIDTH |= dict.fromkeys("{}&", 0.0)
ROW, BETWEEN = 1.07, 0.37
HEIGHTS = {  # by which a row is higher that has some of these
    r"\\d?frac": 0.85,
    r"\\frac.*(\\sum|\\frac)": 1.25,
    r"\\sum|\\max": 1.15,
    r"\\sum.*\\frac|\\underbrace": 1.4,
    r"\\sum_\S+\^": 1.95,
}


def width(source: str) -> float:
    r"""Return about how wide a formula within a line is, in the em of the text.

    >>> 2.5 < width(r"\sqrt{d} + 1") / width("d") < 8
    True
    """
    return SCALE * _width(TOKEN.findall(SIGN.sub(r"\1\2−", source)))


def _width(tokens: list[str]) -> float:
    total = 0.0
    while tokens:
        token, *tokens = tokens
        if token in ("^", "_"):
            part, tokens = _argument(tokens)
            total += SMALL * _width(part)
        elif token in ("\\frac", "\\tfrac", "\\dfrac"):
            above, tokens = _argument(tokens)
            below, tokens = _argument(tokens)
            total += 0.42 + max(_width(above), _width(below)) * (token == "\\dfrac" or SMALL)
        elif token == "\\mathbb":
            total += 0.66
            tokens = tokens[1:]
        elif token in WORDS:
            part, tokens = _argument(tokens)
            total += sum(0.84 if letter > "\u2e80" else 0.48 for letter in "".join(part))
        else:
            total += 0.53 * (len(token) - 1) if token in NAMES else WIDTH.get(token, 0.52)
    return total


def _argument(tokens: list[str]) -> tuple[list[str], list[str]]:
    """Split off a group in braces, or one token."""
    if tokens[:1] != ["{"]:
        return tokens[:1], tokens[1:]
    depth = 0
    for end, token in enumerate(tokens):
        depth += (token == "{") - (token == "}")
        if not depth:
            return tokens[1:end], tokens[end + 1 :]
    return tokens[1:], []


def height(source: str) -> float:
    r"""Return about how high a formula on lines of its own is with its margins, in the text's em.

    >>> height(r"x") < height(r"\sum_i x_i") < height(r"\begin{split} x \\ \sum_i x_i \end{split}")
    True
    """
    rows = re.sub(r"\s", "", source).split("\\\\")
    more = (max([0, *(h for sign, h in HEIGHTS.items() if re.search(sign, row))]) for row in rows)
    return SCALE * (MARGINS + len(rows) * (ROW + BETWEEN) - BETWEEN + sum(more))


def _reserve(formula: re.Match[str]) -> str:
    source = unescape(formula["source"])
    room = f"{width(source):.2f}em" if formula["tag"] == "span" else f"{height(source):.2f}em"
    return f'{formula["start"]} style="--room: {room}"{formula["rest"]}'


def _size(app: Sphinx, picture: re.Match[str]) -> str:
    files = {name: path for path, name in app.builder.images.items()}
    size = get_image_size(str(Path(app.srcdir, files[unquote(picture["name"])])))
    room = f'width="{size[0]}" height="{size[1]}"' if size else ""
    return f'<img loading="lazy" {room}{picture["rest"]}'  # which keeps far ones off a first visit


def _reserve_all(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    body = FORMULA.sub(_reserve, context.get("body", ""))
    context["body"] = PICTURE.sub(partial(_size, app), body)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("html-page-context", _reserve_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
