"""Test what the book says PyTorch returns for an empty row, a finite mask or a padded query.

Each table maps cases to the results that the book states or relies on. The comment above it lists
the cells that state them, as chapter and cell. If a release of PyTorch changes a result, a test
here fails: then change the table, and these cells in both languages.
"""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product

import nbformat
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from attention_lib import DotProductAttention, MultiHeadAttention, masked_softmax
from tools.parity import BOOK

BATCH, WORDS, SIZE = 2, 5, 6
LOWEST = torch.finfo(torch.float32).min
BOTH = (True, False)
# The fast path uses PyTorch's nested tensors, which warn that they are a prototype.
pytestmark = pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")

# Every cell named in a comment below, in English and in Chinese.
CELLS = {
    "04-masked-softmax": [
        "fill-by-index-why",
        "formulas-disagree",
        "one-module-two-answers",
        "solution-read-the-numbers",
        "three-conventions-compared",
    ],
    "10-self-attention": [
        "both-seen",
        "empty-rows",
        "left-padding-seen",
        "rows-without-keys",
        "same-as-torch-claim",
    ],
    "12-scores-today": ["more-masks", "more-masks-run"],
    "misreadings": ["fill-instead", "true-instead"],
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_cells_named_here_are_in_the_book(lang: str) -> None:
    for page, cells in CELLS.items():
        ids = {cell.id for cell in nbformat.read(BOOK / lang / f"{page}.ipynb", 4).cells}
        assert ids.issuperset(cells), page


def called(row: Tensor, **candidates: Tensor) -> str:
    """Name a row: nan, partly nan, or the candidate that it equals."""
    row = row.detach().double()
    if row.isnan().any():
        return "nan" if row.isnan().all() else "partly nan"
    for name, candidate in candidates.items():
        if torch.allclose(row, candidate.detach().double(), atol=1e-2, rtol=1e-2):
            return name
    return "other"


# 04-masked-softmax: formulas-disagree, fill-by-index-why, three-conventions-compared,
# solution-read-the-numbers; misreadings: fill-instead.
# How the row is masked, dtype: the result of torch.softmax.
SOFTMAX = {
    ("filled", -torch.inf, "float16"): "nan",
    ("filled", -torch.inf, "bfloat16"): "nan",
    ("filled", -torch.inf, "float32"): "nan",
    ("filled", -torch.inf, "float64"): "nan",
    ("filled", -1e6, "float32"): "uniform",
    ("filled", -1e9, "float32"): "uniform",
    ("filled", LOWEST, "float32"): "uniform",
    ("assigned", -1e6, "float16"): "nan",  # the fill becomes -inf
    ("assigned", -1e6, "float32"): "uniform",
    ("added", -torch.inf, "float32"): "nan",
    ("added", -1e4, "float32"): "as if unmasked",
    ("added", -1e9, "float32"): "uniform",  # so large that the scores lose all digits
    ("added", -1e9, "float64"): "as if unmasked",
    ("added", LOWEST, "float32"): "uniform",
}


@pytest.mark.parametrize(("how", "fill", "dtype"), SOFTMAX)
def test_softmax_of_an_empty_row(how: str, fill: float, dtype: str) -> None:
    scores = torch.tensor([0.9, 0.3, 1.5, -0.4], dtype=getattr(torch, dtype))
    masked = scores.clone()
    if how == "added":
        masked = scores + torch.full_like(scores, fill)
    elif how == "filled":
        masked = scores.masked_fill(torch.ones(4, dtype=torch.bool), fill)
    else:
        masked[torch.ones(4, dtype=torch.bool)] = fill
    uniform, unmasked = torch.full((4,), 0.25), scores.double().softmax(-1)
    row = torch.softmax(masked, dim=-1)
    found = called(row, uniform=uniform, **{"as if unmasked": unmasked})
    assert found == SOFTMAX[how, fill, dtype]


# 04-masked-softmax: one-module-two-answers; 12-scores-today: more-masks, more-masks-run.
# Mask, dtype: the output of scaled_dot_product_attention in a row without a key, on each backend
# that a CPU has, with gradients and without. None of the gradients is NaN.
SDPA = {
    ("bool", "float16"): "zero",
    ("bool", "bfloat16"): "zero",
    ("bool", "float32"): "zero",
    ("bool", "float64"): "zero",
    (-torch.inf, "float16"): "zero",
    (-torch.inf, "float32"): "zero",
    (-torch.inf, "float64"): "zero",
    ("finfo.min", "float16"): "as if unmasked",  # -65504 is added to scores in float32
    ("finfo.min", "bfloat16"): "mean of the values",
    ("finfo.min", "float32"): "mean of the values",
    ("finfo.min", "float64"): "mean of the values",
    (-1e9, "bfloat16"): "mean of the values",
    (-1e9, "float32"): "mean of the values",
    (-1e9, "float64"): "as if unmasked",
    (-1e4, "float32"): "as if unmasked",
}


@pytest.mark.parametrize(("mask", "dtype"), SDPA)
def test_sdpa_in_a_row_without_a_key(mask: str | float, dtype: str) -> None:
    kind: torch.dtype = getattr(torch, dtype)
    torch.manual_seed(0)
    drawn = torch.randn(3, BATCH, 1, WORDS, 4, dtype=torch.float64) * torch.tensor(2.0)
    keep = torch.ones(WORDS, WORDS, dtype=torch.bool)
    keep[0] = False
    added = torch.zeros(WORDS, WORDS, dtype=kind)
    added[0] = torch.finfo(kind).min if mask == "finfo.min" else 0 if mask == "bool" else mask
    found = set()
    for backend, grad in product((None, SDPBackend.MATH, SDPBackend.FLASH_ATTENTION), BOTH):
        q, k, v = (x.to(kind).requires_grad_(grad) for x in drawn)
        with sdpa_kernel(backend) if backend else nullcontext():
            output = F.scaled_dot_product_attention(
                q, k, v, attn_mask=keep if mask == "bool" else added
            )
        if grad:
            output.sum().backward()
            assert not any(x.grad is None or x.grad.isnan().any() for x in (q, k, v))
        assert not output[:, :, 1:].isnan().any()
        scores, values = (q.double() @ k.double().mT / 2)[0, 0, 0], v[0, 0].double()
        candidates = {
            "zero": torch.zeros(4),
            "mean of the values": values.mean(0),
            "as if unmasked": scores.softmax(-1) @ values,
        }
        found.add(called(output[0, 0, 0], **candidates))
    assert found == {SDPA[mask, dtype]}


# 04-masked-softmax: one-module-two-answers; 10-self-attention: empty-rows, rows-without-keys,
# same-as-torch-claim.
# Mask, need_weights, path: weights and output of nn.MultiheadAttention.
MULTIHEAD = {
    ("bool", True, "slow"): ("nan", "nan"),
    ("bool", True, "fast"): ("nan", "nan"),
    ("bool", False, "slow"): ("none", "bias of the last projection"),  # 0 if there is no bias
    ("bool", False, "fast"): ("none", "nan"),
    (-torch.inf, True, "slow"): ("nan", "nan"),
    (-torch.inf, False, "slow"): ("none", "bias of the last projection"),
    (LOWEST, True, "slow"): ("uniform", "mean of the values"),
    (LOWEST, False, "slow"): ("none", "mean of the values"),
    (-1e9, True, "slow"): ("uniform", "mean of the values"),
    (-1e9, False, "slow"): ("none", "mean of the values"),
}


def ways(heads: tuple[int, ...]) -> Iterator[tuple[bool, bool, bool, bool, int]]:
    """Yield training mode, gradients, biases, batch first, number of heads."""
    yield from product(BOTH, BOTH, BOTH, BOTH, heads)


def fast(training: bool, grad: bool, bias: bool, batch_first: bool, heads: int) -> bool:
    """Return whether a module may take PyTorch's fast path, by 10-self-attention: empty-rows."""
    return not training and not grad and bias and batch_first and heads % 2 == 0


def as_floats(mask: Tensor, fill: str | float) -> Tensor:
    """Return a mask, True where ignored, unchanged or as numbers to add."""
    return mask if isinstance(fill, str) else torch.zeros(mask.shape).masked_fill(mask, fill)


def ignoring() -> dict[str, Tensor]:
    """Return two masks, True where ignored: row 0 empty, and all of sentence 0 padding."""
    row, sentence = (torch.zeros(n, WORDS, dtype=torch.bool) for n in (WORDS, BATCH))
    row[0] = sentence[0] = True
    return {"attn_mask": row, "key_padding_mask": sentence}


@pytest.mark.parametrize("fill", ["bool", -torch.inf, LOWEST, -1e9])
@pytest.mark.parametrize("argument", ["attn_mask", "key_padding_mask"])
@pytest.mark.parametrize("need_weights", BOTH)
def test_multihead_attention_in_a_row_without_a_key(
    fill: str | float, argument: str, need_weights: bool
) -> None:
    mask = as_floats(ignoring()[argument], fill)
    torch.manual_seed(0)
    x = torch.randn(BATCH, WORDS, SIZE)
    wrong = {}
    for way, same in product(ways((1, 2, 3)), BOTH):
        training, grad, bias, batch_first, heads = way
        module = nn.MultiheadAttention(SIZE, heads, bias=bias, batch_first=batch_first)
        module.train(training)
        if bias:
            nn.init.normal_(module.out_proj.bias)
        asked = x if batch_first else x.transpose(0, 1)
        with torch.set_grad_enabled(grad):
            # Equal queries and keys that are two tensors never take the fast path.
            inputs = asked, asked if same else asked.clone(), asked
            output, weights = module(*inputs, need_weights=need_weights, **{argument: mask})
        row = output[0, 0]
        values = F.linear(x[0], module.in_proj_weight[-SIZE:])
        found = (
            "none" if weights is None else called(weights[0, 0], uniform=torch.full((5,), 0.2)),
            called(
                row,
                **{
                    "bias of the last projection": module.out_proj(torch.zeros(SIZE)),
                    "mean of the values": module.out_proj(values.mean(0)),
                },
            ),
        )
        path = "fast" if fill == "bool" and same and fast(*way) else "slow"
        if found != MULTIHEAD[fill, need_weights, path]:
            wrong[(*way, same)] = found
    assert not wrong


# Cells that print results of MULTIHEAD.
PRINTED = [
    ("04-masked-softmax", "one-module-two-answers"),
    ("10-self-attention", "rows-without-keys"),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("page", "cell"), PRINTED)
def test_the_book_shows_the_modes_in_which_its_modules_are_used(
    page: str, cell: str, lang: str
) -> None:
    cells = {cell.id: cell for cell in nbformat.read(BOOK / lang / f"{page}.ipynb", 4).cells}
    text = "".join(output.get("text", "") for output in cells[cell].outputs)
    shown = re.findall(r"training=(\w+), need_weights=(\w+): (.*)", text)
    assert ("False", "False") in {(training, need_weights) for training, need_weights, _ in shown}
    for training, need_weights, row in shown:
        path = "slow" if training == "True" else "fast"
        _, expected = MULTIHEAD["bool", need_weights == "True", path]
        # The module is new, so the bias of its last projection is 0.
        assert set(re.findall(r"nan|\d[\d.]*", row)) <= (
            {"nan"} if expected == "nan" else {"0.", "0.0"}
        ), (training, need_weights)


# 10-self-attention: empty-rows.
# Mask, path: outputs of two layers of nn.TransformerEncoder, in the empty row of the sentence and
# in its other rows. With nested tensors, which are its default, a padding mask leaves zeros in
# the places of padding. A finite mask is one of True and False on the fast path.
ENCODER = {
    ("mask", "bool", "slow"): ("finite", "finite"),
    ("mask", "bool", "fast"): ("nan", "nan"),
    ("mask", "bool", "nested"): ("nan", "nan"),
    ("mask", -torch.inf, "slow"): ("finite", "finite"),
    ("mask", -torch.inf, "fast"): ("nan", "nan"),
    ("mask", -torch.inf, "nested"): ("nan", "nan"),
    ("mask", LOWEST, "slow"): ("finite", "finite"),
    ("mask", LOWEST, "fast"): ("nan", "nan"),
    ("mask", LOWEST, "nested"): ("nan", "nan"),
    ("padding", "bool", "slow"): ("finite", "finite"),
    ("padding", "bool", "fast"): ("nan", "nan"),
    ("padding", "bool", "nested"): ("zero", "zero"),
    ("padding", -torch.inf, "slow"): ("finite", "finite"),
    ("padding", -torch.inf, "fast"): ("nan", "nan"),
    ("padding", -torch.inf, "nested"): ("zero", "zero"),
    ("part", "bool", "slow"): ("finite", "finite"),
    ("part", "bool", "fast"): ("finite", "finite"),
    ("part", "bool", "nested"): ("zero", "finite"),
}


@pytest.mark.parametrize(("which", "fill"), sorted({key[:2] for key in ENCODER}, key=str))
@pytest.mark.filterwarnings(
    "ignore:enable_nested_tensor is True"
)  # where nested tensors cannot be used
@pytest.mark.filterwarnings("ignore:Converting mask without torch.bool")
def test_transformer_encoder_in_a_row_without_a_key(which: str, fill: str | float) -> None:
    row, sentence = ignoring().values()
    part = torch.zeros(BATCH, WORDS, dtype=torch.bool)
    part[0, -1] = True  # a padded query, whose row is not empty
    mask = as_floats({"mask": row, "padding": sentence, "part": part}[which], fill)
    argument = "mask" if which == "mask" else "src_key_padding_mask"
    empty = -1 if which == "part" else 0
    torch.manual_seed(0)
    x = torch.randn(BATCH, WORDS, SIZE)
    wrong = {}
    for way, nested in product(ways((1, 2)), BOTH):
        training, grad, bias, batch_first, heads = way
        layer = nn.TransformerEncoderLayer(
            SIZE, heads, 8, dropout=0.0, bias=bias, batch_first=batch_first
        )
        encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=nested).train(training)
        with torch.set_grad_enabled(grad):
            output = encoder(x if batch_first else x.transpose(0, 1), **{argument: mask})
        first, second = output if batch_first else output.transpose(0, 1)
        others = [row for place, row in enumerate(first) if place != empty % WORDS]
        found = tuple(
            "finite" if state == "other" else state
            for state in (
                called(rows, zero=torch.zeros_like(rows))
                for rows in (first[empty], torch.stack(others))
            )
        )
        path = "slow" if not fast(*way) else "nested" if nested else "fast"
        reaches = which != "mask"  # a mask for queries and keys applies to every sentence
        if found != ENCODER[which, fill, path] or (reaches and not second.isfinite().all()):
            wrong[(*way, nested)] = found
    assert not wrong


