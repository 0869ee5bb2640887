"""Make a puzzle of a `check` exercise: the reader chooses the lines of its solution."""

from dataclasses import replace
from itertools import groupby, product
from typing import Any

from ipywidgets import VBox

from attention_course.exercises.ask import Reply
from attention_course.exercises.engine.exercise import Exercise
from attention_course.exercises.engine.puzzle import gap_in, options, solved
from attention_course.exercises.engine.verdict import Verdict
from attention_course.exercises.page import jupyter, strings
from attention_course.exercises.page.program import Part, mark, written
from attention_course.exercises.page.sheet import Sheet, escaped
from attention_course.translated import Text


class PuzzleSheet(Sheet):
    """A program with gaps; the reply to each filling is the verdict of `check` on it."""

    kind = "puzzle"

    def __init__(self, slug: str, exercise: Exercise, lang: str) -> None:
        super().__init__(slug, lang)
        self.intro = getattr(_intro(exercise), lang)
        self.parts = _parts(exercise, slug)
        self.gaps = [part for part in self.parts if isinstance(part, list)]
        self.labels = [
            getattr(strings.GAP, lang).format(number=i) for i in range(1, len(self.gaps) + 1)
        ]
        self.said = {one.places: _reply(one.verdict, lang) for one in solved(exercise, slug)}

    def state(self) -> dict[str, Any]:
        several = list(dict.fromkeys(self.said.values()))
        ways = product(*(range(len(gap)) for gap in self.gaps))  # the last gap changes fastest
        return {
            "intro": self.intro,
            "none": getattr(strings.NO_LINES, self.lang),
            "parts": self.parts,
            "labels": self.labels,
            "said": [one._asdict() for one in several],
            "table": [several.index(self.said[places]) for places in ways],
        }

    def paper(self) -> str:
        choices = map(_on_paper, self.labels, self.gaps)
        program = written(self.parts, self.labels, [None] * len(self.gaps))
        return "".join([f"<p>{self.intro}</p>{program}", *choices])

    def widget(self) -> VBox:
        return jupyter.puzzle(self.intro, self.parts, self.labels, self.said, self.lang)


def _intro(exercise: Exercise) -> Text:
    assert exercise.puzzle is not None
    is_class = exercise.puzzle.program.lstrip().startswith("class ")
    return strings.PUZZLE_OF_CLASS if is_class else strings.PUZZLE


def _parts(exercise: Exercise, slug: str) -> list[Part]:
    assert exercise.puzzle is not None
    several = options(exercise, slug)
    parts: list[Part] = []
    lines = exercise.puzzle.program.strip().splitlines()
    for gap, same in groupby(lines, gap_in):
        if gap is None:
            parts.append("\n".join(same))
        else:
            (line,) = same
            parts.append([line.replace(f"{{{gap}}}", one.source) for one in several[gap]])
    return parts


def _reply(verdict: Verdict, lang: str) -> Reply:
    return Reply(replace(verdict, lang=lang)._repr_html_(), verdict.passed)


def _on_paper(label: str, lines: list[str]) -> str:
    items = (f"<li><code>{escaped(line.strip())}</code></li>" for line in lines)
    return f"<p>{mark(label)}</p><ul>{''.join(items)}</ul>"
