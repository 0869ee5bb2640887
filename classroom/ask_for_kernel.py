"""Stand in for a forked kernel: request it over a socket, and exit when it exits.

Jupyter starts this script as the kernel process. Its arguments are the paths of the socket and of
Jupyter's connection file. It imports little, to stay small.
"""

import json
import os
import socket
import sys
import time
from contextlib import suppress

START_TIMEOUT = 30  # seconds for torch to load when the class has just started


def main(socket_path: str, connection: str) -> None:
    """Request a kernel, and wait until it or the server that requested it exits."""
    server = os.getppid()
    with socket.socket(socket.AF_UNIX) as lifeline:
        for _ in range(10 * START_TIMEOUT):
            try:
                lifeline.connect(socket_path)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.1)
        request = {"connection": connection, "folder": os.getcwd(), "environment": dict(os.environ)}
        lifeline.sendall(f"{json.dumps(request)}\n".encode())
        lifeline.settimeout(1)
        while os.getppid() == server:  # the kernel exits together with the server
            with suppress(TimeoutError):
                lifeline.recv(1)
                break


if __name__ == "__main__":
    main(*sys.argv[1:])
