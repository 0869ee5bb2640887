"""Test chapter 13's decoder: PyTorch's layers as oracle, its sentences, training, stored models."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_course.decoder import (
    GRAMMARS,
    START,
    Block,
    Decoder,
    Grammar,
    accuracy,
    load_model,
    loss_of,
    new_decoder,
    reading,
    sentence,
    train,
    weights_of,
    write,
)
from attention_course.decoder.sentences import Slot
from attention_course.decoder.stored import STORED, _stored, store_models
from attention_course.records import Lang
from attention_figures.decoder_pass import NOTHING, PARTS, forward_pass, greedy
from attention_figures.packed import LEVELS, pack

LANGS: list[Lang] = ["en", "zh"]
languages = pytest.mark.parametrize("lang", LANGS)
# Words, positions, size, heads, hidden units, blocks
SIZES = [(11, 7, 15, 3, 13, 1), (17, 5, 22, 2, 29, 2)]


def decoder(sizes: tuple[int, ...], causal: bool = True, dtype: Any = torch.float64) -> Decoder:
    """Return a decoder whose parameters are all random, those of its norms among them."""
    torch.manual_seed(0)
    model = Decoder(*sizes, causal=causal).to(dtype).requires_grad_(False)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.5)
    return model


def tokens_for(sizes: tuple[int, ...], number: int = 3) -> Tensor:
    return torch.randint(sizes[0], (number, sizes[1]), generator=torch.Generator().manual_seed(1))


def layer_of(block: Block, dtype: Any) -> nn.TransformerEncoderLayer:
    """Return PyTorch's layer with the weights of a block."""
    heads, (inner, _, outer) = block.attention, block.feed_forward
    size = inner.in_features
    layer = nn.TransformerEncoderLayer(
        size,
        heads.num_heads,
        inner.out_features,
        dropout=0.0,
        activation="relu",
        batch_first=True,
        norm_first=True,
        dtype=dtype,
    )
    projections = [heads.W_q.weight, heads.W_k.weight, heads.W_v.weight]
    layer.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat(projections),
            "self_attn.in_proj_bias": torch.zeros(3 * size, dtype=dtype),
            "self_attn.out_proj.weight": heads.W_o.weight,
            "self_attn.out_proj.bias": torch.zeros(size, dtype=dtype),
            "linear1.weight": inner.weight,
            "linear1.bias": inner.bias,
            "linear2.weight": outer.weight,
            "linear2.bias": outer.bias,
            "norm1.weight": block.norm_1.weight,
            "norm1.bias": block.norm_1.bias,
            "norm2.weight": block.norm_2.weight,
            "norm2.bias": block.norm_2.bias,
        }
    )
    return layer.requires_grad_(False)


def theirs(model: Decoder, tokens: Tensor, causal: bool) -> Tensor:
    """Compute the logits with PyTorch's encoder."""
    number, weight = tokens.shape[1], model.embedding.weight
    layers = [layer_of(block, weight.dtype) for block in model.blocks]  # type: ignore[arg-type]
    encoder = nn.TransformerEncoder(layers[0], len(layers), enable_nested_tensor=False)
    encoder.layers = nn.ModuleList(layers)
    mask = nn.Transformer.generate_square_subsequent_mask(number, dtype=weight.dtype)
    x = F.embedding(tokens, weight) + model.positions.weight[:number]
    x = encoder(x, mask if causal else None, is_causal=causal)
    return F.layer_norm(x, x.shape[-1:], model.norm.weight, model.norm.bias) @ weight.T


@pytest.mark.parametrize(("dtype", "atol"), [(torch.float32, 1e-5), (torch.float64, 1e-9)])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_it_is_the_encoder_of_pytorch_with_the_same_weights(
    sizes: tuple[int, ...], causal: bool, dtype: torch.dtype, atol: float
) -> None:
    model, tokens = decoder(sizes, causal, dtype), tokens_for(sizes)
    got = model(tokens)
    assert got.shape == (*tokens.shape, sizes[0])
    assert got.dtype == dtype
    expected = theirs(model, tokens, causal)
    scale = expected.abs().max().clamp(min=1)
    torch.testing.assert_close(got / scale, expected / scale, atol=atol, rtol=0)


