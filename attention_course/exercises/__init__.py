"""Check readers' functions against hidden cases, and offer each solution as a puzzle."""

from dataclasses import replace
from typing import Any

from attention_course.exercises import (
    additive,
    additive_module,
    alignment,
    bilinear,
    cached_step,
    decoder_block,
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
    split_heads,
    temperature,
)
from attention_course.exercises.engine import texts
from attention_course.exercises.engine.errors import in_words
from attention_course.exercises.engine.exercise import Exercise
from attention_course.exercises.engine.judging import judge
from attention_course.exercises.engine.running import attempted
from attention_course.exercises.engine.source import defined
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.exercises.page.paper import exercise
from attention_course.exercises.page.puzzles import PuzzleSheet
from attention_figures.languages import LANGUAGES

__all__ = ["Verdict", "check", "check_source", "exercise", "puzzle"]

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
    "split-heads": split_heads.EXERCISE,
    "decoder-block": decoder_block.EXERCISE,
    "cached-step": cached_step.EXERCISE,
    "temperature": temperature.EXERCISE,
}


def check(slug: str, f: Any, lang: str = "en") -> Verdict:
    """Run a reader's function on hidden cases and return a verdict in words.

    A mistake is named only if it explains everything that `f` does on every case, and nothing else
    does; otherwise the verdict shows the first thing that is wrong.

    The function runs in this process, as a cell does, on copies of the cases. Its output is
    discarded, and the verdict describes any exception.

    The time limit is five seconds for all cases; imports and torch's compilation do not count.
    One long call into C, such as `sum(iter(int, 1))`, is stopped only when it returns. There is no
    limit outside the main thread or on Windows: interrupt or restart the kernel.

    Afterwards the random number generators of torch on the CPU, NumPy and Python are restored, and
    so are: torch's default dtype and device, gradient mode, autocast, number of threads,
    deterministic algorithms, precision of products and anomaly detection; print options, warnings
    and floating-point errors; the recursion limit and garbage collection; and the attributes of
    `torch`, `torch.Tensor` and `torch.nn.functional`. Nothing else is restored: neither files, the
    working directory, the environment and the umask, nor hooks, threads and changes to other
    modules.

    Args:
        slug: name of the exercise.
        f: the function, or the class where the exercise asks for one.
        lang: language of the verdict, "en" or "zh".

    Returns:
        The verdict. It is displayed as text, and is true where `f` is right.

    Raises:
        ValueError: no exercise or language has this name.
        KeyboardInterrupt: the reader interrupted, or `f` raises it.

    >>> check("masked-softmax", lambda X, valid_lens: torch.softmax(X, dim=-1))
    Not yet. The padding is kept: keys from the valid length onwards still get weight. Mask \
them before the softmax.
    """
    _must_exist(slug, lang)
    verdict, error = attempted(lambda: judge(EXERCISES[slug], f))
    if verdict is None:  # any access to the reader's object may raise
        assert error is not None
        verdict = refusal(texts.UNREADABLE.filled(error=in_words(error)))
    return replace(verdict, lang=lang)


def check_source(slug: str, source: str, lang: str = "en", *, name: str = "") -> Verdict:
    """Run a reader's source text in a namespace of its own, and judge what it defines as `check`.

    The source may use `torch`, `nn`, `F`, `math` and `masked_softmax` without importing them. A
    verdict says where it is not Python, what it raises, or that the name is missing.

    Args:
        slug: name of the exercise.
        source: the text.
        lang: language of the verdict, "en" or "zh".
        name: what to judge; "" is the last function or class that the source defines.

    Raises:
        ValueError: no exercise or language has this name.
        KeyboardInterrupt: the reader interrupted.

    >>> check_source("masked-softmax", "def f(X, valid_lens):", name="f")
    Not yet. Python cannot read line 1 of your code. In that line and the one above, look for a \
missing bracket, quotation mark or colon, or for wrong indentation.
    """
    _must_exist(slug, lang)
    found = defined(source, name)
    return replace(found, lang=lang) if isinstance(found, Verdict) else check(slug, found, lang)


def puzzle(slug: str, lang: str = "en") -> PuzzleSheet:
    """Let a reader assemble the solution of a `check` exercise from lines.

    Each gap takes the right line or the line of a classic mistake. The verdict on a choice of lines
    is the one that `check` gives that program; all these programs run when this is called.

    Args:
        slug: name of the exercise.
        lang: language of the texts, "en" or "zh".

    Returns:
        The puzzle to show: interactive on the page and in JupyterLab.

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
