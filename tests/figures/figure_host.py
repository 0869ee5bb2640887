"""Host a figure with a model like Jupyter's, which other widgets may change."""

from typing import Any

from agreement import state
from playwright.sync_api import Page

from attention_figures import Figure

STRICT_MODEL = """
async ([module, state, script]) => {
  const { render } = (await import(module)).default;
  const listeners = new Set(), sets = [], observers = new Set();
  for (const name of ["ResizeObserver", "MutationObserver"]) {
    const Own = window[name];
    window[name] = class extends Own {
      observe(...args) { observers.add(this); super.observe(...args); }
      disconnect() { observers.delete(this); super.disconnect(); }
    };
  }
  for (const global of [window, document]) {
    global.addEventListener = () => { throw new Error("a listener that outlives the figure"); };
  }
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
  const Async = (async () => {}).constructor;
  const settled = () => new Promise(requestAnimationFrame);
  const el = document.createElement("div");
  document.body.append(el);
  const cleanup = render({ model, el });
  const change = (name, value) => { state[name] = value; model.tell(name); };
  const shown = await new Async("el", "change", "settled", script)(el, change, settled);
  cleanup();
  return { sets, shown, left: listeners.size + observers.size, html: el.innerHTML };
}
"""


SHARED_MODEL = """
async ([url, state, ids]) => {
  const { render } = (await import(`${url}/module.js`)).default;
  const listeners = new Set();
  window.model = {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      for (const [event, listener] of [...listeners]) if (event === `change:${name}`) listener();
    },
    on: (event, listener) => listeners.add([event, listener]),
    off: () => {},
    save_changes: () => {},
  };
  for (const id of ids) {
    const el = Object.assign(document.createElement("div"), { id });
    document.body.append(el);
    render({ model, el });
  }
}
"""


def in_views(page: Page, url: str, figure: Figure, *ids: str) -> None:
    """Show views of a figure in elements with these ids, which share `model`."""
    page.goto(url)
    page.evaluate(SHARED_MODEL, [url, _traits(figure), ids])


def _traits(figure: Figure) -> dict[str, Any]:
    late = {name: getattr(figure, name) for name in figure.trait_names(late=True)}
    asked = {name: getattr(figure, name) for name in ("question", "observation")}
    return {**state(figure), **late, **asked}


def in_strict_model(page: Page, url: str, figure: Figure, script: str) -> Any:
    """Run `script` on a figure whose model has only its traits, and then clean up.

    The script can use `el`, the element of the figure; `change(name, value)`, which changes a trait
    as Python does; and `settled()`, to be awaited before the script reads the page.
    """
    page.goto(url)
    return page.evaluate(STRICT_MODEL, [f"{url}/module.js", _traits(figure), script])


def changed_from_elsewhere(page: Page, url: str, figure: Figure, script: str) -> Any:
    """Run `script` on a figure's model, as another widget might, and return what it returns."""
    page.goto(url)
    return page.evaluate(
        """async ([base, state, script]) => {
          const { render } = (await import(`${base}/module.js`)).default;
          const listeners = new Set();
          const model = {
            get: (name) => state[name],
            set: (name, value) => {
              state[name] = value;
              for (const [event, listener] of listeners) if (event === `change:${name}`) listener();
            },
            on: (event, listener) => listeners.add([event, listener]),
            off: () => {},
            save_changes: () => {},
          };
          const el = document.body;
          render({ model, el });
          const said = () => [...el.querySelectorAll("[data-error]")].map((e) => e.textContent);
          const field = (name) => el.querySelector(`[data-control="${name}"]`);
          const type = (input, text) => {
            input.focus();
            input.value = text;
            input.dispatchEvent(new Event("input"));
          };
          const Async = (async () => {}).constructor;
          const settled = () => new Promise(requestAnimationFrame);
          const run = new Async("model", "said", "field", "type", "settled", script);
          return run(model, said, field, type, settled);
        }""",
        [url, _traits(figure), script],
    )
