"""Add tooltips to glossary terms in running text: the definition and the other language's term.

A term is marked at its first occurrence in each section, starting with the chapter that introduces
it: "view" is a plain word before chapter 4, and a term from there on. Titles, emphasis, links, code
and tables are left alone. The Tab key stops at a term once per page; hover, click and tap work
everywhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from html import escape
from itertools import count
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.site.languages import OTHER
from book.site.reference.glossary import SOURCE, Entry
from book.site.reference.pages import chapter

# Words and phrases that contain a term but do not mean it.
DECOYS = {
    "en": "in view of|point of view|ranks|rank keys|compares each number|opens a window"
    r"|at its\s+head|head of the chapter|kernel for everybody|kernel of their\s+own|for a kernel"
    r"|kernel may|kernel that wants|its kernel|kernels share|kernels can|without a kernel"
    r"|makes a kernel|makes one kernel",
    "zh": "均值|数值|大值|小值|比值|赋值|取值|始值|初值|峰值|负值|正值|绝对值|估计值|阈值|极值"
    "|权值|真值|差值|特征值|值得|值域|关键|按键|键盘|方向键|空格键|回车键|核对|核心|内核|交叉熵"
    "|奇异值分解|价值|返回值|核值|等值线|什么值|单元的值|一些的值|给定的值"
    "|秩序|小批量|划分数|部分数|百分数|可分解|有个前提|请注意|还要注意|需要注意|注意到|注意："
    "|箭头|开头|回头|到头来|头五分钟|从头拖|投影机|可以投影|单核|两个核、|一个核，|A 键"
    "|另开一个窗口"
    "|右边对齐|对齐左上|对齐右下|左上对齐|右下对齐|要比较|逐一比较|并排比较|实验中比较|比较“",
}
TERM = "term"  # CSS class
RUNNING = (
    nodes.paragraph,
    nodes.list_item,
    nodes.bullet_list,
    nodes.enumerated_list,
    nodes.block_quote,
)


class MarkTerms(SphinxPostTransform):
    """Mark the first occurrence of each term in every section below a page's title."""

    def run(self, **kwargs: object) -> None:
        """Mark the terms of a page, except in the glossary, which shows both languages anyway."""
        page = Path(self.env.docname)
        language = page.parent.name
        if language not in OTHER or page.name == "glossary":
            return
        numbers = count()
        marked: set[str] = set()
        seen: dict[nodes.section, set[str]] = defaultdict(set)
        for text in list(self.document.findall(nodes.Text)):
            if section := _section(text):
                found = terms(text.astext(), language, chapter(page), seen[section])
                parts = [_term_node(*part, language, numbers, marked) for part in found]
                text.parent.replace(text, parts)


def _section(text: nodes.Text) -> nodes.section | None:
    """Return the topmost section below the page's title that contains a running text."""
    node = text.parent
    while isinstance(node, RUNNING):
        node = node.parent
    if not isinstance(node, nodes.section):
        return None
    above = [node]
    while isinstance(above[0].parent, nodes.section):
        above.insert(0, above[0].parent)
    return above[:2][-1]


def _term_node(
    text: str, name: str, language: str, numbers: Iterator[int], marked: set[str]
) -> nodes.Node:
    if not name:
        return nodes.Text(text)
    stop = -1 if name in marked else 0
    marked.add(name)
    entry, other = _entries()[name], OTHER[language]
    place = f"definition-{next(numbers)}"
    term = nodes.inline("", "", classes=[TERM])
    term += nodes.raw("", f'<span tabindex="{stop}" aria-describedby="{place}">', format="html")
    term += nodes.Text(text)
    # No `small` is nested in it, so that a pattern can find its end.
    term += nodes.raw("", f'</span><small id="{place}" role="tooltip">', format="html")
    # On a phone the tooltip is far from the term, so it repeats it.
    term += nodes.raw("", f'<b class="own">{escape(entry[language])}</b> ', format="html")
    term += [*_inline(entry[f"meaning_{language}"])]
    counterpart = entry[other.code]
    if counterpart.casefold() != entry[language].casefold():
        term += nodes.raw("", f' <b lang="{other.tag}">{escape(counterpart)}</b>', format="html")
    term += nodes.raw("", "</small>", format="html")
    return term


