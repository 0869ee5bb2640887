"""A Jupyter server of kernels and pages, and of nothing else."""

import asyncio
import logging
import os
import re
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.manager import AsyncContentsManager
from traitlets.config import Config

from tools.serving.site import HEADERS, add_site
from tools.serving.spare import NAME, OneKind, SpareKernels

IDLE = 20 * 60  # seconds after which a kernel ends that no page is connected to
CLEAN_UP = 6  # seconds that ending the kernels may take when the server stops
LARGEST = 10_000_000  # bytes of a request: a cell, or what a widget holds


class NoContents(AsyncContentsManager):
    """No files: not to be listed, read or written, also not under /files."""

    def get_extra_handlers(self) -> list[Any]:
        """Add none."""
        return []


class KernelServer(ServerApp):
    """Jupyter Server with its kernels alone."""

    default_services = ("kernels",)  # type: ignore[assignment]  # of another length

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """Read none: neither the reader's own Jupyter nor the machine's is meant."""

    def init_logging(self) -> None:
        """Log no token: Tornado prints the whole URL of a request that fails."""
        super().init_logging()
        for handler in self.log.handlers:
            handler.setFormatter(WithoutTokens(handler.formatter))

    async def _stop(self) -> None:
        """Stop even if the clean-up fails or hangs: kernels end by themselves with their server."""
        try:
            await asyncio.wait_for(self._cleanup(), CLEAN_UP)
        except Exception as error:  # for instance a folder that is gone, or a full disk
            self.log.error("The server stopped without cleaning up: %r", error)
        finally:
            self.io_loop.stop()


class WithoutTokens(logging.Formatter):
    """Formats as another formatter does, and hides the value of `token=` in what it returns.

    >>> record = logging.makeLogRecord({"msg": "GET /x?a=1&token=5ecret&b=2 failed"})
    >>> WithoutTokens(None).format(record)
    'GET /x?a=1&token=[hidden]&b=2 failed'
    """

    def __init__(self, inner: logging.Formatter | None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return re.sub(r"(token=)[^&\s'\"]+", r"\1[hidden]", self._inner.format(record))


class BookServer(KernelServer):
    """One for who starts it, with a token in the address."""

    name = "book"

    @property
    def address(self) -> str:
        """Where the book is, with the token that opens its kernels."""
        return f"{self.connection_url}?token={self.identity_provider.token}"

    kernel_manager: SpareKernels

    def init_signal(self) -> None:
        """End with all kernels at Ctrl+C, which the base class does at a terminal alone.

        A terminal that is closed sends SIGHUP, where the system has it.
        """
        super().init_signal()
        for name in {"SIGINT", "SIGHUP"} & set(signal.Signals.__members__):
            signal.signal(signal.Signals[name], self._handle_sigint)

    def _handle_sigint(self, sig: Any, frame: Any) -> None:
        """Stop at once: there is nothing to lose that a question would save."""
        self.stop(from_signal=True)

    _signal_stop = _handle_sigint

    async def _post_start(self) -> None:
        """Say where the book is, now that it listens, and start the spare kernel."""
        await super()._post_start()  # type: ignore[no-untyped-call]
        print(f"The book: {self.address}  (Ctrl+C stops)", flush=True)
        self.kernel_manager.prepare()


def is_loopback(ip: str) -> bool:
    """Tell whether an address can only be reached from this machine.

    >>> [is_loopback(ip) for ip in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "", "example.org")]
    [True, True, True, False, False, False]
    """
    try:
        return ip == "localhost" or ip_address(ip).is_loopback
    except ValueError:
        return False


@contextmanager
def book_server(folder: Path, ip: str = "127.0.0.1", port: int = 8000) -> Iterator[BookServer]:
    """Prepare a server of the site in `folder`; the caller starts it.

    Its files are in a folder of this user alone, which goes when it ends. If the port is taken, it
    looks for another.
    """
    with TemporaryDirectory(prefix="book-", ignore_cleanup_errors=True) as private:
        os.environ.update(folders(private))
        work = Path(private, "work")  # of the kernels
        work.mkdir()
        app = BookServer.instance(config=_settings(ip, port, work))
        app.no_browser_open_file = True
        app.initialize([], find_extensions=False)
        add_site(app, folder)
        try:
            yield app
        finally:
            BookServer.clear_instance()


def folders(private: str) -> dict[str, str]:
    """Return the environment in which Jupyter keeps its files in one folder.

    >>> folders("/private")["JUPYTER_RUNTIME_DIR"]
    '/private/r'
    """
    short = {"CONFIG_DIR": "c", "DATA_DIR": "d", "RUNTIME_DIR": "r"}  # sockets have short names
    jupyter = {f"JUPYTER_{name}": os.path.join(private, here) for name, here in short.items()}
    return {**jupyter, "IPYTHONDIR": os.path.join(private, "i")}


def kernels_alone(work: Path) -> Config:
    """Return what a server of kernels is told, whoever it lets in."""
    settings = Config()
    settings.KernelServer = Config(
        open_browser=False,
        allow_root=True,  # a container's reader; beyond this machine nobody gets without the token
        allow_unauthenticated_access=False,
        log_level="ERROR",  # our own faults: what is refused may hold anything, for a terminal too
        max_body_size=LARGEST,
        root_dir=str(work),
        terminals_enabled=False,
        contents_manager_class=NoContents,
        kernel_manager_class=SpareKernels,
        kernel_spec_manager_class=OneKind,
        tornado_settings={"headers": HEADERS, "websocket_max_message_size": LARGEST},
    )
    settings.SpareKernels = Config(
        cull_idle_timeout=IDLE, cull_interval=60, default_kernel_name=NAME
    )
    settings.KernelRestarter = Config(time_to_dead=1.0)
    if os.name == "posix":  # sockets in the private folder, instead of ports for everybody
        settings.KernelManager = Config(transport="ipc")
    return settings


def _settings(ip: str, port: int, work: Path) -> Config:
    settings = kernels_alone(work)
    settings.BookServer = Config(
        ip=ip,
        port=port,
        allow_remote_access=not is_loopback(ip),
        cookie_secret=secrets.token_bytes(32),  # of this run: old cookies open nothing
    )
    settings.IdentityProvider = Config(
        token=secrets.token_hex(24), cookie_options={"samesite": "Strict"}
    )
    return settings
