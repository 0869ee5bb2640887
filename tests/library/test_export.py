"""Test torch.export and jit.trace with other sizes and lengths than at recording."""

import warnings
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim, export

from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DecomposableAttention,
    DotProductAttention,
    GaussianAttention,
    _chunks,
    masked_softmax,
    scores,
)
from benchmarks.measure import peak_memory

Q, K, SIZE, V = 3, 5, 7, 2
MAKE: dict[str, Callable[[], Attention]] = {
    "additive": lambda: AdditiveAttention(SIZE, SIZE, 13),
    "dot product": DotProductAttention,
    "bilinear": lambda: BilinearAttention(SIZE, SIZE),
    "gaussian": lambda: GaussianAttention(0.5),
}


@pytest.fixture(params=MAKE)
def attention(request: pytest.FixtureRequest) -> Attention:
    torch.manual_seed(0)
    return MAKE[request.param]().eval()


def case(batch: int) -> list[Tensor]:
    return [torch.randn(batch, n, size) for n, size in ((Q, SIZE), (K, SIZE), (K, V))]


def lengths(batch: int, per_query: bool) -> Tensor:
    """Return lengths that include all from 0 to K, if there is room."""
    return torch.arange(batch * Q).reshape(batch, Q) % 6 if per_query else torch.arange(batch) % 6


def check_export(module: nn.Module, args: Callable[[int], list[Tensor]], strict: bool) -> None:
    """Export with two examples, and compare for other numbers of examples."""
    shapes = [{0: Dim("batch")} for _ in args(2)]
    program = export(module, tuple(args(2)), dynamic_shapes=shapes, strict=strict).module()
    for batch in (1, 2, 7):
        inputs = args(batch)
        torch.testing.assert_close(program(*inputs), module(*inputs))


STRICT = pytest.mark.parametrize("strict", [False, True])


@STRICT
@pytest.mark.parametrize("per_query", [False, True])
def test_attention_is_exported_for_any_batch(
    attention: Attention, strict: bool, per_query: bool
) -> None:
    check_export(attention, lambda batch: [*case(batch), lengths(batch, per_query)], strict)


@STRICT
def test_attention_is_exported_without_lengths(attention: Attention, strict: bool) -> None:
    check_export(attention, case, strict)


@STRICT
def test_decomposable_attention_is_exported_for_any_batch(strict: bool) -> None:
    torch.manual_seed(0)

    def args(batch: int) -> list[Tensor]:
        words = [torch.randint(0, 9, (batch, n)) for n in (Q, K)]
        return [*words, torch.arange(batch) % (Q + 1), torch.arange(batch) % (K + 1)]

    check_export(DecomposableAttention(9, 4, 6).eval(), args, strict)


def test_an_export_leaves_the_weights_alone(attention: Attention) -> None:
    attention(*case(2))
    kept = attention.attention_weights
    export(attention, tuple(case(3)))
    assert attention.attention_weights is kept


def test_scores_take_a_fraction_of_the_memory_where_nothing_is_exported() -> None:
    queries, keys = torch.randn(2, 1, 512, 64)
    whole = 512 * 512 * 64 * 4 / 2**20  # MiB, a number for each query, key and component
    with torch.no_grad():
        assert peak_memory(lambda: scores.gaussian(queries, keys)) < whole


@pytest.fixture
def _quiet_tracer() -> Iterator[None]:
    with warnings.catch_warnings():  # tracing is deprecated, and warns at every check of a shape
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("_quiet_tracer")
@pytest.mark.parametrize("per_query", [False, True])
def test_a_trace_without_empty_rows_is_right_for_empty_ones(per_query: bool) -> None:
    X = torch.randn(2, Q, K)
    full = torch.full((2, Q) if per_query else (2,), K)
    program = torch.jit.trace(masked_softmax, (X, full))
    valid_lens = lengths(2, per_query)
    assert torch.equal(program(X, valid_lens), masked_softmax(X, valid_lens))


@pytest.mark.usefixtures("_quiet_tracer")
def test_a_trace_of_attention_is_right_for_other_lengths_and_sizes(attention: Attention) -> None:
    program = torch.jit.trace(attention, (*case(2), torch.tensor([5, 5])))
    for batch in (1, 2, 7):
        inputs = [*case(batch), lengths(batch, per_query=False)]
        torch.testing.assert_close(program(*inputs), attention(*inputs))


@pytest.mark.usefixtures("_quiet_tracer")
@pytest.mark.parametrize("name", ["additive", "gaussian"])
def test_a_trace_serves_more_queries_than_it_was_made_with(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_chunks, "_FEATURES", 2 * K * SIZE * Q)  # the size of one chunk
    attention = MAKE[name]()
    program = torch.jit.trace(attention, tuple(case(2)))
    queries, keys, values = case(2)
    queries = torch.cat([queries, queries], dim=1)
    torch.testing.assert_close(program(queries, keys, values), attention(queries, keys, values))
