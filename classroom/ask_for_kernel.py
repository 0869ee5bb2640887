"""What Jupyter takes for a kernel: asks for a forked one, and is there as long as that is.

Run by its path, with those of a socket and of Jupyter's connection file; it is small, as it imports
next to nothing.
"""

import json
import os
import socket
import sys
import time
from contextlib import suppress

PATIENCE = 30  # seconds for torch to be loaded, when the class has just been opened


def main(place: str, connection: str) -> None:
    """Ask, and wait for the end of the kernel, or of the server that wants it."""
    server = os.getppid()
    with socket.socket(socket.AF_UNIX) as life:
        for _ in range(10 * PATIENCE):
            try:
                life.connect(place)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.1)
        asked = {"connection": connection, "folder": os.getcwd(), "environment": dict(os.environ)}
        life.sendall(f"{json.dumps(asked)}\n".encode())
        life.settimeout(1)
        while os.getppid() == server:  # whatever way it ends, the kernel ends with it
            with suppress(TimeoutError):
                life.recv(1)
                break


if __name__ == "__main__":
    main(*sys.argv[1:])
