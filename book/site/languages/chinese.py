"""Translate the interface strings that neither Sphinx nor the theme has in Chinese."""

MESSAGES = {
    "A focused control keeps the arrow keys and Space.": (
        "焦点在控件上时，方向键和空格用来操作这个控件。"
    ),
    "All figures": "全部图",
    "All {} pages": "全部 {} 个页面",
    "Add what is wrong, copy the text, and send it to the person who gave you this book.": (
        "请写明哪里有误，再把这段文字复制下来，发给提供本书的人。"
    ),
    "Back": "上一屏",
    "Restore the code and the output of the book": "恢复书中的代码和输出",
    "Back to top": "回到顶部",
    "Black screen, until the next key": "黑屏，再按任意键恢复",
    "Break": "休息",
    "Chinese text": "英文对照",
    "Close": "关闭",
    "In Colab, run this first, in a cell of its own:": "在 Colab 里，请先在单独的单元格里运行：",
    "Copied.": "已复制。",
    "Copy": "复制",
    "Copy the selected text.": "请手动复制选中的文字。",
    "Edit": "编辑",
    "First and last screen": "第一屏、最后一屏",
    "Figure: {}": "图：{}",
    "Found on one page.": "在 1 个页面中找到。",
    "Found on {} pages.": "在 {} 个页面中找到。",
    "From a file, search needs a server: for example python -m http.server in the book's folder.": (
        "直接打开文件时不能搜索，要通过服务器打开，例如在本书文件夹里运行 python -m http.server。"
    ),
    "Go to a screen": "跳到某一屏",
    "Go to a screen: its number, then Enter": "跳到某一屏：输入屏号，再按回车",
    "Hide code cell content": "收起代码与输出",
    "Hide code cell source": "收起代码",
    "Hide or show the figure's weights": "隐藏或显示图中的权重",
    "Hide or show the weights of all figures": "隐藏或显示本页所有图的权重",
    "Home": "首页",
    "In English: one page": "英文版有 1 个页面",
    "In English: {} pages": "英文版有 {} 个页面",
    "Keys": "按键一览",
    "Leave": "退出",
    "Leave lecture mode": "退出讲课模式",
    "Lecture mode": "讲课模式",
    "Lecture mode (Alt+L)": "讲课模式（Alt+L）",
    "Lecture mode did not load. Reload the page.": "讲课模式未能加载，请刷新页面。",
    "Licences and software of others": "许可与他人的软件",
    "Light or dark": "浅色或深色",
    "Link to this heading": "本节链接",
    "Main": "全书目录",
    "Mistake on “{}”": "《{}》一页有误",
    "Next": "下一屏",
    "Next screen": "下一屏",
    "Not at all": "不显示",
    "Nothing found for “{}”.": "没有找到“{}”。",
    "Notes": "讲稿",
    "Offline copy of this course (zip, {} MB)": "本课程的离线版（zip，{} MB）",
    "On the screen": "正在投影",
    "One paragraph at a time": "逐段显示",
    "Open an issue at {}": "在 {} 新建 issue",
    "Page: {title} ({place})": "页面：{title}（{place}）",
    "Part {part} of {parts}.": "第 {part} 屏，共 {parts} 屏。",
    "Permalink to this equation": "公式链接",
    "Planned minutes": "计划分钟数",
    "Print to PDF": "打印为 PDF",
    "Reveal the weights, or the next answer": "显示隐藏的权重，或展开下一个答案",
    "Screen": "屏",
    "Previous screen": "上一屏",
    "Screen {screen} of {screens}.": "第 {screen} 屏，共 {screens} 屏。",
    "Search this book": "搜索本书",
    "To run this code, open the link (with its token) that <code>make serve</code> printed in your "
    "terminal.": (
        "要运行代码，请打开 <code>make serve</code> 在终端里显示的网址，网址里带有 token。"
    ),
    "Report a mistake": "报告错误",
    "Reset": "重置",
    "Run": "运行",
    "Run asks first where Python should run: on Binder, or on a Jupyter server of your own.": (
        "点“运行”以后，页面会先问在哪里运行 Python：Binder，或者你自己的 Jupyter 服务器。"
    ),
    "Run this cell (Shift+Enter), and those above that have not run": (
        "运行这个单元格（Shift+Enter），以及上面尚未运行的单元格"
    ),
    "Search this course on attention scoring functions.": (
        "在这门注意力评分函数课程里搜索：输入中文找中文页，输入英文找英文页。"
    ),
    "Searching needs JavaScript.": "搜索需要启用 JavaScript。",
    "Section: {}": "小节：{}",
    "Section {screen} of {screens}.": "第 {screen} 节，共 {screens} 节。",
    "Shift+Space": "Shift+空格",
    "Show code cell content": "显示代码与输出",
    "Show code cell source": "显示代码",
    "Show the Chinese text as well": "同时显示英文",
    "Skip to main content": "跳到正文",
    "Some buttons did not load. Reload the page.": "部分按钮未能加载，请刷新页面。",
    "Since the lecture began": "已讲时间",
    "Space": "空格",
    "Speaker’s notes": "讲稿",
    "Speaker’s notes in a window of their own, where the chapter has any": (
        "如果本章有讲稿，在另一个窗口里打开"
    ),
    "Step {part} of {parts}.": "第 {part} 步，共 {parts} 步。",
    "Stop the clock for a break, or go on": "休息时停表，再按一次继续",
    "Text and figures: CC BY 4.0. Code: MIT.": "文字与图采用 CC BY 4.0 许可，代码采用 MIT 许可。",
    "The browser did not open the window.": "窗口被浏览器拦截，没有打开。",
    "The Chinese text did not load. Reload the page.": "英文未能加载，请刷新页面。",
    "The code runs with <code>make serve</code> in a clone of the project, and in the chapter’s "
    "notebook.": (
        "要运行代码，请在本项目的目录里用 <code>make serve</code> 打开本书，"
        "或者打开本章的 notebook。"
    ),
    "The figure's first control, or the one of that number": "跳到图的第一个控件，或指定序号的控件",
    "The code does not run: its script did not load. Reload the page.": (
        "代码无法运行：脚本未能加载，请刷新页面。"
    ),
    "The newest version of this course is at {}.": "本课程的最新版在 {}。",
    "The page cannot judge your answers: its script did not load. Reload the page.": (
        "脚本未能加载，本页无法判断对错，请刷新页面。"
    ),
    "The project:": "项目地址：",
    "The search did not load. Reload the page to try again.": "搜索未能加载，请刷新页面重试。",
    "The screen is blank.": "投影画面已隐藏。",
    "The screen is blank; any key shows it again.": "投影画面已隐藏，按任意键恢复。",
    "This course on paper (PDF, {} MB)": "本课程的纸面版（PDF，{} MB）",
    "Time left": "剩余时间",
    "There is no screen {number}. Type another number.": "没有第 {number} 屏，请输入别的屏号。",
    "Type a number and press Enter, or choose.": "输入屏号再按回车，或者直接点选。",
    "White screen, until the next key": "白屏，再按任意键恢复",
    "The weights of all figures are hidden.": "本页所有图的权重都已隐藏。",
    "The weights of all figures are shown.": "本页所有图的权重都已显示。",
    "The whole page": "整页显示",
    "This text starts an issue of the project, which everybody can read. Add what is wrong.": (
        "这段文字会作为 issue 提交到本项目，所有人都能看到。请写明哪里有误。"
    ),
    "This figure did not load; reload the page to move it.": "此图未能加载，刷新页面后才能操作。",
    "This exercise did not load; reload the page to answer it.": (
        "此题未能加载，刷新页面后才能作答。"
    ),
    "This list": "显示按键一览",
    "Toggle primary sidebar": "显示或隐藏全书目录",
    "Toggle secondary sidebar": "显示或隐藏本页目录",
    "Version warning": "版本提示",
    "Weights stay hidden where a question waits for its answer.": (
        "如果图中的问题还没有回答，权重仍然隐藏。"
    ),
    "What is wrong:": "哪里有误：",
    "Where": "位置",
    "Without JavaScript, this figure stands still.": "未启用 JavaScript，此图无法操作。",
    "Without a clone, the rocket at the top opens the chapter elsewhere.": (
        "如果没有下载本项目，可以点页面上方的火箭图标，在其他平台上打开本章。"
    ),
    "Your progress did not load; reload the page to see it.": "进度未能加载，请刷新页面。",
    "light/dark": "浅色／深色",
    "next page": "下一页",
    "previous page": "上一页",
}
