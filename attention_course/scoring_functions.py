"""Record the data, names and questions of the figures in chapter 3."""

from collections.abc import Mapping, Sequence
from math import e
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
    named_options,
)
from attention_lib import scores

# How sweet and how hot a guest's wish and the four dishes of the menu are, and the prices.
WISH = torch.tensor([[[1.0, 1.0]]])
MENU = torch.tensor([[[1.0, 1.0], [2.0, 2.0], [1.0, -1.0], [-1.0, -1.0]]])
PRICES = torch.tensor([[[10.0], [20.0], [30.0], [40.0]]])
# Parameters that can be followed by hand: of the additive score, and a quarter turn.
W_q, W_k, w_v = torch.eye(2), torch.eye(2), torch.ones(1, 2)
W = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
INPUTS = (WISH, MENU, PRICES, W_q, W_k, w_v, W)
# The wishes of three guests, and the same after the second guest has thought again.
GUESTS = torch.tensor([[[1.0, 1.0], [2.0, -1.0], [-1.0, 0.0]]])
SECOND_THOUGHTS = [[[1.0, 1.0], [0.0, 3.0], [-1.0, 0.0]]]


def _with_ones(terms: Tensor) -> Tensor:
    return torch.stack([terms, torch.ones_like(terms)], dim=-1)