def test_fewer_words_than_positions_get_the_same_logits() -> None:
    model, tokens = decoder(SIZES[0]), tokens_for(SIZES[0])
    torch.testing.assert_close(model(tokens[:, :4]), model(tokens)[:, :4], atol=1e-12, rtol=0)


@pytest.mark.parametrize("lengths", [[1] * 5, [5], [2, 3], [3, 1, 1]])
@pytest.mark.parametrize("sizes", SIZES)
def test_a_cache_changes_nothing(sizes: tuple[int, ...], lengths: list[int]) -> None:
    model, tokens = decoder(sizes), tokens_for(sizes)[:, :5]
    caches = model.empty_caches()
    parts = [model(part, caches) for part in tokens.split(lengths, dim=1)]
    torch.testing.assert_close(torch.cat(parts, dim=1), model(tokens), atol=1e-12, rtol=0)
    assert len(caches) == sizes[5]
    assert [len(cache) for cache in caches] == [5] * sizes[5]


def test_more_words_than_positions_are_refused() -> None:
    model, tokens = decoder(SIZES[0]), tokens_for(SIZES[0])
    longer = torch.cat([tokens, tokens[:, :1]], dim=1)
    says = r"tokens must be at most 7, with the words before; got 8"
    with pytest.raises(ValueError, match=says):
        model(longer)
    caches = model.empty_caches()
    model(tokens, caches)
    with pytest.raises(ValueError, match=says):
        model(tokens[:, :1], caches)
    with pytest.raises(ValueError, match=says):
        write(model, tokens[:, :1], number=8)


def test_all_parameters_are_learnt_and_the_embedding_is_also_the_output() -> None:
    model = Decoder(5, 3, size=6, num_heads=2, num_hidden=7)
    assert not [name for name, _ in model.named_parameters() if name.endswith(("out", "head"))]
    loss_of(model, torch.tensor([[0, 1, 2, 3]])).backward()  # type: ignore[no-untyped-call]
    missing = [name for name, x in model.named_parameters() if x.grad is None or not x.grad.any()]
    assert missing == []
    assert model.embedding.weight.grad is not None
    assert model.embedding.weight.grad[4].any()  # read by none, but a possible next word


# Every tensor of a pass


def hooked(model: Decoder, tokens: Tensor) -> dict[str, Tensor]:
    """Return the tensors that PyTorch's layer computes on the way, by our names."""
    block = model.blocks[0]
    assert isinstance(block, Block)
    layer, seen = layer_of(block, torch.float64), {}
    layer.train()  # the fast path of evaluation calls no hooks

    def keep(name: str, output: bool = True) -> Any:
        def hook(_: nn.Module, inputs: Any, outputs: Any) -> None:
            found = outputs if output else inputs[0]
            seen[name] = found[0] if isinstance(found, tuple) else found

        return hook

    layer.norm1.register_forward_hook(keep("normed"))
    layer.self_attn.register_forward_hook(keep("attended"))
    layer.norm2.register_forward_hook(keep("after_attention", output=False))
    layer.norm2.register_forward_hook(keep("normed_again"))
    layer.linear2.register_forward_hook(keep("hidden", output=False))
    layer.linear2.register_forward_hook(keep("fed"))
    layer.register_forward_hook(keep("outputs"))
    mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], dtype=torch.float64)
    layer(model.embedding(tokens) + model.positions.weight[: tokens.shape[1]], mask)
    y = seen["normed"]
    _, weights = layer.self_attn(y, y, y, attn_mask=mask, average_attn_weights=False)
    return seen | {"attention_weights": weights[0]}


def test_every_tensor_of_a_pass_is_that_of_pytorch() -> None:
    model, tokens = decoder(SIZES[0]), tokens_for(SIZES[0], number=1)
    found = forward_pass(model.state_dict(), tokens[0].tolist(), num_heads=3)
    for name, expected in hooked(model, tokens).items():
        torch.testing.assert_close(found[name], expected, atol=1e-9, rtol=0, msg=name)
    logits = model(tokens)
    torch.testing.assert_close(found["logits"], logits, atol=1e-9, rtol=0)
    torch.testing.assert_close(found["probabilities"], logits.softmax(-1), atol=1e-9, rtol=0)
    torch.testing.assert_close(found["inputs"], found["embedded"] + found["positions"])
    later = torch.ones(7, 7).triu(1).bool()
    assert (found["scores"][:, later] == -torch.inf).all()
    torch.testing.assert_close(found["scores"].softmax(-1), found["attention_weights"])


