"""Test the alignment figure in Python: numbers, traits, invalid values."""

import json
import math
import re

import pytest
import torch
from alignment_examples import PAIRS, alignment, model, vocabulary

from attention_course.nli import LABELS, Pair, Vocabulary
from attention_figures import AlignmentFigure
from attention_lib import DecomposableAttention


def test_weights_and_prediction_by_hand() -> None:
    words = Vocabulary(["sun moon"])
    made = DecomposableAttention(len(words), 2, 2)
    unit, sizes = torch.eye(2), {"F": (2, 2), "G": (4, 2), "H": (4, 3)}
    for name, (inputs, outputs) in sizes.items():
        setattr(made, name, torch.nn.Sequential(torch.nn.Linear(inputs, outputs)))
    for parameter in made.parameters():
        parameter.data.zero_()
    made.embedding.weight.data[2:] = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    made.F[0].weight.data = unit  # the words themselves
    made.G[0].weight.data[:, 2:] = unit  # the word aligned with each
    made.H[0].weight.data[0, 0] = 1  # its first component, summed over the premise
    figure = AlignmentFigure(made, words, [Pair("Sun, moon!", "sun", "neutral")])
    assert figure.attention_weights.tolist() == [[[1], [1]]]
    weight = math.e / (math.e + 1)  # scores 1 and 0
    assert figure.reverse_weights.flatten().tolist() == pytest.approx([weight, 1 - weight])
    entailed = math.exp(2) / (math.exp(2) + 2)  # both words met the sun, (1, 0)
    assert figure.probabilities.tolist() == pytest.approx([entailed, *[(1 - entailed) / 2] * 2])


def test_the_weights_are_those_of_the_model_up_to_rounding() -> None:
    torch.manual_seed(1)
    words = vocabulary()
    made = model(len(words)).eval()
    before = [x.clone() for x in made.parameters()]
    figure = AlignmentFigure(made, words, PAIRS["en"])
    (premise, _), (hypothesis, _) = (words.encode([text]) for text in PAIRS["en"][0][:2])
    logits = made(premise, hypothesis).detach().double()
    torch.testing.assert_close(figure.stages()["logits"][0], logits, atol=0.01, rtol=0)
    assert made.attention_weights is not None
    back = made.attention_weights[1].double()
    torch.testing.assert_close(figure.reverse_weights, back, atol=0.01, rtol=0)
    assert all(torch.equal(a, b) for a, b in zip(before, made.parameters(), strict=True))


def test_another_stage_of_training_can_be_assigned() -> None:
    figure, other = alignment(), model(len(vocabulary()))
    figure.parameters = other.state_dict()
    again = AlignmentFigure(other, vocabulary(), PAIRS["en"])
    assert figure.parameters == again.parameters
    assert torch.equal(figure.probabilities, again.probabilities)
    assert re.fullmatch(r"-?\d+\.\d{1,4}", str(figure.parameters["F.0.weight"][0][0]))


def test_given_vectors_belong_to_the_state() -> None:
    words = vocabulary()
    vectors = torch.randn(len(words), 3)
    made = DecomposableAttention(len(words), 5, 6, vectors=vectors)
    figure = AlignmentFigure(made, words, PAIRS["en"])
    assert figure.parameters["vectors"] == [[round(x, 4) for x in row] for row in vectors.tolist()]
    assert [len(row) for row in figure.parameters["embedding.weight"]] == [2] * len(words)
    before = figure.attention_weights
    figure.parameters = made.state_dict() | {"embedding.weight": torch.randn(len(words), 2)}
    assert torch.equal(figure.attention_weights, before)  # F reads only the given part
    figure.parameters = made.state_dict() | {"vectors": torch.randn(len(words), 3)}
    assert not torch.equal(figure.attention_weights, before)


def test_the_gold_label_is_that_of_the_pair_shown() -> None:
    figure = alignment()
    assert figure.label == "entailment"
    figure.hypothesis = "A dog sleeps."
    assert figure.label == "contradiction"
    figure.hypothesis = "A dog sleeps!"
    assert figure.label is None
    figure.set_state({"premise": "the cat"})
    assert figure.premise == "the cat"


@pytest.mark.parametrize(
    ("trait", "wrong", "says"),
    [
        ("premise", 5, "premise must be a string; got int"),
        ("hypothesis", "a\nb", "must be one line of at most 400 characters; got 3: "),
        ("hypothesis", "a" * 401, "of at most 400 characters; got 401: 'aaa"),
        ("pairs", [], "pairs must be a list of at least one pair; got "),
        ("pairs", ["ab"], "must be premise, hypothesis and label; got 'ab'"),
        ("pairs", [("", 1, "neutral")], r"hypothesis of pairs\[0\] must be a string"),
        ("pairs", [("", "", "-")], r"label of pairs\[0\] must be one of .*'neutral'"),
        ("parameters", [1], "parameters must be a state_dict; got list"),
        ("words", ["<pad>"], "words cannot change; make another figure"),
        ("layers", {}, "layers cannot change; make another figure"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason_and_changes_nothing(
    trait: str, wrong: object, says: str
) -> None:
    figure = alignment()
    before = getattr(figure, trait)
    with pytest.raises((ValueError, TypeError), match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


def test_what_the_page_could_not_compute_is_refused() -> None:
    class Other(DecomposableAttention):
        """A subclass, which could override forward."""

    words, pairs = vocabulary(), PAIRS["en"]
    size = len(words)
    odd = DecomposableAttention(size, 4, 6)
    odd.F = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())
    spoilt = DecomposableAttention(size, 4, 6)
    torch.nn.init.constant_(spoilt.embedding.weight, torch.nan)
    for wrong, error, says in [
        ((Other(size, 4, 6), words), TypeError, "model must be DecomposableAttention; got Other"),
        ((odd, words), TypeError, r"model.F must be of Linear, ReLU and Dropout; got Tanh"),
        ((spoilt, words), ValueError, r"parameters\['embedding.weight'\] must be finite"),
        ((model(size + 1), words), ValueError, f"the model's {size + 1} words; got {size}"),
        ((model(size), list(words.words)), TypeError, "must be a Vocabulary; got list"),
        ((DecomposableAttention(size, 4, 6, 2), words), ValueError, "have 3 classes; got 2"),
    ]:
        with pytest.raises(error, match=says):
            AlignmentFigure(*wrong, pairs)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"parameters\['F.0.bias'\] must have shape \(6,\); got"):
        alignment().parameters = model(size, num_hiddens=6).state_dict() | {
            "F.0.bias": torch.zeros(5)
        }


def test_the_representation_is_stable_and_its_tables_name_the_words() -> None:
    figure = alignment("zh", premise="一只<b>龙")
    text = figure._repr_mimebundle_()[0]["text/html"]
    assert text == alignment("zh", premise="一只<b>龙")._repr_mimebundle_()[0]["text/html"]
    assert repr(figure) == "AlignmentFigure(name='alignment')"
    state = json.loads(re.findall(r"<script[^>]*>(.*?)</script>", text)[0])
    assert (state["premise"], state["words"][1]) == ("一只<b>龙", "<unk>")
    assert "<th>一只</th><td>" in text
    assert "<b>" not in text
    for label in ("蕴涵", "中立", "矛盾"):
        assert f"<th>{label}</th>" in text
    for label in LABELS:
        assert f"<th>{label}</th>" not in text
        assert f"<th>{label}</th>" in alignment()._repr_mimebundle_()[0]["text/html"]
