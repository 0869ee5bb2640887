"""Test the figures of a date that a model reads."""

import pytest
from figure_examples import dates
from figure_page import Open, control
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("place", "number", "hint"),
    [
        (1, 4, "The framed tokens are the part of the date that this digit belongs to."),
        (6, 1, "The framed token names this digit."),
        (4, 0, "No token names this character."),
    ],
)
def test_the_hint_fits_the_number_of_framed_tokens(
    open_figure: Open, place: int, number: int, hint: str
) -> None:
    page = open_figure(dates())
    control(page, f"place.{place}").click()
    expect(page.locator(".read-token[data-marked]")).to_have_count(number)
    expect(page.locator(".read-tokens + .hint")).to_have_text(hint)
