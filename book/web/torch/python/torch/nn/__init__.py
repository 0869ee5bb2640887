"""Offer torch.nn, of which only the functions are available."""

from torch._core import missing
import torch.nn.functional  # `from torch.nn import` would ask __getattr__ first


def __getattr__(name):
    missing("torch.nn", name)
    raise AttributeError("module 'torch.nn' has no attribute '%s'" % name)
