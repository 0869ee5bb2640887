"""Random cases for each scoring function."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib import scores

B, Q, K, D, E, H = 2, 3, 5, 7, 11, 13  # distinct primes: axes that are swapped cannot pass
SIZES = {"query size": D, "key size": E, "H": H, "1": 1}
NAMES = list(scores.SCORES)
SAME_SIZE = [name for name in NAMES if not scores.SCORES[name].parameters]


def function(name: str) -> Callable[..., Tensor]:
    return scores.SCORES[name].function


def random_case(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    key_size = D if name in SAME_SIZE else E
    own = scores.SCORES[name].parameters.values()
    parameters = [tuple(SIZES[symbol] for symbol in shape) for shape in own]
    shapes = [(B, Q, D), (B, K, key_size), *parameters]
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]
