// A figure of a page and the same figure in a kernel, as one.
import type { Model } from "./model.ts";

/** Dispatched at a figure of a page, with a kernel's model; who links the two prevents the default. */
export const LINK = "attention:link";

export interface Ends {
  /** The page's, whose state is what the reader sees. */
  page: Model;
  kernel: Model;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether the kernel has made the figure that the page had at first. */
export const isSame = (kernel: Model, stored: Record<string, unknown>) =>
  Object.entries(stored).every(([name, value]) => same(kernel.get(name), value));

/** What changes in one of the two changes in the other; returns what ends that. */
export function link({ page, kernel }: Ends, names: string[]): () => void {
  const tell = () => {
    const news = names.filter((name) => !same(page.get(name), kernel.get(name)));
    for (const name of news) kernel.set(name, page.get(name));
    if (news.length) kernel.save_changes();
  };
  const hear = names.map((name) => {
    const listener = () => {
      if (!same(page.get(name), kernel.get(name))) page.set(name, kernel.get(name));
    };
    return [`change:${name}`, listener] as const;
  });
  for (const [event, listener] of hear) kernel.on(event, listener);
  page.save_changes = tell;
  tell();
  return () => {
    page.save_changes = () => {};
    for (const [event, listener] of hear) kernel.off(event, listener);
  };
}
