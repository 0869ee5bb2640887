"""What every answer is made of: words in both languages, and those that all exercises share."""

from collections.abc import Iterable
from dataclasses import dataclass

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Words:
    """The same said in English and in Chinese."""

    en: str
    zh: str

    def filled(self, **parts: object) -> "Words":
        """Put the parts in the places of their {names}; a part may itself be words."""
        en, zh = (
            {k: getattr(v, lang) if isinstance(v, Words) else v for k, v in parts.items()}
            for lang in LANGUAGES
        )
        return Words(self.en.format(**en), self.zh.format(**zh))


def listed(names: Iterable[str]) -> Words:
    """Enumerate names of the code."""
    marked = [f"`{name}`" for name in names]
    return Words(", ".join(marked), "、".join(marked))


class NotYet(Exception):
    """What stands between an answer and the solution."""

    def __init__(self, *words: Words) -> None:
        super().__init__(words[0].en)
        self.words = words


PASSED = Words("Correct. It passes every hidden case.", "正确，所有隐藏的用例都通过了。")
FAILED = Words("Not yet. ", "还没做对。")
STUB = Words(
    "Nothing came back. Put your code in place of `...`, and `return` the result.",
    "函数什么也没有返回。请把 `...` 换成你的代码，并用 `return` 返回结果。",
)
NOTHING = Words(
    "With {case}: nothing came back. Every way through the function must end in `return`.",
    "输入 {case}：函数什么也没有返回。无论走哪条分支，最后都要 `return`。",
)
NOT_CALLABLE = Words(
    "`check` runs the function itself, and got an object of type `{type}`. "
    "Give it the function's name, without parentheses.",
    "`check` 要的是函数本身，拿到的却是 `{type}` 类型的对象。请只写函数名，不加括号。",
)
ARGUMENTS = Words(
    "The function is called with ({names}), but yours takes ({own}).",
    "调用时的参数是 ({names})，而你的函数接受的是 ({own})。",
)
RAISED = Words(
    "With {case}: your code raised {error}",
    "输入 {case}：你的代码抛出了 {error}",
)
TYPE = Words(
    "The result should be a tensor of shape {expected}; yours is of type `{type}`.",
    "结果应是形状为 {expected} 的张量，你返回的却是 `{type}` 类型。",
)
PARTS = Words(
    "Return only the tensor that was asked for, not several things at once.",
    "只返回题目要的那个张量，不要一次返回好几样东西。",
)
SHAPE = Words(
    "With {case}: the result should have the shape {expected}; yours has {got}.",
    "输入 {case}：结果的形状应为 {expected}，你的是 {got}。",
)
DTYPE = Words(
    "The result should hold floating-point numbers, {expected}; yours holds {got}.",
    "结果里应是浮点数（{expected}），你的却是 {got}。",
)
NOT_FINITE = Words(
    "With {case}: entry {index} should be {expected}, but yours is {got}: somewhere a number "
    "overflowed, or 0 was divided by 0.",
    "输入 {case}：下标 {index} 处应为 {expected}，你得到的却是 {got}："
    "计算中有数溢出了，或者出现了 0/0。",
)
RANDOM = Words(
    "The result changes from call to call: dropout, or something else random, is at work.",
    "每次调用的结果都不一样：大概是 dropout 或别的随机操作在起作用。",
)
VALUE = Words(
    "With {case}: entry {index} should be {expected}, but yours is {got}.",
    "输入 {case}：下标 {index} 处应为 {expected}，你得到的是 {got}。",
)
CHANGED = Words(
    "The function changes {names}, which belongs to its caller. Make a new tensor instead: "
    "operations whose names end in `_`, and assignments to an index, write into the old one, "
    "even through a view.",
    "函数改动了 {names}，那是调用者的张量。请另外生成新的张量："
    "名称以 `_` 结尾的操作、对下标的赋值，都会写进原来的张量，隔着视图也一样。",
)
DOUBLE = Words(
    "One remark: given float64 it should return float64 and does not. New tensors take the dtype "
    "of an argument with `torch.zeros(…, dtype=x.dtype)` or `x.new_zeros(…)`.",
    "顺便一提：输入是 float64 时，结果也应是 float64，你的却做不到。"
    "新建张量时写 `torch.zeros(…, dtype=x.dtype)` 或 `x.new_zeros(…)`，就会沿用参数的类型。",
)
