"""A figure and its model, as Jupyter provides it and as other widgets change it."""

import pytest
from figure_examples import pipeline, steps
from figure_host import changed_from_elsewhere, in_strict_model
from playwright.sync_api import Page

from attention_lib.figures import Figure

SLIDE_AND_FOLLOW = """
  const slider = el.querySelector("input[type=range]");
  slider.value = "1";
  slider.dispatchEvent(new Event("input"));
  const weight = el.querySelector("[data-at='0,0,1']").textContent;
  change("valid_lens", [4, 4]);
  return [weight, slider.value];
"""


@pytest.mark.parametrize("figure", [pipeline(), steps()], ids=["pipeline", "steps"])
def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str, figure: Figure
) -> None:
    result = in_strict_model(page, sources_url, figure, SLIDE_AND_FOLLOW)
    assert result == {
        "sets": ["valid_lens", "saved"],
        "shown": ["0", "4"],
        "left": 0,
        "html": "",
    }


@pytest.mark.parametrize(
    ("figure", "trait", "wrong", "kept", "other"),
    [(pipeline(), "num_hiddens", 5, 1, 16), (steps(step=1), "step", 6, 1, 4)],
    ids=["num_hiddens", "step"],
)
def test_a_choice_from_elsewhere_that_is_none_is_refused(
    page: Page, sources_url: str, figure: Figure, trait: str, wrong: int, kept: int, other: int
) -> None:
    script = f"""
      model.set("{trait}", {wrong});
      const refused = [model.get("{trait}"), said().join("")];
      model.set("{trait}", {other});
      return [...refused, field("{trait}").value, said().join("")];
    """
    result = changed_from_elsewhere(page, sources_url, figure, script)
    assert result == [kept, f"{wrong} is not among the choices; kept {kept}", str(other), ""]


def test_a_number_from_elsewhere_outlives_a_wrong_entry(page: Page, sources_url: str) -> None:
    script = """
      const input = field("scores[0][0][0]"), scores = model.get("scores");
      type(input, "");
      model.set("scores", [[[5, ...scores[0][0].slice(1)], scores[0][1]], scores[1]]);
      const shown = [input.value, input.getAttribute("aria-invalid"), said().join("")];
      type(input, "9999");
      return [...shown, model.get("scores")[0][0][0]];
    """
    result = changed_from_elsewhere(page, sources_url, steps(), script)
    assert result == ["5", "false", "", 5]


def test_the_sentence_on_a_step_is_said_once(page: Page, sources_url: str) -> None:
    script = """
      const watcher = new MutationObserver(() => {});
      watcher.observe(document.querySelector(".sentence"), { childList: true });
      model.set("valid_lens", [1, 1]);
      const lengths = watcher.takeRecords().length;
      model.set("step", 2);
      return [lengths, watcher.takeRecords().length > 0];
    """
    assert changed_from_elsewhere(page, sources_url, steps(), script) == [0, True]
