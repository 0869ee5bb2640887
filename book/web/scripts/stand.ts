// Hydrates the page "Where do I stand?".
import { signal } from "@preact/signals";
import { render, h } from "preact";
import { readQuestionnaire, type Asked } from "../stand/items.ts";
import type { Told } from "../stand/record.ts";
import { openStore } from "../stand/store.ts";
import { Stand } from "../stand/views.tsx";
import { languageOf } from "../strings/progress.ts";
import { t } from "../strings/stand.ts";

const root = document.querySelector<HTMLElement>("[data-stand]")!;
const questionnaire = readQuestionnaire(root);
const lang = languageOf(root);
const told = signal<Told>({});
root.replaceChildren();
const store = openStore(questionnaire.items);
// The script of a room asks an item, and later shows its answer: room/subject.ts.
const onAsked = ({ target, detail }: CustomEvent<{ item?: Asked }>) => {
  const { item: key } = (target as HTMLElement).dataset;
  const item = questionnaire.items.find((one) => one.key === key);
  if (!item) return;
  detail.item = {
    ...item,
    unknown: t("unknown", lang),
    hide: () => {
      const { [item.key]: _, ...others } = told.value;
      told.value = others;
    },
    tell: (answer) => (told.value = { ...told.value, [item.key]: answer }),
  };
};
root.addEventListener("attention:asked", onAsked as EventListener, true); // it does not bubble
render(h(Stand, { questionnaire, store, lang, told }), root);
root.dataset.live = "";
