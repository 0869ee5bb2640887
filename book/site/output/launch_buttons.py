"""Add launch buttons for Binder and Colab, if `repository:` in _config.yml names a known host.

Binder installs from the folder `binder`; in Colab readers install the library themselves. For an
unknown host there are no buttons: the theme's own launch buttons would fail the build.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx
from sphinx.locale import get_translation

from book.site.output import hosting


def launchers(repository: hosting.Repository | None) -> dict[str, str]:
    """Return the enabled launchers and the setup command each needs.

    >>> launchers(hosting.repository({"url": "https://github.com/a/b"}))["colab"]
    '!pip install git+https://github.com/a/b@main'
    >>> launchers(None)
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
    gettext = get_translation("booktheme")
    notebook = f"{pagename}.ipynb"
    addresses = {"Binder": repository.binder(notebook), "Colab": repository.colab(notebook)}
    buttons = [
        {"type": "link", "text": name, "tooltip": f"{gettext('Launch on')} {name}", "url": url}
        for name, url in addresses.items()
        if url
    ]
    group = {
        "type": "group",
        "tooltip": gettext("Launch interactive content"),
        "icon": "fas fa-rocket",
        "buttons": buttons,
        "label": "launch-buttons",
    }
    context["header_buttons"].insert(0, group)
