"""Heatmaps of attention weights, drawn with matplotlib."""

from io import BytesIO

from matplotlib.figure import Figure
from torch import Tensor


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
        matrices: (rows, cols, Q, K), one heatmap for each row and column of the grid.
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
        TypeError: matrices is not a tensor.

    >>> figure = show_heatmaps(torch.eye(3).reshape(1, 1, 3, 3), xlabel="keys", ylabel="queries")
    >>> len(figure.axes)  # one panel and the colour bar
    2
    """
    if not isinstance(matrices, Tensor):
        raise TypeError(f"matrices must be a tensor; got {type(matrices).__name__}")
    if matrices.dim() != 4 or not matrices.numel():
        raise ValueError(
            f"matrices must have shape (rows, cols, Q, K), none of them 0; "
            f"got {tuple(matrices.shape)}"
        )
    rows, cols = matrices.shape[:2]
    if titles is not None and len(titles) != cols:
        raise ValueError(f"titles must name each of the {cols} columns; got {len(titles)}")
    values = matrices.detach().float().cpu().numpy()
    figure = HeatmapFigure(figsize=(figsize[0] * cols, figsize[1] * rows), layout="constrained")
    panels = figure.subplots(rows, cols, sharex=True, sharey=True, squeeze=False)
    for (row, col), panel in zip(
        ((row, col) for row in range(rows) for col in range(cols)), panels.flat, strict=True
    ):
        image = panel.imshow(values[row, col], cmap=cmap, vmin=values.min(), vmax=values.max())
        if row == rows - 1:
            panel.set_xlabel(xlabel)
        if col == 0:
            panel.set_ylabel(ylabel)
        if titles and row == 0:
            panel.set_title(titles[col])
    figure.colorbar(image, ax=panels, shrink=0.6)
    return figure
