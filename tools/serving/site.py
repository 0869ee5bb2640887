"""Serve the pages of the book from a Jupyter server, and tell their scripts about the kernels.

Pages are public. Two attributes of the `html` element inform the scripts: `data-kernels` is the
base URL of the kernels, and `data-closed` is set if the browser has not presented the token.
"""

from collections.abc import Awaitable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join

from tools.serve import File

# Content Security Policy. Pagefind and the judge of exercises compile WebAssembly, the judge from a
# blob URL; an anywidget is a module in one.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "object-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Page(File, JupyterHandler):
    """A public file of the site; HTML gets the attributes about kernels."""

    excluded_paths: tuple[str, ...] = ("api/kernels",)  # paths that are not part of the site

    def set_default_headers(self) -> None:
        """Set the security headers."""
        super().set_default_headers()
        for name, value in HEADERS.items():
            self.set_header(name, value)

    @allow_unauthenticated
    async def get(self, path: str, include_body: bool = True) -> None:
        """Answer GET; a valid token in the URL becomes a cookie, and a redirect removes it."""
        if self.get_query_argument("token", None) is None or not self.current_user:
            await super().get(path, include_body)
        elif self.find(path):
            self.redirect(self._without_token(path))

    def _without_token(self, path: str) -> str:
        """Return the URL of this request's page on this server, without the token.

        The path is quoted against open redirects: browsers read a backslash as a slash,
        and `//name` as a host.
        """
        query = [pair for pair in parse_qsl(self.request.query) if pair[0] != "token"]
        bare = url_path_join(self.base_url, quote(path))
        return f"{bare}?{urlencode(query)}" if query else bare

    @allow_unauthenticated
    def head(self, path: str) -> Awaitable[None]:
        """Answer HEAD."""
        return self.get(path, include_body=False)

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Find and read the file; add the attributes to HTML."""
        found = super().validate_absolute_path(root, absolute_path)
        if found is not None and found.endswith(".html"):
            self.content = self.content.replace(b"<html", f"<html {self.attributes()}".encode(), 1)
        return found

    def attributes(self) -> str:
        """Return the attributes of the `html` element."""
        kernels = f'data-kernels="{escape(self.base_url)}"'
        if not self.current_user:
            return f"{kernels} data-closed"
        self.xsrf_token  # noqa: B018  # reading it sets the XSRF cookie
        return kernels

    def set_extra_headers(self, path: str) -> None:
        """Keep caches from serving a page to a reader with another cookie."""
        super().set_extra_headers(path)
        self.set_header("Vary", "Cookie")


def add_site(app: Any, folder: Path, page: type[Page] = Page) -> None:
    """Serve the pages in `folder` at all paths except those of the kernels.

    Args:
        app: an initialised Jupyter ServerApp.
        folder: the built site.
        page: the handler class.
    """
    base = app.base_url
    pattern = rf"(?:https?://[^/]*)?{base}(?!(?:{'|'.join(page.excluded_paths)})(?:/|$))/*(.*)"
    files = {"path": str(folder), "default_filename": "index.html"}
    app.web_app.add_handlers(".*$", [(pattern, page, files)])
