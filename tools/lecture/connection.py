"""Send messages over a WebSocket whose other side may have gone."""

import asyncio
from contextlib import suppress

from tornado.websocket import WebSocketClosedError, WebSocketHandler


class ConnectionHandler(WebSocketHandler):
    """A WebSocket to a phone or a lecturer's page."""

    def send(self, text: str) -> None:
        """Send a message, unless the other side has gone: it asks again when it is back."""
        with suppress(WebSocketClosedError):
            sending = asyncio.ensure_future(self.write_message(text))
            sending.add_done_callback(_ignore_closed)


def _ignore_closed(sending: "asyncio.Future[None]") -> None:
    """Take note of an error, which asyncio would print."""
    if not sending.cancelled():
        sending.exception()
