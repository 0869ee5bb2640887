"""Define an exercise of chapter 11: the context that a decoder reads at one step."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import (
    LOW_LENGTHS,
    LOW_SCORES,
    VIEW_HINT,
    extreme_scores,
    near_the_limit,
    spoilt_padding,
    transposed,
)
from attention_course.exercises.common.masks import (
    LENGTH_HINTS,
    MASK_MISTAKES,
    WITH_EPSILON,
    Clean,
    as_given,
    masked_softmax,
)
from attention_course.exercises.common.pooling import POOLING_MISTAKES, PRODUCT_HINT, weighted_sum
from attention_course.exercises.engine.exercise import Case, Exercise, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line


def decoder_context(
    state: Tensor,
    states: Tensor,
    valid_lens: Tensor,
    *,
    ask: Callable[[Tensor, Tensor], Tensor] = line("state, states", "state[:, None]"),
    scale: Callable[[Tensor], float] = line("states", "math.sqrt(states.shape[-1])"),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    finish: Callable[[Tensor], Tensor] = line("context", "context[:, 0]"),
    clean_keys: Clean = as_given,
    clean_values: Clean = as_given,
    **mask_steps: Any,
) -> Tensor:
    """Attend step by step."""
    keys, values = clean_keys(states, valid_lens), clean_values(states, valid_lens)
    scores = ask(state, states) @ keys.mT / scale(states)
    weights = masked_softmax(scores, valid_lens, **mask_steps)
    return finish(pool(weights, values))


MISTAKES = (
    mistake(
        "last-state-asks",
        "You use the last state of the encoder as the query. The query should be the state of "
        "the decoder, which changes from step to step.",
        "你把编码器的最后一个状态当成了查询。查询应当是解码器的状态，每一步都不同。",
        {"ask": line("state, states", "states[:, -1:]")},
    ),
    mistake(
        "first-state-asks",
        "You use the first state of the encoder as the query. The query should be the state of "
        "the decoder.",
        "你把编码器最前面的状态当成了查询。查询应当是解码器的状态。",
        {"ask": line("state, states", "states[:, :1]")},
    ),
    mistake(
        "no-scale",
        "The scores are not divided by √d, where d is the size of a state.",
        "你忘了把分数除以 √d，这里的 d 是状态的维数。",
        {"scale": line("states", "1.0")},
    ),
    mistake(
        "divided-by-d",
        "The scores are divided by d; divide by the square root of d.",
        "你把分数除以了 d，应当除以 d 的平方根。",
        {"scale": line("states", "states.shape[-1]")},
    ),
    mistake(
        "root-of-count",
        "You take the root of the number of states. What makes dot products large is d, the size "
        "of a state.",
        "你对状态的个数开了平方，应当用状态的维数 d：d 越大，点积越大。",
        {"scale": line("states", "math.sqrt(states.shape[1])")},
    ),
    mistake(
        "axis-too-many",
        "The axis of the one query is still there; the result should have the shape (B, d).",
        "请去掉长度为 1 的查询维度，使结果的形状变为 (B, d)。",
        {"finish": line("context", "context")},
    ),
    *POOLING_MISTAKES,
    *(one for one in MASK_MISTAKES if one.name in ("no-mask", "mask-after-softmax", "mask-added")),
    *WITH_EPSILON,
)


def _case_from_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make states whose first component is the score after the division by √d = 2."""
    (rest,) = draw(117, (*scores.shape, 3))
    state = torch.eye(4, dtype=torch.float32)[:1].expand(len(scores), 4)
    return state, torch.cat([2 * scores[..., None], rest], dim=-1), lengths


PLAIN = *draw(111, (2, 5), (2, 7, 5)), torch.tensor([3, 6])

EXERCISE = Exercise(
    decoder_context,
    (
        PLAIN,
        (*draw(112, (3, 2), (3, 5, 2)), torch.tensor([4, 1, 5])),
        (*draw(113, (2, 3), (2, 2, 3)), torch.tensor([2, 2])),
        (*draw(114, (1, 11), (1, 3, 11)), torch.tensor([2])),
        (*draw(115, (5, 3), (5, 5, 3)), torch.tensor([1, 5, 2, 4, 3])),
        _case_from_scores(LOW_SCORES, LOW_LENGTHS),
    ),
    MISTAKES,
    (
        hint(
            r"state \(2, 5\).*(must match|size mismatch|batch)|batch1 must be a 3D",
            "`state` has the shape (B, d), and `states` has (B, K, d). Turn the state into one "
            "query, (B, 1, d), with `state[:, None]`.",
            "`state` 的形状是 (B, d)，`states` 的形状是 (B, K, d)。请用 `state[:, None]` 把 "
            "`state` 变成一个查询，形状为 (B, 1, d)。",
        ),
        VIEW_HINT,
        PRODUCT_HINT,
        *LENGTH_HINTS,
        *GRADIENT_HINTS,
    ),
    puzzle=Puzzle(
        """
def decoder_context(state, states, valid_lens):
    padding = torch.arange(states.shape[1]) >= valid_lens[:, None]
    keys = values = states.masked_fill(padding[..., None], 0)
    query = {ask}
    scores = query @ keys.mT / {scale}
    weights = masked_softmax(scores, valid_lens)
    context = {pool}
    return {finish}
""",
        {
            "ask": ("last-state-asks", "first-state-asks"),
            "scale": ("no-scale", "divided-by-d"),
            "pool": ("mean-over-keys",),
            "finish": ("axis-too-many",),
        },
    ),
    gradients=((*draw(116, (2, 5), (2, 7, 5)), torch.tensor([3, 6])),),
    hazards=(
        extreme_scores(_case_from_scores),
        transposed(PLAIN),
        near_the_limit(_case_from_scores, [1, 1]),
        spoilt_padding(PLAIN, PLAIN[2], 1),
    ),
)
