"""Answers to "soft-alignment": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from answers.cleaning import cleaned
from attention_lib import length_mask, masked_softmax

Answer = Callable[[Tensor, Tensor, Tensor], Tensor]


def padding(scores: Tensor, lens: Tensor) -> Tensor:
    return torch.arange(scores.shape[2]) >= lens[:, None, None]


# Right answers


def with_the_library(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    return masked_softmax(a @ b.mT, b_lens) @ b


def with_torch(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    mask = length_mask(b_lens, a.shape[1], b.shape[1])
    return F.scaled_dot_product_attention(a, b, b, attn_mask=mask, scale=1.0)


def loops(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    result = torch.zeros_like(a)
    for i, j in np.ndindex(*a.shape[:2]):
        words = b[i, : b_lens[i]]
        result[i, j] = F.softmax(words.mv(a[i, j]), 0) @ words
    return result


def sentence_by_sentence(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Treat an empty sentence like any other: a product over no word is 0."""
    cut = [words[:n] for words, n in zip(b, b_lens.tolist(), strict=True)]
    return torch.stack([(x @ y.T).softmax(-1) @ y for x, y in zip(a, cut, strict=True)])


def own_softmax(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Shifted by the largest of the valid scores, so that no exponential is above 1."""
    scores = torch.einsum("bpe,bhe->bph", a, b)
    drop = padding(scores, b_lens)
    top = scores.masked_fill(drop, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    shares = torch.exp((scores - top.detach()).masked_fill(drop, -torch.inf))
    return torch.einsum("bph,bhe->bpe", shares, b) / shares.sum(-1, keepdim=True).clamp(min=0.5)


def log_sum_exp(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    scores = (a @ b.mT).masked_fill(padding(a @ b.mT, b_lens), torch.finfo(a.dtype).min)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return weights * (b_lens > 0)[:, None, None] @ b


def with_a_sink(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Add a zero vector as a word, which only an empty sentence attends to."""
    scores = a @ b.mT
    scores = scores.masked_fill(padding(scores, b_lens), -torch.inf)
    sink = torch.where(b_lens == 0, 0.0, -torch.inf)[:, None, None].expand(-1, a.shape[1], 1)
    weights = torch.cat([scores, sink.to(scores)], -1).softmax(-1)
    return weights @ F.pad(b, (0, 0, 0, 1))


def word_by_word(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Take the words of b one after the other, with a running maximum."""
    top = a.new_full((*a.shape[:2], 1), -torch.inf)
    total, pooled = torch.zeros_like(top), torch.zeros_like(a)
    for h in range(b.shape[1]):
        scores = (a * b[:, h, None]).sum(-1, keepdim=True)
        scores = scores.where((h < b_lens)[:, None, None], -torch.inf)
        higher = torch.maximum(top, scores).detach()
        finite = higher.clamp(min=torch.finfo(a.dtype).min)
        old, new = torch.exp(top - finite), torch.exp(scores - finite)
        total, pooled, top = total * old + new, pooled * old + new * b[:, h, None], higher
    return pooled / total.where(total > 0, 1)


def sorted_by_length(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Sort the examples by length, and restore the order."""
    order = b_lens.argsort(descending=True)
    return with_the_library(a[order], b[order], b_lens[order])[order.argsort()]


def vmapped(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    def align(word: Tensor, words: Tensor, n: Tensor) -> Tensor:
        valid = torch.arange(len(words)) < n
        weights = (words @ word).masked_fill(~valid, -torch.inf).softmax(0)
        return weights.masked_fill(~valid, 0) @ words

    over_a = torch.vmap(align, in_dims=(0, None, None))
    return torch.vmap(over_a)(a, b, b_lens)


def additive_bias(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Add −∞ to the padding, except in an empty sentence."""
    drop = padding(a @ b.mT, b_lens)
    bias = torch.zeros_like(drop, dtype=a.dtype).masked_fill(drop, -torch.inf)
    bias = bias.where((b_lens > 0)[:, None, None], 0)
    return torch.baddbmm(bias.expand(-1, a.shape[1], -1), a, b.mT).softmax(-1) @ b.masked_fill(
        drop.mT, 0
    )


def in_double(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    return with_the_library(a.double(), b.double(), b_lens).to(a.dtype)


def transposed_throughout(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    scores = b @ a.mT  # (B, H, P)
    drop = padding(a @ b.mT, b_lens).mT
    weights = scores.masked_fill(drop, -torch.inf).softmax(1).masked_fill(drop, 0)
    return (b.mT @ weights).mT


RIGHT: dict[str, Answer] = {
    f.__name__: cleaned(f, 1)
    for f in (
        with_the_library,
        with_torch,
        loops,
        sentence_by_sentence,
        own_softmax,
        log_sum_exp,
        with_a_sink,
        word_by_word,
        sorted_by_length,
        vmapped,
        additive_bias,
        in_double,
        transposed_throughout,
    )
}


# Wrong answers


def align(weigh: Callable[[Tensor, Tensor], Tensor]) -> Answer:
    """Replace the weights of the solution."""
    return lambda a, b, n: weigh(a @ b.mT, n) @ b


def filled(fill: float, dim: int = -1) -> Answer:
    return align(lambda s, n: F.softmax(s.masked_fill(padding(s, n), fill), dim=dim))


def cut(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    pairs = zip(a, b, b_lens, strict=True)
    return torch.stack([F.softmax(x @ y.T, -1)[:, :n] for x, y, n in pairs])


def own_words_masked_too(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Mask the words of a with the lengths of b as well."""
    return with_the_library(a, b, b_lens) * (torch.arange(a.shape[1]) < b_lens[:, None])[..., None]


def zeros_for_padding(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Set the padding to zero vectors, whose scores of 0 still get weight."""
    words = b * (torch.arange(b.shape[1]) < b_lens[:, None])[..., None]
    return F.softmax(a @ words.mT, -1) @ words


def exponentials(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Use plain exponentials, which overflow or underflow for large scores."""
    shares = torch.exp(a @ b.mT).masked_fill(padding(a @ b.mT, b_lens), 0)
    return (shares / shares.sum(-1, keepdim=True)).nan_to_num(0) @ b


def shifted_by_the_padding(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Subtract the largest of all scores, padding included."""
    scores = a @ b.mT
    shares = torch.exp(scores - scores.amax(-1, keepdim=True))
    shares = shares.masked_fill(padding(scores, b_lens), 0)
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-9) @ b


def transposed_where_as_many(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    scores = b @ a.mT if a.shape[1] == b.shape[1] else a @ b.mT
    return masked_softmax(scores, b_lens) @ b


def without_gradients(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    with torch.no_grad():
        weights = masked_softmax(a @ b.mT, b_lens)
    return weights @ b


def bias_of_logarithms(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Hide the padding by log 0 = −∞, which makes the gradients of an empty row NaN."""
    keep = (~padding(a @ b.mT, b_lens)).to(a.dtype)
    return (a @ b.mT + keep.log()).softmax(-1).nan_to_num(0) @ b


def squeezed_length(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    """Sentences of one word lose their axis."""
    scores = (a[:, :, None] * b[:, None]).sum(-1).squeeze(1)
    weights = masked_softmax(scores if scores.dim() == 3 else scores[:, None], b_lens)
    return (weights @ b).squeeze(1)


def in_place(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    b[torch.arange(b.shape[1]) >= b_lens[:, None]] = 0
    return with_the_library(a, b, b_lens)


WRONG: dict[str, Answer] = {
    "padding not cleared": with_the_library,
    "padding kept": align(lambda s, n: s.softmax(-1)),
    "along the words of a": align(lambda s, n: masked_softmax(s.mT, None).mT),
    "along the words of a, masked": filled(-torch.inf, dim=1),
    "along the batch": align(lambda s, n: s.softmax(0)),
    "weights": lambda a, b, n: masked_softmax(a @ b.mT, n),
    "with itself": lambda a, b, n: masked_softmax(a @ a.mT, n.clamp(max=a.shape[1])) @ a,
    "with itself, unmasked": lambda a, b, n: F.softmax(a @ a.mT, -1) @ a,
    "the other way round": lambda a, b, n: F.softmax(b @ a.mT, -1) @ a,
    "the other way round, scaled": lambda a, b, n: (
        masked_softmax(b @ a.mT / a.shape[-1] ** 0.5, None) @ a
    ),
    "the words of a": lambda a, b, n: masked_softmax(a @ b.mT, n) @ a,
    "scaled": lambda a, b, n: masked_softmax(a @ b.mT / math.sqrt(a.shape[-1]), n) @ b,
    "scaled, padding kept": lambda a, b, n: F.softmax(a @ b.mT / a.shape[-1] ** 0.5, -1) @ b,
    "masked afterwards": align(lambda s, n: s.softmax(-1) * ~padding(s, n)),
    "a product with the mask": align(lambda s, n: F.softmax(s * ~padding(s, n), -1)),
    "NaN when empty": filled(-torch.inf),
    "a fill of -1e6": filled(-1e6),
    "a fill of -1e9": filled(-1e9),
    "the lowest number": filled(torch.finfo(torch.float32).min),
    "the padding": align(lambda s, n: F.softmax(s.masked_fill(~padding(s, n), -torch.inf), -1)),
    "a word too many": align(lambda s, n: masked_softmax(s, (n + 1).clamp(max=s.shape[2]))),
    "a word too few": align(lambda s, n: masked_softmax(s, (n - 1).clamp(min=0))),
    "a word when empty": align(lambda s, n: masked_softmax(s, n.clamp(min=1))),
    "no softmax": align(lambda s, n: s),
    "plain mean": lambda a, b, n: b.mean(1, keepdim=True).expand_as(a),
    "mean of the valid words": lambda a, b, n: masked_softmax(torch.zeros_like(a @ b.mT), n) @ b,
    "not transposed": lambda a, b, n: F.softmax(a @ b, -1) @ b,
    "reshaped": lambda a, b, n: masked_softmax(a @ b.reshape(len(b), b.shape[2], -1), n) @ b,
    "cut": cut,
    "mask without axes": align(lambda s, n: s.masked_fill(torch.arange(s.shape[2]) >= n, 0)),
    "no pairs": lambda a, b, n: F.softmax((a * b).sum(-1), -1) @ b,
    "own words masked too": own_words_masked_too,
    "zeros for padding": zeros_for_padding,
    "own exponentials": exponentials,
    "shifted by the padding": shifted_by_the_padding,
    "transposed where as many": transposed_where_as_many,
    "squeezed": lambda a, b, n: with_the_library(a, b, n).squeeze(),
    "a sentence of one word squeezed": squeezed_length,
    "weights without gradients": without_gradients,
    "weights detached": lambda a, b, n: masked_softmax(a @ b.mT, n).detach() @ b,
    "scores detached from b": lambda a, b, n: masked_softmax(a @ b.detach().mT, n) @ b,
    "NaN gradients when empty": bias_of_logarithms,
    "in place": in_place,
    "float16 inside": lambda a, b, n: (
        masked_softmax(a.bfloat16() @ b.bfloat16().mT, n).to(b.dtype) @ b
    ),
}

NAMED = {
    "padding not cleared": "padding-leaks",
    "zeros for padding": "zero-fill",
    "shifted by the padding": "mask-after-softmax-rescaled",
    "padding kept": "no-mask",
    "along the words of a": "no-mask + softmax-along-queries",
    "along the words of a, masked": "softmax-along-queries",
    "along the batch": "no-mask + softmax-along-batch",
    "weights": "no-values",
    "with itself": "a-with-itself",
    "with itself, unmasked": "a-with-itself",
    "the other way round": "other-way-round",
    "the other way round, scaled": "other-way-round + root-scale",
    "the words of a": "words-of-a",
    "scaled": "root-scale",
    "scaled, padding kept": "root-scale + no-mask",
    "masked afterwards": "mask-after-softmax",
    "a product with the mask": "zero-fill",
    "NaN when empty": "empty-row-nan",
    "a fill of -1e6": "finite-fill",
    "a fill of -1e9": "finite-fill",
    "the lowest number": "empty-row-uniform",
    "the padding": "inverted-mask",
    "a word too many": "one-key-more",
    "a word too few": "one-key-less",
    "no softmax": "no-mask + no-softmax",
    "plain mean": "plain-mean",
    "reshaped": "reshaped-keys",
    "a word when empty": "never-empty",
    "own exponentials": "no-row-maximum",
    "NaN gradients when empty": "empty-row-gradient",
}

MESSAGES = {
    "not transposed": "Is a transpose missing, or one too many?",
    "cut": "Rows that were cut",
    "mask without axes": "`b_lens` has the shape (B,)",
    "no pairs": "every word of `a` meets every word of `b`",
    "weights without gradients": "no gradient reaches `a`.",
    "in place": "The function changes `b`",
}
