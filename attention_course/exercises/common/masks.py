"""Define masked softmax in steps and mistakes with it, for exercises with valid lengths."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.pooling import (
    ALONG_BATCH,
    ALONG_QUERIES,
    NO_SOFTMAX,
    UNDIVIDED,
    exponential_share,
)
from attention_course.exercises.engine.exercise import Case, hint, mistake
from attention_course.exercises.engine.line import line, number

Keep = Callable[[int, Tensor], Tensor]
_ALL = 1_000_000  # keys, more than any case has
Clean = Callable[[Tensor, Tensor | None], Tensor]


# Keep the leading keys of each row, by its length: (B, Q) → (B, Q, K).
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
    whole: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> Tensor:
    """Compute weights from scores in steps, or with `whole` from scores and mask at once."""
    if valid_lens is None:
        return normalise(X) if whole is None else whole(X, torch.ones_like(X, dtype=torch.bool))
    kept = keep(X.shape[-1], spread(valid_lens, X.shape[1]))  # (B, Q, K)
    if whole is not None:
        return whole(X, kept.expand_as(X))
    return after(normalise(before(X, kept)), kept)


def as_given(x: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Leave the padding as it is."""
    return x


def without_padding(x: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Set the keys or values that no query reads to 0."""
    if valid_lens is None:
        return x
    longest = valid_lens.reshape(len(valid_lens), -1).amax(dim=1)
    padding = torch.arange(x.shape[1]) >= longest[:, None]
    return x.masked_fill(padding[..., None], 0)


def padded(inputs: tuple[Tensor, ...], lengths: Tensor) -> Case:
    """Make the padding of the first example's keys and values large."""
    queries, keys, values = (x.clone() for x in inputs)
    keys[0, lengths[0] :] *= 1000
    values[0, lengths[0] :] *= 1e6
    return queries, keys, values, lengths


def fill_with(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return line("X, keep", f"X.masked_fill(~keep, {number(value)})")


def _cycled(lengths: Tensor, queries: int) -> Tensor:
    return lengths.repeat(queries).reshape(-1, queries) if lengths.dim() == 1 else lengths


def _along_the_batch(lengths: Tensor, queries: int) -> Tensor:
    """Broadcast lengths[:, None] wrongly; this runs where there are as many queries as examples."""
    if lengths.dim() == 2:
        return lengths
    return lengths.expand(lengths.shape[0], queries)


def share(weights: Tensor, keep: Tensor) -> Tensor:
    """Divide the kept weights by their sum."""
    kept = weights * keep
    return kept / kept.sum(-1, keepdim=True)


def add(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda X, keep: X + value * ~keep


def fills(
    ways: Iterable[Callable[[float], Callable[[Tensor, Tensor], Tensor]]], numbers: Iterable[float]
) -> tuple[dict[str, Any], ...]:
    """Fill with a number, and clear the weights of empty rows, of all padding, or none."""
    return tuple(
        {"before": way(number), "after": after}
        for way, number in product(ways, numbers)
        for after in (empty_is_zero, unchanged, cleared)
    )


def clear(weights: Tensor, keep: Tensor) -> Tensor:
    """Set the weights of padding to 0, NaN included."""
    return weights.masked_fill(~keep, 0)


def _add_infinity(X: Tensor, keep: Tensor) -> Tensor:
    return X + torch.zeros_like(X).masked_fill(~keep, -torch.inf)


def _below_largest(scores: Tensor) -> Tensor:
    return exponential_share(scores - scores.max())


def _with_epsilon(more: float) -> Callable[[Tensor], Tensor]:
    """Add an epsilon to the sum; where all exponentials round to 0, the weights are 0."""
    return partial(exponential_share, more=more)


def below_floored(floor: float, least: float) -> Callable[[Tensor], Tensor]:
    """Subtract the largest score, or a floor if that is larger; bound the sum from below too."""

    def weigh(scores: Tensor) -> Tensor:
        shares = torch.exp(scores - scores.amax(-1, keepdim=True).clamp(min=floor))
        return shares / shares.sum(dim=-1, keepdim=True).clamp(min=least)

    return weigh


def _along_queries(lengths: Tensor, queries: int) -> Tensor:
    """Compare the lengths with query indices instead: a row below its length keeps all keys."""
    if lengths.dim() == 2:
        return lengths
    return torch.where(torch.arange(queries) < lengths[:, None], _ALL, 0)


def _add_lowest(X: Tensor, keep: Tensor) -> Tensor:
    return X + torch.finfo(X.dtype).min * (~keep).to(X.dtype)


def add_infinity_unless_empty(X: Tensor, keep: Tensor) -> Tensor:
    """Add −∞ to masked scores, except in rows where all keys are masked."""
    hidden = ~keep & keep.any(-1, keepdim=True)
    return X + torch.zeros_like(X).masked_fill(hidden, -torch.inf)


def _share_with_epsilon(more: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda weights, keep: weights * keep / ((weights * keep).sum(-1, keepdim=True) + more)


def _set_empty(after: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Mask the scores, and clear the weights of empty rows afterwards."""
    return lambda weights, keep: empty_is_zero(after(clear(weights, keep), keep), keep)


def _shift_all(X: Tensor, keep: Tensor) -> Tensor:
    return (X - X.max()).masked_fill(~keep, -torch.inf)


def _no_nan(weights: Tensor, keep: Tensor) -> Tensor:
    return weights.nan_to_num(0)


def _below_row_maximum(scores: Tensor) -> Tensor:
    return torch.exp(scores - scores.amax(-1, keepdim=True))


def _share_of_at_least(least: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda weights, keep: (
        weights * keep / (weights * keep).sum(-1, keepdim=True).clamp(min=least)
    )


_EPSILONS = (1e-9, 1e-8, 1e-6)  # epsilons that people add to a sum
# In float16 these round to 0, and an empty row is 0/0 unless it is set to 0 afterwards.
_SHARED_WITH_EPSILON = (
    *(
        {"before": unmasked, "after": after}
        for one in map(_share_with_epsilon, _EPSILONS)
        for after in (one, _set_empty(one))
    ),
    {
        "before": unmasked,
        "normalise": _below_row_maximum,
        "after": _share_of_at_least(_EPSILONS[0]),
    },
)
_EXPONENTIALS_WITH_EPSILON = tuple(
    {"normalise": normalise, **steps}
    for normalise in map(_with_epsilon, _EPSILONS)
    for steps in ({}, {"after": unchanged})
)

DROWNED = mistake(
    "mask-after-softmax-rescaled",
    "The mask comes after the exponentials or the whole softmax, and the rest is divided by its "
    "sum. If a masked key has a much larger score, the rest has been rounded to 0, and there is "
    "nothing left to share. Mask the scores first.",
    "你先取了指数，或者先做完了 softmax，然后才掩蔽，再除以剩下的总和。如果被掩蔽的键的分数高得多"
    "，剩下的数早就舍入成 0 了，再除也没有用。请先掩蔽分数。",
    *(
        {"before": unmasked, "after": after}
        for after in (
            share,
            lambda w, keep: share(w, keep).nan_to_num(0),
            lambda w, keep: empty_is_zero(share(w, keep), keep),
            _set_empty(share),
        )
    ),
    *_SHARED_WITH_EPSILON,
    alone=True,
)

FINITE_FILL = mistake(
    "finite-fill",
    "Masked scores are replaced by a finite number, or a finite number is subtracted from them. "
    "As soon as the valid scores are low enough, all the weight goes to masked keys. Only −∞ lies "
    "below every score.",
    "你把要掩蔽的分数换成了一个有限的数，或者减去了一个有限的数。如果有效键的分数更低，权重就会全"
    "部跑到被掩蔽的键上。只有 −∞ 比所有的分数都低。",
    *fills((fill_with, add), (-1e6, -1e9, -1e4)),
)

NO_ROW_MAXIMUM = mistake(
    "no-row-maximum",
    "The exponentials are taken without first subtracting the largest kept score of each row. "
    "Far above 0 the exponentials overflow, far below 0 all of them round to 0, and neither can "
    "be divided into weights, even if a little is added to the sum.",
    "取指数之前，要先减去每一行有效分数的最大值。分数很大时，指数值会溢出；分数很小时，指数值会全"
    "部舍入成 0。两种情况都算不出权重，给总和加一个很小的数也没有用。",
    *(
        {"normalise": normalise, "before": unmasked, "after": after}
        for normalise in (exponential_share, _below_largest)
        for after in (share, lambda weights, keep: share(weights, keep).nan_to_num(0))
    ),
    *(
        {"normalise": normalise, **steps}
        for normalise in (exponential_share, _below_largest)
        for steps in ({}, {"after": unchanged}, {"after": _no_nan})
    ),
    *(
        {"normalise": exponential_share, "before": _shift_all, "after": after}
        for after in (unchanged, _no_nan)
    ),
    *_EXPONENTIALS_WITH_EPSILON,
    alone=True,
)

FLOORED = mistake(
    "maximum-with-a-floor",
    "You do not always subtract the largest score of the row, because your maximum starts at a "
    "finite number or has one as its lower bound. Where all scores lie far below that, every "
    "exponential rounds to 0 and no weight is left. Let the maximum start at −∞.",
    "你求最大值时，初值是有限的数，或者设了下限，所以减去的不一定是这一行的最大分数。如果所有的分"
    "数都比这个数低得多，指数值会全部舍入成 0，权重就算不出来了。请把初值改成 −∞。",
    *(
        {"normalise": below_floored(floor, least), "after": after}
        for floor in (0.0, -1e3, -1e4, -1e9)
        for least, after in ((0.0, empty_is_zero), (0.0, _no_nan), (1e-9, unchanged))
    ),
    alone=True,
)

LOWEST_ADDED = mistake(
    "lowest-number-added",
    "The lowest number of the type is added to masked scores. Its sum with a low score may be −∞, "
    "which turns an empty row into NaN, and its sum with a high score may be no lower than the "
    "valid scores. In float16, where that number is −65,504, this happens easily. Replace masked "
    "scores by −∞, and set empty rows to 0 with `masked_fill` or `torch.where`.",
    "你给被掩蔽的分数加上了这种类型能表示的最小的数。分数很低时，加完可能变成 −∞，空行就成了 Na"
    "N；分数很高时，加完也不一定比有效的分数低。float16 最小只能到 −65,504，很容易碰到这种情况。请"
    "把被掩蔽的分数换成 −∞，再用 `masked_fill` 或 `torch.where` 把空行设为 0。",
    *({"before": _add_lowest, "after": after} for after in (cleared, empty_is_zero)),
)

EXTREME_MISTAKES = (DROWNED, FINITE_FILL, NO_ROW_MAXIMUM, FLOORED)
# Mistakes that moderately low scores reveal.
WITH_EPSILON = (
    replace(DROWNED, variants=_SHARED_WITH_EPSILON),
    replace(NO_ROW_MAXIMUM, variants=_EXPONENTIALS_WITH_EPSILON),
    replace(FLOORED, variants=({"normalise": below_floored(0.0, 1e-9), "after": unchanged},)),
)

MASK_MISTAKES = (
    mistake(
        "no-mask",
        "The padding is kept: keys from the valid length onwards still get weight. Mask them "
        "before the softmax.",
        "你没有掩蔽填充，超出有效长度的键也分到了权重。请在 softmax 之前把这些键掩蔽掉。",
        {"before": unmasked, "after": unchanged},
        {"before": unmasked},
    ),
    mistake(
        "mask-after-softmax",
        "The mask comes after the softmax, so a row no longer sums to 1: the padding has already "
        "taken its share. Mask the scores first.",
        "你做完 softmax 才掩蔽，这时填充已经分走了一部分权重，剩下的加起来不到 1。请先掩蔽分数。",
        {"before": unmasked, "after": cleared},
    ),
    DROWNED,
    mistake(
        "inverted-mask",
        "The mask is the wrong way round: it keeps the padding and drops the real keys.",
        "你把掩码弄反了：填充留了下来，有效的键却被掩蔽了。",
        {"keep": line("n, lengths", "torch.arange(n) >= lengths[..., None]"), "after": unchanged},
        {"keep": line("n, lengths", "torch.arange(n) >= lengths[..., None]")},
    ),
    mistake(
        "one-key-more",
        "One key too many is kept. With a valid length of n the keys 0 to n − 1 are valid, so "
        "compare with < and not with ≤.",
        "你多保留了一个键。有效长度为 n，说明键 0 到键 n − 1 有效，所以要用 <，不能用 ≤。",
        {"keep": line("n, lengths", "torch.arange(n) <= lengths[..., None]")},
    ),
    mistake(
        "one-key-less",
        "One key too few is kept: with a valid length of n the keys 0 to n − 1 are valid.",
        "你少保留了一个键。有效长度为 n，说明键 0 到键 n − 1 有效。",
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1, "after": unchanged},
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1},
    ),
    mistake(
        "mask-from-end",
        "The mask counts from the end. The valid keys are the first ones of a row.",
        "你的掩码是从末尾数的，可有效的键都排在前面。",
        {"keep": line("n, lengths", "(torch.arange(n) < lengths[..., None]).flip(-1)")},
    ),
    mistake(
        "first-length-for-all",
        "The first length is used for the whole batch, but each example has its own.",
        "你把样本 0 的长度用到了整个批量上，其实每个样本要用自己的长度。",
        {"spread": lambda x, n: x.flatten()[0].expand(x.shape[0], n)},
    ),
    mistake(
        "repeated-lengths",
        "The lengths land on the wrong rows: all queries of an example share its length. `repeat` "
        "repeats the whole list, `repeat_interleave` repeats each entry in turn.",
        "长度和行没有对上。同一个样本的查询要共用一个长度，应该用 `repeat_interleave` 把每个元素"
        "各重复几遍，而 `repeat` 重复的是整个列表。",
        {"spread": _cycled},
    ),
    mistake(
        "lengths-along-queries",
        "The lengths go along the queries instead of the batch. Broadcasting aligns axes from the "
        "right, so lengths for (B, Q, K) need the shape (B, 1, 1).",
        "你把长度放到了查询轴上，应该放在批量轴上。广播从最右边的轴开始对齐，所以要和 (B, Q, K) "
        "配合，长度的形状应该是 (B, 1, 1)。",
        {"spread": _along_the_batch},
    ),
    mistake(
        "zero-fill",
        "Filling with 0 does not mask a key, because exp(0) = 1: the padding still gets weight. "
        "Which score has the exponential 0?",
        "由于 exp(0) = 1，填 0 起不到掩蔽的作用，填充照样会分到权重。想一想，分数是多少，指数值才"
        "等于 0？",
        {"before": fill_with(0.0), "after": unchanged},
        {"before": fill_with(0.0)},
    ),
    mistake(
        "mask-added",
        "A mask of 0 and 1 is added to the scores. That moves some of them by 1 and masks no key. "
        "Add −∞ where a key is masked, and 0 elsewhere.",
        "你把 0 和 1 组成的掩码直接加到了分数上，结果只是有些分数变了 1，哪个键也没有被掩蔽。应该"
        "加的是 0 和 −∞：保留的键加 0，其余的键加 −∞。",
        *(
            {"before": before, **steps}
            for before in (lambda X, keep: X + keep, lambda X, keep: X + ~keep)
            for steps in ({}, {"after": unchanged})
        ),
        alone=True,
    ),
    mistake(
        "mask-along-queries",
        "The mask lies along the queries: whole rows are masked, and in the others the padding "
        "stays. It belongs along the keys, the last axis: compare `torch.arange(K)` with lengths "
        "of shape (B, 1, 1).",
        "你沿着查询的轴构造了掩码，结果有些行整行都被掩蔽，别的行里填充却还在。掩码应该沿着键的轴"
        "，也就是最后一个轴。请用 `torch.arange(K)` 和形状为 (B, 1, 1) 的长度比较。",
        {"spread": _along_queries},
        {"spread": _along_queries, "after": unchanged},
    ),
    FINITE_FILL,
    FLOORED,
    mistake(
        "zero-times-infinity",
        "0 · (−∞) is NaN: multiplying a mask by −∞ spoils the keys that are kept. Choose with "
        "`masked_fill` or `torch.where` instead.",
        "你用掩码去乘 −∞，可是 0 × (−∞) 等于 NaN，该保留的键也成了 NaN。请改用 `masked_fill` 或 "
        "`torch.where`。",
        {"before": add(-torch.inf)},
        {"before": add(-torch.inf), "after": unchanged},
    ),
    mistake(
        "empty-row-nan",
        "Where the valid length is 0, nothing but −∞ is left and the row becomes NaN. Its weights "
        "should be 0.",
        "有效长度为 0 的那一行全是 −∞，做 softmax 得到 NaN。这一行的权重应该是 0。",
        {"after": unchanged},
        {"before": _add_infinity, "after": unchanged},
    ),
    mistake(
        "empty-row-uniform",
        "Where the valid length is 0, the weight is spread evenly over padding. It should be 0.",
        "有效长度为 0 的那一行，权重应该全是 0，你却平均分给了填充。",
        {"before": fill_with(torch.finfo(torch.float32).min), "after": unchanged},
        {
            "before": lambda X, keep: fill_with(torch.finfo(X.dtype).min)(X, keep),
            "after": unchanged,
        },
    ),
    mistake(
        "never-empty",
        "Where the valid length is 0, key 0 is still kept. No key is valid there, so all weights "
        "should be 0.",
        "有效长度为 0，说明一个有效的键也没有，权重应该全是 0，你却保留了键 0。",
        {"keep": lambda n, lengths: lengths_keep(n, lengths.clamp(min=1))},
    ),
    mistake(
        "empty-row-gradient",
        "The weights of an empty row come out as 0, but NaN arose on the way, from 0/0 or from the "
        "softmax of a row of −∞. In the backward pass 0 times NaN is NaN again, which spoils the "
        "gradients. Let no NaN arise, or only from scores that `masked_fill` or `torch.where` has "
        "put there: these pass no gradient on to what they replace, except through `.data`.",
        "空行的权重最后虽然是 0，计算中却出现过 NaN（0/0，或者对一行 −∞ 做了 softmax）。反向传播"
        "到这一步，0 乘 NaN 还是 NaN，梯度就错了。最好不要让 NaN 出现；如果避免不了，就先用 "
        "`masked_fill` 或 `torch.where` 替换分数，这两个函数不会把梯度传给被替换的数（通过 "
        "`.data` 修改的除外）。",
        {"before": _add_infinity, "normalise": last_axis},
    ),
    NO_ROW_MAXIMUM,
    ALONG_QUERIES.beside({"after": unchanged}, {"after": clear}),
    ALONG_BATCH.beside({"after": unchanged}, {"after": clear}),
    UNDIVIDED,
    NO_SOFTMAX.beside({"before": fill_with(0.0)}, {"after": unchanged}),
)

LENGTH_HINTS = (
    hint(
        "stack expects each tensor|Sizes of tensors must match except in dimension",
        "Rows that were cut to their valid lengths differ in size and do not fit into one tensor. "
        "Keep the rows whole and mask them; then no loop over the batch is needed.",
        "各行按有效长度截断以后长短不一，放不进同一个张量。请保留完整的行，改用掩码，这样连循环也"
        "不用写了。",
    ),
    hint(
        r"valid_lens None.*NoneType",
        "`valid_lens` may be `None`: then all keys are valid.",
        "`valid_lens` 可能是 `None`，这时所有的键都有效。",
    ),
    hint(
        r"valid_lens \[.*(The size of tensor a|broadcastable|Boolean value of Tensor|one element|"
        "only integer tensors|converted to Scalar)",
        "`valid_lens` may have the shape (B,) or (B, Q). For scores of shape (B, Q, K) the mask "
        "should be (B, 1, K) or (B, Q, K).",
        "`valid_lens` 的形状可以是 (B,) 或 (B, Q)。分数的形状是 (B, Q, K)，所以掩码的形状应该是 "
        "(B, 1, K) 或 (B, Q, K)。",
    ),
)
