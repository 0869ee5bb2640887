// Writes a result as text and as JSON, for a file.
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/stand.ts";
import type { Item, Questionnaire } from "./items.ts";
import { count, outcome, TIMES, type Answers, type StandRecord, type Time } from "./record.ts";

const plain = (text: string) => text.replaceAll("**", "").replaceAll("`", "");

export const longDate = (date: string, lang: Language): string =>
  new Date(date).toLocaleDateString(lang === "zh" ? "zh-CN" : "en-GB", { dateStyle: "long" });

/** What a text shows: a result, with its answers or only with where to read. */
interface Shown {
  time: Time;
  tells: boolean;
  title: string;
  lang: Language;
}

/** The lines about one item, without its number. */
function itemLines(
  item: Item,
  answers: Answers,
  { links }: Questionnaire,
  { tells, lang }: Shown,
): string[] {
  const lines = [item.text];
  const chosen = item.options[answers[item.key] ?? -1];
  const right = item.options[item.right]!;
  const between = lang === "zh" ? "" : " ";
  const more = t("treated", lang, { link: links.get(item.treated)?.title ?? "" });
  if (!chosen) lines.push(t(item.key in answers ? "youDoNotKnow" : "youLeftOut", lang));
  else if (!tells && chosen !== right)
    return [...lines, t("notRight", lang, { option: chosen.text }), more];
  else lines.push(t("youSaid", lang, { option: chosen.text }) + between + chosen.said);
  if (chosen?.source)
    lines.push(t("source", lang, { link: links.get(chosen.source)?.title ?? "" }));
  if (chosen === right) return lines;
  if (tells) lines.push(t("answerIs", lang, { option: right.text }) + between + right.said);
  return [...lines, more];
}

/** The result of a time as plain text. */
export function asText(questionnaire: Questionnaire, record: StandRecord, shown: Shown): string {
  const { time, title, lang } = shown;
  const { items } = questionnaire;
  const { date, answers } = record[time]!;
  const about = [
    title,
    t("taken", lang, { time: t(time, lang), date: longDate(date, lang) }),
    t("score", lang, { right: count(items, answers, "right"), all: items.length }),
  ];
  const each = items.map((item, i) => {
    const [first, ...others] = itemLines(item, answers, questionnaire, shown);
    return [`${i + 1}. ${first}`, ...others.map((line) => `   ${line}`)].join("\n");
  });
  return `${[plain(about.join("\n")), ...each.map(plain)].join("\n\n")}\n`;
}

/** All results as JSON: for each time the date, the count and each item's outcome. */
export function asJson({ items }: Questionnaire, record: StandRecord): string {
  const results = TIMES.flatMap((time) => {
    const result = record[time];
    if (!result) return [];
    const { date, answers } = result;
    const each = items.map((item) => ({
      item: item.key,
      outcome: outcome(item, answers),
      answer: item.options[answers[item.key] ?? -1]?.text ?? null,
      source: item.options[answers[item.key] ?? -1]?.source ?? null,
      treated: item.treated,
    }));
    return { time, date, right: count(items, answers, "right"), of: items.length, items: each };
  });
  return `${JSON.stringify({ results }, null, 2)}\n`;
}

/** Downloads text as a file. */
export function download(text: string, type: string, name: string) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href));
}
