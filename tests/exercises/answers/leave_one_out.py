"""Answers to "leave-one-out": row i is x without x[i]."""

from collections import deque
from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np
import torch
from torch import Tensor


def by_a_mask(x: Tensor) -> Tensor:
    n = len(x)
    return x.repeat(n, 1)[~torch.eye(n, dtype=torch.bool)].reshape(n, n - 1)


def by_numpy(x: Tensor) -> Tensor:
    return torch.from_numpy(np.stack([np.delete(x.detach().numpy(), i) for i in range(len(x))]))


def by_combinations(x: Tensor) -> Tensor:
    """All choices of n − 1 entries, in the order of the dictionary: the last is left out first."""
    return torch.combinations(x, len(x) - 1).flip(0)


def by_the_diagonal(x: Tensor) -> Tensor:
    """Entries of the diagonal are n + 1 apart: cut the square into rows that begin with one."""
    n = len(x)
    return x.repeat(n)[:-1].reshape(n - 1, n + 1)[:, 1:].reshape(n, n - 1)


def by_triangles(x: Tensor) -> Tensor:
    """Below the diagonal, entries keep their place; from there on they move up by one."""
    n = len(x)
    left, right = x[:-1].expand(n, -1), x[1:].expand(n, -1)
    return torch.tril(left, -1) + torch.triu(right)


def by_places(x: Tensor) -> Tensor:
    n = len(x)
    places = torch.arange(n - 1)
    return x[places + (places >= torch.arange(n)[:, None])]


def by_a_gather(x: Tensor) -> Tensor:
    n = len(x)
    others = torch.nonzero(1 - torch.eye(n))[:, 1].reshape(n, n - 1)
    return x.expand(n, n).gather(1, others)


def by_matrices(x: Tensor) -> Tensor:
    """One matrix for each row: the identity without a row, times x."""
    one = torch.eye(len(x), dtype=x.dtype)
    picks = torch.stack([one[torch.arange(len(x)) != i] for i in range(len(x))])
    return torch.einsum("nij,j->ni", picks, x)


def by_lists(x: Tensor) -> Tensor:
    rows = []
    for i in range(len(x)):
        rest = list(x)
        rest.pop(i)
        rows.append(torch.stack(rest))
    return torch.stack(rows)


def by_rotation(x: Tensor) -> Tensor:
    """Bring x[i] to the end, cut it off, and turn the others back."""
    rows, n = [], len(x)
    for i in range(n):
        ring = deque(x.roll(n - 1 - i)[:-1])
        ring.rotate(i)
        rows.append(torch.stack(list(ring)))
    return torch.stack(rows)


def by_swaps(x: Tensor) -> Tensor:
    """Row i + 1 is row i with its entry i exchanged for x[i]."""
    rows = [x[1:]]
    for i in range(len(x) - 1):
        rows.append(rows[-1].index_copy(0, torch.tensor([i]), x[i : i + 1]))
    return torch.vstack(rows)


def by_a_sort(x: Tensor) -> Tensor:
    # A stable sort of each row's truth values brings the one to leave out to the end.
    own = torch.eye(len(x), dtype=torch.int8)
    return x[torch.argsort(own, dim=1, stable=True)][:, :-1]


def by_strides(x: Tensor) -> Tensor:
    n = len(x)
    return x.repeat(n)[1:].as_strided((n - 1, n), (n + 1, 1)).reshape(n, n - 1)


def by_strides_of_numpy(x: Tensor) -> Tensor:
    n, size = len(x), x.element_size()
    every = np.tile(x.detach().numpy(), n)[1:]
    rows = np.lib.stride_tricks.as_strided(every, (n - 1, n), ((n + 1) * size, size))
    return torch.from_numpy(rows.reshape(n, n - 1).copy())


def by_a_mapped_function(x: Tensor) -> Tensor:
    """One row as a function of its number, which torch maps over all numbers at once."""
    places, every = torch.arange(len(x) - 1), torch.arange(len(x))
    return torch.vmap(lambda i: torch.where(places < i, x[:-1], x[1:]))(every)


def by_size(x: Tensor) -> Tensor:
    """Use another method, with more steps, where there are many entries."""
    if len(x) <= 6:
        return by_a_mask(x)
    n = torch.tensor(len(x))
    keep = torch.ones(int(n), int(n), dtype=torch.bool)
    keep = keep.fill_diagonal_(False)
    rows = x.repeat(int(n)).reshape(int(n), int(n))
    return rows[keep].reshape(int(n), int(n) - 1)


def by_places_in_lists(x: Tensor) -> Tensor:
    """No function of torch is called in the loop."""
    places = [[j for j in range(len(x)) if j != i] for i in range(len(x))]
    return x[torch.tensor(places)]


def by_recursion(x: Tensor) -> Tensor:
    if len(x) == 2:
        return x.flip(0)[:, None]
    rest = by_recursion(x[1:])
    return torch.vstack([x[1:], torch.hstack([x[:1].expand(len(rest), 1), rest])])


def by_map(x: Tensor) -> Tensor:
    """Loop in C."""
    keep = ~torch.eye(len(x), dtype=torch.bool)
    return torch.stack(list(map(torch.masked_select, repeat(x, len(x)), keep)))


def while_there_is_one(x: Tensor) -> Tensor:
    rows, i = x.new_empty(len(x), len(x) - 1), 0
    while i < len(x):
        rows[i], i = torch.cat([x[:i], x[i + 1 :]]), i + 1
    return rows


RIGHT: dict[str, Callable[..., Any]] = {
    "a mask": by_a_mask,
    "combinations": by_combinations,
    "the diagonal": by_the_diagonal,
    "triangles": by_triangles,
    "places": by_places,
    "a gather": by_a_gather,
    "a sort": by_a_sort,
    "strides": by_strides,
    "a mapped function": by_a_mapped_function,
    "another way where it is large": by_size,
}

