"""What is known of a tensor in torch.compile, torch.export, torch.func's transforms, autocast."""

import torch
from torch import Tensor
from torch.func import debug_unwrap


def is_exporting() -> bool:
    """Whether what runs is recorded, to be run later on other values and sizes."""
    tracing: bool = torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
    return tracing or torch.compiler.is_exporting()


def readable(x: Tensor) -> bool:
    """Whether a value can be read at once: elsewhere it would wait, break the graph, or fail."""
    return (
        x.device.type == "cpu"
        and not torch.compiler.is_compiling()
        and not is_exporting()
        and debug_unwrap(x) is x
    )


def autocast_dtype(x: Tensor) -> torch.dtype | None:
    """Dtype of products where autocast is on for the device of a tensor."""
    device = x.device.type
    if torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device):
        return torch.get_autocast_dtype(device)
    return None


def unwrap(x: Tensor) -> Tensor | None:
    """Tensor that may outlive the transforms around it; None where vmap leaves no such tensor."""
    if torch.compiler.is_compiling():
        from attention_lib._graph import innermost  # loads the compiler, which is there by now

        inner = innermost(x)
    else:
        inner = debug_unwrap(x)
    # Only vmap hides an axis of the tensor inside.
    return inner if inner.dim() == x.dim() else None
