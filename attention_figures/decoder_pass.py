"""Compute every tensor of a decoder's forward pass, with or without one of its parts.

Shapes: N tokens, P tokens before them, d size of a vector, h heads, F hidden units, V words.
"""

from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import masked_softmax, merge_heads, split_heads

NOTHING = "nothing"
# What can be removed, besides "head-0", "head-1" …: the position vectors; the causal mask; the
# first token as a key; the sum with what attention or the feed-forward network was given; and the
# feed-forward network.
PARTS = ("positions", "mask", "first-token", "residual-1", "feed-forward", "residual-2")


def forward_pass(
    parameters: Mapping[str, Tensor],
    tokens: Sequence[int],
    num_heads: int,
    without: str = NOTHING,
    past: Mapping[str, Tensor] | None = None,
) -> dict[str, Tensor]:
    """Run a decoder of one block, and return what each of its steps gives.

    Args:
        parameters: by the names in the state_dict of `attention_course.decoder.Decoder`.
        tokens: N indices of words.
        num_heads: h.
        without: a part to remove: "head-" and its number, or one of PARTS.
        past: what this function returned for the P tokens before. Their keys and values are read,
            and nothing is computed again for them.

    Returns:
        The tensors by name, in the order in which they are computed. Scores (h, N, P + N) are −inf
        for keys that a query must not read, and attention_weights have the same shape; keys and
        values are (1, P + N, d), and the others (1, N, d), (1, N, F) or (1, N, V).

    Raises:
        ValueError: there is no such part.
    """
    removable = {NOTHING, *PARTS, *(f"head-{head}" for head in range(num_heads))}
    if without not in removable:
        raise ValueError(f"without must be one of {sorted(removable)}; got {without!r}")
    own = _Parameters(parameters)
    words = own["embedding.weight"][torch.tensor(tokens)][None]
    before = 0 if past is None else past["keys"].shape[1]
    places = slice(before, before + len(tokens))
    positions = own["positions.weight"][places][None] * (without != "positions")
    x = words + positions
    found = {"embedded": words, "positions": positions, "inputs": x}
    found["normed"] = own.norm("blocks.0.norm_1", x)
    found |= _attention(own, found["normed"], num_heads, without, past)
    x = found["attended"] + (0 if without == "residual-1" else x)
    found |= {"after_attention": x, "normed_again": own.norm("blocks.0.norm_2", x)}
    found["hidden"] = F.relu(own.linear("blocks.0.feed_forward.0", found["normed_again"]))
    fed = own.linear("blocks.0.feed_forward.2", found["hidden"]) * (without != "feed-forward")
    outputs = fed + (0 if without == "residual-2" else x)
    found |= {"fed": fed, "outputs": outputs, "final": own.norm("norm", outputs)}
    found["logits"] = found["final"] @ own["embedding.weight"].T
    found["probabilities"] = found["logits"].softmax(dim=-1)
    return found


def greedy(
    parameters: Mapping[str, Tensor],
    tokens: Sequence[int],
    num_heads: int,
    given: Sequence[bool],
) -> list[int]:
    """Write a sentence: keep given tokens, and take the most probable word elsewhere."""
    written: list[int] = []
    for token, keep in zip(tokens, given, strict=True):
        if not keep:
            probabilities = forward_pass(parameters, written, num_heads)["probabilities"]
            token = int(probabilities[0, -1].argmax())
        written.append(token)
    return written


class _Parameters(dict[str, Tensor]):
    def norm(self, layer: str, x: Tensor) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self[f"{layer}.weight"], self[f"{layer}.bias"])

    def linear(self, layer: str, x: Tensor) -> Tensor:
        return F.linear(x, self[f"{layer}.weight"], self.get(f"{layer}.bias"))


def _attention(
    own: _Parameters, x: Tensor, num_heads: int, without: str, past: Mapping[str, Tensor] | None
) -> dict[str, Tensor]:
    names = {"queries": "W_q", "keys": "W_k", "values": "W_v"}
    found = {name: own.linear(f"blocks.0.attention.{W}", x) for name, W in names.items()}
    if past is not None:
        found |= {name: torch.cat([past[name], found[name]], 1) for name in ("keys", "values")}
    queries, keys, values = (split_heads(y, num_heads) for y in found.values())
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    weights = _weights(scores, without)
    heads = weights @ values
    on = [float(without != f"head-{head}") for head in range(num_heads)]
    heads = heads * torch.tensor(on, dtype=heads.dtype)[:, None, None]
    read = merge_heads(heads, num_heads)
    attended = own.linear("blocks.0.attention.W_o", read)
    return found | {
        "scores": scores.masked_fill(weights == 0, -torch.inf),
        "attention_weights": weights,
        "read": read,
        "attended": attended,
    }


def _weights(scores: Tensor, without: str) -> Tensor:
    queries, number = scores.shape[1:]
    first = int(without == "first-token")
    lengths = torch.arange(number - queries + 1, number + 1).expand(scores.shape[:2])
    if without == "mask":
        lengths = torch.full_like(lengths, number)
    weights = masked_softmax(scores[..., first:], lengths - first)
    return F.pad(weights, (first, 0))
