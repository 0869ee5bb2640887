// Interface strings of exercises that are answered with code, in both languages.
import type { Language } from "./progress.ts";

const STRINGS = {
  introBlanks: {
    en: "Replace every `____` with code. `torch` and `math` are already imported.",
    zh: "请把每个 `____` 换成代码，`torch` 和 `math` 已经导入。",
  },
  introOwn: {
    en: "Write the whole function. `torch` and `math` are already imported.",
    zh: "请写出整个函数，`torch` 和 `math` 已经导入。",
  },
  raised: {
    en: "You have solved an exercise, so this one starts with a harder way. You can choose another way above.",
    zh: "你已经做对了一道题，所以这道题一开始就用更难的做法。你可以在上面改选别的做法。",
  },
  editor: {
    en: "Your code. Press Escape, then Tab, to leave it",
    zh: "你的代码。先按 Esc 再按 Tab 可离开",
  },
  checking: { en: "Checking …", zh: "正在检查……" },
  starting: { en: "Starting Python …", zh: "正在启动 Python……" },
  waiting: { en: "Waiting for the running cell …", zh: "正在等单元格运行完……" },
  startOver: { en: "Start over", zh: "恢复原样" },
  openBlank: {
    en: "One blank is still empty: write code in place of `____`.",
    zh: "还有 1 个空没有填，请把 `____` 换成代码。",
  },
  openBlanks: {
    en: "{count} blanks are still empty: write code in place of each `____`.",
    zh: "还有 {count} 个空没有填，请把 `____` 换成代码。",
  },
  byBrowser: { en: "Judged in this browser.", zh: "由浏览器判定。" },
  unchecked: { en: " Not checked here: {list}.", zh: "这里没有检查{list}。" },
  byKernel: { en: "Judged by the server.", zh: "由服务器判定。" },
  unreachable: {
    en: "The server could not judge your code, so this browser has judged it instead. ",
    zh: "服务器没能判定，这次改由浏览器判定。",
  },
  later: {
    en: "The exercise counts as solved once a server has checked the rest: open this page with `make serve` and press Check there.",
    zh: "其余部分要由服务器检查，全部通过才算做对：请用 `make serve` 打开本页，再按一次“检查”。",
  },
  notLoaded: {
    en: "The checker did not load, so your code has not been judged. The code is still here. Check your connection and try again.",
    zh: "检查程序没有加载成功，所以还没有检查你的代码。代码还在，请检查网络，然后重试。",
  },
  retry: { en: "Try again", zh: "重试" },
  forgotten: {
    en: "This browser does not keep your code, so the code is lost when you leave the page.",
    zh: "这个浏览器不保存代码，离开本页就会丢失。",
  },
} as const;

export type CodeKey = keyof typeof STRINGS;

export const t = (key: CodeKey, lang: Language): string => STRINGS[key][lang];
