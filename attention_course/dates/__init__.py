"""Generate sentences with dates, and train models that rewrite a date in digits."""

from attention_course.dates.figure_model import figure_model
from attention_course.dates.model import MODELS, Aligner, learn, measure
from attention_course.dates.sentences import (
    ASKED,
    TARGET,
    Sentence,
    Tokens,
    compose,
    encode,
    held_out,
    sentences,
    written,
)
from attention_course.dates.stored import load_model

__all__ = [
    "ASKED",
    "MODELS",
    "TARGET",
    "Aligner",
    "Sentence",
    "Tokens",
    "compose",
    "encode",
    "figure_model",
    "held_out",
    "learn",
    "load_model",
    "measure",
    "sentences",
    "written",
]
