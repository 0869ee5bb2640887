"""Start a Python kernel with the chapters' imports preloaded, so that the first cell runs fast.

Run as a script by its path, so that the project need not be on sys.path.
"""

import contextlib
import importlib

from ipykernel.kernelapp import IPKernelApp

MODULES = ("torch", "matplotlib.pyplot", "ipywidgets", "attention_figures")


def main() -> None:
    """Import the modules once IPython has chosen the matplotlib backend, then serve."""
    app = IPKernelApp.instance()
    app.initialize()
    for name in MODULES:
        with contextlib.suppress(ImportError):  # the cell that needs it reports the error
            importlib.import_module(name)
    app.start()


if __name__ == "__main__":
    main()
