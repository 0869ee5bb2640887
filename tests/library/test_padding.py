"""Test that keys and values that no query reads affect neither output nor gradients."""

import copy
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.export import Dim, export
from torch.func import functional_call, grad, vmap

from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DecomposableAttention,
    DotProductAttention,
    GaussianAttention,
    MultiHeadAttention,
)

B, Q, K, SIZE, V = 3, 2, 5, 7, 4
MAKE: dict[str, Callable[[], Attention]] = {
    "additive": lambda: AdditiveAttention(SIZE, SIZE, 11),
    "dot product": DotProductAttention,
    "bilinear": lambda: BilinearAttention(SIZE, SIZE),
    "gaussian": lambda: GaussianAttention(0.5),
}
# The last example has no padding, and the second has only padding.
LENGTHS = {"(B,)": torch.tensor([3, 0, 5]), "(B, Q)": torch.tensor([[3, 1], [0, 0], [2, 5]])}
READ = (torch.arange(K) < torch.tensor([[3], [0], [5]]))[:, :, None]  # (B, K, 1)

JUNK = pytest.mark.parametrize("junk", [torch.nan, torch.inf, -torch.inf, 3e38])
Gradients = dict[str, Tensor]


@pytest.fixture(params=MAKE)
def attention(request: pytest.FixtureRequest) -> Attention:
    torch.manual_seed(0)
    return MAKE[request.param]()


@pytest.fixture(params=LENGTHS)
def valid_lens(request: pytest.FixtureRequest) -> Tensor:
    return LENGTHS[request.param]


@pytest.fixture
def clean() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    shapes = {"queries": (B, Q, SIZE), "keys": (B, K, SIZE), "values": (B, K, V)}
    case = {name: torch.randn(shape, generator=generator) for name, shape in shapes.items()}
    return {name: x if name == "queries" else x.where(READ, 0) for name, x in case.items()}


def fill(case: dict[str, Tensor], junk: float) -> dict[str, Tensor]:
    return {name: x if name == "queries" else x.where(READ, junk) for name, x in case.items()}


def run(
    attend: Callable[..., Tensor], module: torch.nn.Module, case: dict[str, Tensor], *lens: Tensor
) -> tuple[Tensor, Gradients]:
    """Return output and gradients by name."""
    leaves = {name: x.clone().requires_grad_() for name, x in case.items()}
    output = attend(*leaves.values(), *lens)
    leaves |= dict(module.named_parameters())
    slopes = torch.autograd.grad(output.square().sum(), list(leaves.values()))
    return output.detach(), dict(zip(leaves, slopes, strict=True))


def check_equal(mine: tuple[Tensor, Gradients], expected: tuple[Tensor, Gradients]) -> None:
    torch.testing.assert_close(mine, expected)  # torch.equal treats NaN as unequal
    _, gradients = mine
    for name in ("keys", "values"):
        assert torch.equal(gradients[name].where(READ, 0), gradients[name])


@JUNK
def test_padding_reaches_neither_output_nor_gradients(
    attention: Attention, valid_lens: Tensor, clean: dict[str, Tensor], junk: float
) -> None:
    expected = run(attention, attention, clean, valid_lens)
    check_equal(run(attention, attention, fill(clean, junk), valid_lens), expected)


@JUNK
def test_padding_reaches_no_output_without_gradients(
    attention: Attention, valid_lens: Tensor, clean: dict[str, Tensor], junk: float
) -> None:
    attention.dropout.p = 0.5
    with torch.inference_mode():
        torch.manual_seed(1)
        expected = attention(*clean.values(), valid_lens)
        torch.manual_seed(1)
        torch.testing.assert_close(attention(*fill(clean, junk).values(), valid_lens), expected)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("junk", [torch.nan, 6e4])
def test_padding_is_harmless_in_every_dtype(
    attention: Attention,
    valid_lens: Tensor,
    clean: dict[str, Tensor],
    dtype: torch.dtype,
    junk: float,
) -> None:
    attention, clean = attention.to(dtype), {name: x.to(dtype) for name, x in clean.items()}
    expected = run(attention, attention, clean, valid_lens)
    check_equal(run(attention, attention, fill(clean, junk), valid_lens), expected)


HEADS: dict[str, Callable[[], torch.nn.Module]] = {
    "multi-head": lambda: MultiHeadAttention(SIZE, SIZE, V, 12, 2, bias=True),
    "multi-head, additive": lambda: MultiHeadAttention(
        SIZE, SIZE, V, 12, 2, attention=AdditiveAttention(6, 6, 11)
    ),
}


