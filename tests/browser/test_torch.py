"""Test that the module `torch` in MicroPython computes what torch computes, or refuses by name."""

from functools import cache
from pathlib import Path
from typing import Any

import grammar
import pytest
from micropython import REFUSAL, Group, agree, in_micropython, in_torch, refused

SEED, NUMBER = 0, 2000
EXPRESSIONS = Path(__file__).with_name("expressions.txt").read_text("utf-8").splitlines()
THREE = """
a = torch.arange(6.0).reshape(2, 3)
i = torch.arange(6).reshape(2, 3)
b = i > 2
"""

# Operands of all dtypes: tensors, 0-d tensors and numbers of Python.
OPERANDS = [
    f"torch.tensor({numbers}, dtype=torch.{dtype})"
    for dtype in ("bool", "int32", "int64", "float32", "float64")
    for numbers in ("[1, 0, 1]", "1")
] + ["True", "2", "0.5"]
PROMOTIONS = [
    f"result = {one} {operator} {other}"
    for operator in ("+", "*", "/", "<", "**")
    for one in OPERANDS
    for other in OPERANDS
    if "torch" in one + other
] + [f"result = torch.where(torch.tensor(True), {x}, {y})" for x in OPERANDS for y in OPERANDS]

VIEWS = [
    # a view writes into its base
    "x = torch.zeros(2, 3); x[0] += 1; x[:, 1] *= 5; result = x",
    "x = torch.zeros(2, 3); y = x.T; y[0, 1] = 7; result = x, y",
    "x = torch.zeros(6); x.view(2, 3)[1].fill_(2); result = x",
    "x = torch.zeros(2, 3); x.mT.reshape(6).fill_(2); result = x",
    "x = torch.arange(6.0); y = x[::2]; y -= 1; result = x, y.is_contiguous()",
    "x = torch.arange(6.0); y = x[[0, 1]]; y *= 9; result = x",
    "x = torch.zeros(3, 3); x.diagonal().copy_(torch.arange(3.0)); result = x",
    "x = torch.arange(4.0); y = x.detach(); y[0] = 9; z = x.clone(); z[1] = 9; result = x",
    "x = torch.arange(4.0); a, b = x.chunk(2); a @= torch.ones(2, 2); result = x, a",
    "x = torch.arange(4.0); y = x.unsqueeze(0); y.squeeze_(); y /= 2; result = x, y",
    "x = torch.arange(4); x **= 2; x //= 3; x %= 4; x |= 1; x &= 3; x ^= 2; result = x",
    "x = torch.arange(3.0); y = x.float(); y += 1; z = x.double(); z += 1; result = x",
    "x = torch.zeros(2, 2); x[x == 0] = torch.arange(4.0); result = x",
    "x = torch.zeros(3); x[torch.tensor([0, 0])] = 1; result = x",
    "x = torch.zeros(2, 3); x[:, [0, 2]] = torch.tensor([1.0, 2.0]); result = x",
    "x = torch.arange(3); x[1] = 2.9; result = x",
    "x = torch.arange(3.0); x[...] = x.flip(0); result = x",
    "x = torch.arange(40) % 7; result = x.sort(stable=True), x.argsort(stable=True)",
    # what torch refuses to write
    "x = torch.arange(3.0).expand(2, 3); x += 1; result = x",
    "x = torch.arange(4.0); x[1:] = x[:-1]; result = x",
    "x = torch.arange(3); x += 0.5; result = x",
    "x = torch.arange(3.0); x += torch.ones(2, 3); result = x",
    "x = torch.zeros(2, 3); x[0] = torch.ones(2); result = x",
    # the order in memory survives operations entry by entry
    "x = torch.arange(6.0).reshape(2, 3).T; result = (x + 1).view(-1)",
    "x = torch.arange(6.0).reshape(2, 3).T; result = x.clone().stride(), x.contiguous().stride()",
    "x = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1); result = (x * x[0]).exp().stride()",
]

# One value of each dtype put into each dtype, by each kind of index.
ASSIGNED = [
    f"x = torch.zeros(3, 2).to(torch.{dtype}); x[{index}] = torch.{value}{shape}; result = x"
    for dtype in ("float32", "int64", "bool")
    for value in ("tensor(1.5)", "tensor(2)", "tensor(True)", "tensor(1.5).double()")
    for index in ("[0, 1]", "torch.tensor([0, 1])", ":, [0]", "0", "...", "torch.arange(3) > 1")
    for shape in ("", ".reshape(1)")
]

