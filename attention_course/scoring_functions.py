"""Chapter 3: the menu of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from math import e
from typing import Any, Literal

import torch
from torch import Tensor

from attention_course.asking import choice
from attention_figures import Number, Question
from attention_lib import scores

Lang = Literal["en", "zh"]

# How sweet and how hot: what a guest wants, and four things on the menu, with their prices.
WISH = torch.tensor([[[1.0, 1.0]]])
MENU = torch.tensor([[[1.0, 1.0], [2.0, 2.0], [1.0, -1.0], [-1.0, -1.0]]])
PRICES = torch.tensor([[[10.0], [20.0], [30.0], [40.0]]])
# Parameters that can be followed by hand: of the additive score, and a quarter turn.
W_q, W_k, w_v = torch.eye(2), torch.eye(2), torch.ones(1, 2)
W = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
INPUTS = (WISH, MENU, PRICES, W_q, W_k, w_v, W)
# Three guests at once. What each wants, and what the second then wants instead.
GUESTS = torch.tensor([[[1.0, 1.0], [2.0, -1.0], [-1.0, 0.0]]])
SECOND_THOUGHTS = [[[1.0, 1.0], [0.0, 3.0], [-1.0, 0.0]]]


def _with_ones(terms: Tensor) -> Tensor:
    return torch.stack([terms, torch.ones_like(terms)], dim=-1)


# Terms of a score, and a query that says how much each counts.
NEARNESS, ONCE = _with_ones(scores.gaussian(WISH, MENU)[:, 0]), torch.tensor([[[1.0, 0.0]]])
BIASED = torch.stack([-MENU.square().sum(-1) / 2, scores.dot(WISH, MENU)[:, 0]], dim=-1)
WITHOUT_BIAS = torch.tensor([[[0.0, 1.0]]])


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    menu: list[str]  # four
    guest: str
    guests: list[str]  # of `GUESTS`, three
    axes: list[str]  # of the plane, two
    nearness: list[str]  # the terms of `NEARNESS`
    biased: list[str]  # those of `BIASED`
    landscape: Question
    factor: Question
    doubled: Question
    bias: Question
    turned: Question
    product: Question
    bounded: Question
    scores: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").menu
    ['宫保鸡丁', '甜辣酱', '桂花糕', '酸奶']
    """
    say = _SAY[lang]
    menu = {"options": say["menu"]}
    return Words(
        **{name: say[name] for name in ("menu", "guest", "guests", "axes", "nearness", "biased")},
        landscape=choice(say["landscape"] | menu, _most, score="dot"),
        factor=_factor(say["factor"]),
        doubled=_score(say["doubled"], 2, keys_=_DOUBLED),
        bias=_share(say["bias"], 1, (100 * _ALONE, 50), queries=[[[1.0, 1.0]]]),
        turned=choice(say["turned"] | menu, _least, queries=[[[-1.0, -1.0]]]),
        product=choice(say["product"], _what_changed, queries=SECOND_THOUGHTS),
        bounded=_share(say["bounded"], 0, (100, 100 * _ACROSS, 25), keys_=_OPPOSITE),
        scores=choice(say["scores"], _which_is_flat, queries=[[[10.0, 10.0]]], score="additive"),
    )


# What readers may take for an answer: without the bias, and with cosines of 0 for −1.
_ALONE = float(scores.dot(WISH, MENU).softmax(-1)[0, 0, 1])
_ACROSS = float(torch.tensor([1.0, 0, 0, 0]).softmax(-1)[0])
_DOUBLED = [[[1.0, 1.0], [2.0, 2.0], [2.0, -2.0], [-1.0, -1.0]]]
_OPPOSITE = [[[1.0, 1.0], [-2.0, -2.0], [-1.5, -1.5], [-1.0, -1.0]]]


def _share(say: dict[str, Any], key: int, wrong: tuple[float, ...], **at: Any) -> Number:
    """Ask for a weight, in percent."""
    return Number(
        say["text"],
        answer=lambda figure: 100 * figure.attention_weights[0, 0, key],
        because=say["because"],
        at=at,
        tolerance=5,
        wrong=list(zip(wrong, say["wrong"], strict=True)),
        unit="%",
        slider=(0, 100, 1),
    )


