// Says what is due for review, and hydrates the review and the reader's progress on the front page.
import { hydrateNearby } from "../../../attention_figures/web/core/nearby.ts";
import { addNotice, hydrateFront, WAITING } from "../review/hydrate.tsx";

// The questions for review are beside this script.
const { src } = document.currentScript as HTMLScriptElement;
addNotice();
hydrateNearby(WAITING, (root) => hydrateFront(root, src));
