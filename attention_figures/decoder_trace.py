"""Follow one number through a decoder, from the vector of a word to a probability."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from attention_figures.decoder_pass import forward_pass

# The numbers in the order in which they are computed, each with the stage to which it belongs.
LINES = {
    "inputs": 1,
    "normed": 2,
    "queries": 3,
    "keys": 3,
    "values": 3,
    "scores": 4,
    "masked_scores": 5,
    "attention_weights": 6,
    "read": 7,
    "attended": 8,
    "after_attention": 9,
    "normed_again": 10,
    "hidden": 11,
    "fed": 11,
    "outputs": 12,
    "final": 13,
    "logits": 14,
    "probabilities": 15,
}
NUM_STAGES = 15


def trace(
    parameters: Mapping[str, Tensor],
    tokens: Sequence[int],
    num_heads: int,
    query: int,
    component: int,
    key: int | None = None,
    next_token: int | None = None,
) -> dict[str, float]:
    """Return the numbers that component `component` becomes, by their names in LINES.

    Args:
        parameters: as those of `forward_pass`.
        tokens: N indices of words.
        num_heads: h.
        query: the place of the word that asks.
        component: of the vectors of size d that is followed, and so the head that it belongs to.
        key: the place of the word that is read. None: the one with the largest weight.
        next_token: the word whose logit and probability are last. None: the most probable one.

    Returns:
        A number for each line. "keys" and "values" are those of the key, "hidden" is of the unit
        that adds most to the component of the feed-forward network, in absolute terms.

    >>> from attention_course.decoder import load_model
    >>> numbers = trace(load_model("en").state_dict(), [0, 1, 7], 2, query=2, component=3)
    >>> [*numbers][:3], len(numbers)
    (['inputs', 'normed', 'queries'], 18)
    """
    found = forward_pass(parameters, tokens, num_heads)
    at = {name: x[0, query] for name, x in found.items()}  # each (d,), (F,) or (V,), or of head 0
    size = len(at["queries"]) // num_heads
    head = component // size
    weights = found["attention_weights"][head, query]
    key = int(weights.argmax()) if key is None else key
    own = slice(head * size, (head + 1) * size)
    keys, values = found["keys"][0, key], found["values"][0, key]
    outward = parameters["blocks.0.feed_forward.2.weight"][component]
    unit = int((outward * at["hidden"]).abs().argmax())
    best = int(at["logits"].argmax()) if next_token is None else next_token
    followed = {name: at[name][component] for name in LINES if len(at.get(name, ())) == len(keys)}
    numbers = followed | {
        "keys": keys[component],
        "values": values[component],
        "scores": at["queries"][own] @ keys[own] / size**0.5,
        "masked_scores": found["scores"][head, query, key],
        "attention_weights": weights[key],
        "hidden": at["hidden"][unit],
        "logits": at["logits"][best],
        "probabilities": at["probabilities"][best],
    }
    return {name: float(numbers[name]) for name in LINES}
