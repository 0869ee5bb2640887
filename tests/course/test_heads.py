"""Test the stored models of two heads: the chapter's claims, and that the script makes them."""

from typing import Literal

import pytest
import torch

from attention_course.heads import GRAMMARS, divided, model, runs
from tools import heads

LANGUAGES: list[Literal["en", "zh"]] = ["en", "zh"]
languages = pytest.mark.parametrize("lang", LANGUAGES)


@languages
def test_in_most_of_sixteen_runs_each_head_has_a_half_of_its_own(
    lang: Literal["en", "zh"],
) -> None:
    right = runs(lang)
    assert right.shape == (heads.SEEDS, heads.NUM_HEADS, 2)
    share = divided(right).float().mean()
    assert 0.6 < share < 1  # and in some they share the work


@languages
def test_the_script_makes_models_as_those_that_are_stored(lang: Literal["en", "zh"]) -> None:
    form, parameters = heads.trained(GRAMMARS[lang], seeds=6)
    of = heads.measured(GRAMMARS[lang], form, parameters)
    assert (of["right"] > 0.9).all(1).sum() >= 4
    assert divided(of["off"]).sum() >= 2


@languages
def test_the_stored_model_is_right_and_each_head_looks_where_it_is_said_to(
    lang: Literal["en", "zh"],
) -> None:
    embedding, attention = model(lang)
    form = heads.Model(len(embedding))
    parameters = {"embedding.weight": embedding[None]}
    parameters |= {f"attention.{name}": x[None] for name, x in attention.state_dict().items()}
    of = heads.measured(GRAMMARS[lang], form, parameters)
    assert of["right"].min() > 0.99
    assert divided(of["off"]).all()
    assert of["looks"][0].diagonal().min() > 0.9  # head 0 at the marker, head 1 at the first noun
    assert of["off"][0, 0, 0] < 0.65  # without head 0 the marker is a guess


def test_sentences_are_of_their_grammar_and_answers_those_of_their_words() -> None:
    grammar = GRAMMARS["en"]
    words, answers, lengths, wanted = heads.sentences(grammar, 50, torch.Generator().manual_seed(1))
    assert sorted(set(lengths.tolist())) == [6, 7, 8]
    plural = {"dogs", "cats", "children", "mice", "women", "birds"}
    past = {"yesterday", "earlier", "once", "formerly"}
    for row, answer, places in zip(words, answers, wanted.tolist(), strict=True):
        marker, noun = (grammar.vocabulary[int(row[place])] for place in places)
        assert (
            grammar.answers[int(answer)]
            == {
                (False, False): "is",
                (False, True): "are",
                (True, False): "was",
                (True, True): "were",
            }[marker in past, noun in plural]
        )


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ([[1.0, 0.5], [0.5, 1.0]], True),
        ([[0.5, 1.0], [1.0, 0.5]], True),
        ([[1.0, 0.5], [1.0, 0.5]], False),
        ([[0.5, 0.5], [1.0, 1.0]], False),
        ([[1.0, 0.7], [0.5, 1.0]], False),
        ([[0.9, 0.5], [0.5, 1.0]], False),
    ],
)
def test_the_work_is_divided_when_each_head_costs_one_half_and_another(
    right: list[list[float]], expected: bool
) -> None:
    assert divided(torch.tensor([right])).tolist() == [expected]
