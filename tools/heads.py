"""Train the models of two heads that chapter 10 takes apart: `python -m tools.heads [LANGUAGE …]`.

Sixteen models that differ only by their seed are trained, and their accuracy is measured without
each head. The stored model is the one whose heads divide the work and have the sharpest weights;
its heads are sorted so that head 0 reads the marker.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap

from attention_course.heads import (
    FILE,
    GRAMMARS,
    LENGTH,
    NUM_HEADS,
    SIZE,
    Grammar,
    divided,
)
from attention_lib import MultiHeadAttention, sinusoidal_positions
from tools.replacing import write

SEEDS, STEPS, BATCH = 16, 300, 64
SHARPER = 2.5  # scale of the initial W_q and W_k: heads with uniform weights would stay alike
DECAY, RATE = 0.3, 0.03
Data = tuple[Tensor, Tensor, Tensor, Tensor]  # words, answer, length, places of marker and noun


class Model(nn.Module):
    """Word and position embeddings, and one self-attention whose outputs are logits."""

    def __init__(self, num_words: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(num_words, SIZE)
        self.attention = MultiHeadAttention(SIZE, SIZE, SIZE, 4, NUM_HEADS)
        for W in (self.attention.W_q, self.attention.W_k, self.attention.W_v, self.attention.W_o):
            nn.init.normal_(W.weight, std=0.6 * W.in_features**-0.5)
        for W in (self.attention.W_q, self.attention.W_k):
            nn.init.normal_(W.weight, std=SHARPER * W.in_features**-0.5)
        self.register_buffer("positions", sinusoidal_positions(LENGTH, SIZE))

    def forward(self, words: Tensor) -> Tensor:
        """Return logits, (B, N, 4); attention is causal."""
        x = self.embedding(words) + self.positions
        lengths = torch.arange(1, LENGTH + 1).expand(len(x), LENGTH)
        logits: Tensor = self.attention(x, x, x, lengths)
        return logits


def sentences(grammar: Grammar, number: int, draws: torch.Generator) -> Data:
    """Draw sentences, padded with word 0."""

    def draw(n: int) -> int:
        return int(torch.randint(n, (), generator=draws))

    places = {word: i for i, word in enumerate(grammar.vocabulary)}
    words = torch.zeros(number, LENGTH, dtype=torch.long)
    answers, lengths = torch.zeros(2, number, dtype=torch.long)
    read_places = torch.zeros(number, 2, dtype=torch.long)
    for i in range(number):
        kinds = [k.rstrip("?") for k in grammar.pattern if not k.endswith("?") or draw(2)]
        sentence = [grammar.classes[k][draw(len(grammar.classes[k]))] for k in kinds]
        read_places[i] = torch.tensor([kinds.index("marker"), kinds.index("noun")])
        marker, noun = (grammar.half(sentence[place]) for place in read_places[i].tolist())
        answers[i], lengths[i] = 2 * marker + noun, len(sentence)
        words[i, : len(sentence)] = torch.tensor([places[word] for word in sentence])
    return words, answers, lengths, read_places


def trained(
    grammar: Grammar, seeds: int = SEEDS, steps: int = STEPS
) -> tuple[Model, dict[str, Any]]:
    """Train all models at once with vmap; return a template model and the stacked parameters.

    Each position predicts the answer of the whole sentence from the words so far.
    """
    draws = torch.Generator().manual_seed(7)
    words, answers, lengths, _ = sentences(grammar, 1500, draws)
    models = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        models.append(Model(len(grammar.vocabulary)))
    parameters, buffers = stack_module_state(models)
    run = vmap(lambda p, b, x: functional_call(models[0], (p, b), (x,)), in_dims=(0, 0, None))
    optimiser = torch.optim.AdamW(parameters.values(), lr=RATE, weight_decay=DECAY)
    for _ in range(steps):
        chosen = torch.randint(len(words), (BATCH,), generator=draws)
        logits = run(parameters, buffers, words[chosen])
        inside = torch.arange(LENGTH) < lengths[chosen, None]
        targets = answers[chosen, None].expand(-1, LENGTH)[inside].repeat(seeds)
        loss = F.cross_entropy(logits[:, inside].flatten(0, 1), targets)
        optimiser.zero_grad()
        (seeds * loss).backward()  # type: ignore[no-untyped-call]  # the mean over models, so scale it back
        optimiser.step()
    return models[0], {name: x.detach() for name, x in parameters.items()}


@torch.no_grad()
def measured(grammar: Grammar, model: Model, parameters: dict[str, Any]) -> dict[str, Tensor]:
    """Measure each model on held-out sentences, at their last words.

    Returns:
        right: (runs, 2), accuracy on both halves of the answer, with all heads. off: (runs, heads,
        2), accuracy without a head. looks: (runs, heads, 2), mean weights on marker and noun.
    """
    words, answers, lengths, read_places = sentences(grammar, 400, torch.Generator().manual_seed(8))
    row = torch.arange(len(words))
    number = len(parameters["attention.W_o.weight"])
    right = torch.zeros(number, 1 + NUM_HEADS, 2)  # with all heads, then without each
    looks = torch.zeros(number, NUM_HEADS, 2)
    for run in range(number):
        model.load_state_dict({name: x[run] for name, x in parameters.items()}, strict=False)
        attention = model.attention
        for off in range(-1, NUM_HEADS):
            W_o = parameters["attention.W_o.weight"][run].clone()
            if off >= 0:
                W_o.unflatten(-1, (NUM_HEADS, -1))[:, off] = 0
            attention.W_o.load_state_dict({"weight": W_o})
            predicted = model(words)[row, lengths - 1].argmax(-1)
            both = torch.stack(
                [predicted // 2 == answers // 2, predicted % 2 == answers % 2], dim=-1
            )
            right[run, 1 + off] = both.float().mean(0)
        weights = attention.attention_weights
        assert weights is not None  # after a forward
        last = weights.transpose(1, 2)[row, lengths - 1]  # (sentences, h, N)
        for half in range(2):
            looks[run, :, half] = last[row, :, read_places[:, half]].mean(0)
    return {"right": right[:, 0], "off": right[:, 1:], "looks": looks}


def chosen(parameters: dict[str, Any], found: dict[str, Tensor]) -> dict[str, Any]:
    """Return the parameters of the model with divided work and the sharpest weights."""
    sharp = found["looks"].amax(-1).amin(-1).where(divided(found["off"]), torch.tensor(-1.0))
    run = int(sharp.argmax())
    first = int(found["looks"][run, :, 0].argmax())
    heads = [first, 1 - first]
    own = {name.split(".")[-2]: x[run] for name, x in parameters.items()}
    for name in ("W_q", "W_k", "W_v"):
        own[name] = own[name].unflatten(0, (NUM_HEADS, -1))[heads].flatten(0, 1)
    own["W_o"] = own["W_o"].unflatten(1, (NUM_HEADS, -1))[:, heads].flatten(1)
    return {name: x.double().round(decimals=4).tolist() for name, x in own.items()}


def rows(grammar: Grammar) -> Iterator[tuple[str, Any]]:
    """Train and measure; yield the stored values of one language."""
    model, parameters = trained(grammar)
    found = measured(grammar, model, parameters)
    yield from chosen(parameters, found).items()
    yield "right", found["off"].double().round(decimals=2).tolist()
    yield "looks", found["looks"].double().round(decimals=2).tolist()


def main(languages: list[str]) -> None:
    """Retrain the models of some languages and update the file."""
    stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for lang in languages:
        stored[lang] = dict(rows(GRAMMARS[lang]))
        share = divided(torch.tensor(stored[lang]["right"])).sum()
        print(f"{lang}: each head has a half of its own in {share} of {SEEDS} runs")
    write(FILE, json.dumps(stored, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or [*GRAMMARS])
