"""Test the library under torch.compile, torch.func, other devices and autocast."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.func import (
    functional_call,
    functionalize,
    grad,
    hessian,
    jacfwd,
    jacrev,
    stack_module_state,
    vmap,
)

from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DotProductAttention,
    length_mask,
    masked_softmax,
    sequence_mask,
)

X = torch.randn(2, 3, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
ONE_EACH, ONE_PER_QUERY = torch.tensor([0, 3]), torch.tensor([[0, 1, 5], [2, 3, 4]])
LENGTHS = pytest.mark.parametrize("valid_lens", [ONE_EACH, ONE_PER_QUERY])
BACKENDS = pytest.mark.parametrize("backend", ["eager", "aot_eager"])  # no C++ compiler needed


@pytest.fixture(autouse=True)
def _fresh_compiler() -> None:
    torch.compiler.reset()


MAKE: dict[str, Callable[[], Attention]] = {
    "additive": lambda: AdditiveAttention(7, 7, 13),
    "dot product": DotProductAttention,
    "bilinear": lambda: BilinearAttention(7, 7),
}


@pytest.fixture(params=MAKE)
def attention(request: pytest.FixtureRequest) -> Attention:
    torch.manual_seed(0)
    return MAKE[request.param]()


@pytest.fixture
def case() -> list[Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(s, generator=generator) for s in ((2, 3, 7), (2, 5, 7), (2, 5, 4))]


def squares(X: Tensor, valid_lens: Tensor) -> Tensor:
    return masked_softmax(X, valid_lens).square().sum()


@BACKENDS
@LENGTHS
def test_masks_compile_to_one_graph(backend: str, valid_lens: Tensor) -> None:
    def masks(X: Tensor, valid_lens: Tensor) -> list[Tensor]:
        rows = sequence_mask(X[:, 0], ONE_EACH, value=-1)
        return [masked_softmax(X, valid_lens), length_mask(valid_lens, 3, 5), rows]

    compiled = torch.compile(masks, backend=backend, fullgraph=True)
    assert all(map(torch.equal, compiled(X, valid_lens), masks(X, valid_lens)))


@BACKENDS
@LENGTHS
def test_attention_compiles_to_one_graph_and_trains(
    attention: Attention, case: list[Tensor], backend: str, valid_lens: Tensor
) -> None:
    def slopes(attend: Callable[..., Tensor]) -> list[Tensor]:
        leaves = [x.clone().requires_grad_() for x in case]
        return list(torch.autograd.grad(attend(*leaves, valid_lens).square().sum(), leaves))

    compiled = torch.compile(attention, backend=backend, fullgraph=True)
    torch.testing.assert_close(slopes(compiled), slopes(attention))
    assert isinstance(attention.attention_weights, Tensor)
    assert copy.deepcopy(attention).attention_weights is not None


def test_one_compiled_graph_serves_all_sizes() -> None:
    compiled = torch.compile(masked_softmax, backend="eager", fullgraph=True, dynamic=True)
    compiled(X, ONE_EACH)
    with torch.compiler.set_stance("fail_on_recompile"):
        for size in (3, 5, 7):
            scores, valid_lens = torch.randn(size, size + 1, size + 2).double(), torch.arange(size)
            assert torch.equal(compiled(scores, valid_lens), masked_softmax(scores, valid_lens))


@LENGTHS
def test_vmap_maps_over_scores_or_lengths_or_both(valid_lens: Tensor) -> None:
    scores, lengths = torch.stack([X, -X]), torch.stack([valid_lens, 5 - valid_lens])
    by_scores = torch.stack([masked_softmax(x, valid_lens) for x in scores])
    assert torch.equal(vmap(masked_softmax, (0, None))(scores, valid_lens), by_scores)
    by_lengths = torch.stack([masked_softmax(X, n) for n in lengths])
    assert torch.equal(vmap(masked_softmax, (None, 0))(X, lengths), by_lengths)
    by_both = torch.stack([masked_softmax(x, n) for x, n in zip(scores, lengths, strict=True)])
    assert torch.equal(vmap(masked_softmax)(scores, lengths), by_both)


def test_vmap_maps_over_the_lengths_of_the_other_masks() -> None:
    lengths = torch.tensor([[0, 2], [3, 1]])
    masks = vmap(lambda n: length_mask(n, 4, 3))(lengths)
    assert torch.equal(masks, torch.stack([length_mask(n, 4, 3) for n in lengths]))
    rows = torch.arange(6.0).reshape(2, 3)
    masked = vmap(lambda n: sequence_mask(rows, n))(lengths)
    assert torch.equal(masked, torch.stack([sequence_mask(rows, n) for n in lengths]))


@LENGTHS
def test_gradients_of_torch_func_are_those_of_autograd(valid_lens: Tensor) -> None:
    leaf = X.clone().requires_grad_()
    (expected,) = torch.autograd.grad(squares(leaf, valid_lens), leaf)
    torch.testing.assert_close(grad(squares)(X, valid_lens), expected)
    jacobian, weights = jacrev(masked_softmax)(X, valid_lens), masked_softmax(X, valid_lens)
    torch.testing.assert_close(torch.tensordot(2 * weights, jacobian, 3), expected)
    assert jacrev(grad(squares))(X, valid_lens).isfinite().all()


@LENGTHS
def test_grad_and_vmap_nest_in_either_order(valid_lens: Tensor) -> None:
    scores = torch.stack([X, -X])
    expected = torch.stack([grad(squares)(x, valid_lens) for x in scores])
    torch.testing.assert_close(vmap(grad(squares), (0, None))(scores, valid_lens), expected)
    outer = grad(lambda x: vmap(squares, (0, None))(x, valid_lens).sum())(scores)
    torch.testing.assert_close(outer, expected)
    leaf = scores.clone().requires_grad_()
    (through,) = torch.autograd.grad(vmap(squares, (0, None))(leaf, valid_lens).sum(), leaf)
    torch.testing.assert_close(through, expected)


def test_attention_maps_over_queries_and_lengths(attention: Attention, case: list[Tensor]) -> None:
    queries, keys, values = case
    many, lengths = torch.stack([queries, -queries]), torch.stack([ONE_EACH, ONE_EACH + 1])
    expected = [attention(q, keys, values, n) for q, n in zip(many, lengths, strict=True)]
    mapped = vmap(attention, (0, None, None, 0))(many, keys, values, lengths)
    torch.testing.assert_close(mapped, torch.stack(expected))
    assert copy.deepcopy(attention).attention_weights is None


def test_an_ensemble_of_attentions_runs_as_one(case: list[Tensor]) -> None:
    members = [AdditiveAttention(7, 7, 13) for _ in range(3)]
    state = stack_module_state(members)

    def run(state: tuple[dict[str, Tensor], dict[str, Tensor]]) -> Tensor:
        output = functional_call(members[0], state, (*case, ONE_EACH))
        assert isinstance(output, Tensor)
        return output

    torch.testing.assert_close(vmap(run)(state), torch.stack([m(*case, ONE_EACH) for m in members]))


def test_weights_are_kept_and_the_module_copied_after_grad(
    attention: Attention, case: list[Tensor]
) -> None:
    attention(*case, ONE_EACH)
    expected = attention.attention_weights
    grad(lambda queries: attention(queries, *case[1:], ONE_EACH).sum())(case[0])
    torch.testing.assert_close(copy.deepcopy(attention).attention_weights, expected)


Map = Callable[[Tensor], Tensor]


def total(f: Map) -> Map:
    return lambda x: f(x).square().sum()


# Around a function of queries (B, Q, size); vmap maps over two sets of them.
AROUND: dict[str, Callable[[Map], Map]] = {
    "grad": lambda f: grad(total(f)),
    "grad of grad": lambda f: grad(total(grad(total(f)))),
    "jacrev": jacrev,
    "jacfwd": jacfwd,
    "vmap": vmap,
    "vmap of grad": lambda f: vmap(grad(total(f))),
    "grad of vmap": lambda f: grad(total(vmap(f))),
    "jacrev of vmap": lambda f: jacrev(vmap(f)),
}
# Transforms that the compiler does not support.
EAGER_AROUND = {"hessian": lambda f: hessian(total(f)), "functionalize": functionalize}


@pytest.mark.filterwarnings(
    "ignore:`torch.jit.script:DeprecationWarning"
)  # a warning of jacfwd itself
@pytest.mark.parametrize(
    ("around", "compiler"),
    [(name, compiler) for name in AROUND for compiler in ("none", "aot_eager")]
    + [(name, "none") for name in EAGER_AROUND],
)
def test_weights_are_kept_unless_vmap_has_mapped_them(
    case: list[Tensor], around: str, compiler: str
) -> None:
    attention, (queries, keys, values) = DotProductAttention(), case
    attention(queries, keys, values, ONE_EACH)
    expected = attention.attention_weights
    attention.attention_weights = torch.ones(())  # not the weights of any forward
    many = torch.stack([queries, -queries]) if "vmap" in around else queries
    run = (AROUND | EAGER_AROUND)[around](lambda q: attention(q, keys, values, ONE_EACH))
    output = run(many)
    if compiler != "none":
        attention.attention_weights = torch.ones(())
        compiled = torch.compile(run, backend=compiler, fullgraph=True)
        torch.testing.assert_close(compiled(many), output)
    kept = copy.deepcopy(attention).attention_weights
    if "vmap" in around:
        assert kept is None
    else:
        torch.testing.assert_close(kept, expected)


@pytest.mark.parametrize("around", ["grad", "vmap"])
def test_lengths_are_not_checked_where_a_transform_hides_them(around: str) -> None:
    def run(valid_lens: Tensor) -> Tensor:
        return masked_softmax(X, valid_lens)

    too_long = torch.tensor([9, 9])
    with pytest.raises(ValueError, match="valid_lens must lie in"):
        run(too_long)
    if around == "vmap":
        assert vmap(run)(too_long[None]).shape == (1, 2, 3, 5)
    else:
        grad(lambda x, n: masked_softmax(x, n).sum())(X, too_long)


def test_stored_weights_hold_no_graph_of_any_level(
    attention: Attention, case: list[Tensor]
) -> None:
    leaf = case[0].requires_grad_()
    grad(lambda queries: attention(queries, *case[1:], ONE_EACH).sum())(leaf)
    assert attention.attention_weights is not None
    assert not attention.attention_weights.requires_grad


def test_only_shapes_are_checked_where_a_value_cannot_be_read(
    attention: Attention, case: list[Tensor]
) -> None:
    meta = [x.to("meta") for x in case]
    output = attention.to("meta")(*meta, torch.tensor([9, 9], device="meta"))
    assert output.shape == (2, 3, 4)
    assert output.device.type == "meta"
    with pytest.raises(ValueError, match="valid_lens must have shape"):
        attention(*meta, torch.tensor([9], device="meta"))


def test_autocast_may_mix_dtypes(attention: Attention, case: list[Tensor]) -> None:
    queries, keys, values = case
    expected = attention(queries, keys, values, ONE_EACH)
    with torch.autocast("cpu", torch.bfloat16):
        output = attention(queries.bfloat16(), keys, values, ONE_EACH)
    torch.testing.assert_close(output.float(), expected, atol=0.05, rtol=0.05)


def test_inference_mode_gives_the_same_weights() -> None:
    with torch.inference_mode():
        weights = masked_softmax(X, ONE_EACH)
    assert torch.equal(weights, masked_softmax(X, ONE_EACH))
