// Begins a lecture when it is asked for one, or ends it. A script by itself, since pages on a disk
// cannot import: what asks is lecture.ts.
import { begin } from "../lecture/lecture.ts";

let end: (() => void) | null = null;

document.addEventListener("attention:lecture", () => {
  if (end) end();
  else end = begin(() => (end = null));
});
