"""Write files atomically: an interrupted tool leaves the previous content."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`, which replaces it on success."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    r"""Replace a file's content atomically, in UTF-8 with LF newlines.

    >>> path = getfixture("tmp_path") / "two.txt"
    >>> write(path, "1\n2\n")
    >>> path.read_bytes()
    b'1\n2\n'
    """
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