def _score(say: dict[str, Any], key: int, **at: Any) -> Number:
    """Ask for the score of a key."""
    return Number(
        say["text"],
        answer=lambda figure: figure.scores[0, 0, key],
        because=say["because"],
        at=at,
        tolerance=0.25,
        wrong=list(zip((-4, -2, 0, -8), say["wrong"], strict=True)),
        decimals=1,
        slider=(-10, 0, 0.5),
    )


def _factor(say: dict[str, Any]) -> Number:
    """Ask for the ratio of two weights, once all scores are doubled and moved."""
    return Number(
        say["text"],
        answer=lambda figure: figure.attention_weights[0, 0, 0] / figure.attention_weights[0, 0, 1],
        because=say["because"],
        at={"queries": [[[2.0, 6.0]]]},
        tolerance=0.6,
        wrong=list(zip((e, 2 * e, 2 * e + 6), say["wrong"], strict=True)),
        decimals=1,
        slider=(1, 14, 0.1),
    )


def _most(figure: Any) -> int:
    return int(figure.attention_weights.argmax())


def _least(figure: Any) -> int:
    return int(figure.attention_weights.argmin())


def _what_changed(figure: Any) -> int:
    """0: one row of the products; 1: one column; 2: more than that."""
    changed = figure.products[0] != scores.dot(GUESTS.double(), MENU.double())[0]
    rows, columns = changed.any(dim=1).sum(), changed.any(dim=0).sum()
    return 0 if rows == 1 else 1 if columns == 1 else 2


