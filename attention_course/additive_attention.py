"""Record the names in the figures of chapter 5 and the questions that they ask."""

from types import SimpleNamespace
from typing import Any

import torch

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)

# What to wear: a query is a temperature and a 1, a key is how warm something keeps.
DAYS = torch.tensor([[[30.0, 1.0], [15.0, 1.0], [0.0, 1.0]]])
TODAY = DAYS[:, 1:2]
WARMTH = torch.tensor([[[0.2], [1.0], [2.0]]])
NETWORK = (
    torch.tensor([[[0.2, -5.0], [0.2, -7.0]]]),  # W_q, (1, H, 2)
    torch.tensor([[[3.0], [3.0]]]),  # W_k, (1, H, 1)
    torch.tensor([[[3.0, -2.0]]]),  # w_v, (1, 1, H)
)

# Of six flags, the second one turned so far that the first look lies in the middle of two.
DEGREES = torch.tensor([0, 40, 120, 180, 240, 300], dtype=torch.float64).deg2rad()
FLAGS = torch.stack([DEGREES.cos(), DEGREES.sin()], dim=-1).round(decimals=2)[None]


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").names["names"]
    ['T-shirt', 'jumper', 'coat']
    """
    return in_language(lang, RECORDS)


def _names(wear: list[str]) -> dict[str, list[str]]:
    """Name the keys and the three queries of a TanhFigure."""
    return {"names": wear, "query_names": ["30 °C", "15 °C", "0 °C"]}


def _today(wear: list[str], moved: str, axis: str) -> dict[str, Any]:
    """Name the keys of a TanhFigure whose one query is moved, and describe that query."""
    query = {"reach": (0.0, 30.0), "unit": " °C", "moved": moved, "axis": axis}
    return {"names": wear, "query_names": ["15 °C"], **query}


def _toy(sentences: list[list[str]], pad: str, query: str) -> dict[str, list[Any]]:
    """Name the ten keys of each of two examples, and their query."""
    keys = [[*sentence, *[pad] * (10 - len(sentence))] for sentence in sentences]
    return {"names": keys, "query_names": [query]}


def _temperatures_that_choose_the_coat(figure: Any) -> str:
    coats = int((figure.attention_weights.argmax(dim=-1) == 2).sum())
    return {0: "none", 1: "0 °C", 3: "all"}[coats]


def _direction_of_the_steps(figure: Any) -> str:
    """Name the direction in which the query moves both steps, or "height" if they stay."""
    W_q, W_k, _ = NETWORK
    colder = (TODAY - torch.tensor(figure.queries)) @ W_q.mT / W_k[..., 0]  # in units of warmth
    (way,) = set(colder.sign().int().flatten().tolist())
    return {-1: "left", 1: "right", 0: "height"}[way]


def _scores_that_change(figure: Any) -> str:
    """Name the scores that change when query 1 does."""
    before, queries = figure.scores, torch.tensor(figure.queries)
    queries[0, 1] += 1
    figure.queries = queries
    changed = int((figure.scores != before).sum())
    return {1: "one", before.shape[-1]: "row", before.numel(): "all"}[changed]


def _first_right(figure: Any) -> int:
    """Return after how many steps all three days first choose their own.

    Raises:
        ValueError: the figure shows another step than the first that is right.
    """
    asked, right = int(figure.step), []
    for step in range(asked + 1):
        figure.step = step
        right.append(figure.attention_weights[0].argmax(dim=-1).tolist() == [0, 1, 2])
    if right != [False] * asked + [True]:
        raise ValueError(f"step must be the first that is right; got {asked} of {right}")
    return asked * int(figure.steps)


def _temperatures_for_the_first(figure: Any) -> str:
    """Name the temperatures at which the key that keeps least warm has most weight."""
    firsts = []
    for temperature in range(31):
        figure.queries = [[[float(temperature), 1.0]]]
        firsts.append(int(figure.scores[0, 0].argmax()) == 0)
    if all(firsts):
        return "all"
    return "some" if any(firsts) else "none"


def _last_stage_that_differs(figure: Any) -> str:
    """Name the last stage that differs from that of one hidden unit.

    Raises:
        ValueError: the scores do not differ, or a stage does that follows one that does not.
    """
    hiddens, stages = figure.num_hiddens, figure.stages()
    figure.num_hiddens = 1
    before = figure.stages()
    figure.num_hiddens = hiddens
    names = ("scores", "attention_weights", "output")
    differ = [not torch.allclose(stages[name], before[name]) for name in names]
    if differ not in ([True, False, False], [True, True, False], [True, True, True]):
        raise ValueError(f"the scores should differ, and what follows; got {differ}")
    return ["scores", "weights", "output"][sum(differ) - 1]


_WEAR = Translated(["T-shirt", "jumper", "coat"], ["短袖", "毛衣", "大衣"])

RECORDS: dict[str, Record] = {
    "names": Translated(_names(_WEAR.en), _names(_WEAR.zh)),
    "today": Translated(
        _today(_WEAR.en, "temperature", "how warm it keeps"), _today(_WEAR.zh, "气温", "保暖程度")
    ),
    "field": Translated(
        {
            "names": ["fish", "ship", "tree", "bird", "rose", "bear"],
            "query_names": ["dawn", "noon", "dusk", "night"],
        },
        {
            "names": ["鱼", "船", "树", "鸟", "花", "熊"],
            "query_names": ["清晨", "中午", "傍晚", "夜里"],
        },
    ),
    "toy": Translated(
        _toy(
            [["good", "luck"], ["the", "train", "was", "late", "once", "more"]],
            pad="‹pad›",
            query="next",
        ),
        _toy(
            [["早上", "好"], ["火车", "今天", "晚点", "了", "半", "小时"]],
            pad="‹填充›",
            query="后文",
        ),
    ),
    "clothes": ChoiceRecord(
        text=Text(
            "Three temperatures ask what to wear. Leave out *tanh*: which choose the coat?",
            "三种气温各要选一件衣服。如果去掉 *tanh*，哪些气温会选大衣？",
        ),
        options={
            "0 °C": Text("0 °C alone", "只有 0 °C"),
            "none": Text("none", "都不选"),
            "all": Text("all three", "全都选"),
        },
        answer=_temperatures_that_choose_the_coat,
        because=Text(
            "Without tanh a query adds one number to its whole row, and softmax sees "
            "only differences. The warmest wins at every temperature.",
            "没有 tanh，查询只给整行加上同一个数，而 softmax 只看分数之差，"
            "所以不论气温是多少，都是最暖和的得分最高。",
        ),
        wrong={
            "0 °C": Text(
                "With tanh, yes. Without it a temperature adds the same to all three scores.",
                "有 tanh 时确实如此。没有它，气温给三个分数加上的是同一个数。",
            ),
            "none": Text(
                "Some score of a row is the highest. It is the same one in each row.",
                "一行里总有一个分数最高，而且每一行都是同一个。",
            ),
        },
        at={"bent": False},
    ),
    "curves": ChoiceRecord(
        text=Text(
            "One unit rises with the warmth, the other falls; their sum is the score. It "
            "gets colder, 5 °C instead of 15 °C. What becomes of the two steps?",
            "随着保暖程度增加，一个单元上升，另一个单元下降，两者之和就是分数。"
            "如果天冷下来，气温从 15 °C 降到 5 °C，这两级台阶会怎样？",
        ),
        options={
            "left": Text("a move to the left", "都向左移"),
            "right": Text("a move to the right", "都向右移"),
            "height": Text("another height, but no move", "位置不变，高度改变"),
        },
        answer=_direction_of_the_steps,
        because=Text(
            "W_q q is smaller by 2 in both units, so 3k must be larger by 2 for the "
            "same sum. The hill between the steps moves along, and now the coat stands on it.",
            "W_q q 的两个分量都减小了 2，要得到同样的总和，3k 就得增加 2。"
            "台阶之间的小山也跟着移动，这时大衣在山上。",
        ),
        wrong={
            "left": Text(
                "A colder day takes something off every sum. Only a warmer key makes up for it.",
                "天一冷，tanh 里的总和都变小了，要更保暖的键才能补上。",
            ),
            "height": Text(
                "The query is added inside tanh; only w_v sets how high a step is.",
                "查询是加在 tanh 里面的，台阶有多高只由 w_v 决定。",
            ),
        },
        at={"queries": [[[5.0, 1.0]]]},
    ),
    "large": NumberRecord(
        text=Text(
            "The largest |score| is 3.81. Make all numbers of queries and keys *1000 "
            "times* as large. What is it then?",
            "现在分数的绝对值最大是 3.81。如果把查询和键里的数都乘以 *1000*，它会变成多少？",
        ),
        answer=lambda figure: figure.scores.abs().max(),
        tolerance=0.2,
        because=Text(
            "Every unit has come to −1 or 1, so no score can exceed 3 + 2.",
            "每个单元都到了 −1 或 1，所以分数最大也只有 3 + 2。",
        ),
        wrong=[
            (
                3808,
                Text(
                    "A dot product would grow with them. tanh lets nothing beyond −1 and 1.",
                    "点积才会这样一路变大，而 tanh 的值出不了 −1 到 1 的范围。",
                ),
            ),
            (
                3.81,
                Text(
                    "It does grow, until every unit has come to −1 or 1.",
                    "它还会再大一点，直到每个单元都到了 −1 或 1。",
                ),
            ),
            (
                1,
                Text(
                    "No unit exceeds 1, but w_v weighs them by 3 and −2.",
                    "每个单元确实不超过 1，可是 w_v 给它们的系数是 3 和 −2。",
                ),
            ),
        ],
        at={"size": 1000.0},
    ),
    "grid": ChoiceRecord(
        text=Text(
            "Three temperatures meet three things to wear. Another temperature takes the "
            "place of *15 °C*. How many of the nine scores change?",
            "三种气温与三件衣服两两配对。把 *15 °C* 换成另一种气温，九个分数里会有几个改变？",
        ),
        options={
            "one": Text("one", "一个"),
            "row": Text("three", "三个"),
            "all": Text("all nine", "九个"),
        },
        answer=_scores_that_change,
        because=Text(
            "A query meets every key, and no other query: it is a row of the grid.",
            "一个查询要和每个键相加，与别的查询无关，所以它就是表格里的一行。",
        ),
        wrong={
            "one": Text(
                "It is added to every key, not to the jumper alone.",
                "它要和每个键相加，不是只和毛衣相加。",
            ),
            "all": Text(
                "The other two queries are added to the keys as before.",
                "另外两个查询与键相加的结果都没有变。",
            ),
        },
    ),
    "additive": ChoiceRecord(
        text=Text(
            "All keys are *identical*. `num_hiddens` goes from 1 to 16, with other random"
            " parameters. What changes?",
            "键*全部相同*。`num_hiddens` 从 1 变成 16，参数也换成另一组随机数。图里哪些数会变？",
        ),
        options={
            "scores": Text("the scores, and nothing else", "只有分数"),
            "weights": Text("scores and weights", "分数和权重"),
            "output": Text("scores, weights and output", "分数、权重和输出"),
        },
        answer=_last_stage_that_differs,
        because=Text(
            "Equal keys get equal scores from any module, so those that count share the weight"
            " alike, and the output is their values' mean.",
            "不管用哪个模块，相同的键总是得到相同的分数，"
            "所以算数的键平分权重，输出就是它们的值的平均。",
        ),
        wrong={
            "weights": Text(
                "Softmax sees differences only: what do equal scores differ by?",
                "softmax 只看分数之差，而这里的分数仍然相等，相差都是 0。",
            ),
            "output": Text(
                "Softmax sees differences only: what do equal scores differ by?",
                "输出由权重和值算出，而这里的权重和值都没有变。",
            ),
        },
        at={"num_hiddens": 16},
    ),
    "training": NumberRecord(
        text=Text(
            "Drawn at random, the network prefers one thing in every weather. After how "
            "many steps does each temperature get its own?",
            "参数随机的网络在任何天气里都偏爱同一件。训练多少步之后，三种气温才都选对？",
        ),
        answer=_first_right,
        tolerance=10,
        because=Text(
            "The hill is found early; what follows makes weights sharper. Replay it.",
            "那座小山很早就形成了，之后只是让权重更集中。拖动滑块重放一遍。",
        ),
        wrong=[
            (
                100,
                Text(
                    "Much earlier. The later steps only make it surer.",
                    "其实早得多，后面的步骤只是让权重更集中。",
                ),
            ),
        ],
        at={"step": 3},
        slider=(0, 100, 5),
    ),
    "one_unit": ChoiceRecord(
        text=Text(
            "Leave out unit 1, so that `num_hiddens` is 1. At which temperatures is the "
            "T-shirt first?",
            "去掉单元 1，让 `num_hiddens` 为 1。短袖在哪些气温下排第一？",
        ),
        options={
            "some": Text("at high ones", "气温高时"),
            "none": Text("at none", "任何气温下都不是"),
            "all": Text("at all", "任何气温下都是"),
        },
        answer=_temperatures_for_the_first,
        because=Text(
            "One tanh only rises, wherever a query moves it: the coat is first for "
            "all. Queries make the weights sharper or flatter, no more.",
            "单个 tanh 只升不降，不论查询把它移到哪里，大衣总排第一。"
            "查询只能让权重集中一些或平均一些。",
        ),
        wrong={
            "some": Text(
                "That took two units. One alone rises with the warmth, at any temperature.",
                "那要靠两个单元。只剩一个，不论气温多少，都是越暖和分数越高。",
            ),
            "all": Text(
                "Unit 0 rises with the warmth, and the T-shirt keeps least warm.",
                "单元 0 随保暖程度上升，而短袖最不暖和。",
            ),
        },
        at={"num_hiddens": 1},
    ),
    "compass": NumberRecord(
        text=Text(
            "At *dawn* you look to 20°. With 16 hidden units, flag *ship* is turned from 60°"
            " to 40°; flag *fish* stands at 0°. What share does *dawn* give to *ship*?",
            "*清晨*的视线指向 20°。用 16 个隐藏单元，把旗子*船*从 60° 转到 40°，"
            "旗子*鱼*仍在 0°。*清晨*会把多少权重给*船*？",
        ),
        answer=lambda figure: 100 * figure.attention_weights[0, 0, 1],
        tolerance=8,
        because=Text(
            "Both flags are 20° away, and a well trained module can hardly tell them apart."
            " With 4 units the dividing line is a little off: choose 4, and see.",
            "两面旗子离视线都是 20°，训练得好的模块几乎分不出高下。"
            "换成 4 个单元，分界线就偏了一点，选 4 看一看。",
        ),
        wrong=[
            (
                100,
                Text(
                    "It would have to be nearer than *fish*; both are 20° away.",
                    "那它得比*鱼*更近才行，可是两面旗子离视线都是 20°。",
                ),
            ),
            (
                100 / 6,
                Text(
                    "So much every flag would get if the look saw no difference at all.",
                    "只有视线完全分不清各面旗子时，每一面才会各得这么多。",
                ),
            ),
            (
                0,
                Text(
                    "It is 20° away, as near as *fish* on the other side.",
                    "它只相差 20°，和另一边的*鱼*一样近。",
                ),
            ),
        ],
        at={"num_hiddens": 16, "keys_": FLAGS.tolist()},
        unit="%",
        slider=(0, 100, 1),
    ),
}