def without(part: str) -> tuple[Decoder, dict[str, Tensor], dict[str, Tensor]]:
    """Return a decoder, and its passes with all parts and without one."""
    model, tokens = decoder(SIZES[0]), tokens_for(SIZES[0])[0].tolist()
    state = model.state_dict()
    return model, forward_pass(state, tokens, 3), forward_pass(state, tokens, 3, part)


@pytest.mark.parametrize("head", range(3))
def test_a_head_is_removed_like_its_columns_of_the_output_projection(head: int) -> None:
    model, _, found = without(f"head-{head}")
    heads = model.blocks[0].attention
    heads.W_o.weight[:, 5 * head : 5 * (head + 1)] = 0  # type: ignore[index, union-attr]
    torch.testing.assert_close(found["logits"], model(tokens_for(SIZES[0]))[:1], atol=1e-9, rtol=0)
    assert not found["read"][..., 5 * head : 5 * (head + 1)].any()


def test_without_positions_words_are_not_told_apart_by_their_places() -> None:
    model, _, found = without("positions")
    model.positions.weight.zero_()
    assert not found["positions"].any()
    torch.testing.assert_close(found["logits"], model(tokens_for(SIZES[0]))[:1], atol=1e-9, rtol=0)


def test_without_the_mask_words_read_later_ones() -> None:
    model, full, found = without("mask")
    block = model.blocks[0]
    assert isinstance(block, Block)
    block.causal = False
    later = torch.ones(7, 7).triu(1).bool()
    assert (full["attention_weights"][:, later] == 0).all()
    assert (found["attention_weights"][:, later] > 0).all()
    torch.testing.assert_close(found["logits"], model(tokens_for(SIZES[0]))[:1], atol=1e-9, rtol=0)


def test_without_the_first_token_the_other_words_share_its_weight() -> None:
    _, full, found = without("first-token")
    weights = full["attention_weights"].clone()
    weights[..., 0] = 0
    sums = weights.sum(-1, keepdim=True)
    expected = torch.where(sums > 0, weights / sums, 0)
    torch.testing.assert_close(found["attention_weights"], expected, atol=1e-9, rtol=0)
    assert not found["read"][0, 0].any()  # the first word reads nothing
    assert (found["scores"][..., 0] == -torch.inf).all()


def after_attention(
    model: Decoder, x: Tensor, *, sum_2: bool = True, network: bool = True
) -> Tensor:
    """Compute the logits from what stands before the second norm."""
    block = model.blocks[0]
    assert isinstance(block, Block)
    inner, _, outer = block.feed_forward
    y = F.layer_norm(x, (15,), block.norm_2.weight, block.norm_2.bias)
    y = (y @ inner.weight.T + inner.bias).clamp(min=0) @ outer.weight.T + outer.bias
    x = (x if sum_2 else 0) + (y if network else 0)
    x = F.layer_norm(torch.as_tensor(x), (15,), model.norm.weight, model.norm.bias)
    return x @ model.embedding.weight.T


def test_sums_and_the_network_can_be_removed() -> None:
    model, full, found = without("residual-1")
    torch.testing.assert_close(found["after_attention"], full["attended"])
    expected = after_attention(model, full["attended"])
    torch.testing.assert_close(found["logits"], expected, atol=1e-9, rtol=0)
    for part, removed in {"residual-2": "sum_2", "feed-forward": "network"}.items():
        model, full, found = without(part)
        expected = after_attention(model, full["after_attention"], **{removed: False})
        torch.testing.assert_close(found["logits"], expected, atol=1e-9, rtol=0)
    assert not found["fed"].any()


def test_only_a_part_that_there_is_can_be_removed() -> None:
    model = decoder(SIZES[0])
    with pytest.raises(ValueError, match=r"without must be one of .*'head-2'.*; got 'head-3'"):
        forward_pass(model.state_dict(), [0], 3, "head-3")
    assert len({NOTHING, *PARTS}) == 7


