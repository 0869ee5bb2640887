"""Chapter 4: masked softmax."""

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Case, Exercise, draw, hint
from attention_lib.exercises.mask_mistakes import MASK_MISTAKES
from attention_lib.exercises.mask_steps import masked_softmax

LENGTH_HINTS = (
    hint(
        "stack expects each tensor|Sizes of tensors must match except in dimension",
        "Rows that were cut to their valid lengths differ in size and do not fit into one tensor. "
        "Keep the rows whole and mask them, then no loop over the batch is needed.",
        "各行按有效长度截断以后长短不一，装不进同一个张量。"
        "请保留完整的行，改用掩码，这样也就不必对批量循环了。",
    ),
    hint(
        r"valid_lens None.*NoneType",
        "`valid_lens` may be `None`: then all keys count.",
        "`valid_lens` 可以是 `None`，这时所有的键都算数。",
    ),
    hint(
        r"valid_lens \[.*(The size of tensor a|broadcastable|Boolean value of Tensor|one element|"
        "only integer tensors|converted to Scalar)",
        "`valid_lens` may have the shape (B,) or (B, Q). For scores of shape (B, Q, K) the mask "
        "should be (B, 1, K) or (B, Q, K).",
        "`valid_lens` 的形状可以是 (B,)，也可以是 (B, Q)。"
        "分数的形状是 (B, Q, K)，掩码就应是 (B, 1, K) 或 (B, Q, K)。",
    ),
)


def padded(inputs: tuple[Tensor, ...], lengths: Tensor) -> Case:
    """Make the first example's keys and values large where they are padding."""
    queries, keys, values = (x.clone() for x in inputs)
    keys[0, lengths[0] :] *= 1000
    values[0, lengths[0] :] *= 1e6
    return queries, keys, values, lengths


X, ONE, SQUARE = draw(4, (2, 3, 5), (1, 3, 5), (2, 2, 7))
LENGTHS = torch.tensor([2, 4])


def _extreme() -> tuple[Case, ...]:
    """Make scores that are large in the padding, or low among the kept keys."""
    large, low, lower = X.clone(), X.clone(), ONE.clone()
    large[0, :, 2:] = 5000
    low[0] = torch.tensor([-2e6, -2e6 - 1, -1.9e6, 0, 1e6], dtype=X.dtype)
    lower[:] = -(2.0**100)
    return (large, LENGTHS), (low, LENGTHS), (lower, torch.tensor([2]))


EXERCISE = Exercise(
    masked_softmax,
    (
        (X, LENGTHS),
        (SQUARE, torch.tensor([3, 6])),
        (ONE, torch.tensor([3])),
        (X, torch.tensor([[1, 3, 5], [4, 2, 1]])),
        (X, None),
        *_extreme(),
        (X, torch.tensor([0, 3])),
        (X, torch.tensor([[0, 3, 5], [2, 0, 1]])),
    ),
    MASK_MISTAKES,
    LENGTH_HINTS,
)
