"""Build the book into another folder, with the strict options of `make book`."""

import os
import subprocess
import sys
from pathlib import Path

STRICT = ("--warningiserror", "--nitpick", "--keep-going")


def build(source: Path, target: Path, **environment: str) -> Path:
    """Build the book whose _config.yml is in `source`; return the folder of its HTML.

    `environment` has variables that book/site/output/settings.py reads. A warning raises
    CalledProcessError, after Sphinx has printed it.
    """
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [str(jupyter_book), "build", str(source), "--path-output", str(target)]
    subprocess.run([*command, *STRICT, "--quiet"], check=True, env={**os.environ, **environment})
    return target / "_build/html"
