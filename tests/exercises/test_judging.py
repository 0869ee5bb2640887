"""Test on a small exercise that verdicts are true on every case."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from attention_course.exercises import EXERCISES, check
from attention_course.exercises.engine.exercise import Exercise, Outcome, Remark, draw, mistake
from attention_course.exercises.engine.judging import judge, judge_function
from attention_course.exercises.engine.verdict import Verdict
from attention_course.translated import Text

Step = Callable[[Tensor], Tensor]
Pair = Callable[[Tensor, Tensor], Tensor]


def weighted(
    x: Tensor,
    w: Tensor,
    *,
    weigh: Pair = torch.mul,
    total: Step = lambda x: x.sum(-1),
    finish: Step = lambda x: x,
) -> Tensor:
    """Sum x times w along the rows."""
    return finish(total(weigh(x, w)))


EXERCISE = Exercise(
    weighted,
    (draw(1, (2, 3), (2, 3)), draw(2, (5, 2), (5, 2)), draw(3, (2, 2), (2, 2))),
    (
        mistake("mean", "That is a mean.", "这是平均。", {"total": lambda x: x.mean(-1)}),
        mistake("unweighted", "There is no w.", "没有用 w。", {"weigh": lambda x, w: x}),
        mistake("wrong-axis", "The axis is wrong.", "轴错了。", {"total": lambda x: x.sum(0)}),
        mistake("abs", "No abs here.", "这里没有绝对值。", {"finish": torch.abs}),
        mistake("root", "No root here.", "这里没有开方。", {"finish": lambda x: (x**2).sqrt()}),
        mistake("square", "Too many.", "太多了。", {"total": lambda x: x @ x}),
    ),
    gradients=(draw(4, (2, 3), (2, 3)),),
)


def judged(f: Any, exercise: Exercise = EXERCISE) -> Verdict:
    verdict = judge(exercise, f)
    assert len({len(replace(verdict, lang=lang).paragraphs) for lang in ("en", "zh")}) == 1
    return verdict


def test_a_right_answer_passes_and_a_mistake_is_named() -> None:
    assert judged(lambda x, w: torch.einsum("ij,ij->i", x, w))
    verdict = judged(lambda x, w: torch.einsum("ij,ij->i", x, w) / x.shape[-1])
    assert verdict.mistakes == ("mean",)
    assert repr(verdict) == "Not yet. That is a mean."
    assert repr(replace(verdict, lang="zh")) == "还没做对。这是平均。"
    verdict = judged(lambda x, w: x.mean(-1))
    assert verdict.mistakes == ("mean", "unweighted")
    assert repr(verdict) == "Not yet. That is a mean.\nThere is no w."


def test_a_mistake_that_explains_all_cases_but_one_is_not_named() -> None:
    for case, *_ in EXERCISE.trials:

        def f(x: Tensor, w: Tensor, at: Tensor = case[0]) -> Tensor:
            return (x * w).sum(-1) / (1 if torch.equal(x, at) else x.shape[-1])

        verdict = judged(f)
        assert not verdict.mistakes
        assert "should be" in repr(verdict)


def test_no_mistakes_are_named_if_two_pairs_do_the_same() -> None:
    verdict = judged(lambda x, w: x.mean(-1).abs())
    assert not verdict.mistakes
    assert "should be" in repr(verdict)


def test_errors_alone_are_no_evidence() -> None:
    errors = replace(EXERCISE, mistakes=(EXERCISE.mistakes[-1],), cases=EXERCISE.cases[:2])
    ((_, wrong),) = errors.wrong(1)
    verdict = judged(lambda x, w: wrong(x, w), errors)
    assert not verdict.mistakes
    assert "your code raised `RuntimeError`" in repr(verdict)
    # With a case that does not raise, the mistake is named whatever the error says.
    square = replace(errors, cases=EXERCISE.cases)
    assert judged(lambda x, w: torch.mm(x * w, x * w), square).mistakes == ("square",)


def cut(x: Tensor) -> Tensor:
    return x.detach()


@pytest.mark.parametrize(
    ("f", "names"),
    [
        (lambda x, w: (x * cut(w)).sum(-1), "`w`"),
        (lambda x, w: cut((x * w).sum(-1)), "`x`, `w`"),
        (torch.no_grad()(lambda x, w: (x * w).sum(-1)), "`x`, `w`"),
        (lambda x, w: torch.tensor([float(a @ b) for a, b in zip(x, w, strict=True)]), "`x`, `w`"),
    ],
)
def test_an_answer_without_gradients_is_reported(f: Any, names: str) -> None:
    verdict = judged(f)
    assert f"With x (2, 3), w (2, 3): no gradient reaches {names}. `detach()`" in repr(verdict)
    assert not verdict.mistakes


def test_of_lost_gradients_no_mistake_is_guessed() -> None:
    """Only a gradient would reveal this mistake, and there is none."""
    mistake_of_gradient = mistake("gradient", "G.", "导。", {"finish": lambda x: 2 * x - cut(x)})
    verdict = judged(
        lambda x, w: cut(x * w).sum(-1), replace(EXERCISE, mistakes=(mistake_of_gradient,))
    )
    assert not verdict.mistakes
    assert "no gradient reaches `x`, `w`" in repr(verdict)


def test_a_mistake_and_lost_gradients_are_reported_together() -> None:
    verdict = judged(lambda x, w: (x * cut(w)).mean(-1))
    assert verdict.mistakes == ("mean",)
    assert repr(verdict).startswith(
        "Not yet. That is a mean.\nWith x (2, 3), w (2, 3): no gradient"
    )
    assert repr(judged(lambda x, w: x.sum(-1))) == "Not yet. There is no w."


class Scaled(torch.autograd.Function):
    """The identity, with twice the gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        if torch.isnan(gradient).any():
            raise ValueError("no gradient today")
        return 2 * gradient


