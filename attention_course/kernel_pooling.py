"""Make the figures of chapter 2, each with the record of its question."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
from attention_course.records import ChoiceRecord, Lang, NumberRecord, Text, Translated
from attention_figures import (
    BandwidthFigure,
    KernelMapFigure,
    KernelRegressionFigure,
    PlaceQuestion,
    SelectionFigure,
)
from attention_lib.kernels import nadaraya_watson

# Words from the name to one that is as far from the pronoun, and the place of the pronoun.
_EN, _ZH = thread.words(lang="en"), thread.words(lang="zh")
_WORDS = Translated(
    ([*_EN.sentence, "full stop"], _EN.pronoun), ([*_ZH.sentence, *_ZH.pair[1][1:4]], _ZH.pronoun)
)
_TEMPERATURE = Translated(1.0, 5.0)  # so that a reader sees the weight of the name at once
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
BEYOND = 9.0  # km, past the last measurement
NARROW = 100.0
SOFT = 2.0, 0.5  # widths between which a summit sinks
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
    shown.ask(_QUESTIONS[name](shown).into(lang))
    if name == "width":
        shown.ask_after_moving(_summit().into(lang))
    return shown


def sentence(lang: Lang) -> SelectionFigure:
    """Return the figure in which a pronoun weighs words by their places, with its question.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> sentence("en").attention_weights.shape
    torch.Size([1, 1, 5])
    """
    words, pronoun = _WORDS.into(lang)
    places = torch.arange(len(words)).float()[None, :, None]
    query = places[:, [pronoun]]
    shown = SelectionFigure(
        query,
        places,
        names=words,
        query_names=[words[pronoun]],
        temperature=_TEMPERATURE.into(lang),
        name="mia",
        lang=lang,
    )
    return shown.ask(_as_near().into(lang))


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


def _grown(at: Shown, before: Tensor) -> str:
    """Compare the test error with its value before."""
    error = at.stages()["error"][0, 0, 2]
    if error == 0:
        return "zero"
    return "larger" if error > before else "smaller"


def _risen(at: Shown, before: float) -> str:
    """Compare how far the output has risen with the weight of the key whose value rose by 1."""
    rise = at.output.item() - before
    shares = {"all": 1.0, "equal": 1 / len(PLACES), "none": 0.0}
    shares["weight"] = at.attention_weights[0, 0, RAISED].item()
    return min(shares, key=lambda name: abs(shares[name] - rise))


def _too_high(at: Shown) -> str:
    """Compare the output with the truth at the query."""
    place = torch.tensor(at.queries).double()
    return _compared(at.output.item(), true_height(place).item())


def _first_summit(at: Shown) -> float:
    """Return how high the curve is on the first of its hills, before kilometre 3."""
    keys, values = (torch.tensor(x).double().flatten() for x in (at.keys_, at.values))
    along = torch.arange(61).double() / 20
    return nadaraya_watson(along, keys, values, w=at.w).max().item()


def _as_much_as_the_name(at: SelectionFigure) -> str:
    """Return the place of the other word with the weight of the first, at every temperature."""
    same = torch.ones(len(at.names), dtype=torch.bool)
    same[0] = False
    for temperature in (1.0, 5.0, 20.0, 100.0):
        with at._in_state({"temperature": temperature}):
            weights = at.attention_weights[0, 0]
        same &= torch.isclose(weights, weights[0], atol=0)
    (place,) = same.nonzero()
    return str(int(place))


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
            "The last place, at kilometre 7.85, is the highest, 11.6, and the path is still "
            "rising. What height does the average give at kilometre 9, in hundreds of metres?",
            "最后一次测量在 7.85 公里处，海拔 11.6（× 100 米），是最高的一处，而且山路还在上升。"
            "9 公里处的加权平均是多少？",
        ),
        answer=_output,
        because=Text(
            "The last place is by far the nearest and takes nearly all of the weight. No average "
            "is above the highest value, 11.6.",
            "最后一处离得最近，几乎占了全部权重，而且平均数不会超过最大的值 11.6。",
        ),
        wrong=[
            (
                round(line.item(), 1),
                Text(
                    "A straight line through the last two heights gives that height, but here "
                    "we average.",
                    "你把最后两处连成直线往前推了，可是这里求的是平均。",
                ),
            ),
            (
                round(heights.mean().item(), 1),
                Text(
                    "The mean of all heights is what equal weights give.",
                    "你算的是所有海拔的平均，其实近处的权重大得多。",
                ),
            ),
        ],
        tolerance=0.21,
        slider=(5, 15, 0.1),
        decimals=1,
        at={"queries": [[[BEYOND]]]},
    )


def _value(shown: Any) -> ChoiceRecord:
    before = shown.output.item()
    values = torch.tensor(shown.values, dtype=torch.float64)
    values[0, RAISED, 0] += 1
    return ChoiceRecord(
        text=Text(
            "The query is at kilometre 2. The nearest measurement, at 1.74, has the "
            "largest weight. Raise its value by 1, from 8.1 to 9.1. By how much does the "
            "output rise?",
            "查询在 2 公里处，最近的测量在 1.74 公里处，权重最大。如果把这个键的值增加 1，"
            "从 8.1 变成 9.1，输出会增加多少？",
        ),
        options={
            "all": Text("1", "1"),
            "weight": Text("as much as the weight of this key", "与这个键的权重相等"),
            "equal": Text("a sixteenth", "十六分之一"),
            "none": Text("0", "0"),
        },
        answer=lambda at: _risen(at, before),
        because=Text(
            "In the output this value is multiplied by the weight of its key, and no weight "
            "depends on a value. So a rise of 1 adds exactly this weight.",
            "输出是加权和，每个值都要先乘以权重。权重与值无关，所以值增加 1，"
            "输出正好增加这个键的权重。",
        ),
        wrong={
            "all": Text(
                "1 is the rise of the value itself, but this key has only part of the weight.",
                "增加 1 的是值本身，而这个键只占一部分权重。",
            ),
            "equal": Text(
                "A sixteenth is what a plain mean of sixteen values gives, but the nearest key "
                "weighs more.",
                "你给十六个值分了相同的权重，其实最近的键权重更大。",
            ),
            "none": Text(
                "0 is the rise for a key whose weight is 0, but this key has the largest weight.",
                "如果权重是 0，输出确实不变，但这个键的权重最大。",
            ),
        },
        at={"values": values},
    )


def _three(shown: Any) -> NumberRecord:
    heights = torch.tensor(shown.values, dtype=torch.float64)
    return NumberRecord(
        text=Text(
            "Take the triangle and the three measurements of the table again. The query moves "
            "from kilometre 2 to 1.5. What is the answer there?",
            "还是用三角核和表中的三次测量，把查询从 2 公里处移到 1.5 公里处，预测值是多少？",
        ),
        answer=_output,
        because=Text(
            "The distances are 0.5, 0.5 and 1, so the weights are ½, ½ and 0: half of 3 and half "
            "of 6 make 4.5.",
            "距离是 0.5、0.5 和 1，所以权重是 ½、½ 和 0，预测值是 3 和 6 的平均，也就是 4.5。",
        ),
        wrong=[
            (
                heights.mean().item(),
                Text(
                    "The plain mean gives all three keys the same weight, but the key at 2.5 is "
                    "a whole kilometre off.",
                    "你把三个海拔直接平均了，可是键 3 离查询有一公里，核值是 0。",
                ),
            ),
            (
                shown.output.item(),
                Text(
                    "This height was the answer at kilometre 2, but the query has moved to 1.5.",
                    "你算的是 2 公里处的预测值，现在查询已经移到 1.5 公里处了。",
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
            "The boxcar is 1 up to one kilometre away and 0 beyond. From kilometre 4 it reaches "
            "four places. What weight does the nearest one get?",
            "矩形核在一公里以内等于 1，以外等于 0。查询在 4 公里处，一公里以内有四处测量，"
            "距离分别是 0.31、0.45、0.53 和 0.78。最近的一处权重是多少？",
        ),
        answer=_largest_share,
        because=Text(
            "The kernel is 1 for all four places, so each gets a quarter. Now choose another "
            "kernel, and watch the bars.",
            "四处的核值都是 1，总和是 4，所以各占四分之一。接下来请换一种核，看看竖条怎样变化。",
        ),
        wrong=[
            (
                100,
                Text(
                    "All of the weight is what a single place within reach gets, but here four "
                    "places are.",
                    "一公里以内不止一处测量，所以权重不会全归最近的一处。",
                ),
            ),
            (
                35.8,
                Text(
                    "The triangle gives that weight, because the triangle falls with the distance.",
                    "你用的是三角核，矩形核在一公里以内不会随距离下降。",
                ),
            ),
            (
                6.25,
                Text(
                    "A sixteenth counts all sixteen places alike, but only four are within reach.",
                    "你让十六处平分了权重，其实一公里以内只有四处。",
                ),
            ),
        ],
        tolerance=2,
        slider=(0, 100, 1),
        unit="%",
    )


def _width(shown: Any) -> ChoiceRecord:
    error = shown.stages()["error"][0, 0, 2]
    return ChoiceRecord(
        text=Text(
            "At w = 100 the curve goes through all sixteen measurements, and the training "
            "error is 0. What about the test error, measured against the truth?",
            "w = 100 时，曲线穿过全部十六个测量点，训练误差是 0。那么与真实海拔比较，"
            "测试误差有多大？",
        ),
        options={
            "zero": Text("0, like the training error", "也是 0"),
            "smaller": Text("less than at w = 2", "比 w = 2 时小"),
            "larger": Text("more than at w = 2", "比 w = 2 时大"),
        },
        answer=lambda at: _grown(at, error),
        because=Text(
            "At w = 100 the kernel is so narrow that the curve reproduces every error the phone "
            "made. Now look for the best w.",
            "w = 100 时核非常窄，曲线把手机的误差也照抄下来了。接下来请找出最好的 w。",
        ),
        wrong={
            "zero": Text(
                "0 is the error against the readings, but the readings themselves are out by "
                "some forty metres.",
                "你是拿曲线与测量值比较的，别忘了测量值本身就有四十米左右的误差。",
            ),
            "smaller": Text(
                "The training error is smaller than at w = 2, but the test error is measured "
                "against the truth.",
                "变小的是训练误差，测试误差要与真实海拔比较。",
            ),
        },
        at={"w": NARROW},
    )


def _summit() -> ChoiceRecord:
    """Ask what was seen at the first summit."""

    def changed(at: Any) -> str:
        with at._in_state({"w": SOFT[0]}):
            before = _first_summit(at)
        return _compared(_first_summit(at), before)

    return ChoiceRecord(
        text=Text(
            f"Lower w from {SOFT[0]:g} to {SOFT[1]:g}. How high is the first summit of the curve "
            "then?",
            f"把 w 从 {SOFT[0]:g} 降到 {SOFT[1]:g}，曲线的第一座山峰会怎样变化？",
        ),
        options={
            "higher": Text("higher than before", "变高"),
            "same": Text("as high as before", "不变"),
            "lower": Text("lower than before", "变低"),
        },
        answer=changed,
        because=Text(
            "A smaller w is a wider kernel, which averages lower places into the summit.",
            "w 越小，核越宽，山峰附近更低的测量也会参与平均，所以山峰变低了。",
        ),
        wrong={
            "higher": Text(
                "A higher summit is what a larger w gives, because a narrower kernel leaves the "
                "lower places out.",
                "你把方向弄反了：w 变大，山峰才会变高，可这里 w 变小了。",
            ),
            "same": Text(
                "The summit stays the same only if all places around it are equally high, but "
                "here they are lower.",
                "如果周围和山峰一样高，曲线确实不变，可是周围总要低一些。",
            ),
        },
        at={"w": SOFT[1]},
    )


def _itself(shown: Any) -> ChoiceRecord:
    return ChoiceRecord(
        text=Text(
            "Gradient descent changes w so that the training error falls. The sixteen places are "
            "both the queries and the keys. What becomes of w?",
            "我们用梯度下降来调整 w，使训练误差变小。十六个地点既作查询，又作键。"
            "w 最后会停在哪里？",
        ),
        options={
            "between": Text(
                "w ends at a good width, about 2",
                "w 停在一个合适的宽度，约为 2",
            ),
            "zero": Text("w ends at 0", "w 停在 0"),
            "largest": Text("w grows for ever", "w 一直增大，停不下来"),
        },
        answer=_where_training_error_is_least,
        because=Text(
            "At each measured place the nearest key is its own measurement, and this key weighs "
            "more as w grows. Replay the training, and watch the query at 3.22.",
            "在测量过的地点，最近的键就是查询自己。w 越大，这个键的权重越大，训练误差就越小。"
            "请从第一步起再看一遍训练，观察 3.22 公里处的查询怎样越来越只关注自己。",
        ),
        wrong={
            "between": Text(
                "About 2 is where the test error is least, but the training error goes on falling.",
                "w 约为 2 时，测试误差确实最小，但训练误差还能继续变小，所以梯度下降不会停。",
            ),
            "zero": Text(
                "0 is where the training error is largest, because all measurements weigh the "
                "same there.",
                "w = 0 时，所有测量的权重都相同，训练误差反而最大。",
            ),
        },
        at={"w": shown.steps[-1]},
    )


def _left_out(shown: Any) -> ChoiceRecord:
    return ChoiceRecord(
        text=Text(
            "When each place could read its own height, the loss ended at 0.007. From the other "
            "heights alone it ends at 0.42. Which width brings the curve nearer to the truth?",
            "训练时如果每一处都用到自己的海拔，损失最后是 0.007；如果只用别处的海拔来预测，"
            "损失最后是 0.42。哪一次学到的曲线更接近真实海拔？",
        ),
        options={
            "with itself": Text("the width with the loss 0.007", "损失为 0.007 的那次"),
            "left out": Text("the width with the loss 0.42", "损失为 0.42 的那次"),
        },
        answer=_nearer_than_with_itself,
        because=Text(
            "Now each place is predicted from other places, as a new place must be.",
            "损失为 0.42 的那次只用别处的海拔来预测，与预测新地点时一样。请从第一步起再看一遍训练，"
            "注意代表测试误差的虚线。",
        ),
        wrong={
            "with itself": Text(
                "The loss of 0.007 says little, because each place could look up its own height.",
                "每一处直接抄自己的海拔，损失当然小，但这说明不了什么。",
            ),
        },
        at={"w": shown.steps[-1]},
    )


def _map(shown: Any) -> ChoiceRecord:
    used = shown.stages()["keys_used"].item()
    at_most = {"fewer": used / LEARNED, "same": used, "more": used * LEARNED}
    return ChoiceRecord(
        text=Text(
            "Each row is a query. At w = 1 a query uses 6.2 keys on average. How many keys does a "
            "query use at w = 2.26, the w that was learnt?",
            "图中每一行是一个查询。w = 1 时，平均每个查询用到 6.2 个键。换成学到的 w = 2.26，"
            "平均会用到几个键？",
        ),
        options={
            "fewer": Text("about 3 keys", "约 3 个"),
            "same": Text("about 6 keys", "约 6 个"),
            "more": Text("about 14 keys", "约 14 个"),
        },
        answer=lambda at: min(at_most, key=lambda name: abs(at_most[name] - _keys_used(at))),
        because=Text(
            "A larger w is a narrower kernel. To this kernel all distances are 2.26 times as "
            "long, so only about 3 keys are near.",
            "w 越大，核越窄，相当于距离变成了原来的 2.26 倍，附近的键只剩下 3 个左右。",
        ),
        wrong={
            "same": Text(
                "About 6 keys is the number at w = 1, but now the kernel has become narrower.",
                "w = 1 时确实用到约 6 个，但现在核变窄了。",
            ),
            "more": Text(
                "About 14 keys is what a smaller w reaches, because a smaller w is a wider kernel.",
                "你把变窄当成了变宽，w 变大以后，核是变窄的。",
            ),
        },
        at={"w": LEARNED},
    )


def _edge(shown: Any) -> ChoiceRecord:
    return ChoiceRecord(
        text=Text(
            "Now the phone makes no error: all sixteen points lie on the true path. At "
            "kilometre 0 the true height is 5. What is the answer there?",
            "现在假设手机没有误差，十六个点都在真实的曲线上。0 公里处的真实海拔是 5，"
            "那里的预测值比 5 大还是小？",
        ),
        options={
            "lower": Text("less than 5", "比 5 小"),
            "same": Text("exactly 5, the true height", "恰好是 5"),
            "higher": Text("more than 5", "比 5 大"),
        },
        answer=_too_high,
        because=Text(
            "All keys lie on the uphill side of the start, and the heights measured there are "
            "above 5.",
            "所有的键都在起点的同一侧，这一侧是上坡，海拔都高于 5，所以平均值也高于 5。",
        ),
        wrong={
            "lower": Text(
                "An average cannot lie below 5 when none of its values does.",
                "测得的海拔没有一处低于 5，平均值不可能比 5 小。",
            ),
            "same": Text(
                "Exactly 5 comes out when lower and higher neighbours balance each other, but "
                "here none is lower.",
                "如果两侧一高一低，正好抵消，答案就是 5，但起点只有一侧有测量。",
            ),
        },
        at={"queries": [[[0.0]]]},
    )


def _path(shown: Any) -> ChoiceRecord:
    least = _least_left_out(shown)
    values = torch.tensor(shown.values, dtype=torch.float64)
    values[0, SLIP, 0] += SLIPPED
    return ChoiceRecord(
        text=Text(
            "One reading is badly wrong: at kilometre 5.77 the phone says 11 instead of 8. Which w "
            "gives the smallest leave-one-out error now?",
            "有一次测量错得厉害：5.77 公里处本来是 8，手机却显示 11。要让留一误差最小，"
            "现在应当取多大的 w？",
        ),
        options={
            "lower": Text("a smaller w, a wider kernel", "更小的 w，核更宽"),
            "same": Text("the same w", "原来的 w"),
            "higher": Text("a larger w, a narrower kernel", "更大的 w，核更窄"),
        },
        answer=lambda at: _compared(_least_left_out(at), least),
        because=Text(
            "A wider kernel averages more other measurements in with the slip, so the slip does "
            "less harm to the places beside it.",
            "核越宽，预测附近几处时参与平均的测量就越多，这个错误的影响也就越小。",
        ),
        wrong={
            "same": Text(
                "The best w does not stay the same, because the places beside the slip are "
                "now predicted badly, too.",
                "这个错误会影响附近几处的预测，所以原来的 w 不再合适了。",
            ),
            "higher": Text(
                "A larger w makes things worse beside the slip, where a narrow kernel reads "
                "hardly anything but the slip.",
                "如果 w 更大，核就更窄，附近几处几乎只用这个错误的值来预测，误差更大。",
            ),
        },
        at={"values": values.tolist()},
    )


def _as_near() -> ChoiceRecord:
    """Ask which word gets as much as the name, whatever the width."""
    itself = Text(
        "*her* gets more than *Mia*, because the query stands on *her* itself.",
        "查询就在“她”的位置上，距离为 0，所以“她”的权重比“小雨”大。",
    )
    name = Text("The question is about a word other than *Mia*.", "题目问的是“小雨”以外的词。")
    near = Text(
        "*{word}* gets more than *Mia*, because *{word}* stands nearer to *her*.",
        "“{word}”离“她”更近，所以权重比“小雨”大。",
    )

    def comments(lang: Lang) -> dict[str, str]:
        words, pronoun = _WORDS.into(lang)
        said = {str(k): near.into(lang).format(word=word) for k, word in enumerate(words)}
        said |= {"0": name.into(lang), str(pronoun): itself.into(lang)}
        del said[str(2 * pronoun)]  # as far away as the name
        return said

    return ChoiceRecord(
        text=Text(
            "The nearer a word stands to *her*, the more it counts. Which other word gets exactly "
            "as much as *Mia*, however wide the kernel is?",
            "离“她”越近的词，权重越大。无论核有多宽，哪个词的权重都与“小雨”完全相同？",
        ),
        options=Translated(
            {str(k): word for k, word in enumerate(_WORDS.en[0])},
            {str(k): word for k, word in enumerate(_WORDS.zh[0])},
        ),
        answer=_as_much_as_the_name,
        because=Text(
            "The full stop stands two places from *her*, just as *Mia* does, and the kernel sees "
            "nothing but the distance. Now move the temperature, which is the width.",
            "“里”和“小雨”到“她”的距离都是 3，核只取决于距离，所以权重相同。接下来请调节温度，"
            "也就是核的宽度。",
        ),
        wrong=Translated(comments("en"), comments("zh")),
        kind=PlaceQuestion,
    )


_QUESTIONS: dict[str, Callable[[Any], ChoiceRecord | NumberRecord]] = {
    "walk": _walk,
    "value": _value,
    "three": _three,
    "kernels": _kernels,
    "width": _width,
    "itself": _itself,
    "left-out": _left_out,
    "map": _map,
    "edge": _edge,
    "path": _path,
}
