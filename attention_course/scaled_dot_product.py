"""Chapter 6: the words and numbers of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch

from attention_course.asking import choice
from attention_figures import Number, Question

Lang = Literal["en", "zh"]

# Sixteen queries and sixteen keys, with 128 random components each.
DRAWS = torch.randn(2, 1, 16, 128, generator=torch.Generator().manual_seed(2)).round(decimals=2)
# Eight words of a sentence, as they are before anything is learnt.
SENTENCE = torch.randn(1, 8, 128, generator=torch.Generator().manual_seed(6)).round(decimals=2)
# Tonight's wishes, those of two guests, and what three places offer.
TONIGHT = torch.tensor([[[1.0, 2.0, 0.0, 1.0]]])
GUESTS = torch.tensor([[[1.0, 2.0, 0.0, 1.0], [0.0, 0.0, 2.0, 1.0]]])
PLACES = torch.tensor([[[2.0, 1, 1, 0], [0, 1, 3, 0], [1, -1, 5, 1]]])
# Products of 64 components, of one word with five others.
PRODUCTS = torch.tensor([[[24.0], [8.0], [16.0], [2.0], [12.0]]])


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    nouns: list[str]  # sixteen
    places: list[str]  # three
    wishes: list[str]  # four
    tonight: list[str]  # one
    company: list[str]  # two
    tables: list[str]  # what the places are for, in short
    sentence: list[str]  # eight
    trophy: list[str]  # five
    it: list[str]  # one
    capitals: list[str]  # eight
    countries: list[str]  # eight
    thanks: dict[str, Any]  # of the trap's keys and queries
    runs: list[str]  # two
    scaling: Question
    dinner: Question
    walk: Question
    copies: Question
    temperature: Question
    gradients: Question
    training: Question
    guests: Question
    trap: Question
    alike: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").places
    ['面馆', '茶馆', '食堂']
    """
    say = _SAY[lang]
    return Words(
        **{name: say[name] for name in _NAMES},
        thanks={"names": say["said"], "query_names": say["translated"]},
        scaling=_percent(say["scaling"], _largest, wrong=(100 / 16, 27), at={"d": 128}),
        dinner=_percent(say["dinner"], _of_the_last, wrong=(100 / 3, 67)),
        walk=_number(say["walk"], _root_mean_square, (0, 70, 1), wrong=(0, 64), at={"d": 64}),
        copies=_percent(say["copies"], _own, wrong=(100 / 8, _own_at_first), at={"d": 128}),
        temperature=_percent(
            say["temperature"], _of_the_first, wrong=(100, _in_proportion, 20), temperature=8
        ),
        gradients=choice(say["gradients"], _what_falls, d=128),
        training=_number(
            say["training"], _found, (0, 8, 1), wrong=(8, 0), at={"run": 1, "step": 12}
        ),
        guests=_number(
            say["guests"], _guests_score, None, wrong=(5, 5.5, 10), at={"query": 1, "key": 2}
        ),
        trap=_percent(say["trap"], _on_padding, wrong=(0, 200 / 3), valid_lens=[[1, 3]]),
        alike=choice(say["alike"], _unequal_weights, score="additive"),
    )


_NAMES = (
    *("nouns", "places", "wishes", "tonight", "company", "tables", "sentence", "trophy", "it"),
    *("capitals", "countries", "runs"),
)


def _number(
    say: dict[str, Any], answer: Any, slider: Any, wrong: tuple[Any, ...], **rest: Any
) -> Number:
    return Number(
        say["text"],
        answer=answer,
        because=say["because"],
        right=say.get("right", ""),
        wrong=list(zip(wrong, say["wrong"], strict=True)),
        tolerance=4 if slider and slider[1] > 10 else 0.2,
        slider=slider,
        **rest,
    )


def _percent(say: dict[str, Any], answer: Any, wrong: tuple[Any, ...], **rest: Any) -> Number:
    at = rest.pop("at", rest)
    return _number(say, answer, (0, 100, 1), wrong, at=at, unit="%")


def _largest(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 0].max()


def _of_the_first(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 0, 0]


def _of_the_last(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 0, -1]


def _in_proportion(figure: Any) -> Any:
    scores = figure.stages()["scores"][0, 0]
    return 100 * scores[0] / scores.sum()


def _root_mean_square(figure: Any) -> Any:
    return figure.stages()["scores"][0, 0].square().mean().sqrt()


