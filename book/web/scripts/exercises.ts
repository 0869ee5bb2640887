// Hydrates the exercises of a page, and records a reader's progress.
import { hydrate } from "../exercises/hydrate.tsx";
import { recordSteps } from "../progress/events.ts";

declare global {
  interface Window {
    /** Called by an inline script after each exercise, to hydrate it before the first paint. */
    hydrateExercises?: (page: ParentNode) => void;
  }
}

recordSteps();
window.hydrateExercises = hydrate;
hydrate(document); // exercises that were parsed before this script
