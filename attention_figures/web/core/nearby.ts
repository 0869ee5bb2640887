// Hydrates parts of a page when they come near the viewport.

// Safari has no requestIdleCallback.
const whenIdle = globalThis.requestIdleCallback ?? ((done: () => void) => setTimeout(done, 200));
const MARGIN = "100% 0px"; // a screen ahead, so that a reader who scrolls finds a part live

/**
 * Calls `hydrate` for each part when it comes near the viewport; once the reader has scrolled, for the others
 * in idle time. All parts are hydrated at once for print, for a lecture, which measures the page, for the Tab
 * key, which would otherwise skip a distant part, and for the browser's search.
 *
 * @param waiting selector of the parts that are not live yet
 * @param hydrate makes a part live, so that `waiting` does not match it any more
 * @returns a function that looks for parts again, because some were added
 */
export function hydrateNearby(waiting: string, hydrate: (part: HTMLElement) => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        if (target.matches(waiting)) hydrate(target as HTMLElement);
      }
    },
    { rootMargin: MARGIN },
  );
  const parts = () => document.querySelectorAll<HTMLElement>(waiting);
  const observe = () => {
    for (const part of parts()) {
      observer.unobserve(part); // observed again, it is reported again
      observer.observe(part);
    }
  };
  const hydrateAll = () => parts().forEach(hydrate);
  const hydrateInIdleTime = ([part, ...others]: HTMLElement[]) => {
    if (!part) return;
    whenIdle(() => {
      if (part.matches(waiting)) hydrate(part);
      hydrateInIdleTime(others);
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", observe);
  else observe();
  addEventListener("beforeprint", hydrateAll);
  document.addEventListener("attention:lecture", hydrateAll);
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if (key === "Tab" || key === "F3" || ((ctrlKey || metaKey) && key === "f")) hydrateAll();
  });
  addEventListener("scroll", () => hydrateInIdleTime([...parts()]), { once: true, passive: true });
  return observe;
}
