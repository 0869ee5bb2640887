"""Test the linear kernel: the query cancels, weights may be negative, keys may cancel."""

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import Tensor

from attention_lib import kernels
from attention_lib.kernels import kernel_weights

# Quarters: sums, differences and halves of them are exact.
quarters = st.integers(-40, 40).map(lambda n: n / 4)
inputs = st.lists(quarters, min_size=1, max_size=7).map(lambda x: torch.tensor(x).double())
widths = st.sampled_from([0.25, 0.5, 1.0, 2.0, 8.0])


@given(queries=inputs, keys=inputs, w=widths)
def test_with_the_linear_kernel_the_query_cancels(queries: Tensor, keys: Tensor, w: float) -> None:
    assume(keys.sum() != 0)
    weights = kernel_weights(queries, keys, kernels.linear, w)
    same = (keys / keys.sum()).expand(len(queries), -1)
    expected = same.where(queries[:, None] != 0, 0)
    torch.testing.assert_close(weights, expected)


def test_linear_weights_may_be_negative_and_are_0_where_they_cannot_sum_to_1() -> None:
    x = torch.tensor([2.0, 0.0])
    weights = kernel_weights(x, torch.tensor([-1.0, 3.0]), kernels.linear)
    torch.testing.assert_close(weights, torch.tensor([[-0.5, 1.5], [0.0, 0.0]]))
    assert not kernel_weights(x, torch.tensor([-1.0, 1.0]), kernels.linear).any()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_keys_that_cancel_but_for_rounding_give_no_weight(dtype: torch.dtype) -> None:
    cancelling = [[-0.3, 0.1, 0.2], [0.7, -0.9, 0.2], [1.1, 2.2, -3.3]]
    keys, query = torch.tensor(cancelling, dtype=dtype), torch.tensor([1.0, 0.37, 55.0]).to(dtype)
    assert keys.sum(dim=-1).any()  # in binary they do not cancel exactly
    for row in keys:
        assert not kernel_weights(query, row, kernels.linear).any()
    for others in (torch.tensor([-0.3, 0.1, 0.35]), torch.ones(300)):
        assert kernel_weights(query, others.to(dtype), kernels.linear).all()
    huge = torch.tensor([torch.finfo(dtype).max], dtype=dtype)
    assert kernel_weights(100 * query, huge, kernels.linear).isnan().all()  # overflow is not 0
