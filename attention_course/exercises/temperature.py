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
    "下标是对的，类型却是 {got}。下标应当是整数类型，例如 torch.int64，否则无法用来查词嵌入。",
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
        "`logits` 乘上了温度，应当除以温度。温度低时，分数的差距变大，最可能的词会更可能。",
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
        "除以温度的是概率，概率之和因此不再是 1。请在 softmax 之前，用 `logits` 除以温度。",
        {"soften": lambda logits, t: logits, "rescale": lambda p, t: p / t},
    ),
    mistake(
        "applied-twice",
        "The temperature is applied twice. Divide the logits by it once.",
        "温度用了两次。`logits` 应当只除以一次温度。",
        {"soften": line("logits, temperature", "logits / temperature**2")},
    ),
    mistake(
        "softmax-along-batch",
        "The softmax runs along the batch, so sentences compete with each other. It belongs on "
        "the last axis, that of the words to choose from.",
        "你沿批量轴做了 softmax，不同的句子要分同一份概率。应当沿最后一个轴做，也就是候选词的轴。",
        {"normalise": line("scaled", "torch.softmax(scaled, dim=0)")},
    ),
    mistake(
        "logits-added-up",
        "The logits are added up. u lies between 0 and 1, and only running sums of probabilities "
        "rise from 0 to 1, so take the softmax first.",
        "你累加的是 `logits`。u 在 0 和 1 之间，概率的累加和才会从 0 升到 1，所以要先做 softmax。",
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
        "概率没有累加，与 u 比较的是每个词自己的概率。词 i 之前的概率之和不超过 u，加上词 i "
        "的概率后超过 u，抽到的就是词 i。",
        {"cumulate": line("p", "p")},
        {"cumulate": lambda p: p, "choose": lambda p, total, u: _first(total > u[:, None])},
    ),
    mistake(
        "added-up-along-batch",
        "The sums run along the batch. Each sentence has probabilities of its own, which are added "
        "up along the words.",
        "你沿批量轴做了累加。每个句子各有各的概率，应当沿候选词的轴累加。",
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
        "每次取的是最可能的词，u 没有起作用。温度为 1 时，每个词被抽到的频率应当等于它的概率。",
        {"choose": line("p, total, u", "p.argmax(dim=-1)")},
    ),
    mistake(
        "equal-counts",
        "A word is drawn even if its running sum only equals u. The sum has to exceed u; "
        "otherwise, with u = 0, a word of probability 0 would be drawn.",
        "累加和等于 u 时，你选中了这个词。累加和应当大于 u，不然 u = 0 时会抽到概率为 0 的词。",
        {"choose": line("p, total, u", "(total < u[:, None]).sum(dim=-1)")},
    ),
    mistake(
        "one-too-far",
        "The index is 1 too large. The sums that do not exceed u belong to the words before, and "
        "their number is the index, because indices begin at 0.",
        "下标大了 1。没有超过 u 的累加和属于前面的词，下标从 0 数起，所以这些和的个数正是下标。",
        {"choose": _ONE_MORE},
    ),
    mistake(
        "one-too-few",
        "The index is 1 too small: it is that of the last word whose sum does not exceed u. Draw "
        "the word after it.",
        "下标小了 1，指的是累加和没有超过 u 的最后一个词。应当抽到的是再后面一个词。",
        {"choose": lambda p, total, u: (total <= u[:, None]).sum(dim=-1) - 1},
        {"choose": lambda p, total, u: ((total <= u[:, None]).sum(dim=-1) - 1).clamp(min=0)},
    ),
    mistake(
        "from-the-end",
        "The words are counted from the end, or u is replaced by 1 − u. Each word stays as likely, "
        "but you draw other words than the exercise asks for: add up from word 0, and compare with "
        "u.",
        "你从末尾数起，或者把 u 换成了 1 − u。这样抽到各词的概率不变，"
        "抽到的却不是题目要的词。请从词 0 开始累加，再与 u 比较。",
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
        "所有句子用了同一个 u[0]。每个句子应当用自己的 u。",
        {"choose": line("p, total, u", "(total <= u[0]).sum(dim=-1)")},
    ),
    mistake(
        "draws-along-words",
        "The numbers in u are laid along the words, but each belongs to a sentence. Make a column "
        "of them with `u[:, None]`, so that each is compared with all sums of its row.",
        "u 沿着候选词的轴排开了。每个 u 属于一个句子，应当用 `u[:, None]` 排成一列，"
        "与自己那一行的各个累加和比较。",
        {"choose": line("p, total, u", "(total <= u).sum(dim=-1)")},
    ),
    mistake(
        "own-draws",
        "Your function draws its own random numbers. Use `u`, so that the same u draws the same "
        "word.",
        "你用的是自己生成的随机数。请用 `u`，u 相同，抽到的词才相同。",
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
            "累加和的形状是 (B, V)，u 的形状是 (B,)。写成一列 `u[:, None]`，"
            "每个 u 才会与自己那一行的各个累加和比较。",
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
