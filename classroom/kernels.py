"""Forks kernels from one process that has loaded what the chapters import.

Run by its path, with that of a Unix socket. Who connects gets a kernel, whose life the connection
is: the kernel ends when it is closed, and closes it when it ends. It is asked for by one line of
JSON: `connection` (Jupyter's connection file), `folder`, and the `environment`.
"""

import fcntl
import gc
import importlib
import json
import os
import random
import resource
import signal
import socket
import sys
from pathlib import Path

LIMIT = "CLASS_MEMORY"  # bytes that a kernel may take, in the environment
READERS = 200  # that may ask at once
MODULES = ("torch", "numpy", "matplotlib.pyplot", "ipywidgets", "attention_figures")


def main(place: str) -> None:
    """Load the modules, then fork for everybody who connects."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that it ends without a word
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as ipykernel does
    for name in ("ipykernel.kernelapp", "ipykernel.ipkernel", *MODULES):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # or the first collection of each kernel would copy what they share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the kernels that have ended
    with socket.socket(socket.AF_UNIX) as door:
        Path(place).unlink(missing_ok=True)
        door.bind(place)
        door.listen(READERS)
        while True:
            life, _ = door.accept()
            if not os.fork():
                door.close()
                _serve(life)
            life.close()


def _serve(life: socket.socket) -> None:
    """Be a kernel until `life` ends."""
    os.setsid()
    for stream in (1, 2):  # what a cell prints comes as a message
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with life.makefile() as lines:
        asked = json.loads(lines.readline())
    _end_with(life)
    os.chdir(asked["folder"])
    os.environ.update(asked["environment"])
    _reseed()
    resource.setrlimit(resource.RLIMIT_DATA, (int(os.environ[LIMIT]),) * 2)

    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(["-f", asked["connection"]])
    os._exit(0)


def _end_with(life: socket.socket) -> None:
    """Let the system kill this process when the other end closes, whatever Python is doing."""
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    try:
        life.recv(1)  # it may have closed just before
    except BlockingIOError:
        return
    os._exit(0)


def _reseed() -> None:
    """Draw other random numbers than the kernels that are forked from the same process."""
    random.seed()
    sys.modules["numpy"].random.seed()
    sys.modules["torch"].seed()


if __name__ == "__main__":
    main(sys.argv[1])
