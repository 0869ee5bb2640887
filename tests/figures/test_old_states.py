"""Figures that notebooks stored before the front end was written anew come alive as they were."""

from pathlib import Path

import pytest
from figure_page import assert_shows
from fixtures import State, figure_of, fixture
from front_end import downloaded, live, page_of
from playwright.sync_api import Page
from test_shared_numbers import assert_holds, read

STATES: list[State] = [entry["state"] for entry in fixture("states")]


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state['name']}-{state['lang']}")
def test_a_figure_that_a_notebook_stored_comes_alive_with_the_numbers_of_torch(
    page: Page, tmp_path: Path, state: State
) -> None:
    figure, file = figure_of(state), tmp_path / "figure.html"
    file.write_text(page_of(state), encoding="utf-8")
    shown = live(page, file)
    assert_shows(page, figure)
    assert_holds(read(downloaded(shown)), figure)


def test_every_figure_of_the_book_was_stored_in_both_languages() -> None:
    keys = {lang: [s["name"] for s in STATES if s["lang"] == lang] for lang in ("en", "zh")}
    assert keys["en"] == keys["zh"]
    assert len(keys["en"]) == 11
