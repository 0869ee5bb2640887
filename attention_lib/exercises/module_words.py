"""What is to be said of a module, beside what is said of functions."""

from attention_lib.exercises.exercise import hint
from attention_lib.exercises.words import Words

INSTANCE = Words(
    "`check` builds the module itself, in several sizes. Give it the class, without parentheses.",
    "`check` 要自己按几种尺寸来创建模块。请把类本身交给它，不加括号。",
)
NOT_MODULE = Words(
    "A subclass of `nn.Module` is asked for; yours makes an object of type `{type}`.",
    "题目要的是 `nn.Module` 的子类，你的却创建出 `{type}` 类型的对象。",
)
MISSING = Words(
    "The module has no {names} yet. Create the layers in `__init__`, after `super().__init__()`.",
    "模块里还没有 {names}。请在 `__init__` 中，在 `super().__init__()` 之后创建这些层。",
)
NOT_LINEAR = Words(
    "`{name}` should be an `nn.Linear` without bias; it is of type `{type}`.",
    "`{name}` 应是不带偏置的 `nn.Linear`，现在却是 `{type}` 类型。",
)
BIAS = Words(
    "`{name}` has a bias. The formula has none: give `nn.Linear` the argument `bias=False`.",
    "`{name}` 带有偏置，而公式里没有。创建 `nn.Linear` 时请加上 `bias=False`。",
)
WEIGHT_SHAPE = Words(
    "With key_size 11, query_size 5 and num_hiddens 13 the weight of `{name}` should have the "
    "shape {expected}; yours has {got}. `nn.Linear` takes the size of its input first.",
    "当 key_size 为 11、query_size 为 5、num_hiddens 为 13 时，`{name}` 的权重形状应为 "
    "{expected}，你的是 {got}。`nn.Linear` 的第一个参数是输入的维数。",
)
RESTLESS = Words(
    "Dropout is still at work after `eval()`, so the output changes from call to call. Use an "
    "`nn.Dropout` layer, which knows whether the module is training.",
    "调用 `eval()` 之后，暂退法（dropout）仍在起作用，输出每次都不一样。"
    "请使用 `nn.Dropout` 层，它知道模块是否在训练。",
)
TRAINING = Words("`train()` and no lengths", "`train()` 且不给长度")
NO_DROPOUT = Words(
    "All outputs are right, but `dropout` does nothing: during training it should drop weights.",
    "输出都对，但 `dropout` 没有起作用：训练时它应当随机丢弃一部分权重。",
)
DROPPED_ELSEWHERE = Words(
    "All outputs are right, but dropout acts in the wrong place: during training it should drop "
    "attention weights, between the softmax and the sum.",
    "输出都对，但暂退法（dropout）用错了地方：训练时它丢弃的应当是注意力权重，"
    "也就是在 softmax 之后、求和之前。",
)
AFTER_DROPOUT = Words(
    "All outputs are right, but `attention_weights` holds the weights after dropout. Store them "
    "before, so that rows sum to 1.",
    "输出都对，但 `attention_weights` 存的是 dropout 之后的权重。请在 dropout 之前存下，"
    "这样各行的和才是 1。",
)
OTHER_WEIGHTS = Words(
    "All outputs are right, but `attention_weights` should hold the weights of the last call, of "
    "shape (B, Q, K), before dropout.",
    "输出都对，但 `attention_weights` 里应当是最近一次调用的权重，"
    "形状为 (B, Q, K)，取 dropout 之前的值。",
)
MODULE_HINTS = (
    hint(
        "before Module.__init__",
        "Call `super().__init__()` first in `__init__`.",
        "请在 `__init__` 的开头调用 `super().__init__()`。",
    ),
    hint(
        r"__init__\(\) (takes|missing|got)",
        "The class needs an `__init__` that takes these four, in this order.",
        "这个类需要一个 `__init__`，依次接受这四个参数。",
    ),
)
