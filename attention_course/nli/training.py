"""Initialise and train the model of chapter 9, and load the trained one."""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from attention_course.nli.reading import load_pairs
from attention_course.nli.vocabulary import Vocabulary
from attention_lib._checks import check_floating
from attention_lib.decomposable import DecomposableAttention

STORED = Path(__file__).parent / "models"


def aligned_model(vectors: Tensor) -> DecomposableAttention:
    """Return an untrained model in which words attend to words with similar vectors.

    Half of a word's vector is given and fixed; the other half is learnt. F is initialised as
    ReLU([x; -x]), so the score of two words is the dot product of their given vectors without its
    negative terms.

    Shapes: W words, K given numbers of each.

    Args:
        vectors: (W, K) floating, of length 1, as from `neighbour_vectors`; the model multiplies
            them by 3.

    Returns:
        A `DecomposableAttention` with embeddings of size 2K and 2K hidden units, in the dtype of
        the vectors; the learnt half is initialised at random.

    >>> model = aligned_model(torch.eye(3))
    >>> model.F(model.vectors[:1]).tolist()  # 3 for x, 0 for -x
    [[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    check_floating("vectors", vectors, "(W, K)")
    size, given = vectors.shape
    model = DecomposableAttention(size, 2 * given, num_hiddens=2 * given, vectors=3 * vectors)
    model = model.to(vectors.dtype)
    eye = torch.eye(given, dtype=vectors.dtype)
    model.F[0].weight.data = torch.cat([eye, -eye])
    model.F[0].bias.data = torch.zeros(2 * given, dtype=vectors.dtype)
    return model


def train(
    model: DecomposableAttention,
    batch: Sequence[Tensor],
    epochs: int = 60,
    pace: float = 0.002,
) -> list[float]:
    """Train a model on sentence pairs, and leave it in evaluation mode.

    The optimiser is AdamW, with 8 mini-batches that are drawn once. The learning rate rises and
    then falls (OneCycleLR).

    Args:
        model: will be changed in place.
        batch: as `encode_pairs` makes it: premises, hypotheses, their lengths, and labels.
        epochs: number of passes over all pairs, at least 1.
        pace: the highest learning rate of F; that of the other layers is 0.02.

    Returns:
        The mean loss of each epoch.

    >>> vectors = torch.eye(4, dtype=torch.float64)
    >>> one, other = torch.tensor([[2], [3]]).repeat(4, 1), torch.tensor([[3], [3]]).repeat(4, 1)
    >>> lens = torch.ones(8, dtype=torch.int64)
    >>> torch.manual_seed(0) and None
    >>> losses = train(aligned_model(vectors), (one, other, lens, lens, one[:, 0] - 2))
    >>> losses[0] > 0.5, losses[-1] < 0.01
    (True, True)
    """
    portions = torch.randperm(len(batch[0])).chunk(8)
    optimizer, rate = _prepare(model, 8 * epochs, pace)
    losses: list[float] = []
    for _ in range(epochs):
        losses.append(0.0)
        for rows in portions:
            *inputs, labels = (x[rows] for x in batch)
            loss = nn.functional.cross_entropy(model(*inputs), labels)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rate.step()
            losses[-1] += loss.item() / len(portions)
    model.eval()
    return losses


def load_model(lang: str) -> tuple[DecomposableAttention, Vocabulary]:
    """Return the model that was trained on the book's pairs, and their vocabulary.

    Args:
        lang: "en" or "zh".

    Returns:
        A model in evaluation mode, float64, its parameters rounded to 4 decimals, and the
        vocabulary of the training pairs.

    Raises:
        ValueError: lang is neither of the two.

    >>> model, vocabulary = load_model("en")
    >>> sentences = "A dog is running.", "An animal is running."
    >>> premise, hypothesis = (vocabulary.encode([text])[0] for text in sentences)
    >>> int(model(premise, hypothesis).argmax())  # entailment
    0
    """
    pairs, *_ = load_pairs(lang)
    vocabulary = Vocabulary(text for pair in pairs for text in pair[:2])
    stored = json.loads((STORED / f"{lang}.json").read_text("utf-8"))
    numbers = {name: torch.tensor(x, dtype=torch.float64) for name, x in stored.items()}
    model = aligned_model(numbers["vectors"])
    model.load_state_dict(numbers)
    return model.eval(), vocabulary


def _prepare(
    model: DecomposableAttention, steps: int, pace: float
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """Return AdamW with weight decay on G and H, which would overfit, and a rate for F."""
    later = [*model.G.parameters(), *model.H.parameters()]
    slow = {"params": model.F.parameters(), "weight_decay": 0.0}
    words = {"params": model.embedding.parameters(), "weight_decay": 0.0}
    optimizer = torch.optim.AdamW([slow, words, {"params": later, "weight_decay": 0.5}])
    peaks = [pace, 0.02, 0.02]
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, peaks, steps, cycle_momentum=False)
    return optimizer, rate
