// @ts-check
// Lecture mode: one section per screen, in parts where it is longer than the screen.
"use strict";

const lectureMode = (() => {
  const page = document.documentElement;
  const stage = /** @type {HTMLElement} */ (document.querySelector("article"));
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector("#lecture-bar"));
  const { onScreen, partsOf, placeOfReader, put, remember, scale, tidy } = lectureParts;

  /** What happens on the screen itself; all else is about which screen is shown. */
  /** @type {Record<string, () => void>} */
  const ACTS = {
    hide: () => onScreen("[data-control=hide]").forEach((toggle) => toggle.click()),
    reveal: () => {
      const hidden = onScreen("[data-hidden] [data-control=hide]");
      const closed = onScreen("details:not([open], .share) > summary");
      hidden.concat(hidden.length ? [] : closed.slice(0, 1)).forEach((answer) => answer.click());
    },
    theme: () => {
      const { theme } = page.dataset;
      const toggle = /** @type {HTMLElement} */ (document.querySelector(".theme-switch-button"));
      // One of its three choices is the system's, which may look as it does now.
      for (let i = 0; i < 3 && page.dataset.theme === theme; i++) toggle.click();
    },
  };

  const begin = () => {
    const bar = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    const keys = /** @type {HTMLDialogElement} */ (bar.querySelector("dialog"));
    const status = /** @type {HTMLElement} */ (bar.querySelector("[role=status]"));
    const count = /** @type {HTMLElement} */ (bar.querySelector(".lecture-count"));
    const titles = stage.querySelectorAll("section > :is(h1, h2, h3)");
    const headings = /** @type {HTMLElement[]} */ ([...titles]);
    const sections = headings.length;
    const place = placeOfReader();
    const restore = remember();
    let [section, part, shape] = [0, 0, ""];
    /** @type {Part[]} */
    let parts = [];

    /** What the parts were cut for; a figure keeps its size while its controls are moved, if it can. */
    const shapeNow = () => {
      const { clientWidth, clientHeight, scrollHeight } = stage;
      const inner = parts[part].alone
        ? scrollHeight > clientHeight + 1
        : headings[section].parentElement?.offsetHeight;
      return [clientWidth, clientHeight, inner].join();
    };

    const show = () => {
      const { blocks, size, top } = parts[part];
      scale(size);
      put(headings[section], blocks);
      if (parts.length > 1) headings[section].dataset.screen = `${part + 1} / ${parts.length}`;
      stage.scrollTop = top;
      shape = shapeNow();
      tell();
    };

    const tell = () => {
      /** @type {Record<string, number>} */
      const numbers = { section: section + 1, sections, part: part + 1, parts: parts.length };
      const { sections: one, parts: many } = status.dataset;
      status.textContent = [one, parts.length > 1 ? many : ""]
        .join(" ")
        .replace(/\{(\w+)\}/g, (_, name) => String(numbers[name]));
      count.textContent = `${section + 1} / ${sections}`;
      const done = (section + (part + 1) / parts.length) / sections;
      bar.style.setProperty("--done", String(done));
      bar.toggleAttribute("data-first", section + part === 0);
      bar.toggleAttribute("data-last", done === 1);
      if (!document.activeElement?.checkVisibility({ visibilityProperty: true })) bar.focus();
    };

    /** @param {number} to @param {(parts: Part[]) => number} choose */
    const open = (to, choose) => {
      section = to;
      parts = partsOf(headings[section]);
      part = Math.max(0, choose(parts));
      show();
    };

    /** @param {Node} node */
    const goTo = (node) => {
      const holds = (/** @type {Node} */ block) => block.contains(node) || node.contains(block);
      const around = headings.filter((heading) => heading.parentElement?.contains(node));
      const innermost = headings.indexOf(around.at(-1) ?? headings[0]);
      open(innermost, (parts) => parts.findIndex(({ blocks }) => blocks.some(holds)));
    };

    const here = () => (part && parts[part].blocks[0]) || headings[section];

    /** @param {number} by */
    const move = (by) => {
      if (parts[part + by]) {
        part += by;
        show();
      } else if (headings[section + by])
        open(section + by, ({ length }) => (by > 0 ? 0 : length - 1));
    };

    /** @type {Record<string, () => void>} */
    const acts = {
      ...ACTS,
      next: () => move(1),
      back: () => move(-1),
      first: () => open(0, () => 0),
      last: () => open(sections - 1, ({ length }) => length - 1),
      keys: () => keys.showModal(),
      leave: () => {
        const target = here();
        over.abort();
        observer.disconnect();
        bar.remove();
        tidy();
        restore(target === start ? null : target);
        wholeScreen.giveBack();
        end = null;
      },
    };

    const observer = new ResizeObserver(() => shape !== shapeNow() && goTo(here()));
    const over = new AbortController();
    const { signal } = over;
    document.addEventListener("keydown", lectureKeys(acts, keys, [stage, bar]), { signal });
    bar.addEventListener("click", ({ target }) => {
      const chosen = target instanceof Element && target.closest("[data-act]");
      if (chosen instanceof HTMLElement) acts[chosen.dataset.act ?? ""]();
    });
    const follow = () => {
      const [name] = location.hash.slice(1).split(/:|%3A/); // after it, a figure's state
      const target = document.getElementById(name);
      if (target) goTo(target);
    };
    addEventListener("hashchange", follow, { signal });
    wholeScreen.take(signal, acts.leave);

    document.body.prepend(bar);
    goTo(place);
    const start = here();
    bar.focus();
    for (const box of [stage, ...headings.map((heading) => heading.parentElement)])
      if (box) observer.observe(box);
    return acts.leave;
  };

  /** @type {(() => void) | null} */
  let end = null;

  /** Begins a lecture, or ends it. */
  return () => {
    if (end) end();
    else end = begin();
  };
})();
