"""Judge every page with axe, light on a desk and dark on a phone."""

import pytest
from axe import violations
from book_pages import PAGES, Look, looks_in_turn


@pytest.mark.parametrize(("page", "way"), looks_in_turn(PAGES))
def test_axe_finds_nothing(page: str, way: str, look: Look) -> None:
    assert violations(look(page, way)) == [[]]
