"""Load and encode sentence pairs for natural language inference, and train a model on them."""

from attention_course.nli.counterparts import counterparts
from attention_course.nli.neighbours import neighbour_vectors
from attention_course.nli.reading import Pair, load_pairs, read_pairs
from attention_course.nli.training import aligned_model, load_model, train
from attention_course.nli.vocabulary import Vocabulary, encode_pairs
from attention_lib.decomposable import LABELS

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
