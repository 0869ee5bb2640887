"""Test kernels and Nadaraya-Watson: numbers by hand, torch's softmax as oracle, properties."""

import copy
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck

from attention_lib import kernels
from attention_lib.kernels import kernel_weights, nadaraya_watson

OF_THE_DIFFERENCE = [
    kernels.gaussian,
    kernels.boxcar,
    kernels.epanechnikov,
    kernels.triangular,
]
NEAR_ONLY = OF_THE_DIFFERENCE[1:]
ALL = [*OF_THE_DIFFERENCE, kernels.linear]
# Quarters: sums, differences and halves of them are exact.
quarters = st.integers(-40, 40).map(lambda n: n / 4)
inputs = st.lists(quarters, min_size=1, max_size=7).map(lambda x: torch.tensor(x).double())
widths = st.sampled_from([0.25, 0.5, 1.0, 2.0, 8.0])


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (kernels.gaussian, [1, math.exp(-1 / 8), math.exp(-1 / 2), math.exp(-9 / 8), math.exp(-2)]),
        (kernels.boxcar, [1, 1, 1, 0, 0]),
        (kernels.epanechnikov, [1, 3 / 4, 0, 0, 0]),
        (kernels.triangular, [1, 1 / 2, 0, 0, 0]),
        (kernels.linear, [9, 10.5, 12, 13.5, 15]),
    ],
)
def test_kernels_are_their_formulas(kernel: kernels.Kernel, expected: list[float]) -> None:
    x, x_i = torch.tensor([3.0, 3.5, 4.0, 4.5, 5.0]), torch.tensor(3.0)
    torch.testing.assert_close(kernel(x, x_i), torch.tensor(expected).float())
    torch.testing.assert_close(kernel(x_i, x), torch.tensor(expected).float())


@pytest.mark.parametrize("kernel", ALL)
def test_kernels_do_not_hide_nan(kernel: kernels.Kernel) -> None:
    x = torch.tensor([torch.nan, 1.0])
    assert kernel(x, torch.tensor(1.0)).isnan().tolist() == [True, False]


@pytest.mark.parametrize("kernel", ALL)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_kernels_broadcast_and_keep_the_dtype(kernel: kernels.Kernel, dtype: torch.dtype) -> None:
    result = kernel(torch.ones(2, 1, 3, dtype=dtype), torch.zeros(5, 1, dtype=dtype))
    assert (result.shape, result.dtype) == ((2, 5, 3), dtype)
    weights = kernel_weights(torch.ones(3, dtype=dtype), torch.ones(5, dtype=dtype), kernel)
    assert weights.dtype == dtype


def test_a_kernel_may_say_yes_or_no() -> None:
    weights = kernel_weights(torch.zeros(1).double(), torch.arange(3.0).double(), torch.isclose)
    torch.testing.assert_close(weights, torch.tensor([[1.0, 0.0, 0.0]]).double())


@pytest.mark.parametrize("kernel", ALL)
def test_arguments_stay_as_they_were(kernel: kernels.Kernel) -> None:
    case = [torch.tensor([1.0, 9.0]), torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])]
    before = copy.deepcopy(case)
    nadaraya_watson(*case, kernel, w=2.0)
    assert all(map(torch.equal, case, before))


def test_weights_and_predictions_are_those_worked_out_by_hand() -> None:
    # Keys 0, 1, 3, query 1.5, w = 1/2: u = 0.75, 0.25, -0.75. Triangles 1/4, 3/4, 1/4: weights
    # 1/5, 3/5, 1/5. Parabolas 7/16, 15/16, 7/16: 7/29, 15/29, 7/29.
    query, keys, values = (torch.tensor(x) for x in ([1.5], [0.0, 1.0, 3.0], [29.0, 58.0, 0.0]))

    def predict(kernel: kernels.Kernel) -> Tensor:
        return nadaraya_watson(query, keys, values, kernel, w=0.5)

    weights = kernel_weights(query, keys, kernels.triangular, w=0.5)
    torch.testing.assert_close(weights, torch.tensor([[0.2, 0.6, 0.2]]))
    torch.testing.assert_close(predict(kernels.triangular), torch.tensor([29 * 1.4]))
    torch.testing.assert_close(predict(kernels.epanechnikov), torch.tensor([7.0 + 30.0]))
    torch.testing.assert_close(predict(kernels.boxcar), torch.tensor([29.0]))
    torch.testing.assert_close(predict(kernels.linear), torch.tensor([14.5]))  # 0 · 29 + ¼ · 58


@given(queries=inputs, keys=inputs, w=widths)
def test_gaussian_weights_are_the_softmax_of_minus_half_the_squared_distance(
    queries: Tensor, keys: Tensor, w: float
) -> None:
    distances = torch.cdist(queries[:, None], keys[:, None], compute_mode="use_mm_for_euclid_dist")
    expected = torch.softmax(-((w * distances) ** 2) / 2, dim=-1)
    torch.testing.assert_close(kernel_weights(queries, keys, w=w), expected, atol=1e-9, rtol=0)


