// Interface strings of the review on the front page, in both languages; `t()` returns one.
import type { Language } from "./progress.ts";
import { filled } from "./filled.ts";

const STRINGS = {
  title: { en: "Review", zh: "复习" },
  goOn: { en: "Go on with chapter {n}", zh: "接着读第 {n} 章" },
  // The number stands in an element of its own.
  due: { en: "{n} questions are due.", zh: "今天有 {n} 道题要复习。" },
  dueMany: {
    en: "{n} questions are due in all; what you leave today can wait.",
    zh: "今天要复习的题共 {n} 道，做不完的可以改天再做。",
  },
  dueNone: { en: "Due for review today: {n}.", zh: "今天要复习的题：{n} 道。" },
  dueOne: { en: "{n} question is due.", zh: "今天有 {n} 道题要复习。" },
  begin: { en: "Review {n} questions · about a minute", zh: "复习 {n} 道题 · 大约一分钟" },
  beginOne: { en: "Review one question", zh: "复习 1 道题" },
  ofDue: { en: " ({due} are due)", zh: "（今天共 {due} 道）" },
  more: { en: "Review {n} more", zh: "再复习 {n} 道" },
  next: { en: "The next one is due {when}.", zh: "下一道题{when}复习。" },
  tomorrow: { en: "tomorrow", zh: "明天" },
  on: { en: "on {date}", zh: " {date}" },
  nothing: {
    en: "Answer the questions of the figures in any chapter. Each one that you answer wrongly or skip comes back here the next day, often with other numbers, up to five at a time.",
    zh: "请先回答各章图里的问题。答错或者跳过的题，第二天会在这里再考你一次，很多会换成类似的题，每次最多五道。",
  },
  forgotten: {
    en: "This browser keeps nothing, so no question can come back.",
    zh: "这个浏览器不保存进度，所以没有题目可以复习。",
  },
  loading: { en: "Loading …", zh: "正在加载……" },
  failed: {
    en: "The questions did not load. Reload the page and try again.",
    zh: "题目没有加载出来，请刷新页面再试。",
  },
} as const;

export const t = (
  key: keyof typeof STRINGS,
  lang: Language,
  parts: Record<string, string | number> = {},
) => filled(STRINGS[key][lang], parts);
