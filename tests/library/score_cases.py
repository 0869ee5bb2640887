"""Random cases for each scoring function."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib import scores

B, Q, K, D, E, H = 2, 3, 5, 7, 11, 13  # distinct primes: axes that are swapped cannot pass
SIZES = {"query size": D, "key size": E, "d": D, "H": H, "1": 1}
NAMES = list(scores.SCORES)


def _sizes_differ(name: str) -> bool:
    return any("key size" in shape for shape in scores.SCORES[name].parameters.values())


SAME_SIZE = [name for name in NAMES if not _sizes_differ(name)]


def function(name: str) -> Callable[..., Tensor]:
    return scores.SCORES[name].function


def parameter_sizes(name: str) -> dict[str, tuple[int, ...]]:
    own = scores.SCORES[name].parameters
    return {own_name: tuple(SIZES[symbol] for symbol in shape) for own_name, shape in own.items()}


def random_case(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    key_size = D if name in SAME_SIZE else E
    shapes = [(B, Q, D), (B, K, key_size), *parameter_sizes(name).values()]
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]
