"""Add what search engines and previews of links read, if the address of the site is known.

Each page names its versions in both languages and has Open Graph properties; front pages and
chapters have JSON-LD. The site gets sitemap.xml and robots.txt. Sphinx adds the canonical links.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
from sphinx.application import Sphinx

from attention_figures.inline_json import inline_json
from book.site.languages import ENGLISH, LANGUAGES, OTHER, language_of
from book.site.output import cards
from book.site.reference.objectives import objectives
from book.site.reference.pages import chapter
from book.site.source.formulas import tex_in_words

LICENCE = "https://creativecommons.org/licenses/by/4.0/"  # of text and figures
LOCALES = {"en": "en_GB", "zh": "zh_CN"}
LEVEL = {"en": "undergraduate and graduate", "zh": "本科与研究生"}
KIND = {"en": "chapter with interactive figures and exercises", "zh": "带交互图和练习的章节"}
CONTRIBUTORS = {"en": "The contributors", "zh": "本书的贡献者"}
TRANSLATION = {"en": "workTranslation", "zh": "translationOfWork"}  # schema.org's relation to it
XMLNS = {
    "xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xmlns:xhtml": "http://www.w3.org/1999/xhtml",
}


def add_metadata(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add `metadata` to the template context; the redirection at the root has the root page's."""
    page = app.config.root_doc if pagename == "index" else pagename
    if app.config.html_baseurl and page in app.env.found_docs:
        context["metadata"] = {
            "url": url(app, page),
            "versions": versions(app, page),
            "properties": _properties(app, page),
            "json_ld": inline_json(record) if (record := _json_ld(app, page)) else "",
        }


def url(app: Sphinx, page: str) -> str:
    """Return the absolute URL of a page."""
    return f"{app.config.html_baseurl}{app.builder.get_target_uri(page)}"


def versions(app: Sphinx, page: str) -> dict[str, str]:
    """Return the URLs of a page in all languages, by `hreflang`; all of them return the same.

    The default is the English page, or the root page for the front pages.
    """
    pages = {language.tag: language.page(page) for language in LANGUAGES}
    english = ENGLISH.page(page)
    pages["x-default"] = app.config.root_doc if english == ENGLISH.home else english
    return {tag: url(app, version) for tag, version in pages.items()}


def _properties(app: Sphinx, page: str) -> list[tuple[str, str]]:
    """Return the Open Graph properties of a page."""
    language = language_of(page)
    return [
        ("og:type", "article" if chapter(Path(page)) else "website"),
        ("og:site_name", language.title),
        ("og:title", _title(app, page)),
        ("og:description", _description(app, page)),
        ("og:url", url(app, page)),
        ("og:locale", LOCALES[language.code]),
        ("og:locale:alternate", LOCALES[OTHER[language.code].code]),
        ("og:image", _image(app, page)),
        ("og:image:type", "image/png"),
        ("og:image:width", str(cards.WIDTH)),
        ("og:image:height", str(cards.HEIGHT)),
        ("og:image:alt", cards.ALT[language.code].format(_title(app, cards.subject(app, page)))),
    ]


def _title(app: Sphinx, page: str) -> str:
    return str(app.env.titles[page].astext())


def _description(app: Sphinx, page: str) -> str:
    return str(app.env.metadata[page]["description"])


def _image(app: Sphinx, page: str) -> str:
    return f"{app.config.html_baseurl}{cards.file(cards.subject(app, page))}"


def _json_ld(app: Sphinx, page: str) -> dict[str, Any] | None:
    """Return the record of a front page or a chapter in the terms of schema.org."""
    language, number = language_of(page), chapter(Path(page))
    if not number and page != language.home:
        return None
    record = {
        "@context": "https://schema.org",
        **_reference(app, page),
        "description": _description(app, page),
        "image": _image(app, page),
        "inLanguage": language.tag,
        "isAccessibleForFree": True,
        "license": LICENCE,
        TRANSLATION[language.code]: _reference(app, OTHER[language.code].page(page)),
    }
    if number:
        notebook = nbformat.read(app.env.doc2path(page), as_version=4)
        return record | {
            "position": number,
            "isPartOf": _reference(app, language.home),
            "learningResourceType": KIND[language.code],
            "teaches": [_plain(objective) for objective in objectives(notebook)],
        }
    return record | {
        "educationalLevel": LEVEL[language.code],
        "provider": _provider(app, language.code),
        "hasPart": [
            _reference(app, name) | {"position": chapter(Path(name))}
            for name in sorted(app.env.found_docs)
            if language.has(name) and chapter(Path(name))
        ],
    }


def _reference(app: Sphinx, page: str) -> dict[str, Any]:
    """Return type, address and name of a front page or a chapter."""
    kind = "LearningResource" if chapter(Path(page)) else "Course"
    return {"@type": kind, "@id": url(app, page), "url": url(app, page), "name": _title(app, page)}


def _provider(app: Sphinx, code: str) -> list[dict[str, str]] | dict[str, str]:
    people = [{"@type": "Person", "name": name} for name in app.config.html_context["authors"]]
    return people or {"@type": "Organization", "name": CONTRIBUTORS[code]}


def _plain(markdown: str) -> str:
    """Return the text of a learning objective, which has formulas and code but no links."""
    return re.sub(r"\$(.+?)\$", lambda tex: tex_in_words(tex[1]), markdown).replace("`", "")


def write_sitemap(app: Sphinx, error: Exception | None) -> None:
    """Write sitemap.xml and robots.txt; delete those of an earlier build with an address."""
    sitemap, robots = Path(app.outdir, "sitemap.xml"), Path(app.outdir, "robots.txt")
    sitemap.unlink(missing_ok=True)
    robots.unlink(missing_ok=True)
    if error or not app.config.html_baseurl:
        return
    root = ElementTree.Element("urlset", XMLNS)
    for page in sorted(app.env.found_docs):
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = url(app, page)
        for tag, version in versions(app, page).items():
            link = {"rel": "alternate", "hreflang": tag, "href": version}
            ElementTree.SubElement(entry, "xhtml:link", link)
    ElementTree.indent(root)
    sitemap.write_bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True))
    there = f"{app.config.html_baseurl}{sitemap.name}"
    robots.write_text(f"User-agent: *\nAllow: /\nSitemap: {there}\n", "utf-8")
