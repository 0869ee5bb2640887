"""Show which tokens a model attends to for each character it writes: the reading figure."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_shapes


class ReadingFigure(Figure):
    """A sentence, an answer written character by character, and the weights of each character.

    Nothing is trained here: the figure gets weights and answers of some steps, and a slider selects
    a step.

    Shapes: R runs, S steps, T characters of an answer, K tokens.

    Args:
        weights: (R, S, T, K) floating, rounded to 4 decimals.
        written: the model's answer for each run and step, T characters.
        tokens: tokens of the sentence, K.
        answer: the right answer, T characters.
        spans: for each character its source in the sentence, as first token and end; first = end if
            there is none.
        steps: the numbers of the steps, S ascending.
        runs: names of the runs, R.
        run, step: indices of the run and step shown.
        place: index of the character whose weights are shown.
        handle: "step", or "place" if the reader goes from character to character.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Raises:
        ValueError, TypeError, TraitError: shapes do not fit together, or a value is not allowed.

    >>> weights = torch.tensor([[[[0.5, 0.5]], [[0.9, 0.1]]]])
    >>> sentence = {"written": [["1", "7"]], "tokens": ["7", "."], "answer": "7", "spans": [(0, 1)]}
    >>> figure = ReadingFigure(weights, **sentence, steps=[0, 100], runs=["additive"], step=1)
    >>> figure.attention_weights, figure.stages()["correct"]
    (tensor([[[0.9000, 0.1000]]], dtype=torch.float64), tensor([[[0, 1]]]))
    """

    weights = Numbers().tag(sync=True, state=True)
    written: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    tokens: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    answer = traitlets.Unicode().tag(sync=True, state=True)
    spans: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    steps: "traitlets.List[int]" = traitlets.List(traitlets.Int(min=0)).tag(sync=True, state=True)
    runs: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    run = traitlets.Int(min=0).tag(sync=True, state=True)
    step = traitlets.Int(min=0).tag(sync=True, state=True)
    place = traitlets.Int(min=0).tag(sync=True, state=True)
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
        check_shapes({"weights": weights}, {"weights": "(R, S, T, K)"})
        expected = (len(runs), len(steps), len(answer), len(tokens))
        if expected != tuple(weights.shape):
            raise ValueError(
                f"weights must be (runs, steps, characters, tokens) = {expected}; "
                f"got {tuple(weights.shape)}"
            )
        texts = [text for run_ in written for text in run_]
        if [len(run_) for run_ in written] != [len(steps)] * len(runs) or any(
            len(text) != len(answer) for text in texts
        ):
            raise ValueError(
                f"written must be {expected[:2]} texts of {expected[2]}; got {written}"
            )
        if any(a >= b for a, b in pairwise(steps)):
            raise ValueError(f"steps must ascend; got {list(steps)}")
        if len(spans) != len(answer) or not all(0 <= a <= b <= len(tokens) for a, b in spans):
            raise ValueError(f"spans must be {len(answer)} within the tokens; got {spans}")
        super().__init__(
            name,
            lang,
            kind="reading",
            weights=weights,
            written=[list(run_) for run_ in written],
            tokens=list(tokens),
            answer=answer,
            spans=[list(span) for span in spans],
            steps=list(steps),
            runs=list(runs),
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

    @traitlets.validate("run", "step", "place")
    def _check_place(self, proposal: dict[str, Any]) -> int:
        place, name = int(proposal["value"]), proposal["trait"].name
        number = self.shapes["weights"][("run", "step", "place").index(name)]
        if place not in range(number):
            raise ValueError(f"{name} must be one of 0..{number - 1}; got {place}")
        return place
