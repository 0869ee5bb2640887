// Restores a figure's state from the URL hash or from sessionStorage, and creates share links.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Figure } from "./figure.ts";
import {
  decodeState,
  differences,
  fnv1a,
  encodeJson,
  encodedStateIn,
  type Values,
} from "./url_hash.ts";
import { readSession, writeSession } from "./session_storage.ts";

const TOLERANCE = 8; // pixels

export interface UrlState {
  /** An error message if the URL hash is invalid; otherwise empty. */
  notice: ReadonlySignal<string>;
  /** Returns the URL of the present state. */
  link(): string;
}

/** `stored`: the figure's initial state, as the page stores it. */
export function trackUrlState(figure: Figure, root: HTMLElement, stored: Values): UrlState {
  // Localised traits do not count, so that links stay valid in the page's translation.
  const withoutText = Object.fromEntries(
    (figure.kind.localised ?? []).map((name) => [name, undefined]),
  );
  const fingerprint = fnv1a(JSON.stringify({ ...stored, lang: "", ...withoutText }));
  const key = `figure-${figure.name}:${fingerprint}`;
  const notice = signal("");

  const applyChanges = (changes: Values, hidden: boolean) => {
    const requested = { ...figure.initialState, ...changes };
    if (!figure.restore(requested)) return false;
    figure.hidden.value = hidden;
    return !Object.keys(differences(requested, figure.read())).length; // nothing was adjusted
  };
  const restore = (saved: unknown) => {
    const { changes = {}, hidden, asked, observed } = Object(saved) as Record<string, unknown>;
    if (
      Object(changes).constructor !== Object ||
      !applyChanges(changes as Values, hidden === true)
    ) {
      figure.reset();
      figure.hidden.value = false;
    }
    figure.questionState.reset();
    figure.questionState.restore(asked);
    figure.observationState.reset();
    figure.observationState.restore(observed);
  };
  const currentState = () => ({
    changes: differences(figure.read(), figure.initialState),
    hidden: figure.hidden.value,
    asked: figure.questionState.read(),
    observed: figure.observationState.read(),
  });

  let before: unknown = null; // the state before the reader followed a link on this page
  const openLink = (encoded: string) => {
    const link = decodeState(encoded, fingerprint, figure.initialState);
    const error = "error" in link ? link.error : "linkBroken";
    const valid = "changes" in link && applyChanges(link.changes, link.hidden);
    if (!valid) {
      figure.reset();
      figure.hidden.value = false;
    } else if (Object.keys(link.changes).length) figure.questionState.skip(); // never hide a linked state
    notice.value = valid ? "" : figure.t(error);
    scrollToFigure(root);
  };
  const onHashChange = (first = false) => {
    const encoded = encodedStateIn(location.hash, figure.name);
    if (encoded !== null) {
      before ??= first ? Object(readSession(key)) : currentState();
      openLink(encoded);
    } else if (before && !location.hash) {
      restore(before); // after the browser's Back button
      before = null;
      notice.value = "";
    }
  };
  const link = () => {
    const { changes, hidden } = currentState();
    const encoded = encodeJson(hidden ? [fingerprint, changes, true] : [fingerprint, changes]);
    return `${location.href.split(/[?#]/)[0]}#figure-${figure.name}:${encoded}`;
  };

  // The form for reporting a mistake asks for the hash: book/web/scripts/report.ts.
  root.addEventListener("attention:address", (event) => {
    (event as CustomEvent<{ hash: string }>).detail.hash = new URL(link()).hash;
  });

  const saved = readSession(key);
  if (saved) restore(saved);
  onHashChange(true);
  const save = () => {
    const state = currentState();
    const moved = Object.keys(state.changes).length > 0 || state.hidden;
    writeSession(
      key,
      moved || state.asked.status !== figure.questionState.initialStatus ? state : null,
    );
  };
  addEventListener("pagehide", save);
  document.addEventListener("visibilitychange", save); // phones discard hidden pages without pagehide
  addEventListener("hashchange", () => onHashChange());
  for (const event of ["input", "click"]) {
    root.addEventListener(event, () => (notice.value = ""));
  }
  // The language switch keeps the URL hash; update it to the present state first.
  const updateHash = ({ target }: Event) => {
    const switchesLanguage = target instanceof Element && target.closest("a[hreflang]");
    if (switchesLanguage && encodedStateIn(location.hash, figure.name) !== null)
      history.replaceState(history.state, "", link());
  };
  for (const event of ["click", "auxclick"]) document.addEventListener(event, updateHash, true);
  return { notice, link };
}

/** Scrolls to a figure, and again after loading: until then the page may be too short to scroll. */
function scrollToFigure(root: HTMLElement) {
  const distance = () => root.getBoundingClientRect().top;
  root.scrollIntoView();
  const [place, top] = [scrollY, distance()];
  const again = () => {
    const unmoved = scrollY === place || Math.abs(distance() - top) < TOLERANCE;
    if (unmoved) root.scrollIntoView(); // otherwise the reader has scrolled
  };
  if (document.readyState !== "complete") addEventListener("load", again, { once: true });
}
