// What a reader has done, in a chapter and on the front page.
import { useSignal } from "@preact/signals";
import { said, type Language, type Word } from "../words.ts";
import { count, COUNTED, type Kind } from "./record.ts";
import { clear, isKept, record } from "./store.ts";

/** A chapter, and the ids of all that can be done in it. */
export interface Chapter {
  slug: string;
  title: string;
  href: string;
  all: Partial<Record<Kind, string[]>>;
}

const counted = ({ slug, all }: Chapter, lang: Language) =>
  COUNTED.filter((kind) => all[kind]?.length).map((kind) => {
    const ids = all[kind]!;
    const done = count(record.value, slug, kind, ids);
    const share = said("of", lang)
      .replace("{done}", String(done))
      .replace("{all}", String(ids.length));
    return { kind, done, all: ids.length, share };
  });

export function ChapterProgress({ chapter, lang }: { chapter: Chapter; lang: Language }) {
  return (
    <>
      <p translate={false}>
        {said("chapter", lang)}
        {lang === "zh" ? "" : " "}
        {counted(chapter, lang)
          .map(({ kind, share }) => `${said(kind as Word, lang)} ${share}`)
          .join(lang === "zh" ? "，" : ", ")}
      </p>
      <p class="progress-kept" translate={false}>
        {said(isKept.value ? "kept" : "forgotten", lang)}
      </p>
    </>
  );
}

export function BookProgress({ chapters, lang }: { chapters: Chapter[]; lang: Language }) {
  const told = useSignal("");
  const forget = () => {
    if (!confirm(said("sure", lang))) return;
    clear();
    told.value = said("cleared", lang);
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
                  {said(kind as Word, lang)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chapters.map((chapter) => {
              const counts = counted(chapter, lang);
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
        {said(isKept.value ? "kept" : "forgotten", lang)}
      </p>
      <p>
        <button type="button" data-export onClick={save}>
          {said("export", lang)}
        </button>{" "}
        <button type="button" data-clear onClick={forget}>
          {said("clear", lang)}
        </button>{" "}
        <span role="status" translate={false}>
          {told.value}
        </span>
      </p>
    </>
  );
}

/** Hands the record to the reader as a file. */
function save() {
  const text = `${JSON.stringify(record.value, null, 2)}\n`;
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href, download: "progress.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href));
}
