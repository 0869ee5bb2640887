"""Record the data, names and questions of the figures in chapter 3."""

from collections.abc import Mapping
from math import e
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
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
# The query of the pronoun in the book's sentence before it is moved: the word's own vector.
_MIA = {"en": thread.words("en"), "zh": thread.words("zh")}
HER_ASKS = _MIA["en"].vectors[:, [_MIA["en"].pronoun]]


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
    ['宫保豆腐', '甜辣炸鸡', '桂花糕', '酸菜白肉']
    """
    return in_language(lang, RECORDS)


# Menus in which one dish or more have moved.
_FARTHER = [[[1.0, 1.0], [3.0, 3.0], [1.0, -1.0], [-1.0, -1.0]]]
_DOUBLED = [[[1.0, 1.0], [2.0, 2.0], [2.0, -2.0], [-1.0, -1.0]]]
_SWEETER = [[[1.0, 1.0], [2.0, 2.0], [3.0, -1.0], [-1.0, -1.0]]]
_OPPOSITE = [[[1.0, 1.0], [-2.0, -2.0], [-1.5, -1.5], [-1.0, -1.0]]]


def _ratio_of_two_weights(figure: Any) -> float:
    first, second = figure.attention_weights[0, 0, :2]
    return float(first / second)


def _heaviest(figure: Any) -> str:
    return _MENU.en[int(figure.attention_weights.argmax())]


def _lightest(figure: Any) -> str:
    return _MENU.en[int(figure.attention_weights.argmin())]


def _heavier_of_the_first_two(figure: Any) -> str:
    first, second = figure.attention_weights[0, 0, :2]
    if torch.isclose(first, second):
        return "equal"
    return _MENU.en[0 if first > second else 1]


def _change_of_the_first_weight(figure: Any) -> str:
    """Compare the first dish's weight with that at the places on the menu."""
    now = figure.attention_weights[0, 0, 0]
    with figure._in_state({"keys_": MENU}):
        before = figure.attention_weights[0, 0, 0]
    if torch.isclose(now, before):
        return "same"
    return "rises" if now > before else "falls"


def _size_of_the_first_weight(figure: Any) -> str:
    weight = float(figure.attention_weights[0, 0, 0])
    if abs(weight - 0.25) < 0.01:
        return "quarter"
    return "nearly all" if weight > 0.95 else "most"


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


def _slider_that_lets_the_name_win(figure: Any) -> str:
    """Raise each component of the query alone, then both, by as much as the first has risen."""
    ((person, back),) = torch.tensor(figure.queries)[0] - HER_ASKS[0]
    step = max(person, back)
    for way, rise in {"person": (step, 0), "back": (0, step), "both": (step, step)}.items():
        with figure._in_state({"queries": HER_ASKS + torch.tensor(rise)}):
            if figure.names[int(figure.stages()["scores"].argmax())] == figure.names[0]:
                return way
    return "none"


def _fastest_rise(figure: Any) -> str:
    """Return the role of the word whose score has risen most since the start."""
    now = figure.stages()["scores"]
    with figure._in_state({"queries": HER_ASKS}):
        before = figure.stages()["scores"]
    word = figure.names[int((now - before).argmax())]
    roles = {own: role for words in (_ROLES.en, _ROLES.zh) for role, own in words.items()}
    return roles[word]


_MENU = Translated(
    ["curry", "chilli jam", "custard", "yoghurt"], ["宫保豆腐", "甜辣炸鸡", "桂花糕", "酸菜白肉"]
)
# The words of the book's sentence by what they are; their order differs.
_ROLES: Translated[Mapping[str, str]] = Translated(
    dict(zip(["name", "verb", "pronoun", "thing"], _MIA["en"].sentence, strict=True)),
    dict(zip(["name", "verb", "thing", "pronoun"], _MIA["zh"].sentence, strict=True)),
)
_PARTS = {
    "row": Text("one row of four", "一行四个"),
    "column": Text("one column of three", "一列三个"),
    "all": Text("all twelve", "全部十二个"),
}

