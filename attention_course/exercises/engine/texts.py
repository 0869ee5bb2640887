"""Define the texts that all exercises share."""

from collections.abc import Iterable
from typing import NamedTuple

from attention_course.translated import Text


def listed(names: Iterable[str]) -> Text:
    """List names as code."""
    marked = [f"`{name}`" for name in names]
    return Text(", ".join(marked), "、".join(marked))


PASSED = Text("Correct. It passes every hidden case.", "正确，所有隐藏的用例都通过了。")
PASSED_PARTS = Text(  # in the browser, which cannot check everything
    "Right so far: every hidden case that this page can check passes.",
    "到目前为止都对，本页能检查的用例全部通过了。",
)
FAILED = Text("Not yet. ", "还没做对。")
STUB = Text(
    "Nothing came back. Put your code in place of `...`, and `return` the result.",
    "函数什么也没有返回。请把 `...` 换成你的代码，并用 `return` 返回结果。",
)
NOTHING = Text(
    "With {case}: nothing came back. Every path through the function must end in `return`.",
    "输入 {case}：函数什么也没有返回。无论执行哪个分支，最后都要 `return`。",
)
NOT_CALLABLE = Text(
    "`check` needs the function itself, but it got an object of type `{type}`. Give it the "
    "function's name, without parentheses.",
    "请把函数本身传给 `check`，现在传入的是 `{type}` 类型的对象。请只写函数名，不加括号。",
)
UNREADABLE = Text(
    "`check` could not inspect what it was given: doing so raised {error}",
    "`check` 无法检查传入的对象，检查时抛出了 {error}",
)
ARGUMENTS = Text(
    "The function is called with ({names}), but yours takes ({own}).",
    "调用时传入的参数是 ({names})，你的函数接受的却是 ({own})。",
)
RAISED = Text(
    "With {case}: your code raised {error}",
    "输入 {case}：你的代码抛出了 {error}",
)
TYPE = Text(
    "The result should be a tensor of shape {expected}; yours is of type `{type}`.",
    "结果应该是形状为 {expected} 的张量，你返回的却是 `{type}` 类型。",
)
PARTS = Text(
    "Return only the tensor that the task asks for, not several things at once.",
    "请只返回题目要求的张量，不要同时返回好几个结果。",
)
SHAPE = Text(
    "With {case}: {whole} should have the shape {expected}; yours has {got}.",
    "输入 {case}：{whole}的形状应该是 {expected}，你得到的是 {got}。",
)
DTYPE = Text(
    "The result should hold floating-point numbers, {expected}; yours holds {got}.",
    "结果应该是浮点数（{expected}），你返回的却是 {got}。",
)
NOT_FINITE = Text(
    "With {case}: entry {index}{of} should be {expected}, but yours is {got}. NaN comes from 0/0, "
    "∞ − ∞ or 0 · ∞, and infinity comes from an overflow or a division by 0.",
    "输入 {case}：{of}下标 {index} 处应该是 {expected}，你得到的却是 {got}。0/0、∞ − ∞ 或 0 × ∞ "
    "会产生 NaN，溢出或者除以 0 会产生无穷大。",
)
RANDOM = Text(
    "The result changes from call to call, so dropout or something else random is at work.",
    "每次调用的结果都不一样，大概是用了 dropout 或者别的随机操作。",
)
VALUE = Text(
    "With {case}: entry {index}{of} should be {expected}, but yours is {got}.",
    "输入 {case}：{of}下标 {index} 处应该是 {expected}，你得到的是 {got}。",
)
CHANGED = Text(
    "The function changes {names}, which belongs to its caller. Make a new tensor instead. "
    "Operations whose names end in `_` and assignments to an index write into the old one, even "
    "through a view.",
    "函数修改了传入的张量 {names}，请新建一个张量来存放结果。名称以 `_` "
    "结尾的操作和按下标赋值都会修改原来的张量，通过视图修改也一样。",
)
DOUBLE = Text(
    "One remark: given float64, the function should return float64, but it does not. New tensors "
    "take the dtype of an argument with `torch.zeros(…, dtype=x.dtype)` or `x.new_zeros(…)`.",
    "顺便一提，输入是 float64 时，结果也应该是 float64，你的结果却不是。新建张量时，可以用 "
    "`torch.zeros(…, dtype=x.dtype)` 或 `x.new_zeros(…)` 来沿用输入的类型。",
)
NO_DATA = Text(
    "With {case}: {whole} has the right shape, but no numbers, because it is on the device `meta`.",
    "输入 {case}：{whole}的形状是对的，但在 `meta` 设备上，里面没有数据。",
)
NOT_TENSOR = Text(
    "With {case}: {whole} should be a tensor of shape {expected}.",
    "输入 {case}：{whole}应该是形状为 {expected} 的张量。",
)
DETACHED = Text(
    "With {case}: no gradient reaches {names}. `detach()`, `.data`, `.item()`, `.numpy()`, "
    "`torch.tensor(…)` and `torch.no_grad()` cut a result off from the tensors behind it, and "
    "nothing before the cut can be trained.",
    "输入 {case}：梯度传不到 {names}。`detach()`、`.data`、`.item()`、`.numpy()`、"
    "`torch.tensor(…)` 和 `torch.no_grad()` 都会切断计算图，断开处之前的部分就没法训练了。",
)
BACKWARD = Text(
    "With {case}: the output is right, but computing gradients raised {error}",
    "输入 {case}：输出正确，但求梯度时抛出了 {error}",
)
LAYOUT = Text(
    "The result should be a dense tensor of shape {expected}; yours has the layout `{layout}`.",
    "结果应该是形状为 {expected} 的稠密张量，你返回的张量却是 `{layout}` 布局。",
)
OUT_OF_TIME = Text(
    "With {case}: your code was stopped after it had run for {seconds} seconds in all. Is there a "
    "loop that does not end, or a tensor that is far too large?",
    "输入 {case}：你的代码一共运行了 {seconds} 秒还没有结束，只好中止。是不是有循环停不下来，"
    "或者有张量太大了？",
)
STATE = Text(
    "With {case}: the same call gives a different result the next time, so the result depends on "
    "more than the arguments. Is something kept between calls, such as a global variable or a "
    "default argument that is changed?",
    "输入 {case}：用同样的参数再调用一次，结果就变了，可见结果不只取决于参数。"
    "是不是有什么数据留到了下一次调用，例如全局变量，或者改动过的默认参数？",
)
SEEDED = Text(
    "All results are right, but the function sets the seed of torch's random numbers. As a "
    "result, the whole program draws the same random numbers again after each call. Leave out "
    "`torch.manual_seed`.",
    "结果都对，但函数里设置了 torch 的随机种子。这样一来，每次调用之后，"
    "整个程序得到的随机数都会重复，请去掉 `torch.manual_seed`。",
)
SETTING = Text(
    "The function changes what the whole program shares: {names}. The code that calls it does "
    "not expect this, so leave such settings alone.",
    "函数修改了整个程序共用的设置：{names}。这会影响别处的代码，请不要在函数里修改。",
)
BEYOND = Text(
    "One remark, about a harder case. {told}",
    "顺便一提，还有一个更难的用例。{told}",
)

