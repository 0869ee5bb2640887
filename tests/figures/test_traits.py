"""Test figures as widgets in Python: traits can be read, set, linked and observed."""

import json
import re
from html import unescape

import ipywidgets
import pytest
import torch
import traitlets
from figure_examples import START, pipeline, random_attention, steps

from attention_course.dates import figure_model
from attention_figures import (
    AttentionFigure,
    CacheFigure,
    DatesFigure,
    Figure,
    GroupsFigure,
    MaskedSoftmaxFigure,
    NoteFigure,
    OnlineFigure,
    OrderFigure,
    PositionsFigure,
    ProjectionsFigure,
    RecallFigure,
    ReplayFigure,
)
from attention_lib import AdditiveAttention, DotProductAttention, masked_softmax


def html(figure: Figure) -> str:
    data, _ = figure._repr_mimebundle_()
    return str(data["text/html"])


def test_lengths_can_be_set_from_lists_and_tensors_in_both_forms() -> None:
    figure = pipeline()
    figure.valid_lens = [4, 0]
    assert figure.valid_lens == [4, 0]
    figure.valid_lens = torch.tensor([[1, 3], [2, 4]])
    assert figure.valid_lens == [[1, 3], [2, 4]]


def test_a_changed_copy_of_the_state_can_be_assigned() -> None:
    figure, seen = pipeline(), []
    figure.observe(lambda change: seen.append(change.new), "valid_lens")
    lengths, keys = figure.valid_lens, figure.keys_
    lengths[0], keys[0][0][0] = 4, 7.0
    assert figure.valid_lens == [2, 3]
    assert figure.keys_[0][0][0] != 7
    figure.valid_lens, figure.keys_ = lengths, keys
    assert seen == [[4, 3]]
    assert figure.keys_[0][0][0] == 7


def test_the_weights_are_those_of_the_module_for_the_state_of_the_moment() -> None:
    figure = random_attention(seed=1)
    queries, keys = torch.tensor(figure.queries), torch.tensor(figure.keys_)
    lengths = torch.zeros_like(torch.tensor(figure.valid_lens))
    lengths[0] = 1
    figure.valid_lens = lengths
    expected = masked_softmax(DotProductAttention().score(queries, keys), lengths)
    torch.testing.assert_close(figure.attention_weights.float(), expected)
    torch.testing.assert_close(
        figure.output.float(), torch.bmm(expected, torch.tensor(figure.values))
    )


def test_num_hiddens_chooses_the_module() -> None:
    figure = pipeline()
    first = figure.scores
    figure.num_hiddens = 16
    assert not torch.equal(figure.scores, first)
    chosen = next(module for module in figure.modules if module["num_hiddens"] == 16)
    assert len(chosen["W_q"]) == 16
    hidden = [torch.tensor(chosen[name], dtype=torch.float64) for name in ("W_q", "W_k", "w_v")]
    query, key = (torch.tensor(x, dtype=torch.float64) for x in (figure.queries, figure.keys_))
    by_hand = torch.tanh(hidden[0] @ query[1, 0] + hidden[1] @ key[1, 2]) @ hidden[2][0]
    torch.testing.assert_close(figure.scores[1, 0, 2], by_hand)


def test_the_state_is_rounded_and_the_callers_tensors_and_module_are_untouched() -> None:
    module = AdditiveAttention(3, 3, 2)
    inputs = torch.randn(1, 2, 3), torch.randn(1, 4, 3), torch.randn(1, 4, 2)
    copies = [x.clone() for x in (*inputs, module.W_q.weight)]
    figure = AttentionFigure(module, *inputs)
    assert re.fullmatch(r"-?\d+\.\d{1,4}", str(figure.keys_[0][0][0]))
    for x, kept in zip((*inputs, module.W_q.weight), copies, strict=True):
        assert torch.equal(x, kept)
    assert figure.valid_lens == [4]


def test_scalar_traits_link_to_ipywidgets_and_lists_are_observed() -> None:
    figure, slider, seen = steps(step=0), ipywidgets.IntSlider(max=5), []
    ipywidgets.link((figure, "step"), (slider, "value"))
    slider.value = 4
    assert figure.step == 4
    figure.observe(lambda change: seen.append((change.old, change.new)), "valid_lens")
    figure.valid_lens = [1, 4]
    assert seen == [([2, 3], [1, 4])]
    ipywidgets.jslink((figure, "step"), (ipywidgets.Play(max=5), "value"))
    chosen, dropdown = pipeline(), ipywidgets.Dropdown(options=[1, 4, 16])
    ipywidgets.link((chosen, "num_hiddens"), (dropdown, "value"))
    dropdown.value = 16
    assert chosen.num_hiddens == 16


def test_what_the_page_sends_is_checked_like_everything_else() -> None:
    figure = pipeline()
    figure.set_state({"valid_lens": [0, 1]})
    assert figure.valid_lens == [0, 1]
    with pytest.raises(ValueError, match="valid_lens"):
        figure.set_state({"valid_lens": [0, 9]})
    assert figure.valid_lens == [0, 1]


