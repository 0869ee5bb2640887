// Chinese interface strings of code cells.
import type { Strings } from "./cells.ts";

const strings: Strings = {
  starting: "正在启动 Python……",
  waiting: "正在等上面的单元格运行完",
  busy: "刷新页面之前的代码还在运行",
  running: (seconds) => `已运行 ${seconds} 秒`,
  interrupt: "中断",
  restart: "重启 Python",
  again: "再次运行",
  retry: "重试",
  done: "运行完毕。",
  failed: (error) => `出错：${error}`,
  interrupted: "已中断。",
  differs: "与书中的输出不同。",
  failedAbove: "上面有一个单元格出错了，所以这个单元格没有运行。前往查看",
  restarted: "Python 已重启，变量都清空了。",
  died: "Python 意外退出，现已重启，变量都清空了。你写的代码还在。",
  gone: "本页的 Python 已经退出，变量都清空了。你写的代码还在。",
  stopped:
    "服务器没有回应。如果服务器已经停止，请重新运行 `make serve`，打开终端里显示的网址。你写的代码还在。",
  closed: "服务器重新启动过，网址已经变了。请打开 `make serve` 显示的新网址。你写的代码还在。",
  notStarted: "Python 启动失败。",
  code: "这个单元格的代码。先按 Esc，再按 Tab，就能离开编辑框",
  output: "输出",
  picture: "这个单元格画出的图",
  wholeTraceback: "完整的回溯（包括库中的部分）",
  leftOut: "［前面的输出已略去］",
  input: "Python 正在等待输入，输入以后按回车",
  noWidget: "这个页面不支持这个控件，请在 JupyterLab 中使用。",
};

export default strings;
