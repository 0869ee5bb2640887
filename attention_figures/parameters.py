"""Name the parameters of all scores, and their shapes in a figure."""

from collections.abc import Sequence

from torch import Tensor

from attention_figures.traits import OptionalNumbers
from attention_lib.scores import SCORES


def parameter_shapes(size: str) -> dict[str, str]:
    """Return the shapes of the parameters of all scores, for queries and keys of the same size.

    >>> parameter_shapes("d")["w_v"], parameter_shapes("d")["W"]
    ('(1, H)', '(d, d)')
    """
    shapes = {name: shape for score in SCORES.values() for name, shape in score.parameters.items()}
    own = {"query size": size, "key size": size, "d": size}
    return {
        name: f"({', '.join(own.get(symbol, symbol) for symbol in shape)})"
        for name, shape in shapes.items()
    }


PARAMETERS = tuple(parameter_shapes("d"))


def parameter_traits(size: str) -> dict[str, OptionalNumbers]:
    """Return a trait for each parameter, for queries and keys of the same size.

    A parameter that a figure does not use is None, and pages do not store it: notebooks do not
    change when a new score adds a parameter.
    """
    return {name: OptionalNumbers(shape) for name, shape in parameter_shapes(size).items()}


def named_parameters(unnamed: Sequence[Tensor], named: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return parameters of scores by name; those without a name are in the order of `SCORES`."""
    known = ", ".join(PARAMETERS)
    if len(unnamed) > len(PARAMETERS):
        raise TypeError(f"parameters must be at most {known}; got {len(unnamed)}")
    given = dict(zip(PARAMETERS, unnamed, strict=False))
    if unknown := sorted(named.keys() - set(PARAMETERS)):
        raise TypeError(f"parameters must be among {known}; got {', '.join(unknown)}")
    if twice := sorted(given.keys() & named):
        raise TypeError(f"parameters must be given once; got {', '.join(twice)} twice")
    given |= named
    return {name: given[name] for name in PARAMETERS if name in given}
