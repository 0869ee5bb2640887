"""Test every error message word for word: expected and actual values."""

import re
from typing import Any

import pytest
import torch

from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DotProductAttention,
    length_mask,
    masked_softmax,
    sequence_mask,
)

X, LENGTHS = torch.zeros(2, 3, 4), torch.tensor([1, 2])
Q, K, V = torch.zeros(2, 3, 5), torch.zeros(2, 7, 5), torch.zeros(2, 7, 11)
ATTENTIONS = pytest.mark.parametrize(
    "attention", [AdditiveAttention(5, 5, 8), DotProductAttention(), BilinearAttention(5, 5)]
)
EITHER = "valid_lens must have shape (B,) or (B, Q) = (2,) or (2, 3); got "
INTEGERS = "valid_lens must be an integer tensor; got "
RANGE = "valid_lens must lie in 0..4; got values from "

WRONG_LENGTHS = [
    (torch.tensor([1, 1, 1, 1]), ValueError, EITHER + "(4,)"),
    (torch.tensor([1, 1, 1]), ValueError, EITHER + "(3,)"),
    (torch.tensor(2), ValueError, EITHER + "()"),
    (torch.ones(2, 1, dtype=torch.int64), ValueError, EITHER + "(2, 1)"),
    (torch.ones(3, 2, dtype=torch.int64), ValueError, EITHER + "(3, 2)"),
    (torch.ones(2, 3, 1, dtype=torch.int64), ValueError, EITHER + "(2, 3, 1)"),
    (torch.tensor([-1, 2]), ValueError, RANGE + "-1 to 2"),
    (torch.tensor([0, 5]), ValueError, RANGE + "0 to 5"),
    (torch.tensor([[0, 1, 2], [3, 4, 9]]), ValueError, RANGE + "0 to 9"),
    ([1, 2], TypeError, INTEGERS + "list"),
    (2, TypeError, INTEGERS + "int"),
    (torch.tensor([1.0, 2.0]), TypeError, INTEGERS + "torch.float32"),
    (torch.tensor([True, False]), TypeError, INTEGERS + "torch.bool"),
]
WRONG_SCORES = [
    (torch.zeros(3, 4), ValueError, "X must have shape (B, Q, K); got (3, 4)"),
    (torch.zeros(1, 2, 3, 4), ValueError, "X must have shape (B, Q, K); got (1, 2, 3, 4)"),
    (torch.zeros(2, 3, 4).long(), TypeError, "X must be floating; got torch.int64"),
    (torch.zeros(2, 3, 4).bool(), TypeError, "X must be floating; got torch.bool"),
    ([[[0.0]]], TypeError, "X must be a tensor; got list"),
]
WRONG_INPUTS = [
    (Q[0], K, V, ValueError, "queries must have shape (B, Q, query size); got (3, 5)"),
    (Q, K[0], V, ValueError, "keys must have shape (B, K, key size); got (7, 5)"),
    (Q, K, V[0], ValueError, "values must have shape (B, K, V); got (7, 11)"),
    (Q, K[:1], V, ValueError, "keys must have the batch size of queries, 2; got 1 in (1, 7, 5)"),
    (
        Q,
        K,
        V[:, :6],
        ValueError,
        "values must have one row per key, (B, K) = (2, 7); got (2, 6) in (2, 6, 11)",
    ),
    (
        Q,
        K,
        V[:1],
        ValueError,
        "values must have one row per key, (B, K) = (2, 7); got (1, 7) in (1, 7, 11)",
    ),
    (Q.tolist(), K, V, TypeError, "queries must be a tensor; got list"),
    (Q, None, V, TypeError, "keys must be a tensor; got NoneType"),
    (Q.int(), K, V, TypeError, "queries must be floating; got torch.int32"),
    (Q, K, V.long(), TypeError, "values must be floating; got torch.int64"),
    (
        Q,
        K.double(),
        V,
        TypeError,
        "keys must have the dtype of queries, torch.float32; got torch.float64",
    ),
    (
        Q,
        K,
        V.half(),
        TypeError,
        "values must have the dtype of queries, torch.float32; got torch.float16",
    ),
]


def refused(kind: type[Exception], message: str) -> "pytest.RaisesExc[Exception]":
    return pytest.raises(kind, match=f"^{re.escape(message)}$")


