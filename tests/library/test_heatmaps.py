"""Test heatmaps: one colour scale, labels in place, shown exactly once by a notebook."""

import base64
import re
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import torch
from matplotlib.image import imread
from matplotlib.layout_engine import ConstrainedLayoutEngine
from nbclient import NotebookClient
from PIL import Image

from attention_lib import show_heatmaps
from attention_lib.heatmaps import HeatmapFigure

WEIGHTS = torch.arange(2 * 3 * 5 * 7.0).reshape(2, 3, 5, 7) / 210


def draw(matrices: torch.Tensor = WEIGHTS, **options: Any) -> HeatmapFigure:
    return show_heatmaps(matrices, xlabel="keys", ylabel="queries", **options)


def panels(figure: HeatmapFigure) -> list[Any]:
    return [axes for axes in figure.axes if axes.images]


def test_each_panel_shows_its_matrix() -> None:
    images = [panel.images[0] for panel in panels(draw())]
    shown = np.stack([image.get_array() for image in images])
    np.testing.assert_allclose(shown, WEIGHTS.reshape(6, 5, 7))


def test_a_value_has_one_colour_in_every_panel() -> None:
    matrices = torch.tensor([0.0, 0.3, 0.3, 0.9]).reshape(1, 2, 1, 2)
    left, right = (panel.images[0] for panel in panels(draw(matrices)))
    assert left.get_clim() == right.get_clim() == pytest.approx((0, 0.9))
    assert left.to_rgba(0.3) == right.to_rgba(0.3)
    assert left.to_rgba(0.0) != right.to_rgba(0.9)


def test_a_picture_has_pixels_for_two_and_no_wide_margin() -> None:
    png = draw(figsize=(2.5, 2.5))._repr_png_()
    picture = Image.open(BytesIO(png))
    assert picture.format == "PNG"
    assert picture.info["dpi"] == pytest.approx((144, 144), abs=0.1)
    ink = np.asarray(picture.convert("L")) < 250
    margins = [np.argmax(ink.any(axis)) for axis in (0, 1)]
    assert max(margins) <= 0.12 * 144


def test_panels_form_the_grid_and_share_one_colour_bar() -> None:
    figure = draw()
    rows = sorted({round(panel.get_position().y0, 3) for panel in panels(figure)})
    columns = sorted({round(panel.get_position().x0, 3) for panel in panels(figure)})
    assert (len(rows), len(columns)) == (2, 3)
    assert len(figure.axes) == 2 * 3 + 1


def test_labels_stand_at_the_edge_and_titles_on_top() -> None:
    figure = draw(titles=["one", "two", "three"])
    assert [panel.get_title() for panel in panels(figure)] == ["one", "two", "three", "", "", ""]
    assert [panel.get_xlabel() for panel in panels(figure)] == ["", "", "", *["keys"] * 3]
    assert [panel.get_ylabel() for panel in panels(figure)] == ["queries", "", ""] * 2


def test_panels_share_their_axes_and_leave_room_for_what_is_written() -> None:
    figure = draw()
    first, *_, last = panels(figure)
    assert first.get_shared_x_axes().joined(first, last)
    assert first.get_shared_y_axes().joined(first, last)
    assert isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine)
    assert [panel.get_title() for panel in panels(figure)] == [""] * 6


def test_the_colour_bar_is_lower_than_the_panels_and_has_their_colours() -> None:
    for options, cmap in (({}, "Reds"), ({"cmap": "Blues"}, "Blues")):
        figure = draw(**options)
        figure.draw_without_rendering()
        (panel, *_, last), bar = panels(figure), figure.axes[-1]
        assert panel.images[0].get_cmap().name == cmap
        assert bar.get_ylim() == pytest.approx((0, 209 / 210))
        grid = panel.get_position().y1 - last.get_position().y0
        assert bar.get_position().height < 0.8 * grid


def test_ticks_are_whole_numbers_and_query_0_is_on_top() -> None:
    panel = panels(draw(torch.rand(1, 1, 2, 3)))[0]
    ticks = [*panel.get_xticks(), *panel.get_yticks()]
    assert ticks == [round(tick) for tick in ticks]
    assert panel.yaxis_inverted()


@pytest.mark.parametrize(("queries", "keys"), [(1, 4), (3, 1), (1, 1), (2, 3)])
def test_a_single_row_has_a_single_tick(queries: int, keys: int) -> None:
    panel = show_heatmaps(torch.rand(1, 1, queries, keys), "keys", "queries").axes[0]
    inside = [
        [tick for tick in axis.get_ticklocs() if -0.5 <= tick <= size - 0.5]
        for axis, size in ((panel.yaxis, queries), (panel.xaxis, keys))
    ]
    assert inside == [list(range(queries)), list(range(keys))]


