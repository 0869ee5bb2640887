"""Serve the built book on this machine only: `python -m tools.serve`."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SITE = Path("_build/html")
USUAL_PORT = 8000


class Handler(SimpleHTTPRequestHandler):
    """Files of the site, on kept connections, without a line for each."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Stay quiet."""


def server(folder: Path, port: int = USUAL_PORT) -> ThreadingHTTPServer:
    """Return a server of `folder` on 127.0.0.1, on a free port if `port` is taken."""
    handler = partial(Handler, directory=folder)
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return ThreadingHTTPServer(("127.0.0.1", 0), handler)


def main() -> None:
    """Serve until interrupted."""
    with server(SITE) as running:
        print(f"The book: http://127.0.0.1:{running.server_port}/  (Ctrl+C stops)", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
