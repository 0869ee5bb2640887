"""Test that `check` returns a verdict for any input, without side effects."""

import sys
import warnings
from typing import Any

import pytest
import torch
from exercise_answers import both, raising
from torch import Tensor

from attention_course.exercises import EXERCISES, Verdict, check
from attention_lib import AdditiveAttention, masked_softmax

SLUGS = list(EXERCISES)
FUNCTIONS = [slug for slug in SLUGS if slug != "additive-attention"]
STUB = {
    "en": "Not yet. Nothing came back. Put your code in place of `...`, and `return` the result.",
    "zh": "还没做对。函数什么也没有返回。请把 `...` 换成你的代码，并用 `return` 返回结果。",
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("slug", FUNCTIONS)
def test_the_stub_has_not_answered_yet(slug: str, lang: str) -> None:
    def stub(*args: Any) -> Any: ...

    answer = check(slug, stub, lang=lang)
    assert not answer.passed
    assert repr(answer) == STUB[lang]
    assert repr(check(slug, raising(NotImplementedError()), lang)) == STUB[lang]
    assert repr(check(slug, lambda *args: ..., lang)) == STUB[lang]


@pytest.mark.parametrize("what", [None, 3, "masked_softmax", torch.ones(2), [masked_softmax]])
@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_no_function_is_said_to_be_none(slug: str, what: Any) -> None:
    assert f"got an object of type `{type(what).__name__}`" in both(slug, what)


def test_a_wrong_number_is_reported_with_its_place() -> None:
    def nearly(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        weights[0, 1, 0] += 0.25
        return weights

    case = EXERCISES["masked-softmax"].cases[0]
    right = float(masked_softmax(*case)[0, 1, 0])
    told = f"entry [0, 1, 0] should be {right:.3f}, but yours is {right + 0.25:.3f}."
    assert told in both("masked-softmax", nearly)


def test_a_number_that_is_not_finite_is_reported_with_its_place() -> None:
    def spoilt(scores: Tensor, values: Tensor) -> Tensor:
        pooled = scores.softmax(-1) @ values
        pooled[:, 1] = torch.nan
        return pooled

    assert "entry [0, 1, 0] should be" in both("attention-pooling", spoilt)
    assert "yours is nan" in both("attention-pooling", spoilt)


def test_a_way_through_that_returns_nothing_is_found() -> None:
    def forgetful(X: Tensor, valid_lens: Tensor | None) -> Tensor | None:
        return None if valid_lens is None else masked_softmax(X, valid_lens)

    assert "With X (2, 3, 5), valid_lens None: nothing came back." in both(
        "masked-softmax", forgetful
    )


def test_an_argument_that_was_changed_is_named() -> None:
    def careless(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        X.zero_()
        return weights

    assert both("masked-softmax", careless).startswith("Not yet. The function changes `X`, which")


@pytest.mark.parametrize("slug", FUNCTIONS)
def test_every_tensor_is_guarded_even_its_shape(slug: str) -> None:
    exercise = EXERCISES[slug]

    def careless(*args: Any) -> Any:
        result = exercise.solution(*args)
        for x in args:
            if isinstance(x, Tensor):
                x.unsqueeze_(0)
        return result

    tensors = [i for i, x in enumerate(exercise.cases[0]) if isinstance(x, Tensor)]
    assert all(f"`{exercise.names[i]}`" in both(slug, careless) for i in tensors)


def test_the_cases_are_the_same_each_time_whatever_was_done_to_them() -> None:
    def spoiler(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        return X.zero_()

    assert repr(check("masked-softmax", spoiler)) == repr(check("masked-softmax", spoiler))
    assert check("masked-softmax", masked_softmax)


@pytest.mark.parametrize(("slug", "lang"), [("softmax", "en"), (None, "en"), ("soft-lookup", "fr")])
def test_an_unknown_name_is_an_error(slug: Any, lang: str) -> None:
    known = "lang must be one of en, zh; got 'fr'" if lang == "fr" else "slug must be one of soft-l"
    with pytest.raises(ValueError, match=known):
        check(slug, masked_softmax, lang)


def loud(*args: Any) -> Any:
    print("x" * 10_000)
    print("error", file=sys.stderr)
    warnings.warn("careful", stacklevel=1)
    torch.manual_seed(3)
    torch.randn(5)
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    return torch.zeros(1)


def test_nothing_is_printed_and_no_global_state_changes(capfd: pytest.CaptureFixture[str]) -> None:
    before = torch.get_rng_state(), torch.get_default_dtype(), torch.get_num_threads()
    for slug, f in (("masked-softmax", loud), ("additive-attention", AdditiveAttention)):
        check(slug, f)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert (torch.get_default_dtype(), torch.get_num_threads()) == before[1:]
    assert torch.is_grad_enabled()
    assert capfd.readouterr() == ("", "")


def test_random_answers_are_answered_alike() -> None:
    texts = {repr(check("masked-softmax", lambda X, valid_lens: torch.rand(2))) for _ in range(3)}
    assert len(texts) == 1


def test_a_long_message_is_cut_and_an_address_in_any_case_left_out() -> None:
    def f(*case: object) -> None:
        raise ValueError("0x7F00AA " + 200 * "x")

    told = repr(check("masked-softmax", f))
    assert "`ValueError`: 0x… xxx" in told
    assert f"{155 * 'x'}…" in told
    assert 156 * "x" not in told


def test_an_answer_shows_as_words_and_as_paragraphs() -> None:
    def failing(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        raise ValueError("<b>&</b> at 0x7f00aa")

    answer = check("masked-softmax", failing)
    assert isinstance(answer, Verdict)
    assert repr(answer) == str(answer)
    assert "raised `ValueError`: <b>&</b> at 0x…" in repr(answer)
    shown = answer._repr_html_()
    assert "raised <code>ValueError</code>: &lt;b&gt;&amp;&lt;/b&gt; at 0x…</p>" in shown
    assert shown.startswith("<p>Not yet. ")


@pytest.mark.parametrize("slug", EXERCISES)
def test_the_types_of_all_cases_are_the_same_whatever_the_default(slug: str) -> None:
    exercise = EXERCISES[slug]
    for case in (*exercise.cases, *exercise.gradients):
        floats = {x.dtype for x in case if isinstance(x, Tensor) and x.is_floating_point()}
        assert floats in ({torch.float32}, {torch.float16})


def test_another_default_dtype_changes_no_answer() -> None:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        assert check("additive-attention", AdditiveAttention)
        assert check("masked-softmax", masked_softmax)
    finally:
        torch.set_default_dtype(before)
