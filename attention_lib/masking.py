"""Turn valid lengths into masks, and compute the softmax that masks padding.

A mask here is True where a key is kept, as in `torch.nn.functional.scaled_dot_product_attention`.
"""

import torch
from torch import Tensor

from attention_lib._checks import (
    check_counts,
    check_fill,
    check_floating,
    check_integers,
    check_lengths,
    check_numbers,
)
from attention_lib._transforms import readable


def length_mask(valid_lens: Tensor, num_queries: int, num_keys: int) -> Tensor:
    """Mask that keeps the first `valid_lens` keys.

    Shapes: B batch, Q queries, K keys.

    Args:
        valid_lens: (B,) or (B, Q) integer, how many leading keys count, 0 ≤ n ≤ K.
        num_queries: Q.
        num_keys: K.

    Returns:
        (B, 1, K) for one length per example, (B, Q, K) for one per query; bool, True = keep.

    Raises:
        ValueError: Q or K is negative, or valid_lens has another shape, or a value outside 0..K.
        TypeError: valid_lens is not a strided integer tensor, or Q or K no integer.

    >>> length_mask(torch.tensor([1, 3]), num_queries=2, num_keys=3)
    tensor([[[ True, False, False]],
    <BLANKLINE>
            [[ True,  True,  True]]])
    """
    check_counts(0, num_queries=num_queries, num_keys=num_keys)
    check_integers("valid_lens", valid_lens)
    batch = valid_lens.shape[0] if valid_lens.dim() else 1
    check_valid_lens(valid_lens, (batch, num_queries), num_keys)
    return _positions(num_keys, valid_lens) < _per_row(valid_lens)


def sequence_mask(X: Tensor, valid_len: Tensor, value: float = 0) -> Tensor:
    """Copy of X in which the entries from each row's length onwards hold `value`.

    Shapes: N rows, K positions.

    Args:
        X: (N, K), floating, integer or bool.
        valid_len: (N,) integer, how many leading entries of a row stay, 0 ≤ n ≤ K.
        value: what the padding becomes; the dtype of X must hold it.

    Returns:
        (N, K), dtype of X. X itself is not changed.

    Raises:
        ValueError: X is not 2-D, value does not fit its dtype, or valid_len has another shape or
            device or a value outside 0..K.
        TypeError: X is not a strided tensor of real numbers, value no number, or valid_len is not
            an integer tensor.

    >>> sequence_mask(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([1, 2]), value=-1)
    tensor([[ 1, -1, -1],
            [ 4,  5, -1]])
    """
    check_numbers("X", X, "(N, K)")
    check_lengths(valid_len, {"(N,)": (X.shape[0],)}, X.shape[1], "valid_len", X=X)
    check_fill("value", value, "X", X)
    return X.masked_fill(_positions(X.shape[1], valid_len) >= valid_len[:, None], value)


def masked_softmax(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Softmax over the keys that gives padding no weight.

    Shapes: B batch, Q queries, K keys.

    Args:
        X: (B, Q, K) floating, unnormalised scores.
        valid_lens: (B,) or (B, Q) integer, how many leading keys count, 0 ≤ n ≤ K. None: all.

    Returns:
        (B, Q, K), dtype of X. A row sums to 1, or to 0 where no key counts.

    Raises:
        ValueError: X is not 3-D, or valid_lens has another shape or device or a value outside 0..K.
        TypeError: X is not a strided floating tensor, or valid_lens is not an integer one.

    Source: name and signature follow Zhang, Lipton, Li and Smola, *Dive into Deep Learning*
    (2023), section 11.3; that an empty row weighs nothing is the convention of this library.

    >>> masked_softmax(torch.zeros(1, 1, 4), torch.tensor([2]))
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]])
    """
    check_floating("X", X, "(B, Q, K)")
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    check_valid_lens(valid_lens, X.shape[:2], X.shape[2], X=X)
    if valid_lens.dim() == 1 and readable(valid_lens) and _is_large(X):
        return _by_example(X, valid_lens)
    lengths = _per_row(valid_lens)  # (B, 1, 1) or (B, Q, 1)
    keep, empty = _positions(X.shape[2], valid_lens) < lengths, lengths == 0
    # Filling with -inf is safe beside finite scores of any size. An empty row is filled with 0
    # instead, because the softmax of -inf alone is NaN, and so is its gradient.
    fill = torch.where(empty, 0.0, -torch.inf).to(X.dtype)
    weights = torch.softmax(torch.where(keep, X, fill), dim=-1)
    if readable(empty) and not empty.any():
        return weights  # most batches: no row is empty
    return weights * ~empty


def check_valid_lens(lens: Tensor, sizes: tuple[int, ...], K: int, **beside: Tensor) -> None:
    """Require (B,) or (B, Q) integers in 0..K, on the device of `beside`; sizes are B and Q."""
    shapes = {"(B,)": tuple(sizes[:1]), "(B, Q)": tuple(sizes)}
    check_lengths(lens, shapes, K, "valid_lens", **beside)


def _is_large(X: Tensor) -> bool:
    recorded = X.requires_grad and torch.is_grad_enabled()
    return readable(X) and not recorded and X.shape[1] * X.shape[2] >= 2**18


def _by_example(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Softmax of the kept scores alone, of a few rows at a time, whose copies fit the cache."""
    weights = torch.empty_like(X)
    for scores, own, n in zip(X, weights, valid_lens.tolist(), strict=True):
        own[:, n:] = 0
        few = 2**16 // max(n, 1) + 1
        for some, rows in zip(scores[:, :n].split(few), own[:, :n].split(few), strict=True):
            rows.copy_(torch.softmax(some, dim=-1))
    return weights


def _per_row(valid_lens: Tensor) -> Tensor:
    return valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[:, :, None]


def _positions(num_keys: int, like: Tensor) -> Tensor:
    return torch.arange(num_keys, device=like.device)  # (K,)
