"""Render formulas with KaTeX when the book is built: HTML, and MathML for screen readers.

sphinxcontrib-katex's render server races at start-up; we use one Node process over a pipe, with a
cache of the rendered formulas. The pages load no script for formulas; the style sheet and the fonts
are reduced to what the pages use, and styles.py makes the sheet a part of site.css.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from html import unescape
from itertools import chain
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, NamedTuple
from xml.etree import ElementTree

from fontTools import subset
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinxcontrib.katex import KaTeXServer

from attention_figures.frontend import FIGURES, node

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of each table that it drops

KATEX = FIGURES.sources / "node_modules/katex/dist"
SHEET = "katex.css"
EARLY_FONTS = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")  # most lines with formulas need them
# Treat KaTeX warnings as errors.
RENDER_SCRIPT = """
const katex = require(process.argv[1]);
const set = ({ latex, katex_options }) => {
  const options = { ...katex_options, throwOnError: true, strict: "error" };
  try {
    return { html: katex.renderToString(latex, options) };
  } catch ({ message }) {
    return { error: `${message} (${latex})` };
  }
};
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (request) => console.log(JSON.stringify(set(JSON.parse(request)))));
"""
MATHML_SOURCE = re.compile(
    r'</?semantics>|<annotation .*?</annotation>| xmlns="[^"]*"(?=[^>]*>)', re.DOTALL
)

NEXT_PART = '</span><span class="base">'
START = '<span class="katex">'
SPAN = re.compile(r"<(/?)span\b")
MATHML = re.compile(r"<math.*?</math>", re.DOTALL)
VISUAL = 'aria-hidden="true">'
CLASSES, CLASS = re.compile(r'class="([^"]*)"'), re.compile(r"\.([a-zA-Z][\w-]*)")
PART = re.compile(r'<(/?)(\w+)(?: class="([^"]*)")?[^>]*>|([^<]+)')
AROUND = frozenset({"katex", "katex-html"})  # classes of the elements around a formula's HTML
RULE, NOT = re.compile(r"([^{}]+)\{([^{}]*)\}"), re.compile(r":not\([^)]*\)")
FACE = re.compile(
    r"(?P<start>@font-face\{font-family:(?P<family>\w+);font-style:(?P<style>\w+);"
    r"font-weight:(?P<weight>\d+);src:)url\(fonts/(?P<file>[\w-]+)\.woff2\)"
)

COPYRIGHT, LICENCE, LICENCE_ADDRESS = 0, 13, 14  # entries of a font's table of names

SPACED_SIGNS = set(
    "=<>≤≥≠≈∝∈→⟼+−±×⋅,"
)  # followed by a space; all but the comma also preceded by one


class Typesetter:
    r"""Stands in for the server of sphinxcontrib-katex: its `render` has the same signature.

    >>> typesetter = Typesetter()
    >>> formula = typesetter.render({"latex": "x", "katex_options": {}})["html"]
    >>> (found,) = formulas(formula)
    >>> found.mathml
    '<math><mrow><mi>x</mi></mrow></math>'
    >>> print(typesetter.render({"latex": r"\nothing", "katex_options": {}})["error"])
    KaTeX parse error: Undefined control sequence: \nothing at position 1: \̲n̲o̲t̲h̲i̲n̲g̲ (\nothing)
    >>> typesetter.close()
    """

    def __init__(self) -> None:
        FIGURES.install()  # npm's KaTeX includes fonts and a style sheet
        self.node: Popen[str] | None = None
        self.cache: dict[str, dict[str, str]] = {}

    def render(self, request: dict[str, Any], timeout: float | None = None) -> dict[str, str]:
        """Return the HTML of a formula, or an error message."""
        key = json.dumps(request)
        if key not in self.cache:
            answer: dict[str, str] = json.loads(self._request(key))
            self.cache[key] = {name: _page_html(text) for name, text in answer.items()}
        return self.cache[key]

    def _request(self, request: str) -> str:
        if self.node is None:
            command = [node(), "-e", RENDER_SCRIPT, str(KATEX / "katex.js")]
            self.node = Popen(command, stdin=PIPE, stdout=PIPE, encoding="utf-8")
        assert self.node.stdin
        assert self.node.stdout
        self.node.stdin.write(request + "\n")
        self.node.stdin.flush()
        answer = self.node.stdout.readline()
        if not answer:
            raise ExtensionError("KaTeX ended without an answer; Node's error message is above")
        return answer

    def close(self) -> None:
        """Close the pipe and wait for Node to exit."""
        if self.node:
            self.node.communicate()


def _page_html(html: str) -> str:
    """Remove the LaTeX source from the MathML, which would be indexed by search.

    Mark KaTeX's line-break opportunities with `<wbr>`: the formula may be inside `nowrap` text.
    """
    return MATHML_SOURCE.sub("", html).replace(NEXT_PART, f"</span><wbr>{NEXT_PART[7:]}")


class Formula(NamedTuple):
    """A formula in an HTML page: its position, MathML and HTML."""

    start: int
    end: int
    mathml: str
    html: str


def formulas(page: str) -> Iterator[Formula]:
    """Find the formulas of a page.

    >>> page = START + f'<span><math>d</math></span><span {VISUAL}<span>d</span></span></span>.'
    >>> [(page[f.end :], f.mathml, f.html) for f in formulas(page)]
    [('.', '<math>d</math>', '<span>d</span></span></span>')]
    """
    end = 0
    while (start := page.find(START, end)) >= 0:
        depth = 0
        for tag in SPAN.finditer(page, start):
            depth += -1 if tag[1] else 1
            if not depth:
                break
        end = page.index(">", tag.end()) + 1
        mathml, html = page[start:end].split(VISUAL, 1)
        found = MATHML.search(mathml)
        assert found
        yield Formula(start, end, found[0], html)


def in_words(mathml: str) -> str:
    r"""Write a formula in one line of plain text.

    >>> in_words("<math><mfrac><mi>q</mi><msqrt><mi>d</mi></msqrt></mfrac></math>")
    'q/√d'
    >>> in_words("<math><msub><mi>W</mi><mi>q</mi></msub><mo>−</mo><mn>1</mn></math>")
    'W_q − 1'
    """
    text = _in_one_line(ElementTree.fromstring(mathml))
    text = re.sub(r"\u2061\s*(?=\()", "", text).replace("\u2061", " ")
    return re.sub(r"\s+", " ", re.sub(r"\s+(?=[,)\]])|(?<=[(\[])\s+", "", text)).strip()


def tex_in_words(tex: str) -> str:
    r"""Write LaTeX in one line of plain text, while the book is built.

    >>> KaTeXServer.katex_server = Typesetter()
    >>> tex_in_words(r"q^\top k / \sqrt d")
    'q^⊤k/√d'
    >>> KaTeXServer.katex_server = KaTeXServer.katex_server.close()
    """
    assert KaTeXServer.katex_server
    formula = KaTeXServer.katex_server.render({"latex": tex, "katex_options": {}})
    return in_words(next(formulas(formula["html"])).mathml)


def _in_one_line(node: ElementTree.Element) -> str:
    parts = [_in_one_line(child) for child in node]
    match node.tag:
        case "mfrac":
            return f"{_bracketed(parts[0])}/{_bracketed(parts[1])}"
        case "msqrt":
            return f"√{_bracketed(''.join(parts))}"
        case "msub" | "munder":
            return f"{parts[0]}_{_bracketed(parts[1])}"
        case "msup" | "mover":
            return f"{parts[0]}^{_bracketed(parts[1])}"
        case "msubsup" | "munderover":
            return f"{parts[0]}_{_bracketed(parts[1])}^{_bracketed(parts[2])}"
        case "mspace":
            return " "
        case "mo" if node.text in SPACED_SIGNS:
            return f"{'' if node.text == ',' else ' '}{node.text} "
    return "".join(parts) or node.text or ""


def _bracketed(part: str) -> str:
    """Put an expression into brackets, unless it is a single number, name or sign."""
    return part if re.fullmatch(r"√?[\w.]*|.", part.strip()) else f"({part.strip()})"


def start_katex(app: Sphinx) -> None:
    try:
        KaTeXServer.katex_server = Typesetter()
    except RuntimeError as error:
        raise ExtensionError(str(error)) from None


def load_fonts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Let layout.html load the most frequent fonts early, on pages with formulas."""
    context["early_fonts"] = EARLY_FONTS if START in context.get("body", "") else ()


