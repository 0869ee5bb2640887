"""Start a server with kernels in its own process, as `make serve` does."""

import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests import forked


@dataclass
class Served:
    """A running server, seen by a client."""

    address: str  # as printed, with the token
    process: subprocess.Popen[str]
    private: Path  # where the server makes its own folder
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        """The port of the server."""
        return urlsplit(self.address).port or 0

    @property
    def token(self) -> str:
        """The token that authorises kernel requests."""
        return parse_qs(urlsplit(self.address).query)["token"][0]

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[HTTPResponse, str]:
        """Send a request with no cookies except those in `headers`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, names)
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        return response, text

    def session_headers(self) -> dict[str, str]:
        """Return the headers of a browser that has opened the printed URL."""
        if not self.cookies:
            self._take(self.ask(f"/?token={self.token}")[0])
            self._take(self.ask("/", Cookie=self._cookie())[0])
        return {"Cookie": self._cookie(), "X_XSRFToken": self.cookies["_xsrf"]}

    def _take(self, response: HTTPResponse) -> None:
        for header in response.headers.get_all("Set-Cookie") or ():
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def kernel(self) -> str:
        """Start a kernel, and return its id."""
        started: str = json.loads(
            self.ask("/api/kernels", "POST", "{}", **self.session_headers())[1]
        )["id"]
        return started

    def kernels(self) -> list[str]:
        """Return the ids of the kernels in use."""
        return [
            kernel["id"]
            for kernel in json.loads(self.ask("/api/kernels", **self.session_headers())[1])
        ]


@contextmanager
def served(
    site: Path, port: int = 0, forks: bool = False, program: str = "tests.serving.forked_book"
) -> Iterator[Served]:
    """Serve a site with kernels, as `make serve` does; forked kernels start faster.

    Args:
        site: the built book.
        port: 0 for any.
        forks: whether kernels are forked.
        program: the module that serves with forked kernels.
    """
    # Not pytest's folder: the path of a socket must be short.
    private = Path(tempfile.mkdtemp(prefix="s-"))
    command = [program, json.dumps(forked.kind())] if forks else ["tools.serving"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command, f"--port={port}", f"--site={site}"],
        env={**os.environ, "TMPDIR": str(private)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert "token=" in line, process.communicate()
        yield Served(line.split()[2], process, private)
    finally:
        process.terminate()
        process.communicate(timeout=120)
        shutil.rmtree(private)