def test_greedy_keeps_what_is_given_and_writes_the_rest() -> None:
    model = decoder(SIZES[0])
    tokens, given = [3, 1, 4, 1, 5], [True, False, True, False, False]
    expected: list[int] = []
    for token, keep in zip(tokens, given, strict=True):
        best = model(torch.tensor([expected]))[0, -1].argmax() if expected else torch.tensor(-1)
        expected.append(token if keep else int(best))
    assert greedy(model.state_dict(), tokens, 3, given) == expected


# Sentences


@languages
def test_the_sentences_are_all_that_the_template_allows(lang: Lang) -> None:
    grammar = GRAMMARS[lang]
    found = [tuple(words) for words in grammar.sentences()]
    # What nothing determines: name, verb, thing; or name, verb, number, measure word and noun.
    assert len(found) == len(set(found)) == {"en": 6 * 4 * 8, "zh": 6 * 4 * 3 * 3 * 3}[lang]
    assert tuple(grammar.example) in found
    assert {len(words) for words in found} == {len(grammar.slots)}
    assert grammar.vocabulary[0] == START
    assert set(grammar.vocabulary) == {START, *(word for words in found for word in words)}
    assert len(grammar.vocabulary) == len(set(grammar.vocabulary))


@languages
def test_the_entropy_is_the_logarithm_of_the_number_of_sentences(lang: Lang) -> None:
    # All sentences are equally likely, as the number of choices depends on no earlier one.
    grammar = GRAMMARS[lang]
    assert grammar.entropy == pytest.approx(math.log(len(grammar.sentences())), abs=1e-12)
    following: dict[tuple[str, ...], Counter[str]] = {}
    for words in grammar.sentences():
        for place, word in enumerate(words):
            following.setdefault(tuple(words[:place]), Counter())[word] += 1
    assert all(len({*counts.values()}) == 1 for counts in following.values())


def test_the_entropy_of_a_slot_is_the_mean_over_the_words_that_determine_it() -> None:
    slot = Slot("noun", {"a": ["x", "y"], "b": ["z"]}, by="article")
    assert slot.entropy == pytest.approx(math.log(2) / 2)
    assert slot.all_words == ["x", "y", "z"]


@languages
def test_determined_words_are_those_that_never_stand_otherwise(lang: Lang) -> None:
    grammar = GRAMMARS[lang]
    everything = grammar.sentences()
    assert {word.name for word in grammar.determined(grammar.example)} == {
        "en": {"possessive", "pronoun", "object", "place"},
        "zh": {"noun", "pronoun", "place", "object"},
    }[lang]
    for words in everything[::7]:
        for word in grammar.determined(words):
            assert words[word.place - 1] in word.right
            source = words[word.source - 1]
            possible = {x[word.place - 1] for x in everything if x[word.source - 1] == source}
            assert possible == set(word.right), word.name
            assert possible < {x[word.place - 1] for x in everything}


@languages
def test_a_sixth_is_held_out_and_the_example_among_it(lang: Lang) -> None:
    grammar = GRAMMARS[lang]
    kept, held_out = (list(map(tuple, part)) for part in grammar.split())
    everything = set(map(tuple, grammar.sentences()))
    assert len(held_out) == len(everything) // 6
    assert tuple(grammar.example) in held_out
    assert set(kept).isdisjoint(held_out)
    assert {*kept, *held_out} == everything
    assert len(kept) + len(held_out) == len(everything)
    assert grammar.split() == (list(map(list, kept)), list(map(list, held_out)))


@languages
def test_encoding_begins_with_the_start(lang: Lang) -> None:
    grammar = GRAMMARS[lang]
    tokens = grammar.encode([grammar.example, grammar.sentences()[-1]])
    assert tokens.shape == (2, len(grammar.slots) + 1)
    words = [[grammar.vocabulary[token] for token in row] for row in tokens.tolist()]
    assert words == [[START, *grammar.example], [START, *grammar.sentences()[-1]]]


