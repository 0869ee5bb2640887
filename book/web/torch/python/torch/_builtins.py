"""Define replacements for Python's built-in functions, for code that passes tensors to them.

MicroPython would turn `0.5 * tensor` into a number if tensors had `__float__`, and it has neither
`__index__` nor `zip(strict=True)`. The reader's code gets these functions as its globals.
"""

from torch._elementwise import IN_PLACE, REFLECTED
from torch._tensor import Tensor, integer, is_operand


def number(x, kind):
    """Return a tensor with one element as a number of Python."""
    if not isinstance(x, Tensor):
        return x
    if x.numel() != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return kind(x.item())


def float_(x=0.0):
    return float(number(x, float))


def int_(x=0, *base):
    return int(number(x, int), *base)


def index(x):
    return integer(x) if isinstance(x, Tensor) else x


def range_(*bounds):
    return range(*[index(x) for x in bounds])


def zip_(*several, strict=False):
    """Return pairs; `strict` refuses iterables of different lengths."""
    if not strict:
        return zip(*several)
    lists = [list(one) for one in several]
    for i, one in enumerate(lists):
        if len(one) != len(lists[0]):
            how = "shorter" if len(one) < len(lists[0]) else "longer"
            before = "argument 1" if i == 1 else "arguments 1-%d" % i
            raise ValueError("zip() argument %d is %s than %s" % (i + 1, how, before))
    return zip(*lists)


def extreme(comes_first):
    """Return `max` or `min`, which MicroPython computes with `>` alone."""

    def f(*several, key=None, default=None):
        items = list(several[0]) if len(several) == 1 else list(several)
        if not items:
            if default is None:
                raise ValueError("arg is an empty sequence")
            return default
        best = items[0]
        for one in items[1:]:
            a, b = (one, best) if key is None else (key(one), key(best))
            if comes_first(a, b):
                best = one
        return best

    return f


def sorted_(items, key=None, reverse=False):
    """Sort stably; MicroPython takes any comparison that yields a tensor for false."""
    items = list(items)
    keys = items if key is None else [key(one) for one in items]
    if not any([isinstance(one, Tensor) for one in keys]):
        return sorted(items, key=key, reverse=reverse)
    order = []
    for i in range(len(items)):
        at = len(order)
        while at and (keys[order[at - 1]] < keys[i] if reverse else keys[i] < keys[order[at - 1]]):
            at -= 1
        order.insert(at, i)
    return [items[i] for i in order]


def sort(items, *inputs, **keywords):
    """Call the method `sort` of a list or a tensor."""
    if not isinstance(items, list):
        return items.sort(*inputs, **keywords)
    items[:] = sorted_(items, *inputs, **keywords)


def isinstance_(x, kinds):
    """Tell types, of which some have the replacements below; a bool is an int."""
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    return any([isinstance(x, TYPES.get(kind, kind)) for kind in several])


def round_(x, ndigits=None):
    if isinstance(x, Tensor):
        return x.round() if ndigits is None else x.round(decimals=ndigits)
    return round(x) if ndigits is None else round(x, ndigits)


def pow_(base, exponent, *modulus):
    if isinstance(base, Tensor) or isinstance(exponent, Tensor):
        return base**exponent
    return pow(base, exponent, *modulus)


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "@": lambda a, b: a @ b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}


def binary(symbol, a, b):
    """Compute `a & b`; MicroPython would ask the right side about an int instead of a bool."""
    if type(a) is bool and isinstance(b, Tensor) and symbol in REFLECTED:
        return REFLECTED[symbol](b, a)
    return OPERATIONS[symbol](a, b)


def in_place(symbol, a, b):
    """Return what `a` is after `a *= b`."""
    if isinstance(a, Tensor) and symbol in IN_PLACE:
        return IN_PLACE[symbol](a, b)
    return OPERATIONS[symbol[:-1]](a, b)


# What a comparison is, and what it is seen from its right side.
COMPARISONS = {
    "==": (lambda a, b: a == b, "__eq__"),
    "!=": (lambda a, b: a != b, "__ne__"),
    "<": (lambda a, b: a < b, "__gt__"),
    "<=": (lambda a, b: a <= b, "__ge__"),
    ">": (lambda a, b: a > b, "__lt__"),
    ">=": (lambda a, b: a >= b, "__le__"),
}


def compare(symbol, a, b):
    """Compare two values; MicroPython asks only the left one."""
    compared, mirrored = COMPARISONS[symbol]
    if isinstance(b, Tensor) and is_operand(a):
        return compared(a, b) if isinstance(a, Tensor) else getattr(b, mirrored)(a)
    return compared(a, b)


class _Brackets:
    def __getitem__(self, index):
        return index


def slice_(*bounds):
    """Return a slice, which MicroPython makes only in square brackets."""
    start, stop, step = bounds if len(bounds) == 3 else ((None,) + bounds)[-2:] + (None,)
    return _Brackets()[start:stop:step]


TYPES = {float_: float, int_: (int, bool), int: (int, bool), range_: range, slice_: slice}
BUILTINS = {
    "_sort": sort,
    "sorted": sorted_,
    "isinstance": isinstance_,
    "slice": slice_,
    "_in_place": in_place,
    "_binary": binary,
    "_compare": compare,
    "_list": lambda *items: list(items),
    "_tuple": lambda *items: items,
    "_set": lambda *items: set(items),
    "float": float_,
    "int": int_,
    "range": range_,
    "zip": zip_,
    "max": extreme(lambda a, b: a > b),
    "min": extreme(lambda a, b: a < b),
    "round": round_,
    "pow": pow_,
}
