// Interface strings of exercises and progress, in both languages; `t()` returns one.

const STRINGS = {
  done: { en: "✓ answered right", zh: "✓ 已答对" },
  before: { en: "✓ answered right before", zh: "✓ 以前答对过" },
  // the same as in attention_course/exercises/page/strings.py
  comma: {
    en: "This comma can be read in two ways; write decimals with a point, please.",
    zh: "这里的逗号有歧义，小数请用小数点。",
  },
  chapter: { en: "In this chapter:", zh: "本章：" },
  figure: { en: "figures tried", zh: "试过的图" },
  question: { en: "questions answered", zh: "答过的问题" },
  exercise: { en: "exercises without code solved", zh: "做对的练习（编程除外）" },
  puzzle: { en: "exercises (code) solved", zh: "做对的练习（编程）" },
  first: { en: "{n} at the first guess", zh: "一次猜对 {n}" },
  shown: { en: "{n} shown", zh: "直接看答案 {n}" },
  blanks: { en: "{n} with blanks", zh: "填空 {n}" },
  own: { en: "{n} in your own code", zh: "自己写 {n}" },
  of: { en: "{done} of {all}", zh: "{done} / {all}" },
  export: { en: "Export", zh: "导出" },
  import: { en: "Import", zh: "导入" },
  imported: { en: "The progress is added to what is here.", zh: "导入的进度已经与这里的合并。" },
  damaged: {
    en: "This file is no progress record, or it is damaged. Nothing has changed.",
    zh: "这个文件不是进度记录，或者已经损坏。这里的进度没有变。",
  },
  full: {
    en: "This file holds more than one reader’s progress. Nothing has changed.",
    zh: "这个文件太大，不像是一个人的进度。这里的进度没有变。",
  },
  clear: { en: "Clear", zh: "清除" },
  sure: { en: "Delete all of your progress?", zh: "要清除全部进度吗？" },
  cleared: { en: "Your progress is cleared.", zh: "进度已清除。" },
  kept: {
    en: "It is kept on this device alone, and no one else sees it.",
    zh: "进度只保存在这台设备上，别人看不到。",
  },
  forgotten: {
    en: "This browser does not keep it, so your progress is lost when you leave the page.",
    zh: "这个浏览器不保存进度，离开本页以后，进度就会丢失。",
  },
} as const;

export type StringKey = keyof typeof STRINGS;
export type Language = "en" | "zh";

export const t = (key: StringKey, lang: Language): string => STRINGS[key][lang];

export const languageOf = (element: Element): Language =>
  element.closest("[lang]")?.getAttribute("lang")?.startsWith("en") ? "en" : "zh";
