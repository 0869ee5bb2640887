"""Random cases for each scoring function."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib import scores

B, Q, K, D, E, H = 2, 3, 5, 7, 11, 13  # distinct primes: axes that are swapped cannot pass
PARAMETERS = {"bilinear": [(D, E)], "additive": [(H, D), (H, E), (1, H)]}
SAME_SIZE = ["dot", "scaled_dot", "gaussian", "cosine"]
NAMES = [*SAME_SIZE, *PARAMETERS]


def function(name: str) -> Callable[..., Tensor]:
    result: Callable[..., Tensor] = getattr(scores, name)
    return result


def random_case(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    key_size = D if name in SAME_SIZE else E
    shapes = [(B, Q, D), (B, K, key_size), *PARAMETERS.get(name, [])]
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]
