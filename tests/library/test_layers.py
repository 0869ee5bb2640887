"""Test that PyTorch's tools for layers work on the layers of every attention."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations, parametrize, prune

from attention_lib import (
    AdditiveAttention,
    BilinearAttention,
    DecomposableAttention,
    MultiHeadAttention,
)

WORDS, LENS = torch.randint(9, (2, 5), generator=torch.Generator().manual_seed(0)), [3, 5]
MAKE: dict[str, Callable[[], nn.Module]] = {
    "additive": lambda: AdditiveAttention(7, 6, 8),
    "bilinear": lambda: BilinearAttention(7, 6),
    "multi-head": lambda: MultiHeadAttention(7, 6, 4, 8, 2, bias=True),
    "multi-head, additive": lambda: MultiHeadAttention(
        7, 6, 4, 8, 2, attention=AdditiveAttention(4, 4, 8)
    ),
    "decomposable": lambda: DecomposableAttention(9, 4, 6),
}


@pytest.fixture(params=MAKE)
def model(request: pytest.FixtureRequest) -> nn.Module:
    torch.manual_seed(0)
    return MAKE[request.param]()


def run(model: nn.Module) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    sizes = (3, 6), (5, 7), (5, 4)
    inputs = [torch.randn(2, *size, generator=generator).requires_grad_() for size in sizes]
    if isinstance(model, DecomposableAttention):
        inputs = [WORDS, WORDS.flip(0), torch.tensor(LENS)]
    output: Tensor = model(*inputs, torch.tensor(LENS))
    return output


def linears(model: nn.Module) -> dict[str, nn.Linear]:
    return {name: m for name, m in model.named_modules() if isinstance(m, nn.Linear)}


class Adapted(nn.Module):
    """A LoRA layer: a product of rank 2 is added to the original layer."""

    def __init__(self, base: nn.Linear) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Linear(base.in_features, 2, bias=False)
        self.up = nn.Linear(2, base.out_features, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        total: Tensor = self.base(x) + self.up(self.down(x))
        return total


class Halved(nn.Module):
    """Half of a weight, and a count of how often it was computed."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        return x / 2


def with_weights(model: nn.Module, change: Callable[[Tensor], Tensor]) -> nn.Module:
    model = copy.deepcopy(model)
    for layer in linears(model).values():
        layer.weight = nn.Parameter(change(layer.weight.detach()))
    return model


def test_hooks_of_every_layer_are_called(model: nn.Module) -> None:
    seen = set()
    for name, layer in linears(model).items():
        layer.register_forward_pre_hook(lambda *_, name=name: seen.add((name, "before")))
        layer.register_forward_hook(lambda *_, name=name: seen.add((name, "after")))
        layer.register_full_backward_hook(lambda *_, name=name: seen.add((name, "back")))
    run(model).square().sum().backward()
    assert seen == {(name, when) for name in linears(model) for when in ("before", "after", "back")}


@pytest.mark.parametrize(
    ("model", "compiled"),
    [
        *((name, False) for name in MAKE),
        pytest.param("multi-head, additive", True, id="compiled"),
    ],
    indirect=["model"],
)
def test_every_layer_can_be_replaced_by_one_of_low_rank(model: nn.Module, compiled: bool) -> None:
    merged, added = copy.deepcopy(model), []
    for name, layer in linears(model).items():
        adapted = Adapted(layer)
        model.set_submodule(name, adapted)
        added += [adapted.down.weight, adapted.up.weight]
        with torch.no_grad():
            linears(merged)[name].weight += adapted.up.weight @ adapted.down.weight
    if compiled:
        torch.compiler.reset()
        model.compile(backend="eager", fullgraph=True)
    output = run(model)
    torch.testing.assert_close(output, run(merged))
    assert all(x.any() for x in torch.autograd.grad(output.square().sum(), added))


def test_a_weight_may_be_computed_once_for_each_call(model: nn.Module) -> None:
    expected, calls, halves = run(with_weights(model, lambda W: W / 2)), list[int](), list[Halved]()
    for layer in linears(model).values():
        halves.append(Halved())
        parametrize.register_parametrization(layer, "weight", halves[-1])
        layer.register_forward_hook(lambda *_: calls.append(1))
    before = sum(half.count for half in halves)
    torch.testing.assert_close(run(model), expected)
    assert sum(half.count for half in halves) - before == len(calls)


def test_norms_and_directions_of_weights_may_be_apart(model: nn.Module) -> None:
    expected = run(with_weights(model, lambda W: 2 * W))
    for layer in linears(model).values():
        parametrizations.weight_norm(layer)
        with torch.no_grad():
            layer.parametrizations.weight.original0 *= 2
    torch.testing.assert_close(run(model), expected)


def test_pruned_weights_follow_what_is_trained(model: nn.Module) -> None:
    doubled = copy.deepcopy(model)
    for name, layer in linears(model).items():
        prune.l1_unstructured(layer, "weight", amount=0.5)
        with torch.no_grad():
            linears(doubled)[name].weight *= 2 * layer.weight_mask
            layer.weight_orig *= 2
    torch.testing.assert_close(run(model), run(doubled))


@pytest.mark.filterwarnings("ignore:torch.ao.quantization is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor.* are deprecated:UserWarning")
def test_dynamic_quantisation_stays_near(model: nn.Module) -> None:
    quantised = torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, torch.qint8)
    assert not linears(quantised)
    with torch.no_grad():
        output, expected = run(quantised), run(model)
    torch.testing.assert_close(output, expected, atol=0.05, rtol=0.05)
    assert not torch.equal(output, expected)
