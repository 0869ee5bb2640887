"""Run JupyterLab as readers do: its own server, a copy of the book, a page in Chromium."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.forked import install
from tools.notebooks import BOOK

SETTINGS = BOOK.parent / "tools/lab"  # those of `make lab`
QUIET = {
    "disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}
}  # requests the web
OPTIONS = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--expose-app-in-browser"]
PATIENCE = 120  # seconds for starting or stopping; the machine may be busy with other tests
NOTEBOOK = "const panel = window.jupyterapp.shell.currentWidget, notebook = panel.content;"


@contextmanager
def served_book(folder: Path) -> Iterator[str]:
    """Serve a copy of the book from `folder`, without the settings of this machine's user.

    Yields:
        The server's URL, with a token that is appended to the URL of a page.
    """
    shutil.copytree(BOOK, folder / "book")
    install(folder / "forked")
    (folder / "config/labconfig").mkdir(parents=True)
    (folder / "config/labconfig/page_config.json").write_text(json.dumps(QUIET))
    own = {name: str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment = {
        **os.environ,
        **{f"JUPYTER_{name}_DIR": path for name, path in own.items()},
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_CONFIG_PATH": str(SETTINGS),
        "JUPYTER_PATH": str(folder / "forked"),
    }
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--notebook-dir={folder / 'book'}"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield _address(server, folder)
    finally:
        server.terminate()  # the server stops its kernels
        server.wait(PATIENCE)


def _address(server: subprocess.Popen[bytes], folder: Path) -> str:
    until = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < until:
        for file in (folder / "runtime").glob("jpserver-*.json"):
            if text := file.read_text():  # the file exists a moment before its content
                info = json.loads(text)
                # reset: close notebooks that an earlier page left open
                return f"{info['url']}lab/tree/{{}}?reset&token={info['token']}"
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab has no address:\n{(folder / 'log').read_text()}")


class Notebook:
    """An open notebook in a JupyterLab page."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.goto(url)
        self._wait_for_its_kernel()

    def reload(self) -> None:
        """Reload the page, after which JupyterLab opens the notebook again."""
        self.page.reload()
        self._wait_for_its_kernel()

    def open_instead(self, path: str) -> None:
        """Open another notebook in this JupyterLab; close the current one with its kernel."""
        self.page.evaluate(
            """async (path) => {
              const { commands, shell } = window.jupyterapp;
              const before = shell.currentWidget;
              before.context.model.dirty = false;  // or it asks whether to save it
              await before.sessionContext.shutdown();
              before.close();
              await commands.execute("docmanager:open", { path, factory: "Notebook" });
            }""",
            path,
        )
        self.page.wait_for_function(
            "(path) => window.jupyterapp.shell.currentWidget?.context?.path === path", arg=path
        )
        self._wait_for_its_kernel()

    def _wait_for_its_kernel(self) -> None:
        self.page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget"
            "?.sessionContext?.session?.kernel?.status === 'idle'",
            timeout=120_000,  # its first start, on a busy machine
        )

    def run_all(self) -> list[str]:
        """Run every cell, and return the exceptions."""
        found: list[str] = self.page.evaluate(
            f"""async () => {{
              await window.jupyterapp.commands.execute("notebook:run-all-cells");
              {NOTEBOOK}
              return [...notebook.model.cells].flatMap((cell) => cell.outputs?.toJSON() ?? [])
                .filter((output) => output.output_type === "error").map((output) => output.evalue);
            }}"""
        )
        return found

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel, and return its output or exception."""
        said: str = self.page.evaluate(
            f"""async (code) => {{
              {NOTEBOOK}
              const request = panel.sessionContext.session.kernel.requestExecute({{ code }});
              let said = "";
              request.onIOPub = ({{ content: {{ text, evalue }} }}) => {{
                said += text ?? evalue ?? "";
              }};
              await request.done;
              return said.trim();
            }}""",
            code,
        )
        return said

    def cell(self, name: str) -> Locator:
        """Scroll to the cell with this id, because JupyterLab renders only what is in view."""
        index = self.page.evaluate(
            f"""async (name) => {{
              {NOTEBOOK}
              const index = notebook.widgets.findIndex((cell) => cell.model.id === name);
              await notebook.scrollToItem(index, "start");
              return index;
            }}""",
            name,
        )
        return self.page.locator(f'.jp-Notebook [data-windowed-list-index="{index}"]')
