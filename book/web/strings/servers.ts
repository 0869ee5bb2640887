// Interface strings for choosing a server that runs the code, in both languages; `t()` returns one.
// Text between backticks is code, and between ** it is strong.
import { filled } from "./filled.ts";
import type { Language } from "./progress.ts";

const STRINGS = {
  heading: { en: "Where should Python run?", zh: "在哪里运行 Python？" },
  nothing: {
    en: "This page has no Python of its own, and it has not contacted anyone yet.",
    zh: "本页自己没有 Python，需要一台服务器。目前页面还没有连接任何服务器。",
  },
  binder: {
    en: "Binder is a free public service, and you need no account. Your browser will contact **{host}**, and then the server that Binder assigns to you. Binder builds the environment from {project}, and your code runs there. After about ten minutes without use, Binder deletes the server.",
    zh: "Binder 是免费的公共服务，不需要注册。点下面的按钮以后，浏览器先连接 **{host}**，再连接 Binder 分配给你的服务器。Binder 会下载 {project}，搭好环境，你的代码在那台服务器上运行。服务器闲置大约十分钟，Binder 就会把它删除。",
  },
  start: { en: "Start Python on Binder", zh: "在 Binder 上启动 Python" },
  own: { en: "Use a Jupyter server of your own", zh: "使用自己的 Jupyter 服务器" },
  needs: {
    en: "The server needs the packages of this book, and it must allow this page to connect. This command starts such a server:",
    zh: "服务器上要装有本书的软件包，还要允许本页连接。可以用下面的命令启动：",
  },
  address: { en: "Address", zh: "地址" },
  token: { en: "Token", zh: "token" },
  onlyThere: {
    en: "Your browser will contact this address and no other. The token stays in this tab until you close it.",
    zh: "浏览器只会连接这个地址。token 只保存在当前标签页里，关闭标签页以后就没有了。",
  },
  connect: { en: "Connect", zh: "连接" },
  cancel: { en: "Cancel", zh: "取消" },
  retry: { en: "Try again", zh: "重试" },
  other: { en: "Choose again", zh: "重新选择" },
  log: { en: "What Binder said", zh: "Binder 的输出" },
  connecting: { en: "Connecting with {host} …", zh: "正在连接 {host}……" },
  connected: { en: "Connected with {host}.", zh: "已连接 {host}。" },

  asking: { en: "Asking {host} for a server …", zh: "正在向 {host} 申请服务器……" },
  waiting: {
    en: "Binder has put the environment into its queue.",
    zh: "Binder 正在排队，还没有开始搭建环境。",
  },
  fetching: { en: "Binder is downloading the project.", zh: "Binder 正在下载本项目。" },
  building: {
    en: "Binder is building the environment; this takes one to ten minutes the first time.",
    zh: "Binder 正在搭建环境，第一次需要一到十分钟。",
  },
  pushing: {
    en: "Binder is storing the environment, so that the next start is faster.",
    zh: "Binder 正在保存环境，以后启动会更快。",
  },
  built: { en: "The environment is ready.", zh: "环境已经搭好。" },
  launching: { en: "Binder is starting your server.", zh: "Binder 正在启动服务器。" },

  build: {
    en: "Binder could not build the environment, and another try seldom helps. Please copy what Binder said and send it with “Report a mistake” below the text.",
    zh: "Binder 没能搭好环境，重试一般也没有用。请复制 Binder 的输出，用正文下方的“报告错误”告诉我们。",
  },
  launch: {
    en: "Binder has the environment but could not start a server in time. Try again in a few minutes.",
    zh: "环境已经搭好，但是 Binder 没能及时启动服务器。请过几分钟再试。",
  },
  project: {
    en: "Binder did not find {project}. Please tell us with “Report a mistake” below the text.",
    zh: "Binder 找不到 {project}。请用正文下方的“报告错误”告诉我们。",
  },
  busy: {
    en: "Too many people are using Binder at the moment. Try again in a few minutes, or use a Jupyter server of your own.",
    zh: "现在使用 Binder 的人太多。请过几分钟再试，或者使用自己的 Jupyter 服务器。",
  },
  status: {
    en: "The answer of {host} is not what Binder should answer. Try again in a few minutes.",
    zh: "{host} 的回答不正常。请过几分钟再试。",
  },
  broken: {
    en: "The connection to Binder broke before a server was ready. Try again: Binder keeps what it has built.",
    zh: "服务器还没有准备好，与 Binder 的连接就断了。请重试，已经搭好的环境不用重新搭建。",
  },
  network: {
    en: "{host} cannot be reached. Check your connection. An extension of your browser may also have blocked the request.",
    zh: "连不上 {host}。请检查网络；浏览器的扩展程序也可能拦截了请求。",
  },

  empty: {
    en: "Enter the address of your server, for example `http://localhost:8888/`.",
    zh: "请输入服务器的地址，例如 `http://localhost:8888/`。",
  },
  notAddress: {
    en: "This is not the address of a web server. An address looks like `http://localhost:8888/` or `https://example.org/user/ann/`.",
    zh: "这不是服务器的地址。地址应该像 `http://localhost:8888/` 或 `https://example.org/user/ann/` 这样。",
  },
  password: {
    en: "The address has a name or a password before its @. Remove it, and enter the token in its own field.",
    zh: "地址的 @ 前面有用户名或密码。请把这一部分去掉，在 token 一栏里输入 token。",
  },
  insecure: {
    en: "This page came through https, and from such a page a browser reaches an http address only on your own computer. Use an https address, or a server at `localhost`.",
    zh: "本页使用 https，浏览器不允许这样的页面连接别的机器上的 http 地址。请使用 https 地址，或者使用本机（`localhost`）的服务器。",
  },
  notToken: {
    en: "A token has only letters, digits and signs of the English keyboard, and no spaces. Copy the token again.",
    zh: "token 里只有英文字母、数字和英文符号，没有空格。请重新复制。",
  },
  missing: {
    en: "{host} asks for a token. Jupyter prints the token in its address, after `token=`, and `jupyter server list` shows it again.",
    zh: "{host} 需要 token。Jupyter 启动时显示的网址里，`token=` 后面就是 token；也可以用 `jupyter server list` 查看。",
  },
  wrong: {
    en: "{host} does not accept this token. Each start of a server makes a new token; `jupyter server list` shows the present one.",
    zh: "token 不对，{host} 拒绝了连接。服务器每次启动都会生成新的 token，可以用 `jupyter server list` 查看。",
  },
  foreign: {
    en: "{host} answers, but there is no Jupyter server at this address. Check what follows the host.",
    zh: "{host} 有回应，但是这个地址上没有 Jupyter 服务器。请检查地址里主机名后面的部分。",
  },
  origin: {
    en: "{host} answers, but not to this page. Perhaps the setting `allow_origin` of your server does not name the page: start the server with the command above. Perhaps the address is wrong after the host.",
    zh: "{host} 有回应，但是本页读不到回应的内容。可能是服务器的设置项 `allow_origin` 里没有本页的网址，请用上面的命令启动服务器；也可能是地址里主机名后面的部分写错了。",
  },
  silent: {
    en: "{host} does not answer. Check that the server is running and that the address is right. If your browser asks whether this page may reach your computer or your network, allow it.",
    zh: "{host} 没有回应。请确认服务器正在运行，地址也没有写错。如果浏览器询问是否允许本页访问本机或本地网络，请选择允许。",
  },

  stoppedBinder: {
    en: "Your server on Binder does not answer. Binder deletes a server after about ten minutes without use, together with its variables. What you wrote is still here.",
    zh: "Binder 上的服务器没有回应。闲置大约十分钟以后，Binder 会删除服务器，里面的变量也会丢失。你写的代码还在。",
  },
  stopped: {
    en: "{host} does not answer, or it no longer accepts the token: a server that is started again has a new one. What you wrote is still here.",
    zh: "{host} 没有回应，也可能是 token 失效了：服务器重新启动以后，token 会变。你写的代码还在。",
  },
  elsewhere: { en: "Choose a server", zh: "重新选择服务器" },
  usesBinder: {
    en: "Run uses {host}, the server that Binder started for this tab.",
    zh: "点“运行”时，使用 Binder 为这个标签页启动的服务器 {host}。",
  },
  usesOwn: {
    en: "Run uses your Jupyter server at {host}.",
    zh: "点“运行”时，使用你的 Jupyter 服务器 {host}。",
  },
  disconnect: { en: "Disconnect", zh: "断开" },
  disconnected: { en: "Disconnected from {host}.", zh: "已断开与 {host} 的连接。" },
} as const;

export type Key = keyof typeof STRINGS;

const lang: Language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

export const t = (key: Key, parts: Record<string, string> = {}) =>
  filled(STRINGS[key][lang], parts);
