"""Test the errors of kernels and their regression word for word."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from attention_lib import GaussianAttention, kernels
from attention_lib.kernels import kernel_weights, nadaraya_watson

X, X_I = torch.zeros(3), torch.zeros(4)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: kernel_weights(X[None], X_I),
            ValueError,
            "queries must have shape (Q,); got (1, 3)",
        ),
        (lambda: kernel_weights(X, X_I[0]), ValueError, "keys must have shape (K,); got ()"),
        (
            lambda: kernel_weights(X.long(), X_I),
            TypeError,
            "queries must be floating; got torch.int64",
        ),
        (lambda: kernel_weights(X, [0.0]), TypeError, "keys must be a tensor; got list"),
        (
            lambda: kernel_weights(X, X_I.double()),
            TypeError,
            "keys must have the dtype of queries, torch.float32; got torch.float64",
        ),
        (lambda: kernel_weights(X, X_I, w=math.inf), ValueError, "w must be finite; got inf"),
        (
            lambda: kernel_weights(X, X_I, w=torch.ones(4)),
            ValueError,
            "w must be one number; got shape (4,)",
        ),
        (
            lambda: kernel_weights(X, X_I, w=torch.tensor(math.inf)),
            ValueError,
            "w must be finite; got inf",
        ),
        (lambda: kernel_weights(X, X_I, w="2"), TypeError, "w must be a number; got str"),
        (
            lambda: kernel_weights(X, X_I, kernel="gaussian"),
            TypeError,
            "kernel must be a function K(x, x_i); got str",
        ),
        (
            lambda: kernel_weights(X, X_I, kernel=lambda x, x_i: x),
            ValueError,
            "kernel must return shape (Q, K) = (3, 4); got (3, 1)",
        ),
        (
            lambda: kernel_weights(X, X_I, kernel=lambda x, x_i: None),
            TypeError,
            "kernel must return a tensor; got NoneType",
        ),
        (
            lambda: kernel_weights(X, X_I, kernel=lambda x, x_i: 1.0),
            TypeError,
            "kernel must return a tensor; got float",
        ),
        (
            lambda: nadaraya_watson(X, X_I, X_I, lambda x, x_i: (x - x_i).numpy()),
            TypeError,
            "kernel must return a tensor; got ndarray",
        ),
        (
            lambda: kernel_weights(X, X_I, kernel=lambda x, x_i: (x - x_i).double()),
            TypeError,
            "kernel must return torch.float32 or torch.bool; got torch.float64",
        ),
        (
            lambda: kernel_weights(X, X_I, kernel=lambda x, x_i: x - x_i + 1j),
            TypeError,
            "kernel must return torch.float32 or torch.bool; got torch.complex64",
        ),
        (
            lambda: kernel_weights(X, X_I, w=1e39),
            ValueError,
            "w must fit torch.float32; got 1e+39",
        ),
        (
            lambda: kernel_weights(X, X_I, w=torch.tensor(1e39, dtype=torch.float64)),
            ValueError,
            "w must fit torch.float32; got 1e+39",
        ),
        (
            lambda: kernel_weights(X.half(), X_I.half(), w=65536),
            ValueError,
            "w must fit torch.float16; got 65536.0",
        ),
        (
            lambda: GaussianAttention(-1e39),
            ValueError,
            "w must fit torch.float32; got -1e+39",
        ),
        (  # the first number that is rounded to infinity
            lambda: GaussianAttention(2.0**128 - 2.0**103),
            ValueError,
            "w must fit torch.float32; got 3.4028235677973366e+38",
        ),
        (
            lambda: GaussianAttention(10**400),
            ValueError,
            "w must be finite; got a number too large for a float",
        ),
        (
            lambda: nadaraya_watson(X, X_I, X),
            ValueError,
            "values must have one number per key, 4; got 3",
        ),
        (
            lambda: nadaraya_watson(X, X_I, X_I[:, None]),
            ValueError,
            "values must have shape (K,); got (4, 1)",
        ),
        (
            lambda: nadaraya_watson(X, X_I, X_I.half()),
            TypeError,
            "values must have the dtype of queries, torch.float32; got torch.float16",
        ),
        (lambda: GaussianAttention(math.nan), ValueError, "w must be finite; got nan"),
        (
            lambda: GaussianAttention()(
                X[None, :, None], torch.zeros(1, 4, 2), torch.zeros(1, 4, 1)
            ),
            ValueError,
            "keys must have the size of queries, 1; got 2",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.gaussian,
        kernels.boxcar,
        kernels.epanechnikov,
        kernels.triangular,
        kernels.linear,
    ],
)
@pytest.mark.parametrize(
    ("x", "x_i", "kind", "message"),
    [
        (X, X_I, ValueError, "x and x_i must have shapes that broadcast; got (3,) and (4,)"),
        (1.0, X_I, TypeError, "x must be a tensor; got float"),
        (X, X.int(), TypeError, "x_i must be floating; got torch.int32"),
        (X, X.half(), TypeError, "x_i must have the dtype of x, torch.float32; got torch.float16"),
    ],
)
def test_kernels_refuse_what_does_not_fit(
    kernel: kernels.Kernel, x: Any, x_i: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        kernel(x, x_i)


def use(attention: GaussianAttention) -> Tensor:
    output: Tensor = attention(X[None, :, None], X_I[None, :, None], X_I[None, :, None])
    return output


@pytest.mark.parametrize(("w", "came"), [(1e39, "inf"), (-1e39, "-inf"), (math.nan, "nan")])
def test_a_width_that_was_loaded_is_refused_when_it_is_used(w: float, came: str) -> None:
    attention = GaussianAttention()
    attention.load_state_dict({"w": torch.tensor(w, dtype=torch.float64)})
    with pytest.raises(ValueError, match=f"^w must be finite; got {came}$"):
        use(attention)


def test_a_width_that_a_smaller_dtype_cannot_hold_is_refused() -> None:
    attention = GaussianAttention(1e5)
    use(attention)
    with pytest.raises(ValueError, match=r"^w must be finite; got inf$"):
        attention.half()(*torch.zeros(3, 1, 2, 1).half().unbind())


def test_the_largest_width_is_one() -> None:
    largest = torch.finfo(torch.float32).max
    assert GaussianAttention(largest).w == largest
    assert kernel_weights(X, X, w=largest).isfinite().all()
