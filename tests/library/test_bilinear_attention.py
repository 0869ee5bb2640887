"""Test bilinear attention: numbers by hand, torch's bilinear layer, initial scores."""

import pytest
import torch
from torch import Tensor, nn

from attention_lib import BilinearAttention, length_mask

B, Q, K, D = 2, 3, 5, 7  # distinct primes: axes that are swapped cannot pass


def test_bilinear_scores_are_those_worked_out_by_hand() -> None:
    attention = BilinearAttention(key_size=3, query_size=2)
    attention.W.weight = torch.nn.Parameter(torch.tensor([[1.0, 0, 2], [0, 3, 0]]))
    scores = attention.score(torch.tensor([[[1.0, 10]]]), torch.tensor([[[5.0, 0, 7], [0, 2, 0]]]))
    torch.testing.assert_close(scores, torch.tensor([[[19.0, 60.0]]]))


@pytest.mark.parametrize(
    "valid_lens", [None, torch.tensor([4, 1]), torch.tensor([[1, 5, 2], [3, 4, 1]])]
)
def test_bilinear_attention_agrees_with_torch(valid_lens: Tensor | None) -> None:
    torch.manual_seed(0)
    attention, theirs = BilinearAttention(D, 13).double(), nn.Bilinear(13, D, 1, bias=False)
    theirs.weight = nn.Parameter(attention.W.weight.detach()[None])
    queries = torch.randn(B, Q, 13, dtype=torch.float64)
    keys, values = (torch.randn(B, K, size, dtype=torch.float64) for size in (D, 11))
    pairs = queries.repeat_interleave(K, 1), keys.repeat(1, Q, 1)  # (B, Q * K, size)
    scores = theirs(*pairs).reshape(B, Q, K)
    mask = None if valid_lens is None else length_mask(valid_lens, Q, K)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    expected = torch.softmax(scores, dim=-1) @ values
    torch.testing.assert_close(attention(queries, keys, values, valid_lens), expected)


def test_bilinear_scores_start_with_the_variance_that_the_docstring_names() -> None:
    torch.manual_seed(0)
    queries, keys = torch.randn(200, 1, 30), torch.randn(200, 1, 17)
    many = torch.cat([BilinearAttention(17, 30).score(queries, keys) for _ in range(100)])
    assert many.var().item() == pytest.approx(30 / 3, rel=0.1)
