"""Define squared distances and mistakes with them, for exercises that score by distance."""

from attention_course.exercises.engine.exercise import mistake
from attention_course.exercises.engine.line import line

squared = line("difference", "(difference**2).sum(dim=-1)")


FACTOR_MISTAKES = (
    mistake(
        "no-half",
        "The ½ is missing from −½‖q − k‖².",
        "你漏掉了 −½‖q − k‖² 里的 ½。",
        {"factor": -1.0},
    ),
    mistake(
        "no-minus",
        "The minus sign is missing, so keys that are farther away score higher. The nearest key "
        "should score highest.",
        "你漏掉了负号，结果键离得越远，分数反而越高。应当是最近的键分数最高。",
        {"factor": 0.5},
    ),
    mistake(
        "no-half-no-minus",
        "Both the ½ and the minus sign are missing from −½‖q − k‖².",
        "你把 −½‖q − k‖² 里的 ½ 和负号都漏掉了。",
        {"factor": 1.0},
    ),
)

WRONG_AXIS = mistake(
    "wrong-axis-of-squares",
    "The squares are summed along the wrong axis. Sum over the components of a vector: the "
    "last axis.",
    "你求和的轴不对。应当对向量的分量求和，也就是沿最后一个轴。",
    {"distance": lambda difference: (difference**2).sum(dim=0)},
    {"distance": lambda difference: (difference**2).sum(dim=-2)},
)

ROOT_AND_BACK = mistake(
    "root-and-back",
    "The squared distance is the square of a root. Where query and key are the same, the slope of "
    "the root is infinite and that of the square 0, and the gradient, their product, is NaN. Sum "
    "the squares, and take no root.",
    "你先开方又平方了。如果查询和键相同，开方这一步的斜率是无穷大，平方这一步的斜率是 0，"
    "梯度是两者的乘积，结果是 NaN。请直接把平方加起来，不要开方。",
    {"distance": lambda difference: squared(difference).sqrt() ** 2},
)

DISTANCE_MISTAKES = (
    mistake(
        "root",
        "Your score uses the distance itself, but it must use the squared distance.",
        "你是用距离来计算分数的，应当用距离的平方。",
        {"distance": line("difference", "(difference**2).sum(dim=-1).sqrt()")},
    ),
    mistake(
        "mean-of-squares",
        "The squares are averaged over the components; the squared distance is their sum.",
        "你对各分量的平方求了平均，距离的平方应当是它们的和。",
        {"distance": line("difference", "(difference**2).mean(dim=-1)")},
    ),
    WRONG_AXIS,
    mistake(
        "sum-before-square",
        "The differences are summed before they are squared. Square each component first.",
        "你把次序弄反了，先求和再平方。应当先把每个分量平方，再求和。",
        {"distance": line("difference", "difference.sum(dim=-1) ** 2")},
    ),
    mistake(
        "absolute-differences",
        "Your distance sums absolute differences; the squared distance sums squares.",
        "你加的是差的绝对值，距离的平方应当是差的平方之和。",
        {"distance": line("difference", "difference.abs().sum(dim=-1)")},
    ),
    mistake(
        "root-scale",
        "The scores are divided by √d, but −½‖q − k‖² is not scaled.",
        "你多除了一个 √d，−½‖q − k‖² 不需要缩放。",
        {"distance": lambda difference: squared(difference) / difference.shape[-1] ** 0.5},
    ),
)
