"""Draw a picture of each chapter for previews of links, from attention weights on its page.

`figure` in book/descriptions.yml names the figure whose weights a chapter's picture shows. The
front page has the weights of all chapters, and lends its picture to the pages that have none.
"""

from __future__ import annotations

import math
import re
import shutil
import textwrap
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import numpy as np
from bs4 import BeautifulSoup
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from attention_course import fonts
from book.site.languages import LANGUAGES, OTHER, Language, language_of
from book.site.reference.pages import chapter
from book.site.source.descriptions import record

WIDTH, HEIGHT = 1200, 630  # pixels; previews of links are cut to this shape
FOLDER = "_static/cards"  # in the site
SIDE, LEFT = 0.43, 0.045  # of the width: the part of the heading, and where its text begins
LINE = {"en": 16, "zh": 10}  # characters of a heading in one line
# The font of a heading; the Chinese one has a single weight.
HEADING: dict[str, dict[str, Any]] = {
    "en": {"family": "DejaVu Sans", "weight": "bold"},
    "zh": {},
}
INK, FAINT = "#1c2634", "#b9c2cf"
WEIGHT = LinearSegmentedColormap.from_list("weight", ["#fdf6f3", "#e8826b", "#99000d"])
SCALE = PowerNorm(0.5, 0, 1)  # as in the figures: the root makes small weights visible
NUMBERED = 30  # cells; a larger table has a colour bar instead of numbers
NAMED = 12  # columns; the names of more could not be read in a preview
CHAPTER = {"en": "Chapter {}", "zh": "第 {} 章"}
WEIGHTS = {"en": "attention weights", "zh": "注意力权重"}
ALT = {"en": "A heatmap of attention weights: {}.", "zh": "注意力权重的热图：{}。"}
_TABLE = re.compile(r"<table><caption>\w*weights\[\d+\]</caption>.*?</table>", re.DOTALL)


class Weights(NamedTuple):
    """A table of attention weights, with the names of its queries and keys, if it has any."""

    numbers: NDArray[np.float64]
    queries: list[str]
    keys: list[str]


def weights(app: Sphinx, page: str) -> Weights | None:
    """Return the weights that a page's picture shows; None if it has no picture of its own."""
    figure, source = record(app, page).get("figure"), Path(app.env.doc2path(page))
    if not figure or not chapter(source):
        return None
    tables = _tables(source, figure, source.stat().st_mtime_ns)
    if not tables:
        raise ExtensionError(f"{page} should have a figure {figure!r} that stores weights")
    return max(tables, key=lambda table: table.numbers.var() * table.numbers.size)


