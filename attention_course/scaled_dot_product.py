"""Record the data, texts and questions of chapter 6's figures."""

from collections.abc import Mapping, Sequence
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
from attention_figures.question import Answer

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


def words(lang: Lang) -> SimpleNamespace:
    """Return texts and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").places
    ['面馆', '茶馆', '食堂']
    """
    return in_language(lang, RECORDS)


def _percent(
    text: Text,
    answer: Answer,
    because: Text,
    wrong: Sequence[tuple[float | Answer, Text]],
    right: Text | None = None,
    at: Mapping[str, Any] | None = None,
) -> NumberRecord:
    return NumberRecord(
        text,
        answer=answer,
        tolerance=4,
        because=because,
        wrong=wrong,
        right=right or Text("", ""),
        at=at or {},
        unit="%",
        slider=(0, 100, 1),
    )


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
    """Return the mean weight of a word on itself, in percent."""
    return 100 * figure.attention_weights[0].diagonal().mean()


def _own_at_first(figure: Any) -> Any:
    x = SENTENCE[..., :4].double()
    return 100 * torch.softmax(x @ x.mT / 2, dim=-1)[0].diagonal().mean()


def _what_falls(figure: Any) -> str:
    """Compare mean and median at d = 128 with those at d = 32; a fall is by a quarter or more."""
    then, now = (figure.stages()["mean_and_median"][0, :, figure.sizes.index(d)] for d in (32, 128))
    mean, median = (now < 0.75 * then).tolist()
    return {(True, True): "mean and median", (False, True): "median", (False, False): "neither"}[
        mean, median
    ]


def _found(figure: Any) -> Any:
    return figure.stages()["found"][0, figure.run, figure.step]


def _guests_score(figure: Any) -> Any:
    return figure.products[0, figure.query, figure.key]


def _on_padding(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 1, 1:].sum()


def _unequal_weights(figure: Any) -> str:
    """Return the score if its weights differ."""
    weights = figure.attention_weights
    return "none" if torch.allclose(weights, weights.mean(-1, keepdim=True)) else figure.score


