"""Test that every public function refuses bad arguments and names them."""

import copy
import inspect
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attention_lib
from attention_course.nli import Vocabulary, aligned_model, neighbour_vectors
from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DecomposableAttention,
    DotProductAttention,
    GaussianAttention,
    MultiHeadAttention,
    kernels,
    length_mask,
    masked_softmax,
    merge_heads,
    scores,
    sequence_mask,
    show_heatmaps,
    sinusoidal_positions,
    split_heads,
)


class Mean(Attention):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return queries.new_zeros(*queries.shape[:2], keys.shape[1])


X, LENS = torch.rand(2, 3, 5), torch.tensor([1, 5])
PAIR = {"queries": torch.rand(2, 3, 4), "keys": torch.rand(2, 5, 4)}
ATTEND = PAIR | {"values": torch.rand(2, 5, 6), "valid_lens": LENS}
SIZES = {"query size": 4, "key size": 4, "d": 4, "H": 7, "1": 1}
LINE = {"queries": torch.rand(3), "keys": torch.rand(5), "w": 2.0}
MODEL = DecomposableAttention(9, 4, 6)
IDS = {"premises": torch.ones(2, 5).long(), "hypotheses": torch.ones(2, 7).long()}
NUMBERS = {"premise_lens": LENS, "hypothesis_lens": LENS}
WORDS = Vocabulary(["a dog"])

Call = Callable[..., object]
CASES: dict[str, tuple[Call, dict[str, Any]]] = {
    "length_mask": (length_mask, {"valid_lens": LENS, "num_queries": 3, "num_keys": 5}),
    "sequence_mask": (sequence_mask, {"X": X[0, :2], "valid_len": LENS}),
    "masked_softmax": (masked_softmax, {"X": X, "valid_lens": LENS}),
    "show_heatmaps": (
        lambda matrices: show_heatmaps(matrices, "keys", "queries"),
        {"matrices": X[None]},
    ),
    "sinusoidal_positions": (
        sinusoidal_positions,
        {"num_positions": 3, "size": 4, "base": 9.0, "dtype": torch.float16},
    ),
    "split_heads": (split_heads, {"x": torch.rand(2, 3, 4), "num_heads": 2}),
    "merge_heads": (merge_heads, {"x": torch.rand(4, 3, 2), "num_heads": 2}),
    "Attention": (Mean, {"dropout": 0.5}),
    "Attention.forward": (Mean(), ATTEND),
    "AdditiveAttention": (
        AdditiveAttention,
        {"key_size": 4, "query_size": 4, "num_hiddens": 7, "dropout": 0.5},
    ),
    "AdditiveAttention.forward": (AdditiveAttention(4, 4, 7), ATTEND),
    "DotProductAttention": (DotProductAttention, {"dropout": 0.5}),
    "DotProductAttention.forward": (DotProductAttention(), ATTEND | {"need_weights": False}),
    "BilinearAttention": (BilinearAttention, {"key_size": 4, "query_size": 4, "dropout": 0.5}),
    "BilinearAttention.forward": (BilinearAttention(4, 4), ATTEND),
    "GaussianAttention": (GaussianAttention, {"w": 0.5}),
    "GaussianAttention.forward": (GaussianAttention(), ATTEND),
    "MultiHeadAttention": (
        MultiHeadAttention,
        {"key_size": 4, "query_size": 4, "value_size": 6, "num_hiddens": 8, "num_heads": 2}
        | {"dropout": 0.5},
    ),
    "MultiHeadAttention.forward": (
        MultiHeadAttention(4, 4, 6, 8, 2),
        ATTEND | {"need_weights": False},
    ),
    "DecomposableAttention": (
        DecomposableAttention,
        {"vocab_size": 9, "embedding_size": 4, "num_hiddens": 6, "num_classes": 3}
        | {"dropout": 0.5, "vectors": torch.rand(9, 2)},
    ),
    "DecomposableAttention.forward": (MODEL, IDS | NUMBERS),
    "DecomposableAttention.embed": (MODEL.embed, {"ids": IDS["premises"]}),
    "DecomposableAttention.attend": (
        MODEL.attend,
        {"a": torch.rand(2, 5, 4), "b": torch.rand(2, 7, 4)} | NUMBERS,
    ),
    "DecomposableAttention.compare": (
        MODEL.compare,
        {"words": torch.rand(2, 5, 4), "aligned": torch.rand(2, 5, 4), "lens": LENS},
    ),
    "DecomposableAttention.aggregate": (
        MODEL.aggregate,
        {"v_a": torch.rand(2, 5, 6), "v_b": torch.rand(2, 7, 6)} | NUMBERS,
    ),
    **{
        f"scores.{name}": (
            score.function,
            PAIR
            | {x: torch.rand([SIZES[size] for size in own]) for x, own in score.parameters.items()},
        )
        for name, score in scores.SCORES.items()
    },
    **{
        f"kernels.{kernel.__name__}": (kernel, {"x": torch.rand(3), "x_i": torch.rand(3)})
        for kernel in (
            kernels.gaussian,
            kernels.boxcar,
            kernels.epanechnikov,
            kernels.triangular,
            kernels.linear,
        )
    },
    "kernels.kernel_weights": (kernels.kernel_weights, LINE),
    "kernels.nadaraya_watson": (kernels.nadaraya_watson, LINE | {"values": torch.rand(5)}),
    "nli.aligned_model": (aligned_model, {"vectors": torch.rand(5, 2)}),
    "nli.neighbour_vectors": (
        lambda **numbers: neighbour_vectors(["a dog"], WORDS, **numbers),
        {"size": 2, "window": 1},
    ),
}

