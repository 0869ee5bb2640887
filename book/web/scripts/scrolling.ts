// Makes boxes that scroll sideways focusable, so that arrow keys scroll them, unless they hold a focusable element.

const BOXES = "article :is(pre, .katex-display, table, .output, .attention-figure div)";
const FOCUSABLE = "a[href], button, input, select, summary, [tabindex='0']";

const scrolls = (box: Element) =>
  box.scrollWidth > box.clientWidth &&
  /auto|scroll/.test(getComputedStyle(box).overflowX) &&
  !box.querySelector(FOCUSABLE);

const isStale = (box: Element) =>
  box.clientWidth > 0 && // otherwise it is folded away
  (!box.hasAttribute("tabindex") || box.matches("[data-scrolls]")) && // otherwise it has its own tabindex
  scrolls(box) !== box.hasAttribute("data-scrolls");

const update = () => {
  if (document.documentElement.hasAttribute("data-lecture")) return; // lecture mode restores the page unchanged
  // Measure all before changing any, to avoid a layout for each.
  for (const box of [...document.querySelectorAll(BOXES)].filter(isStale)) {
    if (box.toggleAttribute("data-scrolls")) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
};

const article = document.querySelector("article");
if (article) new ResizeObserver(update).observe(article); // folds change its size
void document.fonts.ready.then(update); // formulas change their width when their font loads
