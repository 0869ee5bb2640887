"""Explain errors that only appear where gradients are computed."""

from attention_course.exercises.engine.exercise import hint

GRADIENT_HINTS = (
    hint(
        "modified by an inplace operation",
        "Something is written into a tensor that the gradient still needs, such as the result of "
        "a softmax. Make a new tensor instead, with `masked_fill` or `torch.where`.",
        "你修改了一个计算梯度时还要用到的张量，例如 softmax 的结果。请用 `masked_fill` 或 "
        "`torch.where` 生成一个新的张量。",
    ),
    hint(
        r"call numpy\(\) on Tensor that requires grad",
        "NumPy does not track gradients, so nothing that comes before it can be trained. "
        "Use torch's functions all the way.",
        "NumPy 不会记录梯度，只要中间用了 NumPy，前面的部分就没法训练。请自始至终使用 torch "
        "的函数。",
    ),
)