def test_a_wrong_gradient_is_shown_and_no_mistake_explains_it() -> None:
    verdict = judged(lambda x, w: (Scaled.apply(x) * w).sum(-1))
    assert "entry [0, 0] of the gradient of `x` should be" in repr(verdict)
    verdict = judged(lambda x, w: (Scaled.apply(x) * w).mean(-1))
    assert not verdict.mistakes
    assert "With x (2, 3), w (2, 3): entry [" in repr(verdict)


def test_an_error_in_the_backward_pass_is_reported() -> None:
    def f(x: Tensor, w: Tensor) -> Tensor:
        exponentials = (x * w).exp()
        logarithms = exponentials.log()
        exponentials.zero_()
        return logarithms.sum(-1)

    assert "the output is right, but computing gradients raised `RuntimeError`: one of the" in (
        repr(judged(f))
    )


def with_parts(x: Tensor, w: Tensor, **steps: Any) -> Outcome:
    return Outcome(weighted(x, w, **steps), {"products": x * w})


def test_parts_are_judged_where_the_answer_has_them() -> None:
    exercise = replace(EXERCISE, solution=with_parts)
    assert judged(with_parts, exercise)
    assert judged(weighted, exercise)
    verdict = judged(lambda x, w: Outcome(weighted(x, w), {"products": x}), exercise)
    assert "of `products` should be" in repr(verdict)
    verdict = judged(lambda x, w: Outcome(weighted(x, w), {"products": [x]}), exercise)
    assert "`products` should be a tensor of shape (2, 3)." in repr(verdict)
    verdict = judged(lambda x, w: Outcome((x * w).mean(-1), {"products": x * w}), exercise)
    assert verdict.mistakes == ("mean",)
    verdict = judged(lambda x, w: Outcome((x * w).mean(-1), {"products": x}), exercise)
    assert not verdict.mistakes


def test_an_answer_that_keeps_state_is_reported() -> None:
    calls: list[Tensor] = []

    def grows(x: Tensor, w: Tensor) -> Tensor:
        calls.append(x)
        return (x * w).sum(-1) * len(calls)

    def tires(x: Tensor, w: Tensor, calls: list[Tensor] = []) -> Tensor:  # noqa: B006
        calls.append(x)
        return (x * w).sum(-1) * (len(calls) <= len(EXERCISE.trials))

    for f in (grows, tires):
        verdict = judged(f)
        assert "the same call gives a different result the next time" in repr(verdict)
        assert not verdict.mistakes


