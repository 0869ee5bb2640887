"""Define kernels, and Nadaraya–Watson regression as attention.

A kernel K(x, x_i) is the weight of an input x_i at x, before it is divided by the sum.
Shapes: Q queries, K keys.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib import scores
from attention_lib._checks import (
    check_alike,
    check_broadcast,
    check_callable,
    check_device,
    check_floating,
    check_number,
    check_result,
)

Kernel = Callable[[Tensor, Tensor], Tensor]
_LAST_BITS = 8  # rounding error of a sum whose exact value is 0, in units of eps


def gaussian(x: Tensor, x_i: Tensor) -> Tensor:
    r"""Elementwise exp(−½u²), u = x − x_i: every key counts, near ones more.

    Args:
        x: floating.
        x_i: dtype and device of x, a shape that broadcasts with that of x.

    Raises:
        ValueError: the shapes do not broadcast, or the devices differ.
        TypeError: x or x_i is no floating tensor, or their dtypes differ.

    >>> gaussian(torch.tensor([0.0, 1.0, 2.0]), torch.tensor(0.0))
    tensor([1.0000, 0.6065, 0.1353])
    """
    return torch.exp(-(_difference(x, x_i) ** 2) / 2)


def boxcar(x: Tensor, x_i: Tensor) -> Tensor:
    """Elementwise 1 where |u| ≤ 1, else 0, u = x − x_i: near keys count alike. It has no gradient.

    Where u is NaN, so is the result.

    Arguments, result and errors are those of `gaussian`.

    >>> boxcar(torch.tensor([0.0, 0.5, 1.0, 1.5]), torch.tensor(0.0))
    tensor([1., 1., 1., 0.])
    """
    u = _difference(x, x_i)
    return torch.where(u.isnan(), torch.nan, (u.abs() <= 1).to(x.dtype))


def epanechnikov(x: Tensor, x_i: Tensor) -> Tensor:
    """Elementwise max(0, 1 − u²), u = x − x_i: a parabola. Some texts give the name to a triangle.

    Arguments, result and errors are those of `gaussian`.

    Source: Epanechnikov, *Non-Parametric Estimation of a Multivariate Probability Density*,
    Theory of Probability and Its Applications 14 (1969), up to a factor that cancels.

    >>> epanechnikov(torch.tensor([0.0, 0.5, 1.0, 1.5]), torch.tensor(0.0))
    tensor([1.0000, 0.7500, 0.0000, 0.0000])
    """
    return (1 - _difference(x, x_i) ** 2).clamp(min=0)


def triangular(x: Tensor, x_i: Tensor) -> Tensor:
    """Elementwise max(0, 1 − |u|), u = x − x_i. Some libraries call this kernel "linear".

    Arguments, result and errors are those of `gaussian`.

    >>> triangular(torch.tensor([0.0, 0.5, 1.0, 1.5]), torch.tensor(0.0))
    tensor([1.0000, 0.5000, 0.0000, 0.0000])
    """
    return (1 - _difference(x, x_i).abs()).clamp(min=0)


def linear(x: Tensor, x_i: Tensor) -> Tensor:
    """Elementwise product x · x_i, which can be negative. In `kernel_weights` x cancels.

    Arguments, result and errors are those of `gaussian`.

    >>> linear(torch.tensor([2.0, -1.0]), torch.tensor(3.0))
    tensor([ 6., -3.])
    """
    check_broadcast("x", x, "x_i", x_i)
    return x * x_i


def kernel_weights(
    queries: Tensor, keys: Tensor, kernel: Kernel = gaussian, w: float | Tensor = 1.0
) -> Tensor:
    """Attention weights of a kernel: K(w·x, w·x_i), divided by its sum over the keys.

    Args:
        queries: (Q,) floating.
        keys: (K,), dtype and device of queries.
        kernel: one of this module, or any K(x, x_i) that broadcasts, in their dtype or bool.
        w: finite, a number or a tensor without dimensions. The inverse of the bandwidth: a larger
            one makes the kernel narrower. The square of w times a distance must fit the dtype.

    Returns:
        (Q, K). A row sums to 1, or is exactly 0 where the kernel's sum is, up to rounding: no key
        is in reach, or negative values cancel the others.

    Raises:
        ValueError: queries or keys is not 1-D, w is not finite, does not fit their dtype or has
            dimensions, or the kernel returns another shape than (Q, K).
        TypeError: a tensor is not floating, dtypes differ, w is no number, kernel no function, or
            what it returns no tensor, or one of another dtype.

    >>> kernel_weights(torch.tensor([0.0, 5.0]), torch.tensor([0.0, 0.5, 2.0]), triangular)
    tensor([[0.6667, 0.3333, 0.0000],
            [0.0000, 0.0000, 0.0000]])
    """
    check_floating("queries", queries, "(Q,)")
    check_floating("keys", keys, "(K,)")
    check_alike("keys", keys, "queries", queries)
    check_number("w", w, queries.dtype)
    if isinstance(w, Tensor):
        check_device("w", w, "queries", queries)
    check_callable("kernel", kernel, "K(x, x_i)")
    x, x_i = w * queries[:, None], w * keys[:, None]
    if kernel is gaussian:  # in log space: far from all keys the kernel underflows to 0
        return torch.softmax(scores.gaussian(x[None], x_i[None])[0], dim=-1)
    similarity = kernel(x, x_i.T)
    check_result("kernel", similarity, "(Q, K)", (len(queries), len(keys)), queries)
    return _divided_by_sum(similarity.to(queries.dtype))


def nadaraya_watson(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    kernel: Kernel = gaussian,
    w: float | Tensor = 1.0,
) -> Tensor:
    """Kernel regression: the average of the values, weighted by `kernel_weights`.

    Args:
        queries: (Q,) floating, where to predict.
        keys: (K,), the training inputs.
        values: (K,), the training targets.
        kernel: see `kernel_weights`.
        w: see `kernel_weights`.

    Returns:
        (Q,), exactly 0 where no key is in reach.

    Raises:
        ValueError, TypeError: as `kernel_weights`; or values are not one number per key.

    Source: Nadaraya, *On Estimating Regression*, and Watson, *Smooth Regression Analysis*, 1964.

    >>> keys, values = torch.tensor([0.0, 0.5, 2.0]), torch.tensor([3.0, 6.0, 9.0])
    >>> nadaraya_watson(torch.tensor([0.0, 5.0]), keys, values, triangular)
    tensor([4., 0.])
    """
    check_floating("values", values, "(K,)")
    weights = kernel_weights(queries, keys, kernel, w)
    check_alike("values", values, "queries", queries)
    if values.shape != keys.shape:
        raise ValueError(f"values must have one number per key, {len(keys)}; got {len(values)}")
    return weights @ values


def _difference(x: Tensor, x_i: Tensor) -> Tensor:
    check_broadcast("x", x, "x_i", x_i)
    return x - x_i


def _divided_by_sum(x: Tensor) -> Tensor:
    """Divide each row of (Q, K) by its sum; a row whose sum is 0, up to rounding, becomes 0."""
    total, size = (terms.sum(dim=-1, keepdim=True) for terms in (x, x.abs()))  # (Q, 1)
    # Terms that cancel leave a rounding error; a row with an infinity is not empty.
    empty = (total.abs() <= _LAST_BITS * torch.finfo(x.dtype).eps * size) & size.isfinite()
    # Dividing by 1 instead of 0 keeps NaN out of the gradient too, which `where` alone would not.
    return torch.where(empty, 0, x / torch.where(empty, 1, total))
