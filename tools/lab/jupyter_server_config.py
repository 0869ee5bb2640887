"""Let JupyterLab show a chapter whose kernel has ended, and keep its widgets' code out of the file.

JupyterLab stores what a figure showed twice: as a view of a model that only its kernel has, and as
HTML with the same numbers in tables. It would show the view, and say that there is no model. So a
chapter without a kernel is sent without its views, and says beside the tables what to do; one whose
kernel still runs, as after a reload, is sent as it is.
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
SAY = {
    "en": "<p><em>To use what stands here, run all cells again.</em></p>",
    "zh": "<p><em>要操作这里的内容，请重新运行全部单元格。</em></p>",
}


class Chapters(AsyncLargeFileManager):
    """What reads and writes files for JupyterLab; notebooks without our figures are left alone."""

    async def get(self, path: str, *args: Any, **options: Any) -> dict[str, Any]:
        """Send a file; without its views if it is a chapter that has no kernel."""
        model: dict[str, Any] = await super().get(path, *args, **options)  # type: ignore[no-untyped-call]
        server: Any = self.parent
        if _language(model) and not await server.session_manager.session_exists(path.strip("/")):
            show_without_kernel(model)
        return model

    async def save(self, model: dict[str, Any], path: str = "") -> dict[str, Any]:
        """Store a file; a chapter without what `get` has added, and without its widgets' code."""
        if _language(model):
            clean(model)
        saved: dict[str, Any] = await super().save(model, path)  # type: ignore[no-untyped-call]
        return saved


def show_without_kernel(model: dict[str, Any]) -> None:
    """Drop the views, and say at each, and at each figure and exercise, what brings it alive."""
    say = SAY[_language(model)]
    for data in _outputs(model):
        view = data.pop(VIEW, None)
        html = _text(data.get("text/html", ""))
        if view or OURS.search(html):
            data["text/html"] = say + html


def clean(model: dict[str, Any]) -> None:
    """Take back what was said, and drop the state of widgets, which holds their code."""
    model["content"]["metadata"].pop("widgets", None)
    say = SAY[_language(model)]
    for data in _outputs(model):
        html = _text(data.get("text/html", ""))
        if html == say:
            del data["text/html"]
        elif html.startswith(say):
            data["text/html"] = html.removeprefix(say)


def _language(model: dict[str, Any]) -> str:
    """Return the language of a chapter's figures and exercises; nothing if it is no chapter."""
    html = (_text(data.get("text/html", "")) for data in _outputs(model))
    found = (OURS.search(text) for text in html)
    return next((each[1] for each in found if each), "")


def _outputs(model: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the outputs of a notebook show; nothing of another file, or without content."""
    if model.get("type") == "notebook" and model.get("content"):
        for cell in model["content"]["cells"]:
            for output in cell.get("outputs", []):
                if "data" in output:
                    yield output["data"]


def _text(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


c = get_config()
c.ServerApp.contents_manager_class = Chapters
