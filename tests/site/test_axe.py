"""Check every page with axe, light on a desk and dark on a phone."""

import pytest
from axe import violations
from book_pages import PAGES, SharedPage, alternate_languages_with_devices


@pytest.mark.parametrize(("page", "device"), alternate_languages_with_devices(PAGES))
def test_axe_finds_nothing(page: str, device: str, shared_page: SharedPage) -> None:
    assert violations(shared_page(page, device)) == [[]]
