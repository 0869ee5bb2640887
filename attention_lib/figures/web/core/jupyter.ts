// The figures as widgets, behind Jupyter's own kernel.
import { kinds, words } from "./registry.ts";

export { register, speak } from "./registry.ts";

/** What a figure uses of anywidget's model. */
export interface Model {
  get(name: string): unknown;
}

/** Called by anywidget for every view of a figure; returns what ends it. */
export function render({ model, el }: { model: Model; el: HTMLElement }) {
  const [kind, lang] = [String(model.get("kind")), String(model.get("lang"))];
  return kinds.get(kind)?.mount(el, { kind, lang }, words.get(lang) ?? {});
}
