// Renders a reader's progress in a chapter.
import { t, type Language, type StringKey } from "../strings/progress.ts";
import { countOf, COUNTED, isDone, type Kind } from "./record.ts";
import { isPersistent, record } from "./store.ts";

/** A chapter, and the ids of its activities. */
export interface Chapter {
  slug: string;
  title: string;
  href: string;
  all: Partial<Record<Kind, string[]>>;
}

/** What is told besides the number: how questions were answered, and functions made. */
const DETAILS = {
  question: { first: { question: "right" }, shown: { question: "shown" } },
  puzzle: { blanks: { puzzle: "blanks" }, own: { puzzle: "own" } },
} as const;

/** The details of a kind in brackets; nothing if they are all 0. */
function detailsOf(slug: string, kind: Kind, ids: string[], lang: Language): string {
  if (kind !== "question" && kind !== "puzzle") return "";
  const told = Object.entries(DETAILS[kind]).flatMap(([key, which]) => {
    const n = countOf(record.value, slug, which, ids);
    return n ? [t(key as StringKey, lang).replace("{n}", String(n))] : [];
  });
  if (!told.length) return "";
  return lang === "zh" ? `（${told.join("，")}）` : ` (${told.join(", ")})`;
}

export const countSteps = ({ slug, all }: Chapter, lang: Language) =>
  COUNTED.filter((kind) => all[kind]?.length).map((kind) => {
    const ids = all[kind]!;
    const done = ids.filter((id) => isDone(record.value, slug, kind, id)).length;
    const share = t("of", lang)
      .replace("{done}", String(done))
      .replace("{all}", String(ids.length));
    return { kind, share, details: detailsOf(slug, kind, ids, lang) };
  });

export function ChapterProgress({ chapter, lang }: { chapter: Chapter; lang: Language }) {
  return (
    <>
      <p translate={false}>
        {t("chapter", lang)}
        {lang === "zh" ? "" : " "}
        {countSteps(chapter, lang)
          .map(({ kind, share, details }) => t(kind as StringKey, lang) + ` ${share}${details}`)
          .join(lang === "zh" ? "，" : ", ")}
      </p>
      <p class="progress-kept" translate={false}>
        {t(isPersistent.value ? "kept" : "forgotten", lang)}
      </p>
    </>
  );
}
