"""Test that the stored trainings of chapter 11 are what their script makes."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from attention_course import learning_to_align as course
from attention_course.dates import (
    MODELS,
    Aligner,
    Tokens,
    encode,
    learn,
    load_model,
    sentences,
)
from attention_course.dates.stored import STORED, store_model
from attention_figures.packed import LEVELS
from benchmarks import alignments
from tools import limits

LANGS = ["en", "zh"]


class Enough(Exception):
    """Raised after the first steps of a training."""


@pytest.mark.parametrize("lang", LANGS)
def test_the_first_steps_give_what_is_stored(lang: str) -> None:
    torch.set_num_threads(1)
    stored = json.loads(alignments.file(lang).read_text("utf-8"))
    replay = stored["models"]["dot"]["replay"][0]
    one, tokens = alignments.shown(lang)[0], Tokens(lang)
    torch.manual_seed(alignments.SEEDS[0])
    model = Aligner(len(tokens.words), MODELS["dot"]())
    seen = []

    def watch(step: int) -> None:
        if step in (0, 20):
            seen.append(alignments.read(model, one, tokens))
        if step == 20:
            raise Enough

    sources = sentences(lang, alignments.NUM_SOURCES, seed=1)
    with pytest.raises(Enough):
        learn(model, sources, tokens, alignments.STEPS[-1], alignments.SEEDS[0], watch)
    for (_, weights), expected in zip(seen, replay["weights"], strict=False):
        torch.testing.assert_close(torch.tensor(weights), torch.tensor(expected), atol=2e-3, rtol=0)
    assert seen[0][0] == replay["written"][0]


@pytest.mark.parametrize("lang", LANGS)
def test_the_stored_weights_write_and_look_as_the_replay_ends(lang: str) -> None:
    assert (STORED / f"{lang}.json").stat().st_size <= 1000 * limits.STORED_ALIGNMENTS
    stored = json.loads(alignments.file(lang).read_text("utf-8"))
    model, tokens = load_model(lang)
    replays = stored["models"]["additive"]["replay"]
    for one, replay in zip(alignments.shown(lang)[:4], replays, strict=False):
        written, weights = alignments.read(model, one, tokens)
        assert written == replay["written"][-1] == one.answer
        torch.testing.assert_close(
            torch.tensor(weights), torch.tensor(replay["weights"][-1]), atol=0.1, rtol=0
        )


@pytest.mark.parametrize("lang", LANGS)
def test_the_stored_sentences_steps_and_models_are_those_of_the_script(lang: str) -> None:
    stored = json.loads(alignments.file(lang).read_text("utf-8"))
    assert stored["steps"] == alignments.STEPS
    assert list(stored["models"]) == list(MODELS)
    for kept, one in zip(stored["sentences"], alignments.shown(lang), strict=True):
        assert kept["text"] == one.text
        assert tuple(kept["tokens"]) == one.tokens
        assert tuple(map(tuple, kept["spans"])) == one.spans
    for name, model in stored["models"].items():
        assert len(model["curves"]) == len(alignments.SEEDS)
        assert all(len(curve) == len(alignments.STEPS) for curve in model["curves"])
        assert (min(_ends(stored, name)) > 0.99) == (name != "fixed")
    # The chapter's claims: later, not never; and the effect of larger and smaller states.
    assert min(stored["late"]["right"]) > 0.99
    assert stored["sizes"]["numbers"] == alignments.SIZES == [32, 64, 128, 256]
    by_size = {
        name: torch.tensor(shares, dtype=torch.float64)
        for name, shares in stored["sizes"]["right"].items()
    }
    assert all(shares.shape == (4, len(alignments.SEEDS)) for shares in by_size.values())
    for name, shares in by_size.items():
        assert shares[2].tolist() == _ends(stored, name)
        assert (shares[1] > 0.9).all() == (name != "fixed")
    least, *_, largest = by_size["fixed"]
    small = {name: by_size[name][0] for name in ("additive", "dot")}
    assert least.max() < 0.01
    if lang == "en":
        assert largest.min() > 4 / 5
        assert small["additive"].mean() == pytest.approx(0.5, abs=0.1)
        assert small["dot"].max() < 0.03
    else:
        assert largest.min() > 2 / 3
        assert (by_size["additive"][1:] == 1).all()
        assert (by_size["dot"][1:] == 1).all()
        assert small["additive"].min() > 0.98
        assert small["dot"].max() < 1 / 3


def _ends(stored: dict[str, Any], name: str) -> list[float]:
    return [curve[-1]["right"] for curve in stored["models"][name]["curves"]]


def test_stored_parameters_come_back_to_half_a_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attention_course.dates.stored.STORED", tmp_path)
    torch.manual_seed(0)
    model = Aligner(len(Tokens("zh").words), MODELS["additive"]())
    with torch.no_grad():
        model.out.bias.zero_()  # a row of zeros has no scale
    store_model(model, "zh")
    text = (tmp_path / "zh.json").read_text("utf-8")
    assert tuple(json.loads(text)["words"]) == Tokens("zh").words
    assert "月" in text  # not as an escape, which is twice as long
    back, _ = load_model("zh")
    assert not back.training
    for name, x in model.state_dict().items():
        step = x.abs().amax(dim=-1, keepdim=True) / LEVELS
        assert ((back.state_dict()[name] - x).abs() <= 0.51 * step + 1e-7).all(), name


@pytest.mark.parametrize("lang", LANGS)
def test_the_stored_words_are_those_that_sentences_can_hold(lang: str) -> None:
    stored = json.loads((STORED / f"{lang}.json").read_text("utf-8"))
    assert tuple(stored["words"]) == Tokens(lang).words


def test_a_model_is_loaded_in_a_language_that_there_is() -> None:
    with pytest.raises(ValueError, match="lang must be 'en' or 'zh'; got 'fr'"):
        load_model("fr")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", list(course._FIGURES))
def test_every_figure_asks_what_torch_answers(name: str, lang: str) -> None:
    figure = course.figure(name, lang)
    asked = figure.question
    figure.set_trait("question", {})
    for trait, value in asked["at"].items():
        setattr(figure, trait, value)
    answer = asked["options"][asked["answer"]]
    if name in ("month", "signed", "zero"):
        assert asked["answer"] == int(figure.attention_weights.argmax())
        assert len(asked["options"]) == len(figure.tokens)
    elif name == "mia":
        assert answer == {"en": "lost", "zh": "找到了"}[lang]
    elif name == "own":
        assert answer == figure.written == "1989-07-14"
        assert figure.tokens[figure.attention_weights[0, 1].argmax()] in "78"
    elif name == "exchanged":
        assert figure.written[0][figure.step] != figure.answer
        assert asked["answer"] == 1
    else:
        expected = {"asks": 1, "curves": 1, "sizes": 2, "heaviest": 1, "dates": 1}[name]
        assert asked["answer"] == expected
        assert not asked["wrong"][expected]


@pytest.mark.parametrize("lang", LANGS)
def test_what_readers_have_seen_is_what_torch_sees(lang: str) -> None:
    seen = {name: course.figure(name, lang).observation for name in course.SEEN}
    answers = {name: one["options"][one["answer"]] for name, one in seen.items()}
    assert (
        answers
        == {
            "en": {
                "mia": "back to an earlier word at one step",
                "own": "2014-02-30",
                "sizes": "the one with dot products",
                "zero": "a change from May to 3",
            },
            "zh": {
                "mia": "有一次又回到前面的词",
                "own": "2014-02-30",
                "sizes": "点积注意力的模型",
                "zero": "从“月”变成了“3”",
            },
        }[lang]
    )


@pytest.mark.parametrize("lang", LANGS)
def test_the_decoder_looks_at_the_words_that_it_translates(lang: str) -> None:
    figure, looked_at = course.figure("mia", lang), []
    for step in range(len(figure.query_names)):
        figure.query = step
        looked_at.append(figure.names[int(figure.attention_weights.argmax())])
    assert (
        looked_at
        == {
            "en": ["Mia", "lost", "her", "key", "lost"],
            "zh": ["她", "找到了", "它", "在", "花园", "花园"],
        }[lang]
    )


def test_weights_of_a_sentence_sum_to_one() -> None:
    stored = course.training("zh")
    weights = torch.tensor(stored["models"]["dot"]["replay"][0]["weights"])
    ids, _, _ = encode(alignments.shown("zh")[:1], Tokens("zh"))
    assert weights.shape == (len(alignments.STEPS), 10, ids.shape[1])
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(weights), 10), atol=3e-3, rtol=0)
