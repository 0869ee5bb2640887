"""Figures of dropout in Python: their numbers, by hand and against torch, and their traits."""

import pytest
import torch
from figure_examples import (
    DROPOUT,
    RANDOM,
    dropout,
    dropout_mean,
    dropout_variants,
    tensors,
)

from attention_figures import (
    DropoutFigure,
    DropoutMeanFigure,
    DropoutSpreadFigure,
    DropoutVariantsFigure,
    TrainedWeightsFigure,
)

PS = [i / 20 for i in range(19)]  # what the slider leads to


def test_one_row_by_hand() -> None:
    figure = dropout(p=0.5)
    first = torch.tensor([2, 1, 0.5, 0]).double().softmax(0).tolist()
    assert figure.dropped[0, 0].tolist() == pytest.approx([2 * first[0], 0, 0, 2 * first[3]])
    assert figure.dropped[0, 1].tolist() == [0, 0.5, 0, 0.5]  # the draw 0.5 is not below p
    assert figure.stages()["row_sums"][0, 1].tolist() == [1]
    mean = dropout_mean(draw=3)
    figure.draw = 3
    by_hand = torch.tensor([[0, 0.5, 0, 0.5], [0.5, 0, 0.5, 0.5], [0, 0, 0, 0.5]]).mean(0)
    for both in (figure, mean):
        assert both.mean[0, 1].tolist() == pytest.approx(by_hand.tolist())


def test_what_is_kept_is_what_torch_keeps_and_what_evaluation_mode_gives() -> None:
    for seed in range(40):
        figure = RANDOM["dropout"](seed)
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


def test_every_hundredth_as_a_draw_gives_the_stored_weight_as_the_exact_mean() -> None:
    hundredths = torch.arange(100).reshape(100, 1, 1) / 100
    figure = DropoutMeanFigure(torch.ones(1, 1, 1), hundredths, draw=100)
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
    figure = DropoutMeanFigure(torch.randn(1, 2, 3), torch.rand(4000, 2, 3))
    far = []
    for figure.draw in (1, 40, 4000):
        far.append(figure.stages()["deviation"].item())
    assert far[0] > 0.2
    assert far[2] < 0.02 < far[1] < 0.2
    assert repr(figure) == "DropoutMeanFigure(name='dropout-mean')"


def test_variants_by_hand() -> None:
    stages = dropout_variants().stages()  # the draws 0.25 and 0.4 are below p
    first = torch.tensor([2, 1, 0.5, 0]).double().softmax(0)
    kept = torch.tensor([1, 0, 0, 1]) * first
    assert stages["dropped"].flatten().tolist() == pytest.approx((2 * kept).tolist())
    shares = (kept / kept.sum()).tolist()
    assert stages["renormalised"].flatten().tolist() == pytest.approx(shares)
    scores = torch.tensor([4, 0, 0, 0]).double().softmax(0).tolist()
    assert stages["scores_dropped"].flatten().tolist() == pytest.approx(scores)


def test_the_spread_of_an_output_is_that_of_all_ways_to_drop() -> None:
    values = torch.tensor([[[100.0], [-3.0], [20.0], [5.0]]])
    figure = DropoutSpreadFigure(tensors(DROPOUT)["scores"][:, :1], values, p=0.3)
    keep = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * 4)
    chances = (0.7 * keep + 0.3 * (1 - keep)).prod(dim=1)
    outputs = (keep * figure.attention_weights[0, 0] / 0.7) @ values[0, :, 0].double()
    mean = chances @ outputs
    stages = figure.stages()
    assert stages["eval_output"].item() == pytest.approx(mean.item())
    variance = chances @ (outputs - mean) ** 2
    assert stages["output_std"].item() == pytest.approx(variance.item() ** 0.5)


def test_names_are_as_many_as_they_name() -> None:
    with pytest.raises(ValueError, match=r"^query_names must be 3 or none; got 1$"):
        DropoutFigure(**tensors(DROPOUT), query_names=["one"])
    with pytest.raises(ValueError, match=r"^key_names must be 4 or none; got 1$"):
        DropoutMeanFigure(**tensors(DROPOUT), key_names=["one"])


@pytest.mark.parametrize("size", [(1, 17, 2), (1, 2, 17)])
def test_only_few_weights_have_their_places_as_numbers(size: tuple[int, int, int]) -> None:
    scores = torch.zeros(size)
    said = r"^scores must have at most 16 rows and columns; got \(1, .*17"
    with pytest.raises(ValueError, match=said):
        DropoutVariantsFigure(scores, scores)
    with pytest.raises(ValueError, match=said):
        TrainedWeightsFigure(scores, steps=[0])


def test_only_few_keys_have_all_their_sums_drawn() -> None:
    with pytest.raises(ValueError, match=r"^scores must have at most 10 keys; got 11$"):
        DropoutSpreadFigure(torch.zeros(1, 1, 11), torch.ones(1, 11, 1))
