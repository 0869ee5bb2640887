"""Explain errors that only appear where gradients are computed."""

from attention_course.exercises.engine.exercise import hint

GRADIENT_HINTS = (
    hint(
        "modified by an inplace operation",
        "Something is written into a tensor that the gradient still needs, such as the result of "
        "a softmax. Make a new tensor instead, with `masked_fill` or `torch.where`.",
        "求梯度时还要用到的张量（例如 softmax 的结果）被你原地修改了。请用 `masked_fill` 或 "
        "`torch.where` 生成一个新的张量。",
    ),
    hint(
        r"call numpy\(\) on Tensor that requires grad",
        "NumPy does not track gradients, so nothing that comes before it can be trained. "
        "Use torch's functions all the way.",
        "NumPy 不记录梯度，中间一旦用了 NumPy，前面的参数就没法训练了。请全程使用 torch 的函数。",
    ),
)