def under_autocast(module: torch.nn.Module, dtype: torch.dtype) -> Callable[..., Tensor]:
    def attend(*case: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype):
            output = module(*case)
        return 20 * output.float()  # gradients as large as with a loss scaler

    return attend


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", [*MAKE, *HEADS])
def test_padding_is_harmless_under_autocast(
    name: str, clean: dict[str, Tensor], dtype: torch.dtype
) -> None:
    torch.manual_seed(0)
    module, lens = (HEADS | MAKE)[name](), LENGTHS["(B,)"]
    attend = under_autocast(module, dtype)
    expected = run(attend, module, clean, lens)
    for junk in (15.0, 2e4, 1e5, torch.inf, torch.nan):
        check_equal(run(attend, module, fill(clean, junk), lens), expected)
        with torch.no_grad():
            torch.testing.assert_close(attend(*fill(clean, junk).values(), lens), expected[0])
    for b, n in enumerate(lens.tolist()):  # the same as without padding
        queries, keys, values = (x[b : b + 1] for x in clean.values())
        alone = {"queries": queries, "keys": keys[:, :n], "values": values[:, :n]}
        output, gradients = run(attend, module, alone)
        pairs = [(output[0], expected[0][b])]
        pairs += [(gradients[x][0], expected[1][x][b, : alone[x].shape[1]]) for x in alone]
        for mine, theirs in pairs:
            size = theirs.abs().max().item() if theirs.numel() else 0
            torch.testing.assert_close(mine, theirs, rtol=0.05, atol=0.02 * size)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("junk", [15.0, 1e5, torch.inf, torch.nan])
def test_padding_is_harmless_under_autocast_in_decomposable_attention(
    junk: float, dtype: torch.dtype
) -> None:
    torch.manual_seed(0)
    model = DecomposableAttention(9, 4, 6)
    premises, hypotheses = torch.tensor([[2, 3, 0], [4, 0, 0]]), torch.tensor([[5, 6, 0, 0]] * 2)
    case = premises, hypotheses, torch.tensor([2, 1]), torch.tensor([2, 0])
    attend, results = under_autocast(model, dtype), []
    for padding in (0.0, junk):
        with torch.no_grad():
            model.embedding.weight[0] = padding
            alone = attend(*case)
        results.append(run(lambda: attend(*case), model, {}))
        torch.testing.assert_close(alone, results[-1][0])
    torch.testing.assert_close(*results)


def test_padding_that_is_finite_but_overflows_in_a_score_is_harmless(
    clean: dict[str, Tensor],
) -> None:
    attention, valid_lens = GaussianAttention(1e25), LENGTHS["(B,)"]
    clean = {name: x * 1e-25 for name, x in clean.items()}
    expected = run(attention, attention, clean, valid_lens)
    check_equal(run(attention, attention, fill(clean, 1e15), valid_lens), expected)


@pytest.mark.parametrize("junk", [torch.nan, -torch.inf])
def test_padding_is_harmless_in_a_compiled_attention(
    attention: Attention, valid_lens: Tensor, clean: dict[str, Tensor], junk: float
) -> None:
    torch.compiler.reset()
    expected = run(attention, attention, clean, valid_lens)
    compiled = torch.compile(attention, backend="aot_eager", fullgraph=True)
    check_equal(run(compiled, attention, fill(clean, junk), valid_lens), expected)


def test_padding_is_harmless_in_an_exported_attention(
    attention: Attention, valid_lens: Tensor, clean: dict[str, Tensor]
) -> None:
    expected = run(attention, attention, clean, valid_lens)
    args = (*(torch.cat([x, x]) for x in clean.values()), torch.cat([valid_lens, valid_lens]))
    shapes = [{0: Dim("batch")} for _ in args]
    with torch.no_grad():  # training is tested below
        program = export(attention, args, dynamic_shapes=shapes).module()
    check_equal(run(program, program, fill(clean, torch.nan), valid_lens), expected)


def test_padding_is_harmless_to_the_gradients_of_torch_func(
    attention: Attention, valid_lens: Tensor, clean: dict[str, Tensor]
) -> None:
    expected, parameters = (
        run(attention, attention, clean, valid_lens),
        dict(attention.named_parameters()),
    )

    def loss(leaves: dict[str, Tensor], lens: Tensor) -> Tensor:
        case = [leaves[name] for name in clean]
        own = {name: x for name, x in leaves.items() if name not in clean}
        output = functional_call(attention, own, (*case, lens))
        assert isinstance(output, Tensor)
        return output.square().sum()

    leaves = fill(clean, torch.nan) | parameters
    torch.testing.assert_close(grad(loss)(leaves, valid_lens), expected[1])
    twice = {name: torch.stack([x, x]) for name, x in leaves.items()}
    slopes = vmap(grad(loss))(twice, torch.stack([valid_lens, valid_lens]))
    torch.testing.assert_close({name: x[1] for name, x in slopes.items()}, expected[1])
    through = grad(lambda x: vmap(loss, (0, None))(x, valid_lens).sum())(twice)
    torch.testing.assert_close({name: x[0] for name, x in through.items()}, expected[1])


