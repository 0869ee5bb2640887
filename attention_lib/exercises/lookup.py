"""Chapter 1: a soft look-up of one query among keys in the plane, with a temperature."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Exercise, Remark, draw, hint, mistake
from attention_lib.exercises.pooling import POOLING_MISTAKES, PRODUCT_HINT, weighted_sum
from attention_lib.exercises.words import Words


def squared(difference: Tensor) -> Tensor:
    return (difference**2).sum(dim=-1)


def soft_lookup(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    temperature: float,
    *,
    pairs: Callable[[Tensor, Tensor], Tensor] = torch.sub,
    distance: Callable[[Tensor], Tensor] = squared,
    factor: float = -0.5,
    heat: Callable[[Tensor, float], Tensor] = lambda scores, temperature: scores / temperature,
    normalise: Callable[[Tensor], Tensor] = lambda scores: torch.softmax(scores, dim=-1),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    finish: Callable[[Tensor, float], Tensor] = lambda output, temperature: output,
) -> Tensor:
    """Look a query up, step by step."""
    scores = factor * distance(pairs(query, keys))  # (K,)
    return finish(pool(normalise(heat(scores, temperature)), values), temperature)


FACTOR_MISTAKES = (
    mistake(
        "The ½ is missing from −½‖q − k‖².",
        "−½‖q − k‖² 里漏了 ½。",
        {"factor": -1.0},
    ),
    mistake(
        "The minus sign is missing: the farther a key, the higher your score for it. The nearest "
        "key should score highest.",
        "漏了负号：键离得越远，得到的分数反而越高。分数最高的应该是最近的键。",
        {"factor": 0.5},
    ),
    mistake(
        "Both the ½ and the minus sign are missing from −½‖q − k‖².",
        "−½‖q − k‖² 里的 ½ 和负号都漏了。",
        {"factor": 1.0},
    ),
)

DISTANCE_MISTAKES = (
    mistake(
        "That uses the distance itself. The score takes the squared distance.",
        "这里用的是距离本身，而分数要用距离的平方。",
        {"distance": lambda difference: squared(difference).sqrt()},
    ),
    mistake(
        "The squares are averaged over the components; the squared distance is their sum.",
        "各分量的平方取了平均，而距离的平方是它们的和。",
        {"distance": lambda difference: (difference**2).mean(dim=-1)},
    ),
    mistake(
        "The squares are summed along the wrong axis, or along all of them. Sum over the "
        "components of a vector: the last axis.",
        "平方沿错误的轴求了和，或者把所有的数都加在了一起。应当对向量的各分量求和，也就是最后一个轴。",
        {"distance": lambda difference: (difference**2).sum()},
        {"distance": lambda difference: (difference**2).sum(dim=0)},
        {"distance": lambda difference: (difference**2).sum(dim=-2)},
    ),
    mistake(
        "The differences are summed before they are squared. Square each component first.",
        "你先求和、再平方了。应当先把每个分量平方，然后求和。",
        {"distance": lambda difference: difference.sum(dim=-1) ** 2},
    ),
    mistake(
        "That sums absolute differences; the squared distance sums squares.",
        "这里是绝对值之和，而距离的平方是平方之和。",
        {"distance": lambda difference: difference.abs().sum(dim=-1)},
    ),
)

MISTAKES = (
    *FACTOR_MISTAKES,
    *DISTANCE_MISTAKES,
    mistake(
        "That is a dot product. The score asked for is −½‖q − k‖², from the distance of the two.",
        "这是点积，而题目要的分数是 −½‖q − k‖²，由两者的距离算出。",
        {"pairs": torch.mul, "distance": lambda product: product.sum(dim=-1), "factor": 1.0},
    ),
    mistake(
        "The temperature divides the weights. It should divide the scores, before the softmax; the "
        "weights then still sum to 1.",
        "温度除到了权重上。该除以温度的是分数，而且要在 softmax 之前，这样权重的和仍是 1。",
        {
            "heat": lambda scores, temperature: scores,
            "finish": lambda output, temperature: output / temperature,
        },
    ),
    mistake(
        "The scores are multiplied by the temperature; divide by it. Hotter should mean more even "
        "weights.",
        "分数乘上了温度，应该除以温度：温度越高，权重越均匀。",
        {"heat": lambda scores, temperature: scores * temperature},
    ),
    mistake(
        "The temperature plays no part: the weights are the same at every temperature.",
        "温度没有起作用：不论温度多高，权重都一样。",
        {"heat": lambda scores, temperature: scores},
    ),
    mistake(
        "There is no softmax: scores are not weights yet. They must become positive and sum to 1.",
        "少了 softmax：分数还不是权重。权重应是正数，而且和为 1。",
        {"normalise": lambda scores: scores},
    ),
    mistake(
        "The exponentials are not divided by their sum, so the weights do not sum to 1.",
        "指数值没有除以它们的总和，所以权重的和不是 1。",
        {"normalise": torch.exp},
    ),
    mistake(
        "The scores are divided by their sum without an exponential, so the farthest key weighs "
        "most.",
        "没有取指数，就把分数除以了总和，结果最远的键权重最大。",
        {"normalise": lambda scores: scores / scores.sum(dim=-1, keepdim=True)},
    ),
    *POOLING_MISTAKES,
)

UNDERFLOW = Remark(
    (*draw(12, (2,)), draw(13, (5, 2))[0] + 90, *draw(14, (5, 3)), 0.5),
    Words(
        "One remark: far from every key all exponentials round to 0, and you return 0/0. "
        "`torch.softmax` subtracts the largest score first and stays safe.",
        "顺便一提：离所有的键都很远时，指数值全都舍入成 0，你会得到 0/0。"
        "`torch.softmax` 会先减去最大的分数，就不会出这种问题。",
    ),
)

EXERCISE = Exercise(
    soft_lookup,
    (
        (*draw(1, (2,), (5, 2), (5, 3)), 0.5),
        (*draw(2, (3,), (7, 3), (7, 2)), 2.5),
        (*draw(3, (5,), (5, 5), (5, 5)), 0.7),
        (*draw(4, (2,), (1, 2), (1, 3)), 1.5),
    ),
    MISTAKES,
    (
        PRODUCT_HINT,
        hint(
            "The size of tensor a",
            "`query` has the shape (d,), `keys` (K, d), `values` (K, V): `query - keys` is (K, d), "
            "and its squares are summed over the last axis.",
            "`query` 的形状是 (d,)，`keys` 是 (K, d)，`values` 是 (K, V)。"
            "`query - keys` 的形状是 (K, d)，平方以后沿最后一个轴求和。",
        ),
    ),
    (UNDERFLOW,),
)