@languages
def test_the_sentence_of_the_figures_can_be_exchanged_where_nothing_determines_it(
    lang: Lang,
) -> None:
    grammar, mia = GRAMMARS[lang], sentence(lang)
    assert [mia.vocabulary[token] for token in mia.tokens] == [START, *grammar.example[:-1]]
    several = [place for place, tokens in enumerate(mia.swaps) if len(tokens) > 1]
    assert [grammar.slots[place - 1].name for place in several] == grammar.free
    assert all(token in allowed for token, allowed in zip(mia.tokens, mia.swaps, strict=True))
    expected = grammar.determined(grammar.example)
    for word, own in zip(mia.determined, expected, strict=True):
        assert (word.place, word.source) == (own.place, own.source)
        right = word.right[mia.tokens[word.source]]
        assert [mia.vocabulary[token] for token in right] == list(own.right)
    more = sentence(lang, also=("pronoun",))
    place = next(word.place for word in expected if word.name == "pronoun")
    assert len(more.swaps[place]) == 2


# Training


@pytest.fixture(scope="module")
def trained() -> tuple[Decoder, list[float]]:
    """Return a decoder that was trained for a few steps, and its losses."""
    grammar = GRAMMARS["en"]
    model = new_decoder(grammar, seed=3)
    return model, train(model, grammar, steps=40, seed=5)


@torch.no_grad()
def mean_loss(model: Decoder, grammar: Grammar) -> float:
    return loss_of(model, grammar.encode(grammar.sentences())).item()


def test_training_lowers_the_loss_but_not_below_the_entropy(
    trained: tuple[Decoder, list[float]],
) -> None:
    model, losses = trained
    grammar = GRAMMARS["en"]
    assert len(losses) == 40
    assert losses[-1] < 0.6 * losses[0]
    assert mean_loss(model, grammar) > grammar.entropy


def test_training_is_reproducible(trained: tuple[Decoder, list[float]]) -> None:
    again = new_decoder(GRAMMARS["en"], seed=3)
    losses = train(again, GRAMMARS["en"], steps=4, seed=5)
    # The rate falls more slowly in a longer training, so that only the first losses are alike.
    assert losses[:2] == pytest.approx(trained[1][:2], rel=1e-3)
    other = train(new_decoder(GRAMMARS["en"], seed=4), GRAMMARS["en"], steps=1, seed=5)
    assert other[0] != pytest.approx(losses[0], rel=1e-6)


def test_the_loss_is_minus_the_logarithm_of_a_sentences_probability() -> None:
    model, tokens = decoder(SIZES[0]), tokens_for(SIZES[0])
    longer = torch.cat([torch.zeros(3, 1, dtype=torch.long), tokens], dim=1)
    total = 0.0
    for row in longer.tolist():
        for place in range(1, len(row)):
            odds = model(torch.tensor([row[:place]]))[0, -1].softmax(-1)
            total -= math.log(odds[row[place]])
    assert loss_of(model, longer).item() == pytest.approx(total / 3)


@pytest.mark.parametrize("kind", ["trained", "stored"])
def test_accuracy_and_reading_are_those_of_a_slow_loop(
    trained: tuple[Decoder, list[float]], kind: str
) -> None:
    grammar = GRAMMARS["en"]
    model = trained[0] if kind == "trained" else load_model("en")
    some = grammar.sentences()[::17]
    right: dict[str, list[float]] = {}
    reads: dict[str, list[list[float]]] = {}
    for words in some:
        tokens = grammar.encode([words])
        weights = weights_of(model, tokens)[0]
        assert weights.shape == (2, 12, 12)
        for word in grammar.determined(words):
            logits = model(tokens[:, : word.place])[0, -1]
            written = grammar.vocabulary[int(logits.argmax())]
            right.setdefault(word.name, []).append(float(written in word.right))
            most = [int(weights[head, word.place - 1].argmax()) for head in (0, 1)]
            reads.setdefault(word.name, []).append([float(m == word.source) for m in most])
    assert accuracy(model, grammar, some) == {
        name: pytest.approx(sum(x) / len(x)) for name, x in right.items()
    }
    means = {name: torch.tensor(x).mean(0).tolist() for name, x in reads.items()}
    assert reading(model, grammar, some) == {
        name: pytest.approx(shares) for name, shares in means.items()
    }


# Writing


