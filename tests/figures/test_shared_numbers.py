"""Test that downloaded numbers are those of torch, to full precision."""

from typing import Any

import figures_in_node
import pytest
from agreement import assert_close
from figure_examples import EXAMPLES, RANDOM, SOME_KINDS
from figure_page import Open, control

from attention_figures import DropoutFigure, Figure


def number(text: str) -> Any:
    """Convert a number, and keep any other text."""
    try:
        return float(text)
    except ValueError:
        return {"true": 1.0, "false": 0.0}.get(text, text)


def read(text: str) -> dict[str, Any]:
    """Parse the download as a spreadsheet would: names, with values beside or below them."""
    numbers: dict[str, Any] = {}
    for block in text.rstrip("\n").split("\n\n"):
        (name, *beside), *below = [line.split("\t") for line in block.split("\n")]
        x = [[number(cell) for cell in row] for row in below] if below else [*map(number, beside)]
        tensor, bracket, _ = name.partition("[")
        if bracket:
            numbers.setdefault(tensor, []).append(x)
        else:
            numbers[name] = x
    return numbers


def assert_holds(numbers: dict[str, Any], figure: Figure) -> None:
    """Assert that all stages are there to 1e-9, and everything that a reader can change exactly."""
    for name, expected in figure.stages().items():
        if isinstance(figure, DropoutFigure) and name == "draws":
            expected = figure._tensor("draws")  # all examples, not only the one shown
        if name in ("W_q", "W_k", "w_v", "W"):
            expected = expected[0]
        if expected.numel():
            assert_close(numbers[name], expected)
    for trait in set(figure.trait_names(state=True)) - {"kind", "name", "lang", "words", "table"}:
        name, value = trait.removesuffix("_"), getattr(figure, trait)
        if name in numbers and name not in figure.stages():
            value = value.replace("\t", " ") if isinstance(value, str) else value  # a tab separates
            value = number(value) if isinstance(value, str) else value  # such as "-1e6"
            got = numbers[name]
            assert got in (value, [value]) or repr(got) == repr([value]), name  # nan != nan
    assert "[object" not in str(numbers)


@pytest.mark.parametrize("kind", RANDOM)
def test_numbers_of_random_states_are_those_of_torch(kind: str) -> None:
    figures = [RANDOM[kind](seed) for seed in range(20)]
    for text, figure in zip(figures_in_node.numbers(figures), figures, strict=True):
        assert_holds(read(text), figure)


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_numbers_are_downloaded_under_the_figures_key(open_figure: Open, kind: str) -> None:
    figure = EXAMPLES[kind]("en")
    page = open_figure(figure)
    page.locator(".share summary").click()
    with page.expect_download() as started:
        control(page, "download-numbers").click()
    assert started.value.suggested_filename == f"{figure.name}.tsv"
    text = started.value.path().read_text("utf-8")
    assert_holds(read(text), figure)
    changeable = {"temperature": "temperature\t1\n", "premise": "premise\tA dog is running.\n"}
    assert all(line in text for name, line in changeable.items() if hasattr(figure, name))
