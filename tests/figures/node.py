"""Call functions of the front end's modules in Node, to compare their results with torch."""

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


def call_in_node(module: str, function: str, *arguments: Any) -> Any:
    """Call a function that a module in `web` exports.

    Arguments and result travel as JSON. Numbers that are not finite may be passed as arguments, and
    come back as text. A dot reaches into an object: `default.stages`. Promises are awaited.
    Example: `call_in_node("maths/softmax.ts", "softmax", xs)`.

    Raises:
        RuntimeError: the call throws, or there is no such function.
    """
    return call_each_in_node(module, function, [arguments])[0]


def call_each_in_node(module: str, function: str, calls: list[Any]) -> list[Any]:
    """Call a function once for each tuple of arguments, in one round trip."""
    node = _node()
    assert node.stdin
    assert node.stdout
    call = {"module": module, "name": function, "calls": _plain(calls)}
    node.stdin.write(f"{json.dumps(call, allow_nan=False)}\n")
    node.stdin.flush()
    response = json.loads(node.stdout.readline())
    if "error" in response:
        raise RuntimeError(response["error"])
    results: list[Any] = response["results"]
    return results


def unit_tests(file: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a file of the front end's own unit tests; `folder` is for its bundle."""
    FIGURES.install()
    options = ["--enable-source-maps", "--test-reporter=tap"]
    command = [path_of_node(), *options, str(SCRIPT), str(folder), str(file)]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


@cache
def _node() -> subprocess.Popen[str]:
    """Start Node once per process."""
    FIGURES.install()
    folder = TemporaryDirectory()
    command = [path_of_node(), "--enable-source-maps", str(SCRIPT), folder.name]
    pipe = subprocess.PIPE
    node = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def stop() -> None:
        node.communicate()  # Node exits when its input is closed
        folder.cleanup()

    atexit.register(stop)
    return node


def _plain(nested: Any) -> Any:
    if isinstance(nested, dict):
        return {key: _plain(item) for key, item in nested.items()}
    if isinstance(nested, list | tuple):
        return [_plain(item) for item in nested]
    if isinstance(nested, float) and not math.isfinite(nested):
        return "NaN" if math.isnan(nested) else "Infinity" if nested > 0 else "-Infinity"
    return nested
