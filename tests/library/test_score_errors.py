"""Test the errors of the scoring functions word for word."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from score_cases import NAMES, SAME_SIZE, function, parameter_sizes
from torch import Tensor

from attention_lib import scores

QUERIES, KEYS = torch.zeros(2, 3, 7), torch.zeros(2, 5, 11)
W, W_q, W_k, w_v = torch.zeros(7, 11), torch.zeros(13, 7), torch.zeros(13, 11), torch.zeros(1, 13)
WRONG_PAIRS = [
    (QUERIES[0], KEYS, ValueError, "queries must have shape (B, Q, query size); got (3, 7)"),
    (QUERIES, KEYS[0], ValueError, "keys must have shape (B, K, key size); got (5, 11)"),
    (
        QUERIES,
        KEYS[:1],
        ValueError,
        "keys must have the batch size of queries, 2; got 1 in (1, 5, 11)",
    ),
    (QUERIES.tolist(), KEYS, TypeError, "queries must be a tensor; got list"),
    (QUERIES, KEYS.long(), TypeError, "keys must be floating; got torch.int64"),
    (
        QUERIES,
        KEYS.double(),
        TypeError,
        "keys must have the dtype of queries, torch.float32; got torch.float64",
    ),
]


def with_parameters(name: str) -> Callable[[Tensor, Tensor], Tensor]:
    """Return a score of queries and keys alone, with parameters that fit `QUERIES` and `KEYS`."""
    sizes = parameter_sizes(name).items()
    return partial(function(name), **{own: torch.zeros(size) for own, size in sizes})


def refused(kind: type[Exception], message: str) -> "pytest.RaisesExc[Exception]":
    return pytest.raises(kind, match=f"^{re.escape(message)}$")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("queries", "keys", "kind", "message"), WRONG_PAIRS)
def test_queries_and_keys_that_do_not_fit_are_refused(
    name: str, queries: Any, keys: Any, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        with_parameters(name)(queries, keys)


@pytest.mark.parametrize("name", SAME_SIZE)
def test_scores_of_vectors_of_one_size_need_keys_of_the_size_of_queries(name: str) -> None:
    with refused(ValueError, "keys must have the size of queries, 7; got 11"):
        with_parameters(name)(QUERIES, KEYS)


def test_a_matrix_that_does_not_fit_is_refused() -> None:
    with refused(ValueError, "W must have shape (query size, key size) = (7, 11); got (11, 7)"):
        scores.bilinear(QUERIES, KEYS, W.mT)
    with refused(ValueError, "W must have shape (query size, key size); got (7,)"):
        scores.bilinear(QUERIES, KEYS, W[:, 0])
    with refused(TypeError, "W must have the dtype of queries, torch.float32; got torch.float64"):
        scores.bilinear(QUERIES, KEYS, W.double())


def test_additive_parameters_that_do_not_fit_are_refused() -> None:
    with refused(ValueError, "W_q must have shape (H, query size) = (7, 7); got (7, 13)"):
        scores.additive(QUERIES, KEYS, W_q.mT, W_k, w_v)
    with refused(ValueError, "W_k must have shape (H, key size) = (13, 11); got (12, 11)"):
        scores.additive(QUERIES, KEYS, W_q, W_k[:12], w_v)
    with refused(ValueError, "w_v must have shape (1, H); got (13,)"):
        scores.additive(QUERIES, KEYS, W_q, W_k, w_v[0])
    with refused(ValueError, "W_q must have shape (H, query size); got (13,)"):
        scores.additive(QUERIES, KEYS, W_q[:, 0], W_k, w_v)
    with refused(TypeError, "W_q must be a tensor; got Linear"):
        scores.additive(QUERIES, KEYS, torch.nn.Linear(7, 13), W_k, w_v)  # type: ignore[arg-type]
