"""Test that typed answers get the same verdict in the browser as from `check`."""

import re
from functools import cache
from typing import Any

import pytest
from judged import answers, in_browser, in_kernel, mistaken, runs, verdict_on

from attention_course.exercises import EXERCISES, check_source
from attention_course.exercises.engine import texts
from attention_course.exercises.engine.exercise import Exercise
from attention_course.exercises.engine.export import exported, fingerprint
from attention_course.exercises.engine.verdict import Verdict
from book.site.output.exercise_data import judged
from tests.variants import sampled

pytestmark = pytest.mark.xdist_group("judging")  # all answers are judged at once
EVERY = 4  # the distance of the answers that are compared; `make exhaustive` compares all
SLUGS = judged()
EACH = pytest.mark.parametrize("slug", SLUGS)
DISTANCE = pytest.mark.parametrize("every", sampled([EVERY, 1], EVERY.__eq__))
EITHER, UNAVAILABLE = (texts.EITHER.en, texts.UNAVAILABLE.en.split("{")[0])
# Answers with another verdict: float32 and float64 round large numbers differently.
DIFFERENT = {"masked-sum": {"the padding taken away"}}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extend the time limit of `check`, because the machine may be busy."""
    monkeypatch.setattr("attention_course.exercises.engine.judging.SECONDS", 60)


Compared = list[tuple[str, Any, Verdict]]


@cache
def sources(every: int) -> dict[str, Compared]:
    """Judge recorded answers and fillings in the browser and with torch."""
    asked = {slug: [*answers(slug)][::every] for slug in SLUGS}
    found = in_browser(
        {
            slug: [{"source": source, "name": name, "lang": "en"} for _, source, name in own]
            for slug, own in asked.items()
        }
    )
    return {
        slug: [
            (what, verdict, in_kernel(slug, source, name))
            for (what, source, name), verdict in zip(own, found[slug], strict=True)
        ]
        for slug, own in asked.items()
    }


@cache
def functions(every: int) -> dict[str, Compared]:
    """Judge all single mistakes, and some pairs, by their runs."""
    asked = {
        slug: [*mistaken(slug, 1), *[*mistaken(slug, 2)][:: 25 * every]][:: max(1, every // 2)]
        for slug in SLUGS
    }
    found = in_browser(
        {
            slug: [{"runs": runs(slug, f), "lang": "en"} for _, f in own]
            for slug, own in asked.items()
        }
    )
    return {
        slug: [
            (what, verdict, verdict_on(slug, f))
            for (what, f), verdict in zip(own, found[slug], strict=True)
        ]
        for slug, own in asked.items()
    }


def differences(compared: Compared) -> dict[str, str]:
    """Return verdicts that differ, but for refusals and for mistakes that only gradients tell."""
    return {
        what: f"{own['html']} instead of {expected._repr_html_()}"
        for what, own, expected in compared
        if not own["html"].startswith(f"<p>{UNAVAILABLE}")
        and not (EITHER in own["html"] and not expected.passed)
        and (own["html"], own["passed"]) != (_said_in_part(own, expected), expected.passed)
    }


def _said_in_part(own: Any, expected: Verdict) -> str:
    """Return the words of `check`; a right answer that is not checked whole begins otherwise."""
    first = texts.PASSED if own["complete"] else texts.PASSED_PARTS
    return expected._repr_html_().replace(texts.PASSED.en, first.en)


@DISTANCE
@EACH
def test_a_source_gets_the_verdict_of_check_on_what_is_checked(slug: str, every: int) -> None:
    found = differences(sources(every)[slug])
    assert not {what: how for what, how in found.items() if what not in DIFFERENT.get(slug, ())}


@DISTANCE
@EACH
def test_a_mistake_gets_the_verdict_of_check_on_what_is_checked(slug: str, every: int) -> None:
    assert not differences(functions(every)[slug])


@EACH
def test_what_is_not_checked_is_named(slug: str) -> None:
    unchecked = set(_unchecked(EXERCISES[slug]))
    passed = [own for _, own, _ in sources(EVERY)[slug] if own["passed"]]
    assert passed
    assert all(set(own["unchecked"]) == unchecked for own in passed)
    assert all(own["complete"] == (not own["unchecked"]) for _, own, _ in sources(EVERY)[slug])


def _unchecked(exercise: Exercise) -> list[str]:
    trials = [trial for stage in exercise.stages for trial in stage.trials]
    found = [texts.GRADIENTS.en] * any(trial.gradients for trial in trials)
    dtypes = {str(getattr(x, "dtype", "")) for trial in trials for x in trial.case}
    found += [texts.FLOAT16.en] * ("torch.float16" in dtypes)
    return found + [one.means.en for one in exercise.forbids if not one.calls]


# Sources on which both say the same in both languages, because there is nothing to run.
TEXTS = {
    "an open bracket": "def f(X, valid_lens):\n    return X.softmax(\n\n",
    "no colon": "def f(X, valid_lens)\n    return X",
    "no body": "def f(X, valid_lens):\nreturn X",
    "a wrong indentation": "def f(X, valid_lens):\n    Y = X\n      return Y",
    "an indentation of its own": "def f(X, valid_lens):\n    if True:\n        X\n      return X",
    "a wrong keyword": "def f(X, valid_lens):\n    retrun X",
    "an open text": "def f(X, valid_lens):\n    return 'X\n",
    "a bracket too many": "def f(X, valid_lens):\n    return X)\n",
    "an operand missing": "def f(X, valid_lens):\n    return X @\n",
    "an assignment in a condition": "def f(X, valid_lens):\n    if X = 1:\n        return X",
    "nothing": "",
    "another name": "def g(X, valid_lens):\n    return X",
    "no function": "f = 3",
    "an error outside": "import math\n\nx = math.sqrt(4) / 0\n",
    "a name that is missing": "def f(X):\n    return X\n\nprint(g)",
    "a gap": "def f(X, valid_lens):\n    # your code\n    ...",
    "no argument": "def f():\n    return 1",
    "named arguments": "def f(X, *, valid_lens):\n    return X",
    "an error of its own": "def f(X, valid_lens):\n    raise ValueError('a < b & `c`')",
    "a number": "f = lambda X, valid_lens: 1",
    "two": "def f(X, valid_lens):\n    return X, X",
    "changed": "def f(X, valid_lens):\n    X[0] = 1\n    return X.softmax(-1)",
    "patched": "def f(X, valid_lens):\n    torch.softmax = len\n    return X.softmax(-1)",
    "patched before": "torch.exp = 1\ndef f(X, valid_lens):\n    return torch.exp(X)",
    "added": "def f(X, valid_lens):\n    torch.Tensor.own = 1\n    return X.softmax(-1)",
    "counting": "n = [0]\ndef f(X, valid_lens):\n    n[0] += 1\n    return X * n[0]",
    "random": "import random\ndef f(X, valid_lens):\n    return X * random.random()",
}


@cache
def said() -> dict[tuple[str, str], Any]:
    asked = [(what, lang) for what in TEXTS for lang in ("en", "zh")]
    questions = [{"source": TEXTS[what], "name": "f", "lang": lang} for what, lang in asked]
    found = in_browser({"masked-softmax": questions})["masked-softmax"]
    return dict(zip(asked, found, strict=True))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("what", TEXTS)
def test_a_text_that_cannot_be_judged_gets_the_same_words(what: str, lang: str) -> None:
    expected = check_source("masked-softmax", TEXTS[what], lang, name="f")
    assert said()[what, lang]["html"] == expected._repr_html_()
    assert not said()[what, lang]["passed"]


LACKING = {
    "import numpy\ndef f(X, valid_lens):\n    return X": "numpy",
    "def f(X, valid_lens):\n    return torch.vmap(torch.exp)(X)": "torch.vmap",
    "def f(X, valid_lens):\n    try:\n        return torch.vmap\n    except Exception:\n"
    "        return X": "torch.vmap",
    "import math\ndef f(X, valid_lens):\n    return X * math.prod([1])": "prod",
    "from collections import deque\ndef f(X, valid_lens):\n    return X": "collections.deque",
    "def f(X, valid_lens):\n    return X * 'ab'.isalnum()": "isalnum",
    "from attention_lib import scores\ndef f(X, valid_lens):\n    return X": "attention_lib.scores",
}


def test_what_is_missing_is_named_and_not_judged() -> None:
    questions = [{"source": source, "name": "f", "lang": "zh"} for source in LACKING]
    found = in_browser({"masked-softmax": questions})["masked-softmax"]
    for name, verdict in zip(LACKING.values(), found, strict=True):
        assert f"<code>{name}</code>" in verdict["html"]
        assert "浏览器不支持" in verdict["html"]
        assert (verdict["passed"], verdict["complete"]) == (False, False)
        assert verdict["unchecked"] == [texts.YOUR_CODE.zh]


NUMBERS = [0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.0625, 0.1875, -0.0625, 0.0004, -0.0004, 0.0005]
NUMBERS += [1.0005, 0.3125, 1e-9, 12345.5, 12346.5, -9999.9995, 2.0**70, -1e22, 157781.656, 1 / 3]


def test_numbers_are_rounded_as_in_python() -> None:
    pairs = [(x, digits) for x in NUMBERS for digits in (0, 3, 6)]
    (found,) = in_browser({"masked-softmax": [{"numbers": pairs}]})["masked-softmax"]
    assert found == [f"{x:z.{digits}f}" for x, digits in pairs]


def test_a_fingerprint_tells_where_numbers_are_missing() -> None:
    nan, inf = float("nan"), float("inf")
    several = [[0.0, 0.0, x, 0.0] for x in (0.0, nan, inf, -inf)] + [[0.0, nan, 0.0, 0.0]]
    assert len({str(fingerprint(one)) for one in several}) == len(several)


def test_an_exercise_that_asks_for_a_module_is_not_exported() -> None:
    with pytest.raises(ValueError, match="cannot judge"):
        exported(EXERCISES["additive-attention"])


def test_hints_are_patterns_of_javascript_too() -> None:
    patterns = [one.pattern for slug in SLUGS for one in EXERCISES[slug].hints]
    assert not [one for one in patterns if re.search(r"\(\?[^:=!<]|\\[AZ]|\(\?<[^=!]", one)]