@pytest.mark.parametrize(("valid_lens", "kind", "message"), WRONG_LENGTHS)
def test_lengths_that_do_not_fit_the_scores_are_refused(
    valid_lens: Any, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        masked_softmax(X, valid_lens)


@pytest.mark.parametrize(("valid_lens", "kind", "message"), WRONG_LENGTHS)
@ATTENTIONS
def test_attention_refuses_the_same_lengths(
    attention: Attention,
    valid_lens: Any,
    kind: type[Exception],
    message: str,
) -> None:
    with refused(kind, message):
        attention(Q, K[:, :4], V[:, :4], valid_lens)


@pytest.mark.parametrize(("scores", "kind", "message"), WRONG_SCORES)
@pytest.mark.parametrize("valid_lens", [None, LENGTHS])
def test_scores_that_are_not_three_floating_dimensions_are_refused(
    scores: Any, valid_lens: torch.Tensor | None, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        masked_softmax(scores, valid_lens)


@pytest.mark.parametrize(("queries", "keys", "values", "kind", "message"), WRONG_INPUTS)
@ATTENTIONS
def test_queries_keys_and_values_must_fit_together(
    attention: Attention,
    queries: Any,
    keys: Any,
    values: Any,
    kind: type[Exception],
    message: str,
) -> None:
    with refused(kind, message):
        attention(queries, keys, values)


def test_additive_attention_names_the_size_and_the_dtype_of_its_own_weights() -> None:
    attention = AdditiveAttention(key_size=5, query_size=6, num_hiddens=8)
    with refused(ValueError, "queries must have size 6; got 5"):
        attention(Q, K, V)
    with refused(ValueError, "keys must have size 5; got 4"):
        attention(torch.zeros(2, 3, 6), K[..., :4], V)
    with refused(TypeError, "queries must have the dtype of W_q, torch.float32; got torch.float64"):
        attention(torch.zeros(2, 3, 6).double(), K.double(), V.double())


def test_bilinear_attention_names_the_size_and_the_dtype_of_its_own_weight() -> None:
    attention = BilinearAttention(key_size=5, query_size=6)
    with refused(ValueError, "queries must have size 6; got 5"):
        attention(Q, K, V)
    with refused(ValueError, "keys must have size 5; got 4"):
        attention(torch.zeros(2, 3, 6), K[..., :4], V)
    with refused(TypeError, "queries must have the dtype of W, torch.float32; got torch.float64"):
        attention(torch.zeros(2, 3, 6).double(), K.double(), V.double())


def test_dot_product_attention_needs_keys_of_the_size_of_queries() -> None:
    with refused(ValueError, "keys must have the size of queries, 5; got 4"):
        DotProductAttention()(Q, K[..., :4], V)


def test_masks_refuse_what_does_not_fit() -> None:
    with refused(ValueError, "valid_lens must lie in 0..3; got values from 1 to 4"):
        length_mask(torch.tensor([1, 4]), num_queries=2, num_keys=3)
    with refused(
        ValueError, "valid_lens must have shape (B,) or (B, Q) = (2,) or (2, 3); got (2, 2)"
    ):
        length_mask(torch.ones(2, 2, dtype=torch.int64), num_queries=3, num_keys=3)
    with refused(TypeError, INTEGERS + "list"):
        length_mask([1, 4], 2, 3)  # type: ignore[arg-type]


def test_sequence_mask_refuses_what_does_not_fit() -> None:
    with refused(ValueError, "X must have shape (N, K); got (2, 3, 4)"):
        sequence_mask(X, LENGTHS)
    with refused(TypeError, "X must be a tensor; got list"):
        sequence_mask([[1]], LENGTHS)  # type: ignore[arg-type]
    with refused(ValueError, "valid_len must have shape (N,) = (3,); got (2,)"):
        sequence_mask(X[0], LENGTHS)
    with refused(ValueError, "valid_len must lie in 0..4; got values from 0 to 5"):
        sequence_mask(X[0], torch.tensor([5, 0, 1]))
    with refused(TypeError, "valid_len must be an integer tensor; got torch.float64"):
        sequence_mask(X[0], LENGTHS.double())
