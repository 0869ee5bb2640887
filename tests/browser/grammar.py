"""Draw random expressions of tensors: all names and dtypes, views, writes, and wrong shapes."""

import re
from collections.abc import Callable
from random import Random

SETUP = """
import math
import torch
import torch.nn.functional as F

# Numbers without ties; zeros, NaN and infinities are in Z.
X = torch.tensor([((7 * i * i + 3 * i) % 41 - 20) / 8 for i in range(24)])
Z = torch.tensor([0.0, -1.5, math.nan, math.inf, -math.inf, 2.0])
I = torch.tensor([(5 * k * k + k) % 13 - 4 for k in range(12)])
TENSORS = {
    "a": lambda x, z, i: x[:6].reshape(2, 3),
    "b": lambda x, z, i: x[6:9],
    "c": lambda x, z, i: x.reshape(2, 3, 4),
    "d": lambda x, z, i: x[:12].double().reshape(3, 4),
    "e": lambda x, z, i: x[12:18].reshape(3, 2).T,
    "f": lambda x, z, i: x[:8].reshape(2, 1, 4),
    "z": lambda x, z, i: z.reshape(2, 3),
    "i": lambda x, z, i: i[:6].reshape(2, 3),
    "j": lambda x, z, i: i[6:9],
    "n": lambda x, z, i: i.int().reshape(3, 4),
    "k": lambda x, z, i: torch.tensor([2, 0, 1]),
    "m": lambda x, z, i: i[:6].reshape(2, 3) > 1,
    "t": lambda x, z, i: torch.tensor(True),
    "s": lambda x, z, i: torch.tensor(1.5),
    "p": lambda x, z, i: torch.tensor(2),
    "w": lambda x, z, i: torch.tensor([True, False, True]),
    "o": lambda x, z, i: torch.zeros(0, 3),
    "u": lambda x, z, i: x[:3].expand(2, 3),
    "v": lambda x, z, i: x.reshape(2, 3, 4)[:, :, 1],
    "q": lambda x, z, i: (x * x + 0.5)[:6].reshape(2, 3),
}

def tensors(names):
    # The tensors of a program share memory.
    x, z, i = X.clone(), Z.clone(), I.clone()
    return {name: TENSORS[name](x, z, i) for name in names}
"""
FLOATS = "abcdefuvqzso"
WHOLE = "ijnkp"
TRUTH = "mtw"
ANY = FLOATS + WHOLE + TRUTH

UNARY = (
    "abs neg square sign relu floor ceil trunc round exp exp2 expm1 log log1p sqrt rsqrt "
    "reciprocal tanh sigmoid sin cos erf isnan isinf isfinite logical_not bitwise_not nan_to_num"
).split()
BINARY = "+ - * / // % ** == != < <= > >= & | ^ @".split()
NAMED = (
    "add sub mul div pow maximum minimum logaddexp eq ne lt le gt ge logical_and logical_or "
    "logical_xor remainder floor_divide hypot"
).split()
REDUCTIONS = "sum mean prod amax amin argmax argmin all any max min logsumexp var std".split()
SCANS = "softmax log_softmax cumsum cumprod logcumsumexp sort argsort".split()
NUMBERS = ("2", "-1", "0", "0.5", "-1.5", "3", "True", "2.0")
INDICES = (
    "0",
    "-1",
    "1",
    "5",
    ":",
    "1:",
    ":-1",
    "::2",
    "None",
    "...",
    "w",
    "m",
    "k",
    "[0, 1]",
    "[1, 0, 1]",
    "j",
    "..., 0",
    ":, 1",
    ":, None",
    "0, 1",
    "1:, 0",
    "..., None",
    "k, 0",
    "0, k",
    ":, k",
    "m, None",
    "[0, 1], [1, 0]",
    "k[:, None], k",
    "w, 1",
    ":, w",
    "None, 0",
    "0, ..., 1",
    ":, :, [1, 0]",
    "1, :, k",
    "p",
    "0, 0, 0, 0",
    "slice(0, 1)",
    "[True, False]",
    "k > 0",
    "5:",
    "2:1",
    "0:9",
)
VIEWS = (
    ".mT .T [0] [:,1:] [None] .flip(0) .unsqueeze(0) .transpose(0,-1) [...,:2] .flatten()".split()
)
MASKS = ("m", "c @ c.mT > 0", "c[:, :, :3]")
SHAPES = (
    "6",
    "-1",
    "3, 2",
    "2, -1",
    "1, 6",
    "4, 3",
    "-1, 4",
    "2, 3, 4",
    "12, -1",
    "0, 3",
    "(3, -1)",
)


