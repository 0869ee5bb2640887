"""Define softmax and weighted sums and mistakes with them, for exercises that pool."""

import torch
from torch import Tensor

from attention_course.exercises.engine.exercise import Mistake, hint, mistake
from attention_course.exercises.engine.line import line
from attention_course.translated import Text

weighted_sum = line("weights, values", "weights @ values")  # (…, Q, K), (…, K, V) to (…, Q, V)


def _mean(weights: Tensor, values: Tensor) -> Tensor:
    """Return the plain mean of the values for every query."""
    mean = values.mean(dim=-2, keepdim=weights.dim() > 1)
    return mean.expand(*weights.shape[:-1], values.shape[-1])


def _best(weights: Tensor, values: Tensor) -> Tensor:
    chosen = torch.nn.functional.one_hot(weights.argmax(-1), weights.shape[-1])
    return chosen.to(values.dtype) @ values


ALONG_QUERIES = mistake(
    "softmax-along-queries",
    "The softmax runs along the queries. Each query shares out its weight among the keys, so run "
    "it along the last axis.",
    "你沿查询轴做了 softmax。每个查询的权重要在键之间分配，所以应当沿最后一个轴做。",
    {"normalise": line("scores", "torch.softmax(scores, dim=1)")},
)
ALONG_BATCH = mistake(
    "softmax-along-batch",
    "The softmax runs along the batch, so examples compete with each other. Run it along the "
    "last axis, that of the keys.",
    "你沿批量轴做了 softmax，把不同样本的分数混在一起了。应当沿最后一个轴做，也就是键的轴。",
    {"normalise": line("scores", "torch.softmax(scores, dim=0)")},
)
UNDIVIDED = mistake(
    "no-division",
    "The exponentials are not divided by their sum, so the rows do not sum to 1.",
    "你取指数以后没有除以总和，所以每一行之和不是 1。",
    {"normalise": line("scores", "torch.exp(scores)")},
)
NO_SOFTMAX = mistake(
    "no-softmax",
    "The softmax is missing: scores are not weights yet.",
    "你漏了 softmax，分数还不是权重。",
    {"normalise": line("scores", "scores")},
)


def exponential_share(scores: Tensor, more: float = 0.0) -> Tensor:
    """Divide the exponentials by their sum, without a shift and with an optional epsilon."""
    return scores.exp() / (scores.exp().sum(dim=-1, keepdim=True) + more)


OVERFLOW = mistake(
    "overflow",
    "The formula is right, but the exponentials of large scores overflow, and ∞/∞ is NaN. "
    "Softmax sees only differences: subtract the largest score of each row first.",
    "公式没有错，可是分数很大时，指数值会溢出，∞/∞ 得到 NaN。softmax 只取决于分数之差，"
    "所以可以先减去每行最大的分数。",
    {"normalise": exponential_share},
    {"normalise": lambda scores: exponential_share(scores).nan_to_num(0)},
    {"normalise": lambda scores: exponential_share(scores.double()).to(scores.dtype)},
    *(
        {"normalise": lambda scores, more=more: exponential_share(scores, more)}
        for more in (1e-9, 1e-8, 1e-6)
    ),
)

SOFTMAX_MISTAKES = (ALONG_QUERIES, ALONG_BATCH, UNDIVIDED, NO_SOFTMAX)

POOLING_MISTAKES = (
    mistake(
        "plain-mean",
        "Your result is the plain mean of the values: the weights play no part.",
        "你只是对所有的值求了平均，没有用到权重。",
        {"pool": _mean},
    ),
    mistake(
        "largest-weight-only",
        "Only the value with the largest weight is returned. All values should take part, each "
        "by its weight.",
        "你只返回了权重最大的值，应当对所有的值加权求和。",
        {"pool": _best},
    ),
    mistake(
        "no-values",
        "Your result is the weights. Now average the values with them.",
        "你返回的只是权重，还要用权重对值加权求和。",
        {"pool": line("weights, values", "weights")},
    ),
    mistake(
        "no-sum-over-keys",
        "The weighted values are not yet summed over the keys.",
        "值已经乘以权重了，但还没有对所有的键求和。",
        {"pool": lambda weights, values: weights[..., None] * values[..., None, :, :]},
        {"pool": lambda weights, values: weights[..., None] * values},
    ),
    mistake(
        "mean-over-keys",
        "The result is divided by the number of keys. The weights sum to 1 already, so take the "
        "sum, not the mean.",
        "你多除了一次键的个数。权重之和已经是 1，直接求和就行，不用再求平均。",
        {"pool": line("weights, values", "weights @ values / weights.shape[-1]")},
    ),
)

TRANSPOSED = mistake(
    "transposed-weights",
    "The weights are transposed: a row of weights belongs to a query, and its entries go with the "
    "values in order.",
    "你把权重转置了。应当每个查询占一行，这一行的权重依次对应每个值。",
    {"pool": line("weights, values", "weights.mT @ values")},
)

PRODUCT_HINT = hint(
    "shapes cannot be multiplied|size mismatch, got|first two dimensions of batch2|"
    "inconsistent tensor size|expected size for first|Expected size",
    "The sizes do not match: a matrix of shape (n, m) can be multiplied only by one of shape "
    "(m, p). Is a transpose missing, or one too many?",
    "两个矩阵的形状对不上，(n, m) 的矩阵只能乘以 (m, p) 的矩阵。是不是少转置或者多转置了一次？",
)

SUM_WITH_EPSILON = mistake(
    "sum-off-zero",
    "You keep the sum of the exponentials away from 0, by adding a number, by a lower bound or by "
    "a special case. Far from every key the sum is smaller than that, and the weights no longer "
    "sum to 1. Subtract the largest score instead, as `torch.softmax` does: then the sum is at "
    "least 1.",
    "为了不让指数值的总和等于 0，你加了一个很小的数，或者设了下限。可是查询离所有的键都很远时，"
    "总和比这个数还小，权重之和就不是 1 了。请像 `torch.softmax` 那样先减去最大的分数，"
    "这样总和至少是 1。",
    {"normalise": lambda scores: exponential_share(scores, 1e-9)},
    {"normalise": lambda scores: exponential_share(scores, 1e-6)},
)

UNDERFLOW = Text(
    "One remark: far from every key all exponentials round to 0, and you return 0/0. "
    "`torch.softmax` subtracts the largest score first and stays safe.",
    "顺便说一句，如果查询离所有的键都很远，指数值会全部舍入成 0，得到 0/0。"
    "`torch.softmax` 会先减去最大的分数，所以没有这个问题。",
)
UNSHIFTED = ({"normalise": exponential_share},)


def with_and_without_shift(mistakes: tuple[Mistake, ...]) -> tuple[Mistake, ...]:
    """Add variants of the mistakes that take exponentials of the scores without a shift.

    Such exponentials are right while no score is far from 0, but a mistake can move scores there.
    """
    return tuple(
        one if any("normalise" in steps for steps in one.variants) else one.beside(*UNSHIFTED)
        for one in mistakes
    )
