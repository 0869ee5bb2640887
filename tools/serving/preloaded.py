"""A Python kernel that has loaded what the chapters import, so that the first cell does not wait.

Run as a script by its path, so that it needs no package on Python's path.
"""

import contextlib
import importlib

from ipykernel.kernelapp import IPKernelApp

MODULES = ("torch", "matplotlib.pyplot", "ipywidgets", "attention_figures")


def main() -> None:
    """Load the modules once IPython has settled how pictures are shown, then serve."""
    app = IPKernelApp.instance()
    app.initialize()
    for name in MODULES:
        with contextlib.suppress(ImportError):  # the cell that wants it will say so
            importlib.import_module(name)
    app.start()


if __name__ == "__main__":
    main()
