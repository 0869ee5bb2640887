"""Test that the stored model is the one that its training gives."""

import pytest
import torch

from attention_course.nli import aligned_model, counterparts, encode_pairs, load_model, load_pairs
from tools.nli_model import trained


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_stored_model_is_what_training_gives(lang: str) -> None:
    stored, made = load_model(lang)[0].state_dict(), trained(lang).state_dict()
    assert stored.keys() == made.keys()
    for name, parameter in made.items():
        torch.testing.assert_close(stored[name], parameter, atol=2e-3, rtol=0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_words_of_pairs_that_it_has_not_seen_find_their_counterparts(lang: str) -> None:
    model, vocabulary = load_model(lang)
    pairs = load_pairs(lang)[2]
    *inputs, labels = encode_pairs(pairs, vocabulary)
    assert (model(*inputs).argmax(dim=-1) == labels).double().mean() >= 0.95
    match = counterparts(pairs, vocabulary)
    same = inputs[0][:, :, None] == inputs[1][:, None, :]
    assert model.attention_weights is not None
    for weights, right, own in zip(
        model.attention_weights, (match, match.mT), (same, same.mT), strict=True
    ):
        hit = right.gather(-1, weights.argmax(dim=-1, keepdim=True)).squeeze(-1)
        asked = right.any(dim=-1)
        assert hit[asked].double().mean() >= 0.9
        assert hit[asked & ~own.any(dim=-1)].double().mean() >= 0.75


def test_before_training_words_look_at_words_with_like_vectors() -> None:
    vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]])
    model = aligned_model(vectors)
    read = model.F(model.vectors)
    assert model.vectors is not None
    torch.testing.assert_close(read @ read.mT, 9 * (vectors @ vectors.mT).clamp(min=0))
