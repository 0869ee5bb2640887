"""Write the bibliographies from `book/references.bib`: `python -m tools.bibliography`.

The generated pages are committed because JupyterLab opens them. A work's anchor is `en-bib-KEY` or
`zh-bib-KEY`; pages cite it as `[…](bibliography.md#en-bib-KEY)`. The list of citing chapters is
collected from the pages.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pybtex.database import Entry, Person, parse_file

from attention_figures.languages import LANGUAGES
from book.site.languages import HAN
from book.site.reference.pages import chapter, title
from tools.notebooks import BOOK
from tools.replacing import write

SOURCE = BOOK / "references.bib"
_WORKS = re.compile(r'<a id="(?:en|zh)-bib-.*', re.DOTALL)


def generated(page: Path) -> str:
    """Return a bibliography page with its list of works regenerated, sorted by author and year."""
    others = sorted(path for path in page.parent.iterdir() if path.suffix in (".ipynb", ".md"))
    texts = {path: path.read_text(encoding="utf-8") for path in others if path != page}
    works = sorted(parse_file(SOURCE, "bibtex").entries.values(), key=_sort_key)
    entries = "\n\n".join(_entry(work, page.parent.name, texts) for work in works)
    return _WORKS.sub("", page.read_text(encoding="utf-8")) + entries + "\n"


def _entry(work: Entry, language: str, texts: dict[Path, str]) -> str:
    label = f"{language}-bib-{work.key}"
    citing = [page for page, text in texts.items() if re.search(rf"#{label}\b", text)]
    reference = " ".join(_reference(work, language))
    between = "" if language == "zh" else " "
    note = between.join([work.fields[f"note_{language}"], _cited_in(citing, language)])
    return f'<a id="{label}"></a>\n**{name(work, language)}** {reference}\\\n{note}'


def name(work: Entry, language: str) -> str:
    """Return the name of a work in the text: authors and year, with a letter if ambiguous.

    >>> name(parse_file(SOURCE, "bibtex").entries["cho2014b"], "en")
    'Cho et al. (2014b).'
    """
    year = re.search(r"\d{4}[a-z]?$", work.key)
    if not year:
        raise ValueError(f"a key ends in the year and at most one letter; got {work.key!r}")
    last = [" ".join([*person.prelast_names, *person.last_names]) for person in _authors(work)]
    if language == "zh":
        return f"{last[0] if len(last) == 1 else _several_in_chinese(last)}（{year[0]}）"
    both = " and ".join(last)
    return f"{both if len(last) < 3 else last[0] + ' et al.'} ({year[0]})."


def _several_in_chinese(last: list[str]) -> str:
    space = (
        "" if re.search(HAN, last[0]) else " "
    )  # Latin names are separated from Chinese characters
    return f"{space}和{space}".join(last) if len(last) == 2 else f"{last[0]}{space}等"


def _authors(work: Entry) -> list[Person]:
    return list(work.persons["author"])


def _sort_key(work: Entry) -> tuple[str, str]:
    return " ".join(_authors(work)[0].last_names), work.key


def _reference(work: Entry, language: str) -> Iterator[str]:
    field = work.fields
    yield _listed(work, language) + "."
    chinese = re.search(HAN, field["title"])  # title marks instead of italics
    end = "" if field["title"].endswith("?") else "."
    yield f"《{field['title']}》{end}" if chinese else f"*{field['title']}*{end}"
    place = [field.get(key) for key in ("journal", "booktitle", "publisher")]
    yield ", ".join([*filter(None, place), *_details(work, language)]) + "."
    yield " · ".join(_links(work))


def _listed(work: Entry, language: str) -> str:
    """Return the authors; BibTeX's "and others" stands for the rest of a long list.

    >>> _listed(parse_file(SOURCE, "bibtex").entries["touvron2023"], "en")
    'Hugo Touvron, Louis Martin, Kevin Stone et al'
    """
    authors = [
        " ".join([*p.first_names, *p.middle_names, *p.prelast_names, *p.last_names])
        for p in _authors(work)
    ]
    if authors[-1] != "others":
        return ", ".join(authors)
    return ", ".join(authors[:-1]) + (" 等" if language == "zh" else " et al")


def _details(work: Entry, language: str) -> Iterator[str]:
    field, chinese = work.fields, language == "zh"
    if "edition" in field:
        yield f"第 {field['edition']} 版" if chinese else f"edition {field['edition']}"
    if "volume" in field:
        yield field["volume"] + (f" ({field['number']})" if "number" in field else "")
    yield field["year"]
    if "pages" in field:
        pages = field["pages"].replace("--", "–")
        if "–" in pages:
            yield f"{pages} 页" if chinese else f"pages {pages}"
        else:  # a journal with article numbers instead of pages
            yield f"文章编号 {pages}" if chinese else f"article {pages}"


def _links(work: Entry) -> Iterator[str]:
    field = work.fields
    if "doi" in field:
        yield f"[doi:{field['doi']}](<https://doi.org/{field['doi']}>)"
    if "eprint" in field:
        yield f"[arXiv:{field['eprint']}](https://arxiv.org/abs/{field['eprint']})"
    if "url" in field:
        yield f"[{field['url'].split('//')[1].rstrip('/')}]({field['url']})"


def _cited_in(pages: Iterable[Path], language: str) -> str:
    chapters = [f"[{number}]({page.name})" for page in pages if (number := chapter(page))]
    others = [f"[{title(page)}]({page.name})" for page in pages if not chapter(page)]
    if language == "zh":
        cited = [f"第 {'、'.join(chapters)} 章"] * bool(chapters) + others
        return f"见{'、'.join(cited)}。" if cited else "可供延伸阅读。"
    plural = "s" if len(chapters) > 1 else ""
    cited = [f"chapter{plural} {', '.join(chapters)}"] * bool(chapters) + others
    return f"Cited in {', '.join(cited)}." if cited else "For further reading."


def main() -> None:
    """Write both bibliographies."""
    for language in LANGUAGES:
        page = BOOK / language / "bibliography.md"
        write(page, generated(page))


if __name__ == "__main__":
    main()
