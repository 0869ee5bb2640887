"""How a mask and a softmax go wrong: shared by all attentions with valid lengths."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib.exercises.exercise import mistake
from attention_lib.exercises.mask_steps import empty_is_zero, lengths_keep
from attention_lib.exercises.pooling import ALONG_BATCH, ALONG_QUERIES, NO_SOFTMAX, UNDIVIDED


def _fill(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda X, keep: X.masked_fill(~keep, value)


def _as_it_is(x: Tensor, keep: Tensor) -> Tensor:
    return x


def _cycled(lengths: Tensor, queries: int) -> Tensor:
    return lengths.repeat(queries).reshape(-1, queries) if lengths.dim() == 1 else lengths


def _along_the_batch(lengths: Tensor, queries: int) -> Tensor:
    """Do what broadcasting does to lengths[:, None] where there are as many queries as examples."""
    if lengths.dim() == 2:
        return lengths
    return lengths.expand(lengths.shape[0], queries)


def _share(weights: Tensor, keep: Tensor) -> Tensor:
    kept = weights * keep
    return kept / kept.sum(-1, keepdim=True)


def _add(value: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda X, keep: X + value * ~keep


DROWNED = mistake(
    "Masking after the softmax and dividing by the rest works only while the padded scores "
    "are moderate: a large one leaves the kept keys nothing but 0/0. Mask the scores first.",
    "先做 softmax、再去掉填充并重新归一化，只有在填充处的分数不大时才行得通："
    "那里若有一个很大的数，留下的键就只剩 0/0。请先掩蔽分数。",
    {"before": _as_it_is, "after": _share},
    {"before": _as_it_is, "after": lambda w, keep: _share(w, keep).nan_to_num(0)},
    {"before": _as_it_is, "after": lambda w, keep: empty_is_zero(_share(w, keep), keep)},
)

FINITE_FILL = mistake(
    "The fill is a finite number. As soon as real scores lie below it, the padding gets all "
    "the weight. Only −∞ lies below every score.",
    "填入的是一个有限的数。真正的分数一旦比它还低，权重就全归了填充。只有 −∞ 比任何分数都低。",
    *({"before": fill(x)} for fill in (_fill, _add) for x in (-1e6, -1e9)),
    *({"before": fill(x), "after": _as_it_is} for fill in (_fill, _add) for x in (-1e6, -1e9)),
    *({"before": fill(x), "after": torch.mul} for fill in (_fill, _add) for x in (-1e6, -1e9)),
)

MASK_MISTAKES = (
    mistake(
        "The padding is kept: keys from the valid length onwards still get weight. Take them out "
        "before the softmax.",
        "填充没有去掉：有效长度以后的键仍然分到了权重。要在 softmax 之前就把它们排除掉。",
        {"before": _as_it_is, "after": _as_it_is},
        {"before": _as_it_is},
    ),
    mistake(
        "The mask comes after the softmax, so a row no longer sums to 1: the padding has already "
        "taken its share. Mask the scores first.",
        "掩码用在了 softmax 之后，一行权重的和不再是 1，因为填充已经分走了一份。请先掩蔽分数。",
        {"before": _as_it_is, "after": torch.mul},
    ),
    DROWNED,
    mistake(
        "The mask is the wrong way round: it keeps the padding and drops the real keys.",
        "掩码弄反了：留下的是填充，去掉的倒是真正的键。",
        {"keep": lambda n, lengths: ~lengths_keep(n, lengths), "after": _as_it_is},
        {"keep": lambda n, lengths: ~lengths_keep(n, lengths)},
    ),
    mistake(
        "One key too many is kept. With a valid length of n the keys 0 to n − 1 count, so compare "
        "with < and not with ≤.",
        "多保留了一个键。有效长度为 n 时，算数的是第 0 到 n − 1 个键，所以应该用 <，而不是 ≤。",
        {"keep": lambda n, lengths: torch.arange(n) <= lengths[..., None]},
    ),
    mistake(
        "One key too few is kept: with a valid length of n the keys 0 to n − 1 count.",
        "少保留了一个键：有效长度为 n 时，第 0 到 n − 1 个键都算数。",
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1, "after": _as_it_is},
        {"keep": lambda n, lengths: torch.arange(n) < lengths[..., None] - 1},
    ),
    mistake(
        "The mask counts from the end. The valid keys are the first ones of a row.",
        "掩码是从末尾数起的。有效的键排在一行的最前面。",
        {"keep": lambda n, lengths: lengths_keep(n, lengths).flip(-1)},
    ),
    mistake(
        "The first length is used for the whole batch; each example has its own.",
        "整个批量都用了第一个长度，可是每个样本各有各的长度。",
        {"spread": lambda x, n: x.flatten()[0].expand(x.shape[0], n)},
    ),
    mistake(
        "The lengths land on the wrong rows: all queries of an example share its length. `repeat` "
        "goes round the whole list again and again, `repeat_interleave` repeats each entry.",
        "长度对错了行：同一个样本的所有查询共用一个长度。"
        "`repeat` 是把整个列表一遍遍重复，`repeat_interleave` 才是逐个元素重复。",
        {"spread": _cycled},
    ),
    mistake(
        "The lengths go along the queries instead of the batch. Broadcasting aligns axes from the "
        "right, so lengths for (B, Q, K) need the shape (B, 1, 1).",
        "长度沿着查询轴铺开了，而不是沿着批量轴。广播从右边对齐各轴，"
        "要配合 (B, Q, K)，长度的形状应为 (B, 1, 1)。",
        {"spread": _along_the_batch},
    ),
    mistake(
        "A fill of 0 does not hide a key, since exp(0) = 1: the padding still gets weight. Which "
        "score has the exponential 0?",
        "填 0 并不能把键藏起来，因为 exp(0) = 1，填充仍然分到了权重。什么样的分数，指数值才是 0？",
        {"before": _fill(0.0), "after": _as_it_is},
        {"before": _fill(0.0)},
    ),
    FINITE_FILL,
    mistake(
        "0 · (−∞) is NaN: multiplying a mask by −∞ spoils the keys that are kept. Choose with "
        "`masked_fill` or `torch.where` instead.",
        "0 · (−∞) 等于 NaN：拿掩码去乘 −∞，连该保留的键也毁了。"
        "请改用 `masked_fill` 或 `torch.where` 来选取。",
        {"before": _add(-torch.inf)},
        {"before": _add(-torch.inf), "after": _as_it_is},
    ),
    mistake(
        "Where the valid length is 0, nothing but −∞ is left and the row becomes NaN. Its weights "
        "should be 0.",
        "有效长度为 0 时，一行里只剩下 −∞，结果成了 NaN。这一行的权重应该是 0。",
        {"after": _as_it_is},
    ),
    mistake(
        "Where the valid length is 0, the weight is spread evenly over padding. It should be 0.",
        "有效长度为 0 时，权重平均分给了填充。这一行的权重应该是 0。",
        {"before": _fill(torch.finfo(torch.float32).min), "after": _as_it_is},
    ),
    ALONG_QUERIES.beside({"after": _as_it_is}),
    ALONG_BATCH.beside({"after": _as_it_is}),
    UNDIVIDED,
    NO_SOFTMAX.beside({"before": _fill(0.0)}, {"after": _as_it_is}),
)
