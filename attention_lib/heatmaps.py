"""Draw heatmaps of attention weights with matplotlib."""

from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray
from torch import Tensor

from attention_lib._checks import check_numbers


class HeatmapFigure(Figure):
    """A matplotlib figure that a notebook shows when it is a cell's last line, and only then.

    It is not pyplot's, so nothing has to be closed, and pyplot's own figures are left alone.
    """

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=144, bbox_inches="tight")
        return buffer.getvalue()


def show_heatmaps(
    matrices: Tensor,
    xlabel: str,
    ylabel: str,
    titles: list[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> HeatmapFigure:
    """Draw a grid of heatmaps that share one colour scale.

    Args:
        matrices: (rows, cols, Q, K), one heatmap for each row and column of the grid. NaN and
            infinity stay blank.
        xlabel: name of the keys' axis.
        ylabel: name of the queries' axis.
        titles: a title for each column.
        figsize: width and height of one panel, in inches.
        cmap: a matplotlib colour map.

    Returns:
        The figure: a notebook shows it as a cell's last line; `savefig` writes it to a file.

    Raises:
        ValueError: matrices is not 4-D or has no element, or there are not as many titles as
            columns.
        TypeError: matrices is not a strided tensor of real numbers, or titles is one string.

    >>> figure = show_heatmaps(torch.eye(3).reshape(1, 1, 3, 3), xlabel="keys", ylabel="queries")
    >>> len(figure.axes)  # one panel and the colour bar
    2
    """
    _check(matrices, titles)
    rows, cols = matrices.shape[:2]
    figure = HeatmapFigure(figsize=(figsize[0] * cols, figsize[1] * rows), layout="constrained")
    panels = figure.subplots(rows, cols, sharex=True, sharey=True, squeeze=False)
    _draw(panels, matrices, cmap)
    for panel in panels[-1]:
        panel.set_xlabel(xlabel)
    for panel in panels[:, 0]:
        panel.set_ylabel(ylabel)
    for panel, title in zip(panels[0], titles or [""] * cols, strict=True):
        panel.set_title(title)
    return figure


def _check(matrices: Tensor, titles: list[str] | None) -> None:
    check_numbers("matrices", matrices, "(rows, cols, Q, K)")
    if not matrices.numel() or matrices.is_meta:
        came = "no data" if matrices.is_meta else tuple(matrices.shape)
        raise ValueError(f"matrices must have shape (rows, cols, Q, K), none of them 0; got {came}")
    if isinstance(titles, str):
        raise TypeError(f"titles must be several strings; got one, {titles!r}")
    cols = matrices.shape[1]
    if titles is not None and len(titles) != cols:
        raise ValueError(f"titles must name each of the {cols} columns; got {len(titles)}")


def _draw(panels: NDArray[Any], matrices: Tensor, cmap: str) -> None:
    values = matrices.detach().cpu().double().numpy()
    scale = Normalize()
    scale.autoscale(np.ma.masked_invalid(values))
    for panel, matrix in zip(panels.flat, values.reshape(-1, *values.shape[2:]), strict=True):
        image = panel.imshow(matrix, cmap=cmap, norm=scale)
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        panel.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    image.figure.colorbar(image, ax=panels, shrink=0.6)
