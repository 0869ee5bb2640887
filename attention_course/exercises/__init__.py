"""Exercises that answer back: `check` runs a reader's function and says what it found, in words."""

from dataclasses import replace
from typing import Any

from attention_course.exercises import (
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
from attention_course.exercises.engine import words
from attention_course.exercises.engine.errors import in_words
from attention_course.exercises.engine.exercise import Exercise
from attention_course.exercises.engine.judging import judge
from attention_course.exercises.engine.running import attempted
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.exercises.page.paper import exercise
from attention_course.exercises.page.puzzles import PuzzleSheet
from attention_figures.languages import LANGUAGES

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

    It runs in this process, as a cell does, on copies of the cases. What it prints is not shown,
    and whatever it raises is told in words.

    After five seconds for all cases it is stopped; imports and torch's compilation do not count.
    One long call into C, such as `sum(iter(int, 1))`, is not stopped before it returns, and in
    other threads than the main one and on Windows nothing is: interrupt or restart the kernel.

    Afterwards the random numbers of torch on the CPU, of NumPy and of Python go on as if it had
    drawn none, and these are as they were: torch's default dtype and device, gradient mode,
    autocast, number of threads, deterministic algorithms, precision of products and anomaly
    detection; print options, warnings and floating-point errors; the recursion limit and garbage
    collection; and the attributes of `torch`, `torch.Tensor` and `torch.nn.functional`. Nothing
    else is put back: neither files, the working directory, the environment and the umask, nor
    hooks, threads and what it sets in other modules.

    Args:
        slug: name of the exercise.
        f: the function, or the class where the exercise asks for one.
        lang: language of the verdict, "en" or "zh".

    Returns:
        The verdict. It shows as its words, and is true where `f` is right.

    Raises:
        ValueError: no exercise or language has this name.
        KeyboardInterrupt: the reader interrupted, or `f` raises it.

    >>> check("masked-softmax", lambda X, valid_lens: torch.softmax(X, dim=-1))
    Not yet. The padding is kept: keys from the valid length onwards still get weight. Take them \
out before the softmax.
    """
    _must_exist(slug, lang)
    verdict, error = attempted(lambda: judge(EXERCISES[slug], f))
    if verdict is None:  # an object may raise whenever it is looked at
        assert error is not None
        verdict = refusal(words.UNREADABLE.filled(error=in_words(error)))
    return replace(verdict, lang=lang)


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
