// Interface strings of "Where do I stand?", in both languages; `t()` returns one, with its parts filled in.
import type { Language } from "./progress.ts";

const STRINGS = {
  time: { en: "When are you answering?", zh: "你在什么时候做这些题？" },
  before: { en: "Before the course", zh: "学习之前" },
  after: { en: "After the course", zh: "学完之后" },
  unknown: { en: "I do not know", zh: "不知道" },
  answered: { en: "{done} of {all} answered.", zh: "已答 {done} 题，共 {all} 题。" },
  open: {
    en: "Not answered yet: {links}. Answer these questions, or press the button again to leave them out.",
    zh: "还没有答的题：{links}。可以补上，也可以再按一次按钮，把这些题留空。",
  },
  finish: { en: "Show my result", zh: "查看结果" },
  result: { en: "Your result", zh: "你的结果" },
  score: { en: "{right} of {all} right.", zh: "{all} 题中答对 {right} 题。" },
  taken: { en: "{time}, {date}:", zh: "{time}（{date}）：" },
  leftOut: { en: "{unknown} not known or left out.", zh: "不知道或留空 {unknown} 题。" },
  chance: {
    en: "Guessing alone would get about {chance} right.",
    zh: "如果全凭猜，大约能对 {chance} 题。",
  },
  learnt: {
    en: "Right this time, but not the first time: questions {links}.",
    zh: "这次新答对的题：{links}。",
  },
  lost: {
    en: "Right the first time, but not this time: questions {links}.",
    zh: "上次答对、这次没有答对的题：{links}。",
  },
  read: { en: "What to read next", zh: "接下来读什么" },
  questions: { en: " (question {links})", zh: "（第 {links} 题）" },
  each: { en: "Question by question", zh: "逐题说明" },
  allRight: {
    en: "You got everything right.",
    zh: "全部答对，没有需要补的内容。",
  },
  youSaid: { en: "You said: **{option}**.", zh: "你选的是“**{option}**”。" },
  notRight: {
    en: "You said: **{option}**. It is not right.",
    zh: "你选的是“**{option}**”，这个答案不对。",
  },
  hidden: {
    en: "The answers stay hidden until you answer the questions a second time, because remembering them would raise your second result. For each miss you see where to read; what you got right is explained.",
    zh: "记住答案会抬高第二次的成绩，所以要等你答完第二遍才显示答案。现在只给答对的题附上解释，错题只写该读哪一节。",
  },
  showAnswers: { en: "Show the answers", zh: "显示答案" },
  youDoNotKnow: { en: "You said that you do not know.", zh: "你选的是“**不知道**”。" },
  youLeftOut: { en: "You left this question out.", zh: "这道题你没有答。" },
  source: { en: "(Source: {link}.)", zh: "（出处：{link}）" },
  answerIs: { en: "The answer: **{option}**.", zh: "正确答案是**{option}**：" },
  treated: { en: "More in {link}.", zh: "详见{link}。" },
  shown: { en: "Which result", zh: "查看哪一次" },
  print: { en: "Print", zh: "打印" },
  text: { en: "Save as text", zh: "存为文本" },
  json: { en: "Save as JSON", zh: "存为 JSON" },
  again: { en: "Answer them again (the first result stays)", zh: "再做一遍（保留第一遍的结果）" },
  clear: { en: "Delete my answers", zh: "删除我的作答记录" },
  sure: { en: "Delete your answers and results?", zh: "要删除全部作答记录和结果吗？" },
  cleared: { en: "Your answers are deleted.", zh: "作答记录已删除。" },
  kept: {
    en: "Your answers are kept on this device alone, and no one else sees them.",
    zh: "作答记录只保存在这台设备上，别人看不到。",
  },
  forgotten: {
    en: "This browser does not keep your answers, so print or save the result before you leave the page.",
    zh: "这个浏览器不保存作答记录，请在离开本页之前打印结果，或者存成文件。",
  },
} as const;

export type StringKey = keyof typeof STRINGS;

export function t(
  key: StringKey,
  lang: Language,
  parts: Record<string, string | number> = {},
): string {
  const text: string = STRINGS[key][lang];
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(parts[name] ?? whole));
}
