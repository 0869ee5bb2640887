// Turns the counts of one or two votes into the rows of a distribution.
import { judge, textOf, type Question } from "../../../attention_figures/web/core/question.ts";
import type { Asked, Counts, Round } from "./messages.ts";

const MAX_ROWS = 10; // of different numbers; more are counted in bins
const NICE = [1, 2, 2.5, 5, 10];

export interface Row {
  label: string;
  /** How many guesses it has in each vote. */
  counts: number[];
  isAnswer: boolean;
  /** What these guesses would be right for, for classic wrong answers. */
  says: string[];
}

export interface Words {
  more: (x: string) => string;
  less: (x: string) => string;
}

const pairsOf = (counts: Counts): [number, number][] =>
  counts.map((one, i) => (Array.isArray(one) ? one : [i, one]));

/** The guesses of a round by option or number, with the show of hands. */
export function totalOf({ counts, hands }: Round): Map<number, number> {
  const total = new Map<number, number>();
  for (const [x, count] of [...pairsOf(counts), ...pairsOf(hands)])
    total.set(x, (total.get(x) ?? 0) + count);
  return total;
}

export const sizeOf = (total: Map<number, number>) =>
  [...total.values()].reduce((sum, count) => sum + count, 0);

/** Returns the rows of a distribution; `question` is null on another page than the question's. */
export function rowsOf(
  asked: Asked,
  question: Question | null,
  rounds: Round[],
  words: Words,
): Row[] {
  const totals = rounds.map(totalOf);
  if (asked.kind !== "number") return optionRows(asked, question, totals);
  const numbers = [...new Set(totals.flatMap((total) => [...total.keys()]))].sort((a, b) => a - b);
  const text = (x: number) => (question ? judge(question, x).guess : String(x).replace("-", "−"));
  const row = (label: string, holds: (x: number) => boolean): Row => {
    const inside = numbers.filter(holds);
    const verdicts = question ? inside.map((x) => judge(question, x)) : [];
    const says = verdicts.filter(({ right, says }) => !right && says).map(({ says }) => says);
    return {
      label,
      counts: totals.map((total) => inside.reduce((sum, x) => sum + (total.get(x) ?? 0), 0)),
      isAnswer:
        verdicts.some(({ right }) => right) ||
        (question !== null && holds(Number(question.answer))),
      says: [...new Set(says)],
    };
  };
  if (!asked.range && numbers.length <= MAX_ROWS)
    return numbers.map((x) => row(text(x), (y) => y === x));
  const edges = edgesOf(asked, numbers);
  const [low, high] = [edges[0]!, edges[edges.length - 1]!];
  const short = (x: number) =>
    question ? textOf({ ...question, ...decimalsOf(edges) }, x) : String(x);
  const bins = edges.slice(1).map((end, i) => {
    const start = edges[i]!;
    const isLast = end === high;
    const label = `${short(start)} – ${short(end)}`;
    return row(label, (x) => x >= start && (x < end || (isLast && x === end)));
  });
  const beyond = [
    row(words.less(short(low)), (x) => x < low),
    row(words.more(short(high)), (x) => x > high),
  ];
  const [below, above] = beyond.map((one) => (one.counts.some(Boolean) ? [one] : []));
  return [...below!, ...bins, ...above!];
}

const optionRows = (
  asked: Asked,
  question: Question | null,
  totals: Map<number, number>[],
): Row[] =>
  Array.from({ length: asked.options }, (_, i) => {
    const isChoice = question && question.type !== "number";
    const says = isChoice ? (question.wrong[i] ?? "") : "";
    return {
      label: (isChoice && question.options[i]) || asked.labels?.[i] || String(i + 1),
      counts: totals.map((total) => total.get(i) ?? 0),
      isAnswer: isChoice ? question.answer === i : false,
      says: says ? [says] : [],
    };
  });

/** Edges of at most MAX_ROWS equal bins with round ends, which span all but a few far guesses. */
function edgesOf({ range }: Asked, numbers: number[]): number[] {
  const at = (share: number) => numbers[Math.round(share * (numbers.length - 1))]!;
  const [low, high] = range ?? [at(0.05), at(0.95)];
  const raw = (high - low) / MAX_ROWS || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const width = NICE.map((nice) => nice * unit).find((one) => one >= raw * (1 - 1e-9))!;
  const first = Math.floor(low / width + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / width - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => +((first + i) * width).toPrecision(12));
}

const decimalsOf = (edges: number[]) => ({
  decimals: Math.max(...edges.map((x) => String(x).split(".")[1]?.length ?? 0)),
});

/** The share of right guesses in each vote, in whole percent; null without guesses. */
export const rightShares = (question: Question, rounds: Round[]): (number | null)[] =>
  rounds.map((round) => {
    const total = totalOf(round);
    const all = sizeOf(total);
    if (!all) return null;
    const right = [...total].filter(([x]) => judge(question, x).right);
    return Math.round((100 * right.reduce((sum, [, count]) => sum + count, 0)) / all);
  });

/** Reads the counts of a show of hands from one text for each option; null if they are unreadable. */
export function countsIn(texts: string[]): number[] | null {
  const counts = texts.map((text) => Number(text.normalize("NFKC").trim() || 0));
  return counts.every((count) => Number.isInteger(count) && count >= 0 && count <= 10_000)
    ? counts
    : null;
}

/** Reads pairs such as "50: 3, 33: 10"; null if they are unreadable. */
export function pairsIn(text: string): [number, number][] | null {
  const parts = text
    .normalize("NFKC")
    .replace(/[−–]/g, "-")
    .split(/[,;、]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const pairs = parts.map((part) => /^(-?\d+(?:\.\d+)?)\s*:\s*(\d{1,4})$/.exec(part));
  if (pairs.includes(null)) return null;
  return pairs.map((pair) => [Number(pair![1]), Number(pair![2])]);
}

/** The last sentence of a question, which asks; the whole text if *emphasis* spans sentences. */
export function lastSentence(text: string): string {
  const last = text.split(/(?<=[.?!:])\s+|(?<=[。？！：])/).at(-1)!;
  return last.split("*").length % 2 ? last : text;
}