def test_padding_is_set_to_0_on_every_device(attention: Attention, valid_lens: Tensor) -> None:
    meta = {
        "queries": torch.empty(B, Q, SIZE, device="meta"),
        "keys": torch.empty(B, K, SIZE, device="meta"),
        "values": torch.empty(B, K, V, device="meta"),
    }
    output, gradients = run(attention.to("meta"), attention, meta, valid_lens.to("meta"))
    assert output.shape == (B, Q, V)
    assert {name: x.shape for name, x in gradients.items() if name in meta} == {
        name: x.shape for name, x in meta.items()
    }


@given(st.data())
def test_padding_is_harmless_for_any_lengths(data: st.DataObject) -> None:
    batch, queries, keys = (data.draw(st.integers(low, 4)) for low in (1, 0, 1))
    shape = data.draw(st.sampled_from([(batch,), (batch, queries)]))
    size = torch.Size(shape).numel()
    drawn = data.draw(st.lists(st.integers(0, keys), min_size=size, max_size=size))
    valid_lens = torch.tensor(drawn, dtype=torch.int64).reshape(shape)
    longest = [max(row, default=0) for row in valid_lens.reshape(batch, -1).tolist()]
    read = (torch.arange(keys) < torch.tensor(longest)[:, None])[:, :, None]
    torch.manual_seed(0)
    attention = AdditiveAttention(2, 3, 5)
    sizes = {"queries": (queries, 3), "keys": (keys, 2), "values": (keys, 2)}
    case = {name: torch.randn(batch, *size) for name, size in sizes.items()}
    spoilt = {
        name: x if name == "queries" else x.where(read, torch.nan) for name, x in case.items()
    }
    expected = run(attention, attention, case, valid_lens)
    torch.testing.assert_close(run(attention, attention, spoilt, valid_lens), expected)


def test_what_a_query_reads_is_left_as_it_is(
    attention: Attention, clean: dict[str, Tensor]
) -> None:
    clean["values"][0, 0, 0] = torch.nan
    output = attention(*clean.values(), LENGTHS["(B,)"])
    assert output[0, :, 0].isnan().all()
    assert output[2].isfinite().all()


def test_arguments_stay_as_they_are(attention: Attention, clean: dict[str, Tensor]) -> None:
    case = fill(clean, torch.nan)
    before = copy.deepcopy(case)
    attention(*case.values(), LENGTHS["(B,)"])
    torch.testing.assert_close(case, before, equal_nan=True)


@pytest.mark.parametrize("compiled", [False, True], ids=["as it is", "compiled"])
@pytest.mark.parametrize("junk", [torch.nan, -torch.inf])
def test_padding_is_harmless_in_decomposable_attention(junk: float, compiled: bool) -> None:
    torch.compiler.reset()
    torch.manual_seed(0)
    model = DecomposableAttention(9, 4, 6)
    premises, hypotheses = torch.tensor([[2, 3, 0], [4, 0, 0]]), torch.tensor([[5, 6, 0, 0]] * 2)
    lens = torch.tensor([2, 1]), torch.tensor([2, 0])
    with torch.no_grad():
        model.embedding.weight[0] = 0
    expected = run(lambda: model(premises, hypotheses, *lens), model, {})
    assert not expected[1]["embedding.weight"][0].any()
    with torch.no_grad():
        model.embedding.weight[0] = junk  # a batch with padding
    forward = torch.compile(model, backend="aot_eager", fullgraph=True) if compiled else model
    mine = run(lambda: forward(premises, hypotheses, *lens), model, {})
    torch.testing.assert_close(mine, expected)


@pytest.mark.parametrize("junk", [torch.nan, -torch.inf, 3e38, 5.0])
def test_padding_is_harmless_in_each_step_of_decomposable_attention(junk: float) -> None:
    torch.manual_seed(0)
    model = DecomposableAttention(9, 4, 6)
    a, b, lens = torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.tensor([2, 0])
    read = [(torch.arange(n) < lens[:, None])[:, :, None] for n in (3, 5)]
    perceptrons = torch.nn.ModuleList([model.F, model.G, model.H])

    def steps(a: Tensor, b: Tensor) -> Tensor:
        beta, alpha = model.attend(a, b, lens, lens)
        v_a, v_b = model.compare(a, beta, lens), model.compare(b, alpha, lens)
        return model.aggregate(v_a, v_b, lens, lens)

    results = []
    for padding in (0.0, junk):
        case = {"a": a.where(read[0], padding), "b": b.where(read[1], padding)}
        results.append(run(steps, perceptrons, case))
    torch.testing.assert_close(*results)


def test_padding_that_is_harmless_attends_as_it_is() -> None:
    model, lens = DecomposableAttention(9, 4, 6), torch.tensor([2, 0])
    a, b = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    model.attend(a, b, lens, lens)
    expected = model.attention_weights
    a[1, 0], b[1, 0] = torch.nan, torch.nan  # in an example without words
    model.attend(a, b, lens, lens)
    assert expected is not None
    assert model.attention_weights is not None
    for mine, theirs in zip(model.attention_weights, expected, strict=True):
        assert torch.equal(mine[0], theirs[0])
        assert torch.equal(mine[1], torch.zeros_like(mine[1]))