def test_a_notebook_holds_the_state_and_its_tables_and_no_code() -> None:
    text = html(steps(lang="zh"))
    start = '<div class="attention-figure" data-figure="masked-softmax" data-kind="masked_softmax"'
    assert text.startswith(f'{start} lang="zh">')
    state = json.loads(re.findall(r"<script[^>]*>(.*?)</script>", text)[0])
    assert state["scores"] == START
    assert "<td>0.6457</td>" in text
    assert "function" not in text
    assert html(steps(lang="zh")) == text


def test_a_last_bit_below_zero_is_written_as_zero() -> None:
    values = torch.tensor([[[-0.3], [0.1]]])  # the weights are nearly 1/4 and 3/4
    scores = torch.tensor([[[0.0], [1.0986]]])
    figure = AttentionFigure(DotProductAttention(), torch.ones(1, 1, 1), scores[0][None], values)
    assert -0.00005 < figure.output.item() < 0
    assert "-0.0000" not in html(figure)


def test_the_representation_is_stable() -> None:
    assert repr(pipeline()) == "AttentionFigure(name='attention', valid_lens=[2, 3])"
    data, _ = pipeline()._repr_mimebundle_()
    assert data["text/plain"] == repr(pipeline())


def test_text_in_the_state_cannot_end_its_script_element() -> None:
    class Noted(MaskedSoftmaxFigure):
        note = traitlets.Unicode("</script><!--<script>").tag(sync=True, state=True)

    text = html(Noted(torch.tensor(START), [2, 3]))
    state = re.findall(r"<script[^>]*>(.*?)</script>", text)[0]
    assert json.loads(state)["note"] == "</script><!--<script>"
    assert "<" not in state


def test_what_is_assigned_cannot_become_markup() -> None:
    figure = steps(lang="zh")
    figure.kind = '"><script>alert(1)</script>'
    text = html(figure)
    assert text.count("<script") == 1
    (start,) = re.findall(r'data-kind="([^"]*)"', text)
    assert unescape(start) == figure.kind


def test_no_figure_writes_what_is_no_json() -> None:
    def measured(number: float) -> MaskedSoftmaxFigure:
        class Measured(MaskedSoftmaxFigure):
            measured = traitlets.List([number]).tag(sync=True, state=True)

        return Measured(torch.tensor(START), [2, 3])

    with pytest.raises(ValueError, match=r"measured\[0\] must be finite; got nan"):
        measured(torch.nan)
    figure = measured(1.0)
    figure.measured = [1.0, torch.inf]
    with pytest.raises(ValueError, match=r"measured\[1\] must be finite; got inf"):
        html(figure)


TWO, FLAT = ["a", "b"], torch.ones(1, 2)
BOARDS, WEIGHTS = torch.ones(1, 2, 2), torch.eye(2).expand(2, 2, 2, 2)


@pytest.mark.parametrize(
    ("figure", "given", "start"),
    [
        (CacheFigure, [TWO], {"step": 1, "cached": True}),
        (
            DatesFigure,
            [figure_model("en")],
            {"year": 2014, "month": 5, "day": 3, "style": 0, "place": 0},
        ),
        (GroupsFigure, [], {"num_heads": 8, "kv_heads": 8, "tokens": 8192, "layers": 32}),
        (NoteFigure, [BOARDS, TWO, TWO], {"size": 1, "day": 0, "asked": 0, "unit": ""}),
        (OnlineFigure, [FLAT[0], FLAT[0]], {"step": 1, "names": []}),
        (OrderFigure, [TWO, BOARDS], {"order": [0, 1], "positioned": False}),
        (PositionsFigure, [16, 4], {"position": 0, "distance": 1}),
        (ProjectionsFigure, [TWO, BOARDS, FLAT, FLAT, FLAT, TWO], {"query": 0}),
        (RecallFigure, [TWO, BOARDS, BOARDS], {"length": 1, "asked": 0}),
        (ReplayFigure, [WEIGHTS, [0, 1], TWO], {"run": 0, "step": 0, "curve": "loss"}),
    ],
)
def test_what_is_not_said_starts_as_documented(
    figure: type[Figure], given: list[object], start: dict[str, object]
) -> None:
    made = figure(*given)
    assert {name: getattr(made, name) for name in start} == start


def test_a_figure_starts_in_the_requested_state() -> None:
    note = NoteFigure(BOARDS, TWO, TWO, day=1, asked=1, unit="°C")
    assert (note.day, note.asked, note.unit) == (1, 1, "°C")
    assert RecallFigure(TWO, BOARDS, BOARDS, length=2, asked=1).asked == 1
    assert ReplayFigure(WEIGHTS, [0, 1], TWO, run=1).run == 1
    assert OrderFigure(TWO, BOARDS, positioned=True).positioned
    assert ProjectionsFigure(TWO, BOARDS, FLAT, FLAT, FLAT, TWO, query=1).query == 1


def test_the_tables_of_a_cache_and_of_a_running_softmax_name_their_words() -> None:
    online = OnlineFigure(FLAT[0], FLAT[0], names=TWO)
    assert online.headings() == dict.fromkeys(online.stages(), ([], TWO))
    cache = CacheFigure(["a", "dog", "barks"])
    named = ["a", "dog", "barks"]
    assert cache.headings() == {
        "computed": (named, named),
        "reused": (named, named),
        "by_step": (named, []),
    }