def _inline(markdown: str) -> Iterator[nodes.Node]:
    """Parse the markup of definitions, formulas and code."""
    for part in re.split(r"(\$[^$]+\$|`[^`]+`)", markdown):
        kind = {"$": nodes.math, "`": nodes.literal}.get(part[:1])
        yield kind("", part[1:-1]) if kind else nodes.Text(part)


def terms(
    text: str, language: str, number: int | None, seen: set[str]
) -> Iterator[tuple[str, str]]:
    """Split a text of chapter `number` into parts, each with its id if it is a new term.

    >>> list(terms("All queries, each query.", "en", 1, set()))
    [('All ', ''), ('queries', 'query'), (', each query.', '')]
    >>> list(terms("注意力权重的均值", "zh", None, set()))  # neither 注意力 nor 值
    [('', ''), ('注意力权重', 'attention-weight'), ('的均值', '')]
    >>> list(terms("回头看一个头", "zh", 10, set()))
    [('回头看一个', ''), ('头', 'head'), ('', '')]
    >>> list(terms("a view", "en", 3, set())), list(terms("a view", "en", 4, set()))
    ([('a view', '')], [('a ', ''), ('view', 'view'), ('', '')])
    >>> list(terms("也比较少", "zh", 12, set()))  # a term in chapter 9 alone
    [('也比较少', '')]
    """
    end = 0
    pattern, names = _vocabulary(language, number)
    for match in pattern.finditer(text):
        name = names[match.lastindex - 1] if match.lastindex else ""
        if name and name not in seen:
            seen.add(name)
            yield text[end : match.start()], ""
            yield match[0], name
            end = match.end()
    yield text[end:], ""


@cache
def _vocabulary(language: str, number: int | None) -> tuple[re.Pattern[str], list[str]]:
    """Return a pattern with a group for each term, longest first, and their ids."""
    forms: list[tuple[str, str]] = [(decoy, "") for decoy in DECOYS[language].split("|")]
    for name, entry in _entries().items():
        if _is_marked(entry, number):
            forms += [(form, name) for form in _forms(entry[language])]
    forms.sort(key=lambda form: -len(form[0]))
    words = (_inflected(form, language) if name else f"(?:{form})" for form, name in forms)
    edges = r"(?<![\w-])(?:%s)(?![\w-])" if language == "en" else "%s"
    pattern = re.compile(edges % "|".join(words), re.IGNORECASE)
    return pattern, [name for _, name in forms if name]


def _is_marked(entry: Entry, number: int | None) -> bool:
    if "marked" in entry:
        return number in entry["marked"]
    return number is None or entry["chapter"] <= number


@cache
def _entries() -> dict[str, Entry]:
    """Return the terms of the glossary, by their ids."""
    entries = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))["terms"]
    return {entry["id"]: entry for entry in entries}


def _forms(name: str) -> list[str]:
    """Return the names in an entry; a Chinese entry may have another one in brackets.

    >>> _forms("dropout（暂退法）")
    ['dropout', '暂退法']
    """
    return [form for form in re.split("[（）]", name) if form]


def _inflected(form: str, language: str) -> str:
    """Return a pattern, with one group, for a term with plural endings and line breaks.

    >>> re.fullmatch(_inflected("query", "en"), "queries")[1]
    'queries'
    """
    pattern = re.escape(form)
    if language == "zh":  # the space between Chinese and Latin is optional
        return "(" + pattern.replace(r"\ ", r"\s*") + ")"
    pattern = re.sub("y$", "(?:y|ies)", re.sub("is$", "[ie]s", pattern)).replace(r"\ ", r"\s+")
    return f"({pattern}" + ("" if form.endswith(("is", "y")) else "(?:e?s)?") + ")"


def occurrence(name: str, language: str) -> Callable[[str], bool]:
    """Return a predicate that tests whether a text contains a term in one of its forms.

    >>> is_there = occurrence("query", "en")
    >>> is_there("Two queries"), is_there("a subquery")
    (True, False)
    """
    forms = "|".join(_inflected(form, language) for form in _forms(name))
    edges = r"(?<![\w-])(?:%s)(?![\w-])" if language == "en" else "%s"
    pattern = re.compile(edges % forms, re.IGNORECASE)
    return lambda text: pattern.search(text) is not None


def digest_glossary(app: Sphinx, config: Config) -> None:
    config.terms_digest = sha256(SOURCE.read_bytes()).hexdigest()
