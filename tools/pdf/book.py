"""Join the parts of a book on paper behind a cover and a table of contents."""

import json
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path

from bs4 import Tag

from attention_course.translated import Text
from attention_figures.bundle import stylesheet
from book.site.languages import Language
from tools.archive import NAME, ROOT
from tools.pdf.part import first

CONTENTS = Text("Contents", "目录")
EDITION = Text("Version {}", "版本 {}")
DATED = Text("Version {}, {}", "版本 {}，{}")
CC_BY = "https://creativecommons.org/licenses/by/4.0/"
LICENCE = Text("Text and figures: {}. Code: MIT.", "文字与图采用 {} 许可，代码采用 MIT 许可。")
ABOUT = Text(
    "This is the course on paper. Its figures stand still: each is drawn as it looks before anyone "
    "has moved it, with its question. All answers are at the end of the chapter.",
    "这是本课程的纸面版。书中的图不能操作，画的都是动手之前的样子，图上的问题仍然保留，答案统一放在每章末尾。",
)
LIVE = Text("The live figures are at {}", "可以操作的图见 {}")
VERSION = version("attention_lib")


@dataclass(frozen=True)
class Edition:
    """What the cover and the properties of a book say.

    Attributes:
        language: its language.
        url: address of the published site, with a slash at its end, or "".
        date: time of the commit in ISO 8601, or "".
    """

    language: Language
    url: str
    date: str

    @classmethod
    def of(cls, language: Language, url: str) -> "Edition":
        """Return the edition of the present commit."""
        return cls(language, url, _commit_date())

    @property
    def title(self) -> str:
        """The title of the book."""
        return self.language.title

    def said(self, text: Text) -> str:
        """Return a text in the language of the book."""
        return text.into("zh" if self.language.code == "zh" else "en")

    def dates(self) -> dict[str, str]:
        """Return the properties of a PDF that hold a date; none where the date is not known."""
        if not self.date:
            return {}
        utc = datetime.fromisoformat(self.date).astimezone(UTC)
        return dict.fromkeys(("/CreationDate", "/ModDate"), utc.strftime("D:%Y%m%d%H%M%SZ"))


def file_name(language: Language) -> str:
    """Return the name of the PDF in a language.

    >>> from book.site.languages import ENGLISH
    >>> file_name(ENGLISH).endswith("-en.pdf")
    True
    """
    return f"{NAME}-{language.code}.pdf"


def _commit_date() -> str:
    """Return the time of the commit, "" outside a clone."""
    command = ["git", "log", "-1", "--format=%cI"]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    except OSError:  # there is no Git
        return ""


def as_book(parts: list[Tag], edition: Edition) -> str:
    """Return the book as one page of HTML, whose relative links are those of the parts.

    Numbers of pages are still missing: an element with `data-page-of` names the id of the place
    whose number it will hold.
    """
    for part in parts:
        part["style"] = f"page: {_page_name(part)}"
    heads = "".join(map(_running_head, parts))
    return f"""<!doctype html>
<html lang="{edition.language.tag}" data-theme="light">
<meta charset="utf-8">
<title>{escape(edition.title)}</title>
<link rel="stylesheet" href="../../_static/theme.css">
<style>{stylesheet()}</style>
<link rel="stylesheet" href="../../_static/site.css">
<style>{heads}{Path(__file__).with_name("paper.css").read_text("utf-8")}</style>
<main class="bd-main"><div class="bd-content"><div class="bd-article-container">
{_cover(edition)}
{_contents(parts, edition)}
{"".join(map(str, parts))}
</div></div></main>
"""


def _page_name(part: Tag) -> str:
    return f"part-{part['id']}".rstrip("-")


def _running_head(part: Tag) -> str:
    """Return the rule that prints the title of a part above each of its pages."""
    title = json.dumps(_title(first(part, "h1")), ensure_ascii=False)
    return f"@page {_page_name(part)} {{ @top-right {{ content: {title} }} }}\n"


def _title(heading: Tag) -> str:
    return " ".join(heading.get_text().split())


def _cover(edition: Edition) -> str:
    dated = edition.said(DATED if edition.date else EDITION)
    said = [dated.format(VERSION, edition.date[:10]), edition.said(ABOUT)]
    if edition.url:
        link = f'<a href="{escape(edition.url)}">{escape(edition.url)}</a>'
        said.append(edition.said(LIVE).format(link))
    said.append(edition.said(LICENCE).format(f'<a href="{CC_BY}">CC BY 4.0</a>'))
    lines = "".join(f"<p>{line}</p>" for line in said)
    title = f'<p class="book-title">{escape(edition.title)}</p>'
    return f'<article class="bd-article cover">{title}{lines}</article>'


def _contents(parts: list[Tag], edition: Edition) -> str:
    entries = "".join(
        f'<li class="in-{heading.name}"><a href="#{place}">{escape(_title(heading))}</a><i></i>'
        f'<span data-page-of="{place}"></span></li>'
        for part in parts
        for heading, place in _headings(part)
    )
    title = escape(edition.said(CONTENTS))
    return f'<article class="bd-article contents"><h1>{title}</h1><ol>{entries}</ol></article>'


def _headings(part: Tag) -> list[tuple[Tag, str]]:
    """Return the title and the sections of a part, each with the id of its place."""
    sections = [(heading, str(heading["id"])) for heading in part.select("section > h2")]
    return [(first(part, "h1"), str(part["id"])), *sections]
