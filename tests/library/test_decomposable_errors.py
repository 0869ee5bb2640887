"""Test the errors of DecomposableAttention word for word: expected and actual values."""

import copy
import re
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attention_lib import DecomposableAttention

MODEL = DecomposableAttention(vocab_size=9, embedding_size=3, num_hiddens=5)
IDS, OTHERS = torch.zeros(2, 4, dtype=torch.int64), torch.zeros(2, 7, dtype=torch.int64)
A, B = torch.zeros(2, 4, 3), torch.zeros(2, 7, 3)
V_A, V_B = torch.zeros(2, 4, 5), torch.zeros(2, 7, 5)

WRONG_IDS = [
    ([[1]], OTHERS, TypeError, "premises must be an integer tensor; got list"),
    (A[..., 0], OTHERS, TypeError, "premises must be an integer tensor; got torch.float32"),
    (IDS.bool(), OTHERS, TypeError, "premises must be an integer tensor; got torch.bool"),
    (IDS[0], OTHERS, ValueError, "premises must have shape (B, P); got (4,)"),
    (IDS, OTHERS[None], ValueError, "hypotheses must have shape (B, H); got (1, 2, 7)"),
    (IDS, OTHERS.float(), TypeError, "hypotheses must be an integer tensor; got torch.float32"),
    (IDS + 9, OTHERS, ValueError, "premises must lie in 0..8; got ids from 9 to 9"),
    (IDS, OTHERS - 1, ValueError, "hypotheses must lie in 0..8; got ids from -1 to -1"),
    (
        IDS,
        OTHERS[:1],
        ValueError,
        "hypotheses must have the batch size of premises, 2; got 1 in (1, 7)",
    ),
]
WRONG_LENS = [
    (torch.tensor([1]), ValueError, "{0} must have shape (B,) = (2,); got (1,)"),
    (torch.ones(2, 4).long(), ValueError, "{0} must have shape (B,) = (2,); got (2, 4)"),
    (torch.tensor([1, 8]), ValueError, "{0} must lie in 0..{1}; got values from 1 to 8"),
    (torch.tensor([-1, 2]), ValueError, "{0} must lie in 0..{1}; got values from -1 to 2"),
    ([1, 2], TypeError, "{0} must be an integer tensor; got list"),
    (torch.tensor([1.0, 2.0]), TypeError, "{0} must be an integer tensor; got torch.float32"),
]
WRONG_PARTS = [
    ("attend", A[0], B, ValueError, "a must have shape (B, N, 3); got (4, 3)"),
    ("attend", V_A, B, ValueError, "a must have shape (B, N, 3); got (2, 4, 5)"),
    ("attend", A, V_B, ValueError, "b must have shape (B, N, 3); got (2, 7, 5)"),
    ("attend", A, None, TypeError, "b must be a tensor; got NoneType"),
    ("attend", A.long(), B, TypeError, "a must be floating; got torch.int64"),
    (
        "attend",
        A,
        B.double(),
        TypeError,
        "b must have the dtype of the embedding, torch.float32; got torch.float64",
    ),
    ("attend", A, B[:1], ValueError, "b must have the batch size of a, 2; got 1 in (1, 7, 3)"),
    ("compare", V_A, V_A, ValueError, "words must have shape (B, N, 3); got (2, 4, 5)"),
    (
        "compare",
        A,
        B,
        ValueError,
        "aligned must have the shape of words, (2, 4, 3); got (2, 7, 3)",
    ),
    ("aggregate", A, V_B, ValueError, "v_a must have shape (B, N, 5); got (2, 4, 3)"),
    (
        "aggregate",
        V_A,
        V_B[:1],
        ValueError,
        "v_b must have the batch size of v_a, 2; got 1 in (1, 7, 5)",
    ),
]


def refused(kind: type[Exception], message: str) -> "pytest.RaisesExc[Exception]":
    return pytest.raises(kind, match=f"^{re.escape(message)}$")


@pytest.mark.parametrize(("premises", "hypotheses", "kind", "message"), WRONG_IDS)
def test_ids_that_are_no_words_are_refused(
    premises: Any, hypotheses: Any, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        MODEL(premises, hypotheses)


@pytest.mark.parametrize(("lens", "kind", "message"), WRONG_LENS)
@pytest.mark.parametrize(
    ("side", "name", "size"), [(0, "premise_lens", 4), (1, "hypothesis_lens", 7)]
)
def test_lengths_that_do_not_fit_are_refused_by_name_wherever_they_come(
    side: int, name: str, size: int, lens: Any, kind: type[Exception], message: str
) -> None:
    both = (lens, None) if side == 0 else (None, lens)
    for call, x, y in (
        (MODEL, IDS, OTHERS),
        (MODEL.attend, A, B),
        (MODEL.aggregate, V_A, V_B),
    ):
        with refused(kind, message.format(name, size)):
            call(x, y, *both)
    if side == 0:
        with refused(kind, message.format("lens", size)):
            MODEL.compare(A, A, lens)


def test_single_ids_are_checked_by_name_and_device() -> None:
    with refused(TypeError, "ids must be an integer tensor; got torch.float32"):
        MODEL.embed(A)
    elsewhere = copy.deepcopy(MODEL).to("meta")
    with refused(ValueError, "ids must be on the device of the embedding, meta; got cpu"):
        elsewhere.embed(IDS)


def test_an_embedding_need_not_be_a_table_with_parameters() -> None:
    model = copy.deepcopy(MODEL)
    model.embedding = nn.Sequential(model.embedding).requires_grad_(False)  # num_embeddings inside
    assert torch.equal(model.embed(IDS), MODEL.embed(IDS))
    model.embedding = Same()
    assert torch.equal(model.embed(IDS), IDS[..., None].expand(2, 4, 3))


class Same(nn.Module):
    """Embeds every word as its id, three times."""

    def forward(self, ids: Tensor) -> Tensor:
        return ids[..., None].expand(*ids.shape, 3)


@pytest.mark.parametrize(("part", "x", "y", "kind", "message"), WRONG_PARTS)
def test_parts_refuse_what_does_not_fit_together(
    part: str, x: Any, y: Any, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        getattr(MODEL, part)(x, y)


@pytest.mark.parametrize(
    ("vectors", "kind", "message"),
    [
        ([[1.0]], TypeError, "vectors must be a tensor; got list"),
        (torch.ones(9, 2).long(), TypeError, "vectors must be floating; got torch.int64"),
        (
            torch.ones(8, 2),
            ValueError,
            "vectors must have shape (vocab_size, K) = (9, K) with 1 ≤ K ≤ 3; got (8, 2)",
        ),
        (
            torch.ones(9, 4),
            ValueError,
            "vectors must have shape (vocab_size, K) = (9, K) with 1 ≤ K ≤ 3; got (9, 4)",
        ),
        (
            torch.ones(9, 0),
            ValueError,
            "vectors must have shape (vocab_size, K) = (9, K) with 1 ≤ K ≤ 3; got (9, 0)",
        ),
        (
            torch.ones(9),
            ValueError,
            "vectors must have shape (vocab_size, K) = (9, K) with 1 ≤ K ≤ 3; got (9,)",
        ),
        (
            torch.full((9, 2), torch.nan),
            ValueError,
            "vectors must be finite; got NaN or infinity",
        ),
    ],
)
def test_given_vectors_that_do_not_fit_are_refused(
    vectors: Any, kind: type[Exception], message: str
) -> None:
    with refused(kind, message):
        DecomposableAttention(9, 3, 5, vectors=vectors)
