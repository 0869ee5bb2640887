// Shows the translation beside or under the text: one paragraph at a time, or the whole page.

declare global {
  interface Window {
    /** Translated HTML by block name, set by the page's `.translation.js`. */
    translations?: Texts;
  }
}

type Texts = Record<string, string>;

const page = document.documentElement;
const menu = document.querySelector<HTMLDetailsElement>(".side-by-side")!;
const prototype = menu.querySelector("template")!;
const ADDED = ".counterpart, .counterpart-place";

let loading: Promise<Texts> | undefined;

const load = () =>
  (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = menu.dataset.script ?? "";
    script.onload = () => resolve(window.translations!);
    script.onerror = () => {
      loading = undefined; // so that the next try loads again
      reject(new Error(`${script.src} should load`));
    };
    document.head.append(script);
  }));

/** Keeps the scroll position of the topmost visible block. */
const keepPlace = (change: () => void) => {
  const blocks = [...document.querySelectorAll("article [class*='translation-']")];
  const top = parseFloat(getComputedStyle(page).scrollPaddingTop) || 0; // below the header
  const first = blocks.find((block) => block.getBoundingClientRect().bottom > top);
  const before = first?.getBoundingClientRect().top ?? 0;
  change();
  const moved = (first?.getBoundingClientRect().top ?? 0) - before;
  if (scrollY > 0) scrollBy({ top: moved, behavior: "instant" });
};

const counterpart = (block: Element, html: string) => {
  const fold = block.localName === "summary";
  const part = document.createElement(fold ? "span" : "div");
  part.className = "counterpart";
  part.lang = menu.dataset.lang ?? "";
  part.innerHTML = html; // generated when the book was built
  if (fold) block.append(part);
  else frame(block).after(part);
  return part;
};

/** The block, or the theme's scroll container around it. */
const frame = (block: Element) => block.closest(".pst-scrollable-table-container") ?? block;

const addButton = (block: Element, html: string) => {
  if (/^(h\d|summary)$/.test(block.localName)) return; // headings are short, and a summary is a button itself
  const place = document.importNode(prototype.content, true).firstElementChild!;
  const button = place.firstElementChild!;
  let part: HTMLElement | undefined;
  button.addEventListener("click", () => {
    if (part) part.remove();
    part = part ? undefined : counterpart(block, html);
    button.setAttribute("aria-expanded", String(Boolean(part)));
  });
  frame(block).before(place);
};

const show = (mode: string, texts: Texts) =>
  keepPlace(() => {
    for (const part of document.querySelectorAll(ADDED)) part.remove();
    for (const [name, html] of Object.entries(texts)) {
      const block = document.querySelector(`.translation-${name}`);
      if (block && mode === "page") counterpart(block, html);
      else if (block) addButton(block, html);
    }
  });

/** Whether the menu was last used with a pointer. For arrow keys, which move between choices, it stays open. */
let pointed = false;

const close = () => {
  menu.open = false;
  menu.querySelector("summary")?.focus({ preventScroll: true });
};

const choose = async (mode: string) => {
  page.dataset.sideBySide = mode;
  menu.classList.remove("failed");
  const texts = mode === "off" ? {} : await load().catch(() => null);
  if (page.dataset.sideBySide !== mode) return; // the reader has chosen again meanwhile
  if (texts) {
    show(mode, texts);
    if (pointed && mode !== "off") close(); // the menu would cover the text
  } else {
    menu.classList.add("failed");
    menu.open = true;
  }
};

const choices = menu.querySelectorAll("input");
for (const choice of choices) {
  choice.addEventListener("change", () => {
    localStorage.setItem("side-by-side", choice.value);
    void choose(choice.value);
  });
}
const chosen = [...choices].find(({ value }) => value === localStorage.getItem("side-by-side"));
if (chosen && chosen !== choices[0]) {
  chosen.checked = true;
  void choose(chosen.value);
}
menu.classList.add("alive");

addEventListener("pointerdown", (event) => {
  pointed = event.target instanceof Node && menu.contains(event.target);
  if (!pointed) menu.open = false;
});
menu.addEventListener("keydown", (event) => {
  pointed = false;
  if (event.key === "Escape" && menu.open) close();
});
