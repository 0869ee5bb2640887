"""Compute word vectors from counts of neighbouring words, without labels."""

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import functional as F

from attention_course.nli.vocabulary import Vocabulary
from attention_lib._checks import check_counts


def neighbour_vectors(
    sentences: Iterable[str], vocabulary: Vocabulary, size: int, window: int = 2
) -> Tensor:
    r"""Return word vectors; words with similar neighbours have similar vectors.

    For each word and each place near it, count which words stand there. The edge of a sentence
    counts as a word too. Divide each row of counts by its sum and take square roots. Of the result,
    $M = U \Sigma V^\top$, keep the first columns of $U \Sigma$, which approximate $M$ best, and
    normalise each row to length 1.

    Shapes: W words of the vocabulary.

    Args:
        sentences: strings; a sentence that occurs twice counts once.
        vocabulary: cuts sentences into words, and numbers them.
        size: K, how many columns are kept, 1 ≤ K ≤ W.
        window: how many places on each side count, at least 1.

    Returns:
        (W, K), in the default dtype; zeros for words that occur in no sentence, such as "<pad>".

    Raises:
        ValueError: size or window is out of range.
        TypeError: sentences is one string, or holds something that is not a string.

    Source: like latent semantic analysis, with neighbours in place of documents. Square roots of
    shares have Hellinger's distance: Lebret and Collobert, *Word Embeddings through Hellinger
    PCA*, EACL 2014.

    >>> sentences = ["a dog runs", "a cat runs", "the dog sleeps", "the cat sleeps"]
    >>> vocabulary = Vocabulary(sentences)
    >>> vectors = neighbour_vectors(sentences, vocabulary, size=3)
    >>> dog, cat, runs = (vectors[vocabulary.words.index(word)] for word in ("dog", "cat", "runs"))
    >>> f"{dog @ cat:.2f}", bool(dog @ runs < 0.5)
    ('1.00', True)
    """
    check_counts(1, size=size, window=window)
    if size > len(vocabulary):
        raise ValueError(f"size must lie in 1..{len(vocabulary)}, the words; got {size}")
    shares = F.normalize(_counts(sentences, vocabulary, window), p=1, dim=1)
    U, S, _ = torch.linalg.svd(shares.sqrt(), full_matrices=False)
    columns = U[:, :size] * S[:size]
    largest = columns.gather(0, columns.abs().argmax(dim=0, keepdim=True))
    # The sign of each singular vector is arbitrary; make its largest component positive.
    vectors = F.normalize(columns * largest.sign(), dim=1)
    seen = shares.any(dim=1, keepdim=True)  # without this, rounding errors would be normalised
    return torch.where(seen, vectors, 0).to(torch.get_default_dtype())


def _counts(sentences: Iterable[str], vocabulary: Vocabulary, window: int) -> Tensor:
    """Count the neighbours of each word by place: (W, 2 · window · W) float64."""
    once = sentences if isinstance(sentences, str) else dict.fromkeys(sentences)
    ids, lens = vocabulary.encode(once)
    words = torch.arange(ids.shape[1]) < lens[:, None]
    padded = F.pad(ids, (window, window))  # 0, the padding, stands for the edge
    places = [shift for shift in range(2 * window + 1) if shift != window]
    counts = torch.zeros(len(vocabulary), len(places), len(vocabulary), dtype=torch.float64)
    one = counts.new_ones(())
    for place, shift in enumerate(places):
        neighbours = padded[:, shift : shift + ids.shape[1]]
        where = ids[words], torch.tensor(place), neighbours[words]
        counts.index_put_(where, one, accumulate=True)
    return counts.flatten(1)
