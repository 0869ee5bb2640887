"""Make the figures of chapter 2, each with the record of its question."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attention_course.records import ChoiceRecord, Lang, NumberRecord, Text
from attention_figures import (
    BandwidthFigure,
    KernelMapFigure,
    KernelRegressionFigure,
)

Shown = KernelRegressionFigure | BandwidthFigure | KernelMapFigure

# The hike of the chapter, 16 places in km and their heights in 100 m, for before it is made there.
PLACES = [
    0.31,
    0.69,
    1.32,
    1.74,
    2.36,
    2.81,
    3.22,
    3.55,
    4.31,
    4.53,
    5.28,
    5.77,
    6.2,
    6.95,
    7.27,
    7.85,
]
HEIGHTS = [5.2, 6.4, 7.3, 8.1, 7.6, 7.0, 6.9, 6.3, 5.5, 5.1, 6.0, 8.0, 8.0, 10.2, 10.4, 11.6]
LEARNED = 2.26  # the width that leave-one-out finds
THREE = [1.0, 2.0, 2.5], [3.0, 6.0, 9.0]  # places and heights, by hand
BEYOND = 9.0  # km, where nobody has been
NARROW = 100.0
RAISED = 3  # the key nearest to kilometre 2
SLIP, SLIPPED = 11, 3.0  # the key at kilometre 5.77, and by how much it is once too high
ITSELF = 5.0  # about where w stands after 300 steps of training with itself
_UNITS: dict[Lang, tuple[str, str]] = {"en": ("km", "× 100 m"), "zh": ("公里", "× 100 米")}
_CHOOSE = {"w": 1.0, "choose_kernel": True}
_REGRESSIONS: dict[str, dict[str, Any]] = {
    "walk": {"query": 4.0},
    "value": {},
    "three": {"w": 1.0, "kernel": "triangular", "truth": None},
    "kernels": {**_CHOOSE, "kernel": "boxcar", "query": 4.0},
    "line": {**_CHOOSE, "kernel": "linear"},
    "reach": {**_CHOOSE, "kernel": "triangular", "query": 4.0},
    "edge": {"query": 4.0},
}
_BANDWIDTHS: dict[str, dict[str, Any]] = {
    "width": {"w": 2.0, "query": 4.0},
    "itself": {"show_data": False, "w": 1.0, "query": 3.22, "truth": None},
    "left-out": {"w": 1.0, "query": 4.0},
    "path": {"choose_kernel": True},
}
_MAPS: dict[str, dict[str, Any]] = {"map": {"w": 1.0}}


def true_height(x: Tensor) -> Tensor:
    """Return how high the path is at the places x, in 100 m.

    >>> true_height(torch.tensor([0.0, 8.0]))
    tensor([ 5.0000, 10.9787])
    """
    return 5 + 2 * torch.sin(x) + x / 2


def figure(name: str, lang: Lang, steps: Sequence[float] = ()) -> Shown:
    """Return a figure of the chapter, with its question.

    Args:
        name: that of the figure, such as "walk".
        lang: language of its words.
        steps: widths that a training went through, for a figure that replays it.

    Raises:
        KeyError: there is no such figure, or lang is neither "en" nor "zh".

    >>> figure("walk", lang="en").output.shape
    torch.Size([1, 1, 1])
    """
    own = {**_REGRESSIONS, **_BANDWIDTHS, **_MAPS}[name]
    measured = THREE if name == "three" else (PLACES, HEIGHTS)
    places, heights = (torch.tensor(numbers).double() for numbers in measured)
    if name == "edge":
        heights = true_height(places)
    options = {"w": LEARNED, "query": 2.0, **own, "name": name, "lang": lang, "units": _UNITS[lang]}
    options["query"] = torch.tensor([[[options["query"]]]])
    data = places[None, :, None], heights[None, :, None]
    along = torch.arange(161).double() / 20
    truth = torch.stack([along, true_height(along)], dim=-1)
    shown: Shown
    if name in _REGRESSIONS:
        shown = KernelRegressionFigure(*data, **{"truth": truth, **options})
    elif name in _BANDWIDTHS:
        shown = BandwidthFigure(*data, **{"truth": truth, **options}, steps=steps)
    else:
        shown = KernelMapFigure(*data, **options)
    return shown.ask(_QUESTIONS[name](shown).into(lang))


def _output(at: Shown) -> float:
    return at.output.item()


def _largest_share(at: Shown) -> float:
    return 100 * at.attention_weights.max().item()


def _keys_used(at: Shown) -> float:
    return at.stages()["keys_used"].item()


def _compared(now: float, before: float) -> str:
    difference = round(now - before, 9)
    if not difference:
        return "same"
    return "higher" if difference > 0 else "lower"


def _least_left_out(at: Shown) -> float:
    """Return the width at which the leave-one-out error is least."""
    widths, _, left_out, _ = at.stages()["errors"][0]
    return float(widths[left_out.argmin()])


def _reached(at: Shown, largest: Tensor, mean: Tensor) -> str:
    """Return which value the output is; "none" if no key is in reach."""
    if not at.attention_weights.any():
        return "none"
    return "largest" if torch.isclose(at.output, largest, atol=0.05) else "mean"


def _grown(at: Shown, before: Tensor) -> str:
    """Compare the test error with its value before."""
    error = at.stages()["error"][0, 0, 2]
    if error == 0:
        return "zero"
    return "larger" if error > before else "smaller"


def _where_training_error_is_least(at: Shown) -> str:
    """Return the width at which the training error is least: zero, the largest, or between."""
    errors = at.stages()["errors"][0, 1]
    if errors[-1] < errors.min() + 1e-9:
        return "largest"
    return "zero" if errors.argmin() == 0 else "between"


def _nearer_than_with_itself(at: Shown) -> str:
    """Return which training has the smaller test error."""
    stages = at.stages()
    widths, *_, test = stages["errors"][0]
    with_itself = test[(widths - ITSELF).abs().argmin()]
    return "left out" if stages["error"][0, 0, 2] < with_itself else "with itself"


# The records of the questions, whose answers compare with the figure as it is at first.


def _walk(shown: Any) -> NumberRecord:
    heights = torch.tensor(shown.values, dtype=torch.float64).flatten()
    run = torch.tensor(PLACES[-2:]).double().diff()
    line = heights[-1] + heights[-2:].diff() / run * (BEYOND - PLACES[-1])
    return NumberRecord(
        text=Text(
            "The last place, at kilometre 7.85, is the highest: 11.6, and the path is "
            "rising. Which height does the average give at kilometre 9, in hundreds of metres?",
            "最后一处在 7.85 公里，也是最高的一处，海拔 11.6 百米，路还在往上走。"
            "到了 9 公里处，这样的平均是多少百米？",
        ),
        answer=_output,
        because=Text(
            "The last place is by far the nearest and takes nearly all of the weight, "
            "and an average is never above the highest value.",
            "最后一处离得最近，几乎占去全部权重，而平均数绝不会超过最大的值。",
        ),
        wrong=[
            (
                round(line.item(), 1),
                Text(
                    "So says the straight line through the last two heights. An average of values "
                    "never leaves their range.",
                    "把最后两处连成直线，再往前推，会得到这个数。可是，值的平均不会超出这些值的范围。",
                ),
            ),
            (
                round(heights.mean().item(), 1),
                Text(
                    "That is the mean of all heights. Far away the weights are anything but equal.",
                    "这是所有海拔的普通平均。离得虽然远，权重却不会因此变得均匀。",
                ),
            ),
        ],
        tolerance=0.21,
        slider=(5, 15, 0.1),
        decimals=1,
        at={"queries": [[[BEYOND]]]},
    )


def _value(shown: Any) -> NumberRecord:
    before = shown.output.item()
    values = torch.tensor(shown.values, dtype=torch.float64)
    values[0, RAISED, 0] += 1
    return NumberRecord(
        text=Text(
            "The query is at kilometre 2. The nearest measurement, at 1.74, has the "
            "largest weight. Its value is raised by 1, from 8.1 to 9.1. By how much does the "
            "output rise?",
            "查询在 2 公里处，离它最近的测量在 1.74 公里处，权重也最大。"
            "把这个键的值增加 1，从 8.1 变成 9.1，输出会增加多少？",
        ),
        answer=lambda at: at.output.item() - before,
        because=Text(
            "The output is a sum in which this value is multiplied by its weight, and "
            "no weight changes: values have no part in them.",
            "输出是加权和，这个值在其中要乘上它的权重；权重本身不变，因为它与值无关。",
        ),
        wrong=[
            (
                1,
                Text(
                    "Alone it would pass on all of it, but its neighbours keep their values.",
                    "只有这个键独占全部权重时才会这样，可是邻近的键也有权重，它们的值没有变。",
                ),
            ),
            (
                1 / values.shape[1],
                Text(
                    "That is a sixteenth: the share in a plain mean, where all weigh the same.",
                    "这是十六分之一，是所有权重都相同、也就是普通平均时的份额。",
                ),
            ),
            (
                0,
                Text(
                    "The weights stay, and so one of the terms in the sum rises.",
                    "权重没有变，但是加权和里有一项变大了。",
                ),
            ),
        ],
        tolerance=0.051,
        slider=(0, 1, 0.05),
        decimals=2,
        at={"values": values},
    )


def _three(shown: Any) -> NumberRecord:
    heights = torch.tensor(shown.values, dtype=torch.float64)
    return NumberRecord(
        text=Text(
            "The triangle again, and the three measurements of the table. The query goes "
            "from kilometre 2 to 1.5. What is the answer there?",
            "仍用三角核和表中的三次测量。查询从 2 公里走到 1.5 公里，答案是多少？",
        ),
        answer=_output,
        because=Text(
            "The distances are 0.5, 0.5 and 1, so the weights are ½, ½ and 0, and the "
            "heights 3 and 6.",
            "距离是 0.5、0.5 和 1，所以权重是 ½、½ 和 0，海拔则是 3 和 6。",
        ),
        wrong=[
            (
                heights.mean().item(),
                Text(
                    "That is the plain mean. The third key is a whole kilometre away.",
                    "这是普通的平均，可是第三个键远在一公里之外。",
                ),
            ),
            (
                shown.output.item(),
                Text(
                    "So it was at 2. Now the distances are 0.5, 0.5 and 1.",
                    "这是 2 公里处的答案。现在的距离是 0.5、0.5 和 1。",
                ),
            ),
        ],
        tolerance=0.15,
        slider=(3, 9, 0.1),
        decimals=1,
        at={"queries": [[[1.5]]]},
    )


def _kernels(shown: Any) -> NumberRecord:
    return NumberRecord(
        text=Text(
            "Boxcar: 1 up to one kilometre away, 0 beyond. From kilometre 4 it reaches "
            "four places, at distances 0.31, 0.45, 0.53 and 0.78. What does the nearest weigh?",
            "矩形核在一公里之内是 1，之外是 0。离 4 公里处不到一公里的测量有四处，"
            "距离分别是 0.31、0.45、0.53 和 0.78。最近的一处占多大权重？",
        ),
        answer=_largest_share,
        because=Text(
            "Each of the four has the kernel 1, and the sum is 4. Now choose another "
            "kernel, and watch the bars.",
            "四处的核值都是 1，总和是 4。我们接着换一种核，看看竖条怎么变。",
        ),
        wrong=[
            (
                100,
                Text(
                    "That would be the nearest neighbour alone; "
                    "the kernel of the others is 1 as well.",
                    "只取最近邻才会这样，可是另外三处的核值也是 1。",
                ),
            ),
            (
                35.8,
                Text(
                    "So says the triangle, which falls with the distance.",
                    "这是三角核的结果，三角核随距离的增大而下降。",
                ),
            ),
            (
                6.25,
                Text(
                    "So it would be if all sixteen counted alike.",
                    "十六处都算数时，每处才是十六分之一。",
                ),
            ),
        ],
        tolerance=2,
        slider=(0, 100, 1),
        unit="%",
    )


def _line(shown: Any) -> ChoiceRecord:
    before = shown.output.item()
    return ChoiceRecord(
        text=Text(
            "The linear kernel is `K = x * x_i`. The query walks from kilometre 2 to 7. "
            "What is the answer there, compared with now?",
            "线性核是 `K = x * x_i`。查询从 2 公里走到 7 公里，答案会怎样变化？",
        ),
        options={
            "lower": Text("lower", "变小"),
            "same": Text("the same", "不变"),
            "higher": Text("higher", "变大"),
        },
        answer=lambda at: _compared(at.output.item(), before),
        because=Text(
            "Doubling the query doubles every product, and their sum as well.",
            "查询增大几倍，每个乘积就增大几倍，作分母的总和也一样。",
        ),
        wrong={
            "lower": Text(
                "The sum below the fraction bar rises, but every product above it by the same "
                "factor.",
                "作分母的总和确实变大了，但每个乘积也变大了同样的倍数。",
            ),
            "higher": Text(
                "The path is higher there, and the products rise; but so does their sum, by the "
                "same factor.",
                "那里的路确实更高，乘积也都变大了，但总和变大了同样的倍数。",
            ),
        },
        at={"queries": [[[7.0]]]},
    )


def _reach(shown: Any) -> ChoiceRecord:
    heights = torch.tensor(shown.values, dtype=torch.float64)
    largest, mean = heights.max(), heights.mean()
    return ChoiceRecord(
        text=Text(
            "The query goes to kilometre 9.5, and the kernel is a triangle one kilometre "
            "wide on each side. What is the answer there?",
            "查询走到 9.5 公里处，核是三角形，左右各一公里。那里的答案是多少？",
        ),
        options={
            "largest": Text("about 11.6, the last height", "约 11.6，即最后一处的海拔"),
            "mean": Text("about 7.5, the mean", "约 7.5，即平均数"),
            "none": Text("not defined", "没有定义"),
        },
        answer=lambda at: _reached(at, largest, mean),
        because=Text(
            "Every kernel value is 0, so the fraction is 0/0. Switch to *Gaussian*: "
            "there every key has some weight.",
            "所有核值都是 0，分式成了 0/0。换成“高斯核”试试，那时每个键都有一点权重。",
        ),
        wrong={
            "largest": Text(
                "The Gaussian says nearly that, 11.1. The triangle ends after a kilometre.",
                "高斯核的回答与此相近，是 11.1，而三角核过了一公里就是 0。",
            ),
            "mean": Text(
                "Equal weights would need equal kernels that are not 0.",
                "权重要相等，核值也要相等，而且不能是 0。",
            ),
        },
        at={"queries": [[[BEYOND + 0.5]]]},
    )


def _width(shown: Any) -> ChoiceRecord:
    error = shown.stages()["error"][0, 0, 2]
    return ChoiceRecord(
        text=Text(
            "At w = 100 the curve goes through all sixteen measurements, and the training "
            "error is 0. What about the test error, measured from the truth?",
            "w = 100 时，曲线穿过全部十六个测量点，训练误差是 0。那么与真实海拔比较的测试误差呢？",
        ),
        options={
            "zero": Text("0 as well", "也是 0"),
            "smaller": Text("less than now", "比现在小"),
            "larger": Text("more than now", "比现在大"),
        },
        answer=lambda at: _grown(at, error),
        because=Text(
            "The curve repeats every error of the phone. Now look for the best w, and "
            "see how at w = 0 everything is averaged.",
            "曲线把手机的每一次误差都照抄了下来。我们接着找出最好的 w，"
            "再看看 w 为 0 时，曲线怎样把一切都平均掉。",
        ),
        wrong={
            "zero": Text(
                "The measurements themselves are out by some forty metres.",
                "测量值本身就有四十米左右的误差。",
            ),
            "smaller": Text(
                "Going through the points means going through their errors.",
                "曲线穿过这些点，也就把它们的误差带了进来。",
            ),
        },
        at={"w": NARROW},
    )


def _itself(shown: Any) -> ChoiceRecord:
    return ChoiceRecord(
        text=Text(
            "Gradient descent changes w so that the training error falls: sixteen places "
            "are queries, and the same sixteen are keys. Where does w end?",
            "梯度下降调整 w，使训练误差变小。十六个地方既作查询，又作键。w 最后会停在哪里？",
        ),
        options={
            "between": Text("at a good width, about 2", "停在一个合适的宽度，约为 2"),
            "zero": Text("at 0", "停在 0"),
            "largest": Text("nowhere: it grows for ever", "不停，一直增大"),
        },
        answer=_where_training_error_is_least,
        because=Text(
            "At its own place a measurement is the nearest key, and the larger w, the "
            "more it weighs. Replay the training, and see how the query at 3.22 comes to read "
            "itself.",
            "在测量过的地方，最近的键就是这次测量自己，而且 w 越大，这个键的权重越大。"
            "我们重放训练，看看 3.22 公里处的查询怎样越来越只读自己。",
        ),
        wrong={
            "between": Text(
                "There the training error is not at its least: it goes on falling as w grows.",
                "在那里训练误差还不是最小，w 再大，误差还会下降。",
            ),
            "zero": Text(
                "There all weigh the same, and the training error is largest.",
                "那时所有权重都相同，训练误差反而最大。",
            ),
        },
        at={"w": shown.steps[-1]},
    )


def _left_out(shown: Any) -> ChoiceRecord:
    return ChoiceRecord(
        text=Text(
            "When each place could read its own height, the loss ended at 0.007. Now each "
            "is predicted from the other fifteen, and the loss ends at 0.42. Which width brings "
            "the curve nearer to the truth?",
            "如果每一处都能读到自己的海拔，损失最后是 0.007。"
            "现在每一处只由其余十五处来预测，损失最后是 0.42。"
            "哪一次得到的宽度，让曲线离真实海拔更近？",
        ),
        options={
            "with itself": Text("that of the loss 0.007", "损失为 0.007 的那次"),
            "left out": Text("that of the loss 0.42", "损失为 0.42 的那次"),
        },
        answer=_nearer_than_with_itself,
        because=Text(
            "A loss that can see the answer says nothing. Replay this training, and "
            "watch the dashed error.",
            "既然能看到答案，损失再低也说明不了问题。我们重放这次训练，留意代表测试误差的长虚线。",
        ),
        wrong={
            "with itself": Text(
                "It is lower because each place could look up its own height.",
                "那个损失之所以低，是因为每一处都能查到自己的海拔。",
            ),
        },
        at={"w": shown.steps[-1]},
    )


def _map(shown: Any) -> NumberRecord:
    used = shown.stages()["keys_used"].item()
    return NumberRecord(
        text=Text(
            "Each row is a query. At w = 1 it uses 6.2 keys on average. How many at "
            "w = 2.26, the width that was learnt?",
            "图中每一行是一个查询。w = 1 时，平均每个查询用到 6.2 个键。"
            "换成学到的宽度 w = 2.26，会用到几个？",
        ),
        answer=_keys_used,
        because=Text(
            "A larger w is a narrower kernel, and each query reaches fewer keys.",
            "w 越大，核越窄，每个查询用到的键就越少。",
        ),
        wrong=[
            (
                round(LEARNED * used, 1),
                Text(
                    "The other way round: a larger w stretches all distances, "
                    "so fewer keys are near.",
                    "正好相反，w 越大，距离拉得越长，近的键就越少。",
                ),
            ),
            (
                round(used, 1),
                Text(
                    "The distances are 2.26 times as long for the kernel, so fewer keys are near.",
                    "对核来说，距离变成了原来的 2.26 倍，近的键就少了。",
                ),
            ),
        ],
        tolerance=0.6,
        slider=(1, 16, 0.1),
        decimals=1,
        at={"w": LEARNED},
    )


def _edge(shown: Any) -> NumberRecord:
    first = float(shown.values[0][0][0])
    return NumberRecord(
        text=Text(
            "Now the phone makes no error: all sixteen points lie on the truth. At "
            "kilometre 0 the true height is 5. What is the answer there?",
            "现在手机没有误差，十六个点全都落在真实的曲线上。0 公里处的真实海拔是 5，"
            "那里的答案是多少？",
        ),
        answer=_output,
        because=Text(
            "All keys lie on one side, uphill, so their average is too high.",
            "因为所有的键都在同一侧，而且都在上坡方向，平均就偏高了。",
        ),
        wrong=[
            (
                5,
                Text(
                    "No key stands there, and all keys are higher.",
                    "那里没有键，有键的地方又都比那里高。",
                ),
            ),
            (
                round(first, 1),
                Text(
                    "That is the nearest key alone. Those behind it, still higher, "
                    "have weights too.",
                    "这只是最近的键的海拔，后面更高的键也有权重。",
                ),
            ),
        ],
        tolerance=0.15,
        slider=(3, 8, 0.1),
        decimals=1,
        at={"queries": [[[0.0]]]},
    )


def _path(shown: Any) -> ChoiceRecord:
    least = _least_left_out(shown)
    values = torch.tensor(shown.values, dtype=torch.float64)
    values[0, SLIP, 0] += SLIPPED
    return ChoiceRecord(
        text=Text(
            "One reading is far out: at kilometre 5.77 the phone says 11 instead of 8. "
            "Where is the leave-one-out error least now, compared with before?",
            "有一次读数错得厉害，手机在 5.77 公里处把 8 读成了 11。"
            "与原来相比，留一误差在哪里最小？",
        ),
        options={
            "lower": Text("at a smaller w: a wider kernel", "在更小的 w 处，即核更宽"),
            "same": Text("at the same w", "还在原来的 w 处"),
            "higher": Text("at a larger w", "在更大的 w 处"),
        },
        answer=lambda at: _compared(_least_left_out(at), least),
        because=Text(
            "The places beside it are predicted from it. The wider the kernel, the more "
            "others are averaged in.",
            "预测邻近几处时要用到这个错值。核越宽，参与平均的其他测量越多，错值的影响就越小。",
        ),
        wrong={
            "same": Text(
                "At its own place the prediction is bad at every width, but at those beside it "
                "the width matters.",
                "这一处自己的预测在任何宽度下都很差，邻近几处的预测却与宽度有关。",
            ),
            "higher": Text(
                "A narrower kernel spares all but the places beside it. These hear hardly "
                "anything else.",
                "核变窄以后，受影响的只剩邻近几处，可是这几处的预测几乎完全由错值决定。",
            ),
        },
        at={"values": values.tolist()},
    )


_QUESTIONS: dict[str, Callable[[Any], ChoiceRecord | NumberRecord]] = {
    "walk": _walk,
    "value": _value,
    "three": _three,
    "kernels": _kernels,
    "line": _line,
    "reach": _reach,
    "width": _width,
    "itself": _itself,
    "left-out": _left_out,
    "map": _map,
    "edge": _edge,
    "path": _path,
}
