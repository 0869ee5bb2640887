"""Set padding to 0 before an answer sees it, so that its content does no harm."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Answer = Callable[..., Any]


def clean(x: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Copy keys or values (B, K, …) with 0 from the longest length of each example onwards."""
    if valid_lens is None:
        return x
    padding = torch.arange(x.shape[1]) >= valid_lens.reshape(len(x), -1).amax(1, keepdim=True)
    return torch.where(padding[..., None], 0, x)


def cleaned(f: Answer, *places: int) -> Answer:
    """Clear the padding of these arguments before the answer runs; the lengths come last."""

    def g(*args: Any, **named: Any) -> Any:
        last = args[-1] if len(args) > max(places) + 1 else None
        return f(*(clean(x, last) if i in places else x for i, x in enumerate(args)), **named)

    return g
