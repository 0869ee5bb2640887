"""Provide chapter 13's decoder: its sentences, the model, its training, and trained models."""

from attention_course.decoder.model import Block, Cache, Decoder, write
from attention_course.decoder.sentences import GRAMMARS, START, Grammar
from attention_course.decoder.stored import load_model, sentence
from attention_course.decoder.training import (
    accuracy,
    loss_of,
    new_decoder,
    reading,
    train,
    weights_of,
)

__all__ = [
    "GRAMMARS",
    "START",
    "Block",
    "Cache",
    "Decoder",
    "Grammar",
    "accuracy",
    "load_model",
    "loss_of",
    "new_decoder",
    "reading",
    "sentence",
    "train",
    "weights_of",
    "write",
]
