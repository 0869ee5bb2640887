// Interface strings of the room, of phones and of the lecturer, in both languages.
import type { Language } from "./progress.ts";

const STRINGS = {
  // phones
  room: { en: "The room", zh: "课堂问答" },
  waiting: { en: "The next question appears here.", zh: "下一道题会显示在这里。" },
  stay: {
    en: "Keep this page open. You need no account, and no one sees who guessed what.",
    zh: "请不要关闭这个页面。不用登录，也没有人知道谁选了什么。",
  },
  connected: { en: "connected", zh: "已连接" },
  connecting: { en: "connecting …", zh: "正在连接……" },
  guess: { en: "What do you think?", zh: "你觉得呢？" },
  saw: { en: "What did you see?", zh: "你看到了什么？" },
  again: { en: "Second vote: what do you think now?", zh: "第二次投票：你现在怎么看？" },
  yours: { en: "Your guess", zh: "你的答案" },
  send: { en: "Send", zh: "提交" },
  refused: { en: "“{got}” is not a number.", zh: "“{got}”不是数字。" },
  touch: { en: "You can also tap the place in the picture.", zh: "也可以直接点图中的位置。" },
  notYet: { en: "You have not guessed yet.", zh: "你还没有作答。" },
  sending: {
    en: "Your guess is on its way. It is kept if the connection breaks.",
    zh: "正在提交。即使断线，你的答案也会保留。",
  },
  sent: {
    en: "Your guess is in. You can change it until the vote closes.",
    zh: "已提交。投票结束前都可以修改。",
  },
  closed: { en: "The vote is closed.", zh: "投票已结束。" },
  closedWith: {
    en: "The vote is closed. Your answer: {guess}.",
    zh: "投票已结束。你的答案：{guess}。",
  },
  late: {
    en: "Your answer came after the vote had closed, so it was not counted: {guess}.",
    zh: "你的答案（{guess}）在投票结束后才送到，没有计入统计。",
  },
  lateChange: {
    en: "Your change came after the vote had closed: {guess}. Your earlier answer was counted.",
    zh: "你改的答案（{guess}）在投票结束后才送到，计入统计的是之前的答案。",
  },
  wait: {
    en: "Talk it over with your neighbour. The answer, or a second vote, comes next.",
    zh: "先和旁边的同学讨论一下，接着会公布答案或再投一次票。",
  },
  yoursNow: {
    en: "Now the figure is yours: move it.",
    zh: "现在可以自己动手操作这幅图了。",
  },
  over: { en: "The vote is over. Here is the answer.", zh: "投票结束了，答案如下。" },
  full: { en: "The room is full. Trying again …", zh: "人数已满，正在重试……" },
  // the lecturer
  ask: { en: "Ask the room", zh: "向全班提问" },
  askSeen: { en: "Ask what they saw", zh: "问大家看到了什么" },
  code: { en: "Address for phones", zh: "手机网址" },
  join: { en: "Guess along on your phone", zh: "用手机一起答题" },
  joinHow: {
    en: "Scan the code or type the address. No account is needed.",
    zh: "扫码或输入网址即可，不用登录。",
  },
  onlyHere: {
    en: "Only this computer reaches this address. For phones, start with",
    zh: "这个网址只有本机能打开。要让手机也能打开，请这样启动：",
  },
  of: { en: "{guessed} of {present}", zh: "{guessed} / {present}" },
  haveGuessed: { en: "have guessed", zh: "人已作答" },
  guesses: { en: "answered", zh: "人作答" },
  first: { en: "First vote", zh: "第一次投票" },
  second: { en: "Second vote", zh: "第二次投票" },
  close: { en: "Close the vote", zh: "结束投票" },
  voteAgain: { en: "Vote again", zh: "再投一次" },
  reveal: { en: "Reveal", zh: "公布答案" },
  done: { en: "Done", zh: "完成" },
  anew: { en: "Ask this again", zh: "重新提问" },
  anewHow: {
    en: "This begins with a new first vote. The counts so far leave the screen, and stay in the file.",
    zh: "这会从第一次投票重新开始。已有的统计不再显示，不过会保留在文件里。",
  },
  anewStart: { en: "Begin a new first vote", zh: "重新开始第一次投票" },
  cancel: { en: "Cancel", zh: "取消" },
  meanings: { en: "What wrong answers mean", zh: "错误答案说明了什么" },
  answerIs: { en: "The answer is {answer}:", zh: "正确答案是{answer}：" },
  rightShare: { en: "Right: {shares}", zh: "答对的比例：{shares}" },
  hands: { en: "Show of hands", zh: "举手人数" },
  handsNumbers: {
    en: "Number: count, such as 50: 3, 33: 10",
    zh: "数字：人数，例如 50：3，33：10",
  },
  count: { en: "Count", zh: "计入" },
  unreadable: { en: "This cannot be read as counts.", zh: "无法识别这些人数。" },
  more: { en: "more than {x}", zh: "大于 {x}" },
  less: { en: "less than {x}", zh: "小于 {x}" },
  others: { en: "another place (in Chinese)", zh: "别的位置（英文版）" },
  elsewhere: { en: "Go to this question", zh: "回到这道题" },
  screen: { en: "screen {n}", zh: "第 {n} 屏" },
  otherPage: { en: "another page", zh: "另一页" },
  openThere: {
    en: "Vote open on {where}: {guessed} of {present}",
    zh: "{where}正在投票：{guessed} / {present}",
  },
  closedThere: { en: "Vote on {where}", zh: "{where}的投票" },
  votes: { en: "Vote open: {guessed} of {present}", zh: "正在投票：{guessed} / {present}" },
  voted: {
    en: "Vote closed: {guessed} of {present}. R reveals the answer.",
    zh: "投票已结束：{guessed} / {present}，按 R 公布答案。",
  },
  told: { en: "The answer is shown.", zh: "答案已公布。" },
  openElsewhere: {
    en: "The open vote belongs to {where}: V closes it there, then R reveals the answer.",
    zh: "正在进行的投票在{where}：请到那里按 V 结束投票，再按 R 公布答案。",
  },
  closedElsewhere: {
    en: "The vote belongs to {where}: R there reveals the answer.",
    zh: "这次投票在{where}：请到那里按 R 公布答案。",
  },
  returns: {
    en: "A vote is open. Alt+L returns to it.",
    zh: "投票还没有结束。按 Alt+L 回到投票。",
  },
  openOnPage: { en: "A vote is open on another page.", zh: "另一页上的投票还没有结束。" },
  joined: { en: "Phones that have joined: {present}", zh: "已加入的手机：{present} 部" },
  nothing: {
    en: "Nothing on this screen asks a question.",
    zh: "这一屏没有可以提问的题目。",
  },
  twoVotes: {
    en: "Both votes are closed. R reveals the answer.",
    zh: "两次投票都已结束。按 R 公布答案。",
  },
  answered: {
    en: "The answer is shown. The buttons below go on.",
    zh: "答案已经公布。可以用下面的按钮继续。",
  },
  closeFirst: {
    en: "The vote is open. V closes it, then R reveals the answer.",
    zh: "投票还没有结束。先按 V 结束投票，再按 R 公布答案。",
  },
  csv: { en: "Save the counts (CSV)", zh: "保存统计结果（CSV）" },
  forget: { en: "Delete all counts", zh: "清除全部统计" },
  sure: {
    en: "Delete the counts of all votes, for the next class?",
    zh: "要清除所有投票的统计结果，为下一次课做准备吗？",
  },
  closeDialog: { en: "Close", zh: "关闭" },
  offline: {
    en: "No connection to the server. If it was restarted, open the new address that it printed. What was counted is kept in this browser.",
    zh: "与服务器的连接断开了。如果服务器重新启动过，请打开它新给出的网址。已有的统计保存在这个浏览器里。",
  },
  keyVote: {
    en: "Ask the room the question on the screen; close the vote; vote again",
    zh: "把屏幕上的问题发给全班；结束投票；再投一次",
  },
  keyCode: { en: "Address and code for phones", zh: "手机网址和二维码" },
} as const;

export type RoomKey = keyof typeof STRINGS;
export type RoomStrings = (key: RoomKey, values?: Record<string, string | number>) => string;

export const roomStrings =
  (lang: Language): RoomStrings =>
  (key, values = {}) =>
    STRINGS[key][lang].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