def test_a_random_answer_is_reported() -> None:
    def dropped(x: Tensor, w: Tensor) -> Tensor:
        return torch.nn.functional.dropout(x * w, 0.3).sum(-1)

    def seldom(x: Tensor, w: Tensor) -> Tensor:
        """Be right with the first seed and wrong with the next."""
        return (x * w).sum(-1) + (float(torch.rand(())) > 0.6)

    for f in (dropped, seldom):
        assert "changes from call to call" in repr(judged(f))


def test_an_answer_that_sets_the_seed_is_reported() -> None:
    def seeded(x: Tensor, w: Tensor) -> Tensor:
        torch.manual_seed(0)
        return (x * w).sum(-1)

    def drawing(x: Tensor, w: Tensor) -> Tensor:
        torch.nn.Linear(2, 3)  # drawing random weights is allowed
        return (x * w).sum(-1)

    assert "sets the seed of torch's random numbers" in repr(judged(seeded))
    assert judged(drawing)


def softened(x: Tensor, w: Tensor) -> Tensor:
    return (x * w).sum(-1) / (1 + 1e-30 * x.abs().sum(-1) ** 2)


def overflowing(x: Tensor, w: Tensor) -> Tensor:
    return (x * w * 1e30).sum(-1) / 1e30


OVERFLOW = Remark(
    (torch.full((1, 2), 1e15), torch.ones(1, 2)),
    Text("It overflows.", "溢出了。"),
    ({"weigh": lambda x, w: x * w * 1e30, "finish": lambda x: x / 1e30},),
)


def test_a_remark_is_made_only_of_what_the_answer_does() -> None:
    exercise = replace(EXERCISE, remarks=(OVERFLOW,))
    passed = "Correct. It passes every hidden case."
    assert repr(judged(weighted, exercise)) == passed
    assert repr(judged(overflowing, exercise)) == f"{passed}\nIt overflows."
    beyond = "One remark, about a harder case. With x (1, 2), w (1, 2): entry [0] should be"
    assert repr(judged(softened, exercise)).startswith(f"{passed}\n{beyond}")


def test_a_stub_is_distinguished_from_a_function_without_return() -> None:
    def gap(x: Tensor, w: Tensor) -> Any:
        y = x * w  # noqa: F841
        ...

    def forgetful(x: Tensor, w: Tensor) -> Any:
        (x * w)[..., 0]

    assert "Put your code in place of `...`" in repr(judged(gap))
    for f in (forgetful, eval("lambda x, w: None")):  # also without the source
        assert "With x (2, 3), w (2, 3): nothing came back." in repr(judged(f))


def test_rounding_is_no_mistake_and_a_small_mistake_is_no_rounding() -> None:
    assert judged(lambda x, w: (x.flip(-1) * w.flip(-1)).sum(-1) * (1 + 2e-6))
    assert not judged(lambda x, w: (x * w).sum(-1) * (1 + 1e-4))
    assert not judged(lambda x, w: (x * w).sum(-1) + 1e-4)


@pytest.mark.parametrize("slug", EXERCISES)
def test_every_combination_of_mistakes_is_answered(slug: str) -> None:
    exercise = EXERCISES[slug]
    wrong = [f for _, f in exercise.wrong(2)]
    for f in wrong[:: len(wrong) // 24 + 1]:
        verdict = judge_function(exercise, f)
        assert not verdict
        assert repr(verdict)


def test_a_verdict_names_the_mistake_that_was_made_or_none() -> None:
    exercise = EXERCISES["additive-attention"]  # test_exercise_tables.py tests the others
    for (one,), f in exercise.wrong(1):
        verdict = judge_function(exercise, f)
        assert verdict.mistakes in ((one.name,), ())
        assert not verdict.passed


def test_the_language_of_a_verdict_is_that_of_the_check() -> None:
    verdict = check("masked-softmax", lambda X, valid_lens: X.softmax(-1), "zh")
    assert (verdict.lang, verdict.mistakes) == ("zh", ("no-mask",))
    assert verdict.paragraphs == [repr(verdict)]
