"""What can be known of a tensor inside torch.compile and the transforms of torch.func."""

import torch
from torch import Tensor
from torch._C import _functorch


def readable(x: Tensor) -> bool:
    """Whether a value can be read at once: elsewhere it would wait, break the graph, or fail."""
    return (
        x.device.type == "cpu"
        and not torch.compiler.is_compiling()
        and not _functorch.is_functorch_wrapped_tensor(x)
    )


def unwrapped(x: Tensor) -> Tensor | None:
    """Tensor that may outlive the transforms around it; None where vmap leaves no such tensor."""
    if torch.compiler.is_compiling():
        return x
    while _functorch.is_gradtrackingtensor(x):
        x = _functorch.get_unwrapped(x)
    return None if _functorch.is_functorch_wrapped_tensor(x) else x
