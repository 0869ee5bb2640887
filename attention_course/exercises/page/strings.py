"""List the interface strings of exercises that take an answer."""

from attention_course.translated import Text

CHECK = Text("Check", "检查")
NO_NUMBER = Text("Enter a number, such as 0.5 or 1/2.", "请填一个数，例如 0.5 或 1/2。")
COMMA = Text(
    "This comma can be read in two ways; write decimals with a point, please.",
    "这里的逗号有歧义，小数请用小数点。",
)  # the same as in book/web/strings/progress.ts
NO_CHOICE = Text("Choose an answer first.", "请先选一个答案。")
NO_PLACES = Text("Choose a place in every row first.", "请先在每一行里选一个位置。")
NO_LINES = Text("Choose a line for every gap first.", "请先给每个空选一行。")
OTHERS = Text(
    "Not yet, and the answer alone does not show which step went wrong. Write each step down, "
    "check it, and try again.",
    "还不对，只看这个答案还找不到错在哪一步。请把每一步写下来，逐步检查，再试一次。",
)
GAP = Text("Gap {number}", "空 {number}")
COLON = Text(": ", "：")
STILL = Text(
    "To have an answer checked, turn on JavaScript or run this chapter in JupyterLab.",
    "要检查答案，请启用 JavaScript，或者在 JupyterLab 里运行本章。",
)
NONE_YET = {"number": NO_NUMBER, "choice": NO_CHOICE, "place": NO_PLACES}
PUZZLE = Text(
    "Choose a line for each numbered gap in the program. You can also write code yourself: on "
    "the website, switch to one of the other two ways; in JupyterLab, use the cell below.",
    "请给程序里每个有编号的空选一行代码。也可以自己写：在网页上改用另外两种做法，"
    "在 JupyterLab 里用下面的单元格。",
)
PUZZLE_OF_CLASS = Text(
    "Choose a line for each numbered gap in the program. If you use JupyterLab, or opened this "
    "page with make serve, you can write the whole program yourself in the cell below.",
    "请给程序里每个有编号的空选一行代码。如果你用的是 JupyterLab，或者是用 make serve 打开的本页，"
    "也可以在下面的单元格里自己编写整个程序。",
)
