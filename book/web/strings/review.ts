// Interface strings of the review on the front page, in both languages; `t()` returns one.
import type { Language } from "./progress.ts";
import { filled } from "./filled.ts";

const STRINGS = {
  title: { en: "Review", zh: "复习" },
  // The number stands in an element of its own.
  due: { en: "{n} questions are due.", zh: "今天有 {n} 道题要复习。" },
  dueNone: { en: "Due for review today: {n}.", zh: "今天要复习的题：{n} 道。" },
  dueOne: { en: "{n} question is due.", zh: "今天有 {n} 道题要复习。" },
  notice: { en: "{n} questions are due for review", zh: "今天有 {n} 道题要复习" },
  noticeOne: { en: "{n} question is due for review", zh: "今天有 {n} 道题要复习" },
  begin: { en: "Review {n} now, in about a minute", zh: "现在复习 {n} 道，大约一分钟" },
  beginOne: { en: "Review it now", zh: "现在复习" },
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
