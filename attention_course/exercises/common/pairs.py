"""Define mistakes in pairing every query with every key, for all scores of a batch."""

from attention_course.exercises.engine.exercise import hint, mistake
from attention_course.exercises.engine.line import line

PAIRS_HINT = hint(
    r"The size of tensor a|zip\(\) argument|out of bounds|must have the same",
    "The numbers of queries and keys differ: every query meets every key of its example. Give them "
    "different axes, (B, Q, 1, d) and (B, 1, K, d), and broadcasting makes all the pairs.",
    "查询和键的个数不同，不能一一对应。请把两者的形状变成 (B, Q, 1, d) 和 (B, 1, K, d)，广播时，"
    "同一个样本里的每个查询就会与每个键配对。",
)

ZIPPED = (
    "zipped",
    "Query i meets only key i, and the longer of the two lists is cut, as by `zip`. Every query "
    "should meet every key.",
    "你只让查询 i 和键 i 配对，像 `zip` 那样丢掉了多出来的部分。每个查询都要与每个键配对。",
)

RESHAPED = (
    "reshaped-keys",
    "`reshape` and `view` do not transpose: they keep the numbers in their order and cut them into "
    "other rows. Use `.mT` or `.transpose(1, 2)`.",
    "`reshape` 和 `view` 不会转置，只是按原来的次序把数重新分行。"
    "请用 `.mT` 或 `.transpose(1, 2)`。",
)

SWAPPED = mistake(
    "swapped-axes",
    "The axes are swapped: the result has the shape (B, K, Q) instead of (B, Q, K).",
    "你把轴的次序弄反了，结果的形状是 (B, K, Q)，应当是 (B, Q, K)。",
    {"layout": line("scores", "scores.mT")},
)
