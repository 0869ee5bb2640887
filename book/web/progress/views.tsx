// Renders a reader's progress, in a chapter and on the front page.
import { useSignal } from "@preact/signals";
import { t, type Language, type StringKey } from "../strings/progress.ts";
import { count, COUNTED, type Kind } from "./record.ts";
import { clearRecord, isPersistent, record } from "./store.ts";

/** A chapter, and the ids of its activities. */
export interface Chapter {
  slug: string;
  title: string;
  href: string;
  all: Partial<Record<Kind, string[]>>;
}

const countSteps = ({ slug, all }: Chapter, lang: Language) =>
  COUNTED.filter((kind) => all[kind]?.length).map((kind) => {
    const ids = all[kind]!;
    const done = count(record.value, slug, kind, ids);
    const share = t("of", lang)
      .replace("{done}", String(done))
      .replace("{all}", String(ids.length));
    return { kind, done, all: ids.length, share };
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

export function BookProgress({ chapters, lang }: { chapters: Chapter[]; lang: Language }) {
  const message = useSignal("");
  const clearProgress = () => {
    if (!confirm(t("sure", lang))) return;
    clearRecord();
    message.value = t("cleared", lang);
  };
  const kinds = COUNTED.filter((kind) => chapters.some(({ all }) => all[kind]?.length));
  return (
    <>
      <div class="progress-scroll">
        <table>
          <thead>
            <tr>
              <td />
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {t(kind as StringKey, lang)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chapters.map((chapter) => {
              const counts = countSteps(chapter, lang);
              return (
                <tr key={chapter.slug}>
                  <th scope="row">
                    <a href={chapter.href}>{chapter.title}</a>
                  </th>
                  {kinds.map((kind) => (
                    <td key={kind} translate={false} data-progress={`${chapter.slug}:${kind}`}>
                      {counts.find((one) => one.kind === kind)?.share ?? "–"}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="progress-kept" translate={false}>
        {t(isPersistent.value ? "kept" : "forgotten", lang)}
      </p>
      <p>
        <button type="button" data-export onClick={exportRecord}>
          {t("export", lang)}
        </button>{" "}
        <button type="button" data-clear onClick={clearProgress}>
          {t("clear", lang)}
        </button>{" "}
        <span role="status" translate={false}>
          {message.value}
        </span>
      </p>
    </>
  );
}

/** Downloads the record as a file. */
function exportRecord() {
  const text = `${JSON.stringify(record.value, null, 2)}\n`;
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href, download: "progress.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href));
}
