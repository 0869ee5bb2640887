"""Offer torch.nn, of which only the functions are available."""

import torch.nn.functional  # `from torch.nn import` would ask __getattr__ first
from torch._core import missing


def __getattr__(name):
    missing("torch.nn", name)
    raise AttributeError("module 'torch.nn' has no attribute '%s'" % name)
