// Gives the focus to what a pointer has taken, without the outline that is for keyboards.

/** Browsers outline what a script focuses; here only once a key is pressed. */
export function focusByPointer(element: HTMLElement | SVGElement) {
  element.focus({ preventScroll: true });
  element.toggleAttribute("data-pointed", true);
  const forget = () => element.removeAttribute("data-pointed");
  for (const event of ["keydown", "blur"]) element.addEventListener(event, forget, { once: true });
}
