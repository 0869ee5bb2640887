"""Check Python, the virtual environment and permissions before `make` installs anything.

Run by its path with any Python 3.7 or newer: `python3 tools/environment.py .venv`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

OLDEST = (3, 11)


def problem(venv: str) -> str | None:
    """Return a sentence on why the book cannot be set up in this folder, or None.

    Args:
        venv: path of the virtual environment, which may not exist yet.
    """
    here, mine = os.path.abspath(os.path.dirname(venv) or "."), _version(sys.version_info)
    if sys.version_info < OLDEST:
        return (
            f"The book needs Python {_version(OLDEST)} or newer, and {sys.executable} is {mine}: "
            "name a newer one, for example `make serve PYTHON=python3.12`."
        )
    if not os.access(here, os.W_OK):
        return f"You may not write in {here}: clone the book into a folder of your own."
    if os.path.exists(venv):
        made = _made_with(venv)
        if made != mine:
            return (
                f"{venv} was made with Python {made or 'of an unknown version'}, and "
                f"{sys.executable} is {mine}: remove the folder with `make clean`, then run make "
                "again."
            )
    elif importlib.util.find_spec("ensurepip") is None:
        return (
            f"This Python cannot make virtual environments: install them first, "
            f"on Debian and Ubuntu with `apt install python{mine}-venv`."
        )
    return None


def _made_with(venv: str) -> str | None:
    """Return the version of Python that a virtual environment was made with, such as `3.11`."""
    try:
        with open(os.path.join(venv, "pyvenv.cfg"), encoding="utf-8") as file:
            found = re.search(r"^version\w* *= *(\d+\.\d+)", file.read(), re.MULTILINE)
    except OSError:
        return None
    return found and found.group(1)


def _version(parts: Sequence[object]) -> str:
    return ".".join(map(str, parts[:2]))


if __name__ == "__main__":
    sys.exit(problem(sys.argv[1]))
