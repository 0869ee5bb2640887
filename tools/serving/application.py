"""Run a Jupyter server reduced to kernels and static pages."""

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

from tools.serving.site import HEADERS, Page, add_site
from tools.serving.spare import NAME, SingleKernelSpec, SpareKernels

IDLE_TIMEOUT = 20 * 60  # seconds after which a kernel without a connected page is culled
SHUTDOWN_TIMEOUT = 6  # seconds for shutting down kernels when the server stops
MAX_BYTES = 10_000_000  # bytes of a request, such as a cell or a widget's state


class NoContents(AsyncContentsManager):
    """Disables file access: nothing can be listed, read or written, also not under /files."""

    def get_extra_handlers(self) -> list[Any]:
        """Add none."""
        return []


class KernelServer(ServerApp):
    """Jupyter Server with the kernel services only."""

    default_services = ("kernels",)  # type: ignore[assignment]  # a tuple of another length

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """Ignore the Jupyter configuration of the user and the machine."""

    def init_logging(self) -> None:
        """Redact tokens in logs: Tornado logs the full URL of a failed request."""
        super().init_logging()
        for handler in self.log.handlers:
            handler.setFormatter(TokenRedactingFormatter(handler.formatter))

    async def _stop(self) -> None:
        """Stop even if the clean-up fails or hangs: kernels exit when their server is gone."""
        try:
            await asyncio.wait_for(self._cleanup(), SHUTDOWN_TIMEOUT)
        except Exception as error:  # such as a deleted folder or a full disk
            self.log.error("The server stopped without cleaning up: %r", error)
        finally:
            self.io_loop.stop()


class TokenRedactingFormatter(logging.Formatter):
    """Wraps a formatter and redacts the value of `token=`.

    >>> record = logging.makeLogRecord({"msg": "GET /x?a=1&token=5ecret&b=2 failed"})
    >>> TokenRedactingFormatter(None).format(record)
    'GET /x?a=1&token=[hidden]&b=2 failed'
    """

    def __init__(self, inner: logging.Formatter | None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """Return the redacted text of a record."""
        return re.sub(r"(token=)[^&\s'\"]+", r"\1[hidden]", self._inner.format(record))


class BookServer(KernelServer):
    """The server of `make serve`, for one reader, with a token in the URL."""

    name = "book"
    page: type[Page] = Page  # the handler of its pages

    @property
    def address(self) -> str:
        """The URL of the book, with the token."""
        return f"{self.connection_url}?token={self.identity_provider.token}"

    kernel_manager: SpareKernels

    def init_signal(self) -> None:
        """Shut down on Ctrl+C also without a terminal, and on SIGHUP (a closed terminal)."""
        super().init_signal()
        for name in {"SIGINT", "SIGHUP"} & set(signal.Signals.__members__):
            signal.signal(signal.Signals[name], self._handle_sigint)

    def _handle_sigint(self, sig: Any, frame: Any) -> None:
        """Stop without asking for confirmation."""
        self.stop(from_signal=True)

    _signal_stop = _handle_sigint

    async def _post_start(self) -> None:
        """Print the URL once the server listens, and start the spare kernel."""
        await super()._post_start()  # type: ignore[no-untyped-call]
        self.announce()
        self.kernel_manager.prepare()

    def announce(self) -> None:
        """Print the URL."""
        print(f"The book: {self.address}  (Ctrl+C stops)", flush=True)


def is_loopback(ip: str) -> bool:
    """Return whether an address is only reachable from this machine.

    >>> [is_loopback(ip) for ip in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "", "example.org")]
    [True, True, True, False, False, False]
    """
    try:
        return ip == "localhost" or ip_address(ip).is_loopback
    except ValueError:
        return False


@contextmanager
def book_server(
    folder: Path,
    ip: str = "127.0.0.1",
    port: int = 8000,
    kind: type[BookServer] = BookServer,
) -> Iterator[BookServer]:
    """Set up a server of the site in `folder`; the caller starts it.

    Its files are in a private temporary folder. If the port is taken, it uses another.

    Args:
        folder: the built site.
        ip: the address to listen on.
        port: the port.
        kind: the class of the server.
    """
    with TemporaryDirectory(prefix="book-", ignore_cleanup_errors=True) as private:
        os.environ.update(jupyter_directories(private))
        work = Path(private, "work")  # working directory of the kernels
        work.mkdir()
        app = kind.instance(config=_settings(ip, port, work))
        app.no_browser_open_file = True
        app.initialize([], find_extensions=False)
        add_site(app, folder, kind.page)
        try:
            yield app
        finally:
            kind.clear_instance()


def jupyter_directories(private: str) -> dict[str, str]:
    """Return environment variables that make Jupyter keep its files in one folder.

    >>> jupyter_directories("/private")["JUPYTER_RUNTIME_DIR"]
    '/private/r'
    """
    short = {
        "CONFIG_DIR": "c",
        "DATA_DIR": "d",
        "RUNTIME_DIR": "r",
    }  # paths of sockets must be short
    jupyter = {
        f"JUPYTER_{name}": os.path.join(private, short_name) for name, short_name in short.items()
    }
    return {**jupyter, "IPYTHONDIR": os.path.join(private, "i")}


def kernel_settings(work: Path) -> Config:
    """Return the settings of all our servers, without those for authentication."""
    settings = Config()
    settings.KernelServer = Config(
        open_browser=False,
        allow_root=True,  # containers run as root; access needs the token
        allow_unauthenticated_access=False,
        log_level="ERROR",  # refused requests may contain escape sequences
        max_body_size=MAX_BYTES,
        root_dir=str(work),
        terminals_enabled=False,
        contents_manager_class=NoContents,
        kernel_manager_class=SpareKernels,
        kernel_spec_manager_class=SingleKernelSpec,
        tornado_settings={"headers": HEADERS, "websocket_max_message_size": MAX_BYTES},
    )
    settings.SpareKernels = Config(
        cull_idle_timeout=IDLE_TIMEOUT, cull_interval=60, default_kernel_name=NAME
    )
    settings.KernelRestarter = Config(time_to_dead=1.0)
    if os.name == "posix":  # sockets in the private folder instead of open ports
        settings.KernelManager = Config(transport="ipc")
    return settings


def _settings(ip: str, port: int, work: Path) -> Config:
    settings = kernel_settings(work)
    settings.BookServer = Config(
        ip=ip,
        port=port,
        allow_remote_access=not is_loopback(ip),
        cookie_secret=secrets.token_bytes(32),  # per run: old cookies are invalid
    )
    settings.IdentityProvider = Config(
        token=secrets.token_hex(24), cookie_options={"samesite": "Strict"}
    )
    return settings
