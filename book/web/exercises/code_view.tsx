// Renders an exercise that is answered with code: the code, a Check button and the verdict.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../strings/code.ts";
import { countBlanks } from "./blanks.ts";
import { CodeBox } from "./code_box.ts";
import type { CodeTask } from "./code_place.tsx";
import { judgeCode, type Judged } from "./judges.ts";
import { storeCode, storedCode } from "./typed.ts";
import { withCode } from "./verdict.tsx";

/** What is said about the code: a verdict, or why there is none. */
interface Said {
  tone: "right" | "wrong" | "none";
  html?: string;
  text?: string;
  canRetry?: boolean;
}

function Verdict({ said, retry, label }: { said: Said | null; retry: () => void; label: string }) {
  return (
    <div data-code-verdict={said?.tone ?? ""} role="status" translate={false}>
      {said?.html && <div dangerouslySetInnerHTML={{ __html: said.html }} />}
      {said?.text && <p>{withCode(said.text)}</p>}
      {said?.canRetry && (
        <button type="button" data-retry onClick={retry}>
          {label}
        </button>
      )}
    </div>
  );
}

/** One line that says who has judged, and what was not checked. */
function JudgedBy({ judged, lang }: { judged: Judged | null; lang: CodeTask["lang"] }) {
  const list = judged?.unchecked.join(lang === "en" ? ", " : "、") ?? "";
  const words = judged && [
    judged.isInstead ? t("unreachable", lang) : "",
    judged.by === "kernel" ? t("byKernel", lang) : judged.isInstead ? "" : t("byBrowser", lang),
    list && t("unchecked", lang).replace("{list}", list),
  ];
  return <p data-judged-by={judged?.by ?? ""}>{words?.join("").trim()}</p>;
}

/** What has to happen before the kernel can judge, if the page has one. */
const whatComesFirst = () => {
  const { kernel } = document.body.dataset;
  if (!window.askKernel || kernel === "idle") return "checking";
  return kernel === "busy" ? "waiting" : "starting";
};

export function CodeView({ task }: { task: CodeTask }) {
  const { slug, way, lang } = task;
  const place = useRef<HTMLDivElement>(null);
  const box = useRef<CodeBox | null>(null);
  const said = useSignal<Said | null>(null);
  const judged = useSignal<Judged | null>(null);
  const busy = useSignal<"checking" | "starting" | "waiting" | null>(null);
  const isChanged = useSignal((storedCode(slug, way) ?? task.start) !== task.start);
  const isKept = useSignal(true);
  const isSolved = useSignal(task.isSolved);

  useEffect(() => {
    const text = storedCode(slug, way) ?? task.start;
    const made = new CodeBox(place.current!, text, t("editor", lang), () => {
      isChanged.value = made.text !== task.start;
      isKept.value = storeCode(slug, way, isChanged.value ? made.text : null);
      said.value = judged.value = null; // the verdict is about the code that was checked
      task.onBegin();
    });
    box.current = made;
    // Those who chose this way with a key may be on their way to the next one.
    if (task.opens) void made.open(!document.querySelector(":focus-visible"));
    return () => made.close();
  }, []);

  const check = async () => {
    if (busy.value) return;
    const source = box.current!.text;
    judged.value = null;
    const open = way === "blanks" ? countBlanks(source) : 0;
    if (open) {
      const words = t(open === 1 ? "openBlank" : "openBlanks", lang);
      said.value = { tone: "none", text: words.replace("{count}", String(open)) };
      return;
    }
    said.value = null;
    busy.value = whatComesFirst();
    try {
      const found = await judgeCode(task, source);
      if (source !== box.current?.text) return; // the reader has gone on writing
      const { passed, complete, html } = found;
      judged.value = found;
      const later = passed && !complete ? t("later", lang) : undefined;
      said.value = { tone: passed ? "right" : "wrong", html, text: later };
      isSolved.value ||= passed && complete;
      task.onCheck(passed, complete || !passed);
    } catch {
      said.value = { tone: "none", text: t("notLoaded", lang), canRetry: true };
    } finally {
      busy.value = null;
    }
  };
  const solvedNow = said.value?.tone === "right" && judged.value?.complete;
  return (
    <>
      {task.isRaised && <p data-raised>{t("raised", lang)}</p>}
      <p>{withCode(t(way === "own" ? "introOwn" : "introBlanks", lang))}</p>
      <div
        ref={place}
        class="code-box highlight notranslate"
        data-editor
        translate={false}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !event.shiftKey) return;
          event.preventDefault();
          event.stopPropagation(); // otherwise run.ts would run the cell around the exercise
          void check();
        }}
      />
      {!isKept.value && <p data-forgotten>{t("forgotten", lang)}</p>}
      <p class="exercise-button">
        <button type="button" data-judge aria-busy={busy.value !== null} onClick={check}>
          {busy.value ? t(busy.value, lang) : task.check}
        </button>{" "}
        <button
          type="button"
          data-start-over
          disabled={!isChanged.value}
          onClick={() => {
            box.current!.text = task.start;
          }}
        >
          {t("startOver", lang)}
        </button>{" "}
        <span class="exercise-done" translate={false} data-done={isSolved.value ? "" : undefined}>
          {solvedNow ? task.done.now : task.done.before}
        </span>
      </p>
      <Verdict said={said.value} retry={check} label={t("retry", lang)} />
      <JudgedBy judged={judged.value} lang={lang} />
    </>
  );
}
