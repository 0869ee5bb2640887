"""What axe says of every page in both themes."""

import pytest
from axe import violations
from book_pages import DESK, PAGES, PHONE, Look


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_in_either_theme(page: str, look: Look) -> None:
    assert violations(*(look(page, way) for way in (DESK, PHONE))) == [[], []]
