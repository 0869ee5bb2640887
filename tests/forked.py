"""Fork kernels from one Python process that has imported what the chapters need, as in a class.

These imports take two processor-seconds, and the tests run fifty notebooks.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any

from ipykernel.kernelspec import get_kernel_dict

CLASSROOM = Path(__file__).parents[1] / "classroom"


@cache
def kind() -> dict[str, Any]:
    """Return the kernel spec of such kernels; the forking process stops with this process.

    Forking needs Linux: elsewhere the spec is that of the usual kernel.
    """
    if sys.platform != "linux":
        return {**get_kernel_dict(), "interrupt_mode": "signal"}
    folder = tempfile.mkdtemp(
        prefix="k-"
    )  # not pytest's folder: the path of a socket must be short
    place = f"{folder}/kernels"
    parent = subprocess.Popen(
        [sys.executable, "-P", str(CLASSROOM / "kernels.py"), place],
        env={**os.environ, "CLASS_MEMORY": "-1"},  # no limit
    )

    @atexit.register
    def end() -> None:
        parent.terminate()
        parent.wait()
        rmtree(folder)

    ask = str(CLASSROOM / "ask_for_kernel.py")
    return {
        "argv": [sys.executable, "-I", "-S", ask, place, "{connection_file}"],
        "display_name": "Python",
        "language": "python",
        "interrupt_mode": "message",
    }


def install(folder: Path) -> None:
    """Make them the default kernels for processes with `folder` in JUPYTER_PATH."""
    place = folder / "kernels/python3"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(kind()), "utf-8")
