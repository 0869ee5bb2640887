"""Exercises that answer back: `check` runs a reader's function and says what it found, in words."""

from typing import Any

from attention_lib.exercises import (
    additive,
    additive_module,
    alignment,
    bilinear,
    dropout,
    kernel_pooling,
    leave_one_out,
    lookup,
    masked_sum,
    masking,
    scaled_dot_product,
    scoring,
)
from attention_lib.exercises.answer import Answer
from attention_lib.exercises.exercise import Exercise
from attention_lib.exercises.judging import judge
from attention_lib.exercises.words import FAILED, LANGUAGES, PASSED, NotYet, Words

__all__ = ["Answer", "check"]

EXERCISES: dict[str, Exercise] = {
    "soft-lookup": lookup.EXERCISE,
    "nadaraya-watson": kernel_pooling.EXERCISE,
    "leave-one-out": leave_one_out.EXERCISE,
    "gaussian-score": scoring.GAUSSIAN,
    "attention-pooling": scoring.ATTENTION_POOLING,
    "masked-softmax": masking.EXERCISE,
    "additive-scores": additive.EXERCISE,
    "additive-attention": additive_module.EXERCISE,
    "scaled-dot-product-attention": scaled_dot_product.EXERCISE,
    "dropout": dropout.EXERCISE,
    "bilinear-scores": bilinear.EXERCISE,
    "soft-alignment": alignment.EXERCISE,
    "masked-sum": masked_sum.EXERCISE,
}


def check(slug: str, f: Any, lang: str = "en") -> Answer:
    """Run a reader's function on hidden cases and say in words what came of it.

    Args:
        slug: name of the exercise.
        f: the function, or the class where the exercise asks for one. It gets copies of the
            cases; what it prints is not shown, and whatever it raises is told in words.
        lang: language of the answer, "en" or "zh".

    Returns:
        The answer. It shows as its words, and `answer.passed` is a bool.

    Raises:
        ValueError: no exercise or language has this name.

    >>> check("masked-softmax", lambda X, valid_lens: torch.softmax(X, dim=-1))
    Not yet. The padding is kept: keys from the valid length onwards still get weight. Take them \
out before the softmax.
    """
    for name, known in (("slug", list(EXERCISES)), ("lang", list(LANGUAGES))):
        given = slug if name == "slug" else lang
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}; got {given!r}")
    try:
        remarks = judge(EXERCISES[slug], f)
    except NotYet as notyet:
        first, *rest = notyet.words
        return Answer(False, [Words(FAILED.en + first.en, FAILED.zh + first.zh), *rest], lang)
    return Answer(True, [PASSED, *remarks], lang)
