// What scrolls sideways takes the focus, unless something in it does: then arrow keys scroll it.

const BOXES = "article :is(pre, .katex-display, table, .output, .attention-figure div)";
const FOCUSABLE = "a[href], button, input, select, summary, [tabindex='0']";

const scrolls = (box: Element) =>
  box.scrollWidth > box.clientWidth &&
  /auto|scroll/.test(getComputedStyle(box).overflowX) &&
  !box.querySelector(FOCUSABLE);

const isStale = (box: Element) =>
  box.clientWidth > 0 && // else it is folded away
  (!box.hasAttribute("tabindex") || box.matches("[data-scrolls]")) && // else it has a place of its own
  scrolls(box) !== box.hasAttribute("data-scrolls");

const update = () => {
  if (document.documentElement.hasAttribute("data-lecture")) return; // which leaves no trace
  // All are measured before one is changed: in turns, the page would be laid out for each.
  for (const box of [...document.querySelectorAll(BOXES)].filter(isStale)) {
    if (box.toggleAttribute("data-scrolls")) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
};

const article = document.querySelector("article");
if (article) new ResizeObserver(update).observe(article); // as unfolding does
void document.fonts.ready.then(update); // formulas are wider or narrower in their own font
