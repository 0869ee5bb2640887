"""Chapter 5: the words of its figures, and what these ask before they show."""

from dataclasses import dataclass
from typing import Any, Literal

import torch

from attention_course.asking import choice
from attention_figures import Number, Question

Lang = Literal["en", "zh"]

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


@dataclass(frozen=True)
class Words:
    """What differs by language: names, and questions for the figures by their names."""

    names: dict[str, Any]  # of TanhFigure's keys and queries
    today: dict[str, Any]  # the same for one query that is moved
    field: dict[str, Any]  # of the compass's flags and looks
    toy: dict[str, Any]  # of ten keys and a query, in each of two examples
    clothes: Question
    curves: Question
    large: Question
    grid: Question
    additive: Question
    training: Question
    one_unit: Question
    compass: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").names["names"]
    ['T-shirt', 'jumper', 'coat']
    """
    say = _SAY[lang]
    wear = {"names": say["wear"]}
    moved = {"reach": (0.0, 30.0), "unit": " °C", "moved": say["moved"], "axis": say["axis"]}
    return Words(
        names={**wear, "query_names": ["30 °C", "15 °C", "0 °C"]},
        today={**wear, **moved, "query_names": ["15 °C"]},
        field={"names": say["flags"], "query_names": say["looks"]},
        toy={
            "names": [[*said, *[say["pad"]] * (10 - len(said))] for said in say["said"]],
            "query_names": [say["next"]],
        },
        clothes=choice(say["clothes"], _coats, bent=False),
        curves=choice(say["curves"], _which_way, queries=[[[5.0, 1.0]]]),
        large=_number(say["large"], _largest, (3808, 3.81, 1), tolerance=0.2, at={"size": 1000.0}),
        grid=choice(say["grid"], _scores_that_change),
        additive=choice(say["additive"], _what_differs, num_hiddens=16),
        training=_number(
            say["training"], _first_right, (100,), tolerance=10, slider=(0, 100, 5), at={"step": 3}
        ),
        one_unit=choice(say["one_unit"], _temperatures_for_the_first, num_hiddens=1),
        compass=_number(
            say["compass"],
            lambda figure: 100 * figure.attention_weights[0, 0, 1],
            (100, 100 / 6, 0),
            tolerance=8,
            unit="%",
            slider=(0, 100, 1),
            at={"num_hiddens": 16, "keys_": FLAGS.tolist()},
        ),
    )


def _number(say: dict[str, Any], answer: Any, wrong: tuple[float, ...], **about: Any) -> Number:
    pairs = list(zip(wrong, say["wrong"], strict=True))
    return Number(say["text"], answer=answer, because=say["because"], wrong=pairs, **about)


def _coats(figure: Any) -> int:
    """0, 1 or 2: one day, none or all choose the coat."""
    coats = int((figure.attention_weights.argmax(dim=-1) == 2).sum())
    return [1, 0, 3].index(coats)


def _best(figure: Any) -> int:
    """Which key has the highest score."""
    return int(figure.scores[0, 0].argmax())


def _which_way(figure: Any) -> int:
    """0, 1 or 2: its query moves both steps to less warmth than today, to more, or not at all."""
    W_q, W_k, _ = NETWORK
    colder = (TODAY - torch.tensor(figure.queries)) @ W_q.mT / W_k[..., 0]  # in units of warmth
    (way,) = set(colder.sign().int().flatten().tolist())
    return [-1, 1, 0].index(way)


def _largest(figure: Any) -> float:
    return float(figure.scores.abs().max())


def _scores_that_change(figure: Any) -> int:
    """0, 1 or 2: one score, a row or all scores are others when query 1 is another."""
    before, queries = figure.scores, torch.tensor(figure.queries)
    queries[0, 1] += 1
    figure.queries = queries
    changed = int((figure.scores != before).sum())
    return [1, before.shape[-1], before.numel()].index(changed)


def _first_right(figure: Any) -> int:
    """After how many steps all three days choose their own: at the figure's, and not before."""
    asked, right = int(figure.step), []
    for step in range(asked + 1):
        figure.step = step
        right.append(figure.attention_weights[0].argmax(dim=-1).tolist() == [0, 1, 2])
    if right != [False] * asked + [True]:
        raise ValueError(f"step must be the first that is right; got {asked} of {right}")
    return asked * int(figure.steps)


def _temperatures_for_the_first(figure: Any) -> int:
    """0, 1 or 2: the least warm has most weight at some temperatures, at none, or at all."""
    firsts = []
    for temperature in range(31):
        figure.queries = [[[float(temperature), 1.0]]]
        firsts.append(_best(figure) == 0)
    return 2 if all(firsts) else int(not any(firsts))


