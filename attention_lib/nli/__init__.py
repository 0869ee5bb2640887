"""Natural language inference: sentence pairs, the words in them, and both as numbers."""

from attention_lib.nli.reading import LABELS, Pair, load_pairs, read_pairs
from attention_lib.nli.vocabulary import Vocabulary, encode_pairs

__all__ = ["LABELS", "Pair", "Vocabulary", "encode_pairs", "load_pairs", "read_pairs"]
