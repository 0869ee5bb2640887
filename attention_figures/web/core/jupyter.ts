// Renders figures as widgets in Jupyter: the entry point for anywidget.
import type { Model } from "./model.ts";
import { mount } from "./mount.tsx";
import type { Question } from "./question.ts";
import { kinds, strings } from "./registry.ts";
import { translator } from "./strings.ts";

export { register, addStrings } from "./registry.ts";

declare global {
  var attentionKeys: ((event: KeyboardEvent) => void) | undefined;
}

// JupyterLab handles key presses outside text fields, even on sliders, unless the target has
// data-lm-suppress-shortcuts. Shift and Ctrl still reach JupyterLab: Shift+Enter runs the next cell.
if (!globalThis.attentionKeys) {
  globalThis.attentionKeys = ({ target, shiftKey, ctrlKey, metaKey }) => {
    if (!(target instanceof Element) || !target.closest("[data-figure]")) return;
    target.toggleAttribute("data-lm-suppress-shortcuts", !shiftKey && !ctrlKey && !metaKey);
  };
  globalThis.addEventListener?.("keydown", globalThis.attentionKeys, true);
}

/** Called by anywidget for every view of a figure; returns a function that unmounts it. */
export function render({ model, el }: { model: Model; el: HTMLElement }) {
  const [name, lang] = [String(model.get("name")), String(model.get("lang"))];
  const kind = kinds.get(String(model.get("kind")));
  if (!kind) throw new Error(`no kind of figure is called ${model.get("kind")}`);
  const root = document.createElement("div");
  Object.assign(root, { className: "attention-figure", lang });
  Object.assign(root.dataset, { figure: name, kind: kind.name });
  el.append(root);
  const record = (name: string) => {
    const stored = model.get(name) as Partial<Question> | null;
    return stored && "type" in stored ? (stored as Question) : null;
  };
  const t = translator(strings.get(lang) ?? {});
  const questions = { question: record("question"), observation: record("observation") };
  return mount(root, { kind, model, t, ...questions }).stop;
}
