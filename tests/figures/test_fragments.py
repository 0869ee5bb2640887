"""What a page without a kernel stores of each figure, to the letter.

The fragments were looked at in a browser, where other tests hold their numbers to JavaScript's.
After a change that is meant, `python tests/figures/test_fragments.py` writes them anew.
"""

from pathlib import Path

import pytest
from figure_examples import EXAMPLES, small_scaling

FRAGMENTS = Path(__file__).parent / "fragments"
SMALL = {**EXAMPLES, "scaling": lambda lang: small_scaling(d=2)}


def fragment(example: str) -> str:
    """One tag a line, for those who compare two versions."""
    html: str = SMALL[example]("en")._repr_mimebundle_()[0]["text/html"]
    return html.replace("><", ">\n<") + "\n"


@pytest.mark.parametrize("example", SMALL)
def test_a_page_stores_the_state_of_a_figure_and_all_its_numbers(example: str) -> None:
    assert fragment(example) == (FRAGMENTS / f"{example}.html").read_text("utf-8")


def test_every_stored_fragment_is_compared() -> None:
    assert {path.stem for path in FRAGMENTS.iterdir()} == set(SMALL)


if __name__ == "__main__":
    FRAGMENTS.mkdir(exist_ok=True)
    for example in SMALL:
        (FRAGMENTS / f"{example}.html").write_text(fragment(example), "utf-8")
