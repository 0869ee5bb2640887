"""Serve the built book without a kernel (localhost unless you pass --ip)."""

import argparse
import asyncio
import mimetypes
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError, StaticFileHandler

from tools.ports import refusal

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build/html"
LOCAL = "127.0.0.1"
USUAL_PORT = 8000
BACKLOG = 1024  # simultaneous connections
CLIENT_TIMEOUT = 60  # seconds before a silent or slow client is disconnected

HOME = {"en": "To the book", "zh-CN": "回到本书"}
NO_PAGE = {"en": "There is no such page.", "zh-CN": "这个页面不存在。"}
REFUSAL = {
    "en": "This server only gives out the pages of the book.",
    "zh-CN": "这里只提供本书的页面，不能处理这样的请求。",
}
PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/_static/favicon.svg">
<title>{title}</title>
<body style="max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1.125rem system-ui">
{body}
"""
PARAGRAPH = '<p lang="{lang}">{sentence}<br><a href="/">{home}</a></p>'


class File(StaticFileHandler):
    """Serve a file of the site, or an error page.

    The file is read as a whole, not in chunks: a build may rewrite it meanwhile.
    """

    content = b""

    async def get(self, path: str, include_body: bool = True) -> None:
        """Answer GET, and HEAD without the body."""
        try:
            await super().get(path, include_body)
        except (OSError, ValueError) as error:  # the file was just deleted, or the name is invalid
            raise HTTPError(404) from error

    def find(self, path: str) -> str | None:
        """Return the file at a URL's path, or None after a redirect to its folder.

        Raises:
            HTTPError: the site has no such file.
        """
        try:
            self.path = self.parse_url_path(path)
            file = self.get_absolute_path(self.root, self.path)
            return self.validate_absolute_path(self.root, file)
        except (OSError, ValueError) as error:
            raise HTTPError(404) from error

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Find and read the file; raise HTTPError if there is none within the folder.

        A trailing slash (`page.html/`) is refused: relative URLs in the page would break.
        """
        if self.request.path.endswith("/") and os.path.isfile(absolute_path):
            raise HTTPError(404)
        found = super().validate_absolute_path(root, absolute_path)
        if found is not None:
            self.content = Path(found).read_bytes()
        return found

    def get_content_size(self) -> int:
        """Return the size of the content."""
        return len(self.content)

    def get_content(  # type: ignore[override]  # a class method there
        self, abspath: str, start: int | None = None, end: int | None = None
    ) -> bytes:
        """Return a range of the content."""
        return self.content[start:end]

    def compute_etag(self) -> str:
        """Return a hash of the content; Tornado's own is cached across builds."""
        return f'"{sha256(self.content).hexdigest()}"'

    def get_cache_time(self, *args: object) -> int:
        """Return 0: caches must revalidate, since the site may be rebuilt."""
        return 0

    def set_extra_headers(self, path: str) -> None:
        """Set Cache-Control: without it, browsers guess."""
        self.set_header("Cache-Control", "no-cache")

    def log_exception(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Log only our own errors: refused requests may contain escape sequences."""
        if not isinstance(error, HTTPError):
            super().log_exception(kind, error, trace)

    def write_error(self, status_code: int, **_: object) -> None:
        """Send an error page in the language of the URL, or in both languages."""
        if status_code == 405:
            self.set_header("Allow", "GET, HEAD")
        messages = NO_PAGE if status_code in (403, 404) else REFUSAL
        languages = [
            lang for lang in messages if f"/book/{lang[:2]}/" in self.request.path
        ] or list(messages)
        body = "\n".join(
            PARAGRAPH.format(lang=lang, sentence=messages[lang], home=HOME[lang])
            for lang in languages
        )
        self.finish(PAGE.format(lang=languages[0], title=messages[languages[0]], body=body))


@contextmanager
def server(folder: Path, port: int = USUAL_PORT, ip: str = LOCAL) -> Iterator[str]:
    """Serve `folder` at an address, on a free port if `port` is taken; yield the URL.

    The URL has no trailing slash.
    """
    # The Windows registry may map .js to another type; then browsers refuse to run modules.
    mimetypes.add_type("text/javascript", ".js")
    try:
        listener = socket.create_server((ip, port), backlog=BACKLOG)
    except OSError:
        listener = socket.create_server((ip, 0), backlog=BACKLOG)
    listener.setblocking(False)
    loop = asyncio.SelectorEventLoop()  # also on Windows, where the default is another
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    files = {"path": str(folder), "default_filename": "index.html"}
    # Some clients send an absolute URL.
    rules = [(r"(?:https?://[^/]*)?/*(.*)", File, files)]

    async def start() -> HTTPServer:
        started = HTTPServer(
            Application(rules, log_function=lambda handler: None),
            idle_connection_timeout=CLIENT_TIMEOUT,
            body_timeout=CLIENT_TIMEOUT,
            max_body_size=1,  # no request needs a body
        )
        started.add_socket(listener)
        return started

    async def stop() -> None:
        running.stop()
        await running.close_all_connections()

    running = asyncio.run_coroutine_threadsafe(start(), loop).result()
    try:
        yield f"http://{ip}:{listener.getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def is_built(site: Path) -> bool:
    """Return whether the book is built; if not, print how to build it."""
    if (site / "index.html").is_file():
        return True
    place = site.relative_to(ROOT).as_posix() if site.is_relative_to(ROOT) else site
    print(f"No book in {place}. Build it first: make book, or jupyter-book build .")
    return False


def main(words: list[str]) -> int:
    """Serve until interrupted; return 1 if there is no book or no such address."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("--ip", default=LOCAL, help="address to listen on")
    ip = parser.parse_args(words).ip
    if not is_built(SITE):
        return 1
    if reason := refusal(ip, 0):
        print(reason, file=sys.stderr)
        return 1
    with suppress(KeyboardInterrupt), server(SITE, ip=ip) as url:
        print(f"The book: {url}/  (Ctrl+C stops)", flush=True)
        while True:
            time.sleep(3600)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
