"""Test the font for Chinese labels of plots: characters, warnings, size, licence."""

import warnings
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont
from matplotlib import rcParams
from matplotlib.figure import Figure

from attention_course import fonts
from tools import font, limits


def test_every_chinese_character_of_the_pages_is_in_the_font() -> None:
    assert len(font.characters()) > 500
    assert font.characters() - font.covered() == set()


def test_labels_in_chinese_are_drawn_without_a_warning() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "键 0 的权重：−½")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.savefig(BytesIO(), format="png")


def test_what_the_font_lacks_is_noticed() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "龘")
    with pytest.warns(UserWarning, match="missing from font"):
        figure.savefig(BytesIO(), format="png")


def test_registering_again_changes_nothing() -> None:
    before = list(rcParams["font.family"])
    fonts.register()
    assert rcParams["font.family"] == before
    assert before.count(fonts.FAMILY) == 1


def test_the_subset_is_small_and_says_its_licence() -> None:
    assert fonts.FILE.stat().st_size <= 1000 * limits.PLOT_FONT
    assert "SIL OPEN FONT LICENSE" in fonts.FILE.with_name("OFL.txt").read_text("utf-8")
    with TTFont(fonts.FILE) as subset:
        assert subset["name"].getDebugName(1) == fonts.FAMILY
        assert "SIL Open Font License" in subset["name"].getDebugName(13)
