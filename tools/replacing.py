"""Write a file completely or not at all: whoever stops a tool keeps what was there before."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a place beside `path` to write to, which takes its name once all is written."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    r"""Replace a file by this text, in UTF-8 and with the newlines of Unix.

    >>> path = getfixture("tmp_path") / "two.txt"
    >>> write(path, "1\n2\n")
    >>> path.read_bytes()
    b'1\n2\n'
    """
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