class Grammar:
    """A source of random programs, each of which sets `result`."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.kinds: list[Callable[[], str]] = [
            self.unary,
            self.binary,
            self.binary,
            self.named,
            self.reduction,
            self.reduction,
            self.scan,
            self.shape,
            self.shape,
            self.index,
            self.index,
            self.joined,
            self.product,
            self.choice,
            self.converted,
            self.made,
            self.filled,
            self.functional,
            self.copied,
        ]

    def pick(self, several: "str | tuple[str, ...] | list[str]") -> str:
        return self.random.choice(several)

    def dim(self) -> str:
        return self.pick("0 1 -1 0 1 -1 2 -2 3".split())

    def operand(self) -> str:
        """Return a tensor, often seen as a view or computed by another expression."""
        name = self.pick(ANY if self.random.random() < 0.4 else FLOATS)
        how = self.random.random()
        if how < 0.6:
            return name
        if how < 0.8:
            return name + self.pick(VIEWS)
        if how > 0.9:
            return name
        nested = (self.unary, self.binary, self.named, self.index, self.product, self.converted)
        return f"({self.random.choice(nested)()})"

    def unary(self) -> str:
        f, x = self.pick(UNARY), self.operand()
        return self.pick((f"torch.{f}({x})", f"{x}.{f}()", f"-{x}", f"~{x}", f"abs({x})"))

    def second(self) -> str:
        return self.operand() if self.random.random() < 0.65 else self.pick(NUMBERS)

    def binary(self) -> str:
        one, other, operator = self.operand(), self.second(), self.pick(BINARY)
        if self.random.random() < 0.25:
            one, other = other, one
        return f"{one} {operator} {other}"

    def named(self) -> str:
        f, x, y = self.pick(NAMED), self.operand(), self.second()
        return self.pick((f"torch.{f}({x}, {y})", f"{x}.{f}({y})"))

    def reduction(self) -> str:
        f, x = self.pick(REDUCTIONS), self.operand()
        dims = (f"dim={self.dim()}", self.dim(), "", f"({self.dim()}, {self.dim()})", "dim=None")
        keep = self.pick(("", "", "keepdim=True"))
        more = self.pick(("correction=0", "unbiased=False", "")) if f in ("var", "std") else ""
        inputs = ", ".join(filter(None, (self.pick(dims), keep, more)))
        return f"{x}.{f}({inputs})" if self.random.random() < 0.6 else f"torch.{f}({x}, {inputs})"

    def scan(self) -> str:
        f, x = self.pick(SCANS), self.operand()
        if f in ("sort", "argsort") and self.random.random() < 0.5:
            return f"torch.{f}({x}, {self.dim()}, descending=True)"
        dim = self.pick((self.dim(), f"dim={self.dim()}"))
        return (
            f"{x}.{f}({dim})" if self.random.random() < 0.7 else f"torch.{f}({x}, dim={self.dim()})"
        )

    def shape(self) -> str:
        x, sizes, dim = self.operand(), self.pick(SHAPES), self.dim()
        return x + self.pick(
            (
                f".view({sizes})",
                f".reshape({sizes})",
                f".unsqueeze({dim})",
                f".squeeze({dim})",
                ".squeeze()",
                f".transpose({dim}, {self.dim()})",
                ".permute(1, 0)",
                ".permute(2, 0, 1)",
                ".flatten()",
                f".flatten({dim})",
                f".flatten({dim}, {self.dim()})",
                f".expand({sizes})",
                ".expand(2, -1, -1)",
                ".expand(4, 2, 3)",
                f".expand_as({self.operand()})",
                f".repeat({self.pick(('2', '1, 2', '2, 1, 1'))})",
                f".flip({dim})",
                f".roll(1, {dim})",
                ".roll(-2)",
                f".tril({self.pick(('', '1', '-1'))})",
                f".triu({self.pick(('', '1', '-1'))})",
                ".diagonal()",
                ".diagonal(1)",
                f".unflatten({dim}, (2, -1))",
                f".unflatten({dim}, (-1, 3))",
                f".chunk(2, {dim})",
                f".split(2, {dim})",
                ".split([1, 2], 1)",
                f".unbind({dim})",
                ".mT",
                ".T",
                f".repeat_interleave(2, {dim})",
                ".repeat_interleave(k, -1)",
                f".narrow({dim}, 1, 1)",
                f".select({dim}, 1)",
                f".movedim(0, {dim})",
                ".t()",
                f".size({dim})",
                ".shape",
                ".stride()",
                ".is_contiguous()",
                ".numel()",
                ".contiguous().stride()",
                ".clone().stride()",
                ".exp().stride()",
                f".swapaxes(0, {dim})",
                ".tile(2)",
                ".view_as(a)",
                ".contiguous().view(-1)",
                ".diagonal(0, -2, -1)",
            )
        )

    def index(self) -> str:
        return f"{self.operand()}[{self.pick(INDICES)}]"

    def joined(self) -> str:
        f, dim = self.pick(("cat", "stack")), self.pick(("", ", 1", ", dim=-1", ", -2"))
        x, y = self.operand(), self.operand()
        y = y if self.random.random() < 0.5 else x
        return self.pick(
            (
                f"torch.{f}([{x}, {y}]{dim})",
                f"torch.{f}(({x}, {y}, {x}){dim})",
                f"torch.vstack([{x}, {y}])",
                f"torch.hstack([{x}, {y}])",
                f"torch.broadcast_tensors({x}, {y})[0]",
            )
        )

    def product(self) -> str:
        x, y = self.operand(), self.operand()
        y = self.pick((y, f"{x}.mT", "c.mT", "a.mT", "b"))
        return self.pick(
            (
                f"{x} @ {y}",
                f"torch.matmul({x}, {y})",
                f"{x}.mm({y})",
                f"torch.bmm({x}, {y})",
                f"{x}.mv({y})",
                f"torch.dot({x}, {y})",
                f"torch.outer({x}, {y})",
                f"torch.einsum('ij,kj->ik', {x}, {y})",
                f"torch.einsum('bij,bkj->bik', {x}, {y})",
                f"torch.einsum('ij->j', {x})",
                f"torch.cdist({x}, {y})",
                f"torch.einsum('ij,jk', {x}, {y})",
                f"torch.einsum('ii->i', {x})",
                f"F.linear({x}, {y})",
                f"torch.tensordot({x}, {y}, dims=1)",
                f"torch.einsum('ij,ij->', {x}, {x})",
            )
        )

    def choice(self) -> str:
        x, y = self.operand(), self.second()
        mask = self.pick(("m", "w", "m", f"{x} > 0", "t", "a"))
        return self.pick(
            (
                f"torch.where({mask}, {x}, {y})",
                f"{x}.where({mask}, {y})",
                f"{x}.masked_fill({mask}, {y})",
                f"{x}.clamp(min={y})",
                f"{x}.clamp({y}, 1)",
                f"torch.clamp({x}, max={y})",
                f"{x}.clamp(-1, 1.5)",
                f"{x}.gather({self.dim()}, {self.pick('ikjp')}.abs() % 2)",
                f"{x}.index_select({self.dim()}, k % 2)",
                f"{x}.masked_select({mask})",
                f"{x}.nonzero()",
                f"torch.nonzero({x})",
                f"torch.where({x} > 0)",
                f"{x}.isclose({y})",
                f"torch.equal({x}, {y})",
                f"torch.allclose({x}, {y})",
                f"{x}.topk(2)",
                f"{x}.nan_to_num({self.pick(('', '1.0', '0, 1, 2'))})",
                f"bool({x})",
                f"{x}.item()",
                f"{x}.tolist()",
                f"len({x})",
                f"[one for one in {x}]",
                f"float({x})",
                f"int({x})",
                f"{x}.round(decimals=1)",
                f"torch.lerp({x}, {x} + 1, 0.25)",
                f"{x}.norm()",
                f"{x}.norm(dim={self.dim()}, keepdim=True)",
            )
        )

    def converted(self) -> str:
        x = self.operand()
        return x + self.pick(
            (
                ".float()",
                ".double()",
                ".long()",
                ".int()",
                ".bool()",
                ".to(torch.float64)",
                ".to(i)",
                ".type(torch.int32)",
                ".type_as(d)",
                ".clone()",
                ".detach()",
                ".to('cpu')",
            )
        )

    def made(self) -> str:
        x, y, n = (
            self.operand(),
            self.pick(NUMBERS),
            self.pick(("3", "2, 3", "(2, 3)", "0", "2, -1", "[1, 2]")),
        )
        dtype = self.pick(
            ("", ", dtype=torch.float64", ", dtype=torch.int64", ", dtype=torch.bool")
        )
        return self.pick(
            (
                f"torch.zeros({n}{dtype})",
                f"torch.ones({n}{dtype})",
                f"torch.full((2, 2), {y}{dtype})",
                f"torch.eye(2, 3{dtype})",
                f"torch.arange({y}{dtype})",
                f"torch.arange(1, 4, {y})",
                f"torch.arange(5, {y}, -2)",
                f"torch.linspace({y}, 2, 5)",
                f"torch.zeros_like({x}{dtype})",
                f"torch.ones_like({x}{dtype})",
                f"torch.full_like({x}, {y})",
                f"{x}.new_zeros({n})",
                f"{x}.new_ones(2)",
                f"{x}.new_full((2,), {y})",
                f"{x}.new_tensor([1, {y}])",
                f"torch.tensor([{y}, {self.pick(NUMBERS)}]{dtype})",
                f"torch.tensor([[{y}], [2]])",
                f"torch.tensor({x})",
                f"torch.tensor([[1, 2], [{y}]])",
                f"torch.tensor([{x}[0], {x}[1]])",
                "torch.tensor([])",
                f"str(torch.result_type({x}, {self.second()}))",
                "torch.meshgrid(b, k)[1]",
                f"torch.diag({x})",
            )
        )

    def filled(self) -> str:
        """Write into a tensor or a view of it; the result is the base."""
        base, y, index = self.pick("aceijmdnvuz"), self.second(), self.pick(INDICES)
        view = base + self.pick(
            ("", "", "[0]", "[:, 1:]", ".T", ".mT", "[..., 0]", ".view(-1)", ".flatten()")
        )
        update = self.pick("+= -= *= /= //= %= **= &= |= ^=".split())
        method = self.pick(
            "add_ sub_ mul_ div_ pow_ clamp_ masked_fill_ fill_ copy_ clamp_min_ maximum".split()
        )
        first = "m, " if method == "masked_fill_" else ""
        done = self.pick(
            (
                f"{base}[{index}] = {y}",
                f"{base}[{index}] {update} {y}",
                f"{base} {update} {y}",
                f"{view}.{method}({first}{y})",
                f"{view}.zero_()",
                f"{view}.exp_()",
                f"{view}.neg_()",
                f"{view}.relu_()",
                f"{view}.squeeze_()",
                f"{view}.unsqueeze_(0)",
                f"{view}.t_()",
                f"{base}.fill_diagonal_(2)",
            )
        )
        return f"{done}; {base}"

    def functional(self) -> str:
        x, y = self.operand(), self.operand()
        return self.pick(
            (
                f"F.softmax({x}, dim={self.dim()})",
                f"F.relu({x})",
                f"F.log_softmax({x}, -1)",
                f"F.one_hot({x}.abs())",
                "F.one_hot(k, 4)",
                f"F.layer_norm({x}, ({x}.shape[-1],))",
                f"F.layer_norm({x}, (3,))",
                f"F.pad({x}, (1, 2))",
                f"F.pad({x}, (0, 1, -1, 2), value=1.5)",
                f"F.normalize({x}, dim=-1)",
                f"F.mse_loss({x}, {y})",
                f"F.scaled_dot_product_attention({x}, {y}, {y})",
                f"F.scaled_dot_product_attention(c, c, {y}, is_causal=True)",
                f"F.scaled_dot_product_attention(c, c, c, attn_mask={self.pick(MASKS)})",
                f"F.gelu({x})",
                f"F.dropout({x}, 0.5, False)",
                f"F.softmin({x}, -1)",
                f"F.softmax({x})",
            )
        )

    def copied(self) -> str:
        """Show what a copy or a view does to its base."""
        x = self.pick("acdijev")
        how = self.pick(
            (
                "[0]",
                "[[0]]",
                ".T",
                ".reshape(-1)",
                ".flatten()",
                ".clone()",
                ".contiguous()",
                ".detach()",
                "[:1]",
                ".float()",
                ".expand_as({x})",
                ".squeeze()",
                ".unbind()[0]",
                ".chunk(2)[0]",
                ".diagonal()",
                ".narrow(0, 0, 1)",
                ".tril()",
            )
        ).replace("{x}", x)
        return f"y = {x}{how}; y.fill_(7); ({x}, y)"

    def program(self) -> str:
        expression = self.random.choice(self.kinds)()
        *before, last = expression.split("; ")
        used = "".join(name for name in ANY if re.search(rf"\b{name}\b", expression))
        lines = [f"globals().update(tensors({used!r}))", *before, f"result = {last}"]
        return "\n".join(lines)


def programs(seed: int, number: int) -> list[str]:
    """Draw different programs."""
    grammar, found = Grammar(seed), dict[str, None]()
    while len(found) < number:
        found[grammar.program()] = None
    return list(found)
