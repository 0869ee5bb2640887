// Toggles lecture mode on an event from lecture.ts. A separate classic script, since pages on file://
// cannot import modules.
import { begin } from "../lecture/lecture.ts";

let end: (() => void) | null = null;

document.addEventListener("attention:lecture", () => {
  if (end) end();
  else end = begin(() => (end = null));
});