def _own(figure: Any) -> Any:
    """How much of its weight a word has for itself, in the mean."""
    return 100 * figure.attention_weights[0].diagonal().mean()


def _own_at_first(figure: Any) -> Any:
    x = SENTENCE[..., :4].double()
    return 100 * torch.softmax(x @ x.mT / 2, dim=-1)[0].diagonal().mean()


def _what_falls(figure: Any) -> int:
    """0: mean and median; 1: the median alone; 2: neither. Against d = 32, by a quarter or more."""
    then, now = (figure.stages()["mean_and_median"][0, :, figure.sizes.index(d)] for d in (32, 128))
    fallen = (now < 0.75 * then).tolist()
    return {(True, True): 0, (False, True): 1, (False, False): 2}[tuple(fallen)]


def _found(figure: Any) -> Any:
    return figure.stages()["found"][0, figure.run, figure.step]


def _guests_score(figure: Any) -> Any:
    return figure.products[0, figure.query, figure.key]


def _on_padding(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 1, 1:].sum()


def _unequal_weights(figure: Any) -> int:
    """0: dot; 1: additive; 2: none of these makes the weights differ."""
    weights = figure.attention_weights
    return 2 if torch.allclose(weights, weights.mean(-1, keepdim=True)) else 1


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "nouns": [
            "river",
            "bread",
            "cloud",
            "horse",
            "lamp",
            "stone",
            "music",
            "door",
            "snow",
            "glass",
            "field",
            "clock",
            "bird",
            "salt",
            "road",
            "wind",
        ],
        "places": ["noodle bar", "tea house", "canteen"],
        "wishes": ["spicy", "quiet", "cheap", "near"],
        "tonight": ["tonight"],
        "company": ["Ann", "Ben"],
        "tables": ["soup", "tea", "lunch"],
        "sentence": ["our", "cat", "sleeps", "all", "day", "near", "warm", "stoves"],
        "trophy": ["trophy", "fit", "suitcase", "too", "big"],
        "it": ["it"],
        "capitals": ["Paris", "Cairo", "Lima", "Oslo", "Rome", "Tokyo", "Delhi", "Quito"],
        "said": ["Merci", "‹pad›", "‹pad›"],
        "translated": ["Thank", "you"],
        "countries": ["France", "Egypt", "Peru", "Norway", "Italy", "Japan", "India", "Ecuador"],
        "runs": ["divided by √d", "not divided"],
        "scaling": {
            "text": "Nothing is learnt yet: query and words are random vectors of *d* numbers. "
            "With *d* = 128, what share of the weight goes to the word that gets most?",
            "because": "Which word it is, is chance. Now divide by √d.",
            "wrong": [
                "Equal shares would want equal scores, and random scores differ.",
                "So it is with the division. Nothing is divided here.",
            ],
        },
        "dinner": {
            "text": "The largest number of all is the canteen's: it is *cheap*, 5. How much of the "
            "weight does it get tonight?",
            "because": "*cheap* counts 0 tonight, so the 5 counts for nothing; the score is 0. Now "
            "move *cheap*.",
            "wrong": [
                "Three equal scores would give that, and they are not equal.",
                "That would be so if *cheap* alone counted, with a 1.",
            ],
        },
        "walk": {
            "text": "A dot product adds up *d* random terms, each of about the size 1. How far "
            "from 0 "
            "are the sums after 64 terms? (Take the root mean square.)",
            "because": "√64 = 8 is what theory says, and sixteen sums follow it roughly. Now "
            "divide.",
            "wrong": [
                "0 is their mean, but each of them strays from it.",
                "That takes 64 terms of one sign. These have both, and partly cancel.",
            ],
        },
        "copies": {
            "text": "Eight words, each a random vector, attend to one another: the keys *are* the "
            "queries, and scores are divided by √d. With *d* = 128, how much weight does a word "
            "give itself?",
            "because": "Its score is ‖q‖²/√d, about √d = 11; the others' are about 1 in size. "
            "Query "
            "and key are not independent here.",
            "wrong": [
                "√d tames the seven others. A word's product with itself is a sum of squares.",
                "That is with *d* = 4. A sum of squares grows with *d*, not with √d.",
            ],
        },
        "temperature": {
            "text": "The trophy does not fit the suitcase, because *it* is too big. These are "
            "products of 64 numbers, and *trophy* takes all. At the temperature √64 = 8, what does "
            "*trophy* get?",
            "because": "Divided by 8, they are 3, 1, 2, 0.25 and 1.5. *trophy* still leads, but "
            "the others have some weight, too.",
            "wrong": [
                "That is at 1. At 8 the lead of 8 over *suitcase* is a lead of 1.",
                "That is its share of the scores. Softmax takes their exponentials.",
                "All alike: that takes a far higher temperature.",
            ],
        },
        "gradients": {
            "text": "“Without √d the gradient vanishes.” From *d* = 32 to 128, not divided: what "
            "falls by a quarter or more?",
            "options": ["mean and median", "the median alone", "neither"],
            "because": "The dashed line falls from 0.7 to 0.26. A few queries have two keys that "
            "are nearly tied, and their gradients are larger than ever: they hold the mean up.",
            "wrong": {
                0: "The mean is that of all dots, the few at the top among them.",
                2: "Half of the queries are at 0.26 or below now.",
            },
        },
        "training": {
            "text": "Divided by √d, 200 steps of training are enough for all eight. How many will "
            "have found their capital without the division?",
            "because": "*France* had Paris before the first step, by luck. Go through the "
            "steps, and "
            "look at the frames.",
            "wrong": [
                "So it is with the division.",
                "One had been lucky before anything was trained.",
            ],
        },
        "guests": {
            "text": "Ben is row 1 of the queries, lunch is key 2: which number stands in row 1, "
            "column 2 of `queries @ keys.T`?",
            "because": "0 · 1 + 0 · (−1) + 2 · 5 + 1 · 1 = 11. Six such products make the matrix.",
            "wrong": [
                "That is the largest component of the key. Multiply, and add up.",
                "That is the score, divided by √4 already.",
                "The last components, 1 and 1, count as well.",
            ],
        },
        "trap": {
            "text": "Two examples, sentences of 1 and 3 words, have two queries each. Somebody "
            "passes a mask of shape `(2, 3)`, a row for each *example*. Here is example 0: what "
            "share of its weight does *you* spend on padding?",
            "because": "The mask is read as `(queries, keys)`, for both examples: row 1 of it lets "
            "*you* see three keys. Two of them are padding here.",
            "wrong": [
                "So it would be, if row 0 of the mask were for example 0.",
                "That would be three equal scores.",
            ],
        },
        "alike": {
            "text": "Six keys, all alike. Which score gives them different weights?",
            "options": ["the dot product", "the additive score", "neither"],
            "because": "Equal keys get equal scores from any scoring function. Such a batch tests "
            "masks and shapes, and no score.",
            "wrong": {
                0: "The query has the same product with each of them.",
                1: "Its network has the same input for each of them.",
            },
        },
    },
    "zh": {
        "nouns": [
            "河",
            "面包",
            "云",
            "马",
            "灯",
            "石头",
            "音乐",
            "门",
            "雪",
            "玻璃",
            "田野",
            "钟",
            "鸟",
            "盐",
            "路",
            "风",
        ],
        "places": ["面馆", "茶馆", "食堂"],
        "wishes": ["辣", "安静", "便宜", "近"],
        "tonight": ["今晚"],
        "company": ["小安", "小兵"],
        "tables": ["面馆", "茶馆", "食堂"],
        "sentence": ["老张", "家", "的", "花猫", "整天", "趴在", "炉子", "旁边"],
        "trophy": ["奖杯", "放不进", "箱子", "太", "大"],
        "it": ["它"],
        "capitals": ["巴黎", "开罗", "利马", "奥斯陆", "罗马", "东京", "德里", "基多"],
        "said": ["Goodbye", "‹填充›", "‹填充›"],
        "translated": ["再", "见"],
        "countries": ["法国", "埃及", "秘鲁", "挪威", "意大利", "日本", "印度", "厄瓜多尔"],
        "runs": ["除以 √d", "不除"],
        "scaling": {
            "text": "这里什么都还没有学，查询和词都是由 `d` 个随机数组成的向量。"
            "`d` = 128 时，得到最多的那个词占去多少权重？",
            "because": "至于是哪个词，全凭偶然。接着除以 √d 看看。",
            "wrong": [
                "分数相等时才会平分，而随机的分数有高有低。",
                "除以 √d 之后才是这样，这里还没有除。",
            ],
        },
        "dinner": {
            "text": "表里最大的数是食堂的“便宜”，有 5。今晚食堂能得到多少权重？",
            "because": "今晚“便宜”记作 0，所以这个 5 不起作用，食堂的分数是 0。接着调一调“便宜”。",
            "wrong": [
                "三个分数相等时才是这样，可它们并不相等。",
                "在乎价钱的时候才会这样。",
            ],
        },
        "walk": {
            "text": "点积是 `d` 个随机的项之和，每一项的大小约为 1。加到 64 项时，"
            "这些总和离 0 有多远？（取均方根）",
            "because": "理论上是 √64 = 8，这里只有十六个总和，所以只是大致如此。接着除以 √d 看看。",
            "wrong": [
                "0 是它们的均值，可是每一个总和都会偏离 0。",
                "64 项同号时才会这样。这里有正有负，抵消了一部分。",
            ],
        },
        "copies": {
            "text": "八个词互相注意，每个词都是随机向量，键就是查询本身，分数已经除以 √d。"
            "`d` = 128 时，一个词平均把多少权重给自己？",
            "because": "它对自己的分数是 ‖q‖²/√d，约为 √d = 11，对别的词只有 1 上下。"
            "这里的查询与键并不独立。",
            "wrong": [
                "√d 管住的是另外七个词。词与自己的点积是平方和。",
                "这是 `d` = 4 的情形。平方和随 `d` 增大，而不是随 √d。",
            ],
        },
        "temperature": {
            "text": "奖杯放不进箱子，因为“*它*”太大了。图中是 64 维向量的点积，"
            "“*奖杯*”占去全部权重。"
            "温度取 √64 = 8 时，“*奖杯*”得到多少？",
            "because": "除以 8 之后成了 3、1、2、0.25 和 1.5，“*奖杯*”仍然领先，"
            "但别的词也有了权重。",
            "wrong": [
                "温度为 1 时才是这样。温度为 8 时，比“*箱子*”高出的 8 只剩下 1。",
                "这是它在分数里占的比例，而 softmax 取的是指数值。",
                "温度要高得多，各个词才会一样。",
            ],
        },
        "gradients": {
            "text": "常听人说“不除以 √d，梯度就会消失”。不缩放，让 `d` 从 32 增加到 128，"
            "哪个会减少四分之一以上？",
            "options": ["均值和中位数", "只有中位数", "都不会"],
            "because": "中位数从 0.7 降到了 0.26。少数查询有两个键的分数几乎相等，梯度比以前还大，"
            "所以均值没有变小。",
            "wrong": {
                0: "请看最上面的几个点，均值就是它们撑起来的。",
                2: "有一半的查询，梯度只剩 0.26 或者更少。",
            },
        },
        "training": {
            "text": "除以 √d 时，训练 200 步之后，八个国家都找到了自己的首都。不除的话，"
            "能找到几个？",
            "because": "*法国*在训练之前就碰巧对上了*巴黎*。接着拖动步数，看看带框的格子。",
            "wrong": [
                "除以 √d 时才是这样。",
                "并不是一个也没有。",
            ],
        },
        "guests": {
            "text": "小兵是查询的行 1，食堂是键 2，`queries @ keys.T` 的行 1、列 2 是多少？",
            "because": "0 × 1 + 0 × (−1) + 2 × 5 + 1 × 1 = 11，整个矩阵就是六个这样的点积。",
            "wrong": [
                "这是键里最大的分量。要逐项相乘，再加起来。",
                "这是已经除以 √4 的分数。",
                "最后一个分量 1 × 1 也要算进去。",
            ],
        },
        "trap": {
            "text": "两个样本分别是 1 个词和 3 个词的句子，各有两个查询。"
            "有人传入形状为 `(2, 3)` 的掩码，每个*样本*一行。"
            "图中是样本 0，*见*把多少权重给了填充？",
            "because": "掩码被当成 `(查询, 键)`，由两个样本共用，所以按它的行 1，*见*"
            "能看到三个键，"
            "而这里有两个是填充。",
            "wrong": [
                "掩码的行 0 要是只管样本 0，才会这样。",
                "三个分数相等时才是这样。",
            ],
        },
        "alike": {
            "text": "六个键完全相同。哪种评分会给它们不同的权重？",
            "options": ["点积", "加性评分", "都不会"],
            "because": "键相同，任何评分函数给出的分数都相同。"
            "这样的批量只能检验掩码和形状，检验不了评分。",
            "wrong": {
                0: "查询与每个键的点积都相等。",
                1: "网络对每个键的输入都相同。",
            },
        },
    },
}
