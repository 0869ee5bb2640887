"""Strip widget views from notebooks without a kernel, and widget state from saved notebooks.

JupyterLab stores a figure's output twice: as a view of a model that only its kernel has, and as
HTML with the same numbers in tables. It would render the view and report a missing model. So a
notebook without a running kernel is sent without views, with a hint above the tables; a notebook
whose kernel still runs, as after a reload, is sent unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

if TYPE_CHECKING:
    from traitlets.config import Config

    def get_config() -> Config: ...


VIEW = "application/vnd.jupyter.widget-view+json"
OURS = re.compile(r'data-(?:figure|exercise)="[^>]* lang="(en|zh)"')  # in the HTML of an output
HINT = {
    "en": "<p><em>To use what stands here, run all cells again.</em></p>",
    "zh": "<p><em>要操作这里的内容，请重新运行全部单元格。</em></p>",
}


class ChapterContents(AsyncLargeFileManager):
    """JupyterLab's contents manager; notebooks without our figures are left alone."""

    async def get(self, path: str, *args: Any, **options: Any) -> dict[str, Any]:
        """Return a file; a chapter without a kernel is returned without widget views."""
        model: dict[str, Any] = await super().get(path, *args, **options)  # type: ignore[no-untyped-call]
        server: Any = self.parent
        if _language(model) and not await server.session_manager.session_exists(path.strip("/")):
            show_without_kernel(model)
        return model

    async def save(self, model: dict[str, Any], path: str = "") -> dict[str, Any]:
        """Save a file; a chapter is saved without our hints and without widget state."""
        if _language(model):
            clean(model)
        saved: dict[str, Any] = await super().save(model, path)  # type: ignore[no-untyped-call]
        return saved


def show_without_kernel(model: dict[str, Any]) -> None:
    """Remove the widget views, and insert a hint before each figure and exercise."""
    hint = HINT[_language(model)]
    for data in _outputs(model):
        view = data.pop(VIEW, None)
        html = _text(data.get("text/html", ""))
        if view or OURS.search(html):
            data["text/html"] = hint + html


def clean(model: dict[str, Any]) -> None:
    """Remove our hints, and the widget state, which contains the widgets' code."""
    model["content"]["metadata"].pop("widgets", None)
    hint = HINT[_language(model)]
    for data in _outputs(model):
        html = _text(data.get("text/html", ""))
        if html == hint:
            del data["text/html"]
        elif html.startswith(hint):
            data["text/html"] = html.removeprefix(hint)


def _language(model: dict[str, Any]) -> str:
    """Return the language of a chapter's figures and exercises; "" if it is no chapter."""
    html = (_text(data.get("text/html", "")) for data in _outputs(model))
    found = (OURS.search(text) for text in html)
    return next((each[1] for each in found if each), "")


def _outputs(model: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the MIME bundles in the outputs of a notebook; none for other files."""
    if model.get("type") == "notebook" and model.get("content"):
        for cell in model["content"]["cells"]:
            for output in cell.get("outputs", []):
                if "data" in output:
                    yield output["data"]


def _text(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


c = get_config()
c.ServerApp.contents_manager_class = ChapterContents
