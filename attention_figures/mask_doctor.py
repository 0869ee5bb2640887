"""Show who reads whom when one table is taken as each of four kinds of mask: the mask doctor."""

import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Declared, Names, Nested
from attention_lib.masking import length_mask, masked_softmax

READINGS = ("lengths", "boolean", "float", "ignored")


class Table(Declared, Nested):
    """The entries of a mask, as nested lists of numbers or "-inf", since JSON has no infinity."""

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Let every word ask every word where nothing is given."""
        return torch.ones(sizes["N"], sizes["N"]) if value is None else value

    def validate(self, obj: Any, value: Any) -> list[list[float | str]]:
        """Validate `value` and return it as nested lists."""
        limit = obj.axis_sizes["N"]
        rows = value.tolist() if isinstance(value, Tensor) else value
        try:
            table = torch.tensor([[float(x) for x in row] for row in rows], dtype=torch.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"table must be rows of numbers; got {value!r}") from error
        if table.dim() != 2 or not 1 <= len(table) <= table.shape[1] <= limit:
            got = tuple(table.shape)
            raise ValueError(f"table must have shape (Q, K), 1 ≤ Q ≤ K ≤ N = {limit}; got {got}")
        if table.isnan().any() or table.isposinf().any():
            raise ValueError(f"table must be finite or -inf; got {value!r}")
        return [[_entry(x) for x in row] for row in table.tolist()]

    def described(self) -> str:
        """Return shapes and type."""
        return "(Q, K) Boolean, integer or floating, finite or −∞"


def _entry(x: float) -> float | str:
    return "-inf" if x == -math.inf else int(x) if x.is_integer() and abs(x) < 2**53 else x


class MaskDoctorFigure(Figure):
    """One table, taken as each of four kinds of mask. All scores are 0.

    Shapes: N words, of which the first K are keys and the last Q of these are queries, Q ≤ K.

    Args:
        words: the words of a sentence.
        table: a row for each query, a column for each key. None: N rows and columns of 1.
        reading: what the table is taken as: "lengths" (how many entries of a row are not 0, as
            `valid_lens` of `masked_softmax`), "boolean" (`attn_mask` of
            `scaled_dot_product_attention`: True takes part), "float" (the same argument, added
            to the scores) or "ignored" (`attn_mask` and `key_padding_mask` of
            `nn.MultiheadAttention`: True is ignored).

    Raises:
        ValueError: table has another shape, or an entry that is NaN or +∞.
        TraitError: reading is none of the above.

    >>> figure = MaskDoctorFigure(["the", "train"], torch.ones(2, 2).tril(), reading="boolean")
    >>> figure.attention_weights
    tensor([[[1.0000, 0.0000],
             [0.5000, 0.5000]]], dtype=torch.float64)
    >>> figure.reading = "ignored"
    >>> figure.attention_weights
    tensor([[[0., 1.],
             [nan, nan]]], dtype=torch.float64)
    """

    view_state = ("back", "pen")
    words = Names("N")
    table = Table()
    reading = traitlets.Enum(list(READINGS)).tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        table: Tensor | None = None,
        reading: str = "boolean",
        name: str = "mask-doctor",
        lang: str = "en",
    ) -> None:
        super().__init__(name, lang, kind="mask_doctor", words=words, table=table, reading=reading)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        rows = [[float(x) for x in row] for row in self.table]
        mask = torch.tensor(rows, dtype=torch.float64)[None]
        scores, marked = torch.zeros_like(mask), mask.bool()
        lengths = marked.sum(-1)
        as_length = length_mask(lengths, *mask.shape[1:])
        weights = {
            "as_lengths": masked_softmax(scores, lengths),
            "as_boolean": _without_nan(scores.masked_fill(~marked, -torch.inf)),
            "as_float": _without_nan(scores + mask),
            "as_ignored": torch.softmax(scores.masked_fill(marked, -torch.inf), dim=-1),
        }
        return {
            "mask": mask,
            "lengths": lengths[..., None],
            "is_length": (as_length == marked).all(-1, keepdim=True),
            **weights,
            "attention_weights": weights[f"as_{self.reading}"],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        keys = self.words[: len(self.table[0])]
        queries = keys[-len(self.table) :]
        by_query: tuple[list[str], list[str]] = queries, []
        return dict.fromkeys(self.stages(), (queries, keys)) | dict.fromkeys(
            ("lengths", "is_length"), by_query
        )


def _without_nan(scores: Tensor) -> Tensor:
    """Return softmax as `scaled_dot_product_attention` does it: 0 in a row without keys."""
    return torch.softmax(scores, dim=-1).nan_to_num(0)
