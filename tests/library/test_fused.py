"""Test attention without weights: the path with weights and PyTorch's modules as oracles."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.autograd import gradcheck, gradgradcheck
from torch.export import Dim, export
from torch.func import functional_call, grad, jvp, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from attention_lib import (
    AdditiveAttention,
    DotProductAttention,
    MultiHeadAttention,
    length_mask,
)
from benchmarks.measure import peak_memory
from tests.variants import sampled

B, Q, K, HEADS, D = 2, 3, 5, 2, 14
V = D  # otherwise PyTorch does not fuse on a CPU
LENGTHS: dict[str, Tensor | None] = {
    "none": None,
    "per example": torch.tensor([2, 4]),
    "full": torch.tensor([5, 5]),
    "an empty example": torch.tensor([0, 3]),
    "per query": torch.tensor([[1, 5, 2], [3, 4, 1]]),
    "empty rows": torch.tensor([[0, 3, 0], [5, 0, 1]]),
    "causal": torch.tensor([[1, 2, 3], [1, 2, 3]]),
    "causal after a prefix": torch.tensor([[3, 4, 5], [3, 4, 5]]),
    "causal in one example": torch.tensor([[1, 2, 3], [2, 2, 3]]),
    "short integers": torch.tensor([2, 0], dtype=torch.uint8),
}
MAKE: dict[str, Callable[[], nn.Module]] = {
    "dot product": DotProductAttention,
    "multi-head": lambda: MultiHeadAttention(D, D, V, 6, HEADS, bias=True),
}


@pytest.fixture(params=MAKE)
def attention(request: pytest.FixtureRequest) -> Any:
    torch.manual_seed(0)
    return MAKE[request.param]()


@pytest.fixture(params=LENGTHS)
def valid_lens(request: pytest.FixtureRequest) -> Tensor | None:
    return LENGTHS[request.param]


def case(
    dtype: torch.dtype = torch.float32, sizes: tuple[int, ...] = (B, Q, K), v: int = V
) -> list[Tensor]:
    generator = torch.Generator().manual_seed(1)
    batch, queries, keys = sizes
    shapes = (batch, queries, D), (batch, keys, D), (batch, keys, v)
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]


def gradients(
    attention: nn.Module, inputs: list[Tensor], valid_lens: Tensor | None, **needs: bool
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Return the output, and the gradients of inputs and parameters."""
    leaves = [x.clone().requires_grad_() for x in inputs]
    output = attention(*leaves, valid_lens, **needs)
    slopes = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
    every = [*leaves, *attention.parameters()]
    return output.detach(), torch.autograd.grad((output * slopes).sum(), every)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_output_and_gradients_are_those_with_weights(
    attention: nn.Module, valid_lens: Tensor | None, dtype: torch.dtype
) -> None:
    attention = attention.to(dtype)
    expected = gradients(attention, case(dtype), valid_lens)
    fused = gradients(attention, case(dtype), valid_lens, need_weights=False)
    torch.testing.assert_close(fused, expected, atol=1e-5, rtol=1e-5)
    with torch.no_grad():
        output = attention(*case(dtype), valid_lens, need_weights=False)
    torch.testing.assert_close(output, expected[0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("v", [V, 22])
def test_output_is_that_of_a_softmax_in_double_precision(valid_lens: Tensor | None, v: int) -> None:
    queries, keys, values = (x.double() for x in case(v=v))
    lens = torch.full((B,), K) if valid_lens is None else valid_lens.long()
    lens = lens[:, None].expand(B, Q) if lens.dim() == 1 else lens
    expected = torch.zeros(B, Q, v, dtype=torch.float64)
    for b in range(B):
        for q in range(Q):
            n = int(lens[b, q])
            scores = keys[b, :n] @ queries[b, q] / D**0.5
            expected[b, q] = scores.softmax(0) @ values[b, :n]
    output = DotProductAttention()(*case(v=v), valid_lens, need_weights=False)
    torch.testing.assert_close(output.double(), expected, atol=1e-5, rtol=1e-5)


def test_heads_are_those_of_pytorch() -> None:
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(6, HEADS, bias=False, batch_first=True)
    ours = MultiHeadAttention(6, 6, 6, 6, HEADS)
    with torch.no_grad():
        parts = theirs.in_proj_weight.chunk(3)
        for layer, weight in zip((ours.W_q, ours.W_k, ours.W_v), parts, strict=True):
            layer.weight.copy_(weight)
        ours.W_o.weight.copy_(theirs.out_proj.weight)
    x = torch.randn(B, K, 6)
    lens = torch.tensor([2, 4])
    padding = torch.arange(K) >= lens[:, None]
    expected, _ = theirs(x, x, x, key_padding_mask=padding, need_weights=False)
    torch.testing.assert_close(ours(x, x, x, lens, need_weights=False), expected)


def test_weights_of_an_earlier_call_are_forgotten(attention: Any) -> None:
    attention(*case())
    assert attention.attention_weights is not None
    attention(*case(), need_weights=False)
    assert attention.attention_weights is None
    assert copy.deepcopy(attention).attention_weights is None
    attention(*case(), need_weights=True)
    assert attention.attention_weights is not None


def test_rows_without_keys_are_exactly_0() -> None:
    attention, lens = DotProductAttention(), torch.tensor([[0, 3, 0], [5, 0, 1]])
    for inputs in (case(), [x.requires_grad_() for x in case()]):
        output = attention(*inputs, lens, need_weights=False)
        assert (output == 0).all(-1).tolist() == [[True, False, True], [False, True, False]]


@pytest.mark.parametrize("junk", [torch.nan, torch.inf, -torch.inf, 3e38])
def test_padding_may_hold_anything(attention: nn.Module, valid_lens: Tensor, junk: float) -> None:
    if valid_lens is None:
        longest = torch.full((B,), K)
    else:
        longest = valid_lens.long().reshape(B, -1).amax(dim=1)
    read = length_mask(longest, 1, K).mT
    queries, keys, values = case()
    clean, dirty = ([queries, keys.where(read, x), values.where(read, x)] for x in (0, junk))
    expected = gradients(attention, clean, valid_lens, need_weights=False)
    mine = gradients(attention, dirty, valid_lens, need_weights=False)
    torch.testing.assert_close(mine, expected)
    with torch.inference_mode():
        output = attention(*dirty, valid_lens, need_weights=False)
    torch.testing.assert_close(output, expected[0], atol=1e-5, rtol=1e-5)


@given(st.data())
def test_any_lengths_give_what_the_path_with_weights_gives(data: st.DataObject) -> None:
    sizes = tuple(data.draw(st.integers(0, 4)) for _ in range(3))
    shape = data.draw(st.sampled_from([sizes[:1], sizes[:2]]))
    count = torch.Size(shape).numel()
    drawn = data.draw(st.lists(st.integers(0, sizes[2]), min_size=count, max_size=count))
    lens = torch.tensor(drawn, dtype=torch.int64).reshape(shape)
    attention, inputs = DotProductAttention(), case(sizes=sizes)
    expected = gradients(attention, inputs, lens)
    torch.testing.assert_close(
        gradients(attention, inputs, lens, need_weights=False), expected, atol=1e-5, rtol=1e-5
    )


@pytest.mark.parametrize("name", ["none", "an empty example", "empty rows", "causal"])
def test_gradients_are_those_of_finite_differences(attention: nn.Module, name: str) -> None:
    leaves = [x.requires_grad_() for x in case(torch.float64)]
    attention, lens = attention.double(), LENGTHS[name]

    def pooled(*inputs: Tensor) -> Any:
        return attention(*inputs, lens, need_weights=False)

    assert gradcheck(pooled, leaves, fast_mode=True)
    with sdpa_kernel(SDPBackend.MATH):  # which is not fused, and has second gradients
        assert gradgradcheck(pooled, leaves, fast_mode=True)


@pytest.mark.filterwarnings("ignore:`torch.jit.script`:DeprecationWarning")  # of jvp
def test_what_fused_operators_lack_pytorch_refuses() -> None:
    def pooled(queries: Tensor) -> Any:
        return DotProductAttention()(queries, *case()[1:], need_weights=False)

    (slopes,) = torch.autograd.grad(
        pooled(x := case()[0].requires_grad_()).square().sum(), x, create_graph=True
    )
    with pytest.raises(RuntimeError, match="backward is not implemented"):
        slopes.sum().backward()
    with pytest.raises(NotImplementedError, match="forward AD"):
        jvp(pooled, (case()[0],), (case()[0],))


@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")
def test_it_maps_over_inputs_and_lengths_and_has_gradients_there(attention: nn.Module) -> None:
    inputs, lens = case(), torch.tensor([[2, 0], [5, 3]])
    many = [torch.stack([x, -x]) for x in inputs]

    def pooled(*x: Tensor) -> Any:
        return attention(*x, need_weights=False)

    alone = [attention(*x, n) for *x, n in zip(*many, lens, strict=True)]
    expected = torch.stack(alone)
    torch.testing.assert_close(vmap(pooled)(*many, lens), expected, atol=1e-5, rtol=1e-5)
    by_lengths = vmap(pooled, (None, None, None, 0))(*inputs, lens)
    torch.testing.assert_close(
        by_lengths, torch.stack([attention(*inputs, n) for n in lens]), atol=1e-5, rtol=1e-5
    )
    slopes = grad(lambda x, n: pooled(x, *inputs[1:], n).square().sum())(inputs[0], lens[0])
    wanted = grad(lambda x, n: attention(x, *inputs[1:], n).square().sum())(inputs[0], lens[0])
    torch.testing.assert_close(slopes, wanted, atol=1e-5, rtol=1e-5)


COMPILED = {"none", "an empty example", "per query"}  # a graph for each number of dimensions


@pytest.mark.parametrize("name", sampled(LENGTHS, COMPILED.__contains__))
@pytest.mark.parametrize("backend", sampled(["eager", "aot_eager"], "aot_eager".__eq__))
def test_it_compiles_to_one_graph_and_trains(attention: nn.Module, name: str, backend: str) -> None:
    valid_lens = LENGTHS[name]
    torch.compiler.reset()
    compiled = torch.compile(attention, backend=backend, fullgraph=True)
    expected = gradients(attention, case(), valid_lens)
    leaves = [x.requires_grad_() for x in case()]
    output = compiled(*leaves, valid_lens, need_weights=False)
    slopes = torch.linspace(-1, 1, output.numel()).reshape(output.shape)
    every = torch.autograd.grad((output * slopes).sum(), [*leaves, *attention.parameters()])
    torch.testing.assert_close((output.detach(), every), expected, atol=1e-5, rtol=1e-5)
    assert attention.attention_weights is None


class Fused(nn.Module):
    """Call a module without weights, because an export passes positional arguments alone."""

    def __init__(self, attention: nn.Module) -> None:
        super().__init__()
        self.attention = attention

    def forward(self, *case: Tensor) -> Any:
        return self.attention(*case, need_weights=False)


@pytest.mark.parametrize("strict", [False, True])
def test_it_is_exported_for_any_batch_and_lengths_and_keeps_the_weights(
    attention: nn.Module, strict: bool
) -> None:
    attention(*case())
    kept = attention.attention_weights
    given = *case(), torch.tensor([5, 5])
    shapes = (tuple({0: Dim("batch")} for _ in given),)
    program = export(Fused(attention), given, dynamic_shapes=shapes, strict=strict).module()
    if isinstance(attention, DotProductAttention):
        assert attention.attention_weights is kept
    for batch in (2, 3, 7):
        inputs, lens = case(sizes=(batch, Q, K)), torch.arange(batch) % (K + 1)
        torch.testing.assert_close(
            program(*inputs, lens), attention(*inputs, lens), atol=1e-5, rtol=1e-5
        )


def test_dropout_acts_in_training_alone_and_keeps_the_mean() -> None:
    torch.manual_seed(0)
    attention, lens = DotProductAttention(0.5), torch.tensor([2, 4])
    steady = attention.eval()(*case(), lens, need_weights=False)
    assert torch.equal(steady, attention(*case(), lens, need_weights=False))
    many = [x.repeat(3000, 1, 1) for x in case()]
    drawn = attention.train()(*many, lens.repeat(3000), need_weights=False)
    assert not torch.equal(drawn[:B], steady)
    mean = drawn.reshape(3000, B, Q, V).mean(0)
    torch.testing.assert_close(mean, steady, rtol=0.1, atol=0.1)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_and_autocast_stay_near(attention: nn.Module, dtype: torch.dtype) -> None:
    lens = torch.tensor([0, 3])
    expected = attention(*case(), lens)
    halves = [x.to(dtype) for x in case()]
    half = copy.deepcopy(attention).to(dtype)(*halves, lens, need_weights=False)
    with torch.autocast("cpu", dtype):
        cast = attention(*case(), lens, need_weights=False)
    for output in (half, cast):
        assert output.dtype == dtype
        torch.testing.assert_close(output.float(), expected, atol=0.05, rtol=0.05)


def test_only_shapes_count_where_a_value_cannot_be_read(attention: nn.Module) -> None:
    meta = [x.to("meta") for x in case()]
    lens = torch.tensor([9, 9], device="meta")
    output = attention.to("meta")(*meta, lens, need_weights=False)
    assert output.is_meta


def test_arguments_stay_as_they_are(attention: nn.Module) -> None:
    inputs, lens = [x.mT.contiguous().mT for x in case()], torch.tensor([2, 0])
    with torch.no_grad():
        attention(*inputs, lens, need_weights=False).fill_(7)
    assert all(map(torch.equal, inputs, case()))
    assert lens.tolist() == [2, 0]


@pytest.mark.parametrize("name", ["full", "causal", "none"])
def test_no_mask_is_made_where_none_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    masks, real = [], F.scaled_dot_product_attention

    def spy(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *rest: Any) -> Tensor:
        masks.append((mask, *rest))
        return real(q, k, v, mask, *rest)

    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    DotProductAttention()(*case(), LENGTHS[name], need_weights=False)
    assert masks == [(None, 0.0, name == "causal")]


@pytest.mark.parametrize("lens", [None, torch.tensor([300]), torch.tensor([0])])
def test_heads_share_a_mask_and_no_weights_are_held(lens: Tensor | None) -> None:
    x = torch.randn(1, 512, 64)
    attention = MultiHeadAttention(64, 64, 64, 64, 8)
    weights = 8 * 512 * 512 * 4 / 2**20  # MiB
    with torch.no_grad():
        per_query = None if lens is None else lens[:, None].repeat(1, 512)
        for valid_lens in (lens, per_query):
            call = lambda n=valid_lens: attention(x, x, x, n, need_weights=False)  # noqa: E731
            assert peak_memory(call) < weights / 3


class Loud(DotProductAttention):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return 2 * super().score(queries, keys)


@pytest.mark.parametrize("attention", [AdditiveAttention(D, D, 4), Loud()])
def test_a_score_that_is_not_fused_is_refused(attention: Any) -> None:
    message = f"^need_weights must be True for {type(attention).__name__}; got False$"
    with pytest.raises(ValueError, match=message):
        attention(*case(), need_weights=False)
    heads = MultiHeadAttention(D, D, V, 2 * D, HEADS, attention=attention)
    with pytest.raises(ValueError, match=message):
        heads(*case(), need_weights=False)


def test_a_module_of_another_kind_is_refused_as_heads() -> None:
    heads = MultiHeadAttention(D, D, V, 6, HEADS)
    heads.attention = nn.Identity()  # type: ignore[assignment]
    with pytest.raises(ValueError, match="need_weights must be True for Identity; got False"):
        heads(*case(), need_weights=False)


@pytest.mark.parametrize("flag", [0, 1, None, "no", torch.tensor(False)])
def test_only_true_and_false_are_taken(attention: nn.Module, flag: Any) -> None:
    came = type(flag).__name__
    with pytest.raises(TypeError, match=f"need_weights must be True or False; got {came}"):
        attention(*case(), need_weights=flag)


def test_lengths_that_do_not_fit_are_refused_with_the_same_words(attention: nn.Module) -> None:
    for wrong in (torch.tensor([1, 6]), torch.tensor([1]), torch.tensor([1.0, 2.0]), [1, 2]):
        words = []
        for need in (True, False):
            with pytest.raises((ValueError, TypeError)) as refusal:
                attention(*case(), wrong, need_weights=need)
            words.append(str(refusal.value))
        assert words[0] == words[1]


def test_parameters_can_be_given_to_a_functional_call() -> None:
    attention = MAKE["multi-head"]()
    zeros = {name: torch.zeros_like(x) for name, x in attention.named_parameters()}
    output: Any = functional_call(attention, zeros, tuple(case()), {"need_weights": False})
    assert not output.any()


def test_an_empty_example_takes_no_copy_of_the_output() -> None:
    x, lens = torch.randn(8, 512, 64), torch.tensor([0, *range(500, 507)])
    with torch.no_grad():
        peak = peak_memory(lambda: DotProductAttention()(x, x, x, lens, need_weights=False))
    assert peak < 1.5 * x.nbytes / 2**20


def test_there_may_be_more_keys_than_the_integers_of_the_lengths_hold() -> None:
    inputs, lens = case(sizes=(B, Q, 300)), torch.tensor([0, 200], dtype=torch.uint8)
    output = DotProductAttention()(*inputs, lens, need_weights=False)
    torch.testing.assert_close(output, DotProductAttention()(*inputs, lens), atol=1e-5, rtol=1e-5)
