// Hydrates the front page: the link that a reader follows next, what is due for review, and the progress.
import { hydrateNearby } from "../../../attention_figures/web/core/nearby.ts";
import { hydrateStart, hydrateFront, WAITING } from "../review/hydrate.tsx";

// The questions for review are beside this script.
const { src } = document.currentScript as HTMLScriptElement;
hydrateStart();
hydrateNearby(WAITING, (root) => hydrateFront(root, src));
