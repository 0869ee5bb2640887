"""Define mistakes in pairing every query with every key, for all scores of a batch."""

from attention_course.exercises.engine.exercise import hint, mistake
from attention_course.exercises.engine.line import line

PAIRS_HINT = hint(
    r"The size of tensor a|zip\(\) argument|out of bounds|must have the same",
    "The numbers of queries and keys differ: every query meets every key of its example. Give them "
    "different axes, (B, Q, 1, d) and (B, 1, K, d), and broadcasting makes all the pairs.",
    "查询和键的个数不同，可是在同一个样本里，每个查询要与每个键配对。"
    "把两者的形状变成 (B, Q, 1, d) 和 (B, 1, K, d)，广播就会自动配对。",
)

ZIPPED = (
    "zipped",
    "Query i meets only key i, and the longer of the two lists is cut, as by `zip`. Every query "
    "should meet every key.",
    "查询 i 只和键 i 配了对，多出来的像 `zip` 那样丢掉了。每个查询都要与每个键配对。",
)

RESHAPED = (
    "reshaped-keys",
    "`reshape` and `view` do not transpose: they keep the numbers in their order and cut them into "
    "other rows. Use `.mT` or `.transpose(1, 2)`.",
    "`reshape` 和 `view` 只是把同样次序的数按新的长度重新分行，并不是转置。"
    "请用 `.mT` 或 `.transpose(1, 2)`。",
)

SWAPPED = mistake(
    "swapped-axes",
    "The axes are swapped: the result has the shape (B, K, Q) instead of (B, Q, K).",
    "轴的次序反了，结果的形状是 (B, K, Q)，应当是 (B, Q, K)。",
    {"layout": line("scores", "scores.mT")},
)
