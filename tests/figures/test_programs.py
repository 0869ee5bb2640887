"""Test that copied programs run, and compute what the figure shows."""

import re
from collections.abc import Collection
from typing import Any

import figures_in_node
import pytest
import torch
from agreement import assert_close
from figure_examples import EXAMPLES, RANDOM, dropout_mean, look_up, scaling, scoring
from figure_page import Open, control

from attention_figures import Figure, ScalingGradientsFigure


def run(program: str) -> dict[str, Any]:
    """Run a program, and return its variables."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program, "program", "exec"), names)
    return names


def shown(figure: Figure) -> dict[str, torch.Tensor]:
    """Return torch's stages in the form of the programs."""
    stages = figure.stages()
    if "mean_and_variance" in stages:
        mean, variance = stages.pop("mean_and_variance").flatten()
        stages |= {"mean": mean, "variance": variance}
    if isinstance(figure, ScalingGradientsFigure):
        own = stages["mean_and_median"][0, :, figure.sizes.index(figure.d)]
        stages["mean_and_median"] = own
    return stages


def assert_computes(program: str, figure: Figure, since: Collection[str] = ()) -> None:
    """Assert that the program computes every stage by name to 1e-9, except those in `since`."""
    names = run(program)
    for name, expected in shown(figure).items():
        if name in since:
            continue
        got = names[name][-1:] if name == "draws" else names[name]
        assert got.dtype in (torch.float64, torch.int64, torch.bool), name
        expected = expected.reshape(got.shape) if expected.numel() == got.numel() else expected
        assert_close(got.tolist(), expected)


@pytest.mark.parametrize("kind", RANDOM)
def test_programs_of_random_states_compute_what_the_figure_shows(
    kind: str,
) -> None:
    figures = [RANDOM[kind](seed) for seed in range(20)]
    for program, figure in zip(figures_in_node.programs(figures), figures, strict=True):
        assert_computes(program, figure)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_programs_of_every_kind_are_short_and_speak_the_readers_language(
    lang: str,
) -> None:
    examples = EXAMPLES.values()
    figures = [example(lang) for example in examples]
    programs = figures_in_node.programs(figures)
    for program, figure, example in zip(programs, figures, examples, strict=True):
        assert_computes(program, figure)
        assert program.startswith("# ")
        assert program.endswith(f"\nprint({example.printed or example.first})\n")
        assert max(map(len, program.splitlines())) <= 120
        assert figure.kind.startswith("scaling") or len(program.splitlines()) <= 45
        remarks = re.findall("# (.*)", program)
        assert all(bool(re.search("[一-龥]", said)) == (lang == "zh") for said in remarks)


def test_a_program_holds_only_the_numbers_in_use() -> None:
    dropped = dropout_mean(draw=2)
    figures = [scaling(d=2), scoring(score="bilinear"), dropped, look_up(temperature=0)]
    names = [run(program) for program in figures_in_node.programs(figures)]
    assert names[0]["queries"].shape == (1, 16, 2)
    assert "W" in names[1]
    assert "W_q" not in names[1]
    assert names[2]["draws"].shape == (2, 3, 4)
    assert names[3]["temperature"] == 0


def test_a_program_is_python_as_one_would_write_it() -> None:
    (program,) = figures_in_node.programs([look_up()])
    expected = """\
# Numbers from a figure of the course. attention_lib comes with the course's notebooks.
import torch

from attention_lib.scores import gaussian

queries = torch.tensor([[[0.5, 0.5], [-1.5, 1.0]]], dtype=torch.float64)
keys = torch.tensor([[[1.0, 1.2], [-1.0, 0.0], [2.0, -1.0], [-2.0, 2.0]]], dtype=torch.float64)
values = torch.tensor([[[4.0], [1.0], [3.0], [0.5]]], dtype=torch.float64)
temperature = 1.0

scores = gaussian(queries, keys)
below = scores - scores.amax(-1, keepdim=True)  # otherwise large scores would lose digits
attention_weights = torch.softmax(below / temperature, dim=-1)
output = attention_weights @ values
mean = values.mean(1, keepdim=True)
print(attention_weights)
"""
    assert program == expected


def test_a_reader_copies_the_program_of_the_state_on_the_screen(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    control(page, "temperature").fill("0")
    control(page, "keys[0][3][1]").fill("-0.75")
    page.locator(".share summary").click()
    control(page, "copy-program").click()
    copied = page.locator('.copying:has([data-control="copy-program"]) textarea').input_value()
    figure.temperature = 0
    keys = torch.tensor(figure.keys_)
    keys[0, 3, 1] = -0.75
    figure.keys_ = keys
    assert_computes(copied, figure)
