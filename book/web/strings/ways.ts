// Interface strings of the ways into an exercise that a page needs at once, in both languages.
import type { Language } from "./progress.ts";

const STRINGS = {
  ways: { en: "How would you like to solve it?", zh: "你想用哪种做法？" },
  lines: { en: "Choose lines", zh: "选择代码行" },
  blanks: { en: "Fill in the blanks", zh: "补全代码" },
  own: { en: "Write it yourself", zh: "自己写代码" },
  gone: {
    en: "After {count} wrong tries, a wrong line of {label} is gone.",
    zh: "已经答错 {count} 次，“{label}”里去掉了一行错误的代码。",
  },
  loading: { en: "Loading …", zh: "正在加载……" },
  notLoaded: {
    en: "This part of the page did not load. Check your connection and try again.",
    zh: "页面的这一部分没有加载成功。请检查网络，然后重试。",
  },
  retry: { en: "Try again", zh: "重试" },
} as const;

export const t = (key: keyof typeof STRINGS, lang: Language): string => STRINGS[key][lang];
