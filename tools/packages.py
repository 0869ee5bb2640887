"""List the packages of the distribution: the library, the figures and the course."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES: tuple[str, ...] = tuple(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