@pytest.mark.parametrize("temperature", [0.0, 0.7, 3.0])
def test_writing_is_a_loop_without_a_cache(temperature: float) -> None:
    model, begun = decoder(SIZES[1]), tokens_for(SIZES[1])[:, :2]
    draws = torch.Generator().manual_seed(7)
    expected = begun
    for _ in range(3):
        logits = model(expected)[:, -1]
        if temperature:
            odds = (logits / temperature).softmax(-1)
            new = torch.multinomial(odds, 1, generator=draws)
        else:
            new = logits.argmax(-1)[:, None]
        expected = torch.cat([expected, new], dim=1)
    generator = torch.Generator().manual_seed(7)
    assert torch.equal(write(model, begun, 3, temperature, generator), expected)
    assert torch.equal(write(model, begun, 0, temperature), begun)


# The stored models


@languages
def test_the_stored_model_knows_every_sentence(lang: Lang) -> None:
    model, grammar = load_model(lang), GRAMMARS[lang]
    assert not model.training
    assert not any(x.requires_grad or x.dtype != torch.float64 for x in model.parameters())
    everything = grammar.sentences()
    right = accuracy(model, grammar, everything)
    assert right == dict.fromkeys(right, 1.0)
    assert len(right) == 4
    assert grammar.entropy < mean_loss(model, grammar) < grammar.entropy + 0.1
    # Sentences that it has not seen are little less likely than those that it has seen.
    kept, held_out = (loss_of(model, grammar.encode(part)).item() for part in grammar.split())
    assert math.log(len(grammar.split()[0])) < kept < grammar.entropy + 0.1
    assert held_out < kept + 0.5


@languages
def test_the_stored_model_writes_what_is_determined(lang: Lang) -> None:
    model, grammar, mia = load_model(lang), GRAMMARS[lang], sentence(lang)
    given = [place == 0 or len(allowed) > 1 for place, allowed in enumerate(mia.swaps)]
    written = greedy(model.state_dict(), mia.tokens, model.num_heads, given)
    determined = {word.place: word for word in mia.determined}
    for place, token in enumerate(written):
        if place in determined:
            word = determined[place]
            assert token in word.right[written[word.source]]
        else:
            assert token == mia.tokens[place]
    tokens = grammar.encode([grammar.example])[0].tolist()
    found = forward_pass(model.state_dict(), tokens[:-1], model.num_heads)
    torch.testing.assert_close(
        found["logits"], model(torch.tensor([tokens[:-1]])), atol=1e-9, rtol=0
    )


@languages
def test_the_unmasked_model_copies_the_next_word_and_cannot_write(lang: Lang) -> None:
    # Its loss lies below what any decoder can reach, because it reads what it should predict.
    model, grammar = load_model(lang, causal=False), GRAMMARS[lang]
    assert mean_loss(model, grammar) < grammar.entropy / 2
    begun = torch.zeros(1, 1, dtype=torch.long)
    one = write(model, begun, len(grammar.slots))[0].tolist()
    words = [grammar.vocabulary[token] for token in one[1:]]
    assert words not in grammar.sentences()


def test_stored_decoders_come_back_to_half_a_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attention_course.decoder.stored.STORED", tmp_path / "models.json")
    _stored.cache_clear()
    try:
        kinds = [(0, True), (1, False)]
        made = {lang: [new_decoder(GRAMMARS[lang], *kind) for kind in kinds] for lang in LANGS}
        for lang, pair in made.items():
            store_models(lang, *pair)
        assert {*json.loads((tmp_path / "models.json").read_text("utf-8"))} == {*LANGS}
        for lang, pair in made.items():
            for model, causal in zip(pair, (True, False), strict=True):
                back = load_model(lang, causal)
                assert back.blocks[0].causal == causal
                for name, x in model.state_dict().items():
                    rows = x if x.dim() == 2 else x[None]
                    step = rows.abs().amax(dim=-1, keepdim=True) / LEVELS
                    error = (back.state_dict()[name] - x).abs().reshape(rows.shape)
                    assert (error <= 0.51 * step + 1e-7).all(), name
    finally:
        _stored.cache_clear()


def test_the_stored_file_is_small_and_a_byte_a_parameter() -> None:
    assert STORED.stat().st_size < 40_000
    model = load_model("en")
    again = pack(model.state_dict())
    assert again.keys() == model.state_dict().keys()
    assert sum(math.prod(x["shape"]) for x in again.values()) == sum(
        x.numel() for x in model.parameters()
    )


def test_a_language_that_there_is_not_has_no_decoder() -> None:
    with pytest.raises(KeyError, match="fr"):
        load_model("fr")  # type: ignore[arg-type]
