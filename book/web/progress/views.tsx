// Renders a reader's progress in a chapter.
import { t, type Language, type StringKey } from "../strings/progress.ts";
import { COUNTED, isDone, type Kind } from "./record.ts";
import { isPersistent, record } from "./store.ts";

/** A chapter, and the ids of its activities. */
export interface Chapter {
  slug: string;
  title: string;
  href: string;
  all: Partial<Record<Kind, string[]>>;
}

export const countSteps = ({ slug, all }: Chapter, lang: Language) =>
  COUNTED.filter((kind) => all[kind]?.length).map((kind) => {
    const ids = all[kind]!;
    const done = ids.filter((id) => isDone(record.value, slug, kind, id)).length;
    const share = t("of", lang)
      .replace("{done}", String(done))
      .replace("{all}", String(ids.length));
    return { kind, share };
  });

export function ChapterProgress({ chapter, lang }: { chapter: Chapter; lang: Language }) {
  return (
    <>
      <p translate={false}>
        {t("chapter", lang)}
        {lang === "zh" ? "" : " "}
        {countSteps(chapter, lang)
          .map(({ kind, share }) => `${t(kind as StringKey, lang)} ${share}`)
          .join(lang === "zh" ? "，" : ", ")}
      </p>
      <p class="progress-kept" translate={false}>
        {t(isPersistent.value ? "kept" : "forgotten", lang)}
      </p>
    </>
  );
}
