// Interface strings of the review on the front page, in both languages; `t()` returns one.
import type { Language } from "./progress.ts";

const STRINGS = {
  title: { en: "Review", zh: "复习" },
  due: { en: "questions are due.", zh: "道题该复习了。" },
  dueOne: { en: "question is due.", zh: "道题该复习了。" },
  begin: { en: "Review {n} now, in about a minute", zh: "现在复习 {n} 道，大约一分钟" },
  next: { en: "The next one is due {when}.", zh: "下一道题{when}复习。" },
  tomorrow: { en: "tomorrow", zh: "明天" },
  on: { en: "on {date}", zh: "{date}" },
  nothing: {
    en: "Answer the questions of the figures in any chapter: what you missed comes back here the next day, with other numbers.",
    zh: "去回答各章图里的问题吧。答错的题，第二天会换上别的数，再到这里来问你。",
  },
  forgotten: {
    en: "This browser keeps nothing, so no question can come back.",
    zh: "这个浏览器不保存进度，题目也就没法再来问你。",
  },
  loading: { en: "Loading …", zh: "正在加载……" },
  failed: {
    en: "The questions did not load. Reload the page and try again.",
    zh: "题目没有加载出来，请刷新页面再试。",
  },
  item: { en: "Question {i} of {n}", zh: "第 {i} 题，共 {n} 题" },
  from: { en: "from", zh: "出自" },
  check: { en: "Check", zh: "检查" },
  show: { en: "Show me", zh: "直接看答案" },
  continue: { en: "Next question", zh: "下一题" },
  finish: { en: "See the result", zh: "看结果" },
  youSaid: { en: "You said **{guess}**.", zh: "你答的是 **{guess}**。" },
  youAreRight: { en: "You are right.", zh: "答对了。" },
  answerIs: { en: "The answer is **{answer}**:", zh: "正确答案是 **{answer}**：" },
  figure: { en: "Try it in the figure", zh: "回到图里试一试" },
  result: { en: "You knew {right} of {n}.", zh: "{n} 道题答对了 {right} 道。" },
  missed: {
    en: "Go back to what you missed. It is due again tomorrow, with other numbers.",
    zh: "没答对的题，可以回到图里再看看。明天会换上别的数再问你。",
  },
  more: { en: "Review {n} more", zh: "再复习 {n} 道" },
  close: { en: "Done for today", zh: "今天先到这里" },
} as const;

export type ReviewKey = keyof typeof STRINGS;

/** Returns a string with its {parts} filled in. */
export const t = (key: ReviewKey, lang: Language, parts: Record<string, string | number> = {}) =>
  Object.entries(parts).reduce<string>(
    (text, [name, part]) => text.replace(`{${name}}`, () => String(part)),
    STRINGS[key][lang],
  );
