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
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.running import built
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.translated import Text

INTEGERS = Text(
    "The indices are right, but their type is {got}. An index has a type of whole numbers, such as "
    "torch.int64: with another type no row of an embedding can be looked up.",
    "下标是对的，类型却是 {got}。下标应是整数，也就是 torch.int64，否则无法用它到词嵌入里查一行。",
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
        "`logits` 乘上了温度，应当除以温度。温度低时，分数的差距变大，最可能的词就更可能了。",
        {"soften": line("logits, temperature", "logits * temperature")},
    ),
    mistake(
        "without-temperature",
        "The temperature has no effect. If the probabilities are divided by it and then by their "
        "sum, it cancels out. Divide the logits, before the softmax.",
        "温度没有起作用。如果先把概率除以温度，再除以它们的总和，温度就抵消了。"
        "请在 softmax 之前，用 `logits` 除以温度。",
        {"soften": line("logits, temperature", "logits")},
    ),
    mistake(
        "probabilities-divided",
        "The probabilities are divided by the temperature, so they no longer sum to 1. Divide the "
        "logits, before the softmax.",
        "除以温度的是概率，它们的和就不再是 1 了。请在 softmax 之前，用 `logits` 除以温度。",
        {"soften": lambda logits, t: logits, "rescale": lambda p, t: p / t},
    ),
    mistake(
        "applied-twice",
        "The temperature is applied twice. Divide the logits by it once.",
        "温度用了两次。`logits` 只要除以一次温度。",
        {"soften": line("logits, temperature", "logits / temperature**2")},
    ),
    mistake(
        "softmax-along-batch",
        "The softmax runs along the batch, so that sentences compete with each other. It belongs "
        "on the last axis, that of the words to choose from.",
        "softmax 沿批量轴做了，不同的句子互相争起概率来。它应当沿最后一个轴，也就是候选词的轴。",
        {"normalise": line("scaled", "torch.softmax(scaled, dim=0)")},
    ),
    mistake(
        "logits-added-up",
        "The logits are added up. u lies between 0 and 1, and only running sums of probabilities "
        "rise from 0 to 1: take the softmax first.",
        "累加的是 `logits`。u 在 0 和 1 之间，只有概率的累加和才会从 0 升到 1，"
        "所以要先做 softmax。",
        {"normalise": line("scaled", "scaled")},
        {
            "normalise": lambda scaled: scaled,
            "choose": lambda p, total, u: _first(total > u[:, None]),
        },
    ),
    mistake(
        "not-added-up",
        "The probabilities are not added up: each word's own is compared with u. Word i is drawn "
        "if u lies between the sum up to the word before it and the sum up to word i.",
        "概率没有累加，与 u 比较的是每个词自己的概率。"
        "u 落在到前一个词为止的和与到词 i 为止的和之间，抽到的才是词 i。",
        {"cumulate": line("p", "p")},
        {"cumulate": lambda p: p, "choose": lambda p, total, u: _first(total > u[:, None])},
    ),
    mistake(
        "added-up-along-batch",
        "The sums run along the batch. Each sentence has probabilities of its own, which are added "
        "up along the words.",
        "累加沿批量轴做了。每个句子各有各的概率，应当沿着候选词累加。",
        {"cumulate": line("p", "p.cumsum(dim=0)")},
        {
            "cumulate": lambda p: p.cumsum(dim=0),
            "choose": lambda p, total, u: _first(total > u[:, None]),
        },
    ),
    mistake(
        "argmax",
        "The likeliest word is always taken, and u plays no part. At temperature 1 each word is to "
        "be drawn as often as its probability says.",
        "每次取的都是最可能的词，u 没有起作用。温度为 1 时，每个词被抽到的次数应当与它的概率相符。",
        {"choose": line("p, total, u", "p.argmax(dim=-1)")},
    ),
    mistake(
        "equal-counts",
        "A running sum that equals u is taken as well. It has to exceed u: with u = 0 a word of "
        "probability 0 would be drawn otherwise.",
        "累加和恰好等于 u 时也选中了。累加和应当大于 u，不然 u = 0 时会抽到概率为 0 的词。",
        {"choose": line("p, total, u", "(total < u[:, None]).sum(dim=-1)")},
    ),
    mistake(
        "one-too-far",
        "The index is 1 too large. The sums that do not exceed u belong to the words before, and "
        "their number is the index, since indices begin at 0.",
        "下标大了 1。没有超过 u 的累加和都属于前面的词，下标从 0 数起，所以这些和的个数就是下标。",
        {"choose": _ONE_MORE},
    ),
    mistake(
        "one-too-few",
        "The index is 1 too small: it is that of the last word whose sum does not exceed u. The "
        "word after it is drawn.",
        "下标小了 1，它指的是累加和还没有超过 u 的最后一个词。抽到的应是它后面的那个词。",
        {"choose": lambda p, total, u: (total <= u[:, None]).sum(dim=-1) - 1},
        {"choose": lambda p, total, u: ((total <= u[:, None]).sum(dim=-1) - 1).clamp(min=0)},
    ),
    mistake(
        "from-the-end",
        "The words are counted from the end, or u is replaced by 1 − u. The draws are as likely, "
        "but not the ones that were asked for: add up from word 0, and compare with u.",
        "词是从末尾数起的，或者 u 换成了 1 − u。这样抽到各词的可能性没有变，"
        "抽到的却不是题目要的那个。请从词 0 开始累加，再与 u 比较。",
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
        "The first u serves all sentences. Each sentence has a u of its own.",
        "所有句子都用了第一个 u。每个句子应当用自己的 u。",
        {"choose": line("p, total, u", "(total <= u[0]).sum(dim=-1)")},
    ),
    mistake(
        "draws-along-words",
        "The numbers u go along the words. Each belongs to a sentence: `u[:, None]` makes a column "
        "of them, which is compared with all sums of its row.",
        "u 沿着候选词的轴铺开了。每个 u 属于一个句子，应当用 `u[:, None]` 排成一列，"
        "与自己那一行的各个累加和比较。",
        {"choose": line("p, total, u", "(total <= u).sum(dim=-1)")},
    ),
    mistake(
        "own-draws",
        "The random numbers are your own. Use `u`, then the same u draws the same word.",
        "用的是你自己生成的随机数。请用 `u`，这样 u 相同，抽到的词就相同。",
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
            "The running sums are (B, V) and u is (B,). As a column, `u[:, None]`, it is compared "
            "with all sums of its row.",
            "累加和的形状是 (B, V)，u 的形状是 (B,)。写成一列 `u[:, None]`，"
            "每个 u 就会与自己那一行的各个累加和比较。",
        ),
        VIEW_HINT,
    ),
    prepare=_prepare,
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
