// Restores a figure from the URL hash or from session storage, and creates links to its state.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Figure } from "./figure.ts";
import { describedBy, differences, markOf, packed, saidOf, type Values } from "./links.ts";
import { recall, remember } from "./store.ts";

const SLIGHTLY = 8; // pixels

export interface Addressed {
  /** What is wrong with the address, if anything is. */
  notice: ReadonlySignal<string>;
  /** The address of this state. */
  link(): string;
}

/** `stored`: all that the page stores of the figure. */
export function addressed(figure: Figure, root: HTMLElement, stored: Values): Addressed {
  // The twin in the other language has the same mark, and so has a figure that got words later.
  const silent = Object.fromEntries((figure.kind.spoken ?? []).map((name) => [name, undefined]));
  const mark = markOf(JSON.stringify({ ...stored, lang: "", ...silent }));
  const key = `figure-${figure.name}:${mark}`;
  const notice = signal("");

  const shows = (changes: Values, hidden: boolean) => {
    const wanted = { ...figure.start, ...changes };
    if (!figure.show(wanted)) return false;
    figure.hidden.value = hidden;
    return !Object.keys(differences(wanted, figure.read())).length; // nothing else has settled
  };
  const restore = (was: unknown) => {
    const { changes = {}, hidden, asked } = Object(was) as Record<string, unknown>;
    if (Object(changes).constructor !== Object || !shows(changes as Values, hidden === true)) {
      figure.reset();
      figure.hidden.value = false;
    }
    figure.asking.reset();
    figure.asking.restore(asked);
  };
  const now = () => ({
    changes: differences(figure.read(), figure.start),
    hidden: figure.hidden.value,
    asked: figure.asking.read(),
  });

  let before: unknown = null; // what was there before a link was followed on this page
  const open = (text: string) => {
    const link = describedBy(text, mark, figure.start);
    const wrong = "wrong" in link ? link.wrong : "linkBroken";
    const good = "changes" in link && shows(link.changes, link.hidden);
    if (!good) {
      figure.reset();
      figure.hidden.value = false;
    } else if (Object.keys(link.changes).length) figure.asking.skip(); // another state opens uncovered
    notice.value = good ? "" : figure.words(wrong);
    bringIntoView(root);
  };
  const follow = (first = false) => {
    const text = saidOf(location.hash, figure.name);
    if (text !== null) {
      before ??= first ? Object(recall(key)) : now();
      open(text);
    } else if (before && !location.hash) {
      restore(before); // by the browser's way back
      before = null;
      notice.value = "";
    }
  };
  const link = () => {
    const { changes, hidden } = now();
    const own = packed(hidden ? [mark, changes, true] : [mark, changes]);
    return `${location.href.split(/[?#]/)[0]}#figure-${figure.name}:${own}`;
  };

  // To whoever reports a mistake: book/web/scripts/report.ts.
  root.addEventListener("attention:address", (event) => {
    (event as CustomEvent<{ hash: string }>).detail.hash = new URL(link()).hash;
  });

  const was = recall(key);
  if (was) restore(was);
  follow(true);
  const keep = () => {
    const state = now();
    const moved = Object.keys(state.changes).length > 0 || state.hidden;
    remember(key, moved || state.asked.status !== figure.asking.first ? state : null);
  };
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keep); // a phone may never come back
  addEventListener("hashchange", () => follow());
  for (const event of ["input", "click"]) {
    root.addEventListener(event, () => (notice.value = ""));
  }
  // The language switch takes along the state in the address: that of the figure by then.
  const renew = ({ target }: Event) => {
    const leaves = target instanceof Element && target.closest("a[hreflang]");
    if (leaves && saidOf(location.hash, figure.name) !== null)
      history.replaceState(history.state, "", link());
  };
  for (const event of ["click", "auxclick"]) document.addEventListener(event, renew, true);
  return { notice, link };
}

/** Scrolls to a figure, and again when the whole page is there: below it may be no room yet. */
function bringIntoView(root: HTMLElement) {
  const distance = () => root.getBoundingClientRect().top;
  root.scrollIntoView();
  const [place, top] = [scrollY, distance()];
  const again = () => {
    const unmoved = scrollY === place || Math.abs(distance() - top) < SLIGHTLY;
    if (unmoved) root.scrollIntoView(); // else the reader has gone on
  };
  if (document.readyState !== "complete") addEventListener("load", again, { once: true });
}
