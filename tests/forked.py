"""Kernels forked from one Python that has loaded what the chapters import, as a class has them.

To load that takes two seconds of a processor, and the tests run fifty notebooks.
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
    """Describe such a kernel to Jupyter; the Python that is forked ends with this process.

    Classes are for Linux: elsewhere it is the usual kernel.
    """
    if sys.platform != "linux":
        return {**get_kernel_dict(), "interrupt_mode": "signal"}
    folder = tempfile.mkdtemp(prefix="k-")  # not pytest's: the path of a socket must be short
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
    """Make them the usual kernels for whoever has `folder` in JUPYTER_PATH."""
    place = folder / "kernels/python3"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(kind()), "utf-8")
