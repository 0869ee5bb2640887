"""Functions of the front end's modules, called in Node: for tests of arithmetic against torch."""

import atexit
import json
import math
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attention_figures.frontend import FIGURES
from attention_figures.frontend import node as path_of_node

SCRIPT = Path(__file__).with_name("node.mjs")


def told(module: str, function: str, *arguments: Any) -> Any:
    """Call a function that a module in `web` exports: `told("maths/softmax.ts", "softmax", xs)`.

    Arguments and result are JSON; what is not finite is text in the result, and a number in the
    arguments. A dot leads into an object: `default.stages`. Promises are awaited.

    Raises:
        RuntimeError: the call throws, or there is no such function.
    """
    return told_each(module, function, [arguments])[0]


def told_each(module: str, function: str, calls: list[Any]) -> list[Any]:
    """Call it once with each tuple of arguments, all at one go."""
    node = _node()
    assert node.stdin
    assert node.stdout
    call = {"module": module, "name": function, "calls": _plain(calls)}
    node.stdin.write(f"{json.dumps(call, allow_nan=False)}\n")
    node.stdin.flush()
    said = json.loads(node.stdout.readline())
    if "error" in said:
        raise RuntimeError(said["error"])
    results: list[Any] = said["results"]
    return results


def unit_tests(file: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a file of the front end's own unit tests; `folder` is for what is made of it."""
    FIGURES.install()
    options = ["--enable-source-maps", "--test-reporter=tap"]
    command = [path_of_node(), *options, str(SCRIPT), str(folder), str(file)]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


@cache
def _node() -> subprocess.Popen[str]:
    """Start Node, once for all tests of a process."""
    FIGURES.install()
    folder = TemporaryDirectory()
    command = [path_of_node(), "--enable-source-maps", str(SCRIPT), folder.name]
    pipe = subprocess.PIPE
    node = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def end() -> None:
        node.communicate()  # it ends with its input
        folder.cleanup()

    atexit.register(end)
    return node


def _plain(nested: Any) -> Any:
    if isinstance(nested, dict):
        return {key: _plain(item) for key, item in nested.items()}
    if isinstance(nested, list | tuple):
        return [_plain(item) for item in nested]
    if isinstance(nested, float) and not math.isfinite(nested):
        return "NaN" if math.isnan(nested) else "Infinity" if nested > 0 else "-Infinity"
    return nested
