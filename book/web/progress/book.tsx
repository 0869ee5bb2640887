// Renders a reader's progress in the whole book, on the front page, with its export and import.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { t, type Language, type StringKey } from "../strings/progress.ts";
import { COUNTED } from "./record.ts";
import { clearRecord, importRecord, isPersistent, record } from "./store.ts";
import { countSteps, type Chapter } from "./views.tsx";

export function BookProgress({ chapters, lang }: { chapters: Chapter[]; lang: Language }) {
  const message = useSignal("");
  const file = useRef<HTMLInputElement>(null);
  const clearProgress = () => {
    if (!confirm(t("sure", lang))) return;
    clearRecord();
    message.value = t("cleared", lang);
  };
  const importProgress = async ({ files }: HTMLInputElement) => {
    const text = await files?.[0]?.text().catch(() => "");
    if (text !== undefined) message.value = t(importRecord(text), lang);
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
                  {kinds.map((kind) => {
                    const found = counts.find((one) => one.kind === kind);
                    return (
                      <td key={kind} translate={false}>
                        <span data-progress={`${chapter.slug}:${kind}`}>{found?.share ?? "–"}</span>
                        {found?.details && <small>{found.details}</small>}
                      </td>
                    );
                  })}
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
        <button type="button" data-import onClick={() => file.current?.click()}>
          {t("import", lang)}
        </button>{" "}
        <button type="button" data-clear onClick={clearProgress}>
          {t("clear", lang)}
        </button>{" "}
        <span role="status" translate={false}>
          {message.value}
        </span>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={({ currentTarget }) => {
            void importProgress(currentTarget).finally(() => (currentTarget.value = ""));
          }}
        />
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
