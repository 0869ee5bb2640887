"""Test a figure with a model like Jupyter's, which other widgets change."""

import json
from typing import Any

import pytest
from figure_examples import EXAMPLES, steps
from figure_host import changed_from_elsewhere, in_strict_model
from figure_page import assert_weights
from playwright.sync_api import Page

MOVE_AND_FOLLOW = """
  const weights = () =>
    [...el.querySelectorAll("[data-at]")].map((cell) => [cell.dataset.at, cell.textContent]);
  const input = el.querySelector('[data-control="%s"]');
  input.value = "%s";
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type));
  await settled();
  const moved = weights();
  for (const [name, value] of Object.entries(%s)) change(name, value);
  await settled();
  return [moved, weights()];
"""
OTHER_SCORES = [[[0.0, 9.0, 9.0, 0.5], [1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.5]]]
OTHER_KEYS = [[[9.0, 9.0], [0.5, 0.5], [9.0, 9.0], [9.0, 9.0]]]


@pytest.mark.parametrize(
    ("kind", "control", "entry", "trait", "value", "then"),
    [
        ("steps", "valid_lens[0]", "1", "valid_lens", [1, 3], {"valid_lens": [4, 0]}),
        ("pipeline", "num_hiddens", "4", "num_hiddens", 4, {"valid_lens": [4, 0]}),
        ("look_up", "temperature", "0", "temperature", 0, {"keys_": OTHER_KEYS}),
        ("regression", "kernel", "boxcar", "kernel", "boxcar", {"w": 0.5, "queries": [[[2.0]]]}),
        ("scoring", "score", "gaussian", "score", "gaussian", {"keys_": OTHER_KEYS}),
        ("scaling_weights", "d", "0", "d", 1, {"scaled": False, "d": 4}),
        (
            "comparison",
            "keys[0][1][0]",
            "2",
            "keys_",
            [[[1.5, 0.5], [2.0, 1.0], [0.5, -1.0], [-1.0, 0.5]]],
            {"W": [[1.0, 0.0], [0.0, 1.0]], "queries": [[[0.0, 2.0]]]},
        ),
        ("alignment", "premise", "a cat", "premise", "a cat", {"hypothesis": "a red dog sleeps"}),
        ("broadcasting", "key", "0", "key", 0, {"w_v": [[0.5, 0.5, -1.0]], "query": 0}),
        ("product", "d", "2", "d", 2, {"query": 0, "d": 1}),
        ("dropout", "p", "6", "p", 0.3, {"draw": 2, "scores": OTHER_SCORES}),
    ],
)
def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page,
    module_url: str,
    kind: str,
    control: str,
    entry: str,
    trait: str,
    value: object,
    then: dict[str, Any],
) -> None:
    script = MOVE_AND_FOLLOW % (control, entry, json.dumps(then))
    figure = EXAMPLES[kind]("en")
    result = in_strict_model(page, module_url, figure, script)
    setattr(figure, trait, value)
    assert_weights(result["shown"][0], figure)
    for name, other in then.items():
        setattr(figure, name, other)
    assert_weights(result["shown"][1], figure)
    del result["shown"]
    assert result == {"sets": [trait, "saved"], "left": 0, "html": ""}


CHOICES = "{} is not one of the choices. The value is still {}."
LINE = "Enter one line of at most 400 characters; nothing was changed."
NUMBERS = "Enter a number from 0 to 1000. The value is still 1."


@pytest.mark.parametrize(
    ("kind", "trait", "wrong", "says", "other"),
    [
        ("pipeline", "num_hiddens", "5", CHOICES.format(5, 1), "16"),
        ("steps", "step", "6", CHOICES.format(6, 5), "4"),
        ("look_up", "temperature", "-1", NUMBERS, "5"),
        ("look_up", "temperature", "NaN", NUMBERS, "5"),
        ("look_up", "temperature", "'hot'", NUMBERS, "5"),
        ("bandwidth", "w", "2000", NUMBERS, "5"),
        ("regression", "kernel", "'cubic'", CHOICES.format("cubic", "gaussian"), "'linear'"),
        ("scoring", "score", "'best'", CHOICES.format("best", "dot"), "'cosine'"),
        ("product", "d", "4", CHOICES.format(4, 3), "2"),
        ("broadcasting", "query", "2", CHOICES.format(2, 1), "0"),
        ("dropout", "p", "1", "Enter a number from 0 to 0.9. The value is still 0.5.", "0.7"),
        ("dropout", "draw", "4", CHOICES.format(4, 1), "3"),
        ("dropout", "draw", "1.5", CHOICES.format(1.5, 1), "3"),
        ("alignment", "premise", "'two\\nlines'", LINE, "'a dog'"),
        ("alignment", "hypothesis", "5", LINE, "'a dog'"),
        ("alignment", "hypothesis", "'狗'.repeat(401)", LINE, "''"),
        ("scaling_walk", "d", "3", CHOICES.format(3, 16), "4"),
    ],
)
def test_what_comes_from_elsewhere_and_cannot_be_is_refused(
    page: Page, module_url: str, kind: str, trait: str, wrong: str, says: str, other: str
) -> None:
    script = f"""
      const before = [model.get("{trait}"), field("{trait}").value];
      model.set("{trait}", {wrong});
      await settled();
      const after = [model.get("{trait}"), field("{trait}").value];
      const refused = [String(after) === String(before), said().join("")];
      model.set("{trait}", {other});
      await settled();
      return [...refused, field("{trait}").value !== before[1], said().join("")];
    """
    result = changed_from_elsewhere(page, module_url, EXAMPLES[kind]("en"), script)
    assert result == [True, says, True, ""]


def test_a_number_from_elsewhere_outlives_a_wrong_entry(page: Page, module_url: str) -> None:
    script = """
      const input = field("scores[0][0][0]"), scores = model.get("scores");
      type(input, "");
      model.set("scores", [[[5, ...scores[0][0].slice(1)], scores[0][1]], scores[1]]);
      await settled();
      const shown = [input.value, input.getAttribute("aria-invalid"), said().join("")];
      type(input, "9999");
      return [...shown, model.get("scores")[0][0][0]];
    """
    result = changed_from_elsewhere(page, module_url, steps(), script)
    assert result == ["5", "false", "", 5]


def test_the_sentence_on_a_step_is_said_once(page: Page, module_url: str) -> None:
    script = """
      const heard = [];
      const watcher = new MutationObserver((news) => heard.push(...news));
      const changes = { childList: true, characterData: true, subtree: true };
      watcher.observe(document.querySelector(".sentence"), changes);
      model.set("valid_lens", [1, 1]);
      await settled();
      const lengths = heard.length;
      model.set("step", 2);
      await settled();
      return [lengths, heard.length > 0];
    """
    assert changed_from_elsewhere(page, module_url, steps(), script) == [0, True]
