"""Test decomposable attention: numbers by hand, a NumPy loop, padding, dtypes, gradients."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import gradcheck

from attention_lib import DecomposableAttention

B, P, H, E, N, C, V = (
    2,
    5,
    7,
    3,
    11,
    4,
    13,
)  # primes, except for the 4 classes: swapped axes cannot pass
LENS = torch.tensor([3, 5]), torch.tensor([7, 2])
CASES = pytest.mark.parametrize(
    "lens", [(None, None), LENS, (LENS[0], None), (torch.tensor([0, 4]), torch.tensor([6, 0]))]
)


def make(seed: int = 0) -> DecomposableAttention:
    torch.manual_seed(seed)
    return DecomposableAttention(V, E, N, num_classes=C).double()


def sentences(seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    premises = torch.randint(V, (B, P), generator=generator)
    return premises, torch.randint(V, (B, H), generator=generator)


def perceptron(layers: nn.Sequential, x: NDArray[np.float64]) -> NDArray[np.float64]:
    linear = [layer for layer in layers if isinstance(layer, nn.Linear)]
    for number, layer in enumerate(linear, 1):
        assert layer.bias is not None
        x = layer.weight.detach().numpy() @ x + layer.bias.detach().numpy()
        # Only H may return negative numbers: its logits, one per class.
        x = x if number == 2 else np.maximum(x, 0)
    return x


def mean_by_score(model: DecomposableAttention, x: list, others: list) -> NDArray[np.float64]:
    """Align one word with the words of the other sentence."""
    if not others:
        return np.zeros(E)
    e = [np.exp(perceptron(model.F, x) @ perceptron(model.F, y)) for y in others]
    return np.sum([weight * y for weight, y in zip(e, others, strict=True)], axis=0) / sum(e)


def loop(model: DecomposableAttention, premise: Tensor, hypothesis: Tensor) -> NDArray[np.float64]:
    """Compute one pair word by word, without any padding."""
    table = model.embedding.weight.detach().numpy()
    a, b = [table[i] for i in premise], [table[i] for i in hypothesis]
    sums = [
        sum(
            (
                perceptron(model.G, np.concatenate([x, mean_by_score(model, x, others)]))
                for x in own
            ),
            start=np.zeros(N),
        )
        for own, others in ((a, b), (b, a))
    ]
    return perceptron(model.H, np.concatenate(sums))


def test_f_reads_given_vectors_alone_and_all_else_the_whole_word() -> None:
    torch.manual_seed(0)
    vectors = torch.randn(V, 2).double()
    model = DecomposableAttention(V, E, N, num_classes=C, vectors=vectors).double()
    assert model.embedding.weight.shape == (V, E - 2)
    premises, hypotheses = sentences()
    a, b = model.embed(premises), model.embed(hypotheses)
    assert torch.equal(a[..., :2], vectors[premises])
    assert torch.equal(a[..., 2:], model.embedding(premises))
    beta, alpha = model.attend(a, b)
    forth = torch.softmax(model.F(a[..., :2]) @ model.F(b[..., :2]).mT, dim=-1)
    torch.testing.assert_close(beta, forth @ b)
    assert model.attention_weights is not None
    torch.testing.assert_close(model.attention_weights[0], forth.detach())
    logits = model.aggregate(model.compare(a, beta), model.compare(b, alpha))
    assert torch.equal(logits, model(premises, hypotheses))


def test_given_vectors_are_a_copy_and_nothing_that_is_learnt() -> None:
    vectors = torch.zeros(V, E)
    model = DecomposableAttention(V, E, N, vectors=vectors)
    vectors += 1
    assert model.vectors is not None
    assert not model.vectors.any()
    assert "vectors" in model.state_dict()
    assert "vectors" not in dict(model.named_parameters())
    assert model.embedding.weight.numel() == 0  # all vectors are given
    model(*sentences()).sum().backward()
    assert model.double()(*sentences()).dtype == torch.float64


@CASES
@pytest.mark.parametrize("seed", range(3))
def test_the_model_agrees_with_a_loop_over_pairs_and_words(
    lens: tuple[Tensor | None, Tensor | None], seed: int
) -> None:
    model, (premises, hypotheses) = make(seed), sentences(seed)
    logits = model(premises, hypotheses, *lens)
    ends = [[size] * B if n is None else n.tolist() for n, size in zip(lens, (P, H), strict=True)]
    expected = [
        loop(model, premises[i, : ends[0][i]], hypotheses[i, : ends[1][i]]) for i in range(B)
    ]
    torch.testing.assert_close(logits.detach(), torch.from_numpy(np.stack(expected)))


def test_an_alignment_worked_out_by_hand() -> None:
    model = DecomposableAttention(vocab_size=2, embedding_size=1, num_hiddens=1)
    with torch.no_grad():
        model.F[0].weight.fill_(1)
        model.F[0].bias.fill_(0)
    a, b = torch.tensor([[[1.0]]]), torch.tensor([[[np.log(3.0)], [0.0], [9.0]]])
    beta, alpha = model.attend(a, b.float(), None, torch.tensor([2]))  # weights 3/4 and 1/4
    torch.testing.assert_close(beta, torch.tensor([[[0.75 * np.log(3.0)]]]).float())
    assert alpha.tolist() == [[[1.0], [1.0], [1.0]]]
    assert model.attention_weights is not None
    torch.testing.assert_close(model.attention_weights[0], torch.tensor([[[0.75, 0.25, 0.0]]]))


@given(seed=st.integers(0, 99), data=st.data())
def test_padding_never_matters(seed: int, data: st.DataObject) -> None:
    model, (premises, hypotheses) = make(seed), sentences(seed)
    lens = [torch.tensor(data.draw(st.tuples(*[st.integers(0, n)] * B))) for n in (P, H)]
    expected = model(premises, hypotheses, *lens)
    others = [
        torch.where(torch.arange(x.shape[1]) < n[:, None], x, y)
        for x, y, n in zip((premises, hypotheses), sentences(seed + 1), lens, strict=True)
    ]
    assert torch.equal(model(*others, *lens), expected)
    longer = [torch.cat([x, x[:, :3]], dim=1) for x in others]
    torch.testing.assert_close(model(*longer, *lens), expected)


@given(seed=st.integers(0, 99))
def test_the_order_of_the_words_never_matters(seed: int) -> None:
    model, (premises, hypotheses) = make(seed), sentences(seed)
    torch.manual_seed(seed)
    shuffled = premises[:, torch.randperm(P)], hypotheses[:, torch.randperm(H)]
    torch.testing.assert_close(model(*shuffled), model(premises, hypotheses))


def test_without_lengths_padding_does_matter() -> None:
    model, (premises, hypotheses) = make(), sentences()
    longer = torch.cat([hypotheses, torch.zeros(B, 3, dtype=torch.int64)], dim=1)
    assert not torch.allclose(model(premises, longer), model(premises, hypotheses))


def test_empty_sentences_meet_zeros_and_add_up_to_zeros() -> None:
    model, none = make(), torch.zeros(B, dtype=torch.int64)
    a, b = (model.embedding(x) for x in sentences())
    beta, alpha = model.attend(a, b, none, none)
    assert not beta.any()
    assert not alpha.any()
    v_a, v_b = model.compare(a, beta), model.compare(b, alpha)
    assert torch.equal(
        model.aggregate(v_a, v_b, none, none), model.H(torch.zeros(B, 2 * N).double())
    )
    empty = torch.zeros(B, 0, dtype=torch.int64)
    torch.testing.assert_close(model(empty, empty, none, none), model(*sentences(), none, none))
    assert model(empty[:0], empty[:0]).shape == (0, C)


@CASES
def test_gradients_are_finite_and_none_reach_a_padded_word(
    lens: tuple[Tensor | None, Tensor | None],
) -> None:
    model = make()
    with torch.autograd.set_detect_anomaly(True):
        model(*sentences(), *lens).sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())
    premises = torch.tensor([[1, 2, 12]])  # the 12 is padding
    model.zero_grad()
    model(premises, torch.tensor([[3]]), torch.tensor([2]), torch.tensor([1])).sum().backward()
    assert model.embedding.weight.grad is not None
    assert not model.embedding.weight.grad[12].any()
    assert model.embedding.weight.grad[1].any()


@CASES
def test_gradients_are_those_of_finite_differences(
    lens: tuple[Tensor | None, Tensor | None],
) -> None:
    model, ids = make(), sentences()
    names = [name for name, _ in model.named_parameters()]

    def logits(*parameters: Tensor) -> Tensor:
        state = dict(zip(names, parameters, strict=True))
        result = torch.func.functional_call(model, state, (*ids, *lens))
        assert isinstance(result, Tensor)
        return result

    assert gradcheck(logits, tuple(model.parameters()), fast_mode=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept(dtype: torch.dtype) -> None:
    expected, model = make()(*sentences(), *LENS), make().to(dtype)
    logits = model(*sentences(), *LENS)
    assert logits.dtype == dtype
    assert model.attention_weights is not None
    assert {weights.dtype for weights in model.attention_weights} == {dtype}
    tolerance = 20 * torch.finfo(dtype).eps + 1e-6
    torch.testing.assert_close(logits.double(), expected, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("integer", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_ids_and_lengths_may_have_any_integer_dtype(integer: torch.dtype) -> None:
    case = [x.to(integer) for x in (*sentences(), *LENS)]
    before = [x.clone() for x in case]
    assert torch.equal(make()(*case), make()(*sentences(), *LENS))
    assert all(map(torch.equal, case, before))
