// Hydrates the page "Where do I stand?".
import { render, h } from "preact";
import { readQuestionnaire } from "../stand/items.ts";
import { openStore } from "../stand/store.ts";
import { Stand } from "../stand/views.tsx";
import { languageOf } from "../strings/progress.ts";

const root = document.querySelector<HTMLElement>("[data-stand]")!;
const questionnaire = readQuestionnaire(root);
root.replaceChildren();
const store = openStore(questionnaire.items);
render(h(Stand, { questionnaire, store, lang: languageOf(root) }), root);
root.dataset.live = "";