def _what_differs(figure: Any) -> int:
    """0: the scores alone differ from those of one hidden unit; 1: weights do; 2: outputs, too."""
    hiddens, stages = figure.num_hiddens, figure.stages()
    figure.num_hiddens = 1
    before = figure.stages()
    figure.num_hiddens = hiddens
    names = ("scores", "attention_weights", "output")
    differ = [not torch.allclose(stages[name], before[name]) for name in names]
    if differ not in ([True, False, False], [True, True, False], [True, True, True]):
        raise ValueError(f"the scores should differ, and what follows; got {differ}")
    return sum(differ) - 1


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "said": [["good", "luck"], ["the", "train", "was", "late", "once", "more"]],
        "pad": "‹pad›",
        "next": "next",
        "wear": ["T-shirt", "jumper", "coat"],
        "moved": "temperature",
        "axis": "how warm it keeps",
        "flags": ["fish", "ship", "tree", "bird", "rose", "bear"],
        "looks": ["dawn", "noon", "dusk", "night"],
        "clothes": {
            "text": "Three temperatures ask what to wear. Leave out *tanh*: which choose the coat?",
            "options": ["0 °C alone", "none", "all three"],
            "wrong": {
                0: "With tanh, yes. Without it a temperature adds the same to all three scores.",
                1: "Some score of a row is the highest. It is the same one in each row.",
            },
            "because": "Without tanh a query adds one number to its whole row, and softmax sees "
            "only differences. The warmest wins at every temperature.",
        },
        "curves": {
            "text": "One unit rises with the warmth, the other falls; their sum is the score. It "
            "gets colder, 5 °C instead of 15 °C. What becomes of the two steps?",
            "options": ["a move to the left", "a move to the right", "another height, but no move"],
            "wrong": {
                0: "A colder day takes something off every sum. Only a warmer key makes up for it.",
                2: "The query is added inside tanh; only w_v sets how high a step is.",
            },
            "because": "W_q q is smaller by 2 in both units, so 3k must be larger by 2 for the "
            "same sum. The hill between the steps moves along, and now the coat stands on it.",
        },
        "large": {
            "text": "The largest |score| is 3.81. Make all numbers of queries and keys *1000 "
            "times* as large. What is it then?",
            "wrong": [
                "A dot product would grow with them. tanh lets nothing beyond −1 and 1.",
                "It does grow, until every unit has come to −1 or 1.",
                "No unit exceeds 1, but w_v weighs them by 3 and −2.",
            ],
            "because": "Every unit has come to −1 or 1, so no score can exceed 3 + 2.",
        },
        "grid": {
            "text": "Three temperatures meet three things to wear. Another temperature takes the "
            "place of *15 °C*. How many of the nine scores change?",
            "options": ["one", "three", "all nine"],
            "wrong": {
                0: "It is added to every key, not to the jumper alone.",
                2: "The other two queries are added to the keys as before.",
            },
            "because": "A query meets every key, and no other query: it is a row of the grid.",
        },
        "additive": {
            "text": (
                "All keys are *identical*. `num_hiddens` goes from 1 to 16, with other random"
                " parameters. What changes?"
            ),
            "options": [
                "the scores, and nothing else",
                "scores and weights",
                "scores, weights and output",
            ],
            "wrong": dict.fromkeys(
                (1, 2), "Softmax sees differences only: what do equal scores differ by?"
            ),
            "because": (
                "Equal keys get equal scores from any module, so those that count share the weight"
                " alike, and the output is their values' mean."
            ),
        },
        "training": {
            "text": "Drawn at random, the network prefers one thing in every weather. After how "
            "many steps does each temperature get its own?",
            "wrong": ["Much earlier. The later steps only make it surer."],
            "because": "The hill is found early; what follows makes weights sharper. Replay it.",
        },
        "one_unit": {
            "text": "Leave out unit 1, so that `num_hiddens` is 1. At which temperatures is the "
            "T-shirt first?",
            "options": ["at high ones", "at none", "at all"],
            "wrong": {
                0: "That took two units. One alone rises with the warmth, at any temperature.",
                2: "Unit 0 rises with the warmth, and the T-shirt keeps least warm.",
            },
            "because": "One tanh only rises, wherever a query moves it: the coat is first for "
            "all. Queries make the weights sharper or flatter, no more.",
        },
        "compass": {
            "text": (
                "At *dawn* you look to 20°. With 16 hidden units, flag *ship* is turned from 60°"
                " to 40°; flag *fish* stands at 0°. What share does *dawn* give to *ship*?"
            ),
            "wrong": [
                "It would have to be nearer than *fish*; both are 20° away.",
                "So much every flag would get if the look saw no difference at all.",
                "It is 20° away, as near as *fish* on the other side.",
            ],
            "because": (
                "Both flags are 20° away, and a well trained module can hardly tell them apart."
                " With 4 units the dividing line is a little off: choose 4, and see."
            ),
        },
    },
    "zh": {
        "said": [["早上", "好"], ["火车", "今天", "晚点", "了", "半", "小时"]],
        "pad": "‹填充›",
        "next": "后文",
        "wear": ["短袖", "毛衣", "大衣"],
        "moved": "气温",
        "axis": "保暖程度",
        "flags": ["鱼", "船", "树", "鸟", "花", "熊"],
        "looks": ["清晨", "中午", "傍晚", "夜里"],
        "clothes": {
            "text": "三种气温各要选一件衣服。如果去掉 *tanh*，哪些气温会选大衣？",
            "options": ["只有 0 °C", "都不选", "全都选"],
            "wrong": {
                0: "有 tanh 时确实如此。没有它，气温给三个分数加上的是同一个数。",
                1: "一行里总有一个分数最高，而且每一行都是同一个。",
            },
            "because": "没有 tanh，查询只给整行加上同一个数，而 softmax 只看分数之差，"
            "所以不论气温是多少，都是最暖和的得分最高。",
        },
        "curves": {
            "text": "随着保暖程度增加，一个单元上升，另一个单元下降，两者之和就是分数。"
            "如果天冷下来，气温从 15 °C 降到 5 °C，这两级台阶会怎样？",
            "options": ["都向左移", "都向右移", "位置不变，高度改变"],
            "wrong": {
                0: "天一冷，tanh 里的总和都变小了，要更保暖的键才能补上。",
                2: "查询是加在 tanh 里面的，台阶有多高只由 w_v 决定。",
            },
            "because": "W_q q 的两个分量都减小了 2，要得到同样的总和，3k 就得增加 2。"
            "台阶之间的小山也跟着移动，这时大衣在山上。",
        },
        "large": {
            "text": "现在分数的绝对值最大是 3.81。如果把查询和键里的数都乘以 *1000*，"
            "它会变成多少？",
            "wrong": [
                "点积才会这样一路变大，而 tanh 的值出不了 −1 到 1 的范围。",
                "它还会再大一点，直到每个单元都到了 −1 或 1。",
                "每个单元确实不超过 1，可是 w_v 给它们的系数是 3 和 −2。",
            ],
            "because": "每个单元都到了 −1 或 1，所以分数最大也只有 3 + 2。",
        },
        "grid": {
            "text": "三种气温与三件衣服两两配对。把 *15 °C* 换成另一种气温，"
            "九个分数里会有几个改变？",
            "options": ["一个", "三个", "九个"],
            "wrong": {
                0: "它要和每个键相加，不是只和毛衣相加。",
                2: "另外两个查询与键相加的结果都没有变。",
            },
            "because": "一个查询要和每个键相加，与别的查询无关，所以它就是表格里的一行。",
        },
        "additive": {
            "text": (
                "键*全部相同*。`num_hiddens` 从 1 变成 16，参数也换成另一组随机数。图里哪些数会变？"
            ),
            "options": ["只有分数", "分数和权重", "分数、权重和输出"],
            "wrong": {
                1: "softmax 只看分数之差，而这里的分数仍然相等，相差都是 0。",
                2: "输出由权重和值算出，而这里的权重和值都没有变。",
            },
            "because": (
                "不管用哪个模块，相同的键总是得到相同的分数，"
                "所以算数的键平分权重，输出就是它们的值的平均。"
            ),
        },
        "training": {
            "text": "参数随机的网络在任何天气里都偏爱同一件。训练多少步之后，三种气温才都选对？",
            "wrong": ["其实早得多，后面的步骤只是让权重更集中。"],
            "because": "那座小山很早就形成了，之后只是让权重更集中。拖动滑块重放一遍。",
        },
        "one_unit": {
            "text": "去掉单元 1，让 `num_hiddens` 为 1。短袖在哪些气温下排第一？",
            "options": ["气温高时", "任何气温下都不是", "任何气温下都是"],
            "wrong": {
                0: "那要靠两个单元。只剩一个，不论气温多少，都是越暖和分数越高。",
                2: "单元 0 随保暖程度上升，而短袖最不暖和。",
            },
            "because": "单个 tanh 只升不降，不论查询把它移到哪里，大衣总排第一。"
            "查询只能让权重集中一些或平均一些。",
        },
        "compass": {
            "text": (
                "*清晨*的视线指向 20°。用 16 个隐藏单元，把旗子*船*从 60° 转到 40°，"
                "旗子*鱼*仍在 0°。*清晨*会把多少权重给*船*？"
            ),
            "wrong": [
                "那它得比*鱼*更近才行，可是两面旗子离视线都是 20°。",
                "只有视线完全分不清各面旗子时，每一面才会各得这么多。",
                "它只相差 20°，和另一边的*鱼*一样近。",
            ],
            "because": (
                "两面旗子离视线都是 20°，训练得好的模块几乎分不出高下。"
                "换成 4 个单元，分界线就偏了一点，选 4 看一看。"
            ),
        },
    },
}
