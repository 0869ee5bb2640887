"""Build the Pagefind search index from the HTML output, with bigrams for Chinese.

Chinese is written without spaces. We index overlapping pairs of characters (bigrams), which need no
word segmentation: 掩蔽操作 matches where 掩蔽, 蔽操 and 操作 occur, and a single character is the
prefix of a pair. (Pagefind's and the browser's dictionaries segment differently and then miss
加性注意力 on every page.) In the browser, book/web/search splits queries and joins excerpts in the
same way.

A section that introduces a glossary term can be found by the term's names even if its text has none
of them: they are inserted below its heading, between delimiters that no excerpt shows.
Solutions are not indexed, because an excerpt would give them away.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ExtensionError

from book.site.languages import HAN, language_of
from book.site.reference.glossary import introduced
from book.site.reference.pages import chapter
from book.site.source.formulas import formulas, in_words
from book.site.source.terms import occurrence

# Parts of an article that are not indexed.
NOT_TEXT = ".cell_output, div.math, summary, button, script, noscript"
# Pagefind's own interface, which the book replaces.
UNUSED = ("pagefind-*.*s", "wasm.unknown.pagefind")
# The `onerror` of the search script.
# Sphinx's own search, its highlighting, and its shortcut "/".
SPHINX_SCRIPTS = {
    f"{name}.js"
    for name in ("searchtools", "language_data", "translations", "doctools", "sphinx_highlight")
}

# Delimiters of a term's names: book/web/search removes the text between them.
_BEGIN, _CLOSE = "\u27e6", "\u27e7"
_WEIGHT = 'data-pagefind-weight="10"'

_ARTICLE = re.compile(r'<article class="bd-article">.*</article>', re.DOTALL)
# A tooltip with a formula crosses lines. A solution is the fold around the place that is linked.
_ASIDE = re.compile(
    r'<a class="headerlink".*?</a>|<small[^>]* role="tooltip".*?</small>'
    r'|<details[^>]*>(?:(?!</details>).)*? id="solution-.*?</details>',
    re.DOTALL,
)
_HEADING = re.compile(r'<section[^>]* id="([^"]+)">\s*((?:<span id="[^"]+"></span>)*)<(h\d)[^>]*>')
_BOLD = re.compile(r"<strong>(.*?)</strong>")
_TAG = re.compile(r"<[^>]+>")
_LABEL = re.compile(r'(?<=id=")(?:en|zh)-[^"]+')
_INLINE = re.compile(r"</?(?:a|code|em|span|strong)\b[^>]*>")
_WORDS = re.compile(r"(?<=>)[^<]+")
# Trailing space keeps Pagefind from seeing that a block ends, where it would insert a stop.
_END = re.compile(r"\s+(?=</)")
_CHINESE = re.compile(rf"({HAN}+)|(?:(?!{HAN})[\u3000-\u303f\uff00-\uffef])+")


def in_pairs(text: str) -> str:
    """Split Chinese into overlapping pairs of characters, and separate its punctuation.

    >>> in_pairs("掩蔽操作，softmax。")
    ' 掩蔽 蔽操 操作 作  ， softmax 。 '
    """
    return _CHINESE.sub(lambda run: f" {' '.join(_pairs(run[0]) if run[1] else [run[0]])} ", text)


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run))]


def searchable(page: str, language: str, terms: Sequence[Sequence[str]] = ()) -> str:
    """Return the indexable HTML of a page, each heading with the id of its section.

    Args:
        page: its HTML.
        language: "en" or "zh".
        terms: the terms that the page introduces, each with its names; the first is the glossary's.
    """
    article = _ARTICLE.search(page)
    if article is None:
        raise ExtensionError("a page without an article cannot be searched")
    text = _formulas_as_text(_ASIDE.sub("", article[0]))
    text = _with_term_names(text, language, terms)
    text = _INLINE.sub("", _HEADING.sub(_heading, text))  # runs of Chinese cross inline markup
    text = text.replace("<pre", '<pre data-pagefind-weight="0.2"')  # prose ranks before code
    text = _END.sub("", _WORDS.sub(lambda words: in_pairs(words[0]), text))
    # One filter with one value: Pagefind writes several values in random order.
    mark = ' data-pagefind-filter="language:zh"' if language == "zh" else ""
    return f"<html><body{mark}>{text}</body></html>"


def _with_term_names(text: str, language: str, terms: Sequence[Sequence[str]]) -> str:
    """Insert the names of each term below the heading of the section that introduces it.

    That is the first section whose heading has the term; otherwise the first after the opening
    (which only announces terms) that has it in bold, then in plain text; otherwise the page.
    """
    starts = [found.end() for found in _HEADING.finditer(text)]
    if not starts:
        return text
    ends = [text.index("</h", start) for start in starts]
    headings = [_TAG.sub("", text[a:b]) for a, b in zip(starts, ends, strict=True)]
    bodies = [text[a:b] for a, b in zip(ends[1:], [*starts[2:], len(text)], strict=True)]
    bold = [" ".join(_BOLD.findall(body)) for body in bodies]
    places = [*enumerate(headings), *enumerate(bold, 1), *enumerate(bodies, 1), (0, None)]
    below: dict[int, list[str]] = defaultdict(list)
    for names in terms:
        is_there = occurrence(names[0], language)
        section = next(i for i, said in places if said is None or is_there(_TAG.sub("", said)))
        heading = headings[section].casefold()
        below[section] += [name for name in names if name.casefold() not in heading]
    for section, several in sorted(below.items(), reverse=True):
        if several:
            said = f"{_BEGIN} {escape(', '.join(dict.fromkeys(several)))} {_CLOSE}"
            end = ends[section] + len("</h1>")
            text = f"{text[:end]}<p {_WEIGHT}>{said}</p>{text[end:]}"
    return text


def _formulas_as_text(text: str) -> str:
    """Replace formulas with plain text."""
    parts, end = [], 0
    for formula in formulas(text):
        parts += [text[end : formula.start], escape(in_words(formula.mathml))]
        end = formula.end
    return "".join([*parts, text[end:]])


def _heading(found: re.Match[str]) -> str:
    section, labels, name = found.groups()
    label = _LABEL.search(labels)  # set by the author, stable when the heading is reworded
    return f'<section><{name} id="{label[0] if label else section}">'


def _write_searchable_pages(app: Sphinx, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    for name in app.env.found_docs - {app.config.root_doc}:
        page = (Path(app.outdir) / f"{name}.html").read_text(encoding="utf-8")
        copy = target / f"{name}.html"
        copy.parent.mkdir(parents=True, exist_ok=True)
        language = language_of(name).code
        terms = introduced(chapter(Path(name)), language)
        copy.write_text(searchable(page, language, terms), encoding="utf-8")


def build_index(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    copies, bundle = Path(app.doctreedir) / "searchable", Path(app.outdir) / "pagefind"
    _write_searchable_pages(app, copies)
    shutil.rmtree(bundle, ignore_errors=True)
    # One language: the text above is already split into words for both.
    options = ["--quiet", "--keep-index-url", "--force-language=en"]
    paths = [f"--site={copies}", f"--output-path={bundle}", f"--exclude-selectors={NOT_TEXT}"]
    command = [sys.executable, "-m", "pagefind", *options, *paths]
    made = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if made.returncode or made.stderr.strip() or not (bundle / "pagefind.js").exists():
        raise ExtensionError(f"no search index: {made.stdout}{made.stderr}")
    for path in (path for pattern in UNUSED for path in bundle.glob(pattern)):
        path.unlink()


def disable_sphinx_search(app: Sphinx) -> None:
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False


def remove_sphinx_scripts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    scripts = context["script_files"]
    scripts[:] = [
        script for script in scripts if Path(script.filename or "").name not in SPHINX_SCRIPTS
    ]


def delete_sphinx_scripts(app: Sphinx, error: Exception | None) -> None:
    for name in (
        *(f"_static/{script}" for script in SPHINX_SCRIPTS),
        "searchindex.js",
    ):  # left by an earlier build
        (Path(app.outdir) / name).unlink(missing_ok=True)
