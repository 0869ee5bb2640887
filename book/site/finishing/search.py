"""Search: Pagefind's index of the finished pages, made so that it knows Chinese too.

Chinese is written without spaces. Cut into overlapping pairs of characters, it is searched without
a dictionary: 掩蔽操作 is found where 掩蔽, 蔽操 and 操作 are, and a single character is the
beginning of a pair. (Dictionaries at both ends, Pagefind's and the browser's, cut differently and
then miss 加性注意力 on every page.) In the browser, book/web/search takes queries apart and puts
excerpts together in the same way.

A section that introduces a term of the glossary is found under the term's names, also where the
text has none of them: they are written below its heading, between signs that no excerpt shows.
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
from book.site.reading.formulas import formulas, in_words
from book.site.reading.terms import occurrence
from book.site.reference.glossary import introduced
from book.site.reference.pages import chapter

# What stands in an article and is not its text.
NOT_TEXT = ".cell_output, div.math, summary, button, script, noscript"
# What Pagefind brings, and the book's own list of results does without.
UNUSED = ("pagefind-*.*s", "wasm.unknown.pagefind")
# What a page does when its script does not load.
FAILED = "document.documentElement.dataset.search = 'failed'"
# Sphinx's own search, the words that it marks on a page, and its key "/".
SPHINX = {
    f"{name}.js"
    for name in ("searchtools", "language_data", "translations", "doctools", "sphinx_highlight")
}

# Around the names of a term: book/web/search takes out what stands between these signs.
_BEGIN, _CLOSE = "\u27e6", "\u27e7"
_WEIGHT = 'data-pagefind-weight="10"'

_ARTICLE = re.compile(r'<article class="bd-article">.*</article>', re.DOTALL)
_ASIDE = re.compile(r'<a class="headerlink".*?</a>|<span[^>]* role="tooltip".*?</span>')
_HEADING = re.compile(r'<section[^>]* id="([^"]+)">\s*((?:<span id="[^"]+"></span>)*)<(h\d)[^>]*>')
_BOLD = re.compile(r"<strong>(.*?)</strong>")
_TAG = re.compile(r"<[^>]+>")
_LABEL = re.compile(r'(?<=id=")(?:en|zh)-[^"]+')
_INLINE = re.compile(r"</?(?:a|code|em|span|strong)\b[^>]*>")
_WORDS = re.compile(r"(?<=>)[^<]+")
# Where Pagefind would not see that a block ends, and put a stop there.
_END = re.compile(r"\s+(?=</)")
_CHINESE = re.compile(rf"({HAN}+)|(?:(?!{HAN})[\u3000-\u303f\uff00-\uffef])+")


def in_pairs(text: str) -> str:
    """Write Chinese as pairs of characters, each a word, and its punctuation apart from words.

    >>> in_pairs("掩蔽操作，softmax。")
    ' 掩蔽 蔽操 操作 作  ， softmax 。 '
    """
    return _CHINESE.sub(lambda run: f" {' '.join(_cut(run[0]) if run[1] else [run[0]])} ", text)


def _cut(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run))]


def searchable(page: str, language: str, terms: Sequence[Sequence[str]] = ()) -> str:
    """Return what of a finished page can be found, each heading with the address of its section.

    Args:
        page: its HTML.
        language: "en" or "zh".
        terms: those that the page introduces, each with its names; the first is the glossary's.
    """
    article = _ARTICLE.search(page)
    if article is None:
        raise ExtensionError("a page without an article cannot be searched")
    text = _plain(_ASIDE.sub("", article[0]))
    text = _named(text, language, terms)
    text = _INLINE.sub("", _HEADING.sub(_heading, text))  # runs of Chinese cross inline markup
    text = text.replace("<pre", '<pre data-pagefind-weight="0.2"')  # what is said before its code
    text = _END.sub("", _WORDS.sub(lambda words: in_pairs(words[0]), text))
    # One filter with one value: of several Pagefind writes now this first, now that.
    mark = ' data-pagefind-filter="language:zh"' if language == "zh" else ""
    return f"<html><body{mark}>{text}</body></html>"


def _named(text: str, language: str, terms: Sequence[Sequence[str]]) -> str:
    """Write names of terms below the heading of the section in which each is looked for.

    It is the first whose heading has the term; else, behind the first screen, which only promises,
    the first that has it in bold, or at all; else the page.
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


def _plain(text: str) -> str:
    """Put words in the place of formulas."""
    parts, end = [], 0
    for formula in formulas(text):
        parts += [text[end : formula.start], escape(in_words(formula.mathml))]
        end = formula.end
    return "".join([*parts, text[end:]])


def _heading(found: re.Match[str]) -> str:
    section, labels, name = found.groups()
    label = _LABEL.search(labels)  # an author's, which stays when the heading is reworded
    return f'<section><{name} id="{label[0] if label else section}">'


def _copy(app: Sphinx, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    for name in app.env.found_docs - {app.config.root_doc}:
        page = (Path(app.outdir) / f"{name}.html").read_text(encoding="utf-8")
        copy = target / f"{name}.html"
        copy.parent.mkdir(parents=True, exist_ok=True)
        language = language_of(name).code
        terms = introduced(chapter(Path(name)), language)
        copy.write_text(searchable(page, language, terms), encoding="utf-8")


def index(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    copies, bundle = Path(app.doctreedir) / "searchable", Path(app.outdir) / "pagefind"
    _copy(app, copies)
    shutil.rmtree(bundle, ignore_errors=True)
    # One language, because what Pagefind would do about a second is done above.
    options = ["--quiet", "--keep-index-url", "--force-language=en"]
    paths = [f"--site={copies}", f"--output-path={bundle}", f"--exclude-selectors={NOT_TEXT}"]
    command = [sys.executable, "-m", "pagefind", *options, *paths]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode or made.stderr.strip() or not (bundle / "pagefind.js").exists():
        raise ExtensionError(f"no search index: {made.stdout}{made.stderr}")
    for path in (path for pattern in UNUSED for path in bundle.glob(pattern)):
        path.unlink()


def build_without_sphinx(app: Sphinx) -> None:
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False


def load_without_sphinx(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if Path(script.filename or "").name not in SPHINX]


def drop_scripts(app: Sphinx, error: Exception | None) -> None:
    for name in (
        *(f"_static/{script}" for script in SPHINX),
        "searchindex.js",
    ):  # an earlier build's
        (Path(app.outdir) / name).unlink(missing_ok=True)
