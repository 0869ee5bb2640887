// @ts-check
// How lecture mode cuts a section into parts that fit the screen, and puts one there. Nothing on
// the page is moved or copied: attributes say what is on the screen, and lecture.css does the rest.
"use strict";

/** @typedef {{ top: number, bottom: number, alone: boolean, leads: boolean }} Box */
/** @typedef {{ blocks: HTMLElement[], size: number, top: number, alone: boolean }} Part */

const lectureParts = (() => {
  const page = document.documentElement;
  const stage = /** @type {HTMLElement} */ (document.querySelector("article"));

  const FIGURE = "[data-figure]";
  const LONG = ".cell, .cell_output, .docstring, .admonition, blockquote, dl, ol, ul";
  const FIGURE_SIZES = [
    1.6, 1.45, 1.3, 1.2, 1.1, 1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.62, 0.58, 0.54, 0.5, 0.46,
  ];
  const TEXT_SIZES = [1, 0.9, 0.8]; // below 1 for what would not fit at all
  const [NARROW, LEAST] = [900, 16]; // px: on a small screen no figure is smaller than on its page

  /** Which boxes share a screen: from the first number to before the second. */
  /** @param {Box[]} boxes @param {number} room @returns {[number, number][]} */
  const split = (boxes, room) => {
    /** @type {[number, number][]} */
    const parts = [];
    for (let first = 0, end; first < boxes.length; first = end) {
      const top = boxes[first].top;
      const fits = (/** @type {Box} */ box) => !box.alone && box.bottom - top <= room;
      end = first + 1;
      if (!boxes[first].alone) while (end < boxes.length && fits(boxes[end])) end++;
      // What leads up to a block goes with it, unless that one stands alone.
      if (end < boxes.length && !boxes[end].alone)
        while (end > first + 1 && boxes[end - 1].leads) end--;
      parts.push([first, end]);
    }
    return parts;
  };

  /** How far to scroll for each screenful of what is too long by `over`; they overlap a little. */
  /** @param {number} over @param {number} room */
  const screenfuls = (over, room) => {
    const count = over > 1 ? 1 + Math.ceil(over / (room * 0.85)) : 1;
    return Array.from({ length: count }, (_, i) => (over * i) / Math.max(1, count - 1));
  };

  /** @param {Element} element */
  const seen = (element) => element.getClientRects().length > 0;

  /**
   * The blocks that a screen may begin with.
   * @param {Element} element @param {number} room @returns {HTMLElement[]}
   */
  const blocksIn = (element, room) => {
    const high = element.getBoundingClientRect().height > room;
    if (element.matches(LONG) && (high || (element.matches(".cell") && hasFigure(element))))
      return [...element.children].flatMap((child) => blocksIn(child, room));
    return seen(element) ? [/** @type {HTMLElement} */ (element)] : [];
  };

  /** @param {Element} element */
  const hasFigure = (element) => element.querySelector(FIGURE) !== null;

  /** @param {HTMLElement} block @returns {Box} */
  const boxOf = (block) => {
    const { top, bottom } = block.getBoundingClientRect();
    const next = block.nextElementSibling;
    const speaks = block.matches("p, .counterpart") && /[:：]\s*$/.test(block.textContent ?? "");
    const leads = speaks || top === bottom || Boolean(next?.matches(".counterpart"));
    return { top, bottom, alone: hasFigure(block), leads };
  };

  const tidy = () => {
    for (const name of ["data-on-screen", "data-parted", "data-screen"])
      stage.querySelectorAll(`[${name}]`).forEach((node) => node.removeAttribute(name));
  };

  /** Puts blocks of a section on the screen, in the section's own place. */
  /** @param {HTMLElement} heading @param {HTMLElement[]} blocks */
  const put = (heading, blocks) => {
    tidy();
    page.dataset.lecture = blocks.length === 1 && hasFigure(blocks[0]) ? "figure" : "text";
    for (const block of [heading, ...blocks]) {
      /** @type {HTMLElement | null} */
      let node = block;
      for (; node && node !== heading.parentElement; node = node.parentElement) {
        node.dataset.onScreen = block === blocks.at(-1) ? "last" : "";
        node.toggleAttribute("data-parted", node !== block);
      }
    }
  };

  /** @param {number} size */
  const scale = (size) => page.style.setProperty("--lecture-size", String(size));

  /** Does all fit in the width, also in the panels that scroll by themselves? */
  const isWideEnough = () =>
    [stage, ...stage.querySelectorAll(`${FIGURE} div`)].every(
      (box) =>
        box.scrollWidth <= box.clientWidth + 1 || getComputedStyle(box).overflowX === "visible",
    );

  /** Where the screen ends for what stands on it. */
  const bottom = () =>
    stage.getBoundingClientRect().bottom - parseFloat(getComputedStyle(stage).paddingBottom);

  /** How much too long the screen's blocks are for it. @param {HTMLElement[]} blocks */
  const excess = (blocks) => {
    const end = blocks.at(-1)?.getBoundingClientRect().bottom ?? 0;
    return end + stage.scrollTop - bottom();
  };

  /** The largest of some sizes at which these blocks are on the screen as a whole. */
  /** @param {HTMLElement[]} blocks @param {number[]} sizes */
  const fill = (blocks, sizes) =>
    sizes.find((size) => {
      scale(size);
      return excess(blocks) < 1 && isWideEnough();
    });

  /** How large a figure may be, the largest first, while the text is at its own size. */
  const figureSizes = () => {
    const text = parseFloat(getComputedStyle(page).fontSize);
    const least = innerWidth < NARROW ? LEAST / text : 0;
    return FIGURE_SIZES.filter((size) => size > least).concat(least || []);
  };

  /**
   * What a section shows on one screen after the other.
   * @param {HTMLElement} heading @returns {Part[]}
   */
  const partsOf = (heading) => {
    const section = /** @type {HTMLElement} */ (heading.parentElement);
    const children = /** @type {HTMLElement[]} */ ([...section.children]);
    const rest = children
      .slice(children.indexOf(heading) + 1)
      .filter((child) => !child.matches("section"));
    scale(1);
    put(heading, rest);
    stage.scrollTop = 0;
    const room = bottom() - (rest.find(seen) ?? heading).getBoundingClientRect().top;
    const blocks = rest.flatMap((child) => blocksIn(child, room));
    const ranges = split(blocks.map(boxOf), room);
    return (ranges.length ? ranges : [[0, 0]]).flatMap(([first, end]) => {
      const shown = blocks.slice(first, end);
      scale(1);
      put(heading, shown);
      const alone = shown.some(hasFigure);
      const sizes = alone ? figureSizes() : TEXT_SIZES;
      const size = fill(shown, sizes) ?? (alone ? sizes[sizes.length - 1] : 1);
      scale(size);
      return screenfuls(excess(shown), room).map((top) => ({ blocks: shown, size, top, alone }));
    });
  };

  /** What is on the screen and answers to a selector. @param {string} selector */
  const onScreen = (selector) =>
    /** @type {HTMLElement[]} */ ([...stage.querySelectorAll(selector)]).filter(seen);

  /** The block that the reader has come to: it crosses a line a quarter down the window. */
  const placeOfReader = () => {
    const reaches = (/** @type {Element} */ block) =>
      block.getBoundingClientRect().bottom > innerHeight / 4;
    const blocks = onScreen("section > :not(section)");
    const place = blocks.find(reaches) ?? blocks.at(-1) ?? stage;
    return (place.matches(".cell") && [...place.children].find(reaches)) || place;
  };

  /** Remembers how the page was, and returns what makes it so again. */
  const remember = () => {
    const style = page.getAttribute("style");
    const { scrollX, scrollY } = window;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement);
    const answers = [...stage.querySelectorAll("details")].map((answer) => ({
      answer,
      open: answer.open,
    }));
    return (/** @type {Element | null} */ place) => {
      page.removeAttribute("data-lecture");
      page.setAttribute("style", style ?? ""); // Chromium keeps one that scripts alone have set
      if (style === null) page.removeAttribute("style");
      for (const { answer, open } of answers) answer.open = open;
      if (place) place.scrollIntoView();
      else scrollTo(scrollX, scrollY);
      if (focus === document.body) /** @type {HTMLElement} */ (document.activeElement).blur();
      else focus?.focus({ preventScroll: true });
    };
  };

  return { onScreen, partsOf, placeOfReader, remember, put, scale, tidy };
})();
