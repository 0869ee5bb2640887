// A term's tip, which style sheets show: here it is kept within the page, and Escape puts it away.

const enter = ({ target }: Event) => {
  const term = target instanceof Element && target.closest(".term");
  for (const left of document.querySelectorAll(".dismissed")) {
    if (left !== term) left.classList.remove("dismissed");
  }
  if (!term) return;
  const tip = term.lastElementChild as HTMLElement;
  tip.style.translate = "";
  const room = document.documentElement.clientWidth - tip.getBoundingClientRect().right;
  tip.style.translate = `${Math.min(0, room - 8)}px`;
};

for (const event of ["pointerover", "focusin"]) document.addEventListener(event, enter);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const shown = document.querySelectorAll(".term:not(.dismissed):is(:hover, :focus-within)");
  for (const term of shown) term.classList.add("dismissed");
  if (shown.length) event.stopImmediatePropagation(); // a lecture, too, waits for the next one
});
