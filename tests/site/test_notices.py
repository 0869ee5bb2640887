"""Test the notices of third-party software: complete, and without outdated entries."""

import gzip
import json
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import urljoin

import pydata_sphinx_theme
import pytest
import sphinx_book_theme
from book_pages import BOOK, CHINESE, PAGES, ROOT, ROOT_PAGE, SEARCH
from bs4 import BeautifulSoup

from attention_figures.frontend import FIGURES
from book.site.output.scripts import PAGES as SCRIPTS
from book.site.output.scripts import built
from book.site.reference.components import COMPONENTS, Component, bundled

ParseHtml = Callable[[str], BeautifulSoup]

OWN = [
    *PAGES,
    *("index.html", "404.html", ".nojekyll", "book/*.translation.js", "_sources/book/*"),
    *("_images/*.png", "_images/*.svg"),
    *(f"_static/{path.relative_to(SCRIPTS.built).as_posix()}" for path in built()),
    *("_static/figures-*.css", "_static/figures-*.js", "_static/licences/*.txt"),
    "_static/review/*.js",
    *(f"_static/{path.name}" for path in (ROOT / "book/_static").iterdir()),
    "_static/exercises/*.js",
    *(f"pagefind/{part}" for part in ("filter/*", "fragment/*", "index/*", "*.pf_meta")),
    *("pagefind/pagefind-entry.json", "objects.inv", ".buildinfo"),
]
# Component names in source maps and Rust, and our names for them.
INSIDE = {
    "bootstrap": "Bootstrap",
    "@popperjs/core": "Popper",
    "compare-versions": "compare-versions",
    "minicbor": "minicbor",
    "wasm-bindgen": "wasm-bindgen and cfg-if",
    "rust": "Rust's standard library",
}
CRATE = re.compile(rb"/registry/src/[^/]+/([\w-]+)-\d[^/]*/|/rustlib/src/(rust)/")
MODULE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)")
PHRASES = {  # phrases of the licence text itself, not of a note about it
    "Apache-2.0": "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
    "BlueOak-1.0.0": "No contributor can revoke this license.",
    "BSD-2-Clause": "Redistributions in binary form must reproduce",
    "BSD-3-Clause": "Neither the name of the",
    "ISC": "Permission to use, copy, modify, and/or distribute this software",
    "GPL-3.0-only": "END OF TERMS AND CONDITIONS",
    "MIT": "The above copyright notice and this permission notice shall be included",
    "OFL-1.1": "PERMISSION & CONDITIONS",
}
CLASSIFIERS = {
    "BSD-2-Clause": "License :: OSI Approved :: BSD License",
    "BSD-3-Clause": "License :: OSI Approved :: BSD License",
    "MIT": "License :: OSI Approved :: MIT License",
}
each = pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)


def _files(site: Path) -> list[str]:
    return [path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]


def _claimed(name: str) -> set[str]:
    """Return the components in a file of the site, by our records."""
    return {c.name for c in COMPONENTS if any(fnmatchcase(name, one) for one in c.files)}


def _prose(text: str) -> str:
    return " ".join(text.split())


def test_every_file_of_the_site_has_an_owner(site: Path) -> None:
    others = [name for name in _files(site) if not any(fnmatchcase(name, own) for own in OWN)]
    assert [name for name in others if not _claimed(name)] == []


@each
def test_every_component_is_in_the_site(component: Component, site: Path) -> None:
    files = _files(site)
    for pattern in component.files:
        assert [name for name in files if fnmatchcase(name, pattern)], pattern


