"""Masked softmax step by step, and how it goes wrong: shared by all that take valid lengths."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attention_lib.exercises.common.pooling import ALONG_BATCH, ALONG_QUERIES, NO_SOFTMAX, UNDIVIDED
from attention_lib.exercises.engine.exercise import Case, hint, mistake
from attention_lib.exercises.engine.line import line, number

Keep = Callable[[int, Tensor], Tensor]


# As many leading keys as each row's length says: (B, Q) → (B, Q, K).
lengths_keep = line("n, lengths", "torch.arange(n) < lengths[..., None]")
last_axis = line("scores", "torch.softmax(scores, dim=-1)")
empty_is_zero = line("weights, keep", "weights.masked_fill(~keep.any(dim=-1, keepdim=True), 0)")
unmasked = line("X, keep", "X")
unchanged = line("weights, keep", "weights")
cleared = line("weights, keep", "weights * keep")


def masked_softmax(
    X: Tensor,
    valid_lens: Tensor | None,
    *,
    spread: Callable[[Tensor, int], Tensor] = lambda lengths, queries: (
        lengths[:, None].expand(-1, queries) if lengths.dim() == 1 else lengths
    ),
    keep: Keep = lengths_keep,
    before: Callable[[Tensor, Tensor], Tensor] = line(
        "X, keep", "X.masked_fill(~keep, -torch.inf)"
    ),
    normalise: Callable[[Tensor], Tensor] = last_axis,
    after: Callable[[Tensor, Tensor], Tensor] = empty_is_zero,
) -> Tensor:
    """Weights from scores, step by step."""
    if valid_lens is None:
        return normalise(X)
    kept = keep(X.shape[-1], spread(valid_lens, X.shape[1]))  # (B, Q, K)
    return after(normalise(before(X, kept)), kept)


def padded(inputs: tuple[Tensor, ...], lengths: Tensor) -> Case:
    """Make the first example's keys and values large where they are padding."""
    queries, keys, values = (x.clone() for x in inputs)
    keys[0, lengths[0] :] *= 1000
    values[0, lengths[0] :] *= 1e6
    return queries, keys, values, lengths


