"""Compare equations, labels, references and structure of translations; check Chinese typography."""

import re
from collections.abc import Iterator

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from book.site.source.anchors import with_labels

EXTENSIONS = {"amsmath", "colon_fence", "dollarmath"}  # as in _config.yml
VERBATIM = {"code", "code-block", "code-cell", "literalinclude", "raw"}
REFERENCE_ROLES = {"eq", "numref", "prf:ref", "ref"}

_PARSER = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)
_PREFIX = re.compile(r"^#?(en|zh)-")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_TEXT = re.compile(r"\\text\{[^{}]*\}")
_COUNTED = r"(?:行|列|个查询|个键|个样本|个头)"
_FAULTS = {
    # Places count from 0, as in code, and are written 第 0 行; 第一行 could be row 0 or row 1.
    "ordinal": re.compile(
        rf"第[一二三四五六七八九十]{_COUNTED}|(?<![\d第个一两三四五六七八九十几每各多] )"
        rf"(?<![\d第个一两三四五六七八九十几每各多])(?:行|列|步) ?(?:\d+|[a-z]\b)"
    ),
    # · separates names; a product is a formula.
    "interpunct": re.compile(r"[\w)] ?· ?[\d(]|[\d)] ?· ?\w"),
    "percent": re.compile(r"\d\s+%"),
    # Full-width brackets need a full-width comma.
    "bracket": re.compile(r"（[^（）]*[\u3400-\u9fff],[^（）]*）"),
}


def has_chinese(text: str) -> bool:
    """Return whether a text contains a Chinese character."""
    return bool(_CHINESE.search(text))


def differences(english: str, chinese: str) -> list[str]:
    r"""List differences between two Markdown texts in what both languages must share.

    Compared in order: display equations, labels, heading levels, directives. Compared as sets:
    inline formulas, references, citations. `\text` in equations may be translated.

    >>> differences("Let $x$ be", "设 $y$ 为")
    ["formula: ['x'] became ['y']"]
    """
    ours, theirs = list(_parts(english)), list(_parts(chinese))
    kinds = dict.fromkeys(kind for kind, _ in ours + theirs)
    pairs = ((kind, _values(kind, ours), _values(kind, theirs)) for kind in kinds)
    return [f"{kind}: {en} became {zh}" for kind, en, zh in pairs if not _match(kind, en, zh)]


def shown_as_text(markdown: str) -> list[str]:
    r"""List MyST syntax that JupyterLab would show as text: labels, roles, directives, comments.

    >>> shown_as_text("(en-a)=\n# A\n\n{ref}`en-a`\n\n```{note}\nB\n```\n\n$$a$$ (en-b)")
    ['myst_target en-a', 'myst_role en-a', 'fence {note}', 'math_block_label en-b']
    >>> shown_as_text('<a id="en-a"></a>\n# A\n\n[A](#en-a)\n\n<!-- progress -->')
    []
    """
    tokens = _PARSER.parse(markdown)
    return [
        f"{each.type} {each.info or each.content}"
        for token in tokens
        for each in (token, *(token.children or []))
        if each.type.startswith("myst_")
        or each.type in ("colon_fence", "math_block_label")
        or (each.type == "fence" and each.info.startswith("{"))
    ]


def chinese_faults(text: str) -> list[str]:
    r"""List typographic faults in Chinese prose; formulas and code are not checked.

    >>> chinese_faults("行 0 占 9 %，等于 3 · 4，见（键, 值）")
    ['ordinal: 行 0', 'interpunct: 3 · 4', 'percent: 9 %', 'bracket: （键, 值）']
    >>> chinese_faults("第 0 行占 9%，等于 $3 + 4$，见威廉·詹姆斯")
    []
    """
    words = " ".join(_paragraphs(text))
    return [
        f"{kind}: {found[0]}" for kind, fault in _FAULTS.items() for found in fault.finditer(words)
    ]


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the text of each paragraph; formulas of more than one letter become "…"."""
    for token in _PARSER.parse(text):
        if token.type in ("fence", "colon_fence"):
            if not token.info.startswith("{math}") and token.info.startswith("{"):
                yield from _paragraphs(token.content)
            continue
        yield "".join(map(_token_text, token.children or []))


def _token_text(token: Token) -> str:
    if token.type == "text":
        return str(token.content)
    if token.type == "math_inline" and len(token.content) == 1:
        return str(token.content)
    return "\n" if token.type in ("softbreak", "hardbreak") else "…"


def _values(kind: str, parts: list[tuple[str, str]]) -> list[str]:
    return [value for each, value in parts if each == kind]


def _match(kind: str, english: list[str], chinese: list[str]) -> bool:
    if kind in ("formula", "reference", "citation"):
        return all(any(map(_equal, [en] * len(chinese), chinese)) for en in english) and all(
            any(map(_equal, english, [zh] * len(english))) for zh in chinese
        )
    return len(english) == len(chinese) and all(map(_equal, english, chinese))


def _equal(english: str, chinese: str) -> bool:
    if has_chinese(chinese):
        english, chinese = _TEXT.sub("", english), _TEXT.sub("", chinese)
    return english == chinese


def _parts(text: str) -> Iterator[tuple[str, str]]:
    for token in _PARSER.parse(with_labels(text)):
        for each in (token, *(token.children or [])):
            yield from _parts_of_token(each)


def _parts_of_token(token: Token) -> Iterator[tuple[str, str]]:
    match token.type:
        case "math_inline":
            yield "formula", _normalised(token.content)
        case "math_block" | "math_block_label" | "math_inline_double" | "amsmath":
            yield "equation", _normalised(token.content)
            if token.type == "math_block_label":
                yield "label", _without_prefix(token.info)
        case "myst_target":
            yield "label", _without_prefix(token.content)
        case "heading_open":
            yield "heading", token.tag
        case "link_open":
            yield from _reference("ref", str(token.attrs["href"]))
        case "myst_role":
            yield from _reference(token.meta["name"], token.content)
        case "fence" | "colon_fence":
            yield from _parts_of_fence(token)


def _parts_of_fence(token: Token) -> Iterator[tuple[str, str]]:
    directive = re.match(r"\{([\w:-]+)\}", token.info)
    if directive is None or directive[1] in VERBATIM:
        return
    yield "directive", directive[1]
    label = re.search(r"^:(?:label|name): *(\S+)", token.content, re.MULTILINE)
    if label:
        yield "label", _without_prefix(label[1])
    body = re.sub(r"\A(:.*\n)+", "", token.content)
    if directive[1] == "math":
        yield "equation", _normalised(body)
    else:
        yield from _parts(body)


def _reference(role: str, content: str) -> Iterator[tuple[str, str]]:
    target = re.sub(r".*<(.*)>$", r"\1", content)
    if role.startswith("cite"):
        yield from (("citation", _without_prefix(key.strip())) for key in target.split(","))
    elif role in REFERENCE_ROLES:
        yield "reference", _without_prefix(target)


def _without_prefix(label: str) -> str:
    return _PREFIX.sub("", label)


def _normalised(equation: str) -> str:
    return " ".join(equation.split())
