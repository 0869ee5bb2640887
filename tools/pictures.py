"""Draw the front page's picture of each chapter: `python -m tools.pictures`.

Pictures have no text, so both languages share them; their data is computed as in the chapters.
Lines, bars and colours are linear in the weights, since there is no room for a scale. The
background is white in both themes.
"""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import matplotlib as mpl
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attention_course.decoder import load_model, sentence, weights_of
from attention_lib import masked_softmax, scores
from tools.replacing import write

FOLDER = Path(__file__).parents[1] / "book/pictures"
SIZE = (1.6, 1.0)  # inches, of 72 points
QUERY, KEY, VALUE, WEIGHT, PADDING, INK = (
    "#e09200",
    "#27437a",
    "#005f46",
    "#99000d",
    "#80848a",
    "#404650",
)

# How large and how tame an animal is, 0 being neither; one of them asks.
ANIMALS = torch.tensor([[-2.2, -0.6], [-1.2, 1.2], [0.8, 1.2], [2.0, 1.8], [0.6, -1.8], [2.8, 0.2]])
DOG = 2


def _look_up(ax: Axes) -> None:
    query = torch.tensor([[[0.3, 0.4]]])
    weights = torch.softmax(scores.gaussian(query, ANIMALS[None]), -1)[0, 0]
    (a, b) = query[0, 0].tolist()
    for (x, y), weight in zip(ANIMALS.tolist(), weights.tolist(), strict=True):
        ax.plot([a, x], [b, y], color=WEIGHT, linewidth=8 * weight, alpha=0.6)
    ax.plot(*ANIMALS.numpy().T, "s", color=KEY, markersize=4)
    ax.plot(a, b, "o", color=QUERY, markersize=6)


def _kernel(ax: Axes) -> None:
    x = torch.linspace(0, 6, 13)
    y = torch.sin(2 * x) + x / 2 + 0.3 * torch.cos(40 * x)  # deterministic noise
    path = torch.linspace(0, 6, 80)
    fit = scores.gaussian(2 * path[None, :, None], 2 * x[None, :, None])
    ax.plot(x.numpy(), y.numpy(), "s", color=KEY, markersize=3)
    ax.plot(path.numpy(), (torch.softmax(fit, -1)[0] @ y).numpy(), color=VALUE)


def _contours(ax: Axes) -> None:
    side = torch.linspace(-3, 3, 40)
    keys = torch.cartesian_prod(side, side)[None]
    fit = scores.dot(ANIMALS[None, DOG : DOG + 1], keys).reshape(40, 40).T
    ax.contour(
        side.numpy(),
        side.numpy(),
        fit.numpy(),
        levels=9,
        cmap="RdBu_r",
        linewidths=1,
        negative_linestyles="solid",
    )
    ax.plot(*ANIMALS[DOG].tolist(), "o", color=QUERY, markersize=6)
    ax.set(xlim=(-3, 3), ylim=(-1.9, 1.9))


def _padding(ax: Axes) -> None:
    fit = torch.tensor([[[0.4, 1.2, 0.3, 0.8, 1.1, 0.7]]])
    bars = masked_softmax(fit, torch.tensor([4]))[0, 0].tolist()
    ax.bar(range(6), bars, color=WEIGHT, width=0.7)
    unmasked = torch.softmax(fit, -1)[0, 0, 4:].tolist()
    ax.bar([4, 5], unmasked, width=0.7, fill=False, edgecolor=PADDING, hatch="////", linestyle="--")
    ax.axvline(3.5, color=INK, linewidth=1.5)


def _tanh(ax: Axes) -> None:
    x = torch.linspace(-4, 4, 60)
    for shift, width in (-2, 1.0), (0, 2.2), (2, 1.0):
        ax.plot(
            x.numpy(),
            torch.tanh(x + shift).numpy(),
            color=QUERY if width > 2 else KEY,
            linewidth=width,
        )


def _histograms(ax: Axes) -> None:
    torch.manual_seed(0)
    products = (torch.randn(4000, 64) * torch.randn(4000, 64)).sum(-1)
    for sums, color in (products, PADDING), (products / 8, WEIGHT):
        ax.hist(
            sums.tolist(),
            bins=45,
            range=(-22, 22),
            color=color,
            density=True,
            histtype="stepfilled",
        )


def _dropout(ax: Axes) -> None:
    weights = torch.tensor([0.28, 0.2, 0.22, 0.12, 0.18])
    keep = torch.tensor([1, 0, 1, 1, 0])
    ax.bar(range(5), weights.tolist(), color="none", edgecolor=WEIGHT, linestyle=":", width=0.7)
    ax.bar(range(5), (2 * weights * keep).tolist(), color=WEIGHT, width=0.7, alpha=0.75)


