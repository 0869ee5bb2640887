"""Parse a port from the command line, and check whether a server can listen on it."""

import argparse
import errno
import socket


def port_number(text: str) -> int:
    """Return a port number; 0 means any free port.

    Raises:
        argparse.ArgumentTypeError: it is no whole number from 0 to 65535.

    >>> port_number("8000")
    8000
    >>> port_number("99999")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: expected a port from 0 (any free one) to 65535, got '99999'
    """
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(
            f"expected a port from 0 (any free one) to 65535, got {text!r}"
        )
    return int(text)


def refusal(ip: str, number: int) -> str | None:
    """Return a sentence on why a server cannot listen at an address, or None.

    Args:
        ip: an address of this machine, or a name for one. "" is every address.
        number: the port.
    """
    try:
        family = socket.getaddrinfo(ip or None, number, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((ip, number), family=family):
            return None
    except PermissionError:
        return f"Port {number} is reserved for administrators: choose one above 1023 with --port."
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {number} is in use, perhaps by another server of the book: "
                "choose another with --port."
            )
        return f"Cannot listen at {ip}, port {number}: {error.strerror}."