NO_TENSORS: dict[str, Callable[[Tensor], Any]] = {
    "a list": Tensor.tolist,
    "an array": Tensor.numpy,
    "complex": lambda x: x.to(torch.complex64),
    "sparse": Tensor.to_sparse,
    "nested": lambda x: torch.nested.nested_tensor([x, x]),
    "jagged": lambda x: torch.nested.nested_tensor([x, x], layout=torch.jagged),
    "elsewhere": lambda x: x.to("meta"),
}
SHAPES: dict[str, Callable[[Tensor], Any]] = {
    "an axis more": lambda x: x[None],
    "an axis less": lambda x: x[0],
}
BAD_FLOATING = NO_TENSORS | {
    "nothing": lambda x: None,
    "integers": Tensor.long,
    "bool": Tensor.bool,
    "float8": lambda x: x.to(torch.float8_e4m3fn),
    "quantised": lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),
    "MKL-DNN's": Tensor.to_mkldnn,
    "another dtype": Tensor.double,
}
BAD_INTEGERS = NO_TENSORS | {
    "floating": Tensor.float,
    "bool": Tensor.bool,
    "negative": lambda x: x - 9,
    "too large": lambda x: x + 99,
}
BAD_COUNTS = [-1, 1.5, math.nan, True, "3", None, torch.tensor(3), 10.0**300]
BAD_FLAGS = [0, 1.0, "False", None, torch.tensor(False)]
BAD_NUMBERS = [math.nan, math.inf, "1", None, 1j, [1.0], torch.ones(2), torch.ones(()).to_sparse()]
BAD_NUMBERS += [10**400, torch.ones((), dtype=torch.complex64)]

# Values that are valid for these arguments, because nothing else has to fit or any number works.
ANY = {f"kernels.{name}" for name in ("gaussian", "boxcar", "epanechnikov", "triangular", "linear")}
FINE = {
    ("length_mask", "elsewhere"),
    *(
        (name, kind)
        for name in ("split_heads", "merge_heads")  # which move any numbers
        for kind in ("integers", "bool", "another dtype", "elsewhere")
    ),
    *(("DecomposableAttention.embed", kind) for kind in SHAPES),
    *((name, kind) for name in ANY for kind in SHAPES),
    *((x, kind) for x in ("X", "matrices") for kind in ("integers", "bool", "another dtype")),
    ("vectors", "another dtype"),
    ("DecomposableAttention", "nothing"),
}


