"""Test that the first figure of chapter 2 shows the hike that later cells compute."""

import nbformat

from attention_course.kernel_pooling import HEIGHTS, PLACES
from tools.parity import BOOK


def test_the_path_of_the_first_figure_is_the_one_that_the_chapter_measures() -> None:
    for language in ("en", "zh"):
        cells = nbformat.read(BOOK / language / "02-kernel-pooling.ipynb", as_version=4).cells
        (measure,) = (cell for cell in cells if cell.id == "measure")
        places, heights = measure.outputs[0].text.splitlines()
        assert [float(x) for x in places.split()] == PLACES
        assert [float(y) for y in heights.split()] == HEIGHTS
