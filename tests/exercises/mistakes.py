"""List the mistakes that can be made in each exercise, and explain why the others cannot.

A cell of the TABLE is a wrong answer, made from the exercise's solution, with the verdict that it
needs; or a reason why nobody can make this mistake there.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_course.exercises import EXERCISES
from attention_course.exercises.common.hazards import CLEAN
from attention_course.exercises.engine.exercise import Function, Outcome

Weigh = Callable[[Tensor, Tensor], Tensor]  # scores and mask (…, K) to weights


class Wrong(NamedTuple):
    """Answers that make a mistake, with the name of the mistake or a part of the verdict.

    With `passes` the answers are right as far as the task asks, and the words are a remark.
    """

    answers: tuple[Function, ...]
    name: str = ""
    words: str = ""
    passes: bool = False


Cell = Wrong | str

SCORES = ("gaussian-score", "additive-scores", "bilinear-scores")
# A softmax of all scores
PLAIN = (
    "soft-lookup",
    "nadaraya-watson",
    "attention-pooling",
    "split-heads",
    "cached-step",
    "temperature",
)
LENGTHS = ("masked-softmax", "additive-attention", "scaled-dot-product-attention", "soft-alignment")
CAUSAL = ("self-attention", "decoder-block")
MASKED = (*LENGTHS, *CAUSAL, "decoder-context")
OTHERS = ("leave-one-out", "dropout", "masked-sum")


def steps(slug: str, *several: dict[str, Any]) -> tuple[Function, ...]:
    """Replace steps of a solution."""
    return tuple(partial(EXERCISES[slug].solution, **one) for one in several)


def weighed(slug: str, *ways: Weigh) -> tuple[Function, ...]:
    """Replace the function from scores to weights."""
    if slug in PLAIN:
        whole = [partial(_unmasked, way) for way in ways]
        return steps(slug, *({"normalise": one} for one in whole))
    return steps(slug, *({"whole": way} for way in ways))


def _unmasked(way: Weigh, scores: Tensor) -> Tensor:
    return way(scores, torch.ones_like(scores, dtype=torch.bool))


# Functions from scores to weights, each with the mistake in its name.


def softmax(X: Tensor, keep: Tensor) -> Tensor:
    return X.softmax(-1).masked_fill(~keep, 0)


def shared(shares: Tensor, keep: Tensor, more: float = 0.0) -> Tensor:
    """Divide by the sum of the kept weights plus an epsilon."""
    kept = shares.masked_fill(~keep, 0)
    total = kept.sum(-1, keepdim=True) + more
    return torch.where(keep.any(-1, keepdim=True), kept / total, 0)


def filled(number: float) -> Weigh:
    return lambda X, keep: softmax(X.masked_fill(~keep, number), keep)


def added(number: float) -> Weigh:
    return lambda X, keep: softmax(X + number * ~keep, keep)


def lowest_added(X: Tensor, keep: Tensor) -> Tensor:
    weights = (X + torch.finfo(X.dtype).min * (~keep).to(X.dtype)).softmax(-1)
    return weights * keep


def from_floor(number: float) -> Weigh:
    def weigh(X: Tensor, keep: Tensor) -> Tensor:
        top = X.masked_fill(~keep, number).amax(-1, keepdim=True).clamp(min=number)
        return shared((X.masked_fill(~keep, -torch.inf) - top).exp(), keep)

    return weigh


def with_epsilon(number: float) -> Weigh:
    return lambda X, keep: shared(X.exp(), keep, number)


def rescaled(X: Tensor, keep: Tensor) -> Tensor:
    return shared(X.softmax(-1), keep, 1e-9)


def detached(f: Function) -> Function:
    """Detach the output from the inputs."""

    def cut(*case: Any) -> Any:
        returned = f(*case)
        if isinstance(returned, Outcome):
            return replace(returned, output=returned.output.detach())
        return returned.detach()

    return cut


def viewed(f: Function) -> Function:
    """Begin with `view`, which fails for tensors that are not contiguous."""

    def view(*case: Any) -> Any:
        for x in case:
            if isinstance(x, Tensor):
                x.view(-1)
        return f(*case)

    return view


def refilled(number: float) -> Function:
    return lambda scores, values: EXERCISES["online-attention"].solution(
        scores.masked_fill(scores == -torch.inf, number), values
    )


def leaking(scores: Tensor, values: Tensor) -> Tensor:
    """Give masked keys a weight of 0 instead of skipping them."""
    if bool((scores == -torch.inf).all()):
        return torch.zeros_like(values[0])
    return refilled(torch.finfo(scores.dtype).min)(scores, values)


def cells(slugs: Iterable[str], cell: Callable[[str], Cell]) -> dict[str, Cell]:
    return {slug: cell(slug) for slug in slugs}


def by_weights(slugs: Iterable[str], name: str, *ways: Weigh) -> dict[str, Cell]:
    return cells(slugs, lambda slug: Wrong(weighed(slug, *ways), name))


def by_steps(slugs: Iterable[str], name: str, *several: dict[str, Any]) -> dict[str, Cell]:
    return cells(slugs, lambda slug: Wrong(steps(slug, *several), name))


EMPTY: dict[str, dict[str, Cell]] = {
    "mask": {
        **dict.fromkeys((*SCORES, *PLAIN), "Every key counts, so that there is nothing to mask."),
        "temperature": "Words that cannot come have logits of −∞, and the answer masks nothing.",
        "leave-one-out": "What is left out is cut off; no score or weight is there to be masked.",
        "dropout": "The mask is drawn for weights that are finished; no scores are left.",
        "masked-sum": "Text are summed with equal weights, so that there are no scores.",
        "online-attention": "Masked scores arrive as −∞, and the answer itself masks nothing.",
    },
    "exponentials": {
        **dict.fromkeys(SCORES, "Scores are asked for, before any exponential is taken."),
        "leave-one-out": "The entries are only put into other places, nothing is computed of them.",
        "dropout": "The weights are given, and no exponential is taken.",
        "masked-sum": "The words are summed as they are, without exponentials.",
    },
}

REMARKED = "far from every key all exponentials round to 0, and you return 0/0"


def remarked(slug: str, *ways: Weigh) -> Wrong:
    return Wrong(weighed(slug, *ways), words=REMARKED, passes=True)


TABLE: dict[str, dict[str, Cell]] = {
    "mask after the softmax": {
        **EMPTY["mask"],
        **by_weights(MASKED, "mask-after-softmax", lambda X, keep: X.softmax(-1) * keep),
    },
    "mask after the softmax, rescaled": {
        **EMPTY["mask"],
        **by_weights(
            MASKED,
            "mask-after-softmax-rescaled",
            lambda X, keep: shared(X.softmax(-1), keep),
            rescaled,
        ),
        # With padding set to 0, the masked scores are 0 as well, as if they had been filled.
        **by_steps(
            LENGTHS[2:],
            "mask-after-softmax-rescaled",
            {"whole": rescaled},
            {"whole": rescaled, **CLEAN},
        ),
    },
    "fill that is not small enough": {
        **EMPTY["mask"],
        **by_weights(
            MASKED, "finite-fill", *map(filled, (-1e4, -1e6, -1e9)), *map(added, (-1e4, -1e9))
        ),
        "online-attention": Wrong(tuple(map(refilled, (-1e4, -1e9)))),
    },
    "lowest number added": {
        **EMPTY["mask"],
        **by_weights(MASKED, "lowest-number-added", lowest_added),
        "decoder-block": "The words are normalised, and no score comes near the lowest number.",
        # Keys that are padding for every query may be set to 0 first; other keys may not.
        **by_steps(
            LENGTHS[1:3],
            "lowest-number-added",
            {"whole": lowest_added},
            {"whole": lowest_added, **CLEAN},
        ),
    },
    "exponentials without the maximum": {
        **EMPTY["exponentials"],
        **by_weights(MASKED, "no-row-maximum", lambda X, keep: shared(X.exp(), keep)),
        **cells(PLAIN[:2], lambda slug: remarked(slug, lambda X, keep: shared(X.exp(), keep))),
        **by_weights(PLAIN[2:], "overflow", lambda X, keep: shared(X.exp(), keep)),
        **by_steps(
            ("online-attention",), "no-maximum", {"higher": lambda top, score: score.new_zeros(())}
        ),
    },
    "maximum that starts at a finite number": {
        **EMPTY["exponentials"],
        **by_weights(MASKED, "maximum-with-a-floor", *map(from_floor, (0.0, -1e4))),
        **cells(PLAIN[:2], lambda slug: remarked(slug, from_floor(0.0))),
        **by_weights(PLAIN[2:], "maximum-with-a-floor", *map(from_floor, (0.0, -1e4))),
        **by_steps(
            ("online-attention",),
            "finite-start",
            *({"start": lambda x, n=n: x.new_full((), n)} for n in (0.0, -300.0, -1e4)),
        ),
    },
    "epsilon in a sum": {
        **EMPTY["exponentials"],
        **by_weights(MASKED, "no-row-maximum", *map(with_epsilon, (1e-9, 1e-8, 1e-6))),
        **by_weights(PLAIN[:2], "sum-off-zero", *map(with_epsilon, (1e-9, 1e-8, 1e-6))),
        **by_weights(PLAIN[2:], "overflow", *map(with_epsilon, (1e-9, 1e-8, 1e-6))),
        **by_steps(
            ("online-attention",),
            "no-maximum",
            *(
                {
                    "higher": lambda top, score: score.new_zeros(()),
                    "finish": lambda output, total, scores, n=n: output / (total + n),
                }
                for n in (1e-9, 1e-8, 1e-6)
            ),
        ),
    },
    "NaN or infinity from padding": {
        **dict.fromkeys((*SCORES, *PLAIN), "No key is padding, so that each should reach the end."),
        "leave-one-out": "No entry is padding; each belongs to all rows but its own.",
        "dropout": "Weights come from a softmax, and 0 times a finite number is 0.",
        **dict.fromkeys(
            CAUSAL, "A word ahead is no padding: it counts in its own row and in later ones."
        ),
        "masked-softmax": Wrong(
            weighed(
                "masked-softmax",
                lambda X, keep: softmax(
                    X + torch.zeros_like(X).masked_fill(~keep & keep.any(-1, True), -torch.inf),
                    keep,
                ),
            ),
            "padding-leaks",
        ),
        **by_steps(
            (*LENGTHS[1:], "decoder-context"), "padding-leaks", {"clean_values": lambda x, n: x}
        ),
        **by_steps(("masked-sum",), "padding-leaks", {"choose": lambda v, keep: v * keep}),
        "online-attention": Wrong((leaking,), "padding-leaks"),
    },
    "lost gradient": {
        **cells(
            [slug for slug in EXERCISES if slug != "temperature"],
            lambda slug: Wrong((detached(EXERCISES[slug].solution),), words="no gradient"),
        ),
        "temperature": "An index is a whole number, and nothing is differentiated by it.",
    },
    "code for contiguous tensors": {
        **dict.fromkeys(
            ("nadaraya-watson", "leave-one-out"),
            "All tensors have one axis, which `.view` can divide whatever its stride.",
        ),
        **cells(
            [slug for slug in EXERCISES if slug not in ("nadaraya-watson", "leave-one-out")],
            lambda slug: Wrong((viewed(EXERCISES[slug].solution),), words="`.reshape` copies"),
        ),
    },
    "mask of 0 and 1 added": {
        **EMPTY["mask"],
        **by_weights(
            MASKED,
            "mask-added",
            lambda X, keep: (X + keep).softmax(-1).masked_fill(~keep.any(-1, keepdim=True), 0),
            lambda X, keep: (X + ~keep).softmax(-1).masked_fill(~keep.any(-1, keepdim=True), 0),
        ),
        **by_steps(("masked-sum",), "", {"choose": lambda v, keep: v + keep}),
        **by_steps(("dropout",), "", {"choose": lambda weights, m: weights + m}),
    },
    "`triu` without `diagonal=1`": {
        **dict.fromkeys(
            [slug for slug in EXERCISES if slug not in CAUSAL],
            "No row is allowed more keys than the one above it, so that nothing is triangular.",
        ),
        **by_steps(
            CAUSAL,
            "not-itself",
            {"keep": lambda n, lengths: ~torch.ones(n, n, dtype=torch.bool).triu()},
        ),
    },
    "mask along the queries": {
        **EMPTY["mask"],
        "decoder-context": "There is one query, and a mask of one row cannot lie along queries.",
        **by_steps(
            LENGTHS,
            "mask-along-queries",
            {
                "spread": lambda lengths, n: (
                    torch.where(torch.arange(n) < lengths[:, None], 1_000_000, 0)
                    if lengths.dim() == 1
                    else lengths
                )
            },
        ),
        **by_steps(
            CAUSAL,
            "looks-ahead",
            {"keep": lambda n, lengths: (torch.arange(n) < lengths[..., None]).mT},
        ),
        **by_steps(
            ("masked-sum",),
            "mask-along-components",
            {"keep": lambda v, lens: torch.arange(v.shape[2]) < lens[:, None, None]},
        ),
    },
    "`repeat` for `repeat_interleave`": {
        **EMPTY["mask"],
        "decoder-context": "There is one query for each length, so that none is repeated.",
        "masked-sum": "Each sentence has one sum and one length, so that none is repeated.",
        **by_steps(
            LENGTHS,
            "repeated-lengths",
            {
                "spread": lambda lengths, n: (
                    lengths.repeat(n).reshape(-1, n) if lengths.dim() == 1 else lengths
                )
            },
        ),
        **by_steps(
            CAUSAL,
            "",
            {
                "spread": lambda lengths, n: (
                    lengths[0].repeat_interleave(len(lengths)).reshape(-1, n)
                )
            },
        ),
    },
}
