// Links a figure on a page with the same figure in a kernel: a change in one changes the other.
import type { Model } from "./model.ts";

/**
 * Fired on a page figure with the kernel's model as detail. A listener that links the two calls
 * preventDefault().
 */
export const LINK_EVENT = "attention:link";

export interface LinkedModels {
  /** The page's model, whose state the reader sees. */
  page: Model;
  kernel: Model;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether the kernel's figure has the state that the page stores. */
export const hasState = (kernel: Model, stored: Record<string, unknown>) =>
  Object.entries(stored).every(([name, value]) => same(kernel.get(name), value));

/** Keeps the named traits of both models equal; returns a function that unlinks them. */
export function linkModels({ page, kernel }: LinkedModels, names: string[]): () => void {
  const sendToKernel = () => {
    const changed = names.filter((name) => !same(page.get(name), kernel.get(name)));
    for (const name of changed) kernel.set(name, page.get(name));
    if (changed.length) kernel.save_changes();
  };
  const listeners = names.map((name) => {
    const listener = () => {
      if (!same(page.get(name), kernel.get(name))) page.set(name, kernel.get(name));
    };
    return [`change:${name}`, listener] as const;
  });
  for (const [event, listener] of listeners) kernel.on(event, listener);
  page.save_changes = sendToKernel;
  sendToKernel();
  return () => {
    page.save_changes = () => {};
    for (const [event, listener] of listeners) kernel.off(event, listener);
  };
}
