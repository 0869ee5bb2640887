"""Test the check of links on the page and in JupyterLab, and that the bibliography is current."""

from pathlib import Path

import nbformat
import pytest

from tools import bibliography, links, parity

LANGUAGES = ("en", "zh")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Write the files to which links may lead, and return the path of the page."""
    (tmp_path / "works.md").write_text('<a id="en-bib-cho2014"></a>\n**Cho.**\n')
    (tmp_path / "picture.svg").touch()
    return tmp_path / "chapter.ipynb"


def dead(page: Path, markdown: str) -> list[str]:
    texts = ('<a id="en-one"></a>\n# One', markdown)
    cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), page)
    return links.dead(page)


@pytest.mark.parametrize(
    "markdown",
    [
        "[a heading](#en-one)",
        "[a work](works.md#en-bib-cho2014), [all of them](works.md)",
        "![a picture](picture.svg)",
        "[an address](https://arxiv.org), <mailto:a@b.c>",
        "`[code](#en-two)`",
    ],
)
def test_a_link_that_leads_somewhere_is_no_problem(page: Path, markdown: str) -> None:
    assert dead(page, markdown) == []


@pytest.mark.parametrize(
    "link",
    [
        "#en-bib-cho2014",  # defined in another file, which JupyterLab does not search
        "#en-two",
        "#One",  # JupyterLab's anchor for the heading, not the page's
        "works.md#en-bib-luong2015",
        "work.md",
        "../chapter.ipynb",
    ],
)
def test_a_link_that_leads_nowhere_is_named(page: Path, link: str) -> None:
    told = [f"a link leads nowhere: {link}"]
    assert dead(page, f"[there]({link})") == told
    assert dead(page, f"<details>\n<summary>?</summary>\n\n- [there]({link})\n\n</details>") == told
    assert dead(page, f"![there]({link})") == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dead_link_of_the_book_is_reported(language: str, tmp_path: Path) -> None:
    paths = {name: parity.BOOK / name / "12-scores-today.ipynb" for name in LANGUAGES}
    spoilt = tmp_path / "12-scores-today.ipynb"
    text = paths[language].read_text("utf-8")
    spoilt.write_text(text.replace("bibliography.md#", "#"), "utf-8")
    found = parity.page_differences(*{**paths, language: spoilt}.values())
    assert f"a link leads nowhere: #{language}-bib-shazeer2019" in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bibliography_is_what_its_source_and_the_chapters_make_it(language: str) -> None:
    page = parity.BOOK / language / "bibliography.md"
    assert page.read_text("utf-8") == bibliography.generated(page)
