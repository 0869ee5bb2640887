"""Build the book twice and list the files that differ: `python -m tools.reproducible`.

Two builds of one commit are equal byte for byte, independent of the folder's name.
"""

import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.build import build

ROOT = Path(__file__).parents[1]


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file, by its path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(p.relative_to(folder)): sha256(p.read_bytes()).hexdigest() for p in files}


def differences(first: Path, second: Path) -> list[str]:
    """List the files that are missing in one folder or differ."""
    one, two = digests(first), digests(second)
    return sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))


def main() -> int:
    """Build and compare; return 1 if anything differs."""
    with TemporaryDirectory() as folder:
        # With an address, so that the pictures for previews of links are compared too.
        folders = (Path(folder, name) for name in ("first", "a second"))
        sites = [build(ROOT, path, SITE_URL="https://example.org/book/") for path in folders]
        different = differences(*sites)
        print("\n".join(different) or f"Both builds have the same {len(digests(sites[0]))} files.")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