def _which_is_flat(figure: Any) -> int:
    """Return the place of the score whose weights are all alike."""
    q, k = figure.stages()["queries"].float(), figure.stages()["keys"].float()
    rows = [
        scores.dot(q, k),
        scores.gaussian(q, k),
        scores.cosine(q, k),
        scores.additive(q, k, W_q, W_k, w_v),
    ]
    spread = [float(row.softmax(-1).max() - row.softmax(-1).min()) for row in rows]
    return spread.index(min(spread))


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "menu": ["curry", "chilli jam", "custard", "yoghurt"],
        "guest": "The guest",
        "guests": ["Ann", "Ben", "Cleo"],
        "axes": ["sweet", "hot"],
        "nearness": ["nearness", "the number 1"],
        "biased": ["the bias", "the dot product"],
        "landscape": {
            "text": "A guest wants it a little sweet, a little hot. *curry* is exactly that, and "
            "scored by nearness it gets 66%. Which gets most by the **dot product**?",
            "because": "Its contours are straight lines: the farther in the guest's direction, the "
            "better, without end. Now drag *chilli jam* about.",
            "wrong": {
                0: "The dot product does not ask for a match, but for much of what is wanted.",
                2: "As sweet as is wanted, but mild: the two cancel, and it scores 0.",
                3: "That is the opposite of what is wanted, and scores −2.",
            },
        },
        "factor": {
            "text": "*curry* gets 2.7 times what *chilli jam* gets. All scores are doubled, and "
            "then 6 is added to each. How many times as much is it then?",
            "because": "The lead of 1 has become 2, and e² is 7.4. The 6 is in every exponential, "
            "above and below the fraction bar, and cancels.",
            "wrong": [
                "Adding 6 to all changes nothing, but doubling does.",
                "It is the lead that doubles. The ratio of the weights is squared.",
                "The ratio is not computed like that; and what is added to all cancels.",
            ],
        },
        "doubled": {
            "text": "*custard* is at (1, −1), and its Gaussian score is −2. Made twice as sweet "
            "and twice as mild, it is at (2, −2). What is its score then?",
            "because": "From (1, 1) to (2, −2) the squared distance is 1 + 9, and the score is "
            "minus half of that.",
            "wrong": [
                "That would be twice the score, but it is the key that doubles.",
                "It has moved away from the guest.",
                "That is the dot product, which is 0 for a key at right angles to the query.",
                "That would be four times the score, but distances are measured from the guest, "
                "not from the origin.",
            ],
        },
        "bias": {
            "text": "By the dot product alone *chilli jam* gets 86%. Now every key also gets the "
            "bias −½‖k‖², minus half its squared length. What share is left to *chilli jam*?",
            "because": "Its lead of 2 over *curry* has become a lag of 1. These are the weights by "
            "nearness: dot product and bias together are the Gaussian score, up to a constant.",
            "wrong": [
                "Only what is the same for all keys cancels. This is −4 here, and −1 elsewhere.",
                "Not alike: 4 − 4 is 0, and *curry* has 2 − 1.",
            ],
        },
        "turned": {
            "text": "By the dot product *chilli jam* wins, being long. The guest turns round and "
            "wants it sour and mild, (−1, −1). Which gets **least** now?",
            "because": "Its product is the largest in size and has the wrong sign: −4. Length "
            "magnifies a score, for or against.",
            "wrong": {
                0: "It is opposite too, but shorter: −2.",
                2: "It is at right angles to the wish, before and after: its product is 0.",
                3: "It is exactly what is wanted now.",
            },
        },
        "product": {
            "text": "Three guests, each with two numbers, and our four keys. *Ben* thinks again: "
            "(0, 3) instead of (2, −1). Which of the twelve products change?",
            "options": ["a row of four", "a column of three", "all twelve"],
            "because": "A query meets every key, and no other query; nor do its weights and its "
            "output depend on any.",
            "wrong": {
                1: "A column belongs to a key: what all guests think of it.",
                2: "The products of *Ann* and *Cleo* are made without him.",
            },
        },
        "bounded": {
            "text": "The cosine of *curry* is 1, and it cannot be more. Let all others lie "
            "opposite, as low as they can. What share does *curry* get?",
            "because": "The lead is 2, so it is e² = 7.4 times each of the three: 7.4/10.4.",
            "wrong": [
                "The scores are 1 and −1. A lead of 2 is not enough for that.",
                "That would be for cosines of 0. They go down to −1.",
                "That would be for equal scores.",
            ],
        },
        "scores": {
            "text": "The wish becomes ten times as long: (10, 10). By which of these scores do all "
            "four keys then get practically the **same**?",
            "options": ["dot product", "Gaussian", "cosine", "additive"],
            "because": "Every tanh is close to 1, whatever the key: four scores of 2. The dot "
            "product and the Gaussian give *chilli jam* everything, and the cosine changes "
            "nothing.",
            "wrong": {
                0: "Its scores become ten times as far apart.",
                1: "Squared distances grow, and their differences with them.",
                2: "It does not notice: the same weights as before, and these were not alike.",
            },
        },
    },
    "zh": {
        "menu": ["宫保鸡丁", "甜辣酱", "桂花糕", "酸奶"],
        "guest": "客人",
        "guests": ["小安", "小兵", "小陈"],
        "axes": ["甜", "辣"],
        "nearness": ["远近", "常数 1"],
        "biased": ["偏置", "点积"],
        "landscape": {
            "text": "客人想吃点微甜微辣的，*宫保鸡丁*正合口味，按远近评分，它得到 66% 的权重。"
            "如果改用**点积**评分，哪一样得到的权重最大？",
            "because": "点积的等值线是一条条直线，顺着客人的方向越远，分数就越高，没有尽头。"
            "我们接着拖动*甜辣酱*看看。",
            "wrong": {
                0: "点积看重的不是合不合适，而是客人要的味道有多浓。",
                2: "甜是够甜，可是一点也不辣，一正一负抵消，得 0 分。",
                3: "酸奶又酸又不辣，与口味正相反，只得 −2 分。",
            },
        },
        "factor": {
            "text": "*宫保鸡丁*的权重是*甜辣酱*的 2.7 倍。如果所有分数都乘以 2，"
            "再都加上 6，会变成多少倍？",
            "because": "领先的分数由 1 变成 2，而 e² 约为 7.4。加上的 6 在每一个指数里都有，"
            "分子和分母里的因此约掉了。",
            "wrong": [
                "都加上 6 确实没有影响，乘以 2 却有影响。",
                "加倍的是分数之差，权重之比则要平方。",
                "权重之比不是这样算的，况且都加上同一个数会约掉。",
            ],
        },
        "doubled": {
            "text": "*桂花糕*在 (1, −1)，高斯分数是 −2。如果加倍地甜，也加倍地不辣，"
            "移到 (2, −2)，分数会变成多少？",
            "because": "从 (1, 1) 到 (2, −2)，距离的平方是 1 + 9，取一半再取负号，就是分数。",
            "wrong": [
                "那是把分数加了一倍，但加倍的其实是键。",
                "它离客人更远了，分数不会不变。",
                "那是点积，因为与查询垂直的键，点积总是 0。",
                "那是把分数变成了四倍，但距离要从客人量起，而不是从原点量起。",
            ],
        },
        "bias": {
            "text": "只用点积评分，*甜辣酱*得到 86% 的权重。现在给每个键都加上偏置 −½‖k‖²，"
            "也就是模长平方的一半取负，*甜辣酱*还剩多少？",
            "because": "它原来比*宫保鸡丁*高 2 分，现在反而低 1 分。这正是按远近评分的权重，"
            "因为点积加上这个偏置，与高斯评分只差一个常数。",
            "wrong": [
                "对所有键都相同的才会约掉，这里*甜辣酱*是 −4，其余都是 −1。",
                "两者并不相等，*甜辣酱*是 4 − 4 = 0，*宫保鸡丁*是 2 − 1 = 1。",
            ],
        },
        "turned": {
            "text": "用点积评分，*甜辣酱*因为模长大而领先。如果客人口味大变，想吃酸而不辣的，"
            "变成 (−1, −1)，哪一样得到的权重**最小**？",
            "because": "它的点积绝对值最大，符号却是负的，为 −4。模长会放大分数，"
            "合口味时如此，不合口味时也如此。",
            "wrong": {
                0: "它也与口味相反，但模长较小，得 −2 分。",
                2: "它与客人的方向垂直，口味变化前后都得 0 分。",
                3: "这时合口味的正是它。",
            },
        },
        "product": {
            "text": "来了三位客人，口味各用两个数表示，菜单还是那四样。如果*小兵*改了主意，"
            "由 (2, −1) 变成 (0, 3)，十二个点积里哪些会变？",
            "options": ["一行四个", "一列三个", "全部十二个"],
            "because": "每个查询要与所有的键相乘，却不与别的查询相乘，"
            "所以一位客人的权重和输出也只与自己有关。",
            "wrong": {
                1: "一列对应一个键，是各位客人给它的分数。",
                2: "算*小安*和*小陈*的点积时，用不到他。",
            },
        },
        "bounded": {
            "text": "*宫保鸡丁*的余弦是 1，不可能更高了。如果其余三样都转到正相反的方向，"
            "分数也降到最低，*宫保鸡丁*能得到多少权重？",
            "because": "分数只高出 2，所以权重是其余每一样的 e² ≈ 7.4 倍，占 7.4/10.4。",
            "wrong": [
                "分数不过是 1 和 −1，高出 2 分还做不到独占。",
                "这是余弦都为 0 的情形，而余弦可以低到 −1。",
                "这是分数全都相等的情形。",
            ],
        },
        "scores": {
            "text": "如果客人的口味重了十倍，变成 (10, 10)，用下面哪一种评分，"
            "四个键的权重会**几乎一样**？",
            "options": ["点积", "高斯", "余弦", "加性"],
            "because": "不管键是什么，每个 tanh 都接近 1，所以四个分数都是 2。用点积和高斯，"
            "权重全归*甜辣酱*；用余弦，权重和原来一样。",
            "wrong": {
                0: "分数之差变成了十倍，权重只会更集中。",
                1: "距离的平方变大，彼此之差也跟着变大。",
                2: "权重确实不变，但原来就不相等。",
            },
        },
    },
}
