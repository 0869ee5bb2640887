"""Answers to "masked-sum": many right ones, and wrong ones that look right."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from answers.cleaning import cleaned

Answer = Callable[[Tensor, Tensor], Tensor]


def keep(v: Tensor, lens: Tensor) -> Tensor:
    return torch.arange(v.shape[1]) < lens[:, None]


# Right answers


def choice(v: Tensor, lens: Tensor) -> Tensor:
    return torch.where(keep(v, lens)[..., None], v, 0).sum(dim=1)


def cut(v: Tensor, lens: Tensor) -> Tensor:
    return torch.stack([words[:n].sum(0) for words, n in zip(v, lens, strict=True)])


def matrix_product(v: Tensor, lens: Tensor) -> Tensor:
    return torch.bmm(keep(v, lens).to(v.dtype)[:, None], v)[:, 0]


def bags(v: Tensor, lens: Tensor) -> Tensor:
    """Packed sentences hold no padding; bags of their words are summed."""
    words = torch.cat([v[i, :n] for i, n in enumerate(lens.tolist())])
    places, starts = torch.arange(len(words)), lens.cumsum(0) - lens
    return F.embedding_bag(places, words, starts, mode="sum")


def einsum(v: Tensor, lens: Tensor) -> Tensor:
    return torch.einsum("bp,bpe->be", keep(v, lens).type_as(v), v)


def running_sums(v: Tensor, lens: Tensor) -> Tensor:
    """Compute all sums of leading words, from none on, and pick one for each sentence."""
    sums = F.pad(v, (0, 0, 1, 0)).cumsum(dim=1)
    return sums[torch.arange(len(v)), lens]


def triangle(v: Tensor, lens: Tensor) -> Tensor:
    """Let row n of a triangle sum n words."""
    P = v.shape[1]
    rows = torch.ones(P + 1, P, dtype=v.dtype).tril(-1)
    return (rows[lens][..., None] * v).sum(1)


def scattered(v: Tensor, lens: Tensor) -> Tensor:
    """Add each kept word to the row of its sentence."""
    sentence, word = keep(v, lens).nonzero(as_tuple=True)
    return v.new_zeros(len(v), v.shape[2]).index_add(0, sentence, v[sentence, word])


def word_by_word(v: Tensor, lens: Tensor) -> Tensor:
    total = torch.zeros_like(v[:, 0])
    for p in range(v.shape[1]):
        total = total + v[:, p] * (p < lens).to(v.dtype)[:, None]
    return total


def loops(v: Tensor, lens: Tensor) -> Tensor:
    total = v.new_zeros(v.shape[0], v.shape[2])
    for i, e in np.ndindex(*total.shape):
        for p in range(int(lens[i])):
            total[i, e] += v[i, p, e]
    return total


def segments(v: Tensor, lens: Tensor) -> Tensor:
    words = v[keep(v, lens)]
    owners = torch.arange(len(v)).repeat_interleave(lens)
    rows = v.new_zeros(len(v), v.shape[2])
    return rows.scatter_add(0, owners[:, None].expand_as(words), words)


def packed(v: Tensor, lens: Tensor) -> Tensor:
    """Pack the sentences and fill them up with zeros; torch packs no empty sentence."""
    longest = lens.clamp(min=1)
    sequence = pack_padded_sequence(v, longest, batch_first=True, enforce_sorted=False)
    words, _ = pad_packed_sequence(sequence, batch_first=True)
    return words.sum(1) * (lens > 0).to(v.dtype)[:, None]


def vmapped(v: Tensor, lens: Tensor) -> Tensor:
    def one(words: Tensor, n: Tensor) -> Tensor:
        return words.masked_fill((torch.arange(len(words)) >= n)[:, None], 0).sum(0)

    return torch.vmap(one)(v, lens)


def filled_copy(v: Tensor, lens: Tensor) -> Tensor:
    words = v.clone()
    words[~keep(v, lens)] = 0
    return words.sum(-2)


RIGHT: dict[str, Answer] = {
    f.__name__: cleaned(f, 0)
    for f in (
        choice,
        cut,
        matrix_product,
        bags,
        einsum,
        running_sums,
        triangle,
        scattered,
        word_by_word,
        loops,
        segments,
        packed,
        vmapped,
        filled_copy,
    )
}


# Wrong answers


def masked(v: Tensor, lens: Tensor) -> Tensor:
    return v * keep(v, lens)[..., None]


def cut_and_stacked(v: Tensor, lens: Tensor) -> Tensor:
    return torch.stack([words[:n] for words, n in zip(v, lens, strict=True)]).sum(1)


def along_components(v: Tensor, lens: Tensor) -> Tensor:
    return v.masked_fill(torch.arange(v.shape[2]) >= lens[:, None, None], 0).sum(1)


def padding_taken_away(v: Tensor, lens: Tensor) -> Tensor:
    """Right on paper; but a large padding swallows the words that it is added to."""
    return v.sum(1) - (v - masked(v, lens)).sum(1)


def last_running_sum(v: Tensor, lens: Tensor) -> Tensor:
    """Index −1 is the last running sum, not the sum of no words."""
    return v.cumsum(1)[torch.arange(len(v)), lens - 1]


def one_word_of_padding(v: Tensor, lens: Tensor) -> Tensor:
    """Only the first word after each sentence is left out."""
    return v.masked_fill((torch.arange(v.shape[1]) == lens[:, None])[..., None], 0).sum(1)


def no_zero_words(v: Tensor, lens: Tensor) -> Tensor:
    """Treat nonzero words as the words that count."""
    words = (v != 0).any(-1)
    return (v * words[..., None]).sum(1)


def in_place(v: Tensor, lens: Tensor) -> Tensor:
    v[~keep(v, lens)] = 0
    return v.sum(1)


def numbers(v: Tensor, lens: Tensor) -> Tensor:
    sums = [words[:n].sum(0).tolist() for words, n in zip(v, lens, strict=True)]
    return torch.tensor(sums, dtype=v.dtype)


def without_gradients(v: Tensor, lens: Tensor) -> Tensor:
    with torch.no_grad():
        return masked(v, lens).sum(1)


def all_gradients(v: Tensor, lens: Tensor) -> Tensor:
    """Return the right sum, with the gradient of a sum of everything."""
    total = v.sum(1)
    return total + (choice(v, lens) - total).detach()


def lengths_in_order(v: Tensor, lens: Tensor) -> Tensor:
    return masked(v, lens.sort().values).sum(1)


def longest_sentence_only(v: Tensor, lens: Tensor) -> Tensor:
    """Cut at the longest sentence, so that other sentences keep padding."""
    return v[:, : lens.max()].sum(1)


WRONG: dict[str, Answer] = {
    "a product with the mask": lambda v, lens: masked(v, lens).sum(1),
    "a matrix product with the mask": matrix_product,
    "everything": lambda v, lens: v.sum(1),
    "mean of everything": lambda v, lens: v.mean(1),
    "mean with zeros": lambda v, lens: masked(v, lens).mean(1),
    "mean of the words": lambda v, lens: masked(v, lens).sum(1) / lens[:, None],
    "mean, safe when empty": lambda v, lens: masked(v, lens).sum(1) / lens[:, None].clamp(min=1),
    "divided by a root": lambda v, lens: masked(v, lens).sum(1) / v.shape[2] ** 0.5,
    "along the components": lambda v, lens: masked(v, lens).sum(-1),
    "along the batch": lambda v, lens: masked(v, lens).sum(0),
    "to one number": lambda v, lens: masked(v, lens).sum(),
    "everything, along the components": lambda v, lens: v.sum(2),
    "not summed": masked,
    "an axis left": lambda v, lens: masked(v, lens).sum(1, keepdim=True),
    "squeezed": lambda v, lens: masked(v, lens).sum(1, keepdim=True).squeeze(),
    "a word too many": lambda v, lens: masked(v, lens + 1).sum(1),
    "a word too few": lambda v, lens: masked(v, lens - 1).sum(1),
    "a word when empty": lambda v, lens: masked(v, lens.clamp(min=1)).sum(1),
    "the padding": lambda v, lens: (v - masked(v, lens)).sum(1),
    "from the end": lambda v, lens: masked(v.flip(1), lens).sum(1),
    "the first length": lambda v, lens: v[:, : lens[0]].sum(1),
    "the longest": longest_sentence_only,
    "the shortest": lambda v, lens: v[:, : lens.min()].sum(1),
    "lengths sorted": lengths_in_order,
    "mask along the components": along_components,
    "mask without an axis": lambda v, lens: (v * keep(v, lens)).sum(1),
    "mask with an axis in the middle": lambda v, lens: (v * keep(v, lens)[:, None]).sum(1),
    "any sentence's words": lambda v, lens: v[keep(v, lens).any(0)].sum(1),
    "lengths along the words": lambda v, lens: v[:, torch.arange(v.shape[1]) < lens].sum(1),
    "lengths as a slice": lambda v, lens: v[:, :lens].sum(1),
    "cut, then stacked": cut_and_stacked,
    "the padding taken away": padding_taken_away,
    "the last of the running sums": last_running_sum,
    "one word of padding": one_word_of_padding,
    "padding taken for zero": no_zero_words,
    "in place": in_place,
    "numbers": numbers,
    "no_grad": without_gradients,
    "gradients into the padding": all_gradients,
    "float16 inside": lambda v, lens: masked(v.half(), lens).sum(1).to(v.dtype),
}

NAMED = {
    "a product with the mask": "padding-leaks",
    "a matrix product with the mask": "padding-leaks",
    "everything": "padding-summed",
    "mean of everything": "padding-summed + mean",
    "mean with zeros": "mean",
    "mean of the words": "mean",
    "mean, safe when empty": "mean",
    "along the components": "wrong-axis",
    "along the batch": "wrong-axis",
    "to one number": "wrong-axis",
    "everything, along the components": "padding-summed + wrong-axis",
    "not summed": "no-sum",
    "an axis left": "axis-too-many",
    "a word too many": "one-word-more",
    "a word too few": "one-word-less",
    "the padding": "inverted-mask",
    "from the end": "mask-from-end",
    "the first length": "one-length-for-all",
    "the longest": "one-length-for-all",
    "the shortest": "one-length-for-all",
    "mask along the components": "mask-along-components",
    "mask with an axis in the middle": "mask-along-components",
    "padding taken for zero": "padding-summed",
}

MESSAGES = {
    "squeezed": "should have the shape (1, 2); yours has (2,)",
    "mask without an axis": "`lens` has the shape (B,)",
    "any sentence's words": "`lens` has the shape (B,)",
    "lengths along the words": "`lens` has the shape (B,)",
    "lengths as a slice": "`lens` has the shape (B,)",
    "cut, then stacked": "Sum each sentence before you stack them",
    "in place": "The function changes `v`",
    "numbers": "no gradient reaches `v`.",
}
