"""Test the dropout figure in Python: numbers by hand and against torch, and traits."""

import pytest
import torch
from figure_examples import DROPOUT, dropout, random_dropout

from attention_figures import DropoutFigure

PS = [i / 20 for i in range(19)]  # what the slider leads to


def test_one_row_by_hand() -> None:
    figure = dropout(p=0.5)
    first = torch.tensor([2, 1, 0.5, 0]).double().softmax(0).tolist()
    assert figure.dropped[0, 0].tolist() == pytest.approx([2 * first[0], 0, 0, 2 * first[3]])
    assert figure.dropped[0, 1].tolist() == [0, 0.5, 0, 0.5]  # the draw 0.5 is not below p
    assert figure.stages()["row_sums"][0, 1].tolist() == [1]
    assert figure.output[0, 1].tolist() == [0.5 * 1 + 0.5 * 0.5, 0.5 * 0 + 0.5 * 2]
    figure.draw = 3
    by_hand = torch.tensor([[0, 0.5, 0, 0.5], [0.5, 0, 0.5, 0.5], [0, 0, 0, 0.5]]).mean(0)
    assert figure.mean[0, 1].tolist() == pytest.approx(by_hand.tolist())


def test_what_is_kept_is_what_torch_keeps_and_what_evaluation_mode_gives() -> None:
    for seed in range(40):
        figure = random_dropout(seed)
        figure.training = True
        weights = figure.attention_weights
        torch.manual_seed(seed)
        theirs = torch.nn.functional.dropout(weights, figure.p)
        both = (theirs != 0) & (figure.dropped != 0)
        torch.testing.assert_close(figure.dropped[both], theirs[both])
        figure.training = False
        assert torch.equal(figure.dropped, torch.nn.functional.dropout(weights, training=False))
        assert torch.equal(figure.mean, weights) or figure.draw > 1
        torch.testing.assert_close(figure.mean, weights)


def test_more_is_dropped_as_p_grows_and_nothing_comes_back() -> None:
    figure = dropout()
    before = figure.attention_weights != 0
    for p in PS:
        figure.p = p
        kept = figure.dropped != 0
        assert not (kept & ~before).any()
        before = kept
    assert before.sum() == 1  # at p = 0.9 only the draw 0.95 is kept
    assert figure.stages()["row_sums"].flatten().tolist()[1:] == [0, 0]
    assert figure.output[0, 1:].tolist() == [[0, 0], [0, 0]]


def test_every_hundredth_as_a_draw_gives_the_stored_weight_as_the_exact_mean() -> None:
    hundredths = torch.arange(100).reshape(100, 1, 1) / 100
    figure = DropoutFigure(torch.ones(1, 1, 1), torch.ones(1, 1, 1), hundredths, draw=100)
    assert [draw[0][0] for draw in figure.draws] == [n / 100 for n in range(100)]
    for p in [*PS, 0.01, 0.57, 0.89]:
        figure.p = p
        assert figure.mean.item() == pytest.approx(1, abs=1e-12)


def test_draws_are_cut_off_after_two_decimals_and_stay_when_they_are_assigned_again() -> None:
    figure = dropout()
    draws = torch.tensor(DROPOUT["draws"], dtype=torch.float64)
    draws[0, 0, :3] = torch.tensor([0.299, 0.9999999, 0.29], dtype=torch.float64)
    figure.draws = draws
    assert figure.draws[0][0][:3] == [0.29, 0.99, 0.29]
    for dtype in (torch.float32, torch.float64):
        kept = figure.draws
        figure.draws = torch.tensor(kept, dtype=dtype)
        assert figure.draws == kept


def test_the_mean_over_many_draws_comes_back_to_the_stored_weights() -> None:
    torch.manual_seed(0)
    scores, values, draws = torch.randn(1, 2, 3), torch.randn(1, 3, 1), torch.rand(4000, 2, 3)
    figure = DropoutFigure(scores, values, draws)
    far = []
    for figure.draw in (1, 40, 4000):
        far.append(figure.stages()["deviation"].item())
    assert far[0] > 0.2
    assert far[2] < 0.02 < far[1] < 0.2
    assert repr(figure) == "DropoutFigure(name='dropout')"
