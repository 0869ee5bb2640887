"""Define decomposable attention for natural language inference: attend, compare, aggregate.

Shapes: B batch, P words of a premise, H words of a hypothesis, E embedding size.
"""

import torch
from torch import Tensor, nn

from attention_lib import scores
from attention_lib._checks import (
    check_counts,
    check_floating,
    check_ids,
    check_lengths,
    check_probability,
    check_same_batch,
    check_words,
)
from attention_lib._padding import zero_padding
from attention_lib._transforms import is_exporting, unwrap
from attention_lib.masking import length_mask, masked_softmax

# The classes of natural language inference, in the order of the logits.
LABELS = ("entailment", "neutral", "contradiction")


class DecomposableAttention(nn.Module):
    r"""Classifier of sentence pairs that aligns their words and needs no recurrence.

    Attend: a word a of the premise and a word b of the hypothesis score $F(a)^\top F(b)$. Softmax
    over the hypothesis gives each a its counterpart β, a weighted mean of the b; softmax over the
    premise gives each b its α. Compare: $G([a, β])$ and $G([b, α])$, word by word. Aggregate:
    sum both over the words, then apply $H$ to the two sums. F, G and H are perceptrons with ReLU.
    The model is called decomposable because F is applied to P + H words, not to P · H pairs.

    Words beyond the length of their sentence change nothing, whatever their vectors hold: not even
    NaN reaches the output or a gradient.

    A word's embedding is learnt, or it begins with a given vector that stays fixed. F then reads
    the given part alone and G reads both parts, so the alignment depends on the given vectors and
    the comparison also on what the labels teach. With given vectors of size E only F, G and H are
    learnt, as in the paper, which also learns a projection of the vectors.

    The order of the words plays no role. Dropout acts on the weights of both alignments, as in the
    other modules of this library; the paper applies it inside F, G and H.

    Args:
        vocab_size: how many different words there are, padding included.
        embedding_size: E.
        num_hiddens: size of the outputs of F, G and the hidden layer of H.
        num_classes: how many labels there are.
        dropout: probability of dropping a weight in training mode.
        vectors: (vocab_size, K) floating, K ≤ E, given vectors of the words; the other E - K
            components are learnt. None: all are learnt, and F reads all.

    Attributes:
        vectors: the given vectors, a buffer; None if there are none.
        attention_weights: premise → hypothesis (B, P, H) and hypothesis → premise (B, H, P) of the
            latest forward, before dropout, detached; None before the first, and after a forward
            inside torch.func.vmap. Left alone by torch.export and torch.jit.trace.

    Source: Parikh, Täckström, Das and Uszkoreit, *A Decomposable Attention Model for Natural
    Language Inference*, EMNLP 2016. There the vectors are GloVe's, and F reads what G reads.

    Raises:
        ValueError: a size is less than 1, dropout no probability, or vectors have another shape, or
            a component that is not finite.
        TypeError: vectors is no floating tensor, a size no integer, or dropout no number.

    >>> model = DecomposableAttention(vocab_size=9, embedding_size=4, num_hiddens=6)
    >>> premises, hypotheses = torch.tensor([[2, 3, 4, 0]]), torch.tensor([[5, 6, 0]])
    >>> model(premises, hypotheses, torch.tensor([3]), torch.tensor([2])).shape
    torch.Size([1, 3])
    >>> forth, back = model.attention_weights
    >>> forth.shape, back.shape
    (torch.Size([1, 4, 3]), torch.Size([1, 3, 4]))
    >>> given = DecomposableAttention(9, 4, num_hiddens=6, vectors=torch.eye(9)[:, :3])
    >>> given.embed(torch.tensor([1])).shape, given.embedding.weight.shape, given.F[0].in_features
    (torch.Size([1, 4]), torch.Size([9, 1]), 3)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        num_hiddens: int,
        num_classes: int = 3,
        dropout: float = 0.0,
        vectors: Tensor | None = None,
    ) -> None:
        super().__init__()
        check_counts(1, vocab_size=vocab_size, embedding_size=embedding_size)
        check_counts(1, num_hiddens=num_hiddens, num_classes=num_classes)
        check_probability("dropout", dropout)
        num_given = 0 if vectors is None else _num_given(vectors, vocab_size, embedding_size)
        self.embedding = nn.Embedding(vocab_size, embedding_size - num_given)
        self.vectors: Tensor | None
        dtype = self.embedding.weight.dtype
        given = None if vectors is None else vectors.detach().to(dtype, copy=True)
        self.register_buffer("vectors", given)
        self.F = _perceptron(num_given or embedding_size, num_hiddens)
        self.G = _perceptron(2 * embedding_size, num_hiddens)
        self.H = _perceptron(2 * num_hiddens, num_hiddens)
        self.H.append(nn.Linear(num_hiddens, num_classes))
        self.embedding_size, self.num_hiddens = embedding_size, num_hiddens
        self.dropout = nn.Dropout(dropout)
        self.attention_weights: tuple[Tensor, Tensor] | None = None

    def forward(
        self,
        premises: Tensor,
        hypotheses: Tensor,
        premise_lens: Tensor | None = None,
        hypothesis_lens: Tensor | None = None,
    ) -> Tensor:
        """Score each label for each pair of sentences.

        Args:
            premises: (B, P) integer, ids of words in 0..vocab_size - 1.
            hypotheses: (B, H) integer.
            premise_lens: (B,) integer, how many leading words count. None: all, padding too.
            hypothesis_lens: (B,) integer, the same for the hypotheses.

        Returns:
            (B, num_classes), logits.

        Raises:
            ValueError: shapes do not fit together, an id is no word, or a length lies outside.
            TypeError: ids or lengths are not integer tensors.
        """
        check_ids("premises", premises, "(B, P)", self.embedding)
        check_ids("hypotheses", hypotheses, "(B, H)", self.embedding)
        check_same_batch(premises=premises, hypotheses=hypotheses)
        a, b = self._embed(premises), self._embed(hypotheses)
        beta, alpha = self.attend(a, b, premise_lens, hypothesis_lens)
        v_a, v_b = self.compare(a, beta, premise_lens), self.compare(b, alpha, hypothesis_lens)
        return self.aggregate(v_a, v_b, premise_lens, hypothesis_lens)

    def embed(self, ids: Tensor) -> Tensor:
        """Look words up: the given vector of each, if there is one, then the learnt part.

        Args:
            ids: (…) integer, in 0..vocab_size - 1.

        Returns:
            (…, E).

        Raises:
            ValueError: an id is no word.
            TypeError: ids is no integer tensor.
        """
        check_ids("ids", ids, None, self.embedding)
        return self._embed(ids)

    def _embed(self, ids: Tensor) -> Tensor:
        learnt: Tensor = self.embedding(ids.long())
        if self.vectors is None:
            return learnt
        return torch.cat([nn.functional.embedding(ids.long(), self.vectors), learnt], dim=-1)

    def attend(
        self,
        a: Tensor,
        b: Tensor,
        premise_lens: Tensor | None = None,
        hypothesis_lens: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Align each word softly with the other sentence.

        Args:
            a: (B, P, E) floating, the words of the premises, embedded.
            b: (B, H, E) floating, those of the hypotheses.
            premise_lens: (B,) integer, as in `forward`.
            hypothesis_lens: (B,) integer, as in `forward`.

        Returns:
            beta (B, P, E), the counterpart of each word of a premise in its hypothesis, and alpha
            (B, H, E), the other way round; zeros where the other sentence is empty.

        Raises:
            ValueError: shapes do not fit together, or a length lies outside.
            TypeError: a and b are not floating of one dtype, or lengths not integer.
        """
        check_words(self.embedding_size, self.embedding, a=a, b=b)
        _check_lens("premise_lens", premise_lens, a)
        _check_lens("hypothesis_lens", hypothesis_lens, b)
        a, b = zero_padding(a, premise_lens), zero_padding(b, hypothesis_lens)
        e = scores.dot(self.F(self._read(a)), self.F(self._read(b)))  # (B, P, H)
        forth, back = masked_softmax(e, hypothesis_lens), masked_softmax(e.mT, premise_lens)
        if not is_exporting():
            self.attention_weights = _kept(forth, back)
        return torch.bmm(self.dropout(forth), b), torch.bmm(self.dropout(back), a)

    def compare(self, words: Tensor, aligned: Tensor, lens: Tensor | None = None) -> Tensor:
        """Compare each word with its counterpart.

        Args:
            words: (B, N, E) floating, the words of some sentences, embedded.
            aligned: (B, N, E) floating, their counterparts.
            lens: (B,) integer, how many leading words count. None: all.

        Returns:
            (B, N, num_hiddens).

        Raises:
            ValueError: shapes are not equal, or not (B, N, E), or a length lies outside.
            TypeError: words and aligned are not floating of one dtype, or lengths not integer.
        """
        check_words(self.embedding_size, self.embedding, words=words, aligned=aligned)
        if words.shape != aligned.shape:
            shapes = f"{tuple(words.shape)}; got {tuple(aligned.shape)}"
            raise ValueError(f"aligned must have the shape of words, {shapes}")
        _check_lens("lens", lens, words)
        comparisons: Tensor = self.G(torch.cat([zero_padding(words, lens), aligned], dim=-1))
        return comparisons

    def aggregate(
        self,
        v_a: Tensor,
        v_b: Tensor,
        premise_lens: Tensor | None = None,
        hypothesis_lens: Tensor | None = None,
    ) -> Tensor:
        """Sum the comparisons of each sentence, and classify the two sums.

        Args:
            v_a: (B, P, num_hiddens) floating, comparisons of the words of the premises.
            v_b: (B, H, num_hiddens) floating, those of the hypotheses.
            premise_lens: (B,) integer, as in `forward`.
            hypothesis_lens: (B,) integer, as in `forward`.

        Returns:
            (B, num_classes), logits. An empty sentence adds up to zeros.

        Raises:
            ValueError: shapes do not fit together, or a length lies outside.
            TypeError: v_a and v_b are not floating of one dtype, or lengths not integer.
        """
        check_words(self.num_hiddens, self.embedding, v_a=v_a, v_b=v_b)
        _check_lens("premise_lens", premise_lens, v_a)
        _check_lens("hypothesis_lens", hypothesis_lens, v_b)
        sums = _masked_sum(v_a, premise_lens), _masked_sum(v_b, hypothesis_lens)
        logits: Tensor = self.H(torch.cat(sums, dim=-1))
        return logits

    def _read(self, words: Tensor) -> Tensor:
        return words if self.vectors is None else words[..., : self.vectors.shape[1]]


