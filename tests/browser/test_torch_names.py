"""Test that refusals know the names of torch.

If torch has other names, write the file anew: `python tests/browser/names.py`.
"""

from names import FILE, source


def test_the_module_knows_the_public_names_of_torch() -> None:
    assert FILE.read_text("utf-8") == source()
