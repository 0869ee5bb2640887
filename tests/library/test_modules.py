"""Test the attentions as modules: state, dropout, stored weights, copies."""

import copy
import io
from collections.abc import Callable

import pytest
import torch

from attention_lib import AdditiveAttention, Attention, BilinearAttention, DotProductAttention

QUERIES, KEYS = torch.arange(42.0).reshape(2, 3, 7) / 42, torch.arange(70.0).reshape(2, 5, 7) / 70
VALUES, VALID_LENS = torch.arange(20.0).reshape(2, 5, 2), torch.tensor([2, 4])


MAKE: dict[str, Callable[[], Attention]] = {
    "additive": lambda: AdditiveAttention(7, 7, 13, dropout=0.5),
    "dot product": lambda: DotProductAttention(0.5),
    "bilinear": lambda: BilinearAttention(7, 7, dropout=0.5),
}


@pytest.fixture(params=MAKE)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def attention(kind: str) -> Attention:
    torch.manual_seed(0)
    return MAKE[kind]()


def test_additive_attention_has_three_matrices_and_no_bias() -> None:
    state = AdditiveAttention(key_size=2, query_size=3, num_hiddens=5).state_dict()
    shapes = {name: tuple(x.shape) for name, x in state.items()}
    assert shapes == {"W_k.weight": (5, 2), "W_q.weight": (5, 3), "w_v.weight": (1, 5)}


def test_bilinear_attention_has_one_matrix_and_no_bias() -> None:
    state = BilinearAttention(key_size=2, query_size=3).state_dict()
    assert {name: tuple(x.shape) for name, x in state.items()} == {"W.weight": (3, 2)}


def test_dot_product_attention_has_nothing_to_learn() -> None:
    assert not DotProductAttention().state_dict()


def test_nothing_is_dropped_unless_asked_for() -> None:
    modules = AdditiveAttention(2, 3, 5), BilinearAttention(2, 3), DotProductAttention()
    assert [module.dropout.p for module in modules] == [0.0, 0.0, 0.0]


def test_positional_arguments_are_those_of_the_usual_signature() -> None:
    attention = AdditiveAttention(2, 20, 8, 0.1)
    assert attention.W_k.in_features == 2
    assert attention.W_q.in_features == 20
    assert attention.W_k.out_features == 8
    assert attention.dropout.p == 0.1
    bilinear = BilinearAttention(2, 20, 0.1)
    assert (bilinear.W.in_features, bilinear.W.out_features, bilinear.dropout.p) == (2, 20, 0.1)


def test_weights_are_none_before_the_first_forward(attention: Attention) -> None:
    assert attention.attention_weights is None


def test_weights_are_stored_as_they_were_before_dropout(attention: Attention) -> None:
    attention.eval()(QUERIES, KEYS, VALUES, VALID_LENS)
    expected = attention.attention_weights
    assert expected is not None
    assert expected.shape == (2, 3, 5)
    torch.testing.assert_close(expected.sum(-1), torch.ones(2, 3))
    torch.manual_seed(1)
    attention.train()(QUERIES, KEYS, VALUES, VALID_LENS)
    assert attention.attention_weights is not None
    assert torch.equal(attention.attention_weights, expected)


def test_dropout_acts_in_training_alone(attention: Attention) -> None:
    torch.manual_seed(1)
    case = QUERIES, KEYS, VALUES, VALID_LENS
    steady = attention.eval()(*case)
    assert torch.equal(attention(*case), steady)
    attention.train()
    assert not torch.equal(attention(*case), attention(*case))


def test_what_dropout_leaves_is_scaled_up_so_that_the_mean_stays(attention: Attention) -> None:
    torch.manual_seed(1)
    steady = attention.eval()(QUERIES, KEYS, VALUES, VALID_LENS)
    many = [x.repeat(3000, 1, 1) for x in (QUERIES, KEYS, VALUES)]
    mean = attention.train()(*many, VALID_LENS.repeat(3000)).reshape(3000, 2, 3, 2).mean(0)
    torch.testing.assert_close(mean, steady, rtol=0.1, atol=0.1)


def test_state_moves_to_another_module(attention: Attention, kind: str) -> None:
    other = MAKE[kind]()
    other.load_state_dict(attention.state_dict())
    case = QUERIES, KEYS, VALUES, VALID_LENS
    assert torch.equal(other.eval()(*case), attention.eval()(*case))


def test_a_copy_after_a_forward_works_and_is_independent(attention: Attention) -> None:
    case = QUERIES, KEYS, VALUES.clone().requires_grad_(), VALID_LENS
    output = attention.eval()(*case)
    other = copy.deepcopy(attention)
    torch.testing.assert_close(other.attention_weights, attention.attention_weights)
    assert torch.equal(other(*case), output)
    for parameter in other.parameters():
        parameter.data.zero_()
    assert torch.equal(attention(*case), output)


def test_a_module_can_be_saved_and_loaded_after_a_forward(attention: Attention) -> None:
    output, buffer = attention.eval()(QUERIES, KEYS, VALUES, VALID_LENS), io.BytesIO()
    torch.save(attention, buffer)  # pickle
    buffer.seek(0)
    other = torch.load(buffer, weights_only=False)
    assert torch.equal(other(QUERIES, KEYS, VALUES, VALID_LENS), output)


def test_stored_weights_hold_no_graph(attention: Attention) -> None:
    attention(QUERIES.clone().requires_grad_(), KEYS, VALUES)
    assert attention.attention_weights is not None
    assert not attention.attention_weights.requires_grad


def test_a_subclass_needs_only_a_score() -> None:
    class Constant(Attention):
        def score(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
            return queries.new_zeros(queries.shape[0], queries.shape[1], keys.shape[1])

    mean = VALUES.mean(1, keepdim=True).expand(-1, 3, -1)
    torch.testing.assert_close(Constant()(QUERIES, KEYS, VALUES), mean)
    with pytest.raises(TypeError, match="abstract"):
        Attention()  # type: ignore[abstract]


def test_a_forward_in_evaluation_prints_nothing_and_draws_no_random_number(
    attention: Attention, capsys: pytest.CaptureFixture[str]
) -> None:
    state = torch.get_rng_state()
    attention.eval()(QUERIES, KEYS, VALUES, VALID_LENS)
    assert capsys.readouterr() == ("", "")
    assert torch.equal(torch.get_rng_state(), state)