def fill_with(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return line("X, keep", f"X.masked_fill(~keep, {number(value)})")


def _cycled(lengths: Tensor, queries: int) -> Tensor:
    return lengths.repeat(queries).reshape(-1, queries) if lengths.dim() == 1 else lengths


def _along_the_batch(lengths: Tensor, queries: int) -> Tensor:
    """Do what broadcasting does to lengths[:, None] where there are as many queries as examples."""
    if lengths.dim() == 2:
        return lengths
    return lengths.expand(lengths.shape[0], queries)


def share(weights: Tensor, keep: Tensor) -> Tensor:
    """Divide what is kept by its sum."""
    kept = weights * keep
    return kept / kept.sum(-1, keepdim=True)


def add(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda X, keep: X + value * ~keep


def fills(
    ways: Iterable[Callable[[float], Callable[[Tensor, Tensor], Tensor]]], numbers: Iterable[float]
) -> tuple[dict[str, Any], ...]:
    """Fill with a number, and clear the weights of empty rows, or none, or all of the padding."""
    return tuple(
        {"before": way(number), "after": after}
        for way, number in product(ways, numbers)
        for after in (empty_is_zero, unchanged, cleared)
    )


def _clear(weights: Tensor, keep: Tensor) -> Tensor:
    """Set the weights of padding to 0, whatever they are."""
    return weights.masked_fill(~keep, 0)


def _add_infinity(X: Tensor, keep: Tensor) -> Tensor:
    return X + torch.zeros_like(X).masked_fill(~keep, -torch.inf)


def _exponentials(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(dim=-1, keepdim=True)


def _below_largest(scores: Tensor) -> Tensor:
    return _exponentials(scores - scores.max())


def _shift_all(X: Tensor, keep: Tensor) -> Tensor:
    return (X - X.max()).masked_fill(~keep, -torch.inf)


def _no_nan(weights: Tensor, keep: Tensor) -> Tensor:
    return weights.nan_to_num(0)


DROWNED = mistake(
    "mask-after-softmax-rescaled",
    "Masking after the softmax and dividing by the rest works only while the padded scores "
    "are moderate: a large one leaves the kept keys nothing but 0/0. Mask the scores first.",
    "先做 softmax、再去掉填充并重新归一化，只有在填充处的分数不大时才行得通，"
    "因为那里若有一个很大的数，留下的键就只剩 0/0。请先掩蔽分数。",
    {"before": unmasked, "after": share},
    {"before": unmasked, "after": lambda w, keep: share(w, keep).nan_to_num(0)},
    {"before": unmasked, "after": lambda w, keep: empty_is_zero(share(w, keep), keep)},
)

FINITE_FILL = mistake(
    "finite-fill",
    "The fill is a finite number. As soon as real scores lie below it, the padding gets all "
    "the weight. Only −∞ lies below every score.",
    "填入的是一个有限的数。真正的分数一旦比它还低，权重就全归了填充。只有 −∞ 比任何分数都低。",
    *fills((fill_with, add), (-1e6, -1e9)),
)

NO_ROW_MAXIMUM = mistake(
    "no-row-maximum",
    "The exponentials are taken without subtracting from each row its own largest kept score. "
    "High above 0 they overflow, far below it they round to 0, and ∞/∞ and 0/0 are NaN.",
    "取指数之前，没有从每一行减去这一行留下的分数中最大的那个。分数远高于 0，指数值就会溢出；"
    "远低于 0，就舍入成 0，而 ∞/∞ 和 0/0 都是 NaN。",
    *(
        {"normalise": normalise, "before": unmasked, "after": after}
        for normalise in (_exponentials, _below_largest)
        for after in (share, lambda weights, keep: share(weights, keep).nan_to_num(0))
    ),
    *(
        {"normalise": normalise, **steps}
        for normalise in (_exponentials, _below_largest)
        for steps in ({}, {"after": unchanged}, {"after": _no_nan})
    ),
    *(
        {"normalise": _exponentials, "before": _shift_all, "after": after}
        for after in (unchanged, _no_nan)
    ),
)

MASK_MISTAKES = (
    mistake(
        "no-mask",
        "The padding is kept: keys from the valid length onwards still get weight. Take them out "
        "before the softmax.",
        "填充没有去掉，有效长度以后的键仍然分到了权重。要在 softmax 之前就把它们排除掉。",
        {"before": unmasked, "after": unchanged},
        {"before": unmasked},
    ),
    mistake(
        "mask-after-softmax",
        "The mask comes after the softmax, so a row no longer sums to 1: the padding has already "
        "taken its share. Mask the scores first.",
        "掩码用在了 softmax 之后，一行权重之和不再是 1，因为填充已经分走了一份。请先掩蔽分数。",
        {"before": unmasked, "after": cleared},
    ),
    DROWNED,
    mistake(
        "inverted-mask",
        "The mask is the wrong way round: it keeps the padding and drops the real keys.",
        "掩码弄反了，留下的是填充，去掉的倒是真正的键。",
        {"keep": line("n, lengths", "torch.arange(n) >= lengths[..., None]"), "after": unchanged},
        {"keep": line("n, lengths", "torch.arange(n) >= lengths[..., None]")},
    ),
    mistake(
        "one-key-more",
        "One key too many is kept. With a valid length of n the keys 0 to n − 1 count, so compare "
        "with < and not with ≤.",
        "多保留了一个键。有效长度为 n 时，算数的是键 0 到 n − 1，所以应该用 <，而不是 ≤。",
        {"keep": line("n, lengths", "torch.arange(n) <= lengths[..., None]")},
    ),
    mistake(
        "one-key-less",
        "One key too few is kept: with a valid length of n the keys 0 to n − 1 count.",
        "少保留了一个键。有效长度为 n 时，键 0 到 n − 1 都算数。",
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1, "after": unchanged},
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1},
    ),
    mistake(
        "mask-from-end",
        "The mask counts from the end. The valid keys are the first ones of a row.",
        "掩码是从末尾数起的。有效的键排在一行的最前面。",
        {"keep": line("n, lengths", "(torch.arange(n) < lengths[..., None]).flip(-1)")},
    ),
    mistake(
        "first-length-for-all",
        "The first length is used for the whole batch; each example has its own.",
        "整个批量都用了第一个长度，可是每个样本各有各的长度。",
        {"spread": lambda x, n: x.flatten()[0].expand(x.shape[0], n)},
    ),
    mistake(
        "repeated-lengths",
        "The lengths land on the wrong rows: all queries of an example share its length. `repeat` "
        "goes round the whole list again and again, `repeat_interleave` repeats each entry.",
        "长度对错了行。同一个样本的所有查询共用一个长度。"
        "`repeat` 是把整个列表一遍遍重复，`repeat_interleave` 才是逐个元素重复。",
        {"spread": _cycled},
    ),
    mistake(
        "lengths-along-queries",
        "The lengths go along the queries instead of the batch. Broadcasting aligns axes from the "
        "right, so lengths for (B, Q, K) need the shape (B, 1, 1).",
        "长度沿着查询轴铺开了，而不是沿着批量轴。广播从右边对齐各轴，"
        "要配合 (B, Q, K)，长度的形状应为 (B, 1, 1)。",
        {"spread": _along_the_batch},
    ),
    mistake(
        "zero-fill",
        "A fill of 0 does not hide a key, since exp(0) = 1: the padding still gets weight. Which "
        "score has the exponential 0?",
        "填 0 并不能把键藏起来，因为 exp(0) = 1，填充仍然分到了权重。什么样的分数，指数值才是 0？",
        {"before": fill_with(0.0), "after": unchanged},
        {"before": fill_with(0.0)},
    ),
    FINITE_FILL,
    mistake(
        "zero-times-infinity",
        "0 · (−∞) is NaN: multiplying a mask by −∞ spoils the keys that are kept. Choose with "
        "`masked_fill` or `torch.where` instead.",
        "0 × (−∞) 等于 NaN，所以拿掩码去乘 −∞，连该保留的键也毁了。"
        "请改用 `masked_fill` 或 `torch.where` 来选取。",
        {"before": add(-torch.inf)},
        {"before": add(-torch.inf), "after": unchanged},
    ),
    mistake(
        "empty-row-nan",
        "Where the valid length is 0, nothing but −∞ is left and the row becomes NaN. Its weights "
        "should be 0.",
        "有效长度为 0 时，一行里只剩下 −∞，结果成了 NaN。这一行的权重应该是 0。",
        {"after": unchanged},
        {"before": _add_infinity, "after": unchanged},
    ),
    mistake(
        "empty-row-uniform",
        "Where the valid length is 0, the weight is spread evenly over padding. It should be 0.",
        "有效长度为 0 时，权重平均分给了填充。这一行的权重应该是 0。",
        {"before": fill_with(torch.finfo(torch.float32).min), "after": unchanged},
        {
            "before": lambda X, keep: fill_with(torch.finfo(X.dtype).min)(X, keep),
            "after": unchanged,
        },
    ),
    mistake(
        "never-empty",
        "Where the valid length is 0 the first key is kept all the same. No key counts there: all "
        "weights should be 0.",
        "有效长度为 0 时，仍然保留了第一个键。这时没有一个键算数，权重应该全是 0。",
        {"keep": lambda n, lengths: lengths_keep(n, lengths.clamp(min=1))},
    ),
    mistake(
        "empty-row-gradient",
        "The weights of an empty row are cleared, but its softmax was NaN, and on the way back NaN "
        "times 0 is NaN again, which spoils the gradients. Fill with `masked_fill` or "
        "`torch.where`, which pass no gradient on to what they replace, instead of adding −∞.",
        "空行的权重清零了，可是这一行的 softmax 是 NaN，反向传播时 NaN 乘 0 还是 NaN，梯度就毁了。"
        "不要加上 −∞，请改用 `masked_fill` 或 `torch.where` 来填，"
        "它们不会把梯度传给被替换掉的数。",
        {"before": _add_infinity, "normalise": last_axis},
    ),
    NO_ROW_MAXIMUM,
    ALONG_QUERIES.beside({"after": unchanged}, {"after": _clear}),
    ALONG_BATCH.beside({"after": unchanged}, {"after": _clear}),
    UNDIVIDED,
    NO_SOFTMAX.beside({"before": fill_with(0.0)}, {"after": unchanged}),
)

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
