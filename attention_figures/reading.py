"""Show which tokens a model attends to for each character it writes: the reading figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Listed, Names, Numbers


class ReadingFigure(Figure):
    """A sentence, an answer written character by character, and the weights of each character.

    Nothing is trained here: the figure gets weights and answers of some steps, and a slider selects
    a step.

    Shapes: R runs, S steps, T characters of an answer, K tokens.

    Args:
        weights: of each run, step, character and token.
        written: the model's answer for each run and step, T characters.
        tokens: tokens of the sentence.
        answer: the right answer, T characters.
        spans: for each character its source in the sentence, as first token and end; first = end if
            there is none.
        steps: the numbers of the steps.
        runs: names of the runs.
        run, step: indices of the run and step shown.
        place: index of the character whose weights are shown.
        handle: "step", or "place" if the reader goes from character to character.

    Raises:
        ValueError, TypeError, TraitError: shapes do not fit together, or a value is not allowed.

    >>> weights = torch.tensor([[[[0.5, 0.5]], [[0.9, 0.1]]]])
    >>> sentence = {"written": [["1", "7"]], "tokens": ["7", "."], "answer": "7", "spans": [(0, 1)]}
    >>> figure = ReadingFigure(weights, **sentence, steps=[0, 100], runs=["additive"], step=1)
    >>> figure.attention_weights, figure.stages()["correct"]
    (tensor([[[0.9000, 0.1000]]], dtype=torch.float64), tensor([[[0, 1]]]))
    """

    weights = Numbers("(R, S, T, K)")
    written: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    tokens = Names("K")
    answer = traitlets.Unicode().tag(sync=True, state=True)
    spans: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    steps = Listed("S", traitlets.Int(min=0), ascending=True)
    runs = Names("R")
    run = Index("R")
    step = Index("S")
    place = Index("T")
    handle = traitlets.Enum(["step", "place"]).tag(sync=True, state=True)

    def __init__(
        self,
        weights: Tensor,
        *,
        written: Sequence[Sequence[str]],
        tokens: Sequence[str],
        answer: str,
        spans: Sequence[Sequence[int]],
        steps: Sequence[int],
        runs: Sequence[str],
        run: int = 0,
        step: int = 0,
        place: int = 0,
        handle: str = "step",
        name: str = "reading",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="reading",
            weights=weights,
            written=[list(run_) for run_ in written],
            tokens=tokens,
            answer=answer,
            spans=[list(span) for span in spans],
            steps=steps,
            runs=runs,
            run=run,
            step=step,
            place=place,
            handle=handle,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch for the present state.

        attention_weights (1, 1, K), of one character; correct (1, R, S), the number of correct
        characters of each answer; aligned (1, R, S), the number of characters whose heaviest key
        (of equal ones the first) is in the span.
        """
        weights = self._tensor("weights")
        letters = [[list(map(ord, text)) for text in run] for run in self.written]
        correct = torch.tensor(letters) == torch.tensor(list(map(ord, self.answer)))
        first, end = torch.tensor(self.spans).T
        heaviest = weights.argmax(dim=-1)  # (R, S, T)
        return {
            "attention_weights": weights[self.run, self.step, self.place][None, None],
            "correct": correct.sum(-1)[None],
            "aligned": ((heaviest >= first) & (heaviest < end)).sum(-1)[None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        rows = self.runs, [str(step) for step in self.steps]
        return {
            "attention_weights": ([self.answer[self.place]], self.tokens),
            "correct": rows,
            "aligned": rows,
        }

    @traitlets.validate("written")
    def _check_written(self, proposal: dict[str, Any]) -> Any:
        written, characters = proposal["value"], self.axis_sizes["T"]
        expected = self.axis_sizes["R"], self.axis_sizes["S"]
        sizes = {len(text) for run in written for text in run}
        steps = {len(run) for run in written}
        if (len(written), steps, sizes) != (expected[0], {expected[1]}, {characters}):
            raise ValueError(f"written must be {expected} texts of {characters}; got {written}")
        return written

    @traitlets.validate("answer")
    def _check_answer(self, proposal: dict[str, Any]) -> str:
        answer = str(proposal["value"])
        if len(answer) != self.axis_sizes["T"]:
            raise ValueError(f"answer must have {self.axis_sizes['T']} characters; got {answer!r}")
        return answer

    @traitlets.validate("spans")
    def _check_spans(self, proposal: dict[str, Any]) -> Any:
        spans, number, most = proposal["value"], self.axis_sizes["T"], self.axis_sizes["K"]
        if len(spans) != number or not all(0 <= a <= b <= most for a, b in spans):
            raise ValueError(f"spans must be {number} within the tokens; got {spans}")
        return spans
