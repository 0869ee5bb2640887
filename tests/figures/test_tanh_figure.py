"""Test the tanh figure: the switch, and additive scores without tanh."""

import torch
from figure_examples import tanh
from figure_page import Open, assert_shows, control
from playwright.sync_api import expect

from attention_figures import TanhFigure


def test_without_tanh_all_rows_are_one(open_figure: Open) -> None:
    example = tanh()
    names = {"names": example.names, "query_names": example.query_names}
    tensors = (example.queries, example.keys_, example.W_q, example.W_k, example.w_v)
    figure = TanhFigure(*map(torch.tensor, tensors), **names)
    page = open_figure(figure)
    control(page, "bent").press("Space")
    figure.bent = False
    assert_shows(page, figure)
    first, second = figure.attention_weights[0]
    torch.testing.assert_close(first, second)


def test_a_query_that_is_moved_is_called_by_where_it_stands(open_figure: Open) -> None:
    example = tanh()
    tensors = (example.queries, example.keys_, example.W_q, example.W_k, example.w_v)
    names = {"names": example.names, "query_names": example.query_names}
    moved = {"handle": "query", "reach": (0.0, 30.0), "unit": " °C"}
    figure = TanhFigure(*map(torch.tensor, tensors), **names, **moved)
    figure.queries = [[[15.0, 1.0], [0.0, 1.0]]]
    page = open_figure(figure)
    expect(page.locator("[data-sentence]")).to_contain_text("15 °C looks most at jumper")
