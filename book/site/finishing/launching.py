"""Buttons that open a chapter in Binder or Colab, if `repository:` in _config.yml names one.

The theme has the buttons; the settings come past Jupyter Book, which loses them where a book has
options of the theme of its own. Binder installs what `binder` says, Colab what a reader asks for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config

BINDER, COLAB = "https://mybinder.org", "https://colab.research.google.com"


def offer(app: Sphinx, config: Config) -> None:
    """Let the theme make the buttons; Colab opens what is on GitHub alone."""
    settings = yaml.safe_load(Path(app.confdir, "_config.yml").read_text("utf-8"))
    repository = settings.get("repository") or {}
    if url := repository.get("url"):
        config.html_theme_options |= {
            "repository_url": url,
            "repository_branch": repository.get("branch", "main"),
            "launch_buttons": {
                "notebook_interface": "jupyterlab",
                "binderhub_url": BINDER,
                "colab_url": COLAB if urlsplit(url).netloc == "github.com" else "",
            },
        }


def places(options: dict[str, Any]) -> dict[str, str]:
    """Return which of the two there are, with what each wants first.

    >>> options = {"repository_url": "https://github.com/a/b", "repository_branch": "main"}
    >>> places({**options, "launch_buttons": {"colab_url": COLAB}})["colab"]
    '!pip install git+https://github.com/a/b@main'
    >>> places({})
    {}
    """
    if "repository_url" not in options:
        return {}
    command = "!pip install git+{repository_url}@{repository_branch}".format(**options)
    return {"binder": ""} | ({"colab": command} if options["launch_buttons"]["colab_url"] else {})


def name_in_words(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Leave out the logos, which are other firms'."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if str(button.get("icon")).startswith("_static/images/"):
                del button["icon"]
