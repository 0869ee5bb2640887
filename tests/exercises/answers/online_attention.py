"""Answers to "online-attention": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from functools import reduce

import torch
import torch.nn.functional as F
from torch import Tensor

Answer = Callable[[Tensor, Tensor], Tensor]


# Right answers


def of_those_that_count(f: Answer) -> Answer:
    """Drop the keys with a score of −∞, whose weight is 0."""

    def attend(scores: Tensor, values: Tensor) -> Tensor:
        if len(scores) > 4:
            return f(scores, values)
        counts = scores > -torch.inf
        return f(scores[counts], values[counts]) if counts.any() else torch.zeros_like(values[0])

    return attend


def masked_by_where(scores: Tensor, values: Tensor) -> Tensor:
    """Let NaN arise only where `where` leaves it out, and multiply masked values by 0."""
    top, total, output = scores[0], scores.new_zeros(()), torch.zeros_like(values[0])
    for score, value in zip(scores, values, strict=True):
        higher = torch.maximum(top, score)
        base = torch.where(higher == -torch.inf, 0, higher)
        factor, term = torch.exp(top - base), torch.exp(score - base)
        total, output, top = total * factor + term, output * factor + term * value, higher
    return output / total if total > 0 else output


def formula(scores: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1) @ values


def running_mean(scores: Tensor, values: Tensor) -> Tensor:
    top, total, mean = scores[0], torch.ones_like(scores[0]), values[0]
    for score, value in zip(scores[1:], values[1:], strict=True):
        higher = torch.maximum(top, score)
        old, term = total * torch.exp(top - higher), torch.exp(score - higher)
        total = old + term
        mean = mean + (value - mean) * term / total
        top = higher
    return mean


def if_it_rises(scores: Tensor, values: Tensor) -> Tensor:
    top, total, output = scores[0], torch.ones_like(scores[0]), values[0].clone()
    for k in range(1, len(scores)):
        if scores[k] > top:
            factor = torch.exp(top - scores[k])
            total, output, top = total * factor, output * factor, scores[k]
        term = torch.exp(scores[k] - top)
        total, output = total + term, output + term * values[k]
    return output / total


def log_sum(scores: Tensor, values: Tensor) -> Tensor:
    total, mean = scores[0], values[0]
    for score, value in zip(scores[1:], values[1:], strict=True):
        total = torch.logaddexp(total, score)
        share = torch.exp(score - total)
        mean = mean * (1 - share) + value * share
    return mean


def sigmoids(scores: Tensor, values: Tensor) -> Tensor:
    total, mean = scores[0], values[0]
    for score, value in zip(scores[1:], values[1:], strict=True):
        mean = torch.lerp(mean, value, torch.sigmoid(score - total))
        total = torch.logaddexp(total, score)
    return mean


def turned_round(scores: Tensor, values: Tensor) -> Tensor:
    """Copy all keys before the first is read."""
    return running_mean(scores.flip(0), values.flip(0))


def from_the_end(scores: Tensor, values: Tensor) -> Tensor:
    total, mean = scores[-1], values[-1]
    for k in range(len(scores) - 2, -1, -1):
        mean = torch.lerp(mean, values[k], torch.sigmoid(scores[k] - total))
        total = torch.logaddexp(total, scores[k])
    return mean


def in_halves(scores: Tensor, values: Tensor) -> Tensor:
    """Read each key once, and merge what was found on the left and on the right."""

    def half(i: int, j: int) -> tuple[Tensor, Tensor]:
        if j == i + 1:
            return scores[i], values[i]
        middle = (i + j) // 2
        (a, left), (b, right) = half(i, middle), half(middle, j)
        return torch.logaddexp(a, b), torch.lerp(left, right, torch.sigmoid(b - a))

    return half(0, len(scores))[1]


def in_blocks(scores: Tensor, values: Tensor) -> Tensor:
    """Three keys at a time, as fused kernels read a hundred."""
    top, total, output = scores.new_tensor(-torch.inf), 0.0, 0.0
    for s, v in zip(scores.split(3), values.split(3), strict=True):
        higher = torch.maximum(top, s.max())
        terms, factor = torch.exp(s - higher), torch.exp(top - higher)
        total, output, top = total * factor + terms.sum(), output * factor + terms @ v, higher
    return output / total


def in_one_vector(scores: Tensor, values: Tensor) -> Tensor:
    """Treat the sum as the output of a value that is always 1."""
    one = scores.new_ones(1)
    top, state = scores[0], torch.cat([values[0], one])
    for k in range(1, scores.shape[0]):
        higher = torch.maximum(top, scores[k])
        terms = torch.stack([top - higher, scores[k] - higher]).exp()
        state = terms @ torch.stack([state, torch.cat([values[k], one])])
        top = higher
    return state[:-1] / state[-1]


def halves_of_halves(scores: Tensor, values: Tensor) -> Tensor:
    """Read each key again at each level."""
    if len(scores) == 1:
        return values[0]
    half = len(scores) // 2
    sides = [(scores[:half], values[:half]), (scores[half:], values[half:])]
    weights = torch.stack([s.logsumexp(0) for s, _ in sides]).softmax(0)
    return sum(w * halves_of_halves(*side) for w, side in zip(weights, sides, strict=True))


def folded(scores: Tensor, values: Tensor) -> Tensor:
    def merge(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        top = torch.maximum(a[0], b[0])
        left, right = torch.exp(a[0] - top), torch.exp(b[0] - top)
        return top, a[1] * left + b[1] * right, a[2] * left + b[2] * right

    start = [(s, torch.ones_like(s), v) for s, v in zip(scores, values, strict=True)]
    _, total, output = reduce(merge, start)
    return output / total


def two_passes(scores: Tensor, values: Tensor) -> Tensor:
    terms = torch.exp(scores - scores.max())
    return (terms[:, None] * values).sum(0) / terms.sum()


def two_loops(scores: Tensor, values: Tensor) -> Tensor:
    top = max(scores)
    total = sum(torch.exp(score - top) for score in scores)
    return sum(torch.exp(s - top) / total * v for s, v in zip(scores, values, strict=True))


def two_loops_over_a_list(scores: Tensor, values: Tensor) -> Tensor:
    """Take each key from the tensors once, and keep them all."""
    rows = list(zip(scores, values, strict=True))
    top = max(score for score, _ in rows)
    terms = [torch.exp(score - top) for score, _ in rows]
    return sum(t * v for t, (_, v) in zip(terms, rows, strict=True)) / sum(terms)


def fused(scores: Tensor, values: Tensor) -> Tensor:
    query = torch.ones(1, 1, dtype=scores.dtype)
    return F.scaled_dot_product_attention(query, scores[:, None], values, scale=1.0)[0]


def plain_numbers_for_the_maximum(scores: Tensor, values: Tensor) -> Tensor:
    top, total, output = -math.inf, 0.0, 0.0
    for score, value in zip(scores, values, strict=True):
        higher = max(top, score.item())
        factor = math.exp(top - higher)
        term = torch.exp(score - higher)
        total, output, top = total * factor + term, output * factor + term * value, higher
    return output / total


RIGHT: dict[str, Answer] = {
    **{
        f.__name__: of_those_that_count(f)
        for f in (
            running_mean,
            if_it_rises,
            log_sum,
            sigmoids,
            from_the_end,
            in_halves,
            in_blocks,
            in_one_vector,
            folded,
            plain_numbers_for_the_maximum,
        )
    },
}

ONCE = "the task asks you to read the keys one after the other, and each only once"
FORBIDDEN = {
    "formula": (of_those_that_count(formula), "Of 32 keys your code needs 32 at the same time"),
    "two_passes": (of_those_that_count(two_passes), ONCE),
    "two_loops": (of_those_that_count(two_loops), ONCE),
    "two_loops_over_a_list": (of_those_that_count(two_loops_over_a_list), ONCE),
    "fused": (of_those_that_count(fused), ONCE),
    "turned_round": (of_those_that_count(turned_round), ONCE),
    "halves_of_halves": (of_those_that_count(halves_of_halves), ONCE),
}


# Wrong answers


def _pass(
    scores: Tensor,
    values: Tensor,
    *,
    sum_too: bool = True,
    output_too: bool = True,
    maximum: Callable[[Tensor, Tensor], Tensor] = torch.maximum,
    inverse: bool = False,
) -> tuple[Tensor, Tensor]:
    top, total, output = scores[0], torch.ones_like(scores[0]), values[0]
    for score, value in zip(scores[1:], values[1:], strict=True):
        higher = maximum(top, score)
        factor = torch.exp(higher - top if inverse else top - higher)
        term = torch.exp(score - higher)
        total = (total * factor if sum_too else total) + term
        output = (output * factor if output_too else output) + term * value
        top = higher
    return output, total


def forgets_the_sum(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, sum_too=False)
    return output / total


def forgets_the_output(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, output_too=False)
    return output / total


def forgets_both(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, sum_too=False, output_too=False)
    return output / total


def latest(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, maximum=lambda top, score: score)
    return output / total


def unshifted(scores: Tensor, values: Tensor) -> Tensor:
    terms = torch.exp(scores)
    return (terms[:, None] * values).sum(0) / terms.sum()


def undivided(scores: Tensor, values: Tensor) -> Tensor:
    return _pass(scores, values)[0]


def mean_of_terms(scores: Tensor, values: Tensor) -> Tensor:
    return _pass(scores, values)[0] / len(scores)


def grows_instead(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, inverse=True)
    return output / total


def minimum(scores: Tensor, values: Tensor) -> Tensor:
    output, total = _pass(scores, values, maximum=torch.minimum)
    return output / total


def plain_mean(scores: Tensor, values: Tensor) -> Tensor:
    return values.mean(0) + 0 * scores.sum()


def weights_alone(scores: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1)


def started(number: float, more: float = 0.0) -> Answer:
    """Start the maximum at a number, and optionally add an epsilon to the sum."""

    def attend(scores: Tensor, values: Tensor) -> Tensor:
        top, total = torch.tensor(number), torch.zeros(())
        output = torch.zeros_like(values[0])
        for score, value in zip(scores, values, strict=True):
            higher = torch.maximum(top, score)
            factor, term = torch.exp(top - higher), torch.exp(score - higher)
            total, output, top = total * factor + term, output * factor + term * value, higher
        return output / (total + more)

    return attend


WRONG: dict[str, Answer] = {
    "masked by where": masked_by_where,
    "started at 0": started(0.0),
    "started at 0, with an epsilon": started(0.0, 1e-12),
    "started at −300": started(-300.0),
    "started at −1e3": started(-1e3),
    "started at −1e4": started(-1e4),
    "started at −1e9, with an epsilon": started(-1e9, 1e-6),
    "started at the lowest number": started(torch.finfo(torch.float32).min),
    "minus infinity minus itself": started(-torch.inf),
    "started from the first key": running_mean,
    **{
        f.__name__: f
        for f in (
            forgets_the_sum,
            forgets_the_output,
            forgets_both,
            latest,
            unshifted,
            undivided,
            mean_of_terms,
            grows_instead,
            minimum,
            plain_mean,
            weights_alone,
        )
    },
}

NAMED = {
    "masked by where": "padding-leaks",
    "started at 0": "finite-start",
    "started at 0, with an epsilon": "finite-start",
    "started at −300": "finite-start",
    "started at −1e3": "finite-start",
    "started at −1e4": "finite-start",
    "started at −1e9, with an epsilon": "finite-start",
    "started at the lowest number": "minus-infinity",
    "minus infinity minus itself": "minus-infinity",
    "started from the first key": "minus-infinity",
    "forgets_the_sum": "sum-not-rescaled",
    "forgets_the_output": "output-not-rescaled",
    "forgets_both": "nothing-rescaled",
    "latest": "latest-score",
    "unshifted": "no-maximum",
    "undivided": "no-division",
    "mean_of_terms": "divided-by-count",
    "plain_mean": "nothing-rescaled + latest-score",  # e⁰ for each key, which all stay
}
