"""Define an exercise of chapter 5: additive scores of a batch."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.common.pairs import PAIRS_HINT, SWAPPED, ZIPPED
from attention_course.exercises.common.pooling import PRODUCT_HINT
from attention_course.exercises.engine.exercise import Case, Exercise, Puzzle, draw, mistake
from attention_course.exercises.engine.line import line

Step = Callable[[Tensor], Tensor]


_scores = line("scores", "scores")


def _zipped(hidden_queries: Tensor, hidden_keys: Tensor) -> Tensor:
    pairs = min(hidden_queries.shape[1], hidden_keys.shape[2])
    return hidden_queries[:, :pairs, 0] + hidden_keys[:, 0, :pairs]


def additive_scores(
    queries: Tensor,
    keys: Tensor,
    W_q: Tensor,
    W_k: Tensor,
    w_v: Tensor,
    *,
    assign: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] = lambda W_q, W_k: (W_q, W_k),
    project: Callable[[Tensor, Tensor], Tensor] = lambda x, W: x @ W.mT,
    combine: Callable[[Tensor, Tensor], Tensor] = line(
        "hidden_queries, hidden_keys", "hidden_queries + hidden_keys"
    ),
    activate: Step = line("sums", "torch.tanh(sums)"),
    weigh: Callable[[Tensor, Tensor], Tensor] = line("features, w_v", "features @ w_v[0]"),
    late: Step = _scores,
    layout: Step = _scores,
) -> Tensor:
    """Score step by step."""
    for_queries, for_keys = assign(W_q, W_k)
    hidden_queries = project(queries, for_queries)[:, :, None]  # (B, Q, 1, H)
    hidden_keys = project(keys, for_keys)[:, None]  # (B, 1, K, H)
    return layout(late(weigh(activate(combine(hidden_queries, hidden_keys)), w_v)))


_NO_TANH = line("sums", "sums")

SCORE_MISTAKES = (
    mistake(
        "product",
        "The projected query and key are multiplied. Additive attention adds them.",
        "你把投影后的查询和键相乘了，加性注意力要把两者相加。",
        {"combine": line("hidden_queries, hidden_keys", "hidden_queries * hidden_keys")},
    ),
    mistake(
        "minus",
        "The projected key is subtracted. Additive attention adds it.",
        "你减去了投影后的键，加性注意力应该加上。",
        {"combine": torch.sub},
        {"combine": lambda q, k: k - q},
    ),
    mistake(
        "no-tanh",
        "tanh is missing. Without tanh the query shifts all scores of its row by the same number, "
        "and the softmax does not see this at all.",
        "你漏了 tanh。如果没有 tanh，查询只是给整行分数加上同一个数，做完 softmax 就约掉了。",
        {"activate": _NO_TANH},
    ),
    mistake(
        "tanh-after-w_v",
        "tanh comes after `w_v`. It belongs on the sum of the projections, before `w_v` turns this "
        "sum into one number.",
        "你把 tanh 放到了 `w_v` 后面。应该先把两个投影相加，取 tanh，再用 `w_v` 合成一个数。",
        {"activate": _NO_TANH, "late": line("scores", "torch.tanh(scores)")},
    ),
    mistake(
        "tanh-before-sum",
        "tanh is applied to each projection alone, before the sum. Add the projections first.",
        "你对两个投影分别取了 tanh。应该先相加，再取 tanh。",
        {
            "activate": _NO_TANH,
            "combine": line(
                "hidden_queries, hidden_keys", "hidden_queries.tanh() + hidden_keys.tanh()"
            ),
        },
    ),
    mistake(
        "other-activation",
        "That activation is not tanh.",
        "激活函数用错了，应该用 tanh。",
        {"activate": line("sums", "torch.sigmoid(sums)")},
        {"activate": torch.relu},
        {"activate": torch.nn.functional.gelu},
        {"activate": torch.nn.functional.hardtanh},
        {"activate": torch.nn.functional.softsign},
    ),
    mistake(
        "swapped-weights",
        "`W_q` and `W_k` are swapped: `W_q` is for the queries, `W_k` for the keys.",
        "`W_q` 和 `W_k` 用反了。`W_q` 用于查询，`W_k` 用于键。",
        {"assign": lambda W_q, W_k: (W_k, W_q)},
    ),
    mistake(
        "no-w_v",
        "The hidden units are summed with equal weights; `w_v` should weigh them.",
        "你把隐藏单元直接相加了，应该用 `w_v` 加权求和。",
        {"weigh": line("features, w_v", "features.sum(dim=-1)")},
        {"weigh": lambda features, w_v: features.mean(-1)},
    ),
    mistake(
        "root-scale",
        "The scores are divided by the square root of a size. Additive attention does not scale: "
        "tanh already keeps its features between −1 and 1.",
        "你把分数除以了维数的平方根。tanh 的值本来就在 −1 与 1 之间，加性注意力不需要缩放。",
        {"weigh": line("features, w_v", "features @ w_v[0] / w_v.shape[1] ** 0.5")},
    ),
    SWAPPED,
)

MISTAKES = (
    *SCORE_MISTAKES,
    mistake(
        "transposed-weights",
        "The transpose of `W_q` and `W_k` is missing. They have the shapes (H, query size) and "
        "(H, key size), so a row vector has to be multiplied by their transposes.",
        "你忘了把 `W_q` 和 `W_k` 转置。两者的形状是 (H, 查询维数) 和 (H, 键维数)，行向量要乘以它"
        "们的转置。",
        {"project": torch.matmul},
    ),
    mistake(*ZIPPED, {"combine": _zipped}),
    mistake(
        "axis-too-many",
        "An axis of size 1 is left over from `w_v`; scores should have the shape (B, Q, K).",
        "乘以 `w_v` 以后，末尾还多了一个长度为 1 的轴，分数的形状应该是 (B, Q, K)。",
        {"layout": lambda scores: scores[..., None]},
    ),
    mistake(
        "w_v-to-come",
        "`w_v` is still missing: it turns the H hidden units of each pair into one score.",
        "还差最后一步：每一对查询和键有 H 个隐藏单元，要用 `w_v` 合成一个分数。",
        {"weigh": lambda features, w_v: features},
        {"weigh": lambda features, w_v: features * w_v[0]},
    ),
    mistake(
        "weights-not-scores",
        "Your result holds weights, not scores. The softmax comes later.",
        "题目要的是分数，你返回的是权重。softmax 留到后面再做。",
        {"layout": lambda scores: torch.softmax(scores, dim=-1)},
    ),
)

_SIZES = (2, 3, 5), (2, 7, 11), (13, 5), (13, 11), (1, 13)


def _saturated() -> Case:
    """Make sums of several hundred, whose tanh is ±1 and whose exponential is infinite."""
    queries, *others = draw(75, *_SIZES)
    return 500 * queries, *others


EXERCISE = Exercise(
    additive_scores,
    (
        draw(71, *_SIZES),
        draw(72, (3, 5, 7), (3, 2, 7), (11, 7), (11, 7), (1, 11)),
        draw(73, (5, 5, 5), (5, 5, 5), (5, 5), (5, 5), (1, 5)),
        draw(74, (1, 2, 3), (1, 5, 7), (2, 3), (2, 7), (1, 2)),
        draw(76, (3, 1, 2), (3, 5, 3), (7, 2), (7, 3), (1, 7)),
        draw(77, (2, 3, 2), (2, 1, 3), (5, 2), (5, 3), (1, 5)),
        draw(78, (1, 1, 1), (1, 1, 1), (1, 1), (1, 1), (1, 1)),
        _saturated(),
    ),
    MISTAKES,
    (VIEW_HINT, PRODUCT_HINT, PAIRS_HINT, *GRADIENT_HINTS),
    gradients=(draw(79, *_SIZES),),
    hazards=(transposed(draw(80, *_SIZES)),),
    puzzle=Puzzle(
        """
def additive_scores(queries, keys, W_q, W_k, w_v):
    hidden_queries = (queries @ W_q.mT)[:, :, None]
    hidden_keys = (keys @ W_k.mT)[:, None]
    sums = {combine}
    features = {activate}
    scores = {weigh}
    return {late}
""",
        {
            "combine": ("product", "tanh-before-sum"),
            "activate": ("no-tanh",),
            "weigh": ("no-w_v", "root-scale"),
            "late": ("tanh-after-w_v",),
        },
    ),
)
