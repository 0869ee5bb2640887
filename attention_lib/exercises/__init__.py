"""Exercises that answer back: `check` runs a reader's function and says what it found, in words."""

from dataclasses import replace
from typing import Any

from attention_lib.exercises import (
    additive,
    additive_module,
    alignment,
    bilinear,
    decoder_step,
    dropout,
    kernel_pooling,
    leave_one_out,
    lookup,
    masked_sum,
    masking,
    online,
    scaled_dot_product,
    scoring,
    self_attention,
)
from attention_lib.exercises.engine.exercise import Exercise
from attention_lib.exercises.engine.judging import judge
from attention_lib.exercises.engine.verdict import Verdict
from attention_lib.exercises.page.paper import exercise
from attention_lib.exercises.page.puzzles import PuzzleSheet
from attention_lib.languages import LANGUAGES

__all__ = ["Verdict", "check", "exercise", "puzzle"]

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
    "self-attention": self_attention.EXERCISE,
    "online-attention": online.EXERCISE,
    "decoder-context": decoder_step.EXERCISE,
}


def check(slug: str, f: Any, lang: str = "en") -> Verdict:
    """Run a reader's function on hidden cases and say in words what came of it.

    A mistake is named only if it explains everything that `f` does on every case, and nothing else
    does; otherwise the first thing that is wrong is shown.

    Args:
        slug: name of the exercise.
        f: the function, or the class where the exercise asks for one. It gets copies of the
            cases, and five seconds for all of them; what it prints is not shown, whatever it
            raises is told in words, and what it sets for the whole program is put back.
        lang: language of the verdict, "en" or "zh".

    Returns:
        The verdict. It shows as its words, and is true where `f` is right.

    Raises:
        ValueError: no exercise or language has this name.
        KeyboardInterrupt: the reader interrupted.

    >>> check("masked-softmax", lambda X, valid_lens: torch.softmax(X, dim=-1))
    Not yet. The padding is kept: keys from the valid length onwards still get weight. Take them \
out before the softmax.
    """
    _must_exist(slug, lang)
    return replace(judge(EXERCISES[slug], f), lang=lang)


def puzzle(slug: str, lang: str = "en") -> PuzzleSheet:
    """Let a reader put the solution of a `check` exercise together from lines.

    Each of its gaps takes the right line or one that a classic mistake has in its place. What is
    said to a choice of lines is what `check` says of that program, which runs when this is called.

    Args:
        slug: name of the exercise.
        lang: language of the words, "en" or "zh".

    Returns:
        What a notebook shows: alive on the page and in JupyterLab.

    Raises:
        ValueError: no exercise or language has this name.

    >>> puzzle("leave-one-out")
    puzzle('leave-one-out')
    """
    _must_exist(slug, lang)
    return PuzzleSheet(slug, EXERCISES[slug], lang)


def _must_exist(slug: str, lang: str) -> None:
    for name, known in (("slug", list(EXERCISES)), ("lang", list(LANGUAGES))):
        given = slug if name == "slug" else lang
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}; got {given!r}")
