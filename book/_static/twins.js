// @ts-check
// The other language beside or under the text: of one paragraph at a time, or of the whole page.
"use strict";

{
  /** @typedef {Record<string, string>} Texts HTML by the name of the block that it belongs to */

  const page = document.documentElement;
  const menu = /** @type {HTMLDetailsElement} */ (document.querySelector(".side-by-side"));
  const prototype = /** @type {HTMLTemplateElement} */ (menu.querySelector("template"));
  const ADDED = ".counterpart, .counterpart-place";

  /** @type {Promise<Texts> | undefined} */
  let loading;

  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = menu.dataset.script ?? "";
      script.onload = () =>
        resolve(/** @type {{ twins: Texts }} */ (/** @type {any} */ (window)).twins);
      script.onerror = () => {
        loading = undefined; // the next try asks again
        reject(script.src);
      };
      document.head.append(script);
    }));

  /** What was on top of the screen is there afterwards. @param {() => void} change */
  const keepPlace = (change) => {
    const blocks = [...document.querySelectorAll("article [class*='twin-']")];
    const top = parseFloat(getComputedStyle(page).scrollPaddingTop) || 0; // below the header
    const first = blocks.find((block) => block.getBoundingClientRect().bottom > top);
    const before = first?.getBoundingClientRect().top ?? 0;
    change();
    const moved = (first?.getBoundingClientRect().top ?? 0) - before;
    if (scrollY > 0) scrollBy({ top: moved, behavior: "instant" });
  };

  /** @param {Element} block @param {string} html @returns {HTMLElement} */
  const counterpart = (block, html) => {
    const fold = block.localName === "summary";
    const part = document.createElement(fold ? "span" : "div");
    part.className = "counterpart";
    part.lang = menu.dataset.lang ?? "";
    part.innerHTML = html; // written when the book was built
    if (fold) block.append(part);
    else frame(block).after(part);
    return part;
  };

  /** The block, or the frame in which the theme lets it scroll. @param {Element} block */
  const frame = (block) => block.closest(".pst-scrollable-table-container") ?? block;

  /** @param {Element} block @param {string} html */
  const addButton = (block, html) => {
    if (/^(h\d|summary)$/.test(block.localName)) return; // short, and a fold is a button itself
    const place = /** @type {Element} */ (
      document.importNode(prototype.content, true).firstElementChild
    );
    const button = /** @type {Element} */ (place.firstElementChild);
    /** @type {HTMLElement | undefined} */
    let part;
    button.addEventListener("click", () => {
      if (part) part.remove();
      part = part ? undefined : counterpart(block, html);
      button.setAttribute("aria-expanded", String(Boolean(part)));
    });
    frame(block).before(place);
  };

  /** @param {string} mode @param {Texts} texts */
  const show = (mode, texts) =>
    keepPlace(() => {
      for (const part of document.querySelectorAll(ADDED)) part.remove();
      for (const [name, html] of Object.entries(texts)) {
        const block = document.querySelector(`.twin-${name}`);
        if (block && mode === "page") counterpart(block, html);
        else if (block) addButton(block, html);
      }
    });

  /** @param {string} mode */
  const choose = async (mode) => {
    page.dataset.twins = mode;
    menu.classList.remove("failed");
    const texts = mode === "off" ? {} : await load().catch(() => null);
    if (page.dataset.twins !== mode) return; // the reader has chosen again meanwhile
    if (texts) show(mode, texts);
    else {
      menu.classList.add("failed");
      menu.open = true;
    }
  };

  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = menu.querySelectorAll("input");
  for (const choice of choices) {
    choice.addEventListener("change", () => {
      localStorage.setItem("twins", choice.value);
      void choose(choice.value);
    });
  }
  const chosen = [...choices].find(({ value }) => value === localStorage.getItem("twins"));
  if (chosen && chosen !== choices[0]) {
    chosen.checked = true;
    void choose(chosen.value);
  }
  menu.classList.add("alive");

  addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus({ preventScroll: true });
  });
}
