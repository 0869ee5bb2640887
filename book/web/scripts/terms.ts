// Keeps the tooltip of a glossary term within the viewport, and dismisses it on Escape.

const enter = ({ target }: Event) => {
  const term = target instanceof Element && target.closest(".term");
  for (const dismissed of document.querySelectorAll(".dismissed")) {
    if (dismissed !== term) dismissed.classList.remove("dismissed");
  }
  if (!term) return;
  // A tooltip that the keyboard has opened may cover the term under the pointer.
  const focused = document.activeElement?.closest(".term");
  if (focused !== term) focused?.classList.add("dismissed");
  const tip = term.lastElementChild as HTMLElement;
  tip.style.translate = "";
  const overflow = document.documentElement.clientWidth - tip.getBoundingClientRect().right;
  tip.style.translate = `${Math.min(0, overflow - 8)}px`;
};

for (const event of ["pointerover", "focusin"]) document.addEventListener(event, enter);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const shown = document.querySelectorAll(".term:not(.dismissed):is(:hover, :focus-within)");
  for (const term of shown) term.classList.add("dismissed");
  if (shown.length) event.stopImmediatePropagation(); // otherwise Escape would also leave lecture mode
});
