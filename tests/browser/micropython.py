"""Run programs with torch here and with the module `torch` in MicroPython, and compare outcomes."""

import json
import math
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_course.exercises.engine.containment import contained
from attention_figures.frontend import node
from book.site.output.scripts import PAGES

SCRIPT = Path(__file__).with_suffix(".mjs")
DTYPES = (torch.bool, torch.int32, torch.int64, torch.float32, torch.float64)
WORDED = (
    "TypeError",
    "AttributeError",
    "SyntaxError",
    "ZeroDivisionError",
)  # mostly by MicroPython itself
BEGINNING = 25  # characters of an error's message that must be equal
REFUSAL = "is not available here; run this exercise behind `make serve`."


Group = tuple[str, list[str]]  # a setup, and programs that see its names and set `result`


def in_micropython(groups: list[Group]) -> list[Any]:
    """Return the outcomes of all programs of the groups."""
    PAGES.install()
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [node(), str(SCRIPT), folder],
            input=json.dumps(groups),
            capture_output=True,
            encoding="utf-8",
        )
    assert done.returncode == 0, done.stderr
    outcomes: list[Any] = json.loads(done.stdout)
    return outcomes


def in_torch(groups: list[Group]) -> list[Any]:
    """Return the outcomes of all programs in the form of micropython.mjs."""
    found = []
    with contained():  # some programs change settings of torch
        for setup, programs in groups:
            known = {"torch": torch, "F": F, "__name__": "reader"}
            exec(setup, known)
            found += [_outcome(program, dict(known)) for program in programs]
    return found


def _outcome(program: str, names: dict[str, Any]) -> Any:
    try:
        exec(program, names)
        return told(names["result"])
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def told(x: Any) -> Any:
    """Describe a result by what JSON has."""
    if isinstance(x, Tensor):
        values = x.detach().flatten().tolist()
        name = str(x.dtype).removeprefix("torch.")
        return {"dtype": name, "shape": list(x.shape), "values": values}
    if isinstance(x, tuple | list):
        return [told(one) for one in x]
    if type(x) in (int, float):
        return {type(x).__name__: str(x)}
    if x is None or isinstance(x, bool | str):
        return x
    return {"type": type(x).__name__}


def refused(outcome: Any) -> str | None:
    """Return what an outcome refuses by name, if it is a refusal."""
    if not isinstance(outcome, dict):
        return None
    kind, message = outcome.get("error"), outcome.get("message", "")
    if kind == "ImportError" and (module := re.fullmatch(r"no module named '(.*)'", message)):
        return module[1]
    if kind != "Unavailable":
        return None
    assert message.endswith(REFUSAL)
    name = re.search(r"`([^`]+)`", message.removesuffix(REFUSAL))
    assert name, message
    return name[1]


def agree(own: Any, expected: Any) -> bool:
    """Return whether the outcome in MicroPython is torch's, up to rounding."""
    if isinstance(expected, list) and expected[:1] == ["error"]:
        return (
            isinstance(own, list) and own[:1] == ["error"] and agree(*map(_error, (own, expected)))
        )
    if isinstance(expected, list):
        return (
            isinstance(own, list) and len(own) == len(expected) and all(map(agree, own, expected))
        )
    if not isinstance(expected, dict) or not isinstance(own, dict):
        return bool(type(own) is type(expected) and own == expected)
    if own.keys() != expected.keys():
        return False
    if "error" in expected:
        beginnings = (one["message"][:BEGINNING] for one in (own, expected))
        worded = expected["error"] in WORDED or len({*beginnings}) == 1
        return own["error"] == expected["error"] and worded
    if "float" in expected:
        return near(float(own["float"]), float(expected["float"]))
    if "values" not in expected:
        return bool(own == expected)
    return (
        own["dtype"] == expected["dtype"]
        and own["shape"] == expected["shape"]
        and all(map(near, map(float, own["values"]), map(float, expected["values"])))
    )


def _error(told: list[str]) -> dict[str, str]:
    """Return an error that a program has caught, as an outcome."""
    return {"error": told[1], "message": told[2]}


def near(a: float, b: float) -> bool:
    """Return whether two numbers are equal up to the rounding of float32."""
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= 1e-5 + 1e-4 * abs(b)