def bad(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield bad values for an argument for which this value is good."""
    if isinstance(value, Tensor):
        kinds = SHAPES | (BAD_FLOATING if value.is_floating_point() else BAD_INTEGERS)
        for kind, make in kinds.items():
            yield kind, make(value)
    elif isinstance(value, torch.dtype):
        for dtype in (torch.int64, torch.bool, torch.complex64, torch.float8_e5m2, "float32", 32):
            yield str(dtype), dtype
    elif isinstance(value, bool):
        for other in BAD_FLAGS:
            yield repr(other), other
    else:
        for other in BAD_COUNTS if isinstance(value, int) else BAD_NUMBERS:
            yield repr(other), other


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor.* are deprecated")
@pytest.mark.parametrize("name", CASES)
def test_all_else_is_refused_by_name(name: str) -> None:
    call, good = CASES[name]
    call(**good)
    for argument, value in good.items():
        for kind, other in bad(value):
            if {(name, kind), (argument, kind)} & FINE:
                continue
            said = "nothing"
            try:
                call(**(good | {argument: other}))
            except (TypeError, ValueError) as error:
                said = str(error)
            where = f"{name}({argument}: {kind}) said {said}"
            assert re.match(r"\w+( and \w+)? must .*; got ", said), where
            assert argument in said, where


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("name", CASES)
def test_every_floating_dtype_and_every_stride_is_taken(name: str, dtype: torch.dtype) -> None:
    call, good = CASES[name]
    if isinstance(call, nn.Module):
        call = copy.deepcopy(call).to(dtype)
    elif inspect.ismethod(call):
        call = getattr(copy.deepcopy(call.__self__).to(dtype), call.__name__)
    spread = {
        argument: torch.stack([x, x], dim=-1).to(dtype if x.is_floating_point() else x.dtype)[
            ..., 0
        ]
        for argument, x in good.items()
        if isinstance(x, Tensor)
    }
    assert not any(x.is_contiguous() for x in spread.values())
    result = call(**(good | spread))
    if isinstance(result, Tensor) and result.is_floating_point() and spread:
        assert result.dtype == dtype
        assert result.isfinite().all()


def test_every_public_function_and_every_forward_is_in_the_list() -> None:
    public = {name: getattr(attention_lib, name) for name in attention_lib.__all__}
    for module in (scores, kernels):
        for name, f in inspect.getmembers(module, inspect.isfunction):
            if "__mutmut_" in name:  # `make mutants` keeps copies of a function beside it
                continue
            if f.__module__ == module.__name__ and not name.startswith("_"):
                public[f"{module.__name__.split('.')[-1]}.{name}"] = f
    forwards = {f"{name}.forward" for name, x in public.items() if inspect.isclass(x)}
    assert forwards
    assert {*public, *forwards} <= set(CASES)


SMALL, ONE = torch.ones(1, 2), torch.tensor([1])


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: sequence_mask(SMALL.long(), ONE, 0.5),
            ValueError,
            "value must fit torch.int64; got 0.5",
        ),
        (
            lambda: sequence_mask(SMALL.to(torch.uint8), ONE, -1),
            ValueError,
            "value must fit torch.uint8; got -1",
        ),
        (
            lambda: sequence_mask(SMALL.long(), ONE, math.nan),
            ValueError,
            "value must fit torch.int64; got nan",
        ),
        (
            lambda: sequence_mask(SMALL.int(), ONE, -math.inf),
            ValueError,
            "value must fit torch.int32; got -inf",
        ),
        (
            lambda: sequence_mask(SMALL.int(), ONE, 1e300),
            ValueError,
            "value must fit torch.int32; got 1e+300",
        ),
        (
            lambda: sequence_mask(SMALL, ONE, 1e300),
            ValueError,
            "must fit torch.float32; got 1e+300",
        ),
        (lambda: sequence_mask(SMALL.bool(), ONE, 2), ValueError, "must fit torch.bool; got 2"),
        (lambda: sequence_mask(SMALL, ONE, "0"), TypeError, "value must be a number; got str"),
        (
            lambda: sequence_mask(SMALL, ONE, SMALL),
            ValueError,
            "value must be one number; got shape",
        ),
        (
            lambda: sequence_mask(SMALL, ONE, torch.ones((), device="meta")),
            ValueError,
            "value must be on the device of X, cpu; got meta",
        ),
        (
            lambda: scores.cosine(torch.ones(1, 2, 0), torch.ones(1, 3, 0)),
            ValueError,
            "queries must have at least 1 number each; got (1, 2, 0)",
        ),
        (
            lambda: scores.additive(*PAIR.values(), ONE.float(), ONE.float(), ONE.float()),
            ValueError,
            "W_q must have shape (H, query size); got (1,)",
        ),
        (
            lambda: sinusoidal_positions(2, 4, base="1"),  # type: ignore[arg-type]
            TypeError,
            "base must be a number; got str",
        ),
        (
            lambda: sinusoidal_positions(2, 4, dtype=torch.int32),
            TypeError,
            "dtype must be floating; got torch.int32",
        ),
        (
            lambda: kernels.kernel_weights(
                ONE.float(), ONE.float(), kernels.gaussian, torch.ones((), device="meta")
            ),
            ValueError,
            "w must be on the device of queries, cpu; got meta",
        ),
        (
            lambda: MultiHeadAttention(4, 4, 6, 4, 2)(*ATTEND.values(), need_weights=0),
            TypeError,
            "need_weights must be True or False; got int",
        ),
        (
            lambda: show_heatmaps(X[None].to("meta"), "", ""),
            ValueError,
            "got no data",
        ),
        (lambda: DotProductAttention(1.5), ValueError, "dropout must lie in 0..1; got 1.5"),
        (lambda: DotProductAttention(-0.1), ValueError, "dropout must lie in 0..1; got -0.1"),
        (
            lambda: MultiHeadAttention(4, 4, 4, 4, 2, attention=3),  # type: ignore[arg-type]
            TypeError,
            "attention must be a module; got int",
        ),
        (
            lambda: show_heatmaps(X[None], "", "", titles="ab"),  # type: ignore[arg-type]
            TypeError,
            "titles must be several strings; got one, 'ab'",
        ),
        (
            lambda: kernels.kernel_weights(
                ONE.float(), ONE.float(), lambda x, y: (x * y).to("meta")
            ),
            ValueError,
            "kernel must return a tensor on cpu; got one on meta",
        ),
        (
            lambda: kernels.kernel_weights(
                ONE.float(), ONE.float(), lambda x, y: (x * y).to_sparse()
            ),
            TypeError,
            "kernel must return a strided tensor; got torch.sparse_coo",
        ),
    ],
)
def test_what_else_does_not_fit_is_refused(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("attention", "layers"),
    [
        (AdditiveAttention(4, 4, 7), {"W_q": "queries", "W_k": "keys"}),
        (MultiHeadAttention(4, 4, 6, 4, 2), {"W_q": "queries", "W_k": "keys", "W_v": "values"}),
        (BilinearAttention(4, 4), {"W": "queries"}),
    ],
)
def test_a_layer_of_another_dtype_is_named(attention: nn.Module, layers: dict[str, str]) -> None:
    for layer, tensor in layers.items():
        other = copy.deepcopy(attention)
        other.get_submodule(layer).double()
        message = f"{tensor} must have the dtype of {layer}, torch.float64; got torch.float32"
        with pytest.raises(TypeError, match=message):
            other(*ATTEND.values())


def test_sizes_of_one_are_taken() -> None:
    for attention in (BilinearAttention(1, 1), AdditiveAttention(1, 1, 1)):
        assert attention(*torch.ones(3, 2, 5, 1)).shape == (2, 5, 1)


def test_padding_can_be_filled_with_whatever_its_dtype_holds() -> None:
    for value in (math.nan, math.inf, -math.inf, 0.5, torch.tensor(2.0)):
        expected = torch.tensor([[1.0, float(value)]])
        assert torch.equal(sequence_mask(SMALL, ONE, value).nan_to_num(7), expected.nan_to_num(7))
    assert sequence_mask(SMALL.to(torch.uint8), ONE, 255.0).tolist() == [[1, 255]]
    assert sequence_mask(SMALL.bool(), ONE, False).tolist() == [[True, False]]