def _num_given(vectors: Tensor, vocab_size: int, embedding_size: int) -> int:
    check_floating("vectors", vectors)
    shape = tuple(vectors.shape)
    if vectors.is_meta:
        raise ValueError("vectors must hold numbers; got a tensor on the meta device")
    if len(shape) != 2 or shape[0] != vocab_size or not 1 <= shape[1] <= embedding_size:
        expected = f"(vocab_size, K) = ({vocab_size}, K) with 1 ≤ K ≤ {embedding_size}"
        raise ValueError(f"vectors must have shape {expected}; got {shape}")
    if not vectors.isfinite().all():
        raise ValueError("vectors must be finite; got NaN or infinity")
    return shape[1]


def _perceptron(num_inputs: int, num_hiddens: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(num_inputs, num_hiddens), nn.ReLU())


def _check_lens(name: str, lens: Tensor | None, x: Tensor) -> None:
    if lens is not None:
        check_lengths(lens, {"(B,)": (x.shape[0],)}, x.shape[1], name, words=x)


def _masked_sum(v: Tensor, lens: Tensor | None) -> Tensor:
    if lens is None:
        return v.sum(dim=1)
    keep = length_mask(lens, 1, v.shape[1]).mT  # (B, N, 1)
    return torch.where(keep, v, 0).sum(dim=1)  # not v * keep: 0 · NaN is NaN


def _kept(forth: Tensor, back: Tensor) -> tuple[Tensor, Tensor] | None:
    first, second = unwrap(forth.detach()), unwrap(back.detach())
    return None if first is None or second is None else (first, second)
