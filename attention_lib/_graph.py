"""Define the function that torch.compile calls without tracing it.

`allow_in_graph` imports the compiler, which takes longer than importing the rest of the library.
So this module is imported only while something is being compiled.
"""

import torch
from torch import Tensor
from torch.func import debug_unwrap


@torch.compiler.allow_in_graph  # type: ignore[untyped-decorator]
def innermost(x: Tensor) -> Tensor:
    """Return the tensor inside all wrappers of torch.func, to be stored, not computed with."""
    return debug_unwrap(x)
