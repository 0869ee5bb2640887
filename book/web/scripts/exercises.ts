// Hydrates the exercises of a page when they come near the viewport, and records a reader's progress.
import { hydrate, WAITING } from "../exercises/hydrate.tsx";
import { recordSteps } from "../progress/events.ts";
import { hydrateNearby } from "../../../attention_figures/web/core/nearby.ts";

recordSteps();
hydrateNearby(WAITING, hydrate);