PYTHON = [
    # what MicroPython lacks is rewritten
    "x = torch.arange(3.0); result = [*x, *[1]], (*x.shape, 1), 1 < x, 2.0 >= x, None == x",
    "x = torch.arange(3.0); result = True & (x > 1), 1 != x",
    "x = torch.tensor(2); result = list(range(x)), float(x), int(x), [5, 6, 7][int(x)]",
    "result = list(zip([1, 2], [3, 4], strict=True))",
    "result = list(zip([1, 2], [3], strict=True))",
    "x = torch.arange(3.0); result = sum(x), abs(x - 1), max(x), min(x), round(x[1].item())",
    "x = torch.arange(6.0).reshape(2, 3); result = [row.sum() for row in x], len(x), 2.0 in x",
    "n = 3; n *= 2; n |= 1; words = ['a']; words *= 2; result = n, words, 1 < n < 9, not n < 2",
    "x = torch.arange(3.0); flag = True; result = flag & (x > 1), f'{1 < 2} {x[1].item():.3f}'",
    "x = torch.tensor([2.0, 0.5, 1.0]); a = [*x]; a.sort(); result = a, sorted(x, reverse=True)",
    "a = [3, 1]; a.sort(reverse=True); x = torch.tensor([3, 1]); result = a, x.sort().values",
    "a = [(0, torch.tensor(2)), (1, torch.tensor(1))]; result = sorted(a, key=lambda one: one[1])",
    "result = isinstance(True, int), isinstance(1.0, (int, float)), isinstance('a', str)",
    "result = isinstance(torch.ones(1), torch.Tensor), [1, 2, 3][slice(1, 3)]",
    "def f(x, /, y: int = 2) -> int:\n    return x + y\nresult = f(1)",
    "x = torch.ones(3)\nfor i in range(3):\n    if i > 0: x[i] *= x[i - 1] + 1\nresult = x",
]

# Arguments by position and by name, and ways to import.
ARGUMENTS = [
    "import torch.nn.functional as G\nresult = G.relu(torch.ones(1))",
    "from torch import nn, Tensor\nresult = nn.functional.relu(torch.ones(1))",
    "from torch.nn import functional as G\nx: torch.Tensor = torch.ones(1)\nresult = G.relu(x)",
    "result = F.softmax(input=torch.ones(2), dim=-1), torch.softmax(torch.ones(2), dim=0)",
    "result = torch.softmax(torch.ones(2), 0, dtype=torch.float64)",
    "result = torch.sum(torch.ones(2, 2), axis=1, keepdims=True)",
    "result = torch.ones(2).masked_fill(mask=torch.tensor([True, False]), value=3)",
    "result = torch.zeros(size=(2,)), torch.zeros((2, 3), device='cpu'), torch.arange(end=3)",
    "result = torch.full((2,), fill_value=-torch.inf), torch.ones(2).expand(size=(3, 2))",
    "with torch.no_grad():\n    result = torch.ones(1)",
    "@torch.no_grad()\ndef f(): return torch.ones(1)\nresult = f()",
    "x = torch.ones(2); result = torch.zeros(2, dtype=x.dtype, device=x.device)",
    "result = torch.ones(3).unsqueeze(dim=1).transpose(dim0=0, dim1=1).permute(dims=(1, 0))",
    "result = torch.ones(3).clamp(min=0, max=1).pow(exponent=2).div(2, rounding_mode='floor')",
    "result = torch.where(condition=torch.tensor(True), input=torch.ones(1), other=0)",
    "result = torch.ones(2, 2).sum(0, True, 1), torch.ones(2).softmax()",
    "result = torch.ones(2).sum(dimension=0)",
]

SHOWN = [
    f"result = repr({tensor})"
    for tensor in (
        *("torch.tensor(1.5)", "torch.tensor(2)", "torch.tensor(True)", "torch.tensor([])"),
        *("torch.tensor([1.0, 2.0])", "torch.tensor([0.5, -12.25])", "torch.tensor([1e-6, 1.0])"),
        *("torch.tensor([1.0, math.nan, -math.inf])", "torch.tensor([0.5, math.nan])"),
        *("torch.tensor([1e9, 1.0])", "torch.tensor([0.1, 200.0])", "torch.zeros(0, 3)"),
        *("torch.arange(12).reshape(2, 2, 3) - 3", "torch.eye(2).double()", "torch.eye(2) > 0"),
        *("torch.arange(3).int()", "torch.tensor([], dtype=torch.int64)", "torch.zeros(2, 1, 2)"),
    )
]

