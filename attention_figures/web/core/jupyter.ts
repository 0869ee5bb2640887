// The figures as widgets, behind Jupyter's own kernel.
import type { Model } from "./model.ts";
import { mount } from "./mount.tsx";
import type { Question } from "./question.ts";
import { kinds, words } from "./registry.ts";
import { wordsOf } from "./words.ts";

export { register, speak } from "./registry.ts";

declare global {
  var attentionKeys: ((event: KeyboardEvent) => void) | undefined;
}

// JupyterLab takes the keys of whatever cannot be written in, sliders too, but for those that are
// marked so. With Shift or Ctrl they are meant for it: Shift+Enter runs the next cell.
if (!globalThis.attentionKeys) {
  globalThis.attentionKeys = ({ target, shiftKey, ctrlKey, metaKey }) => {
    if (!(target instanceof Element) || !target.closest("[data-figure]")) return;
    target.toggleAttribute("data-lm-suppress-shortcuts", !shiftKey && !ctrlKey && !metaKey);
  };
  globalThis.addEventListener?.("keydown", globalThis.attentionKeys, true);
}

/** Called by anywidget for every view of a figure; returns what ends it. */
export function render({ model, el }: { model: Model; el: HTMLElement }) {
  const [name, lang] = [String(model.get("name")), String(model.get("lang"))];
  const kind = kinds.get(String(model.get("kind")));
  if (!kind) throw new Error(`no kind of figure is called ${model.get("kind")}`);
  const root = document.createElement("div");
  Object.assign(root, { className: "attention-figure", lang });
  Object.assign(root.dataset, { figure: name, kind: kind.name });
  el.append(root);
  const question = model.get("question") as Partial<Question> | null;
  const asked = question && "type" in question ? (question as Question) : null;
  return mount(root, { kind, model, words: wordsOf(words.get(lang) ?? {}), question: asked }).stop;
}
