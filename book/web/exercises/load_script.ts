// Loads the site's classic scripts and style sheets on demand, which works on a page from disk too.

/** The script that holds this file. */
const own = document.currentScript as HTMLScriptElement | null;
const loading = new Map<string, Promise<void>>();

const load = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(name, own?.src).href;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading.delete(name); // so that the next try loads again
      reject(new Error(`${name} should load`));
    };
    document.head.append(script);
  });

/** Loads a script beside this one, once. */
export function loadScript(name: string): Promise<void> {
  const promise = loading.get(name) ?? load(name);
  loading.set(name, promise);
  return promise;
}

/** Loads a style sheet beside this script; a page that lacks it still works. */
export const loadSheet = (name: string) =>
  new Promise<void>((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(name, own?.src).href;
    if (document.querySelector(`link[href="${link.href}"]`)) return resolve();
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