RECORDS: dict[str, Record] = {
    "nouns": Translated(
        [
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
        [
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
    ),
    "places": Translated(["noodle bar", "tea house", "canteen"], ["面馆", "茶馆", "食堂"]),
    "wishes": Translated(["spicy", "quiet", "cheap", "near"], ["辣", "安静", "便宜", "近"]),
    "tonight": Translated(["tonight"], ["今晚"]),
    "company": Translated(["Ann", "Ben"], ["小安", "小兵"]),
    "tables": Translated(["soup", "tea", "lunch"], ["面馆", "茶馆", "食堂"]),
    "sentence": Translated(
        ["our", "cat", "sleeps", "all", "day", "near", "warm", "stoves"],
        ["老张", "家", "的", "花猫", "整天", "趴在", "炉子", "旁边"],
    ),
    "trophy": Translated(
        ["trophy", "fit", "suitcase", "too", "big"], ["奖杯", "放不进", "箱子", "太", "大"]
    ),
    "it": Translated(["it"], ["它"]),
    "capitals": Translated(
        ["Paris", "Cairo", "Lima", "Oslo", "Rome", "Tokyo", "Delhi", "Quito"],
        ["巴黎", "开罗", "利马", "奥斯陆", "罗马", "东京", "德里", "基多"],
    ),
    "countries": Translated(
        ["France", "Egypt", "Peru", "Norway", "Italy", "Japan", "India", "Ecuador"],
        ["法国", "埃及", "秘鲁", "挪威", "意大利", "日本", "印度", "厄瓜多尔"],
    ),
    "runs": Translated(["divided by √d", "not divided"], ["除以 √d", "不除"]),
    "thanks": Translated(
        {"names": ["Merci", "‹pad›", "‹pad›"], "query_names": ["Thank", "you"]},
        {"names": ["Goodbye", "‹填充›", "‹填充›"], "query_names": ["再", "见"]},
    ),
    "scaling": _percent(
        text=Text(
            "Nothing is learnt yet: query and words are random vectors of *d* numbers. "
            "With *d* = 128, what share of the weight goes to the word that gets most?",
            "这里什么都还没有学，查询和词都是由 `d` 个随机数组成的向量。"
            "`d` = 128 时，得到最多的那个词占去多少权重？",
        ),
        answer=_largest,
        because=Text(
            "Which word it is, is chance. Now divide by √d.",
            "至于是哪个词，全凭偶然。接着除以 √d 看看。",
        ),
        wrong=[
            (
                100 / 16,
                Text(
                    "Equal shares would want equal scores, and random scores differ.",
                    "分数相等时才会平分，而随机的分数有高有低。",
                ),
            ),
            (
                27,
                Text(
                    "So it is with the division. Nothing is divided here.",
                    "除以 √d 之后才是这样，这里还没有除。",
                ),
            ),
        ],
        at={"d": 128},
    ),
    "dinner": _percent(
        text=Text(
            "The largest number of all is the canteen's: it is *cheap*, 5. How much of the "
            "weight does it get tonight?",
            "表里最大的数是食堂的“便宜”，有 5。今晚食堂能得到多少权重？",
        ),
        answer=_of_the_last,
        because=Text(
            "*cheap* counts 0 tonight, so the 5 counts for nothing; the score is 0. Now "
            "move *cheap*.",
            "今晚“便宜”记作 0，所以这个 5 不起作用，食堂的分数是 0。接着调一调“便宜”。",
        ),
        wrong=[
            (
                100 / 3,
                Text(
                    "Three equal scores would give that, and they are not equal.",
                    "三个分数相等时才是这样，可它们并不相等。",
                ),
            ),
            (
                67,
                Text(
                    "That would be so if *cheap* alone counted, with a 1.",
                    "在乎价钱的时候才会这样。",
                ),
            ),
        ],
    ),
    "walk": NumberRecord(
        text=Text(
            "A dot product adds up *d* random terms, each of about the size 1. How far "
            "from 0 "
            "are the sums after 64 terms? (Take the root mean square.)",
            "点积是 `d` 个随机的项之和，每一项的大小约为 1。加到 64 项时，"
            "这些总和离 0 有多远？（取均方根）",
        ),
        answer=_root_mean_square,
        because=Text(
            "√64 = 8 is what theory says, and sixteen sums follow it roughly. Now divide.",
            "理论上是 √64 = 8，这里只有十六个总和，所以只是大致如此。接着除以 √d 看看。",
        ),
        wrong=[
            (
                0,
                Text(
                    "0 is their mean, but each of them strays from it.",
                    "0 是它们的均值，可是每一个总和都会偏离 0。",
                ),
            ),
            (
                64,
                Text(
                    "That takes 64 terms of one sign. These have both, and partly cancel.",
                    "64 项同号时才会这样。这里有正有负，抵消了一部分。",
                ),
            ),
        ],
        tolerance=4,
        slider=(0, 70, 1),
        at={"d": 64},
    ),
    "copies": _percent(
        text=Text(
            "Eight words, each a random vector, attend to one another: the keys *are* the "
            "queries, and scores are divided by √d. With *d* = 128, how much weight does a word "
            "give itself?",
            "八个词互相注意，每个词都是随机向量，键就是查询本身，分数已经除以 √d。"
            "`d` = 128 时，一个词平均把多少权重给自己？",
        ),
        answer=_own,
        because=Text(
            "Its score is ‖q‖²/√d, about √d = 11; the others' are about 1 in size. "
            "Query "
            "and key are not independent here.",
            "它对自己的分数是 ‖q‖²/√d，约为 √d = 11，对别的词只有 1 上下。这里的查询与键并不独立。",
        ),
        wrong=[
            (
                100 / 8,
                Text(
                    "√d tames the seven others. A word's product with itself is a sum of squares.",
                    "√d 管住的是另外七个词。词与自己的点积是平方和。",
                ),
            ),
            (
                _own_at_first,
                Text(
                    "That is with *d* = 4. A sum of squares grows with *d*, not with √d.",
                    "这是 `d` = 4 的情形。平方和随 `d` 增大，而不是随 √d。",
                ),
            ),
        ],
        at={"d": 128},
    ),
    "temperature": _percent(
        text=Text(
            "The trophy does not fit the suitcase, because *it* is too big. These are "
            "products of 64 numbers, and *trophy* takes all. At the temperature √64 = 8, what does "
            "*trophy* get?",
            "奖杯放不进箱子，因为“*它*”太大了。图中是 64 维向量的点积，"
            "“*奖杯*”占去全部权重。"
            "温度取 √64 = 8 时，“*奖杯*”得到多少？",
        ),
        answer=_of_the_first,
        because=Text(
            "Divided by 8, they are 3, 1, 2, 0.25 and 1.5. *trophy* still leads, but "
            "the others have some weight, too.",
            "除以 8 之后成了 3、1、2、0.25 和 1.5，“*奖杯*”仍然领先，但别的词也有了权重。",
        ),
        wrong=[
            (
                100,
                Text(
                    "That is at 1. At 8 the lead of 8 over *suitcase* is a lead of 1.",
                    "温度为 1 时才是这样。温度为 8 时，比“*箱子*”高出的 8 只剩下 1。",
                ),
            ),
            (
                _in_proportion,
                Text(
                    "That is its share of the scores. Softmax takes their exponentials.",
                    "这是它在分数里占的比例，而 softmax 取的是指数值。",
                ),
            ),
            (
                20,
                Text(
                    "All alike: that takes a far higher temperature.",
                    "温度要高得多，各个词才会一样。",
                ),
            ),
        ],
        at={"temperature": 8},
    ),
    "gradients": ChoiceRecord(
        text=Text(
            "“Without √d the gradient vanishes.” From *d* = 32 to 128, not divided: what "
            "falls by a quarter or more?",
            "常听人说“不除以 √d，梯度就会消失”。不缩放，让 `d` 从 32 增加到 128，"
            "哪个会减少四分之一以上？",
        ),
        options={
            "mean and median": Text("mean and median", "均值和中位数"),
            "median": Text("the median alone", "只有中位数"),
            "neither": Text("neither", "都不会"),
        },
        answer=_what_falls,
        because=Text(
            "The dashed line falls from 0.7 to 0.26. A few queries have two keys that "
            "are nearly tied, and their gradients are larger than ever: they hold the mean up.",
            "中位数从 0.7 降到了 0.26。少数查询有两个键的分数几乎相等，梯度比以前还大，"
            "所以均值没有变小。",
        ),
        wrong={
            "mean and median": Text(
                "The mean is that of all dots, the few at the top among them.",
                "请看最上面的几个点，均值就是它们撑起来的。",
            ),
            "neither": Text(
                "Half of the queries are at 0.26 or below now.",
                "有一半的查询，梯度只剩 0.26 或者更少。",
            ),
        },
        at={"d": 128},
    ),
    "training": NumberRecord(
        text=Text(
            "Divided by √d, 200 steps of training are enough for all eight. How many will "
            "have found their capital without the division?",
            "除以 √d 时，训练 200 步之后，八个国家都找到了自己的首都。不除的话，能找到几个？",
        ),
        answer=_found,
        because=Text(
            "*France* had Paris before the first step, by luck. Go through the "
            "steps, and "
            "look at the frames.",
            "*法国*在训练之前就碰巧对上了*巴黎*。接着拖动步数，看看带框的格子。",
        ),
        wrong=[
            (8, Text("So it is with the division.", "除以 √d 时才是这样。")),
            (0, Text("One had been lucky before anything was trained.", "并不是一个也没有。")),
        ],
        tolerance=0.2,
        slider=(0, 8, 1),
        at={"run": 1, "step": 12},
    ),
    "guests": NumberRecord(
        text=Text(
            "Ben is row 1 of the queries, lunch is key 2: which number stands in row 1, "
            "column 2 of `queries @ keys.T`?",
            "小兵是查询的行 1，食堂是键 2，`queries @ keys.T` 的行 1、列 2 是多少？",
        ),
        answer=_guests_score,
        because=Text(
            "0 · 1 + 0 · (−1) + 2 · 5 + 1 · 1 = 11. Six such products make the matrix.",
            "0 × 1 + 0 × (−1) + 2 × 5 + 1 × 1 = 11，整个矩阵就是六个这样的点积。",
        ),
        wrong=[
            (
                5,
                Text(
                    "That is the largest component of the key. Multiply, and add up.",
                    "这是键里最大的分量。要逐项相乘，再加起来。",
                ),
            ),
            (5.5, Text("That is the score, divided by √4 already.", "这是已经除以 √4 的分数。")),
            (
                10,
                Text(
                    "The last components, 1 and 1, count as well.",
                    "最后一个分量 1 × 1 也要算进去。",
                ),
            ),
        ],
        tolerance=0.2,
        at={"query": 1, "key": 2},
    ),
    "trap": _percent(
        text=Text(
            "Two examples, sentences of 1 and 3 words, have two queries each. Somebody "
            "passes a mask of shape `(2, 3)`, a row for each *example*. Here is example 0: what "
            "share of its weight does *you* spend on padding?",
            "两个样本分别是 1 个词和 3 个词的句子，各有两个查询。"
            "有人传入形状为 `(2, 3)` 的掩码，每个*样本*一行。"
            "图中是样本 0，*见*把多少权重给了填充？",
        ),
        answer=_on_padding,
        because=Text(
            "The mask is read as `(queries, keys)`, for both examples: row 1 of it lets "
            "*you* see three keys. Two of them are padding here.",
            "掩码被当成 `(查询, 键)`，由两个样本共用，所以按它的行 1，*见*"
            "能看到三个键，"
            "而这里有两个是填充。",
        ),
        wrong=[
            (
                0,
                Text(
                    "So it would be, if row 0 of the mask were for example 0.",
                    "掩码的行 0 要是只管样本 0，才会这样。",
                ),
            ),
            (200 / 3, Text("That would be three equal scores.", "三个分数相等时才是这样。")),
        ],
        at={"valid_lens": [[1, 3]]},
    ),
    "alike": ChoiceRecord(
        text=Text(
            "Six keys, all alike. Which score gives them different weights?",
            "六个键完全相同。哪种评分会给它们不同的权重？",
        ),
        options={
            "dot": Text("the dot product", "点积"),
            "additive": Text("the additive score", "加性评分"),
            "none": Text("neither", "都不会"),
        },
        answer=_unequal_weights,
        because=Text(
            "Equal keys get equal scores from any scoring function. Such a batch tests "
            "masks and shapes, and no score.",
            "键相同，任何评分函数给出的分数都相同。这样的批量只能检验掩码和形状，检验不了评分。",
        ),
        wrong={
            "dot": Text(
                "The query has the same product with each of them.", "查询与每个键的点积都相等。"
            ),
            "additive": Text(
                "Its network has the same input for each of them.", "网络对每个键的输入都相同。"
            ),
        },
        at={"score": "additive"},
    ),
}