# misreadings: true-instead. A float mask that hides nothing, as in ALiBi, path: what it does.
def test_float_masks_are_added_but_for_the_fast_path_of_an_encoder_layer() -> None:
    torch.manual_seed(0)
    q, k, v = x = torch.randn(3, 1, WORDS, SIZE)
    distance = (torch.arange(WORDS)[:, None] - torch.arange(WORDS)).abs() / -4.0
    added = torch.softmax(q @ k.mT / SIZE**0.5 + distance, dim=-1) @ v
    sdpa = F.scaled_dot_product_attention(q, k, v, attn_mask=distance)
    torch.testing.assert_close(sdpa, added, atol=1e-5, rtol=1e-5)
    layer = nn.TransformerEncoderLayer(SIZE, 2, 8, dropout=0.0, batch_first=True).eval()
    multi = layer.self_attn
    slow = layer(x[0], distance)
    projected = [
        F.linear(x[0], W).reshape(1, WORDS, 2, SIZE // 2).transpose(1, 2)
        for W in multi.in_proj_weight.chunk(3)
    ]
    heads = F.scaled_dot_product_attention(*projected, attn_mask=distance)
    by_hand = multi.out_proj(heads.transpose(1, 2).flatten(2))
    with torch.no_grad():
        module = multi(x[0], x[0], x[0], attn_mask=distance, need_weights=False)[0]
        quick, boolean = layer(x[0], distance), layer(x[0], distance != 0)
    torch.testing.assert_close(module, by_hand, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(quick, boolean, atol=1e-5, rtol=1e-5)
    assert not torch.allclose(quick, slow, atol=1e-2)


# 10-self-attention: both-seen, left-padding-seen. Padding in front leaves the first row of a causal
# mask no key.
@pytest.mark.parametrize("need_weights", BOTH)
@pytest.mark.parametrize("training", BOTH)
def test_causal_mask_with_padding_behind_and_in_front(training: bool, need_weights: bool) -> None:
    torch.manual_seed(0)
    module = nn.MultiheadAttention(SIZE, 2, batch_first=True).train(training)
    x = torch.randn(1, WORDS, SIZE)
    later = torch.ones(WORDS, WORDS, dtype=torch.bool).triu(1)
    behind = torch.tensor([[False, False, False, True, True]])

    def output(**masks: Tensor) -> Tensor:
        with torch.no_grad():
            found: Tensor = module(x, x, x, attn_mask=later, need_weights=need_weights, **masks)[0]
        return found

    alone, both = output(), output(key_padding_mask=behind)
    torch.testing.assert_close(both[:, :3], alone[:, :3], atol=1e-5, rtol=1e-5)
    in_front = output(key_padding_mask=behind.flip(-1))
    zero = {"zero": torch.zeros(2, SIZE)}
    assert called(in_front[0, :2], **zero) == ("zero" if training and not need_weights else "nan")
    assert in_front[0, 2:].isfinite().all()


# 04-masked-softmax: three-conventions-compared; 10-self-attention: empty-rows.
@pytest.mark.parametrize("training", BOTH)
@pytest.mark.parametrize("grad", BOTH)
def test_the_library_gives_zero_in_every_mode(training: bool, grad: bool) -> None:
    torch.manual_seed(0)
    x, lens = torch.randn(1, WORDS, SIZE), torch.tensor([[0, 2, 3, 4, 5]])
    assert masked_softmax(x @ x.mT, lens)[0, 0].eq(0).all()
    ours = MultiHeadAttention(SIZE, SIZE, SIZE, SIZE, 2, bias=True)
    nn.init.normal_(ours.W_o.bias)
    with torch.set_grad_enabled(grad):
        assert DotProductAttention().train(training)(x, x, x, lens)[0, 0].eq(0).all()
        output = ours.train(training)(x, x, x, lens)[0, 0]
    torch.testing.assert_close(output, ours.W_o.bias)
