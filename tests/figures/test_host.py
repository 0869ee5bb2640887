"""A figure and its model, as Jupyter provides it and as other widgets change it."""

from typing import Any

import pytest
from figure_examples import pipeline, steps
from playwright.sync_api import Page

from attention_lib.figures import Figure

STRICT_MODEL = """
async ([module, state]) => {
  const { render } = await import(module);
  const listeners = new Set(), sets = [];
  const known = (name) => { if (!(name in state)) throw new Error(`no trait ${name}`); };
  const model = {
    get(name) { known(name); return structuredClone(state[name]); },
    set(name, value) { known(name); state[name] = value; sets.push(name); this.tell(name); },
    tell(name) { for (const [event, f] of listeners) if (event === `change:${name}`) f(); },
    on(event, listener) { known(event.slice(7)); listeners.add([event, listener]); },
    off(event, listener) {
      const before = listeners.size;
      for (const one of listeners) {
        if (one[0] === event && one[1] === listener) listeners.delete(one);
      }
      if (listeners.size === before) throw new Error(`never heard of ${event}`);
    },
    save_changes() { sets.push("saved"); },
  };
  const el = document.createElement("div");
  document.body.append(el);
  const cleanup = render({ model, el });
  const slider = el.querySelector("input[type=range]");
  slider.value = "1";
  slider.dispatchEvent(new Event("input"));
  const weight = el.querySelector("[data-at='0,0,1']").textContent;
  state.valid_lens = [4, 4];
  model.tell("valid_lens");
  const followed = slider.value;
  cleanup();
  return { sets, weight, followed, left: listeners.size, html: el.innerHTML };
}
"""


@pytest.mark.parametrize("figure", [pipeline(), steps()], ids=["pipeline", "steps"])
def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str, figure: Figure
) -> None:
    page.goto(sources_url)
    state = {name: getattr(figure, name) for name in figure.trait_names(state=True)}
    result = page.evaluate(STRICT_MODEL, [f"{sources_url}/figure.js", state])
    assert result == {
        "sets": ["valid_lens", "saved"],
        "weight": "0",
        "followed": "4",
        "left": 0,
        "html": "",
    }


def changed_from_elsewhere(page: Page, url: str, figure: Figure, script: str) -> Any:
    """Run `script` on a figure's model, as another widget might, and return what it returns."""
    page.goto(url)
    state = {name: getattr(figure, name) for name in figure.trait_names(state=True)}
    return page.evaluate(
        """async ([base, state, script]) => {
          const { localModel } = await import(`${base}/model.js`);
          const { render } = await import(`${base}/figure.js`);
          const model = localModel(state), el = document.body;
          render({ model, el });
          const said = () => [...el.querySelectorAll("[data-error]")].map((e) => e.textContent);
          const field = (name) => el.querySelector(`[data-control="${name}"]`);
          const type = (input, text) => {
            input.focus();
            input.value = text;
            input.dispatchEvent(new Event("input"));
          };
          return new Function("model", "said", "field", "type", script)(model, said, field, type);
        }""",
        [url, state, script],
    )


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
