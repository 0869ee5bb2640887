"""`check` answers whatever it is given, in words, and leaves everything as it was."""

import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from attention_lib import AdditiveAttention, masked_softmax
from attention_lib.exercises import EXERCISES, Answer, check

SLUGS = list(EXERCISES)
FUNCTIONS = [slug for slug in SLUGS if slug != "additive-attention"]
STUB = {
    "en": "Not yet. Nothing came back. Put your code in place of `...`, and `return` the result.",
    "zh": "还没做对。函数什么也没有返回。请把 `...` 换成你的代码，并用 `return` 返回结果。",
}


def both(slug: str, f: Any) -> str:
    """Answer in English, once it was seen to be an answer in both languages."""
    english, chinese = (check(slug, f, lang) for lang in ("en", "zh"))
    for answer in (english, chinese):
        assert not answer.passed
        assert not answer
        assert "Traceback" not in repr(answer)
        assert not re.search(r"\{[a-z]+\}", repr(answer))  # a place for a part, left empty
    assert repr(english).startswith("Not yet. ")
    assert repr(chinese).startswith("还没做对。")
    assert repr(english).count("\n") == repr(chinese).count("\n")
    return repr(english)


def raising(error: BaseException) -> Callable[..., Any]:
    def f(*args: Any) -> Any:
        raise error

    return f


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("even this fails")


def endless() -> Any:
    while True:
        yield torch.zeros(1)


def nested() -> Tensor:
    return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)


def deep(*args: Any) -> Any:
    return deep(*args)


ODD: dict[str, Callable[..., Any]] = {
    "a number": lambda *args: 7,
    "a list": lambda *args: [0.5, 0.5],
    "an array": lambda *args: np.ones((2, 3)),
    "a tuple": lambda *args: (args[0], args[0]),
    "a string": lambda *args: "{0}",
    "a generator": lambda *args: endless(),
    "a function": lambda *args: endless,
    "a class": lambda *args: Tensor,
    "no dimension": lambda *args: torch.tensor(1.0),
    "no element": lambda *args: torch.ones(0),
    "whole numbers": lambda *args: torch.zeros(2, 3, 5, dtype=torch.int64),
    "truth values": lambda *args: torch.ones(2, dtype=torch.bool),
    "complex numbers": lambda *args: torch.ones(2, 3, dtype=torch.complex64),
    "a nested tensor": lambda *args: nested(),
    "a sparse tensor": lambda *args: torch.eye(3).to_sparse(),
    "no storage": lambda *args: torch.ones(2, 3, 5, device="meta"),
    "an error": raising(ValueError("wrong\nin two lines")),
    "a formatted error": raising(ValueError("{0} {")),
    "an error without words": raising(ValueError()),
    "an error that cannot be told": raising(Silent()),
    "an error with half a character": raising(ValueError("\ud800")),
    "an exit": lambda *args: sys.exit(),
    "an end of iteration": raising(StopIteration()),
    "an assertion": raising(AssertionError()),
    "an endless recursion": deep,
    "a missing name": lambda *args: undefined_name,  # type: ignore[name-defined] # noqa: F821
    "no parameter": lambda: torch.ones(1),
    "too many parameters": lambda a, b, c, d, e, f, g: torch.ones(1),
    "a named parameter": lambda *args, temperature: torch.ones(1),
    "a built-in": len,
    "a type": dict,
    "a module": nn.Linear(2, 3),
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


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("slug", SLUGS)
def test_whatever_a_function_does_the_answer_is_words(slug: str, odd: str) -> None:
    assert both(slug, ODD[odd])


@pytest.mark.parametrize("what", [None, 3, "masked_softmax", torch.ones(2), [masked_softmax]])
@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_no_function_is_said_to_be_none(slug: str, what: Any) -> None:
    assert f"got an object of type `{type(what).__name__}`" in both(slug, what)


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ("a list", "should be a tensor of shape (2, 3, 5); yours is of type `list`."),
        ("a tuple", "yours is of type `tuple`.\nReturn only the tensor that was asked for"),
        ("no dimension", "should have the shape (2, 3, 5); yours has ()."),
        (
            "whole numbers",
            "should hold floating-point numbers, torch.float32; yours holds torch.in",
        ),
        ("an error", "valid_lens [2, 4]: your code raised `ValueError`: wrong in two lines"),
        ("an error without words", "your code raised `ValueError`."),
        ("an exit", "your code raised `SystemExit`"),
        ("a missing name", "`NameError`: name 'undefined_name' is not defined"),
        ("no parameter", "The function is called with (X, valid_lens), but yours takes ()."),
        ("too many parameters", "but yours takes (a, b, c, d, e, f, g)."),
    ],
)
def test_an_odd_answer_is_told_in_words(odd: str, words: str) -> None:
    assert words in both("masked-softmax", ODD[odd])


def test_a_wrong_number_is_told_with_its_place() -> None:
    def nearly(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        weights[0, 1, 0] += 0.25
        return weights

    case = EXERCISES["masked-softmax"].cases[0]
    right = float(masked_softmax(*case)[0, 1, 0])
    told = f"entry [0, 1, 0] should be {right:.3f}, but yours is {right + 0.25:.3f}."
    assert told in both("masked-softmax", nearly)


def test_a_number_that_is_not_finite_is_told_with_its_place() -> None:
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


def test_an_interrupt_passes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        check("masked-softmax", raising(KeyboardInterrupt()))


@pytest.mark.parametrize(("slug", "lang"), [("softmax", "en"), (None, "en"), ("soft-lookup", "fr")])
def test_an_unknown_name_is_an_error(slug: Any, lang: str) -> None:
    known = "lang must be one of en, zh; got 'fr'" if lang == "fr" else "slug must be one of soft-l"
    with pytest.raises(ValueError, match=known):
        check(slug, masked_softmax, lang)


def test_nothing_is_printed_and_no_global_state_changes(capfd: pytest.CaptureFixture[str]) -> None:
    def loud(*args: Any) -> Any:
        print("x" * 10_000)
        print("error", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        torch.manual_seed(3)
        torch.randn(5)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        return torch.zeros(1)

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


def test_an_answer_shows_as_words_and_as_paragraphs() -> None:
    def failing(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        raise ValueError("<b>&</b> at 0x7f00aa")

    answer = check("masked-softmax", failing)
    assert isinstance(answer, Answer)
    assert repr(answer) == str(answer)
    assert "raised `ValueError`: <b>&</b> at 0x…" in repr(answer)
    shown = answer._repr_html_()
    assert "raised <code>ValueError</code>: &lt;b&gt;&amp;&lt;/b&gt; at 0x…</p>" in shown
    assert shown.startswith("<p>Not yet. ")
