// Loads a classic script, once: a page on a disk can load nothing else.

const loads = new Map<string, Promise<void>>();

/** Rejects if the script does not load; then the next call tries again. */
export function loadScript(src: string): Promise<void> {
  const load = loads.get(src) ?? append(src);
  loads.set(src, load);
  load.catch(() => loads.delete(src));
  return load;
}

const append = (src: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${src} did not load`));
    script.src = src;
    document.head.append(script);
  });
