// @ts-check
// What a reader can change in a figure, read and set as a whole.
import { range } from "./dom.js";

/** @typedef {ReturnType<typeof stateOf>} State */
/**
 * @typedef {object} Choice of what is drawn; it belongs to one view and is no trait
 * @property {() => number} read
 * @property {(chosen: number) => void} choose
 * @property {number} number of choices
 */

/**
 * @param {import("./model.js").Model} model
 * @param {import("./figure.js").View} view of the moment
 * @param {() => void} renew puts a new view in its place, which remembers nothing
 */
export function stateOf(model, view, renew) {
  let halfway = false;
  const choices = () => Object.entries(view.choices ?? {});
  /** @returns {Record<string, any>} */
  const read = () =>
    Object.fromEntries([
      ...(view.changes ?? view.listensTo).map((name) => [name, model.get(name)]),
      ...choices().map(([name, choice]) => [name, choice.read()]),
    ]);
  const start = read();
  /** Controls take back what cannot be; so read it again. */
  const set = (/** @type {Record<string, any>} */ values) => {
    const traits = Object.entries(values).filter(([name]) => !view.choices?.[name]);
    halfway = true; // in between, parts would not fit together
    traits.forEach(([name, value]) => model.set(name, value));
    halfway = false;
    model.save_changes();
    view.paint();
    renew();
    choices().forEach(([name, choice]) => choice.choose(values[name]));
  };
  /** Whether a view can show it; what a trait can be, its control knows. */
  const allows = (/** @type {string} */ name, /** @type {any} */ value) => {
    const choice = view.choices?.[name];
    return !choice || range(choice.number).includes(value);
  };
  return { read, start, set, allows, reset: () => set(start), isHalfway: () => halfway };
}
