"""Test that recorded answers and puzzles give in MicroPython what they give with torch."""

from functools import cache
from typing import Any

import pytest
import recorded
from micropython import agree, in_micropython, in_torch, refused

from attention_course.exercises import EXERCISES
from tests.variants import sampled

SLUGS = [slug for slug in EXERCISES if slug != "additive-attention"]  # it asks for a module
EVERY = 13  # the distance of the cases that are used; `make exhaustive` uses all
# What recorded answers use and the module lacks: half precision, gradients, randomness, modules and
# other packages, tensors without values, and functions that one answer uses.
LACKING = {
    *("Tensor.bfloat16", "Tensor.half", "torch.int8"),
    *(
        "Tensor.requires_grad_",
        "torch.autograd",
        "torch.func",
        "torch.set_grad_enabled",
        "torch.vmap",
    ),
    *("torch.bernoulli", "torch.manual_seed", "torch.multinomial", "torch.rand"),
    *("torch.nn.functional.dropout", "torch.nn.functional.gumbel_softmax"),
    *("torch.nn.Linear", "torch.nn.Softmax", "torch.distributions", "torch.nn.utils"),
    *("attention_lib", "numpy", "torch.from_numpy", "typing"),
    *("torch.empty_like", "Tensor.new_empty"),
    *("torch.linalg.lstsq", "torch.linalg.svd", "torch.sparse_coo_tensor"),
    *("Tensor.index_put", "Tensor.scatter_add", "Tensor.unique"),
    *("torch.nn.functional.conv2d", "torch.nn.functional.embedding_bag"),
}
TIES = {"torch.topk"}  # is refused only on cases with equal numbers, of which torch picks any
# Answers whose outcome differs: rounding decides (large numbers are subtracted, and a root is taken
# of a rounding error), or MicroPython lacks something (a deque without a maximal length).
DIFFERENT = {
    "gaussian-score": {"a root of what rounding made negative"},
    "leave-one-out": {"rotation"},
    "masked-sum": {"the padding taken away"},
}


@cache
def groups() -> dict[str, dict[str, str]]:
    """Return the programs of each exercise by the names of the answers."""
    return {slug: dict([*recorded.answers(slug), *recorded.filled(slug)]) for slug in SLUGS}


@cache
def outcomes(every: int) -> dict[str, list[tuple[Any, Any]]]:
    """Run all programs in one MicroPython, and with torch."""
    programs = [
        (recorded.setup(EXERCISES[slug], every), [*named.values()])
        for slug, named in groups().items()
    ]
    pairs = iter(zip(in_micropython(programs), in_torch(programs), strict=True))
    return {slug: [next(pairs) for _ in named] for slug, named in groups().items()}


def cases(own: Any, expected: Any) -> list[tuple[Any, Any]]:
    """Return the outcomes of an answer case by case, or of a program that fails."""
    both = isinstance(own, list) and isinstance(expected, list)
    return [*zip(own, expected, strict=True)] if both else [(own, expected)]


def reason(own: Any) -> str | None:
    """Return what is refused, if an answer meets a refusal in the whole or on a case."""
    if isinstance(own, list) and own[:2] == ["error", "Unavailable"]:
        return refused({"error": own[1], "message": own[2]})
    return refused(own)


def compared(slug: str, every: int) -> tuple[dict[str, str], set[str]]:
    """Return answers with another outcome than with torch, and what is refused."""
    different, lacking = {}, set()
    for name, (own, expected) in zip(groups()[slug], outcomes(every)[slug], strict=True):
        wrong = [pair for pair in cases(own, expected) if not agree(*pair)]
        lacking |= {why for one, _ in wrong if (why := reason(one))}
        if other := [pair for pair in wrong if not reason(pair[0])]:
            different[name] = f"{str(other[0][0])[:300]} instead of {str(other[0][1])[:300]}"
    return different, lacking


@pytest.mark.parametrize("every", sampled([EVERY, 1], EVERY.__eq__))
@pytest.mark.parametrize("slug", SLUGS)
def test_an_answer_has_the_outcome_of_torch_or_is_refused(slug: str, every: int) -> None:
    different, lacking = compared(slug, every)
    known = DIFFERENT.get(slug, set())
    assert not {name: how for name, how in different.items() if name not in known}
    assert lacking <= LACKING | TIES


def test_what_recorded_answers_lack_is_listed() -> None:
    assert {name for slug in SLUGS for name in compared(slug, EVERY)[1]} == LACKING
