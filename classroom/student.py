"""Run one reader's server, started by the hub: the book, kernels and the reader's progress."""

import json
import logging
import os
import sys
from contextlib import suppress
from html import escape
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, ClassVar

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from jupyterhub.singleuser.extension import JupyterHubSingleUser
from tornado.web import HTTPError, authenticated
from traitlets import default
from traitlets.config import Config

from tools.serving.application import KernelServer, kernel_settings
from tools.serving.site import Page, add_site
from tools.serving.spare import SingleKernelSpec, SpareKernels

ASK_FOR_KERNEL = str(Path(__file__).with_name("ask_for_kernel.py"))
MAX_BYTES = 200_000  # bytes of a progress record
PROGRESS = "progress.json"


class ForkedKernelSpec(SingleKernelSpec):
    """Offers only the forked kernel, which is no child process and so is interrupted by message."""

    command: ClassVar = [
        sys.executable,
        "-I",
        "-S",
        ASK_FOR_KERNEL,
        os.environ.get("CLASS_KERNELS", ""),
    ]
    argument = "{connection_file}"
    interrupt_mode = "message"


class ForkedKernels(SpareKernels):
    """Starts kernels on request: forking is fast, so no spare is needed."""

    def prepare(self) -> None:
        """Start no spare kernel."""


class BookPage(Page):
    """A page of the book, only for this reader."""

    excluded_paths = (*Page.excluded_paths, "oauth_callback", "logout", "progress")

    def check_xsrf_cookie(self) -> None:
        """Skip the XSRF check: pages are only read, and search fetches them."""

    async def get(self, path: str, include_body: bool = True) -> None:
        """Answer GET, or redirect to the login."""
        if self.current_user:
            await super().get(path, include_body)
        else:
            self.redirect(self.get_login_url())

    def attributes(self) -> str:
        """Add the reader's prefix, which keeps the storage of readers apart."""
        return f'{super().attributes()} data-reader="{escape(self.base_url)}"'


class Progress(APIHandler):
    """Stores the progress record that the pages upload."""

    @property
    def _file(self) -> Path:
        return Path.home() / PROGRESS

    @authenticated
    def get(self) -> None:
        """Return the stored record."""
        self.finish(self._file.read_bytes() if self._file.exists() else b"{}")

    @authenticated
    def put(self) -> None:
        """Store a JSON object atomically."""
        record: Any = None
        with suppress(ValueError, RecursionError):
            record = json.loads(self.request.body)
        if not isinstance(record, dict) or len(self.request.body) > MAX_BYTES:
            raise HTTPError(400, f"expected a JSON object of at most {MAX_BYTES} bytes")
        with NamedTemporaryFile("w", dir=self._file.parent, delete=False) as file:
            json.dump(record, file)
        os.replace(file.name, self._file)
        self.set_status(204)


class Student(JupyterHubSingleUser):
    """JupyterHub's single-user extension on our reduced server."""

    serverapp_class = KernelServer
    load_other_extensions = False

    @default("log_level")
    def _log_level_default(self) -> int:
        return logging.ERROR

    @classmethod
    def make_serverapp(cls, **given: Any) -> Any:
        """Create the server with our common settings."""
        settings = kernel_settings(Path.home() / "work")
        settings.KernelServer.merge(
            Config(kernel_manager_class=ForkedKernels, kernel_spec_manager_class=ForkedKernelSpec)
        )
        return super().make_serverapp(config=settings, **given)  # type: ignore[no-untyped-call]

    def initialize(self, args: Any = None) -> None:
        """Add the handlers for the book and the progress record."""
        super().initialize(args)
        app = self.serverapp
        assert app
        app.web_app.add_handlers(".*$", [(url_path_join(app.base_url, "progress"), Progress)])
        add_site(app, Path(os.environ["CLASS_SITE"]), BookPage)


def main() -> None:
    """Serve until the hub stops it."""
    (Path.home() / "work").mkdir(exist_ok=True)
    Student.launch_instance()  # type: ignore[no-untyped-call]