def write_style_sheet_and_fonts(app: Sphinx, error: Exception | None) -> None:
    if KaTeXServer.katex_server:
        KaTeXServer.katex_server.close()
        KaTeXServer.katex_server = None
    if error:
        return
    static = Path(app.outdir, "_static")
    pages = (Path(app.outdir, f"{name}.html").read_text("utf-8") for name in app.env.found_docs)
    shown = {formula.html for formula in chain.from_iterable(map(formulas, pages))}
    _write_style_sheet(static, shown)


def _write_style_sheet(static: Path, shown: set[str]) -> None:
    """Write the CSS rules that these formulas need, and subset fonts with their characters."""
    names = {*AROUND, "katex-mathml", "katex-display"}
    for html in shown:
        names.update(*(found.split() for found in CLASSES.findall(html)))
    found = set(chain.from_iterable(map(texts, shown)))
    sheet = (KATEX / "katex.min.css").read_text("utf-8")
    css = "".join(rules(sheet, names))
    for face in FACE.finditer(sheet):
        selectors = list(_selectors(face, css))
        shows = {text for around, text in found if any(classes <= around for classes in selectors)}
        if characters := set("".join(shows)):
            target = static / "katex" / f"{face['file']}.woff2"
            _write_font(KATEX / f"fonts/{target.name}", target, characters)
            css += f"{face['start']}url(katex/{target.name});font-display:block}}"
    (static / SHEET).write_text(css, "utf-8")


