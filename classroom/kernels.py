"""Fork kernels from one process that has preloaded the chapters' imports.

Run by its path, with the path of a Unix socket. Each connection gets a kernel and is its lifeline:
the kernel is killed when the connection closes, and closes it when it exits. The client sends one
line of JSON: `connection` (Jupyter's connection file), `folder`, and the `environment`.
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

MEMORY_LIMIT = "CLASS_MEMORY"  # environment variable: bytes of memory per kernel
BACKLOG = 200  # simultaneous connections
MODULES = ("torch", "numpy", "matplotlib.pyplot", "ipywidgets", "attention_figures")


def main(socket_path: str) -> None:
    """Import the modules, then fork a kernel for each connection."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # exit without a traceback
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as ipykernel does
    for name in ("ipykernel.kernelapp", "ipykernel.ipkernel", *MODULES):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # otherwise each kernel's first collection would copy shared pages
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reap exited kernels automatically
    with socket.socket(socket.AF_UNIX) as listener:
        Path(socket_path).unlink(missing_ok=True)
        listener.bind(socket_path)
        listener.listen(BACKLOG)
        while True:
            lifeline, _ = listener.accept()
            if not os.fork():
                listener.close()
                _serve(lifeline)
            lifeline.close()


def _serve(lifeline: socket.socket) -> None:
    """Run a kernel until the lifeline closes."""
    os.setsid()
    for stream in (1, 2):  # output of cells is sent as messages
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with lifeline.makefile() as lines:
        request = json.loads(lines.readline())
    _kill_on_close(lifeline)
    os.chdir(request["folder"])
    os.environ.update(request["environment"])
    _reseed()
    resource.setrlimit(resource.RLIMIT_DATA, (int(os.environ[MEMORY_LIMIT]),) * 2)

    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(["-f", request["connection"]])
    os._exit(0)


def _kill_on_close(lifeline: socket.socket) -> None:
    """Let the OS kill this process when the other end closes, even if Python is busy."""
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    try:
        lifeline.recv(1)  # it may already be closed
    except BlockingIOError:
        return
    os._exit(0)


def _reseed() -> None:
    """Reseed all random generators, so that forked kernels differ."""
    random.seed()
    sys.modules["numpy"].random.seed()
    sys.modules["torch"].seed()


if __name__ == "__main__":
    main(sys.argv[1])
