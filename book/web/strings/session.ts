// Interface strings of a review that has begun, in both languages; `t()` returns one.
import { filled } from "./filled.ts";
import type { Language } from "./progress.ts";

const STRINGS = {
  item: { en: "Question {i} of {n}", zh: "第 {i} 题，共 {n} 题" },
  from: { en: "from", zh: "出自" },
  check: { en: "Check", zh: "检查" },
  show: { en: "Show me", zh: "直接看答案" },
  next: { en: "Next question", zh: "下一题" },
  finish: { en: "See the result", zh: "看结果" },
  youSaid: { en: "You said **{guess}**.", zh: "你答的是 **{guess}**。" },
  youAreRight: { en: "You are right.", zh: "答对了。" },
  answerIs: { en: "The answer is **{answer}**:", zh: "正确答案是 **{answer}**：" },
  look: { en: "Look at its figure", zh: "看看这幅图" },
  figure: { en: "Try it in the figure", zh: "回到图里试一试" },
  place: { en: "{title}: {section}", zh: "{title}：{section}" },
  result: { en: "You knew {right} of {n}.", zh: "{n} 道题答对了 {right} 道。" },
  missed: {
    en: "What you missed is due again tomorrow. Until then, try it in its figure.",
    zh: "没答对的题，可以先回到图里试试，明天会再考你一次。",
  },
} as const;

export const t = (
  key: keyof typeof STRINGS,
  lang: Language,
  parts: Record<string, string | number> = {},
) => filled(STRINGS[key][lang], parts);
