// Hydrates the exercises of a page when they come near the viewport, records a reader's progress,
// and leads back to a review.
import { hydrate, WAITING } from "../exercises/hydrate.tsx";
import { recordSteps } from "../progress/events.ts";
import { addWayBack } from "../review/way_back.ts";
import { hydrateNearby } from "../../../attention_figures/web/core/nearby.ts";

recordSteps();
addWayBack();
hydrateNearby(WAITING, hydrate);
