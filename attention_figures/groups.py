"""Show query heads that share keys and values, and the size of their cache: the groups figure."""

from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure

_TOKENS = [2**n for n in range(8, 18)]
_BYTES = 2  # per number, in half precision


class GroupsFigure(Figure):
    """Query heads in groups, each of which reads one head of keys and values.

    Args:
        num_heads: number of query heads.
        kv_heads: number of heads of keys and values, a divisor of num_heads: num_heads is
            multi-head attention, 1 is multi-query attention.
        tokens: number of tokens in the cache, a power of two from 256 to 131072.
        layers: number of layers of the model.
        size: size of a head.

    Raises:
        ValueError: kv_heads does not divide num_heads.
        TraitError: tokens is not such a power, or another number is less than 1.

    >>> figure = GroupsFigure(num_heads=4, kv_heads=2)
    >>> figure.stages()["reads"]  # for each query head, its head of keys and values
    tensor([[[0., 0., 1., 1.]]], dtype=torch.float64)
    >>> figure.stages()["mebibytes"]
    tensor([[[256.]]], dtype=torch.float64)
    """

    num_heads = traitlets.Int(min=1).tag(sync=True, state=True)
    kv_heads = traitlets.Int(min=1).tag(sync=True, state=True)
    tokens = traitlets.Enum(_TOKENS).tag(sync=True, state=True)
    layers = traitlets.Int(min=1).tag(sync=True, state=True)
    size = traitlets.Int(min=1).tag(sync=True, state=True)

    def __init__(
        self,
        num_heads: int = 8,
        kv_heads: int = 8,
        tokens: int = 8192,
        layers: int = 32,
        size: int = 128,
        name: str = "groups",
        lang: str = "en",
    ) -> None:
        self._number = num_heads
        super().__init__(
            name,
            lang,
            kind="groups",
            num_heads=num_heads,
            kv_heads=kv_heads,
            tokens=tokens,
            layers=layers,
            size=size,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        group = self.num_heads // self.kv_heads
        heads = torch.arange(self.kv_heads, dtype=torch.float64).repeat_interleave(group)
        keys_and_values = 2 * self.layers * self.kv_heads * self.size
        per_token = torch.tensor(keys_and_values * _BYTES, dtype=torch.float64)
        return {
            "reads": heads[None, None],
            "bytes_per_token": per_token[None, None, None],
            "mebibytes": (per_token * self.tokens / 2**20)[None, None, None],
        }

    @traitlets.validate("kv_heads")
    def _check_divisor(self, proposal: dict[str, Any]) -> int:
        heads = int(proposal["value"])
        if self._number % heads:
            raise ValueError(f"kv_heads must divide num_heads, {self._number}; got {heads}")
        return heads