def test_what_is_inside_a_file_is_named(site: Path) -> None:
    found = set()
    for theme in (pydata_sphinx_theme, sphinx_book_theme):
        for path in Path(str(theme.__file__)).parent.rglob("static/scripts/*.map"):
            sources = json.loads(path.read_text("utf-8"))["sources"]
            modules = {module[1] for one in sources if (module := MODULE.search(one))}
            found |= {("_static/page.js", module) for module in modules}
    assert found
    (core,) = (site / "pagefind").glob("wasm.*.pagefind")
    crates = CRATE.findall(gzip.decompress(core.read_bytes()))
    assert crates
    found |= {(f"pagefind/{core.name}", (one or two).decode()) for one, two in crates}
    found |= {(f"_static/{file}", name) for name in bundled() for file in bundled()[name]["files"]}
    names = {**INSIDE, **{name: name for name in bundled()}}
    assert [pair for pair in found if names.get(pair[1]) not in _claimed(pair[0])] == []


@each
def test_what_is_inside_something_was_looked_for_in_the_version_that_is_here(
    component: Component,
) -> None:
    """A new version may contain other components: check it, and then update the record."""
    if component.within:
        assert component.within == component.carrier[1]
    else:
        assert re.fullmatch(r"\d+(\.\d+)+", component.number)


@each
def test_the_licence_is_there_in_full(component: Component, site: Path) -> None:
    text = _prose((site / "_static/licences" / component.file).read_text("utf-8"))
    licences = component.licence.split(" AND ")
    assert [name for name in licences if PHRASES[name] not in text] == []
    assert [line for line in component.copyright.splitlines() if line not in text] == []


@each
def test_the_package_says_the_same_of_its_licence(component: Component) -> None:
    if component.bundled:
        manifest = Path("node_modules", component.package, "package.json")
        folders = [SCRIPTS.sources, FIGURES.sources]
        about = next(folder / manifest for folder in folders if (folder / manifest).exists())
        assert component.licence == json.loads(about.read_text("utf-8"))["license"]
        return
    told = distribution(component.package).metadata
    if component.version or component.within:  # the package has another author
        return
    known = [*told.get_all("License-Expression", []), *told.get_all("License", [])]
    known += told.get_all("Classifier", [])
    assert {component.licence, CLASSIFIERS[component.licence]} & {*known}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_names_every_component_and_leads_to_its_licence(
    language: str, parse_html: ParseHtml
) -> None:
    page = f"book/{language}/licences.html"
    items = parse_html(page).select("article li")
    assert len(items) == len(COMPONENTS)
    for item, component in zip(items, COMPONENTS, strict=True):
        text = item.get_text().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        links = {link.get_text().replace("’", "'"): link["href"] for link in item.select("a")}
        assert links[component.name] == component.home
        licence = urljoin(page, links[component.licence])
        assert licence == f"_static/licences/{component.file}"
        assert (component.number or component.carrier[1]) in text
        assert bool(component.source) == ("/tree/v" in "".join(links.values()))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_leads_to_the_licences(page: str, parse_html: ParseHtml) -> None:
    (link,) = parse_html(page).select(".component-author a[href]")
    language = "zh" if page in CHINESE or page == SEARCH[1] else "en"
    own = f"book/{language}/licences.html"
    assert page in (ROOT_PAGE, *SEARCH, *BOOK)
    assert urljoin(page, link["href"].removeprefix("#")) == own


def test_the_licence_of_the_project_names_them_all() -> None:
    _, _, others = (ROOT / "LICENSE").read_text("utf-8").partition("Software of others")
    lines = re.findall(r"^- (.+): (.+)$", others, re.MULTILINE)
    assert lines == [(component.name, component.licence) for component in COMPONENTS]


def test_both_readmes_name_those_that_have_a_version() -> None:
    names = [c.name for c in COMPONENTS if not c.within and not c.bundled]
    names += ["JupyterLab", "Jupyter Widgets", "CodeMirror"]  # which bring the npm packages
    for page, comma, last in (("README.md", ", ", " and "), ("README.zh.md", "、", "和")):
        readme = "".join((ROOT / page).read_text("utf-8").split())
        listed = f"{comma.join(names[:-1])}{last}{names[-1]}"
        assert "".join(listed.split()) in readme