# Terms of a score as keys, and a query that holds the factor of each term.
NEARNESS, ONCE = _with_ones(scores.gaussian(WISH, MENU)[:, 0]), torch.tensor([[[1.0, 0.0]]])
BIASED = torch.stack([-MENU.square().sum(-1) / 2, scores.dot(WISH, MENU)[:, 0]], dim=-1)
WITHOUT_BIAS = torch.tensor([[[0.0, 1.0]]])


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").menu
    ['宫保鸡丁', '甜辣酱', '桂花糕', '酸奶']
    """
    return in_language(lang, RECORDS)


# Likely wrong answers: the share without the bias, and with cosines of 0 instead of −1.
_ALONE = float(scores.dot(WISH, MENU).softmax(-1)[0, 0, 1])
_ACROSS = float(torch.tensor([1.0, 0, 0, 0]).softmax(-1)[0])
_DOUBLED = [[[1.0, 1.0], [2.0, 2.0], [2.0, -2.0], [-1.0, -1.0]]]
_OPPOSITE = [[[1.0, 1.0], [-2.0, -2.0], [-1.5, -1.5], [-1.0, -1.0]]]


def _share(
    text: Text,
    key: int,
    because: Text,
    wrong: Sequence[tuple[float, Text]],
    at: Mapping[str, Any],
) -> NumberRecord:
    """Ask for the weight of a key, in percent."""
    return NumberRecord(
        text,
        answer=lambda figure: 100 * figure.attention_weights[0, 0, key],
        tolerance=5,
        because=because,
        wrong=wrong,
        at=at,
        unit="%",
        slider=(0, 100, 1),
    )


def _ratio_of_two_weights(figure: Any) -> float:
    first, second = figure.attention_weights[0, 0, :2]
    return float(first / second)


def _heaviest(figure: Any) -> str:
    return _MENU.en[int(figure.attention_weights.argmax())]


def _lightest(figure: Any) -> str:
    return _MENU.en[int(figure.attention_weights.argmin())]


def _products_that_changed(figure: Any) -> str:
    changed = figure.products[0] != scores.dot(GUESTS.double(), MENU.double())[0]
    if changed.any(dim=1).sum() == 1:
        return "row"
    return "column" if changed.any(dim=0).sum() == 1 else "all"


def _score_with_equal_weights(figure: Any) -> str:
    """Return the score whose weights differ least."""
    q, k = figure.stages()["queries"].float(), figure.stages()["keys"].float()
    rows = {
        "dot product": scores.dot(q, k),
        "Gaussian": scores.gaussian(q, k),
        "cosine": scores.cosine(q, k),
        "additive": scores.additive(q, k, W_q, W_k, w_v),
    }
    weights = {name: row.softmax(-1) for name, row in rows.items()}
    return min(weights, key=lambda name: float(weights[name].max() - weights[name].min()))


_MENU = Translated(
    ["curry", "chilli jam", "custard", "yoghurt"], ["宫保鸡丁", "甜辣酱", "桂花糕", "酸奶"]
)

RECORDS: dict[str, Record] = {
    "menu": _MENU,
    "guest": Translated("The guest", "客人"),
    "guests": Translated(["Ann", "Ben", "Cleo"], ["小安", "小兵", "小陈"]),
    "axes": Translated(["sweet", "hot"], ["甜", "辣"]),
    "nearness": Translated(["nearness", "the number 1"], ["远近", "常数 1"]),
    "biased": Translated(["the bias", "the dot product"], ["偏置", "点积"]),
    "landscape": ChoiceRecord(
        text=Text(
            "A guest wants it a little sweet, a little hot. *curry* is exactly that, and scored "
            "by nearness it gets 66%. Which gets most by the **dot product**?",
            "客人想吃点微甜微辣的，*宫保鸡丁*正合口味，按远近评分，它得到 66% 的权重。"
            "如果改用**点积**评分，哪一样得到的权重最大？",
        ),
        options=named_options(_MENU),
        answer=_heaviest,
        because=Text(
            "Its contours are straight lines: the farther in the guest's direction, the better, "
            "without end. Now drag *chilli jam* about.",
            "点积的等值线是一条条直线，顺着客人的方向越远，分数就越高，没有尽头。"
            "我们接着拖动*甜辣酱*看看。",
        ),
        wrong={
            "curry": Text(
                "The dot product does not ask for a match, but for much of what is wanted.",
                "点积看重的不是合不合适，而是客人要的味道有多浓。",
            ),
            "custard": Text(
                "As sweet as is wanted, but mild: the two cancel, and it scores 0.",
                "甜是够甜，可是一点也不辣，一正一负抵消，得 0 分。",
            ),
            "yoghurt": Text(
                "That is the opposite of what is wanted, and scores −2.",
                "酸奶又酸又不辣，与口味正相反，只得 −2 分。",
            ),
        },
        at={"score": "dot"},
    ),
    "factor": NumberRecord(
        text=Text(
            "*curry* gets 2.7 times what *chilli jam* gets. All scores are doubled, and then 6 is "
            "added to each. How many times as much is it then?",
            "*宫保鸡丁*的权重是*甜辣酱*的 2.7 倍。如果所有分数都乘以 2，再都加上 6，会变成多少倍？",
        ),
        answer=_ratio_of_two_weights,
        tolerance=0.6,
        because=Text(
            "The lead of 1 has become 2, and e² is 7.4. The 6 is in every exponential, above and "
            "below the fraction bar, and cancels.",
            "领先的分数由 1 变成 2，而 e² 约为 7.4。加上的 6 在每一个指数里都有，"
            "分子和分母里的因此约掉了。",
        ),
        wrong=[
            (
                e,
                Text(
                    "Adding 6 to all changes nothing, but doubling does.",
                    "都加上 6 确实没有影响，乘以 2 却有影响。",
                ),
            ),
            (
                2 * e,
                Text(
                    "It is the lead that doubles. The ratio of the weights is squared.",
                    "加倍的是分数之差，权重之比则要平方。",
                ),
            ),
            (
                2 * e + 6,
                Text(
                    "The ratio is not computed like that; and what is added to all cancels.",
                    "权重之比不是这样算的，况且都加上同一个数会约掉。",
                ),
            ),
        ],
        at={"queries": [[[2.0, 6.0]]]},
        decimals=1,
        slider=(1, 14, 0.1),
    ),
    "doubled": NumberRecord(
        text=Text(
            "*custard* is at (1, −1), and its Gaussian score is −2. Made twice as sweet and twice "
            "as mild, it is at (2, −2). What is its score then?",
            "*桂花糕*在 (1, −1)，高斯分数是 −2。如果加倍地甜，也加倍地不辣，移到 (2, −2)，"
            "分数会变成多少？",
        ),
        answer=lambda figure: figure.scores[0, 0, 2],
        tolerance=0.25,
        because=Text(
            "From (1, 1) to (2, −2) the squared distance is 1 + 9, and the score is minus half of "
            "that.",
            "从 (1, 1) 到 (2, −2)，距离的平方是 1 + 9，取一半再取负号，就是分数。",
        ),
        wrong=[
            (
                -4,
                Text(
                    "That would be twice the score, but it is the key that doubles.",
                    "那是把分数加了一倍，但加倍的其实是键。",
                ),
            ),
            (-2, Text("It has moved away from the guest.", "它离客人更远了，分数不会不变。")),
            (
                0,
                Text(
                    "That is the dot product, which is 0 for a key at right angles to the query.",
                    "那是点积，因为与查询垂直的键，点积总是 0。",
                ),
            ),
            (
                -8,
                Text(
                    "That would be four times the score, but distances are measured from the "
                    "guest, not from the origin.",
                    "那是把分数变成了四倍，但距离要从客人量起，而不是从原点量起。",
                ),
            ),
        ],
        at={"keys_": _DOUBLED},
        decimals=1,
        slider=(-10, 0, 0.5),
    ),
    "bias": _share(
        text=Text(
            "By the dot product alone *chilli jam* gets 86%. Now every key also gets the bias "
            "−½‖k‖², minus half its squared length. What share is left to *chilli jam*?",
            "只用点积评分，*甜辣酱*得到 86% 的权重。现在给每个键都加上偏置 −½‖k‖²，"
            "也就是模长平方的一半取负，*甜辣酱*还剩多少？",
        ),
        key=1,
        because=Text(
            "Its lead of 2 over *curry* has become a lag of 1. These are the weights by nearness: "
            "dot product and bias together are the Gaussian score, up to a constant.",
            "它原来比*宫保鸡丁*高 2 分，现在反而低 1 分。这正是按远近评分的权重，"
            "因为点积加上这个偏置，与高斯评分只差一个常数。",
        ),
        wrong=[
            (
                100 * _ALONE,
                Text(
                    "Only what is the same for all keys cancels. This is −4 here, and −1 "
                    "elsewhere.",
                    "对所有键都相同的才会约掉，这里*甜辣酱*是 −4，其余都是 −1。",
                ),
            ),
            (
                50,
                Text(
                    "Not alike: 4 − 4 is 0, and *curry* has 2 − 1.",
                    "两者并不相等，*甜辣酱*是 4 − 4 = 0，*宫保鸡丁*是 2 − 1 = 1。",
                ),
            ),
        ],
        at={"queries": [[[1.0, 1.0]]]},
    ),
    "turned": ChoiceRecord(
        text=Text(
            "By the dot product *chilli jam* wins, being long. The guest turns round and wants it "
            "sour and mild, (−1, −1). Which gets **least** now?",
            "用点积评分，*甜辣酱*因为模长大而领先。如果客人口味大变，想吃酸而不辣的，"
            "变成 (−1, −1)，哪一样得到的权重**最小**？",
        ),
        options=named_options(_MENU),
        answer=_lightest,
        because=Text(
            "Its product is the largest in size and has the wrong sign: −4. Length magnifies a "
            "score, for or against.",
            "它的点积绝对值最大，符号却是负的，为 −4。模长会放大分数，合口味时如此，"
            "不合口味时也如此。",
        ),
        wrong={
            "curry": Text(
                "It is opposite too, but shorter: −2.", "它也与口味相反，但模长较小，得 −2 分。"
            ),
            "custard": Text(
                "It is at right angles to the wish, before and after: its product is 0.",
                "它与客人的方向垂直，口味变化前后都得 0 分。",
            ),
            "yoghurt": Text("It is exactly what is wanted now.", "这时合口味的正是它。"),
        },
        at={"queries": [[[-1.0, -1.0]]]},
    ),
    "product": ChoiceRecord(
        text=Text(
            "Three guests, each with two numbers, and our four keys. *Ben* thinks again: (0, 3) "
            "instead of (2, −1). Which of the twelve products change?",
            "来了三位客人，口味各用两个数表示，菜单还是那四样。如果*小兵*改了主意，"
            "由 (2, −1) 变成 (0, 3)，十二个点积里哪些会变？",
        ),
        options={
            "row": Text("a row of four", "一行四个"),
            "column": Text("a column of three", "一列三个"),
            "all": Text("all twelve", "全部十二个"),
        },
        answer=_products_that_changed,
        because=Text(
            "A query meets every key, and no other query; nor do its weights and its output "
            "depend on any.",
            "每个查询要与所有的键相乘，却不与别的查询相乘，"
            "所以一位客人的权重和输出也只与自己有关。",
        ),
        wrong={
            "column": Text(
                "A column belongs to a key: what all guests think of it.",
                "一列对应一个键，是各位客人给它的分数。",
            ),
            "all": Text(
                "The products of *Ann* and *Cleo* are made without him.",
                "算*小安*和*小陈*的点积时，用不到他。",
            ),
        },
        at={"queries": SECOND_THOUGHTS},
    ),
    "bounded": _share(
        text=Text(
            "The cosine of *curry* is 1, and it cannot be more. Let all others lie opposite, as "
            "low as they can. What share does *curry* get?",
            "*宫保鸡丁*的余弦是 1，不可能更高了。如果其余三样都转到正相反的方向，分数也降到最低，"
            "*宫保鸡丁*能得到多少权重？",
        ),
        key=0,
        because=Text(
            "The lead is 2, so it is e² = 7.4 times each of the three: 7.4/10.4.",
            "分数只高出 2，所以权重是其余每一样的 e² ≈ 7.4 倍，占 7.4/10.4。",
        ),
        wrong=[
            (
                100,
                Text(
                    "The scores are 1 and −1. A lead of 2 is not enough for that.",
                    "分数不过是 1 和 −1，高出 2 分还做不到独占。",
                ),
            ),
            (
                100 * _ACROSS,
                Text(
                    "That would be for cosines of 0. They go down to −1.",
                    "这是余弦都为 0 的情形，而余弦可以低到 −1。",
                ),
            ),
            (25, Text("That would be for equal scores.", "这是分数全都相等的情形。")),
        ],
        at={"keys_": _OPPOSITE},
    ),
    "scores": ChoiceRecord(
        text=Text(
            "The wish becomes ten times as long: (10, 10). By which of these scores do all four "
            "keys then get practically the **same**?",
            "如果客人的口味重了十倍，变成 (10, 10)，用下面哪一种评分，四个键的权重会**几乎一样**？",
        ),
        options={
            "dot product": Text("dot product", "点积"),
            "Gaussian": Text("Gaussian", "高斯"),
            "cosine": Text("cosine", "余弦"),
            "additive": Text("additive", "加性"),
        },
        answer=_score_with_equal_weights,
        because=Text(
            "Every tanh is close to 1, whatever the key: four scores of 2. The dot product and "
            "the Gaussian give *chilli jam* everything, and the cosine changes nothing.",
            "不管键是什么，每个 tanh 都接近 1，所以四个分数都是 2。用点积和高斯，"
            "权重全归*甜辣酱*；用余弦，权重和原来一样。",
        ),
        wrong={
            "dot product": Text(
                "Its scores become ten times as far apart.", "分数之差变成了十倍，权重只会更集中。"
            ),
            "Gaussian": Text(
                "Squared distances grow, and their differences with them.",
                "距离的平方变大，彼此之差也跟着变大。",
            ),
            "cosine": Text(
                "It does not notice: the same weights as before, and these were not alike.",
                "权重确实不变，但原来就不相等。",
            ),
        },
        at={"queries": [[[10.0, 10.0]]], "score": "additive"},
    ),
}
