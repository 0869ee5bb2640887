"""Natural language inference: sentence pairs, the words in them, and both as numbers."""

from attention_lib.decomposable import LABELS
from attention_lib.nli.counterparts import counterparts
from attention_lib.nli.neighbours import neighbour_vectors
from attention_lib.nli.reading import Pair, load_pairs, read_pairs
from attention_lib.nli.training import aligned_model, load_model, train
from attention_lib.nli.vocabulary import Vocabulary, encode_pairs

__all__ = [
    "LABELS",
    "Pair",
    "Vocabulary",
    "aligned_model",
    "counterparts",
    "encode_pairs",
    "load_model",
    "load_pairs",
    "neighbour_vectors",
    "read_pairs",
    "train",
]
