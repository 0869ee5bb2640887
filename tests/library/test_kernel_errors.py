"""What kernels and their regression refuse: what was expected and what came, word for word."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch

from attention_lib import kernels
from attention_lib.kernels import GaussianAttention, kernel_weights, nadaraya_watson

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