LOOP = "the task asks you to do it without a loop"
FORBIDDEN = {
    "matrices": (by_matrices, LOOP),
    "lists": (by_lists, LOOP),
    "rotation": (by_rotation, LOOP),
    "swaps": (by_swaps, LOOP),
    "places in lists": (by_places_in_lists, LOOP),
    "recursion": (by_recursion, LOOP),
    "map": (by_map, LOOP),
    "while": (while_there_is_one, LOOP),
}


def first_of_equals(x: Tensor) -> Tensor:
    # A list removes the first entry of this value, wherever it stands.
    rows = []
    for a in x.tolist():
        rest = x.tolist()
        rest.remove(a)
        rows.append(rest)
    return torch.tensor(rows, dtype=x.dtype)


def last_takes_the_place(x: Tensor) -> Tensor:
    rows = x[:-1].repeat(len(x), 1)
    rows[:-1].diagonal().copy_(x[-1].expand(len(x) - 1))
    return rows


def sorted_rows(x: Tensor) -> Tensor:
    return by_a_mask(x).sort(dim=1).values


def round_the_ring(x: Tensor) -> Tensor:
    return torch.stack([x.roll(-i)[1:] for i in range(len(x))])


def down_the_columns(x: Tensor) -> Tensor:
    n = len(x)
    return x.repeat(n, 1)[~torch.eye(n, dtype=torch.bool)].reshape(n - 1, n).T


def from_the_other_end(x: Tensor) -> Tensor:
    return torch.combinations(x, len(x) - 1)


def the_next_one_out(x: Tensor) -> Tensor:
    return by_places(x).roll(-1, 0)


def the_one_before_out(x: Tensor) -> Tensor:
    return torch.stack([torch.cat([x[: i - 1], x[i:]]) for i in range(1, len(x) + 1)]).roll(1, 0)


def repeats_entries(x: Tensor) -> Tensor:
    n = len(x)
    return x.repeat_interleave(n).reshape(n, n)[~torch.eye(n, dtype=torch.bool)].reshape(n, -1)


def distinct_others(x: Tensor) -> Tensor:
    return torch.stack([x[x != a] for a in x])


def mean_of_others(x: Tensor) -> Tensor:
    return (x.sum() - x) / (len(x) - 1)


def nan_in_its_place(x: Tensor) -> Tensor:
    return x.repeat(len(x), 1).fill_diagonal_(torch.nan)


def seen_so_far(x: Tensor) -> Tensor:
    return torch.tril(x[:-1].expand(len(x), -1), -1)


def half_precision(x: Tensor) -> Tensor:
    return by_places(x.half()).to(x.dtype)


def squeezed(x: Tensor) -> Tensor:
    return by_places(x).squeeze()


def argument_changed(x: Tensor) -> Tensor:
    rows = []
    for i in range(len(x)):
        x[[0, i]] = x[[i, 0]]  # moved to the front and cut off, without the rotation back
        rows.append(x[1:].clone())
    return torch.stack(rows)


def nothing_left_out(x: Tensor) -> Tensor:
    return torch.stack([torch.cat([x[:i], x[i:]]) for i in range(len(x))])


def two_left_out(x: Tensor) -> Tensor:
    return torch.stack([torch.cat([x[:i], x[i + 2 :]]) for i in range(len(x))])


WRONG: dict[str, Callable[..., Any]] = {
    "the first of equals": first_of_equals,
    "the last takes the place": last_takes_the_place,
    "rows sorted": sorted_rows,
    "round the ring": round_the_ring,
    "down the columns": down_the_columns,
    "from the other end": from_the_other_end,
    "the next one out": the_next_one_out,
    "the one before out": the_one_before_out,
    "entries repeated": repeats_entries,
    "distinct others": distinct_others,
    "the mean of the others": mean_of_others,
    "NaN in its place": nan_in_its_place,
    "what was seen so far": seen_so_far,
    "half precision": half_precision,
    "squeezed": squeezed,
    "an argument changed": argument_changed,
    "all of them": lambda x: x.expand(len(x), -1),
    "cut in two and joined": nothing_left_out,
    "all but the last": lambda x: x[:-1].repeat(len(x), 1),
    "all but the first": lambda x: x[1:].expand(len(x), -1),
    "0 in its place": lambda x: x * (1 - torch.eye(len(x))),
    "one long row": lambda x: x.repeat(len(x), 1)[~torch.eye(len(x), dtype=torch.bool)],
    "two left out": two_left_out,
    "numpy": by_numpy,
    "numpy's strides": by_strides_of_numpy,
}

NAMED = {
    "the first of equals": "first-of-equals",
    "the last takes the place": "other-order",
    "rows sorted": "other-order",
    "round the ring": "other-order",
    "down the columns": "other-order",
    "from the other end": "from-end",
    "the next one out": "neighbour-left-out",
    "the one before out": "neighbour-left-out",
    "entries repeated": "only-itself",
    "all of them": "itself-kept",
    "cut in two and joined": "itself-kept",
    "all but the last": "last-left-out",
    "all but the first": "first-left-out",
    "0 in its place": "zero-instead",
    "one long row": "one-long-row",
}

MESSAGES = {
    "distinct others": "Did you compare values?",
    "two left out": "each should leave out one entry, and only one",
    "squeezed": "the result should have the shape (2, 1); yours has (2,).",
    "an argument changed": "The function changes `x`",
    "numpy": "no gradient reaches `x`",
    "numpy's strides": "no gradient reaches `x`",
}
