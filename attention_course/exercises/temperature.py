"""Define an exercise of chapter 13: draw the next word at a temperature, from a given number."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.hazards import VIEW_HINT, far_from_zero, transposed
from attention_course.exercises.common.pooling import UNDIVIDED
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Function,
    Outcome,
    Puzzle,
    Returned,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.running import built
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.translated import Text

INTEGERS = Text(
    "The indices are right, but their type is {got}. An index needs an integer type, such as "
    "torch.int64. With any other type you cannot look up a row of an embedding.",
    "下标的数值没有错，但类型是 {got}。下标应当用整数类型，例如 torch.int64，"
    "否则没法用来查词嵌入。",
)


def sample(
    logits: Tensor,
    temperature: float,
    u: Tensor,
    *,
    soften: Callable[[Tensor, float], Tensor] = line("logits, temperature", "logits / temperature"),
    normalise: Callable[[Tensor], Tensor] = line("scaled", "torch.softmax(scaled, dim=-1)"),
    rescale: Callable[[Tensor, float], Tensor] = lambda p, temperature: p,
    cumulate: Callable[[Tensor], Tensor] = line("p", "p.cumsum(dim=-1)"),
    choose: Callable[[Tensor, Tensor, Tensor], Tensor] = line(
        "p, total, u", "(total <= u[:, None]).sum(dim=-1)"
    ),
) -> Outcome:
    """Draw step by step."""
    p = rescale(normalise(soften(logits, temperature)), temperature)
    return Outcome(choose(p, cumulate(p), u).to(logits.dtype))


def _prepare(answer: Function) -> Function:
    """Make the indices comparable numbers; nothing is differentiated by them."""

    @wraps(answer)
    def draw_word(logits: Tensor, temperature: float, u: Tensor) -> Any:
        returned = answer(logits, temperature, u)
        return returned.to(logits.dtype) if isinstance(returned, Tensor) else returned

    return draw_word


def _are_integers(answer: Function) -> Verdict | None:
    """Refuse right indices of a type that cannot index."""
    returned, _ = built(answer, *_case(171, 0.5, 2, 3))
    if isinstance(returned, Tensor) and returned.dtype not in (torch.int64, torch.int32):
        return refusal(INTEGERS.filled(got=returned.dtype))
    return None


_ONE_MORE = line("p, total, u", "(total <= u[:, None]).sum(dim=-1) + 1")


def _first(holds: Tensor) -> Tensor:
    """Return the first index at which a condition holds, or 0."""
    return holds.int().argmax(dim=-1)


MISTAKES = (
    mistake(
        "multiplied",
        "The logits are multiplied by the temperature. Divide by it: a low temperature makes the "
        "differences large, and the likeliest word even likelier.",
        "你把 `logits` 乘以了温度，应当除以温度。温度越低，差距应当越大，概率最大的词也就更突出。",
        {"soften": line("logits, temperature", "logits * temperature")},
    ),
    mistake(
        "without-temperature",
        "The temperature has no effect. If the probabilities are divided by it and then by their "
        "sum, it cancels out. Divide the logits, before the softmax.",
        "温度没有起作用。如果把概率除以温度以后再除以总和，温度就约掉了。"
        "请在 softmax 之前把 `logits` 除以温度。",
        {"soften": line("logits, temperature", "logits")},
    ),
    mistake(
        "probabilities-divided",
        "The probabilities are divided by the temperature, so they no longer sum to 1. Divide the "
        "logits, before the softmax.",
        "你把概率除以了温度，加起来就不是 1 了。请在 softmax 之前把 `logits` 除以温度。",
        {"soften": lambda logits, t: logits, "rescale": lambda p, t: p / t},
    ),
    mistake(
        "applied-twice",
        "The temperature is applied twice. Divide the logits by it once.",
        "你除以了两次温度，`logits` 除以一次就够了。",
        {"soften": line("logits, temperature", "logits / temperature**2")},
    ),
    mistake(
        "softmax-along-batch",
        "The softmax runs along the batch, so sentences compete with each other. It belongs on "
        "the last axis, that of the words to choose from.",
        "你沿批量轴做了 softmax，概率就在不同的句子之间分配了。应当沿最后一个轴做，"
        "在候选词之间分配。",
        {"normalise": line("scaled", "torch.softmax(scaled, dim=0)")},
    ),
    mistake(
        "logits-added-up",
        "The logits are added up. u lies between 0 and 1, and only running sums of probabilities "
        "rise from 0 to 1, so take the softmax first.",
        "你累加的是 `logits`。u 在 0 和 1 之间，应当与概率的累加和比较，所以要先做 softmax。",
        {"normalise": line("scaled", "scaled")},
        {
            "normalise": lambda scaled: scaled,
            "choose": lambda p, total, u: _first(total > u[:, None]),
        },
    ),
    mistake(
        "not-added-up",
        "The probabilities are not added up: u is compared with each word's own. Word i is drawn "
        "if u lies between the sum up to the word before it and the sum up to word i.",
        "你没有累加概率，直接拿每个词的概率与 u 比较了。应当从词 0 开始累加，"
        "加到词 i 时第一次超过 u，就选词 i。",
        {"cumulate": line("p", "p")},
        {"cumulate": lambda p: p, "choose": lambda p, total, u: _first(total > u[:, None])},
    ),
    mistake(
        "added-up-along-batch",
        "The sums run along the batch. Each sentence has probabilities of its own, which are added "
        "up along the words.",
        "你沿批量轴做了累加，不同句子的概率加到了一起。应当沿候选词的轴累加。",
        {"cumulate": line("p", "p.cumsum(dim=0)")},
        {
            "cumulate": lambda p: p.cumsum(dim=0),
            "choose": lambda p, total, u: _first(total > u[:, None]),
        },
    ),
    mistake(
        "argmax",
        "The likeliest word is always taken, and u plays no part. At temperature 1 each word "
        "should be drawn as often as its probability says.",
        "你每次都取概率最大的词，没有用到 u。温度为 1 时，每个词被选中的频率应当等于它的概率。",
        {"choose": line("p, total, u", "p.argmax(dim=-1)")},
    ),
    mistake(
        "equal-counts",
        "A word is drawn even if its running sum only equals u. The sum has to exceed u; "
        "otherwise, with u = 0, a word of probability 0 would be drawn.",
        "累加和刚好等于 u 时，你就选了这个词。应当等累加和大于 u 再选，"
        "否则 u = 0 时会选中概率为 0 的词。",
        {"choose": line("p, total, u", "(total < u[:, None]).sum(dim=-1)")},
    ),
    mistake(
        "one-too-far",
        "The index is 1 too large. The sums that do not exceed u belong to the words before the "
        "drawn one, and counting them gives its index, because indices begin at 0.",
        "下标大了 1。累加和没有超过 u 的词都排在前面，下标又从 0 开始，"
        "所以这些词的个数正好就是下标。",
        {"choose": _ONE_MORE},
    ),
    mistake(
        "one-too-few",
        "The index is 1 too small: it is that of the last word whose sum does not exceed u. Draw "
        "the word after it.",
        "下标小了 1，你选的是累加和没有超过 u 的最后一个词，应当选它后面的一个词。",
        {"choose": lambda p, total, u: (total <= u[:, None]).sum(dim=-1) - 1},
        {"choose": lambda p, total, u: ((total <= u[:, None]).sum(dim=-1) - 1).clamp(min=0)},
    ),
    mistake(
        "from-the-end",
        "The words are counted from the end, or u is replaced by 1 − u. Each word stays as likely, "
        "but you draw other words than the exercise asks for: add up from word 0, and compare with "
        "u.",
        "你是从末尾开始累加的，或者把 u 换成了 1 − u。每个词被选中的概率虽然不变，"
        "选出来的却不是题目要求的词。请从词 0 开始累加，再与 u 比较。",
        {"choose": lambda p, total, u: (total <= 1 - u[:, None]).sum(dim=-1)},
        {"choose": lambda p, total, u: (total < 1 - u[:, None]).sum(dim=-1)},
        {
            "choose": lambda p, total, u: (
                p.shape[-1] - 1 - (p.flip(-1).cumsum(-1) <= u[:, None]).sum(dim=-1)
            )
        },
    ),
    mistake(
        "first-draw-for-all",
        "u[0] is used for all sentences. Each sentence has a u of its own.",
        "你给所有句子都用了 u[0]，每个句子应当用自己的 u。",
        {"choose": line("p, total, u", "(total <= u[0]).sum(dim=-1)")},
    ),
    mistake(
        "draws-along-words",
        "The numbers in u are laid along the words, but each belongs to a sentence. Make a column "
        "of them with `u[:, None]`, so that each is compared with all sums of its row.",
        "你把 u 沿候选词的轴排开了，其实每个 u 对应一个句子。请用 `u[:, None]` 排成一列，"
        "分别与同一行的累加和比较。",
        {"choose": line("p, total, u", "(total <= u).sum(dim=-1)")},
    ),
    mistake(
        "own-draws",
        "Your function draws its own random numbers. Use `u`, so that the same u draws the same "
        "word.",
        "你另外生成了随机数。请用题目给的 `u`，这样同一个 u 总能选出同一个词。",
        {"choose": lambda p, total, u: torch.multinomial(p, 1)[:, 0]},
        {"choose": lambda p, total, u: (total <= torch.rand(len(u))[:, None]).sum(dim=-1)},
        {"choose": lambda p, total, u: (total <= torch.rand(len(u), 1)).sum(dim=-1)},
    ),
    UNDIVIDED,
)


def _case(seed: int, temperature: float, batch: int, words: int) -> Case:
    logits, noise = draw(seed, (batch, words), (batch,))
    return logits, temperature, torch.special.ndtr(noise)  # normal to uniform


def _case_from_scores(scores: Tensor) -> Case:
    return scores, 1.0, torch.full((len(scores),), 0.5, dtype=torch.float32)


def _exact(logits: list[float], *u: float) -> Case:
    """Make words that are equally likely or impossible, so that running sums are exact."""
    rows = torch.tensor(logits, dtype=torch.float32).expand(len(u), -1)
    return rows, 1.0, torch.tensor(u, dtype=torch.float32)


EXERCISE = Exercise(
    sample,
    (
        _case(172, 0.5, 11, 7),
        _case(173, 2.0, 13, 5),
        _case(174, 0.8, 7, 11),
        _case(175, 1.5, 7, 7),
        _case(176, 1.0, 1, 3),
        _case(177, 0.7, 3, 1),
        _exact([0, 0, 0, 0], 0.0, 0.25, 0.5, 0.75, 0.6),
        _exact([-torch.inf, 1, -torch.inf, 1], 0.0, 0.5, 0.25),
    ),
    MISTAKES,
    (
        hint(
            r"The size of tensor a|must match the size",
            "The running sums are (B, V) and u is (B,). In a column, `u[:, None]`, each number is "
            "compared with all sums of its row.",
            "累加和的形状是 (B, V)，u 的形状是 (B,)，没法直接比较。请先用 `u[:, None]` 把 u 变成"
            "一列，再与同一行的累加和比较。",
        ),
        VIEW_HINT,
    ),
    prepare=_prepare,
    returned=Returned(integers=INTEGERS),
    further=_are_integers,
    puzzle=Puzzle(
        """
def my_sample(logits, temperature, u):
    scaled = {soften}
    p = {normalise}
    total = {cumulate}
    return {choose}
""",
        {
            "soften": ("multiplied", "without-temperature"),
            "normalise": ("softmax-along-batch",),
            "cumulate": ("not-added-up",),
            "choose": ("argmax", "equal-counts", "one-too-far"),
        },
    ),
    hazards=(transposed(_case(178, 0.5, 11, 7)), far_from_zero(_case_from_scores)),
)