@cache
def _tables(notebook: Path, figure: str, changed: int) -> list[Weights]:
    cells = nbformat.read(notebook, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = ("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    stored = "".join(text for text in texts if f'data-figure="{figure}"' in text)
    return [_parsed(table) for table in _TABLE.findall(stored)]


def _parsed(table: str) -> Weights:
    html = BeautifulSoup(table, "html.parser")
    rows = html.select("table > tr")
    numbers = [[float(cell.text) for cell in row.find_all("td")] for row in rows]
    keys = [head.text for head in html.select("thead th")]
    return Weights(np.array(numbers), [row.th.text for row in rows if row.th], keys)


def subject(app: Sphinx, page: str) -> str:
    """Return the page whose picture stands for a page: itself or the front page."""
    return page if weights(app, page) else language_of(page).home


def file(page: str) -> str:
    """Return the place of a page's picture in the site.

    >>> file("book/zh/04-masked-softmax")
    '_static/cards/zh-04-masked-softmax.png'
    """
    return f"{FOLDER}/{language_of(page).code}-{Path(page).name}.png"


def write_cards(app: Sphinx, error: Exception | None) -> None:
    """Draw all pictures if the address of the site is known: previews need absolute URLs."""
    folder = Path(app.outdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    if error or not app.config.html_baseurl:
        return
    folder.mkdir(parents=True)
    fonts.register()
    for language in LANGUAGES:
        pages = sorted(name for name in app.env.found_docs if language.has(name))
        shown = {page: found for page in pages if (found := weights(app, page))}
        for page, table in shown.items():
            above = CHAPTER[language.code].format(chapter(Path(page)))
            heading = app.env.titles[page].astext()
            picture = draw(language, above, heading, language.title, [table])
            Path(app.outdir, file(page)).write_bytes(picture)
        below = OTHER[language.code].title
        picture = draw(language, "", language.title, below, list(shown.values()))
        Path(app.outdir, file(language.home)).write_bytes(picture)


def draw(language: Language, above: str, heading: str, below: str, shown: list[Weights]) -> bytes:
    """Return a picture as PNG: a heading between two lines, and one or several heatmaps."""
    with rc_context({"font.family": ["DejaVu Sans", fonts.FAMILY]}):
        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="white")
        figure.patches.append(Rectangle((0, 0), SIDE, 1, color=INK, transform=figure.transFigure))
        figure.set_layout_engine("constrained", rect=(SIDE + 0.025, 0.06, 0.95 - SIDE, 0.88))
        figure.text(LEFT, 0.82, above, size=20, color=FAINT)
        for i, line in enumerate(lines(heading, LINE[language.code])):
            figure.text(LEFT, 0.7 - 0.1 * i, line, size=33, color="white", **HEADING[language.code])
        figure.text(LEFT, 0.1, below, size=18, color=FAINT)
        if len(shown) == 1:
            _draw_named(figure.subplots(), shown[0])
            figure.axes[0].set_xlabel(WEIGHTS[language.code], size=16, color=INK, labelpad=12)
        else:
            grid = figure.add_gridspec(max(1, math.ceil(len(shown) / 4)), 4)
            for i, table in enumerate(shown):
                _draw_weights(figure.add_subplot(grid[i]), table)
        png = BytesIO()
        figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()


def lines(heading: str, width: int) -> list[str]:
    """Break a heading into lines, also after a colon and between Chinese characters.

    >>> lines("A model: attention", 10), lines("模型：可分解注意力", 6)
    (['A model:', 'attention'], ['模型：', '可分解注意力'])
    """
    parts = re.split(r"(?<=[:：])\s*", heading)
    return [line for one in parts for line in textwrap.wrap(one, width, break_on_hyphens=False)]


def _draw_weights(ax: Axes, table: Weights) -> None:
    ax.imshow(table.numbers, cmap=WEIGHT, norm=SCALE, aspect="auto")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _draw_named(ax: Axes, table: Weights) -> None:
    _draw_weights(ax, table)
    rows, columns = table.numbers.shape
    if rows < columns:  # about as wide as high
        ax.set_box_aspect(min(0.85, 1.6 * rows / columns))
    ax.xaxis.set_label_position("top")
    ax.xaxis.tick_top()
    if columns <= NAMED:
        ax.set_xticks(range(len(table.keys)), table.keys)
        ax.set_yticks(range(len(table.queries)), table.queries)
    ax.tick_params(length=0, labelsize=15)
    if columns * max(map(len, table.keys), default=0) > 44:  # too long for one line
        ax.tick_params(axis="x", rotation=90)
    if table.numbers.size <= NUMBERED:
        for (i, j), number in np.ndenumerate(table.numbers):
            color = "white" if number > 0.5 else "black"  # a contrast of at least 4.5
            ax.text(j, i, f"{number:.2f}", ha="center", va="center", size=18, color=color)
    else:
        bar = ax.figure.colorbar(ax.images[0], ax=ax, shrink=0.7, ticks=[0, 1 / 16, 1 / 4, 1])
        bar.set_ticklabels(["0", "1/16", "1/4", "1"], size=12)
        bar.outline.set_visible(False)
