"""Train a decoder on the sentences of a grammar, and measure what it writes and reads."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_course.decoder.model import Block, Decoder
from attention_course.decoder.sentences import Grammar

STEPS, BATCH, RATE, LAST_RATE = 600, 64, 1e-2, 1e-4


def new_decoder(grammar: Grammar, seed: int = 0, causal: bool = True) -> Decoder:
    """Return an untrained decoder for the sentences of a grammar."""
    torch.manual_seed(seed)
    return Decoder(len(grammar.vocabulary), len(grammar.slots), causal=causal)


def train(model: Decoder, grammar: Grammar, steps: int = STEPS, seed: int = 0) -> list[float]:
    """Train a decoder to predict each next word of the sentences that are not held out.

    Returns:
        The loss of each step in nats a sentence; it cannot stay below `grammar.entropy`.
    """
    tokens = grammar.encode(grammar.split()[0])
    draws = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, LAST_RATE)
    losses = []
    for _ in range(steps):
        batch = tokens[torch.randint(len(tokens), (BATCH,), generator=draws)]
        loss = loss_of(model, batch)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
    return losses


def loss_of(model: Decoder, tokens: Tensor) -> Tensor:
    """Return the loss of sentences (B, N) in nats a sentence: −log of the probability of each."""
    logits = model(tokens[:, :-1])
    loss = F.cross_entropy(logits.mT, tokens[:, 1:], reduction="sum")
    return loss / len(tokens)


@torch.no_grad()
def accuracy(
    model: Decoder, grammar: Grammar, sentences: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Return for each determined slot how often the most probable word is right."""
    vocabulary = grammar.vocabulary
    predicted = model(grammar.encode(sentences)[:, :-1]).argmax(dim=-1).tolist()
    right: dict[str, list[bool]] = {}
    for row, sentence in zip(predicted, sentences, strict=True):
        for word in grammar.determined(sentence):
            written = vocabulary[row[word.place - 1]]
            right.setdefault(word.name, []).append(written in word.right)
    return {name: sum(found) / len(found) for name, found in right.items()}


@torch.no_grad()
def weights_of(model: Decoder, tokens: Tensor) -> Tensor:
    """Return the first block's weights (B, h, N, N) on all but the last of tokens (B, N + 1)."""
    model(tokens[:, :-1])
    block = model.blocks[0]
    assert isinstance(block, Block)
    weights = block.attention.attention_weights
    assert weights is not None  # after a forward
    return weights


@torch.no_grad()
def reading(
    model: Decoder, grammar: Grammar, sentences: Sequence[Sequence[str]]
) -> dict[str, list[float]]:
    """Return for each determined slot how often each head reads the determining word most.

    The heads are those of the first block, when they predict the word of the slot.
    """
    most = weights_of(model, grammar.encode(sentences)).argmax(dim=-1)  # (B, h, N)
    found: dict[str, list[Tensor]] = {}
    for row, sentence in zip(most, sentences, strict=True):
        for word in grammar.determined(sentence):
            found.setdefault(word.name, []).append(row[:, word.place - 1] == word.source)
    return {name: torch.stack(own).double().mean(dim=0).tolist() for name, own in found.items()}
