"""What torch.compile puts into its graph as it is.

Marking a function so loads the compiler, which takes longer than the rest of the library. So this
is imported only where something is being compiled.
"""

import torch
from torch import Tensor
from torch.func import debug_unwrap


@torch.compiler.allow_in_graph  # type: ignore[untyped-decorator]
def innermost(x: Tensor) -> Tensor:
    """Tensor inside all wrappers of torch.func, to be kept, not computed with."""
    return debug_unwrap(x)
