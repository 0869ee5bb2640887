"""Train the three models whose training chapter 11 replays, and store their weights over time.

`python -m benchmarks.alignments` writes a file for each language, or only for those that are named,
such as `en`. It takes some minutes, and `make bench` does not run it. The chapter trains one model
itself and reads the others from these files.
"""

import json
import sys
from collections.abc import Sequence
from datetime import date
from itertools import product
from typing import Any

import torch

from attention_course.dates import (
    MODELS,
    TARGET,
    Aligner,
    Sentence,
    Tokens,
    compose,
    encode,
    learn,
    measure,
    sentences,
)
from attention_course.dates.model import STATE
from attention_course.dates.stored import store_model
from attention_course.measured import FOLDER
from attention_figures.languages import LANGUAGES
from benchmarks.measure import machine
from tools.replacing import write

STEPS = [0, 20, 40, 60, 80, 100, 125, 150, 175, 200, 250, 300, 400]  # at which we record
SEEDS = [0, 1]
NUM_SOURCES, NUM_TESTS, DATES = 10_000, 500, [1, 2, 3, 4]
LATE = 1000  # steps of a longer training without attention
SIZES = [32, 64, STATE, 256]  # sizes of the hidden state; all other trainings use STATE


def main(langs: Sequence[str]) -> None:
    """Train and store."""
    torch.set_num_threads(1)
    for lang in langs or LANGUAGES:
        write(file(lang), json.dumps(sweep(lang), ensure_ascii=False) + "\n")


def file(lang: str) -> Any:
    """Return the file for a language."""
    return FOLDER / f"alignments-{lang}.json"


def shown(lang: str) -> list[Sentence]:
    """Return the sentences whose alignments are stored; their dates are not in the training set."""
    july, may, november = date(2013, 7, 9), date(2014, 5, 3), date(2014, 11, 13)
    plain, other = (4, 1) if lang == "en" else (1, 3)  # two ways to write a date
    return [
        compose(lang, 1, [(0, july, plain), (1, may, plain)]),
        compose(lang, 0, [(0, july, plain), (1, may, plain)]),
        compose(lang, 1, [(0, july, plain), (1, november, plain)]),
        compose(lang, 1, [(0, july, plain), (1, may, other)]),
        compose(
            lang, 3, [(3, may, plain), (2, july, plain)]
        ),  # an order that is not in the training set
    ]


def sweep(lang: str, steps: Sequence[int] = STEPS) -> dict[str, Any]:
    """Train each model with each seed.

    Args:
        lang: "en" or "zh".
        steps: steps at which we record; the last ends the training.
    """
    tokens, sources = Tokens(lang), sentences(lang, NUM_SOURCES, seed=1)
    tests = sentences(lang, NUM_TESTS, seed=2, unseen=True)
    found: dict[str, Any] = {"machine": machine(), "steps": list(steps), "models": {}}
    found["sentences"] = [one._asdict() for one in shown(lang)]
    for name in MODELS:
        own: dict[str, Any] = {"curves": [], "by_dates": []}
        found["models"][name] = own
        for seed in SEEDS:
            torch.manual_seed(seed)
            model = Aligner(len(tokens.words), MODELS[name]())
            seen = _Recorder(model, tokens, tests, steps, shown(lang), seed == SEEDS[0])
            learn(model, sources, tokens, steps[-1], seed, seen)
            print(lang, name, seed, seen.curve[-1], flush=True)
            own["curves"].append(seen.curve)
            more = [sentences(lang, NUM_TESTS, seed=3, dates=n, unseen=True) for n in DATES]
            own["by_dates"].append([rounded(measure(model, one, tokens)) for one in more])
            if seed == SEEDS[0]:
                own["replay"] = seen.replay
                if name == "additive":
                    store_model(model, lang)
    found["dates"] = DATES
    found["late"] = {"steps": LATE, "right": late(lang)} if steps == STEPS else None
    usual = {
        name: [curve[-1]["right"] for curve in own["curves"]]
        for name, own in found["models"].items()
    }
    right = by_size(lang, usual) if steps == STEPS else None
    found["sizes"] = {"numbers": SIZES, "right": right}
    return found


def late(lang: str) -> list[float]:
    """Train the model without attention longer; return its accuracy by seed."""
    tokens, sources = Tokens(lang), sentences(lang, NUM_SOURCES, seed=1)
    tests, shares = sentences(lang, NUM_TESTS, seed=2, unseen=True), []
    for seed in SEEDS:
        torch.manual_seed(seed)
        model = Aligner(len(tokens.words), MODELS["fixed"]())
        learn(model, sources, tokens, LATE, seed)
        shares.append(rounded(measure(model, tests, tokens))["right"])
        print(lang, "late", seed, shares[-1], flush=True)
    return shares


def by_size(lang: str, usual: dict[str, list[float]]) -> dict[str, list[list[float]]]:
    """Train with other sizes of the hidden state.

    Args:
        lang: "en" or "zh".
        usual: accuracies by model and seed, for STATE.

    Returns:
        Accuracies by model, size and seed.
    """
    tokens, sources = Tokens(lang), sentences(lang, NUM_SOURCES, seed=1)
    tests = sentences(lang, NUM_TESTS, seed=2, unseen=True)
    shares: dict[str, list[list[float]]] = {name: [] for name in MODELS}
    for name, state in product(MODELS, SIZES):
        own = usual[name] if state == STATE else []
        for seed in SEEDS[len(own) :]:
            torch.manual_seed(seed)
            model = Aligner(len(tokens.words), MODELS[name](state), half=state // 2)
            learn(model, sources, tokens, STEPS[-1], seed)
            own.append(rounded(measure(model, tests, tokens))["right"])
        shares[name].append(own)
        print(lang, name, state, own, flush=True)
    return shares


class _Recorder:
    """Records accuracy and weights during a training."""

    def __init__(
        self,
        model: Aligner,
        tokens: Tokens,
        tests: list[Sentence],
        steps: Sequence[int],
        shown: list[Sentence],
        replay: bool,
    ) -> None:
        self.model, self.tokens, self.tests, self.steps = model, tokens, tests, steps
        self.shown = shown if replay else []
        self.curve: list[dict[str, float]] = []
        self.replay: list[dict[str, list[Any]]] = [{"written": [], "weights": []} for _ in shown]

    def __call__(self, step: int) -> None:
        if step not in self.steps:
            return
        self.curve.append(rounded(measure(self.model, self.tests, self.tokens)))
        for one, kept in zip(self.shown, self.replay, strict=False):
            written, weights = read(self.model, one, self.tokens)
            kept["written"].append(written)
            if weights is not None:
                kept["weights"].append(weights)


@torch.no_grad()
def read(model: Aligner, one: Sentence, tokens: Tokens) -> tuple[str, list[list[float]] | None]:
    """Return a model's output for a sentence, and its weights, rounded to 4 decimals."""
    ids, valid_lens, _ = encode([one], tokens)
    written = model(ids, valid_lens)[0].argmax(dim=-1).tolist()
    text = "".join(TARGET[character] for character in written)
    if model.attention_weights is None:
        return text, None
    return text, [[round(x, 4) for x in row] for row in model.attention_weights[0].tolist()]


def rounded(found: dict[str, float]) -> dict[str, float]:
    """Round shares to 4 decimals."""
    return {name: round(share, 4) for name, share in found.items()}


if __name__ == "__main__":
    main(sys.argv[1:])