def test_size_of_the_figure_is_that_of_a_panel_times_the_grid() -> None:
    assert draw(figsize=(2, 1)).get_size_inches().tolist() == [6, 2]
    assert panels(draw(cmap="viridis"))[0].images[0].get_cmap().name == "viridis"


@pytest.mark.parametrize(
    "matrices",
    [
        WEIGHTS.clone().requires_grad_(),
        WEIGHTS.half(),
        WEIGHTS.bfloat16(),
        WEIGHTS.double(),
        WEIGHTS > 0.5,
        (WEIGHTS * 210).long(),
        WEIGHTS.mT,
        WEIGHTS[:1, :1].expand(2, 3, 5, 7),
    ],
)
def test_any_real_tensor_is_drawn_and_stays_as_it_was(matrices: torch.Tensor) -> None:
    before = matrices.clone()
    image = panels(draw(matrices))[5].images[0].get_array()
    np.testing.assert_allclose(image, matrices[1, 2].detach().double())
    assert torch.equal(matrices, before)


def test_nan_and_infinity_leave_the_scale_of_the_others_alone() -> None:
    matrices = torch.tensor([0.2, torch.nan, -torch.inf, 0.8]).reshape(1, 1, 2, 2)
    image = panels(draw(matrices))[0].images[0]
    assert image.get_clim() == pytest.approx((0.2, 0.8))
    assert draw(torch.full((1, 1, 2, 2), torch.nan))._repr_png_()


@pytest.mark.parametrize("value", [0.0, 0.25])
def test_equal_weights_can_be_drawn(value: float) -> None:
    assert draw(torch.full((1, 1, 2, 2), value))._repr_png_()


@pytest.mark.parametrize(
    ("matrices", "options", "kind", "message"),
    [
        ([[0.5]], {}, TypeError, "matrices must be a tensor; got list"),
        (
            WEIGHTS[0],
            {},
            ValueError,
            "matrices must have shape (rows, cols, Q, K); got (3, 5, 7)",
        ),
        (
            WEIGHTS[:, :0],
            {},
            ValueError,
            "matrices must have shape (rows, cols, Q, K), none of them 0; got (2, 0, 5, 7)",
        ),
        (WEIGHTS, {"titles": ["one"]}, ValueError, "titles must name each of the 3 columns; got 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    matrices: Any, options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        draw(matrices, **options)


def test_figures_of_pyplot_are_left_alone_and_none_is_added() -> None:
    own = plt.figure()
    figure = draw()
    assert plt.get_fignums() == [own.number]
    assert plt.gcf() is own
    plt.close(figure)  # what a reader's old code does, which must not close other figures
    assert plt.get_fignums() == [own.number]
    plt.close(own)


IMPORTS = """
import torch
from attention_lib import show_heatmaps
weights = torch.eye(3).reshape(1, 1, 3, 3)
"""
SHOW = "show_heatmaps(weights, xlabel='keys', ylabel='queries')"
OPEN = """
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
own = plt.figure()
own.add_subplot()
"""
CELLS = [  # code, number of images it must leave
    (IMPORTS + SHOW, 1),
    (f"figure = {SHOW}", 0),
    (f"{SHOW};", 0),
    ("figure", 1),
    (f"{SHOW}\nNone", 0),
    (f"{OPEN}{SHOW}", 1),
    ("assert plt.get_fignums() == [own.number]", 0),
    (f"%matplotlib inline\nplt.close('all')\n{SHOW}", 1),
    (f"figure = {SHOW}", 0),
    (f"plt.plot([1, 2]); {SHOW}", 2),  # pyplot's own figure, and this one
]


def test_a_notebook_shows_it_once_as_the_last_line_and_only_then() -> None:
    cells = [nbformat.v4.new_code_cell(code) for code, _ in CELLS]
    notebook = NotebookClient(nbformat.v4.new_notebook(cells=cells)).execute()
    images = [pictures(cell) for cell in notebook.cells]
    assert list(map(len, images)) == [expected for _, expected in CELLS]
    assert all(len(np.unique(imread(BytesIO(png)))) > 1 for cell in images for png in cell)


def pictures(cell: Any) -> list[bytes]:
    shown = [output.data for output in cell.outputs if "data" in output]
    return [base64.b64decode(data["image/png"]) for data in shown if "image/png" in data]