REFUSALS = {
    "torch.rand(3)": "torch.rand",
    "torch.randn(2, 2)": "torch.randn",
    "torch.bernoulli(torch.ones(2))": "torch.bernoulli",
    "torch.multinomial(torch.ones(2), 1)": "torch.multinomial",
    "torch.manual_seed(0)": "torch.manual_seed",
    "torch.empty(2)": "torch.empty",
    "torch.float16": "torch.float16",
    "torch.ones(2).half()": "Tensor.half",
    "torch.ones(2).numpy()": "Tensor.numpy",
    "torch.ones(2).backward()": "Tensor.backward",
    "torch.ones(2).requires_grad_()": "Tensor.requires_grad_",
    "torch.ones(2, requires_grad=True)": "torch.ones(requires_grad=)",
    "torch.ones(2, device='cuda')": "torch.device('cuda')",
    "torch.amax(torch.ones(2), 0, out=torch.ones(1))": "torch.amax(out=)",
    "torch.nn.Linear(2, 3)": "torch.nn.Linear",
    "torch.nn.Module": "torch.nn.Module",
    "torch.autograd.grad": "torch.autograd",
    "torch.linalg.svd(torch.eye(2))": "torch.linalg.svd",
    "torch.special.gammaln(torch.ones(2))": "torch.special.gammaln",
    "torch.vmap(torch.exp)": "torch.vmap",
    "(torch.arange(40) % 7).argsort()": "torch.sort",
    "torch.tensor([1, 1, 0]).topk(1)": "torch.topk",
    "torch.Tensor([1, 2])": "torch.Tensor(…)",
    "F.dropout(torch.ones(2))": "torch.nn.functional.dropout",
    "F.conv1d": "torch.nn.functional.conv1d",
    "torch.tensor(2**60)": "torch.int64",
    "torch.tensor(2**52) * 4": "torch.int64",
    "torch.tensor(math.inf).long()": "torch.int64",
    "torch.tensor(2**40).int()": "torch.int32",
}


def in_one_line(outcomes: Any) -> str:
    return str(outcomes)[:300]


@cache
def groups() -> dict[str, Group]:
    """Return all programs, by the tests that compare them."""
    return {
        "random": (grammar.SETUP, grammar.programs(SEED, NUMBER)),
        "expressions": (THREE, [f"result = {one}" for one in EXPRESSIONS]),
        "promotions": ("", PROMOTIONS),
        "views": ("", VIEWS),
        "assigned": ("", ASSIGNED),
        "python": ("", PYTHON),
        "arguments": ("", ARGUMENTS),
        "shown": ("import math", SHOWN),
        "refusals": ("import math", [f"result = {expression}" for expression in REFUSALS]),
    }


@cache
def outcomes() -> dict[str, list[Any]]:
    """Run all programs in one MicroPython."""
    found = iter(in_micropython([*groups().values()]))
    return {name: [next(found) for _ in programs] for name, (_, programs) in groups().items()}


def compared(name: str) -> list[tuple[str, Any, Any]]:
    """Return the programs of a group, with their outcomes in MicroPython and in torch."""
    group = groups()[name]
    return [*zip(group[1], outcomes()[name], in_torch([group]), strict=True)]


@pytest.mark.parametrize(
    "name",
    ["random", "expressions", "promotions", "views", "assigned", "python", "arguments", "shown"],
)
def test_a_program_has_the_outcome_of_torch_or_is_refused(name: str) -> None:
    found = compared(name)
    wrong = {
        program: f"{in_one_line(own)} instead of {in_one_line(expected)}"
        for program, own, expected in found
        if not agree(own, expected) and not refused(own)
    }
    assert not wrong
    assert sum(bool(refused(own)) for _, own, _ in found) <= 10 + len(found) / 50


def test_what_is_missing_is_refused_by_name() -> None:
    for (expression, name), own in zip(REFUSALS.items(), outcomes()["refusals"], strict=True):
        assert refused(own) == name, expression
        assert own["message"].endswith(REFUSAL)