# What happens to a source text before there is a function to judge.
SYNTAX = Text(
    "Python cannot read line {line} of your code. In that line and the one above, look for a "
    "missing bracket, quotation mark or colon, or for wrong indentation.",
    "你的代码第 {line} 行有语法错误。请看看这一行和上一行，是不是少了括号、引号或冒号，"
    "或者缩进不对。",
)
UNDEFINED = Text(
    "Your code does not define `{name}`. It has to contain `def {name}(…):`.",
    "你的代码里没有定义 `{name}`，请加上 `def {name}(…):` 这一行。",
)
LOADING = Text(
    "Line {line} of your code raised {error}",
    "你的代码在第 {line} 行抛出了 {error}",
)
ENDLESS = Text(
    "Your code was stopped after {seconds} seconds, before the function could be called. Is "
    "there an endless loop outside the function?",
    "你的代码运行了 {seconds} 秒还没有结束，只好中止，函数还没有来得及调用。"
    "函数外面是不是有循环停不下来？",
)
# What only the browser says, in which Python and torch are not complete.
UNAVAILABLE = Text(
    "Not judged here: {what} is not available in this browser. Open the page with `make serve` "
    "or use JupyterLab, and your code is judged completely.",
    "浏览器不支持{what}，所以这里没有判定。请用 `make serve` 打开本页，"
    "或者在 JupyterLab 里运行，这样才能完整地检查你的代码。",
)
MEMORY = Text("as much memory as your code takes", "这么大的内存")
RECURSION = Text("a recursion as deep as yours", "这么深的递归")
EITHER = Text(
    "Either of the following two mistakes would explain all results. They differ only in their "
    "gradients, which this browser does not compare.",
    "下面两种错误都会得到这样的结果，区别只在于梯度，而浏览器不检查梯度。",
)
YOUR_CODE = Text("your code", "你的代码")
SYNTAX_HERE = Text("the syntax of line {line}", "第 {line} 行的写法")
GRADIENTS = Text("gradients", "梯度")
FLOAT16 = Text("float16", "float16 精度")


class Part(NamedTuple):
    """How messages refer to a part of a result: as a whole, and before an entry."""

    whole: Text
    of: Text


OUTPUT = Part(Text("the result", "结果"), Text("", ""))


def part(name: str) -> Part:
    """Refer to an attribute that is judged besides the output."""
    return Part(Text(f"`{name}`", f"`{name}` "), Text(f" of `{name}`", f"`{name}` 里，"))


def gradient(name: str) -> Part:
    """Refer to the gradient with respect to a tensor."""
    return Part(
        Text(f"the gradient of `{name}`", f"`{name}` 的梯度"),
        Text(f" of the gradient of `{name}`", f"`{name}` 的梯度里，"),
    )