RECORDS: dict[str, Record] = {
    "menu": _MENU,
    "guest": Translated("The guest", "客人"),
    "guests": Translated(["Ann", "Ben", "Cleo"], ["小安", "小兵", "小陈"]),
    "axes": Translated(["sweet", "hot"], ["甜", "辣"]),
    "nearness": Translated(["nearness", "the number 1"], ["远近", "常数 1"]),
    "biased": Translated(["the bias", "the dot product"], ["偏置", "点积"]),
    "asked": Translated(["person", "refers back"], ["指人", "指代前文"]),
    "landscape": ChoiceRecord(
        text=Text(
            "A guest wants a dish that is a little sweet and a little hot. *curry* is exactly "
            "that: by nearness it gets 66%. Which dish gets the largest weight under "
            "the **dot product**, sweet × sweet + hot × hot?",
            "客人想吃微甜微辣的菜，*宫保豆腐*正合口味，按远近评分，权重是 66%。"
            "如果改用**点积**评分，也就是甜 × 甜 + 辣 × 辣，哪道菜的权重最大？",
        ),
        options=named_options(_MENU),
        answer=_heaviest,
        because=Text(
            "*chilli jam* scores 2 + 2 = 4: a dish scores more the farther out it lies in the "
            "guest's direction. Now drag *chilli jam*.",
            "*甜辣炸鸡*与客人的口味方向相同，离原点又最远，所以分数最高，得 2 + 2 = 4 分。"
            "接下来请拖动*甜辣炸鸡*看看。",
        ),
        wrong={
            "curry": Text(
                "*curry* is nearest, but its dot product is only 1 + 1 = 2.",
                "你还是按远近评的分。如果用点积，*宫保豆腐*只得 1 + 1 = 2 分。",
            ),
            "custard": Text(
                "*custard* is as sweet as the guest wishes, but mild: 1 − 1 = 0.",
                "*桂花糕*甜是够甜了，可是一点也不辣，只得 1 − 1 = 0 分。",
            ),
            "yoghurt": Text(
                "*yoghurt* is the opposite of the wish, and scores −2.",
                "*酸菜白肉*酸而不辣，与客人的口味正好相反，只得 −2 分。",
            ),
        },
        at={"score": "dot"},
    ),
    "landscape_seen": ChoiceRecord(
        text=Text(
            "Drag *chilli jam* farther out, from (2, 2) to (3, 3). What happens to the weight of "
            "*curry*?",
            "把*甜辣炸鸡*从 (2, 2) 拖到更远的 (3, 3)，*宫保豆腐*的权重有什么变化？",
        ),
        options={
            "falls": Text("the weight falls", "变小"),
            "same": Text("the weight stays the same", "不变"),
            "rises": Text("the weight rises", "变大"),
        },
        answer=_change_of_the_first_weight,
        because=Text(
            "*chilli jam* scores 6 instead of 4, and the weight that it gains is lost by the "
            "other dishes, although *curry* has not moved.",
            "*甜辣炸鸡*的分数从 4 变成 6，权重变大，其余的菜权重就都变小了，*宫保豆腐*也不例外。",
        ),
        wrong={
            "same": Text(
                "The score of *curry* stays the same, but its weight also depends on the scores "
                "of the other dishes.",
                "*宫保豆腐*的分数确实不变，但权重还要看其余各道菜的分数。",
            ),
            "rises": Text(
                "The weight of *curry* rises when nearness is the score, because *chilli jam* "
                "moves away from the guest.",
                "按远近评分的话，*宫保豆腐*的权重会变大，但这里用的是点积。",
            ),
        },
        at={"score": "dot", "keys_": _FARTHER},
    ),
    "mia": ChoiceRecord(
        text=Text(
            "*her* asks with its own two numbers and finds itself. Which slider must you raise so "
            "that *Mia* gets the highest score?",
            "一开始，“*她*”找到的是自己。要让“*小雨*”的分数最高，应当调大哪个滑块？",
        ),
        options={
            "person": Text("person", "指人"),
            "back": Text("refers back", "指代前文"),
            "both": Text(
                "both sliders by the same amount",
                "两个滑块都调大，幅度相同",
            ),
        },
        answer=_slider_that_lets_the_name_win,
        because=Text(
            "Each step of 1 on *person* adds 2 to the score of *Mia* and only 0.4 to that of "
            "*her*. At 3, *Mia* leads by 6.4 to 4.4.",
            "“*指人*”每调大 1，“*小雨*”的分数增加 2，“*她*”只增加 0.4。调到 3 时，“*小雨*”得 6.4 "
            "分，“*她*”得 4.4 分。",
        ),
        wrong={
            "back": Text(
                "*refers back* raises the score of *her* most, because *her* has the largest "
                "number there.",
                "在“*指代前文*”上，“*她*”的数值最大，所以调大这个滑块，“*她*”的分数增加得最多。",
            ),
            "both": Text(
                "Both sliders together add 2.2 to *Mia* with each step of 1, and 2.2 to *her*, "
                "which stays ahead.",
                "如果两个滑块都调大 1，“*小雨*”和“*她*”都增加 2.2 分，还是“*她*”领先。",
            ),
        },
        at={"queries": [[[3.0, 1.8]]]},
    ),
    "mia_seen": ChoiceRecord(
        text=Text(
            "As *person* rises from 0.4 to 3, whose score rises fastest?",
            "把“*指人*”从 0.4 调到 3，哪个词的分数上升得最快？",
        ),
        options=_ROLES,
        answer=_fastest_rise,
        because=Text(
            "A step of 1 adds a word's own number for *person* to its score, and that "
            "number is largest for *Mia*, 2.",
            "在四个词里，“*小雨*”的“*指人*”程度最高，是 2，所以每调大 1，分数就增加 2。",
        ),
        wrong=Translated(
            {
                "verb": "The score of *lost* falls, because its number for *person* is −0.8.",
                "pronoun": "The score of *her* rises slowly: a step of 1 adds only 0.4.",
                "thing": "The score of *key* falls, because its number for *person* is −1.",
            },
            {
                "verb": "“*丢了*”不指人，“*指人*”一项是 −0.8，所以分数不升反降。",
                "thing": "“*钥匙*”是东西，“*指人*”一项是 −1，分数不升反降。",
                "pronoun": "“*指人*”每调大 1，“*她*”的分数只增加 0.4，升得很慢。",
            },
        ),
        at={"queries": [[[3.0, 1.8]]]},
    ),
    "factor": NumberRecord(
        text=Text(
            "*curry* gets 2.7 times the weight of *chilli jam*. All scores are doubled, and "
            "then 6 is added to each. How many times the weight of *chilli jam* does *curry* "
            "get then?",
            "*宫保豆腐*的权重是*甜辣炸鸡*的 2.7 倍。如果所有分数都乘以 2，再加上 6，会变成多少倍？",
        ),
        answer=_ratio_of_two_weights,
        tolerance=0.6,
        because=Text(
            "The 6 is added to both scores and cancels. The lead over *chilli jam* has grown from "
            "1 to 2, and e² is 7.4.",
            "两个分数都加 6，相除时会约掉。分数之差从 1 变成 2，所以权重之比是 e² ≈ 7.4。",
        ),
        wrong=[
            (
                e,
                Text(
                    "2.7 times is what adding 6 alone leaves, but doubling changes the ratio.",
                    "如果只加 6，比值确实不变，但别忘了还乘了 2。",
                ),
            ),
            (
                2 * e,
                Text(
                    "Twice 2.7 doubles the ratio of the weights, but doubled scores square the "
                    "ratio.",
                    "你把权重之比加倍了，可是分数加倍时，权重之比要平方。",
                ),
            ),
            (
                2 * e + 6,
                Text(
                    "Twice 2.7 plus 6 treats the ratio of the weights like a score, but only "
                    "scores are doubled and raised.",
                    "你把权重之比当作分数来算了，其实乘 2、加 6 的只是分数。",
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
            "*桂花糕*在 (1, −1)，高斯分数是 −2。如果把坐标加倍，移到 (2, −2)，分数会变成多少？",
        ),
        answer=lambda figure: figure.scores[0, 0, 2],
        tolerance=0.25,
        because=Text(
            "From (1, 1) to (2, −2) the squared distance is 1 + 9 = 10, and the score is minus "
            "half of that, −5.",
            "从 (1, 1) 到 (2, −2)，距离的平方是 1 + 9 = 10，取一半，加上负号，就是 −5。",
        ),
        wrong=[
            (
                -4,
                Text(
                    "−4 is twice the old score, but it is the key that has doubled.",
                    "你把原来的分数加倍了，其实加倍的是坐标。",
                ),
            ),
            (
                -2,
                Text(
                    "−2 is the score at (1, −1), but *custard* has moved away from the guest "
                    "since.",
                    "−2 是原来的分数，现在*桂花糕*离客人更远了。",
                ),
            ),
            (
                0,
                Text(
                    "0 is the dot product of (1, 1) and (2, −2), but the Gaussian score depends "
                    "on their distance.",
                    "你算的是 (1, 1) 与 (2, −2) 的点积，高斯评分要用两点之间的距离。",
                ),
            ),
            (
                -8,
                Text(
                    "−8 is four times the old score, but only the distance from the origin has "
                    "doubled, not that from the guest.",
                    "你把原来的分数乘以 4 了，但加倍的是到原点的距离，不是到客人的距离。",
                ),
            ),
        ],
        at={"keys_": _DOUBLED},
        decimals=1,
        slider=(-10, 0, 0.5),
    ),
    "bias": ChoiceRecord(
        text=Text(
            "With the dot product alone *chilli jam* gets 86%. Now every key also gets the bias "
            "−½‖k‖², minus half its squared length. Which dish gets the largest weight now?",
            "如果只用点积评分，*甜辣炸鸡*得到 86% 的权重。现在给每个键加上偏置 −½‖k‖²，"
            "也就是模长平方的一半取负号，哪道菜的权重最大？",
        ),
        options={
            "chilli jam": Text("still chilli jam", "还是甜辣炸鸡"),
            "curry": Text("curry", "宫保豆腐"),
            "equal": Text("curry and chilli jam alike", "宫保豆腐和甜辣炸鸡一样大"),
        },
        answer=_heavier_of_the_first_two,
        because=Text(
            "*curry* keeps 2 − 1 = 1, and *chilli jam* only 4 − 4 = 0. Dot product and bias "
            "together are the Gaussian score, up to a constant, and by nearness *curry* is first.",
            "*宫保豆腐*有 2 − 1 = 1 分，*甜辣炸鸡*只有 4 − 4 = 0 分。点积加上偏置以后，"
            "与高斯评分只差一个常数，*宫保豆腐*离客人最近，所以分数最高。",
        ),
        wrong={
            "chilli jam": Text(
                "*chilli jam* does not stay ahead, because the bias is −4 for *chilli jam* and "
                "only −1 for every other dish.",
                "*甜辣炸鸡*要减 4 分，其余的菜只减 1 分，所以不再领先。",
            ),
            "equal": Text(
                "The dot product of *chilli jam* is 2 higher than that of *curry*, but the bias "
                "takes 3 more from *chilli jam*.",
                "*甜辣炸鸡*的点积高 2 分，可是偏置多减了 3 分，所以权重不会一样大。",
            ),
        },
        at={"queries": [[[1.0, 1.0]]]},
    ),
    "turned": ChoiceRecord(
        text=Text(
            "Under the dot product *chilli jam* wins, because its vector is long. Now the guest "
            "wants the opposite, something sour and mild, (−1, −1). Which dish gets the "
            "**smallest** weight?",
            "用点积评分时，*甜辣炸鸡*的模长最大，所以领先。如果客人口味大变，想吃酸而不辣的菜，"
            "也就是 (−1, −1)，哪道菜的权重**最小**？",
        ),
        options=named_options(_MENU),
        answer=_lightest,
        because=Text(
            "*chilli jam* has the longest vector, and length magnifies a score, for or against: "
            "now *chilli jam* scores −4.",
            "模长越大，分数的绝对值越大，不管是正是负。*甜辣炸鸡*的模长最大，现在又不合口味，"
            "得 −4 分，所以垫底。",
        ),
        wrong={
            "curry": Text(
                "*curry* is not last: its vector points against the wish, too, but is shorter and "
                "scores −2.",
                "*宫保豆腐*虽然也不合口味，但是模长较小，得 −2 分，没有垫底。",
            ),
            "custard": Text(
                "*custard* is not last: its vector is at right angles to the wish and scores 0.",
                "*桂花糕*的方向与客人的口味垂直，得 0 分，没有垫底。",
            ),
            "yoghurt": Text(
                "*yoghurt* was last for the old wish, but now it is exactly what the guest wants "
                "and scores 2.",
                "原来垫底的是*酸菜白肉*，现在正合口味，得 2 分。",
            ),
        },
        at={"queries": [[[-1.0, -1.0]]]},
    ),
    "product": ChoiceRecord(
        text=Text(
            "Three guests have two numbers each, and the menu has our four keys. *Ben* changes his "
            "mind, from (2, −1) to (0, 3). Which of the twelve products change?",
            "来了三位客人，口味都用两个数来表示，菜单还是那四道菜。如果*小兵*改了主意，"
            "从 (2, −1) 变成 (0, 3)，十二个点积里哪些会变？",
        ),
        options=_PARTS,
        answer=_products_that_changed,
        because=Text(
            "A row belongs to one query, here that of *Ben*, which is multiplied by all four keys "
            "and by no other query.",
            "每个查询占一行，*小兵*的查询要与四个键分别相乘，与别的查询无关，所以只变这一行。",
        ),
        wrong={
            "column": Text(
                "A column of three changes when a dish changes, but here a guest has changed.",
                "你把客人当成菜了：一列对应一道菜，这里变的是客人。",
            ),
            "all": Text(
                "Not all twelve change: the products of *Ann* and *Cleo* do not use the numbers "
                "of *Ben*.",
                "计算*小安*和*小陈*的点积时用不到*小兵*的口味，所以不会变。",
            ),
        },
        at={"queries": SECOND_THOUGHTS},
    ),
    "product_seen": ChoiceRecord(
        text=Text(
            "Change a number of a dish, such as the first of *custard* from 1 to 3. Which products "
            "change?",
            "改动一道菜的一个数，例如把*桂花糕*的甜度从 1 改成 3。哪些点积变了？",
        ),
        options=_PARTS,
        answer=_products_that_changed,
        because=Text(
            "A column belongs to one key, here that of *custard*, which is multiplied by the "
            "queries of all three guests.",
            "每个键占一列，*桂花糕*的键要与三位客人的查询分别相乘，所以变的是这一列。",
        ),
        wrong={
            "row": Text(
                "A row of four changes when a guest changes, but here a dish has changed.",
                "一行对应一位客人，可这里改的是菜。",
            ),
            "all": Text(
                "A product is one guest times one dish, so only three of the twelve use *custard*.",
                "每个点积只用到一位客人和一道菜，所以只有三个用到了*桂花糕*。",
            ),
        },
        at={"keys_": _SWEETER},
    ),
    "bounded": ChoiceRecord(
        text=Text(
            "The cosine of *curry* is 1, and it cannot be more. Let all other dishes lie opposite "
            "to the wish, where they score lowest. How much weight does *curry* get?",
            "*宫保豆腐*的余弦是 1，已经最高了。如果其余三道菜都转到相反的方向，分数降到最低，"
            "*宫保豆腐*能得到多少权重？",
        ),
        options={
            "quarter": Text("a quarter", "四分之一"),
            "most": Text("between a half and nine tenths", "一半以上，但不到九成"),
            "nearly all": Text("all, or nearly all", "全部，或者几乎全部"),
        },
        answer=_size_of_the_first_weight,
        because=Text(
            "The lead is 2, which makes e² = 7.4 times the weight of each of the three "
            "others, and 7.4/10.4 is 71%.",
            "*宫保豆腐*领先 2 分，权重是其余每道菜的 e² ≈ 7.4 倍，占 7.4/10.4，也就是 71%。",
        ),
        wrong={
            "quarter": Text(
                "A quarter is what four equal scores give.",
                "你让四道菜平分了权重，可是*宫保豆腐*的分数更高。",
            ),
            "nearly all": Text(
                "A lead of 6 or more gives nearly all the weight, but cosines lie between −1 "
                "and 1.",
                "要几乎独占权重，得领先 6 分以上，但余弦在 −1 到 1 之间，最多领先 2 分。",
            ),
        },
        at={"keys_": _OPPOSITE},
    ),
    "scores": ChoiceRecord(
        text=Text(
            "The wish becomes four times as strong: (4, 4). With which of these scores do all four "
            "dishes then get practically the **same** weight?",
            "如果客人的口味重到原来的四倍，变成 (4, 4)，"
            "用下面哪种评分，四道菜的权重会**几乎相同**？",
        ),
        options={
            "dot product": Text("the dot product", "点积评分"),
            "Gaussian": Text("the Gaussian score", "高斯评分"),
            "cosine": Text("the cosine", "余弦评分"),
            "additive": Text("the additive score", "加性评分"),
        },
        answer=_score_with_equal_weights,
        because=Text(
            "For a wish as strong as (4, 4) every tanh of the additive score is close to 1, so "
            "all four scores are close to 2.",
            "口味这么重，不管是哪道菜，加性评分的两个 tanh 都接近 1，所以四个分数都接近 2。",
        ),
        wrong={
            "dot product": Text(
                "The dot product makes the weights less equal, because its scores now lie four "
                "times as far apart.",
                "点积变成四倍，分数之差也变成四倍，所以用点积评分时，权重反而更集中。",
            ),
            "Gaussian": Text(
                "The Gaussian score makes the weights less equal, because the squared distances "
                "grow, and so do their differences.",
                "距离的平方变大，分数之差也跟着变大，所以用高斯评分时，权重反而更集中。",
            ),
            "cosine": Text(
                "The cosine leaves the weights as unequal as they were, because the cosine does "
                "not notice how strong a wish is.",
                "余弦评分与口味轻重无关，权重还和原来一样，并不相等。",
            ),
        },
        at={"queries": [[[4.0, 4.0]]], "score": "additive"},
    ),
}