def _regions(ax: Axes) -> None:
    side = torch.linspace(-3, 3, 40)
    queries = torch.cartesian_prod(side, side)[None]
    winner = scores.dot(queries, ANIMALS[None]).argmax(-1).reshape(40, 40).T
    ax.contourf(
        side.numpy(),
        side.numpy(),
        winner.numpy(),
        levels=torch.arange(-0.5, 6).tolist(),
        cmap="Pastel1",
    )
    ax.plot(*ANIMALS.numpy().T, "s", color=KEY, markersize=4)
    ax.set(xlim=(-3, 3), ylim=(-1.9, 1.9))


def _alignment(ax: Axes) -> None:
    words = torch.eye(5) * 3
    other = words[[1, 0, 2, 4, 3]]
    weights = torch.softmax(scores.dot(words[None], other[None]), -1)[0]
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            ax.plot([i, j], [1, 0], color=WEIGHT, linewidth=4 * weight, alpha=0.7)
    for y, color in (1, QUERY), (0, KEY):
        ax.plot(range(5), [y] * 5, "s", color=color, markersize=6)


def _written(ax: Axes) -> None:
    for step in range(6):
        for key in range(step + 1):
            face = KEY if key == step else "none"
            ax.plot(key, -step, "s", color=KEY, markersize=11, markerfacecolor=face)
    ax.set(xlim=(-3.5, 8.5), ylim=(-5.8, 0.8))


def _reading(ax: Axes) -> None:
    keys = torch.eye(7) * 3
    letters = keys[[0, 1, 1, 4, 5]]  # a year, a month (one word), a day
    weights = torch.softmax(scores.dot(letters[None], keys[None]), -1)[0]
    places = torch.linspace(0.5, 5.5, 5).tolist()
    for x, row in zip(places, weights.tolist(), strict=True):
        for k, weight in enumerate(row):
            ax.plot([x, k], [1, 0], color=WEIGHT, linewidth=4 * weight, alpha=0.7)
    ax.plot(places, [1] * 5, "o", color=QUERY, markersize=6)
    ax.plot(range(7), [0] * 7, "s", color=KEY, markersize=5)


def _self_attention(ax: Axes) -> None:
    """Draw the causal weights of five words."""
    fit = 2 * torch.cos(torch.arange(25.0)).reshape(1, 5, 5)
    weights = masked_softmax(fit, torch.arange(1, 6)[None])[0]
    ax.imshow(weights.numpy(), cmap="Reds", vmin=0, vmax=1, aspect="auto")
    steps = [i // 2 + 0.5 for i in range(-1, 9)]
    ax.plot(steps[1:], steps[:-1], color=INK, linewidth=1.5)


def _decoder(ax: Axes) -> None:
    """Draw what the heads of chapter 13's decoder read before it writes the place."""
    model, mia = load_model("en"), sentence("en")
    weights = weights_of(model, torch.tensor([mia.tokens]))[0, :, -1]
    for x, row in zip((-3, 3), weights.tolist(), strict=True):
        for k, weight in enumerate(row):
            ax.plot([0, x], [-len(row), -k], color=WEIGHT, linewidth=6 * weight, alpha=0.7)
        ax.plot([x] * len(row), [-k for k in range(len(row))], "s", color=KEY, markersize=4)
    ax.plot(0, -weights.shape[-1], "o", color=QUERY, markersize=6)


PICTURES: dict[int, Callable[[Axes], None]] = {
    1: _look_up,
    2: _kernel,
    3: _contours,
    4: _padding,
    5: _tanh,
    6: _histograms,
    7: _dropout,
    8: _regions,
    9: _alignment,
    10: _self_attention,
    11: _reading,
    12: _written,
    13: _decoder,
}


def draw(picture: Callable[[Axes], None]) -> str:
    """Return a picture as SVG."""
    figure = Figure(figsize=SIZE, layout="constrained")
    ax = figure.subplots()
    picture(ax)
    ax.set_axis_off()
    svg = StringIO()
    # A fixed salt makes the ids in the SVG reproducible.
    with mpl.rc_context({"svg.hashsalt": "chapters"}):
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in svg.getvalue().splitlines()) + "\n"


def main() -> None:
    """Write all pictures."""
    for number, picture in PICTURES.items():
        write(FOLDER / f"{number:02}.svg", draw(picture))


if __name__ == "__main__":
    main()
