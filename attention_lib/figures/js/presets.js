// @ts-check
// Keys to choose by name, beside the reader's own.
import { choice, select } from "./controls.js";
import { element } from "./dom.js";
import { write } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */

const OWN = "own";

/** The control, if the figure offers any. @param {Model} model @param {Words} words */
export function presetControl(model, words) {
  const name = "key_preset";
  const choices = Object.keys(model.get("key_presets"));
  if (!choices.length) return { element: "", update: () => true };
  const held = choice({ name, choices, model, words });
  const control = select({
    name,
    label: "keys",
    choices,
    say: (preset) => words(`preset_${preset}`),
    change: (preset) => write(model, name, preset),
  });
  const settle = settler(model);
  const update = () => {
    const good = held.isGood();
    if (good) settle();
    if (good) control.update(model.get(name));
    return good;
  };
  return { element: element("div", {}, control.element, held.element), update };
}

/** Lets the keys follow a name that was chosen, and the name keys that are no preset's. */
/** @param {Model} model */
function settler(model) {
  let known = model.get("key_preset");
  return () => {
    const [presets, keys, chosen] = ["key_presets", "keys_", "key_preset"].map(model.get, model);
    const before = known;
    known = chosen;
    if (String(keys) === String(presets[chosen])) return;
    if (chosen !== before) return write(model, "keys_", presets[chosen]);
    model.set("key_presets", { ...presets, [OWN]: keys });
    write(model, "key_preset", (known = OWN));
  };
}
