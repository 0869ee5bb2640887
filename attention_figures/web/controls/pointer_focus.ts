// Focuses an element that the pointer grabs, without the focus outline, which is for keyboards.

/** Browsers outline an element that a script focuses; data-pointed prevents it until a key press. */
export function focusByPointer(element: HTMLElement | SVGElement) {
  element.focus({ preventScroll: true });
  element.toggleAttribute("data-pointed", true);
  const clear = () => element.removeAttribute("data-pointed");
  for (const event of ["keydown", "blur"]) element.addEventListener(event, clear, { once: true });
}
