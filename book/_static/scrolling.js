// @ts-check
// What scrolls sideways takes the focus, unless something in it does: then arrow keys scroll it.
"use strict";

{
  const BOXES = "article :is(pre, .katex-display, table, .output, .attention-figure div)";
  const FOCUSABLE = "a[href], button, input, select, summary, [tabindex='0']";

  /** @param {Element} box */
  const scrolls = (box) =>
    box.scrollWidth > box.clientWidth &&
    /auto|scroll/.test(getComputedStyle(box).overflowX) &&
    !box.querySelector(FOCUSABLE);

  const update = () => {
    if (document.documentElement.hasAttribute("data-lecture")) return; // which leaves no trace
    for (const box of document.querySelectorAll(BOXES)) {
      if (!box.clientWidth || (box.hasAttribute("tabindex") && !box.matches("[data-scrolls]")))
        continue; // folded away, or with a place of its own in the order
      const now = scrolls(box);
      if (now === box.hasAttribute("data-scrolls")) continue;
      box.toggleAttribute("data-scrolls", now);
      if (now) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
  };

  const article = document.querySelector("article");
  if (article) new ResizeObserver(update).observe(article); // as unfolding does
  void document.fonts.ready.then(update); // formulas are wider or narrower in their own font
}
