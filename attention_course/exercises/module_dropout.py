"""Judge what dropout does to the attention weights of a module, from its outputs alone.

The values of every example are the rows of an orthogonal matrix, so the weights can be computed
from an output.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

import torch
from torch import Tensor, nn

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.errors import raised
from attention_course.exercises.engine.exercise import Case, Function, Hint, draw
from attention_course.exercises.engine.running import (
    Run,
    close,
    evaluate,
    is_floating,
    run,
    same_gradient,
)
from attention_course.exercises.engine.texts import listed
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.translated import Text

RATES = (0.25, 0.6)  # two, because with one rate a hard-coded rate could pass
_BATCH, _QUERIES, _KEYS = 6, 8, 16
_DEVIATIONS = 6  # tolerance of the dropped share: one right answer in 10⁸ is farther off

MODE = Text(
    "`{mode}()`, dropout {rate} and {lengths}",
    "`{mode}()`、dropout 为 {rate}、{lengths}",
)
RESTLESS = Text(
    "Dropout is still at work after `eval()`, so the output changes from call to call. Use an "
    "`nn.Dropout` layer, which knows whether the module is in training mode.",
    "调用 `eval()` 之后，dropout 仍在起作用，每次的输出都不一样。建议改用 `nn.Dropout` 层，"
    "切换到评估模式以后，这个层就不再丢弃权重。",
)
NOT_AT_REST = Text(
    "After `eval()` dropout should change nothing. With dropout 0 all outputs are right, but with "
    "dropout {rate} they are not.",
    "调用 `eval()` 之后，dropout 应该不再起作用。可是 dropout 为 0 时输出正确，为 {rate} "
    "时输出就不对了。",
)
NO_DROPOUT = Text(
    "All outputs are right, but `dropout` does nothing. In training it should drop weights.",
    "输出都对，但是参数 `dropout` 没有起作用。训练时应该随机丢弃一部分权重。",
)
NOT_WEIGHTS = Text(
    "After `eval()` all outputs are right. With {case}, every weight should either become 0 or be "
    "divided by 1 − {rate}, between the softmax and the sum. Yours do something else: the weight "
    "at {index} is {weight}, but it acts as if it were {own}.",
    "调用 `eval()` 之后，输出都对。但是在 {case}的情况下，每个权重应该变成 0，或者除以 1 − {rate}，"
    "而且这一步要放在 softmax 之后、求和之前。在你的代码里，下标 {index} 处的权重是 {weight}，计"
    "算输出时用的却相当于 {own}。",
)
ALL_DROPPED = Text(
    "After `eval()` all outputs are right, but with {case}, every single weight becomes 0.",
    "调用 `eval()` 之后，输出都对。但是在 {case}的情况下，所有的权重都变成了 0。",
)
RATE = Text(
    "After `eval()` all outputs are right. With {case}, about {expected}% of the weights should "
    "become 0, and the others should be multiplied by 1/(1 − {rate}) = {scale}. In your module "
    "{share}% become 0, and the others are multiplied by {factor}.",
    "调用 `eval()` 之后，输出都对。但是在 {case}的情况下，应该有大约 {expected}% 的权重变成 0，"
    "其余的乘以 1/(1 − {rate}) = {scale}。在你的模块里，有 {share}% 变成了 0，其余的乘以了 "
    "{factor}。",
)
SAME_AGAIN = Text(
    "Two calls in training drop exactly the same weights. Every call needs draws of its own: do "
    "not set a seed in `forward`, do not keep a mask, and do not let the weights decide.",
    "训练时连续调用两次，丢弃的权重一模一样。每次调用都要重新抽取随机数，不要在 `forward` "
    "里设置种子，不要重复使用同一个掩码，也不要根据权重的大小决定丢弃哪些。",
)
ONE_FOR_EXAMPLES = Text(
    "In training all examples of a batch lose the same weights, because they share one mask. "
    "Every weight needs a draw of its own.",
    "训练时，同一批里所有样本丢弃的权重都相同，可见它们共用了一个掩码。"
    "应该给每个权重单独抽取随机数。",
)
ONE_FOR_QUERIES = Text(
    "In training all queries of an example lose the same keys, because they share one mask. Every "
    "weight needs a draw of its own.",
    "训练时，同一个样本里所有查询丢弃的键都相同，可见它们共用了一个掩码。"
    "应该给每个权重单独抽取随机数。",
)
ONE_FOR_KEYS = Text(
    "In training a query loses all of its weights or none. Every weight needs a draw of its own.",
    "训练时，一个查询的权重要么全部丢弃，要么全部保留。应该给每个权重单独抽取随机数。",
)
DEPENDENT = Text(
    "In training the number of weights dropped from {where} varies far {how} than it would by "
    "chance. Every weight needs a draw of its own.",
    "训练时，{where}丢弃的权重个数不正常，与独立抽取相比，个数的波动要{how}得多。应该给每个权重单"
    "独抽取随机数。",
)
WHERE = (
    Text("the same place in all examples", "所有样本的同一位置上"),
    Text("a column", "一列中"),
    Text("a row", "一行中"),
)
MORE, LESS = Text("more", "大"), Text("less", "小")
AFTER_DROPOUT = Text(
    "All outputs are right, but `attention_weights` holds the weights after dropout. Store the "
    "weights before dropout, whose rows sum to 1.",
    "输出都对，但是 `attention_weights` 保存的是 dropout 之后的权重。应该保存 dropout 之前的权重，"
    "这样每行之和才等于 1。",
)
OTHER_WEIGHTS = Text(
    "All outputs are right, but with {case} `attention_weights` does not hold the weights of the "
    "last call, of shape (B, Q, K), before dropout.",
    "输出都对，但是在 {case}的情况下，`attention_weights` 保存的不是最近一次调用时 dropout "
    "之前的权重（形状应为 (B, Q, K)）。",
)
OTHER_GRADIENT = Text(
    "With {case}, the output is right, but the gradient of {names} is not.",
    "在 {case}的情况下，输出正确，但 {names} 的梯度不对。",
)


@dataclass(frozen=True)
class Trial:
    """Two calls of a module with different seeds, and one of the solution."""

    rate: float
    training: bool
    lengths: Text
    case: Case
    runs: tuple[Run, Run]
    right: Run

    @property
    def description(self) -> Text:
        """The case, described for the reader."""
        mode = "train" if self.training else "eval"
        return MODE.filled(mode=mode, rate=self.rate, lengths=self.lengths)

    @cached_property
    def weights(self) -> Tensor:
        """The weights with which the solution pools."""
        return self._weights_behind(self.right)

    @cached_property
    def own(self) -> tuple[Tensor, Tensor]:
        """The weights with which the module pooled in its two calls."""
        return self._weights_behind(self.runs[0]), self._weights_behind(self.runs[1])

    @cached_property
    def dropped(self) -> tuple[Tensor, Tensor]:
        """Where a weight is missing in the two calls."""
        one, other = (own.abs() < 1e-3 * self.weights for own in self.own)
        return one, other

    def _weights_behind(self, one: Run) -> Tensor:
        """Compute weights from outputs: multiply by the transpose of the orthogonal values."""
        assert one.seen.output is not None
        values: Tensor = self.case[2]
        return (one.seen.output[:, :, None].double() * values[:, None].double()).sum(-1)


def judge_dropout(
    build: Callable[[float], nn.Module | Verdict],
    attend: Callable[[nn.Module, bool], Function],
    solution: Function,
    hints: tuple[Hint, ...],
) -> Verdict | None:
    """Judge the dropout of a module whose outputs are right without dropout.

    Args:
        build: makes the module with a rate of dropout.
        attend: turns the module, training or not, into a function from a case to an `Outcome`.
        solution: the right function without dropout, to an `Outcome` whose parts include the
            weights; its step `pool` is the weighted sum.
        hints: explanations of errors.
    """
    trials: list[Trial] = []
    for rate in RATES:
        module = build(rate)
        if isinstance(module, Verdict):
            return module
        for training, (lengths, valid_lens) in product((False, True), _LENGTHS):
            case = (*INPUTS, valid_lens)
            f = attend(module, training)
            runs = run(f, case, 0, gradients=training), run(f, case, 1)
            trial = Trial(rate, training, lengths, case, runs, evaluate(solution, case))
            failed = _failure(trial, hints) or ([] if training else _check_evaluation(trial))
            if failed:
                return refusal(*failed)
            trials.append(trial)
    trials = [trial for trial in trials if trial.training]
    found = (
        _check_weights(trials)
        or _check_parts(trials, solution, hints)
        or _check_side_effects(trials)
    )
    return refusal(*found) if found else None


def _failure(trial: Trial, hints: tuple[Hint, ...]) -> list[Text]:
    """Report a call that raised, or did not return a tensor of the right shape and dtype."""
    shape = (_BATCH, _QUERIES, _KEYS)
    for one in trial.runs:
        output = one.seen.output
        if one.error is not None:
            return raised(one.error, trial.description, hints)
        if output is not None and not is_floating(output):
            return [texts.DTYPE.filled(expected=torch.float32, got=output.dtype)]
        if output is None or output.shape != shape or output.is_meta:
            whole = texts.OUTPUT.whole
            return [texts.NOT_TENSOR.filled(case=trial.description, whole=whole, expected=shape)]
    return []


def _check_evaluation(trial: Trial) -> list[Text]:
    """Report dropout that acts in evaluation mode."""
    once, again = (one.seen.output for one in trial.runs)
    if all(close(output, trial.right.seen.output) for output in (once, again)):
        return []
    return [NOT_AT_REST.filled(rate=trial.rate) if close(once, again) else RESTLESS]


def _check_weights(trials: list[Trial]) -> list[Text]:
    """Report what is wrong with the choice of dropped weights or the scale of the others."""
    if all(torch.allclose(trial.own[0], trial.weights, atol=1e-4) for trial in trials):
        return [NO_DROPOUT]
    whole = [trial for trial in trials if trial.case[3] is None]
    found = (*map(_check_factors, whole), _check_draws(whole), *map(_check_factors, trials))
    return next(([message] for message in found if message), [])


def _check_factors(trial: Trial) -> Text | None:
    """Report weights that are not dropped with one probability and scaled by one factor."""
    own, rate = trial.own[0], trial.rate
    counted = trial.weights > 1e-6
    kept = counted & ~trial.dropped[0]
    if not kept.any() and own.abs().max() < 1e-4:
        return ALL_DROPPED.filled(case=trial.description)
    factor = (own[kept] / trial.weights[kept]).nanmedian() if kept.any() else own.new_ones(())
    off = (own - trial.weights * factor * kept).abs().nan_to_num(torch.inf)
    if off.max() > 1e-4:
        index = tuple(int(i) for i in (off >= off.max() / 2).nonzero()[0])
        numbers = {"weight": f"{trial.weights[index]:.4f}", "own": f"{own[index]:.4f}"}
        return NOT_WEIGHTS.filled(case=trial.description, rate=rate, index=list(index), **numbers)
    share = 1 - float(kept.sum() / counted.sum())
    deviation = (rate * (1 - rate) / int(counted.sum())) ** 0.5
    scale = 1 / (1 - rate)
    if abs(share - rate) < _DEVIATIONS * deviation and abs(factor - scale) < 1e-2:
        return None
    numbers = {"share": f"{100 * share:.0f}", "factor": f"{factor:.3f}", "scale": f"{scale:.3f}"}
    return RATE.filled(case=trial.description, rate=rate, expected=f"{100 * rate:.0f}", **numbers)


def _check_draws(trials: list[Trial]) -> Text | None:
    """Report weights that are not dropped independently."""
    masks = [trial.dropped for trial in trials]
    if any(torch.equal(*pair) for pair in masks):
        return SAME_AGAIN
    for axis, message in enumerate((ONE_FOR_EXAMPLES, ONE_FOR_QUERIES, ONE_FOR_KEYS)):
        if all(bool((m == m.narrow(axis, 0, 1)).all()) for pair in masks for m in pair):
            return message
    for axis, where in enumerate(WHERE):
        spread = [
            (m.double().sum(axis) - m.shape[axis] * trial.rate) ** 2
            / (m.shape[axis] * trial.rate * (1 - trial.rate))
            for trial, pair in zip(trials, masks, strict=True)
            for m in pair
        ]  # 1 on average if the draws are independent
        mean = float(torch.cat([x.flatten() for x in spread]).mean())
        if not 1 / 3 < mean < 3:
            return DEPENDENT.filled(where=where, how=MORE if mean > 1 else LESS)
    return None


def _check_parts(trials: list[Trial], solution: Function, hints: tuple[Hint, ...]) -> list[Text]:
    """Report what is wrong with the stored weights or the gradients."""
    for trial in trials:
        factors = torch.where(trial.weights > 1e-6, trial.own[0] / trial.weights, 0)

        def pool(weights: Tensor, values: Tensor, factors: Tensor = factors) -> Tensor:
            return weights * factors.to(weights) @ values

        own = trial.runs[0].seen
        right = evaluate(partial(solution, pool=pool), trial.case, gradients=True).seen
        for name, stored in own.parts.items():
            if not close(stored, right.parts[name]):
                message = AFTER_DROPOUT if close(stored, trial.own[0]) else OTHER_WEIGHTS
                return [message.filled(case=trial.description)]
        if own.backward is not None:
            return raised(own.backward, trial.description, hints, texts.BACKWARD)
        off = [
            name
            for name, gradient in right.gradients.items()
            if not same_gradient(own.gradients[name], gradient)
        ]
        lost = [name for name in off if own.gradients[name] is None]
        if off:
            message = texts.DETACHED if lost else OTHER_GRADIENT
            return [message.filled(case=trial.description, names=listed(map(_name, lost or off)))]
    return []


def _check_side_effects(trials: list[Trial]) -> list[Text]:
    """Report side effects of the module in training mode."""
    runs = [one for trial in trials for one in trial.runs]
    changed = listed(map(_name, sorted({place for one in runs for place in one.changed})))
    settings = listed(dict.fromkeys(name for one in runs for name in one.settings))
    found = [
        message.filled(names=names)
        for message, names in ((texts.CHANGED, changed), (texts.SETTING, settings))
        if names.en
    ]
    if any(trial.runs[0].generator == trial.runs[1].generator for trial in trials):
        found.append(texts.SEEDED)
    return found


def _name(place: int | str) -> str:
    return ("queries", "keys", "values")[place] if isinstance(place, int) else place


def _inputs() -> tuple[Tensor, Tensor, Tensor]:
    queries, keys, noise = draw(
        81, (_BATCH, _QUERIES, 3), (_BATCH, _KEYS, 2), (_BATCH, _KEYS, _KEYS)
    )
    return queries, keys, torch.linalg.qr(noise.double()).Q.to(noise)


INPUTS = _inputs()
_LENGTHS: tuple[tuple[Text, Any], ...] = (
    (Text("no lengths", "不指定长度"), None),
    (Text("a length per example", "为每个样本指定长度"), torch.tensor([16, 5, 0, 9, 16, 12])),
    (
        Text("a length per query", "为每个查询指定长度"),
        torch.arange(_BATCH * _QUERIES).reshape(_BATCH, _QUERIES) % (_KEYS + 1),
    ),
)
