"""Write the data by which the browser judges typed answers, as a script for each exercise."""

from __future__ import annotations

import os
import re
import shutil
from functools import cache
from hashlib import sha256
from pathlib import Path

import torch
from sphinx.application import Sphinx

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.export import script

FOLDER = "_static/exercises"  # in the site
ROOT = Path(__file__).parents[3]
CACHE = ROOT / "book/exercises"  # the scripts take some 20 s, so they are kept
SOURCES = ("attention_course/exercises", "attention_lib")
_PUZZLE = re.compile(r'data-exercise="([\w-]+)"')


def write_exercise_data(app: Sphinx, error: Exception | None) -> None:
    """Write the scripts of the exercises that the built pages have and the browser can judge."""
    if error:
        return
    pages = (path.read_text("utf-8") for path in Path(app.outdir).glob("book/*/*.html"))
    found = {slug for page in pages for slug in _PUZZLE.findall(page)}
    folder = Path(app.outdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for slug in found & set(judged()):
        shutil.copy(data(slug), folder / f"{slug}.js")


def judged() -> list[str]:
    """Return the exercises that the browser can judge."""
    return [slug for slug, one in EXERCISES.items() if one.returned is not None]


def data(slug: str) -> Path:
    """Return the script of an exercise, which is made anew if any source has changed."""
    path = CACHE / f"{slug}-{_digest()[:12]}.js"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        made = path.with_suffix(f".{os.getpid()}")  # several processes may make it
        made.write_text(script(slug, EXERCISES[slug]), "utf-8")
        for old in CACHE.glob(f"{slug}-{'?' * 12}.js"):
            old.unlink(missing_ok=True)
        made.replace(path)
    return path


@cache
def _digest() -> str:
    """Return a hash of everything on which the data depends."""
    digest = sha256(torch.__version__.encode())
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
