"""Serve a lecture and its room (both on localhost unless you pass --ip and --trusted-room)."""

import argparse
import mimetypes
import socket
import sys
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from tools.lecture.hub import Hub
from tools.lecture.lecturer import LectureServer
from tools.lecture.phones import later, open_listener
from tools.ports import port_number, refusal
from tools.serve import LOCAL, SITE, USUAL_PORT, is_built
from tools.serving.application import book_server, is_loopback

ROOM_PORT = 8001
OPEN_FILES = 10_000  # a phone has up to six connections while it loads a page, and then one


def parse(words: list[str]) -> argparse.Namespace:
    """Parse the command line; refuse a public address without --trusted-room."""
    parser = argparse.ArgumentParser(prog="python -m tools.lecture", description=__doc__)
    parser.add_argument("--ip", default=LOCAL, help="address that the room's phones reach")
    parser.add_argument(
        "--room-port", type=port_number, help=f"by default {ROOM_PORT}, or another if it is in use"
    )
    parser.add_argument(
        "--port",
        type=port_number,
        help=f"of the lecturer's pages, which are on this machine only; by default {USUAL_PORT}",
    )
    parser.add_argument("--site", type=Path, default=SITE, help="folder of the built book")
    parser.add_argument(
        "--address",
        type=_address,
        help="URL at which phones find the room, such as https://room.example.org, if another "
        "server passes their requests on",
    )
    parser.add_argument(
        "--trusted-room",
        action="store_true",
        help="listen on an address that other machines can reach: anyone there reads the book and "
        "guesses; nobody there runs code",
    )
    options = parser.parse_args(words)
    if not is_loopback(options.ip) and not options.trusted_room:
        parser.error(
            f"{options.ip or 'every address'} can be reached from other machines, and anyone there "
            "can guess, more than once if they try. Add --trusted-room to allow that; SECURITY.md "
            "describes the risk."
        )
    return options


def _address(text: str) -> str:
    """Return a URL without a path.

    >>> _address("https://room.example.org/")
    'https://room.example.org'
    """
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/") or url.query:
        raise argparse.ArgumentTypeError(
            f"expected an address such as https://room.example.org, got {text!r}"
        )
    return f"{url.scheme}://{url.netloc}"


def room_address(ip: str, port: int) -> str:
    """Return the URL that phones open; where the room listens everywhere, one that they reach.

    >>> room_address("192.168.1.5", 8001)
    'http://192.168.1.5:8001'
    >>> room_address("::1", 80)
    'http://[::1]'
    """
    if ip in ("", "0.0.0.0", "::"):
        ip = local_address()
    host = f"[{ip}]" if ":" in ip else ip
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


def local_address() -> str:
    """Return this machine's address in the network of its default route, or localhost.

    Nothing is sent: connecting a UDP socket only chooses the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation
        except OSError:
            return LOCAL
        return str(ip_address(probe.getsockname()[0]))


def allow_many_connections() -> None:
    """Raise this process's limit on open files, which is often below what 300 phones need."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def main(words: list[str]) -> int:
    """Serve until interrupted; return 1 if there is no book or no such port."""
    options = parse(words)
    if not is_built(options.site):
        return 1
    for ip, port in ((LOCAL, options.port), (options.ip, options.room_port)):
        if reason := refusal(ip, port or 0):
            print(reason, file=sys.stderr)
            return 1
    allow_many_connections()
    mimetypes.add_type("text/javascript", ".js")  # the Windows registry may say otherwise
    port = USUAL_PORT if options.port is None else options.port
    listener = open_listener(
        options.ip, ROOM_PORT if options.room_port is None else options.room_port
    )
    address = options.address or room_address(options.ip, listener.getsockname()[1])
    with listener, book_server(options.site, LOCAL, port, LectureServer) as app:
        assert isinstance(app, LectureServer)
        app.open_room(Hub(address, later), options.site, listener)
        app.start()
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
