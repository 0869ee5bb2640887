"""Test presets of keys, and the reader's own keys beside them."""

from typing import Any

import pytest
import torch
from figure_host import changed_from_elsewhere
from figure_page import Open, assert_shows, columns, control
from interaction import resize
from playwright.sync_api import Page, expect

from attention_figures import AttentionFigure
from attention_lib import AdditiveAttention

IDENTICAL = torch.ones(2, 10, 2)
ONE_CHANGED = torch.cat([IDENTICAL[:, :3], -IDENTICAL[:, :1], IDENTICAL[:, 4:]], dim=1)
RANDOM = torch.arange(40.0).sin().reshape(2, 10, 2)
PRESETS = {"identical": IDENTICAL, "one_changed": ONE_CHANGED, "random": RANDOM}


def toy(
    presets: dict[str, Any] | None = PRESETS, keys: torch.Tensor = IDENTICAL, lang: str = "en"
) -> AttentionFigure:
    """Return the toy batch of the chapter on additive attention."""
    torch.manual_seed(0)
    modules = [AdditiveAttention(2, 20, num_hiddens) for num_hiddens in (1, 8, 64)]
    values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    inputs = torch.randn(2, 1, 20), keys, values
    return AttentionFigure(modules, *inputs, [2, 6], lang=lang, key_presets=presets)


def test_identical_keys_share_the_weight_evenly() -> None:
    weights = toy().attention_weights
    expected = torch.zeros(2, 1, 10, dtype=torch.float64)
    expected[0, 0, :2], expected[1, 0, :6] = 1 / 2, 1 / 6
    torch.testing.assert_close(weights, expected)


def test_a_name_brings_its_keys() -> None:
    figure = toy()
    assert figure.key_preset == "identical"
    for name, keys in PRESETS.items():
        figure.key_preset = name
        torch.testing.assert_close(torch.tensor(figure.keys_), keys, atol=5e-5, rtol=0)


def test_other_keys_are_the_readers_own_and_come_back() -> None:
    figure = toy()
    own = figure.keys_
    own[1][2][0] = 7.0
    figure.keys_ = own
    assert figure.key_preset == "own"
    figure.key_preset = "random"
    assert figure.keys_ != own
    figure.key_preset = "own"
    assert figure.keys_ == own


def test_keys_that_are_no_preset_are_own_from_the_start() -> None:
    figure = toy(keys=2 * IDENTICAL)
    assert figure.key_preset == "own"
    figure.key_preset = "identical"
    figure.key_preset = "own"
    assert figure.keys_ == (2 * IDENTICAL).tolist()


def test_the_page_sends_keys_and_name_together() -> None:
    figure = toy()
    own = (3 * IDENTICAL).tolist()
    presets = {**figure.key_presets, "own": own}
    figure.set_state({"key_preset": "own", "key_presets": presets, "keys_": own})
    assert (figure.key_preset, figure.keys_) == ("own", own)
    figure.set_state({"key_preset": "identical", "keys_": IDENTICAL.tolist()})
    assert (figure.key_preset, figure.keys_) == ("identical", IDENTICAL.tolist())


@pytest.mark.parametrize(
    ("presets", "error", "says"),
    [
        ({"all": IDENTICAL}, ValueError, r"key_presets must be named .* got \['all'\]"),
        ({"random": RANDOM[:1]}, ValueError, r"key_presets\['random'\] must have shape \(2, 10, 2"),
        ({"random": torch.nan * RANDOM}, ValueError, r"key_presets\['random'\] must be finite"),
        ([IDENTICAL], TypeError, "key_presets must be a dict; got list"),
    ],
)
def test_wrong_presets_are_refused(presets: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        toy(presets)


def test_a_name_that_is_none_is_refused() -> None:
    figure = toy({"random": RANDOM})
    with pytest.raises(ValueError, match=r"key_preset must be one of \['random', 'own'\]; got 'id"):
        figure.key_preset = "identical"
    assert figure.key_preset == "own"
    with pytest.raises(ValueError, match=r"key_preset must be one of \['own'\]; got 'random'"):
        toy(None).key_preset = "random"


@pytest.mark.parametrize(
    ("lang", "texts"),
    [
        ("en", ["random", "identical", "your own"]),
        ("zh", ["随机", "全部相同", "自己输入"]),
    ],
)
def test_any_of_the_presets_are_offered_in_any_order(
    open_figure: Open, lang: str, texts: list[str]
) -> None:
    presets = {"random": RANDOM, "identical": IDENTICAL}
    page = open_figure(toy(presets, lang=lang))
    assert control(page, "key_preset").locator("option").all_inner_texts() == texts
    expect(control(page, "key_preset")).to_have_value("identical")


def test_without_presets_there_is_no_choice(open_figure: Open) -> None:
    expect(control(open_figure(toy(None)), "key_preset")).to_have_count(0)


def test_the_reader_chooses_types_and_gets_the_own_keys_back(open_figure: Open) -> None:
    figure = toy()
    page = open_figure(figure)
    choice = control(page, "key_preset")
    choice.select_option("one_changed")
    figure.key_preset = "one_changed"
    assert_shows(page, figure)
    control(page, "keys[0][1][0]").fill("-2.5")
    expect(choice).to_have_value("own")
    own = torch.tensor(figure.keys_)
    own[0, 1, 0] = -2.5
    figure.keys_ = own
    assert_shows(page, figure)
    for name in ("random", "own", "identical", "own"):
        choice.select_option(name)
        figure.key_preset = name
        assert_shows(page, figure)
    expect(control(page, "keys[0][1][0]")).to_have_value("-2.5")


def test_a_wrong_entry_leaves_the_choice_alone(open_figure: Open) -> None:
    page = open_figure(toy())
    control(page, "keys[0][0][0]").fill("")
    expect(control(page, "key_preset")).to_have_value("identical")


def test_a_choice_and_keys_from_elsewhere_are_followed(page: Page, module_url: str) -> None:
    script = """
      const shown = async () => {
        await settled();
        return [field("key_preset").value, field("keys[0][0][0]").value];
      };
      model.set("key_preset", "random");
      const chosen = await shown();
      model.set("keys_", model.get("keys_").map((keys) => keys.map(() => [5, 6])));
      const typed = await shown();
      model.set("key_preset", "identical");
      model.set("key_preset", "own");
      const back = await shown();
      model.set("key_preset", "every");
      await settled();
      return [chosen, typed, back, model.get("key_preset"), said().join("")];
    """
    random = f"{RANDOM[0, 0, 0].item():g}"
    assert changed_from_elsewhere(page, module_url, toy(), script) == [
        ["random", random],
        ["own", "5"],
        ["own", "5"],
        "own",
        "every is not one of the choices. The value is still own.",
    ]


@pytest.mark.parametrize("width", [700, 390])
def test_the_columns_of_all_stages_are_the_same_keys(open_figure: Open, width: int) -> None:
    page = open_figure(toy())
    resize(page, width, 800)
    control(page, "key_preset").select_option("random")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".pipeline").first.evaluate("flow => flow.scrollLeft = 40")
    names = ["keys[0].T", "scores[0]", "mask[0]", "values[0].T", "attention_weights[0]"]
    edges = [columns(page, name) for name in names]
    assert len(edges[0]) == 10
    for line in edges[1:]:
        assert line == pytest.approx(edges[0], abs=0.5)
