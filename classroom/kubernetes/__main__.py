"""Run one reader's server in a pod: the command of the image.

A pod has what `make class` has for one reader: the server (`classroom.student`), and the process
that has loaded torch and forks the kernels (`classroom.kernels`). Such a kernel has a limit of its
own: a cell that takes too much memory gets an error, while the pod's limit would end everything.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from classroom import MEMORY
from tools.serve import SITE
from tools.serving.application import jupyter_directories

KERNELS = Path(__file__).parents[1] / "kernels.py"


def main() -> None:
    """Serve until the pod is stopped."""
    with TemporaryDirectory(prefix="pod-") as private:
        socket = f"{private}/kernels"
        settings = {
            **jupyter_directories(private),
            "CLASS_SITE": str(SITE),
            "CLASS_KERNELS": socket,
            "CLASS_MEMORY": str(MEMORY * 1_000_000),
        }
        os.environ.update({**settings, **os.environ})  # the pod may set another limit
        with running([sys.executable, "-P", str(KERNELS), socket]):
            from classroom.student import main as serve  # reads the environment on import

            serve()


@contextmanager
def running(command: list[str]) -> Iterator[None]:
    """Run a process, and start it again when it ends, as the hub does for its services."""
    ended = Event()
    keeper = Thread(target=_keep_running, args=(command, ended))
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()


def _keep_running(command: list[str], ended: Event) -> None:
    while not ended.is_set():
        with subprocess.Popen(command) as process:
            while not ended.wait(1) and process.poll() is None:
                pass
            process.terminate()


if __name__ == "__main__":
    main()
