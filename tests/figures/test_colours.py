"""Test the colours of the stylesheet: contrast on every shade, and order in dichromatic vision."""

import re
from functools import cache
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from numpy.typing import NDArray

from attention_figures import bundle
from attention_figures.frontend import FIGURES

Colour = NDArray[np.float64]
SHADES = 64  # as in web/core/palette.ts
THEMES = ["light", "dark"]
HUES = ["score", "score-negative", "weight", "query", "key", "value"]
# Simulates dichromacy in linear RGB: Machado, Oliveira and Fernandes, "A physiologically-based
# model for simulation of color vision deficiency", IEEE TVCG 15 (6), 2009,
# doi:10.1109/TVCG.2009.113.
SEES = {
    "normally": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# A distance in CIELAB, where 2.3 is just noticeable: Mahy, Van Eycken and Oosterlinck, "Evaluation
# of uniform color spaces developed after the adoption of CIELAB and CIELUV", Color Res. Appl.
# 19 (2), 1994.
APART = 20
XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)  # of linear sRGB
MEANINGS = ["query", "key", "value", "weight", "padding", "handle"]
themes = pytest.mark.parametrize("theme", THEMES)
sights = pytest.mark.parametrize("sight", SEES)


@cache
def variables(theme: str) -> dict[str, str]:
    """Read the custom properties of a theme; the dark theme overrides some of the light one."""
    blocks = re.findall(r"([^{}]*)\{([^{}]*)\}", bundle.stylesheet())
    own = [(name, block) for name, block in blocks if name.strip().endswith(".attention-figure")]
    texts = [block for name, block in own if theme == "dark" or name.strip() == ".attention-figure"]
    return {k: v for text in texts for k, v in re.findall(r"--([\w-]+):\s*([^;]+)", text)}


def colour(name: str, theme: str) -> Colour:
    return np.array([float(channel) for channel in variables(theme)[name].split()])


def linear(rgb: Colour) -> Colour:
    """Undo the gamma of sRGB, as WCAG 2 defines it."""
    x = rgb / 255
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


def luminance(rgb: Colour, sight: str = "normally") -> float:
    seen = np.clip(SEES[sight] @ linear(rgb), 0, 1)
    return float(np.array([0.2126, 0.7152, 0.0722]) @ seen)


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def mixed(strong: str, way: float, theme: str) -> Colour:
    """Return the colour at this fraction between the background and the strongest colour."""
    pale = colour("pale", theme)
    return np.round(pale + way * (colour(strong, theme) - pale))


def shades(hue: str, theme: str) -> list[Colour]:
    return [mixed(hue, level / SHADES, theme) for level in range(SHADES + 1)]


@themes
@pytest.mark.parametrize("hue", HUES)
def test_text_is_legible_on_every_shade(hue: str, theme: str) -> None:
    texts = [colour("ink", theme), colour("contrast", theme)]  # the text colour with more contrast
    ratios = [max(contrast(shade, text) for text in texts) for shade in shades(hue, theme)]
    assert len(ratios) == SHADES + 1
    assert min(ratios) >= 4.5


@themes
def test_words_and_hints_are_legible_on_the_ground(theme: str) -> None:
    strong = ["ink", "accent", "key", "value"]  # headings, hints and ticks are paler
    assert min(contrast(mixed(name, 1, theme), mixed(name, 0, theme)) for name in strong) >= 4.5
    assert contrast(mixed("ink", 0.7, theme), mixed("ink", 0, theme)) >= 4.5


@themes
def test_lines_marks_borders_and_outlines_stand_out(theme: str) -> None:
    for name in ("accent", "key", "score", "weight", "value", "line"):
        assert contrast(mixed(name, 1, theme), mixed(name, 0, theme)) >= 3, name


@themes
def test_the_hatching_stands_out_below_text_that_stays_legible(theme: str) -> None:
    hatch = colour("hatch", theme)
    assert contrast(hatch, colour("pale", theme)) >= 3
    assert contrast(hatch, colour("ink", theme)) >= 4.5


@themes
@sights
@pytest.mark.parametrize("hue", HUES)
def test_a_larger_number_is_a_stronger_colour_in_everybodys_eyes(
    hue: str, sight: str, theme: str
) -> None:
    steps = np.diff([luminance(shade, sight) for shade in shades(hue, theme)])
    assert all(steps > 0) if theme == "dark" else all(steps < 0)


@cache
def palette(theme: str) -> dict[str, Colour]:
    """Read the colours of the palette; the dark theme overrides some of the light one."""
    text = (FIGURES.sources / "styles/palette.css").read_text("utf-8")
    blocks = re.findall(r"\{([^{}]*)\}", text)
    assert len(blocks) == len(THEMES)
    own = "".join(blocks if theme == "dark" else blocks[:1])
    found = re.findall(r"--([\w-]+): ([\d ]+);", own)
    return {name: np.array([float(x) for x in channels.split()]) for name, channels in found}


def lab(rgb: Colour, sight: str) -> Colour:
    """Return a colour as seen with this sight, in CIELAB."""
    seen = np.clip(SEES[sight] @ linear(rgb), 0, 1)
    ratios = XYZ @ seen / XYZ.sum(axis=1)
    x, y, z = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@themes
@pytest.mark.parametrize("sight", ["normally", "deuteranopia"])
def test_meanings_are_distinguished_by_colour(sight: str, theme: str) -> None:
    seen = {name: lab(palette(theme)[name], sight) for name in MEANINGS}
    apart = {
        pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]]))
        for pair in combinations(MEANINGS, 2)
    }
    assert {pair: far for pair, far in apart.items() if far < APART} == {}


@sights
def test_so_is_it_in_the_pictures_of_matplotlib(sight: str) -> None:
    reds = 255 * mpl.colormaps["Reds"](np.linspace(0, 1, 65))[:, :3]
    assert all(np.diff([luminance(red, sight) for red in reds]) < 0)
