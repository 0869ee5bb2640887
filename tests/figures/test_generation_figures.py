"""Test how a decoder writes: with a temperature, and with a cache."""

from collections.abc import Sequence

import pytest
import torch
from figure_examples import decoder_cache, temperature
from figure_page import Open, control
from torch.utils.flop_counter import FlopCounterMode

from attention_course.decoder import GRAMMARS, START, load_model, sentence
from attention_figures import DecoderCacheFigure, TemperatureFigure
from attention_figures.decoder_pass import forward_pass

languages = pytest.mark.parametrize("lang", ["en", "zh"])


@languages
def test_with_a_past_the_decoder_computes_what_it_computes_at_once(lang: str) -> None:
    model, tokens = load_model(lang), sentence(lang).tokens
    parameters = model.state_dict()
    all_at_once = forward_pass(parameters, tokens, model.num_heads)
    past = forward_pass(parameters, tokens[:3], model.num_heads)
    rest = forward_pass(parameters, tokens[3:], model.num_heads, past=past)
    assert torch.allclose(rest["keys"], all_at_once["keys"])
    assert torch.allclose(rest["attention_weights"], all_at_once["attention_weights"][:, 3:])
    assert torch.allclose(rest["logits"], all_at_once["logits"][:, 3:])


@languages
@pytest.mark.parametrize("step", [1, 2, 7])
def test_multiplications_are_half_of_the_operations_that_torch_counts(lang: str, step: int) -> None:
    figure = DecoderCacheFigure(load_model(lang), sentence(lang), step=step)
    model, tokens = load_model(lang), torch.tensor([figure.tokens])
    with FlopCounterMode(display=False) as again:
        model(tokens[:, :step])
    caches = model.empty_caches()
    if step > 1:
        model(tokens[:, : step - 1], caches)
    with FlopCounterMode(display=False) as newest:
        model(tokens[:, step - 1 : step], caches)
    expected = [newest.get_total_flops() / 2, again.get_total_flops() / 2]
    assert figure.stages()["totals"][0, :, 0].tolist() == expected


def test_steps_add_up() -> None:
    figure = decoder_cache()
    steps = []
    for step in range(1, len(figure.tokens) + 1):
        figure.step = step
        stages = figure.stages()
        steps.append(stages["multiplications"].sum(dim=-1))
        assert torch.equal(stages["totals"][..., 1], torch.stack(steps).sum(dim=0))
        assert torch.allclose(stages["probabilities"][0, 0], stages["probabilities"][0, 1])


def test_only_keys_and_values_are_kept_and_only_with_a_cache() -> None:
    figure = decoder_cache()
    assert figure.kept == ["key", "value"]
    figure.cached = False
    assert figure.kept == []
    assert figure.stages()["computed"].sum() == 5 * 6


def written(lang: str, sentences: Sequence[Sequence[str]]) -> TemperatureFigure:
    """Return a figure whose draws, at a temperature of 1, give these sentences."""
    model, grammar = load_model(lang), GRAMMARS[lang]
    tokens = grammar.encode(sentences)
    shares = model(tokens[:, :-1]).softmax(dim=-1)
    upto = shares.cumsum(dim=-1).gather(-1, tokens[:, 1:, None])[..., 0]
    own = shares.gather(-1, tokens[:, 1:, None])[..., 0]
    return TemperatureFigure(model, sentence(lang), (upto - own / 2).detach(), lang=lang)


@languages
def test_draws_choose_the_words_and_no_word_of_a_right_sentence_is_wrong(lang: str) -> None:
    grammar = GRAMMARS[lang]
    sentences = grammar.sentences()[:: len(grammar.sentences()) // 9]
    figure = written(lang, sentences)
    chosen = figure.stages()["written"][0].tolist()
    assert [figure.words_of(tokens) for tokens in chosen] == sentences
    assert figure.mistakes().sum() == 0


def test_a_word_that_an_earlier_one_excludes_is_wrong_and_so_is_one_of_another_place() -> None:
    figure = temperature()
    tokens = {word: token for token, word in enumerate(figure.vocabulary)}

    def wrong(text: str) -> list[str]:
        words = text.split()
        marked = figure._wrong([tokens[word] for word in words])
        return [word for word, is_wrong in zip(words, marked, strict=True) if is_wrong]

    assert wrong("Mia lost his key . He found them in the street .") == [
        *["his", "He", "them", "street"]
    ]
    assert wrong("Mia lost her Mia . She found it in the garden She") == ["Mia", "She"]
    assert wrong(f"{START} lost her ring . He found it in the garden .") == [START]


@languages
def test_at_a_low_temperature_all_words_fit_and_at_a_high_one_many_do_not(lang: str) -> None:
    draws = torch.rand(5, len(sentence(lang).tokens), generator=torch.Generator().manual_seed(0))
    figure = TemperatureFigure(load_model(lang), sentence(lang), draws, temperature=0.5)
    assert figure.mistakes().sum() == 0
    figure.temperature = 4
    assert figure.mistakes().mean() > 0.5


def test_places_are_words_of_the_sentence() -> None:
    mia = sentence("en")
    draws = torch.zeros(1, len(mia.tokens))
    assert TemperatureFigure(load_model("en"), mia, draws, after=["the", "Mia"]).places == [1, 10]
    with pytest.raises(ValueError, match=r"after must be words of the sentence, .*got \['dog'\]"):
        TemperatureFigure(load_model("en"), mia, draws, after=["dog"])
    with pytest.raises(ValueError, match="places must be less than 12; got 12"):
        temperature().places = [0, 12]


def test_the_page_marks_the_words_that_do_not_fit(open_figure: Open) -> None:
    figure = temperature()
    page = open_figure(figure)
    for figure.temperature in (0.5, 2, 4):
        control(page, "temperature").fill(str(figure.temperature))
        lines = figure.stages()["written"][0].tolist()
        for line, tokens in zip(page.locator(".drawn-sentences li").all(), lines, strict=True):
            assert line.inner_text().split() == figure.words_of(tokens)
        marked = page.locator(".drawn-sentences [data-wrong]").count()
        assert marked == figure.mistakes().sum()


def test_the_page_says_what_is_kept(open_figure: Open) -> None:
    page = open_figure(decoder_cache())
    assert page.locator('.part-cell[data-is="kept"]').all_inner_texts() == ["kept"] * 8
    control(page, "cached").uncheck()
    assert page.locator('.part-cell[data-is="new"]').count() == 5 * 6
