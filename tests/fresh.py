"""Run commands in a virtual environment of its own, as on another machine."""

import os
import subprocess
import venv
from pathlib import Path


class Environment:
    """A new virtual environment, which knows nothing of that of the tests."""

    def __init__(self, place: Path) -> None:
        venv.create(place, with_pip=True)
        self.programs = place / ("Scripts" if os.name == "nt" else "bin")
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.variables = own | {
            "PATH": f"{self.programs}{os.pathsep}{own['PATH']}",
            # If PyTorch's index cannot be reached, pip may be configured with another one that has
            # torch.
            "PIP_RETRIES": "0",
            "PIP_NO_COMPILE": "false",  # means --no-compile: bytecode is created on first import
        }

    def run(self, *command: object, cwd: Path) -> str:
        """Run a command, which must succeed; return what it prints."""
        done = subprocess.run(
            [*map(str, command)], cwd=cwd, env=self.variables, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
