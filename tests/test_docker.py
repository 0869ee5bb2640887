"""Follow the steps of the Dockerfile in new environments, without Docker."""

import json
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from benchmarks.pod import COMMAND, opened
from tests.coroutines import finished
from tests.dockerfile import BUILD, CLASSROOM, SERVE, follow, stage
from tools import limits
from tools.packages import ROOT
from tools.serve import USUAL_PORT


def git_files(*options: str) -> set[str]:
    command = ["git", "ls-files", "-z", *options]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if name}


def context() -> set[str]:
    """Return the files that .dockerignore leaves: Git reads its patterns alike."""
    ignore = "--exclude-from=.dockerignore"
    return git_files("-c", "-o", ignore) - git_files("-c", "-i", ignore)


def serve(place: Path, built: Path) -> None:
    """Follow the last stage, open a page, check its health, and stop it."""
    steps = stage(SERVE)
    environment = follow(steps, place, {None: ROOT, "build": built})
    said = dict(steps)
    check = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    command = json.loads(said["CMD"])
    with subprocess.Popen(
        command, cwd=place, env=environment.variables, stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stdout
            first = running.stdout.readline()
            assert first.startswith("The book: http://")
            port = urlsplit(first.split()[2]).port
            here = [word.replace(f":{USUAL_PORT}/", f":{port}/") for word in check]
            assert here != check or port == USUAL_PORT
            environment.run(*here, cwd=place)
            socket.create_connection(("127.0.0.2", port or 0)).close()  # not only at 127.0.0.1
            with urlopen(f"http://127.0.0.1:{port}/book/en/index.html") as page:
                assert b"</h1>" in page.read()
            running.send_signal(signal.Signals[said["STOPSIGNAL"]])
            assert running.wait(20) == 0
        finally:
            running.kill()
    with pytest.raises(AssertionError, match="Connection refused"):
        environment.run(*here, cwd=place)


def test_the_last_stage_serves_the_book(site: Path, tmp_path: Path) -> None:
    """What the first stage runs before is what `make book` runs, but for the environment."""
    built = tmp_path / "build"
    (built / "_build").mkdir(parents=True)
    (built / "_build/html").symlink_to(site)
    serve(tmp_path / "serve", built)


@pytest.mark.exhaustive
def test_all_stages_build_and_serve_the_book(tmp_path: Path) -> None:
    for name in context():
        target = tmp_path / "context" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    built = tmp_path / "build"
    follow(stage(BUILD), built, {None: tmp_path / "context"})
    serve(tmp_path / "serve", built)
    place = tmp_path / "classroom"
    environment = follow(stage(CLASSROOM), place, {None: tmp_path / "context", "build": built})
    python = environment.programs / "python"
    variables = {"HOME": str(tmp_path), "CLASS_SITE": str(place / "_build/html")}
    finished(answer(python, place, variables))
    added = megabytes(environment.programs.parent) + megabytes(place)
    assert added <= limits.POD_IMAGE


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*")) / 1e6


async def answer(python: Path, folder: Path, variables: dict[str, str]) -> None:
    """Run a cell at the server of a pod's image."""
    async with opened(variables, [python, *COMMAND], folder) as pod, pod.reader.kernel() as kernel:
        said = await kernel.run("import attention_lib; attention_lib.__name__")
        assert said.text == "'attention_lib'", said.error


def test_no_file_of_this_machine_gets_into_the_image() -> None:
    committed = git_files("-c", "-o", "--exclude-standard")
    assert context() - committed == set()
    assert {"Dockerfile", "tests/test_docker.py"} & context() == set()


def test_python_is_named_in_full_and_is_that_of_binder() -> None:
    names = [
        rest for steps in (BUILD, CLASSROOM, SERVE) for name, rest in stage(steps) if name == "FROM"
    ]
    (binder,) = re.findall(r"\d+\.\d+", (ROOT / "binder/runtime.txt").read_text())
    for name in names:
        assert re.fullmatch(
            rf"python:{re.escape(binder)}\.\d+-slim-\w+( AS (build|classroom))?", name
        )


def test_the_server_is_not_root_and_its_port_is_told() -> None:
    names = [name for name, _ in stage(SERVE)]
    said = dict(stage(SERVE))
    user, _, group = said["USER"].partition(":")
    assert int(user) > 0
    assert int(group) > 0
    assert max(i for i, name in enumerate(names) if name in ("RUN", "COPY")) < names.index("USER")
    assert said["EXPOSE"] == str(USUAL_PORT)
    assert f":{USUAL_PORT}/" in said["HEALTHCHECK"]