def texts(html: str) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the texts of a formula, each with the classes of all elements around it.

    >>> [(set(around - AROUND), text) for around, text in texts('<span class="a">x</span>&lt;')]
    [({'a'}, 'x'), (set(), '<')]
    """
    around = [AROUND]
    for end, tag, classes, text in PART.findall(html):
        if text:
            yield around[-1], unescape(text)
        elif tag == "span" and end:
            around = around[:-1] or [AROUND]  # also those of the elements around the formula end
        elif tag == "span":
            around.append(around[-1].union(classes.split()))


def rules(css: str, names: set[str]) -> Iterator[str]:
    """Yield the rules whose selectors use these class names and no others.

    >>> list(rules(".a .b:not(.x),.c{color:red}.a.c{color:blue}body{margin:0}", {"a", "b"}))
    ['.a .b:not(.x){color:red}']
    """
    for selectors, body in RULE.findall(css):
        kept = [one for one in selectors.split(",") if set() < _classes(one) <= names]
        if kept:
            yield f"{','.join(kept)}{{{body}}}"


def _classes(selector: str) -> set[str]:
    return set(CLASS.findall(NOT.sub("", selector)))


def _selectors(face: re.Match[str], css: str) -> Iterator[set[str]]:
    """Yield the classes of each selector that sets a font face in its weight and style."""
    for selectors, body in RULE.findall(css):
        if re.search(rf"\b{face['family']}\b", body):
            weight = "700" if "font-weight:700" in body else "400"
            style = "italic" if "font-style:italic" in body else "normal"
            if (weight, style) == (face["weight"], face["style"]):
                yield from map(_classes, selectors.split(","))


def _write_font(source: Path, target: Path, characters: set[str]) -> None:
    """Write a subset of a font without a name: its licence reserves the name for the whole font."""
    options = subset.Options(flavor="woff2", name_IDs=[COPYRIGHT, LICENCE, LICENCE_ADDRESS])
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(characters))
    cutter.subset(font)
    target.parent.mkdir(exist_ok=True)
    subset.save_font(font, str(target), options)
