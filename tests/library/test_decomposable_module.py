"""Test DecomposableAttention as a module: state, weights, dropout, copies, compile, vmap."""

import copy
import io

import pytest
import torch
from torch import Tensor
from torch.func import functional_call, grad, stack_module_state, vmap

from attention_lib import DecomposableAttention

PREMISES, HYPOTHESES = (
    torch.tensor([[1, 2, 3, 4, 5], [6, 7, 8, 0, 0]]),
    torch.tensor([[2, 9, 4]] * 2),
)
CASE = PREMISES, HYPOTHESES, torch.tensor([5, 3]), torch.tensor([3, 1])


@pytest.fixture
def model() -> DecomposableAttention:
    torch.compiler.reset()
    torch.manual_seed(0)
    return DecomposableAttention(11, 7, 13, dropout=0.5).eval()


def weights(model: DecomposableAttention) -> tuple[Tensor, Tensor]:
    assert model.attention_weights is not None
    return model.attention_weights


def test_parameters_are_those_of_an_embedding_and_three_perceptrons() -> None:
    state = DecomposableAttention(11, 7, 13, num_classes=5).state_dict()
    assert {name: tuple(x.shape) for name, x in state.items()} == {
        "embedding.weight": (11, 7),
        "F.0.weight": (13, 7),
        "F.0.bias": (13,),
        "G.0.weight": (13, 14),
        "G.0.bias": (13,),
        "H.0.weight": (13, 26),
        "H.0.bias": (13,),
        "H.2.weight": (5, 13),
        "H.2.bias": (5,),
    }


def test_three_classes_and_no_dropout_are_the_defaults() -> None:
    model = DecomposableAttention(11, 7, 13)
    assert model(*CASE).shape == (2, 3)
    assert model.dropout.p == 0


def test_forward_is_its_three_parts(model: DecomposableAttention) -> None:
    a, b = model.embedding(PREMISES), model.embedding(HYPOTHESES)
    beta, alpha = model.attend(a, b, *CASE[2:])
    assert (beta.shape, alpha.shape) == (a.shape, b.shape)
    v_a, v_b = model.compare(a, beta), model.compare(b, alpha)
    assert (v_a.shape, v_b.shape) == ((2, 5, 13), (2, 3, 13))
    assert torch.equal(model.aggregate(v_a, v_b, *CASE[2:]), model(*CASE))


def test_weights_are_kept_both_ways_with_nothing_on_padding(model: DecomposableAttention) -> None:
    assert model.attention_weights is None
    model(*CASE)
    forth, back = weights(model)
    assert (forth.shape, back.shape) == ((2, 5, 3), (2, 3, 5))
    torch.testing.assert_close(forth.sum(-1), torch.ones(2, 5))
    torch.testing.assert_close(back.sum(-1), torch.ones(2, 3))
    assert not forth[1, :, 1:].any()
    assert not back[1, :, 3:].any()
    assert not forth.requires_grad
    assert not back.requires_grad


def test_dropout_acts_in_training_alone_and_not_on_the_weights_kept(
    model: DecomposableAttention,
) -> None:
    assert torch.equal(model(*CASE), model(*CASE))
    expected = weights(model)
    torch.manual_seed(1)
    model.train()
    assert not torch.equal(model(*CASE), model(*CASE))
    assert all(map(torch.equal, weights(model), expected))


@pytest.mark.parametrize("side", [0, 1])
def test_dropout_reaches_both_alignments(model: DecomposableAttention, side: int) -> None:
    a, b = model.embedding(PREMISES), model.embedding(HYPOTHESES)
    steady = model.attend(a, b)[side]
    torch.manual_seed(1)
    many = model.train().attend(a.repeat(3000, 1, 1), b.repeat(3000, 1, 1))[side]
    assert not torch.equal(many[:2], steady)
    mean = many.unflatten(0, (3000, 2)).mean(0)
    torch.testing.assert_close(mean, steady, atol=0.1, rtol=0.1)


def test_a_copy_after_a_forward_works_and_is_independent(model: DecomposableAttention) -> None:
    logits = model(*CASE)
    other, buffer = copy.deepcopy(model), io.BytesIO()
    assert all(map(torch.equal, weights(other), weights(model)))
    torch.save(model, buffer)  # pickle
    buffer.seek(0)
    assert torch.equal(torch.load(buffer, weights_only=False)(*CASE), logits)
    for parameter in other.parameters():
        parameter.data.zero_()
    assert torch.equal(model(*CASE), logits)


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])  # no C++ compiler needed
def test_it_compiles_to_one_graph_and_trains(model: DecomposableAttention, backend: str) -> None:
    parameters = list(model.parameters())
    expected = torch.autograd.grad(model(*CASE).square().sum(), parameters)
    compiled = torch.compile(model, backend=backend, fullgraph=True)
    slopes = torch.autograd.grad(compiled(*CASE).square().sum(), parameters)
    torch.testing.assert_close(slopes, expected)
    assert isinstance(weights(model)[1], Tensor)
    assert copy.deepcopy(model).attention_weights is not None


def test_vmap_maps_over_sentences_and_lengths(model: DecomposableAttention) -> None:
    many = [torch.stack([x, x.flip(0)]) for x in CASE]
    expected = torch.stack([model(*CASE), model(*CASE).flip(0)])
    torch.testing.assert_close(vmap(model)(*many), expected)
    assert copy.deepcopy(model).attention_weights is None


def test_an_ensemble_runs_as_one() -> None:
    members = [DecomposableAttention(11, 7, 13) for _ in range(3)]

    def run(state: tuple[dict[str, Tensor], dict[str, Tensor]]) -> Tensor:
        logits = functional_call(members[0], state, CASE)
        assert isinstance(logits, Tensor)
        return logits

    logits = vmap(run)(stack_module_state(members))
    torch.testing.assert_close(logits, torch.stack([member(*CASE) for member in members]))


def test_weights_are_kept_after_grad(model: DecomposableAttention) -> None:
    model(*CASE)
    expected = weights(model)
    state = dict(model.named_parameters())
    grad(lambda state: functional_call(model, state, CASE).sum())(state)
    assert all(map(torch.equal, weights(copy.deepcopy(model)), expected))


def test_only_shapes_are_checked_where_a_value_cannot_be_read(model: DecomposableAttention) -> None:
    meta = [torch.full_like(x, 99).to("meta") for x in CASE]
    assert model.to("meta")(*meta).shape == (2, 3)
    with pytest.raises(ValueError, match="premise_lens must have shape"):
        model(*meta[:2], meta[2][:1], meta[3])


def test_autocast_gives_nearly_the_same(model: DecomposableAttention) -> None:
    expected = model(*CASE)
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(*CASE)
    torch.testing.assert_close(logits.float(), expected, atol=0.1, rtol=0.1)


def test_evaluation_prints_nothing_and_draws_no_random_number(
    model: DecomposableAttention, capsys: pytest.CaptureFixture[str]
) -> None:
    state = torch.get_rng_state()
    model(*CASE)
    assert capsys.readouterr() == ("", "")
    assert torch.equal(torch.get_rng_state(), state)
