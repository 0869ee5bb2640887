"""Buttons that open a chapter in Binder or Colab, if `repository:` in _config.yml names one.

Binder installs what `binder` says, Colab what a reader asks for. Where a host is not known, there
are no buttons: the theme, which has such buttons too, would end the build.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import get_translation

from book.site.finishing import hosting


def read_settings(app: Sphinx, config: Config) -> None:
    """Tell the templates of the repository; past Jupyter Book, which tells the theme alone."""
    settings = yaml.safe_load(Path(app.confdir, "_config.yml").read_text("utf-8"))
    config.html_context["repository"] = hosting.repository(settings.get("repository"))


def places(repository: hosting.Repository | None) -> dict[str, str]:
    """Return where a chapter can be opened, with what each place wants first.

    >>> places(hosting.repository({"url": "https://github.com/a/b"}))["colab"]
    '!pip install git+https://github.com/a/b@main'
    >>> places(None)
    {}
    """
    if repository is None:
        return {}
    command = f"!pip install git+{repository.url}@{repository.branch}"
    return {"binder": ""} | ({"colab": command} if repository.colab("") else {})


def add_buttons(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Put the buttons first in the header of a page that is a notebook."""
    repository = app.config.html_context["repository"]
    if repository is None or context.get("page_source_suffix") != ".ipynb":
        return
    words = get_translation("booktheme")
    notebook = f"{pagename}.ipynb"
    addresses = {"Binder": repository.binder(notebook), "Colab": repository.colab(notebook)}
    buttons = [
        {"type": "link", "text": name, "tooltip": f"{words('Launch on')} {name}", "url": url}
        for name, url in addresses.items()
        if url
    ]
    group = {
        "type": "group",
        "tooltip": words("Launch interactive content"),
        "icon": "fas fa-rocket",
        "buttons": buttons,
        "label": "launch-buttons",
    }
    context["header_buttons"].insert(0, group)
