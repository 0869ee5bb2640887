"""Read the stages of the Dockerfile, and follow their steps in new environments, without Docker.

The settings of pip and npm stay those of the machine, which may name a mirror.
"""

import re
import shutil
from pathlib import Path

from tests.fresh import Environment
from tools.packages import ROOT

TEXT = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
FOLDER = Path("/book")  # the WORKDIR of all stages
BUILD, CLASSROOM, SERVE = range(3)  # in their order
Steps = list[tuple[str, str]]


def stage(number: int) -> Steps:
    """Return the instructions of a stage, each with its arguments."""
    text = re.split(r"^(?=FROM )", TEXT, flags=re.MULTILINE)[1:][number]
    return [(name, rest) for name, rest in re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)]


def follow(steps: Steps, place: Path, sources: dict[str | None, Path]) -> Environment:
    """Copy and run what a stage copies and runs, in a new environment.

    Args:
        steps: the instructions of the stage.
        place: the folder that stands for its WORKDIR.
        sources: the context, and the folder of each earlier stage.
    """
    environment = Environment(place.with_name(f"{place.name}-environment"))
    place.mkdir()
    for name, rest in steps:
        if name == "COPY":
            copy(rest, place, sources)
        elif name == "RUN":
            environment.run("sh", "-c", rest, cwd=place)
    return environment


def copy(rest: str, place: Path, sources: dict[str | None, Path]) -> None:
    """Copy what a COPY with these arguments copies."""
    *names, target = re.sub(r"--\S+ ", "", rest).split()
    earlier = re.search(r"--from=(\S+)", rest)
    for name in names:
        _copy_one(sources[earlier and earlier[1]], name, place / target, target.endswith("/"))


def _copy_one(folder: Path, source: str, target: Path, into: bool) -> None:
    """Copy a file, or what is in a folder, as COPY does."""
    path = folder / Path(source).relative_to(FOLDER if source.startswith("/") else "")
    if path.is_dir():
        shutil.copytree(path, target, dirs_exist_ok=True)
    else:
        (target if into else target.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
