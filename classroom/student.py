"""One reader's server, which the hub starts: the book, kernels, and what this reader has done."""

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

from tools.serving.application import KernelServer, kernels_alone
from tools.serving.site import Page, add_site
from tools.serving.spare import OneKind, SpareKernels

ASK = str(Path(__file__).with_name("ask_for_kernel.py"))
LARGEST = 200_000  # bytes of what a reader has done
PROGRESS = "progress.json"


class ForkedKind(OneKind):
    """Knows the forked kernel alone; it is interrupted by a message, as it is no child of ours."""

    command: ClassVar = [sys.executable, "-I", "-S", ASK, os.environ.get("CLASS_KERNELS", "")]
    argument = "{connection_file}"
    interrupt_mode = "message"


class ForkedKernels(SpareKernels):
    """Starts a kernel when it is asked for: a forked one is there at once."""

    def prepare(self) -> None:
        """Keep none in reserve."""


class BookPage(Page):
    """A page of the book, for this reader."""

    others = (*Page.others, "oauth_callback", "logout", "progress")

    def check_xsrf_cookie(self) -> None:
        """Ask for no second proof: pages are only read, and search fetches them."""

    async def get(self, path: str, include_body: bool = True) -> None:
        """Answer GET, or lead to the login."""
        if self.current_user:
            await super().get(path, include_body)
        else:
            self.redirect(self.get_login_url())

    def attributes(self) -> str:
        """Tell pages also whose they are, so that each reader's things stay apart."""
        return f'{super().attributes()} data-reader="{escape(self.base_url)}"'


class Progress(APIHandler):
    """What this reader has done, as the pages keep it."""

    @property
    def _file(self) -> Path:
        return Path.home() / PROGRESS

    @authenticated
    def get(self) -> None:
        """Answer with what was stored last."""
        self.finish(self._file.read_bytes() if self._file.exists() else b"{}")

    @authenticated
    def put(self) -> None:
        """Store a JSON object, whole or not at all."""
        done: Any = None
        with suppress(ValueError, RecursionError):
            done = json.loads(self.request.body)
        if not isinstance(done, dict) or len(self.request.body) > LARGEST:
            raise HTTPError(400, f"expected a JSON object of at most {LARGEST} bytes")
        with NamedTemporaryFile("w", dir=self._file.parent, delete=False) as file:
            json.dump(done, file)
        os.replace(file.name, self._file)
        self.set_status(204)


class Student(JupyterHubSingleUser):
    """The hub's extension, on a server of kernels alone."""

    serverapp_class = KernelServer
    load_other_extensions = False

    @default("log_level")
    def _log_level_default(self) -> int:
        return logging.ERROR

    @classmethod
    def make_serverapp(cls, **given: Any) -> Any:
        """Make the server, with the settings that every server of ours has."""
        settings = kernels_alone(Path.home() / "work")
        settings.KernelServer.merge(
            Config(kernel_manager_class=ForkedKernels, kernel_spec_manager_class=ForkedKind)
        )
        return super().make_serverapp(config=settings, **given)  # type: ignore[no-untyped-call]

    def initialize(self, args: Any = None) -> None:
        """Add the book and this reader's progress."""
        super().initialize(args)
        app = self.serverapp
        assert app
        app.web_app.add_handlers(".*$", [(url_path_join(app.base_url, "progress"), Progress)])
        add_site(app, Path(os.environ["CLASS_SITE"]), BookPage)


def main() -> None:
    """Serve until the hub says so."""
    (Path.home() / "work").mkdir(exist_ok=True)
    Student.launch_instance()  # type: ignore[no-untyped-call]
