"""Build the book into another folder, as strictly as `make book` does."""

import subprocess
import sys
from pathlib import Path

STRICT = ("--warningiserror", "--nitpick", "--keep-going")


def build(source: Path, target: Path) -> Path:
    """Build the book whose configuration is in `source`; return the folder of its pages.

    Any warning is an error, a CalledProcessError; what is wrong is on the screen by then.
    """
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [str(jupyter_book), "build", str(source), "--path-output", str(target)]
    subprocess.run([*command, *STRICT, "--quiet"], check=True)
    return target / "_build/html"
