// Loads trained models at first use, each from its own script, as they are too large for the page.
import { signal, type Signal } from "@preact/signals";

declare global {
  /** The loaded models by name; the scripts write here. */
  var attentionModels: Record<string, unknown> | undefined;
}

export type Loading = "not yet" | "loading" | "failed" | "there";

const loads = new Map<string, Signal<Loading>>();
// The URL of this script's folder: document.currentScript is set only on the first run, and is null in
// Jupyter's ES module.
const folder = globalThis.document?.currentScript?.getAttribute("src")?.replace(/[^/]*$/, "");

function signalOf(name: string): Signal<Loading> {
  const start = () => signal<Loading>(globalThis.attentionModels?.[name] ? "there" : "not yet");
  if (!loads.has(name)) loads.set(name, start());
  return loads.get(name)!;
}

/** Returns the loading state of a model; reading it subscribes to changes. */
export const loadingState = (name: string): Loading => signalOf(name).value;

/** Returns the model, or null until it is loaded. */
export const trainedModel = <T>(name: string): T | null =>
  loadingState(name) === "there" ? (globalThis.attentionModels![name] as T) : null;

/** Loads a model, unless it is loaded or loading. */
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
