// Trained models, too large for a page to have before anybody asks: a script of its own brings one.
import { signal, type Signal } from "@preact/signals";

declare global {
  /** Where these scripts put what they bring, by its name. */
  var attentionModels: Record<string, unknown> | undefined;
}

export type Loading = "not yet" | "loading" | "failed" | "there";

const loads = new Map<string, Signal<Loading>>();
// A script knows where it lies while it runs for the first time; in Jupyter's module nobody does.
const folder = globalThis.document?.currentScript?.getAttribute("src")?.replace(/[^/]*$/, "");

function signalOf(name: string): Signal<Loading> {
  const start = () => signal<Loading>(globalThis.attentionModels?.[name] ? "there" : "not yet");
  if (!loads.has(name)) loads.set(name, start());
  return loads.get(name)!;
}

/** How far it is; whoever reads this is told when it changes. */
export const loadingState = (name: string): Loading => signalOf(name).value;

/** The model, or nothing as long as it is not there. */
export const trainedModel = <T>(name: string): T | null =>
  loadingState(name) === "there" ? (globalThis.attentionModels![name] as T) : null;

/** Bring a model, unless it is there or on its way. */
export function loadModel(name: string) {
  const load = signalOf(name);
  if (load.peek() === "there" || load.peek() === "loading") return;
  load.value = "loading";
  const script = document.createElement("script");
  script.src = `${folder}figures-model-${name.replace("/", "-")}.js`;
  script.onload = () => (load.value = globalThis.attentionModels?.[name] ? "there" : "failed");
  script.onerror = () => {
    script.remove();
    load.value = "failed";
  };
  document.head.append(script);
}
