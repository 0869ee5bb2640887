"""Chapter 5: additive attention as a module."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from attention_lib.exercises.additive import SCORE_MISTAKES, additive_scores
from attention_lib.exercises.errors import raised
from attention_lib.exercises.exercise import Case, Exercise, Function, draw
from attention_lib.exercises.mask_mistakes import DROWNED, FINITE_FILL, MASK_MISTAKES
from attention_lib.exercises.mask_steps import masked_softmax
from attention_lib.exercises.masking import LENGTH_HINTS, padded
from attention_lib.exercises.module_words import (
    AFTER_DROPOUT,
    BIAS,
    DROPPED_ELSEWHERE,
    INSTANCE,
    MISSING,
    MODULE_HINTS,
    NO_DROPOUT,
    NOT_LINEAR,
    NOT_MODULE,
    OTHER_WEIGHTS,
    RESTLESS,
    TRAINING,
    WEIGHT_SHAPE,
)
from attention_lib.exercises.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    TRANSPOSED,
    weighted_sum,
)
from attention_lib.exercises.running import Run, agree, run
from attention_lib.exercises.scoring import PAIRS_HINT
from attention_lib.exercises.words import NotYet, Words, listed

_HIDDENS = 13
_DROPOUT = 0.25
SIGNATURE = ("key_size", "query_size", "num_hiddens", "dropout")
_MASK_STEPS = ("spread", "keep", "before", "normalise", "after")


def additive_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    valid_lens: Tensor | None,
    *,
    pool: Function = weighted_sum,
    **steps: Any,
) -> Any:
    """Attend step by step, with the parameters that a reader's module gets too."""
    mask_steps = {name: steps.pop(name) for name in _MASK_STEPS if name in steps}
    parameters = _parameters(queries.shape[-1], keys.shape[-1])
    scores = additive_scores(queries, keys, *(x.to(queries) for x in parameters), **steps)
    return pool(masked_softmax(scores, valid_lens, **mask_steps), values)


def _parameters(query_size: int, key_size: int) -> tuple[Tensor, ...]:
    return draw(80, (_HIDDENS, query_size), (_HIDDENS, key_size), (1, _HIDDENS))


def _prepare(made: Any) -> Function:
    """Turn a class into a function of queries, keys, values and lengths."""
    if isinstance(made, nn.Module):
        raise NotYet(INSTANCE)

    def attend(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None) -> Any:
        case = (queries, keys, values, valid_lens)
        return _build(made, case, 0.0).eval()(*case)

    _module(made, EXERCISE.cases[0], 0.0)  # what is wrong with the class is told before all else
    return attend


def _build(made: Function, case: Case, dropout: float) -> nn.Module:
    """Build the reader's module and give it our parameters."""
    query_size, key_size = case[0].shape[-1], case[1].shape[-1]
    module = made(key_size, query_size, _HIDDENS, dropout)
    if not isinstance(module, nn.Module):
        raise NotYet(NOT_MODULE.filled(type=type(module).__name__))
    missing = [name for name in ("W_k", "W_q", "w_v") if not hasattr(module, name)]
    if missing:
        raise NotYet(MISSING.filled(names=listed(missing)))
    module.to(case[0].dtype)
    if any(is_lazy(parameter) for parameter in module.parameters()):
        module(*case)  # lazy layers learn their sizes from a first call
    for name, weight in zip(("W_q", "W_k", "w_v"), _parameters(query_size, key_size), strict=True):
        _load(module, name, weight)
    return module


def _module(made: Any, case: Case, dropout: float) -> nn.Module:
    """Build a module, or tell what the class raised."""
    built = run(_build, (made, case, dropout))
    if built.error is not None:
        where = Words(*[f"({', '.join(SIGNATURE)})"] * 2)
        raise NotYet(*raised(built.error, where, EXERCISE.hints))
    assert isinstance(built.result, nn.Module)
    return built.result


def _load(module: nn.Module, name: str, weight: Tensor) -> None:
    layer = getattr(module, name)
    if not isinstance(layer, nn.Linear):
        raise NotYet(NOT_LINEAR.filled(name=name, type=type(layer).__name__))
    if layer.bias is not None:
        raise NotYet(BIAS.filled(name=name))
    if layer.weight.shape != weight.shape:
        sizes = {"expected": tuple(weight.shape), "got": tuple(layer.weight.shape)}
        raise NotYet(WEIGHT_SHAPE.filled(name=name, **sizes))
    with torch.no_grad():
        layer.weight.copy_(weight)


def _further(made: Any) -> None:
    """Look at dropout and at the stored weights, which the comparison of outputs cannot see."""
    noise, queries, keys = draw(81, (2, 7, 7), (2, 3, 5), (2, 7, 11))
    values = noise.new_ones(7).diag() + 0.2 * noise  # can be inverted: the output tells the weights
    case = (queries, keys, values, None)
    module = _module(made, case, _DROPOUT)
    resting, training = run(module.eval(), case), run(module.train(), case)
    if not agree(resting, run(additive_attention, case)):
        raise NotYet(RESTLESS)
    if training.error is not None:
        raise NotYet(*raised(training.error, TRAINING, EXERCISE.hints))
    if agree(training, resting):
        raise NotYet(NO_DROPOUT)
    weights = additive_attention(*case, pool=lambda weights, values: weights)
    if not _dropped(training.result, weights, values):
        raise NotYet(DROPPED_ELSEWHERE)
    _look_at_stored(getattr(module, "attention_weights", None), weights)


def _look_at_stored(stored: Any, weights: Tensor) -> None:
    if not isinstance(stored, Tensor) or agree(Run(stored, None, ()), Run(weights, None, ())):
        return  # a module need not store its weights
    dropped = _dropped(stored, weights, weights.new_ones(weights.shape[-1]).diag())
    raise NotYet(AFTER_DROPOUT if dropped else OTHER_WEIGHTS)


def _dropped(pooled: Any, weights: Tensor, values: Tensor) -> bool:
    """Whether pooling was with weights of which some are 0 and the others larger in return."""
    if not isinstance(pooled, Tensor) or pooled.shape != weights.shape:
        return False
    own = pooled.detach() @ values.inverse()
    return bool((own.abs().minimum((own - weights / (1 - _DROPOUT)).abs()) < 1e-3).all())


PLAIN = draw(82, (2, 3, 5), (2, 7, 11), (2, 7, 17))
LENGTHS = torch.tensor([2, 6])


MISTAKES = (
    *SCORE_MISTAKES,
    *POOLING_MISTAKES,
    TRANSPOSED,
    # Additive scores are bounded: neither drowns the others, and none lies below -1e6.
    *(one for one in MASK_MISTAKES if one not in (DROWNED, FINITE_FILL)),
)

EXERCISE = Exercise(
    additive_attention,
    (
        (*PLAIN, None),
        (*draw(83, (5, 5, 5), (5, 5, 5), (5, 5, 5)), None),
        (*PLAIN, LENGTHS),
        (*draw(84, (2, 2, 3), (2, 7, 3), (2, 7, 5)), torch.tensor([3, 5])),
        (*PLAIN, torch.tensor([[1, 7, 3], [4, 2, 5]])),
        padded(PLAIN, LENGTHS),
        (*PLAIN, torch.tensor([0, 4])),
        (*PLAIN, torch.tensor([[0, 7, 3], [4, 0, 5]])),
    ),
    MISTAKES,
    (*MODULE_HINTS, PRODUCT_HINT, *LENGTH_HINTS, PAIRS_HINT),
    prepare=_prepare,
    further=_further,
)