@given(queries=inputs, keys=inputs, w=widths, data=st.data())
def test_gaussian_regression_agrees_with_the_attention_of_torch(
    queries: Tensor, keys: Tensor, w: float, data: st.DataObject
) -> None:
    # -(q - k)²/2 is q·k - k²/2 up to a term that a row shares: a dot product with two components.
    values = torch.tensor(data.draw(st.lists(quarters, min_size=len(keys), max_size=len(keys))))
    pair = torch.stack([w * queries, torch.ones_like(queries)], dim=-1)
    other = torch.stack([w * keys, -((w * keys) ** 2) / 2], dim=-1)
    expected = F.scaled_dot_product_attention(
        pair[None], other[None], values.double()[None, :, None], scale=1.0
    )
    ours = nadaraya_watson(queries, keys, values.double(), w=w)
    torch.testing.assert_close(ours, expected[0, :, 0], atol=1e-9, rtol=0)


@pytest.mark.parametrize("x", [1e3, -1e6, 1e9])
def test_far_from_all_keys_the_gaussian_goes_to_the_nearest(x: float) -> None:
    keys, query = torch.tensor([0.0, 1.0, 2.0]).double(), torch.tensor([x]).double()
    assert not kernels.gaussian(query, keys).any()  # the plain formula divides 0 by 0
    nearest = [0.0, 0.0, 1.0] if x > 0 else [1.0, 0.0, 0.0]
    torch.testing.assert_close(kernel_weights(query, keys), torch.tensor([nearest]).double())


@pytest.mark.parametrize("kernel", OF_THE_DIFFERENCE)
@given(queries=inputs, keys=inputs, w=widths, shift=quarters)
def test_moving_queries_and_keys_together_changes_nothing(
    kernel: kernels.Kernel, queries: Tensor, keys: Tensor, w: float, shift: float
) -> None:
    moved = kernel_weights(queries + shift, keys + shift, kernel, w)
    assert torch.equal(moved, kernel_weights(queries, keys, kernel, w))


@pytest.mark.parametrize("kernel", OF_THE_DIFFERENCE)
@given(queries=inputs, keys=inputs, w=widths, data=st.data())
def test_a_row_sums_to_1_or_is_0_and_predictions_lie_among_the_values(
    kernel: kernels.Kernel, queries: Tensor, keys: Tensor, w: float, data: st.DataObject
) -> None:
    weights = kernel_weights(queries, keys, kernel, w)
    reached = kernel(w * queries[:, None], w * keys).any(dim=-1) | (kernel is kernels.gaussian)
    assert weights.shape == (len(queries), len(keys))
    assert (weights >= 0).all()
    torch.testing.assert_close(weights.sum(dim=-1), reached.double())
    assert not weights[~reached].any()
    drawn = data.draw(st.lists(quarters, min_size=len(keys), max_size=len(keys)))
    values = torch.tensor(drawn).double()
    predicted = nadaraya_watson(queries, keys, values, kernel, w)
    assert (predicted[reached] >= values.min() - 1e-9).all()
    assert (predicted[reached] <= values.max() + 1e-9).all()
    assert not predicted[~reached].any()


@pytest.mark.parametrize("kernel", OF_THE_DIFFERENCE)
def test_width_0_is_average_pooling_and_a_large_one_the_nearest_neighbour(
    kernel: kernels.Kernel,
) -> None:
    queries, keys = torch.tensor([0.0, 2.1]), torch.tensor([0.0, 2.1, 4.0])
    torch.testing.assert_close(
        kernel_weights(queries, keys, kernel, w=0.0), torch.full((2, 3), 1 / 3)
    )
    assert torch.equal(kernel_weights(queries, keys, kernel, w=1e6), torch.eye(3)[:2])


@pytest.mark.parametrize("kernel", ALL)
def test_gradients_are_finite_where_no_key_is_in_reach(kernel: kernels.Kernel) -> None:
    queries, keys = torch.tensor([0.0, 99.0]), torch.tensor([-1.0, 0.5, 0.5])  # linear: sum 0
    values, w = torch.tensor([1.0, 2.0, 3.0]), torch.tensor(1.0)
    inputs = [x.double().requires_grad_() for x in (queries, keys, values, w)]
    nadaraya_watson(*inputs[:3], kernel, inputs[3]).sum().backward()  # type: ignore[arg-type]
    assert all(x.grad is None or x.grad.isfinite().all() for x in inputs)
    assert inputs[2].grad is not None


@pytest.mark.parametrize(
    "kernel", [kernels.gaussian, kernels.epanechnikov, kernels.triangular, kernels.linear]
)
def test_gradients_are_those_of_finite_differences(kernel: kernels.Kernel) -> None:
    generator = torch.Generator().manual_seed(0)
    case = [torch.rand(n, generator=generator, dtype=torch.float64) for n in (3, 5, 5)]
    case.append(torch.tensor(0.7, dtype=torch.float64))

    def predict(queries: Tensor, keys: Tensor, values: Tensor, w: Tensor) -> Tensor:
        return nadaraya_watson(queries, keys, values, kernel, w)

    assert gradcheck(predict, [x.requires_grad_() for x in case])


def test_one_compiled_regression_serves_all_widths() -> None:
    torch.compiler.reset()
    compiled = torch.compile(nadaraya_watson, backend="eager", fullgraph=True)
    case = torch.tensor([0.5, 1.5]), torch.tensor([0.0, 1.0, 2.0]), torch.tensor([3.0, 6.0, 9.0])
    for w in (0.5, 1.0, 1.5, 2.5):
        expected = nadaraya_watson(*case, kernels.triangular, w)
        torch.testing.assert_close(compiled(*case, kernels.triangular, w), expected)
