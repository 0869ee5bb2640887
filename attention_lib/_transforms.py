"""Detect torch.compile, torch.export, torch.func's transforms and autocast."""

import torch
from torch import Tensor
from torch.func import debug_unwrap


def is_exporting() -> bool:
    """Whether torch.export or torch.jit.trace is recording, so that values and sizes may change."""
    tracing: bool = torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
    return tracing or torch.compiler.is_exporting()


def readable(x: Tensor) -> bool:
    """Whether a value can be read: on other devices that waits, in a transform it fails."""
    return (
        x.device.type == "cpu"
        and not torch.compiler.is_compiling()
        and not is_exporting()
        and debug_unwrap(x) is x
    )


def autocast_dtype(x: Tensor) -> torch.dtype | None:
    """Return the dtype of matrix products under autocast; None where autocast is off."""
    device = x.device.type
    if torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device):
        return torch.get_autocast_dtype(device)
    return None


def unwrap(x: Tensor) -> Tensor | None:
    """Return a tensor that may outlive the transforms around it; None inside vmap."""
    if torch.compiler.is_compiling():
        from attention_lib._graph import innermost  # imports the compiler, which is loaded by now

        inner = innermost(x)
    else:
        inner = debug_unwrap(x)
    # Only vmap hides an axis of the tensor inside.
    return inner if inner.dim() == x.dim() else None
