// Brings the exercises of a page alive, and keeps what a reader has done.
import { hydrate } from "../exercises/hydrate.tsx";
import { listen } from "../progress/events.ts";

declare global {
  interface Window {
    /** Called below each exercise of a page, so that it is alive before it is painted. */
    hydrateExercises?: (page: ParentNode) => void;
  }
}

listen();
window.hydrateExercises = hydrate;
hydrate(document); // what was there before the script
