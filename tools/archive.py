"""Pack the built site into one zip for offline use: unpack it and open index.html.

The zip is reproducible: names are sorted, and every date is the earliest that zip allows.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tools.build import build
from tools.replacing import replacing

ROOT = Path(__file__).parent.parent
NAME = f"attention-scoring-functions-{version('attention_lib')}"
DATE = (1980, 1, 1, 0, 0, 0)
UNUSED = (".buildinfo", "objects.inv")  # only used by other builds


def pack(site: Path, target: Path) -> None:
    """Write a folder into a zip, inside one folder with the name of the zip."""
    names = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    with replacing(target) as part, ZipFile(part, "w", ZIP_DEFLATED) as archive:
        for name in names:
            if name.parts[0] not in UNUSED:
                entry = ZipInfo(f"{target.stem}/{name.as_posix()}", DATE)
                entry.external_attr = 0o644 << 16  # file permissions
                entry.compress_type = ZIP_DEFLATED
                archive.writestr(entry, (site / name).read_bytes())


@contextmanager
def fresh_site() -> Iterator[Path]:
    """Build the site of the archive in a temporary folder, without files of earlier builds."""
    with TemporaryDirectory() as folder:
        yield build(ROOT, Path(folder), ARCHIVE_BUILD="1")


def archive(site: Path) -> Path:
    """Pack a site beside the Makefile; return the zip."""
    target = ROOT / f"{NAME}.zip"
    pack(site, target)
    print(f"{target.name}: {target.stat().st_size / 1e6:.1f} MB", flush=True)
    return target


if __name__ == "__main__":
    with fresh_site() as site:
        archive(site)
