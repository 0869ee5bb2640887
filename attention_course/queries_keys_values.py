"""Record the data, names and questions of the figures in chapter 1."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_course import thread
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
    named_options,
)
from attention_figures import PlaceQuestion

# Before *her* asks for anything, and how old somebody is, by word: the others tell no age.
NOTHING = torch.zeros(1, 1, 2)
AGES = torch.tensor([[[9.0], [0.0], [0.0], [0.0]]])
# Three arrows, from which the words get queries, keys and values.
UP, RIGHT = torch.tensor([[0.0, 1.5]]), torch.tensor([[1.2, 0.0]])
ASLANT = torch.tensor([[0.5, 0.5]])
# The four towns of the map, and the minutes of a journey to each.
TOWNS = torch.tensor([[[0.0, 2.0], [2.0, 0.0], [0.0, -2.0], [-2.0, 0.0]]])
MINUTES = torch.tensor([[[30.0], [50.0], [20.0], [60.0]]])
PLACES = torch.tensor([[[0.0, 1.0], [-1.0, 1.0]]])  # Millbrook, and midway between two towns
NEAR = torch.tensor([[[0.0, 2.0], [0.0, 1.0], [-1.0, 1.0]]])  # on a town, near it, midway
OUT = torch.stack([torch.arange(0.0, 13, 2), torch.arange(0.0, 7)], dim=-1)[None]  # off the map
# Features of the lines of a station board: whether it is Southlake, and ln of its brightness.
_WANTED, _BRIGHTNESS = torch.tensor([0.0, 0, 1, 0]), torch.tensor([1.0, 1, 1, 5])
LINES = torch.stack([_WANTED, _BRIGHTNESS.log()], dim=-1)[None]
# Delays of eight trains in minutes: on two days whose pairs have equal means, and in a snowstorm.
LATE = torch.tensor(
    [
        [
            [4.0, 20.0, 31.0, 13.0, 1.0, 15.0, 38.0, 22.0],
            [20.0, 4.0, 13.0, 31.0, 15.0, 1.0, 22.0, 38.0],
            [41.0, 44.0, 46.0, 43.0, 40.0, 42.0, 47.0, 45.0],
        ]
    ]
)
# Three words of a source and four steps of writing: greeting or act, thing, end of the sentence.
SOURCE = torch.tensor([[[2.0, 0, 0], [0, 2, 0], [0, 0, 2]]])
STEPS = torch.tensor([[[2.0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 0, 2]]])
_LISTED, _KNOWN, _SIZE = 10, 24, 16
_DRAWS = torch.Generator().manual_seed(23)
WORD_VECTORS = F.normalize(torch.randn(1, _KNOWN, _SIZE, generator=_DRAWS), dim=-1).round(
    decimals=2
)
SIGNS = torch.randn(1, _LISTED, _SIZE, generator=_DRAWS).sign()


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").towns
    ['北桥', '东港', '南湖', '西山']
    """
    return in_language(lang, RECORDS)


def english(word: str) -> str:
    """Return the English name of a word of the sentence.

    >>> english("钥匙"), english("key")
    ('key', 'key')
    """
    names = {x: name for sentence in (SENTENCE.en, SENTENCE.zh) for name, x in sentence.items()}
    return names[word]


def _heaviest(names: Translated[list[str]]) -> Callable[[Any], str]:
    """Return a function that returns the name of the key with the largest weight."""
    return lambda figure: names.en[int(figure.attention_weights[0, 0].argmax())]


def _found_word(figure: Any) -> str:
    """Return the word of the sentence at which *her* looks most, by its English name."""
    by_selection = hasattr(figure, "names")
    weights = figure.attention_weights[0, 0 if by_selection else figure.query]
    names = figure.names if by_selection else figure.words
    return english(names[int(weights.argmax())])


def _makes_mistakes(figure: Any) -> str:
    """Return which of the two ways gives back a wrong word."""
    stages: dict[str, Tensor] = figure.stages()
    listed = torch.arange(stages["recalled"].shape[-1])
    state, selection = (bool((stages[x] != listed).any()) for x in ("recalled", "selected"))
    if state and selection:
        return "both"
    return "state" if state else "selection" if selection else "neither"


def _weights_that_changed(figure: Any) -> str:
    """Compare the weights with those of the map as the chapter has it."""
    squares = (TOWNS[0] - PLACES[0, 0]).double().square().sum(dim=-1)
    changed = ~torch.isclose(figure.attention_weights[0, 0], torch.softmax(-squares / 2, dim=0))
    return {0: "none", 1: "that of Southlake", 4: "all"}[int(changed.sum())]


def _weight_of_the_nearest(figure: Any) -> str:
    largest = float(figure.attention_weights.max())
    if largest == 1:
        return "all"
    return "nearly all" if largest > 0.5 else "a quarter"


def _change_of_the_largest(figure: Any) -> str:
    """Compare the largest weight with that at temperature 1."""
    now = figure.attention_weights.max()
    with figure._in_state({"temperature": 1.0}):
        before = figure.attention_weights.max()
    if torch.isclose(now, before):
        return "same"
    return "larger" if now > before else "smaller"


def _what_tells_that_nothing_is_near(figure: Any) -> str:
    """Return what has become lower on the way out: the largest weight, or the largest score."""
    now = figure.stages()
    with figure._in_state({"query": 0}):
        before = figure.stages()
    if now["attention_weights"].max() < before["attention_weights"].max():
        return "weights"
    return "scores" if now["scores"].max() < before["scores"].max() else "neither"


def _between(figure: Any) -> str:
    """Compare the output for the first query with the nearest town's value and with the mean."""
    output, mean = figure.output[0, 0, 0], figure.stages()["mean"][0, 0, 0]
    nearest = MINUTES[0, int(figure.attention_weights[0, 0].argmax()), 0]
    if torch.isclose(output, nearest.double()):
        return "nearest"
    if torch.isclose(output, mean):
        return "mean"
    return "between" if nearest < output < mean else "outside"


def _error_in_the_snow(figure: Any) -> str:
    """Compare the error of one number with that on Monday."""
    now = figure.stages()["error"].item()
    with figure._in_state({"day": 0}):
        before = figure.stages()["error"].item()
    return "smaller" if now < before else "larger" if now > before else "same"


def _strength_of_the_mean(figure: Any) -> str:
    """Return the strength of the brightness if the output is the mean of the values."""
    output, mean = figure.stages()["output"].squeeze(), torch.tensor(figure.values).mean()
    strength = figure.queries[0][0][0]
    return f"{strength:g}" if torch.isclose(output, mean.double()) else "none"


def _minutes_of_the_nearest(figure: Any) -> str:
    """Return whose minutes the output is: the first or last nearest town, or both towns."""
    output = float(figure.stages()["output"].squeeze())
    first, last = float(MINUTES[0, 0, 0]), float(MINUTES[0, 3, 0])
    answers = {"first": first, "mean": (first + last) / 2, "last": last}
    return min(answers, key=lambda name: abs(answers[name] - output))


def _spread(figure: Any) -> str:
    weights = figure.attention_weights[0, 0]
    if weights.sum() <= 0.5:
        return "zero"
    return "one-hot" if weights.max() > 0.9 else "equal"


# The words of the sentence by their English names: the Chinese word with the same vector.
_EN, _ZH = thread.words(lang="en"), thread.words(lang="zh")
_NAMES: dict[tuple[float, ...], str] = dict(
    zip(map(tuple, _EN.vectors[0].tolist()), _EN.sentence, strict=True)
)
SENTENCE: Translated[Mapping[str, str]] = Translated(
    {word: word for word in _EN.sentence},
    {
        _NAMES[tuple(vector)]: word
        for vector, word in zip(_ZH.vectors[0].tolist(), _ZH.sentence, strict=True)
    },
)
TRAITS = Translated(["a person", "referring back"], ["指人", "指代前文"])
_ENGLISH_SHOPPING = (
    "bread milk apples rice tea soap eggs salt honey cheese butter pears flour onions "
    "coffee carrots sugar oats lemons beans jam figs plums yeast"
)
_CHINESE_SHOPPING = (
    "面包 牛奶 苹果 大米 茶叶 肥皂 鸡蛋 盐 蜂蜜 豆腐 黄瓜 梨 面粉 洋葱 "
    "咖啡 胡萝卜 白糖 燕麦 柠檬 豆角 酱油 花生 李子 香菇"
)
_TOWNS = Translated(
    ["Northbridge", "Eastport", "Southlake", "Westhill"], ["北桥", "东港", "南湖", "西山"]
)
_SOURCE = Translated(["Hello", "world", "full stop"], ["打开", "窗户", "句号"])
_UNIT = Text("min", "分钟")

RECORDS: dict[str, Record] = {
    "towns": _TOWNS,
    "places": Translated(["Millbrook", "Halfway"], ["柳溪", "半路"]),
    "near": Translated(["Northbridge itself", "Millbrook", "Halfway"], ["北桥", "柳溪", "半路"]),
    "lines": Translated(
        [*_TOWNS.en, "Oldmill", "Highmoor", "Longsand", "Fairwood"],
        [*_TOWNS.zh, "古渡", "白塔", "长滩", "松林"],
    ),
    "days": Translated(["Monday", "Tuesday", "a snowstorm"], ["周一", "周二", "大雪天"]),
    "traits": TRAITS,
    "years": Text("years", "岁"),
    "wishes": Translated(["Southlake", "brightness"], ["南湖", "亮度"]),
    "traveller": Translated("The traveller", "旅客"),
    "anybody": Translated("Anybody", "所有人"),
    "source": _SOURCE,
    "steps": Translated(["Bonjour", "le", "monde", "full stop"], ["Open", "the", "window", "句号"]),
    "shopping": Translated(_ENGLISH_SHOPPING.split(), _CHINESE_SHOPPING.split()),
    "unit": _UNIT,
    "mia": ChoiceRecord(
        text=Text(
            "The query of *her* asks for nothing yet, so every word gets a quarter. Let it ask "
            "for a person, with strength 2. Which word gets the largest weight?",
            "现在“她”的查询是 0，四个词的权重都是四分之一。如果要找人，就把“指人”调到 2，"
            "这时哪个词的权重最大？",
        ),
        options=SENTENCE,
        answer=_found_word,
        because=Text(
            "The key of *Mia* has the largest number for *a person*, so *Mia* gets the highest "
            "score, 2 × 2.00 = 4.",
            "在“指人”这一维上，“小雨”的键最大，是 2.00，所以分数最高：2 × 2.00 = 4。",
        ),
        wrong={
            "lost": Text(
                "*lost* gets a negative score: *lost* is a verb, and its number for *a person* is "
                "below 0.",
                "“丢了”是动词，“指人”这一维是负数，所以分数也是负数。",
            ),
            "her": Text(
                "*her* gets the largest weight when the query asks for a word that refers back, "
                "but here it asks for a person.",
                "你找的是“指代前文”的词，但现在要找的是人。",
            ),
            "key": Text(
                "*key* gets a negative score: *key* is a thing, and its number for *a person* is "
                "below 0.",
                "“钥匙”是东西，不是人，“指人”这一维是负数，分数自然很低。",
            ),
        },
        at={"queries": [[[2.0, 0.0]]]},
        kind=PlaceQuestion,
    ),
    "arrows": ChoiceRecord(
        text=Text(
            "When `W_q` points up, *her* finds *Mia*. Now turn `W_q` until it points down. "
            "Which word does *her* find?",
            "箭头 `W_q` 朝上时，“她”找到的是“小雨”。把 `W_q` 转半圈，改成朝下，“她”会找到哪个词？",
        ),
        options=SENTENCE,
        answer=_found_word,
        because=Text(
            "The word *key* has the most negative key, so its score is now the highest.",
            "现在查询是负数，“钥匙”的键也是负数，而且最小，所以乘积最大，分数最高。",
        ),
        wrong={
            "Mia": Text(
                "*her* finds *Mia* when `W_q` points up. Now the largest key scores lowest.",
                "你想的还是 `W_q` 朝上的情况。现在查询变成了负数，“小雨”的键最大，分数反而最低。",
            ),
            "lost": Text(
                "*lost* comes second: its key is negative, but not the lowest.",
                "“丢了”的键确实是负数，但还有一个词的键更小，所以“丢了”只能排第二。",
            ),
            "her": Text(
                "*her* gets a score below 0: its key is positive, and the query negative.",
                "“她”的键是正数，乘以负的查询，分数就成了负数。",
            ),
        },
        at={"W_q": -UP},
        kind=PlaceQuestion,
    ),
    "pooling": ChoiceRecord(
        text=Text(
            "Nearer towns count more in the average for *Millbrook*. What is it?",
            "对四个镇的车程求加权平均，离*柳溪*越近，权重越大。结果是多少分钟？",
        ),
        options={
            "nearest": Text("exactly 30", "恰好 30"),
            "between": Text("between 30 and 40", "30 与 40 之间"),
            "mean": Text("exactly 40", "恰好 40"),
        },
        answer=_between,
        because=Text(
            "*Northbridge* (30) counts most, and the average is 35.1.",
            "*北桥*（30 分钟）权重最大，但另外三个镇把结果拉高到 35.1 分钟。",
        ),
        wrong={
            "nearest": Text(
                "Exactly 30 leaves out the other towns.",
                "你只算了*北桥*，别忘了另外三个镇也有权重。",
            ),
            "mean": Text(
                "Exactly 40 ignores that *Northbridge* is nearest.",
                "你把四个镇同等看待了，其实*北桥*离得最近。",
            ),
        },
    ),
    "value": ChoiceRecord(
        text=Text(
            "The train to *Southlake* is stuck: 90 minutes instead of 20. Which weights change?",
            "开往*南湖*的车堵在路上，车程从 20 分钟变成了 90 分钟。哪些权重会变？",
        ),
        options={
            "that of Southlake": Text("only Southlake's", "只有南湖的权重"),
            "all": Text("all four", "四个权重都变"),
            "none": Text("none", "四个权重都不变"),
        },
        answer=_weights_that_changed,
        because=Text(
            "Weights come from the query and the keys alone. Only the average grows, by 0.014 · "
            "70 ≈ 1.0 minute. Now drag *Southlake* itself.",
            "权重是由查询和键算出来的，与值无关。变的只是平均值，增加了 0.014 × 70 ≈ 1.0 分钟。"
            "请再拖动*南湖*看看。",
        ),
        wrong={
            "that of Southlake": Text(
                "The weight of *Southlake* depends on where the town lies, and a delay does "
                "not move the town.",
                "*南湖*的权重取决于位置，车程变长了，可是位置没有变。",
            ),
            "all": Text(
                "All four weights change when a town moves, but here only a value has changed.",
                "如果移动某个镇，四个权重都会变，但这里只改了一个值。",
            ),
        },
        at={"values": [[[30.0], [50], [90], [60]]]},
    ),
    "nearest": ChoiceRecord(
        text=Text(
            "The query lies exactly on *Northbridge*, so its score is 0, the highest possible. "
            "What is the town's weight?",
            "查询正好落在*北桥*上，*北桥*的分数是 0，不可能更高了。*北桥*的权重是多少？",
        ),
        options={
            "a quarter": Text("0.25", "0.25"),
            "nearly all": Text("0.96", "0.96"),
            "all": Text("1", "1"),
        },
        answer=_weight_of_the_nearest,
        because=Text(
            "*Northbridge* has by far the highest score, but no exponential is ever 0, so the "
            "other three towns keep 0.04.",
            "*北桥*的分数比其他镇高得多，但指数值总是大于 0，所以另外三个镇加起来还占 0.04。",
        ),
        wrong={
            "a quarter": Text(
                "0.25 is what four equal scores give, but the other three towns have lower scores.",
                "你把权重平分给四个镇了，可是另外三个镇的分数更低。",
            ),
            "all": Text(
                "1 is what a dictionary gives, but softmax gives the other keys some weight, too.",
                "如果是查字典，权重就是 1，但 softmax 总要给其他键分一些权重。",
            ),
        },
        at={"query": 0},
    ),
    "glance": ChoiceRecord(
        text=Text(
            "*Westhill*, of brightness 5, scores ln 5, and each other line ln 1 = 0. The "
            "traveller's goal, *Southlake*, scores 2 more. Which line gets the largest weight?",
            "*西山*那一行在闪烁，亮度是 5，得 ln 5 分；其他行的亮度是 1，得 ln 1 = 0 分。"
            "现在旅客要去*南湖*，南湖的系数是 2，这一行再加 2 分。哪一行的权重最大？",
        ),
        options=named_options(_TOWNS),
        answer=_heaviest(_TOWNS),
        because=Text(
            "The goal gives *Southlake* a score of 2, which is more than the 1.61 that *Westhill* "
            "gets for its brightness.",
            "*南湖*是旅客的目标，得 2 分，超过了*西山*靠亮度得到的 1.61 分。",
        ),
        wrong={
            "Northbridge": Text(
                "*Northbridge* is neither bright nor wanted, so its score is 0.",
                "*北桥*没有闪烁，旅客也不去那里，分数是 0。",
            ),
            "Eastport": Text(
                "*Eastport* is neither bright nor wanted, so its score is 0.",
                "*东港*没有闪烁，旅客也不去那里，分数是 0。",
            ),
            "Westhill": Text(
                "*Westhill* would win if its brightness, 5, were its score. The score is ln 5 = "
                "1.61, less than the strength of the goal.",
                "*西山*的亮度 5 虽然大于 2，可是计入分数的是 ln 5 = 1.61，比*南湖*得的 2 分少。",
            ),
        },
        at={"queries": [[[2.0, 1.0]]]},
        kind=PlaceQuestion,
    ),
    "fixed": ChoiceRecord(
        text=Text(
            "No question is asked here: one fixed number says how much brightness counts. With "
            "which number does the figure compute the plain mean?",
            "这里没有人提问，只用一个固定的数表示亮度有多重要。这个数取多少，结果正好是算术平均？",
        ),
        options={
            "0": Text("0", "0"),
            "0.5": Text("½", "½"),
            "1": Text("1", "1"),
            "none": Text("no number at all", "取什么数都不行"),
        },
        answer=_strength_of_the_mean,
        because=Text(
            "Multiplied by 0, all scores become 0; equal scores give equal weights, and equal "
            "weights give the plain mean.",
            "乘以 0 以后，所有分数都是 0，权重也就相等，结果正好是算术平均。",
        ),
        wrong={
            "0.5": Text(
                "½ is not small enough: the brightest line still gets more than twice as much as "
                "any other.",
                "½ 还不够小，最亮的一行权重仍然是其他行的两倍多。",
            ),
            "1": Text(
                "1 gives each line its share of the light, and the brightest line gets five "
                "eighths, not an equal share.",
                "取 1 就是按亮度分配权重，最亮的一行占了八分之五，不是平均分配。",
            ),
            "none": Text(
                "No number other than 0 will do, but 0 is allowed here.",
                "你忘了还可以取 0。",
            ),
        },
        at={"queries": [[[0.0]]]},
    ),
    "temperature": ChoiceRecord(
        text=Text(
            "*Halfway* is as near to *Northbridge*, 30 minutes, as to *Westhill*, 60. At "
            "temperature 0 the best key gets all the weight. What does the look-up answer?",
            "*半路*到*北桥*（30 分钟）和到*西山*（60 分钟）一样远。温度为 0 时，"
            "权重全部集中到最匹配的键上，结果是多少分钟？",
        ),
        options={
            "first": Text("30", "30"),
            "mean": Text("45", "45"),
            "last": Text("60", "60"),
        },
        answer=_minutes_of_the_nearest,
        because=Text(
            "Two keys fit best here, and equal scores get equal weights at any temperature: the "
            "mean of 30 and 60 is 45. Now turn the temperature up.",
            "最匹配的键有两个，分数相等，所以不管温度是多少，两个权重都相等，"
            "30 和 60 的平均值是 45。请再把温度调高看看。",
        ),
        wrong={
            "first": Text(
                "30 is what `argmax` answers, because `argmax` takes only the first of the best "
                "keys.",
                "你用的是 `argmax` 的办法：分数并列时，只取最前面的一个。",
            ),
            "last": Text(
                "60 is what *Westhill* alone gives, but *Northbridge* fits just as well.",
                "如果只有*西山*符合，结果就是 60，可是*北桥*也符合。",
            ),
        },
        at={"temperature": 0},
    ),
    "hotter": ChoiceRecord(
        text=Text(
            "Raise the temperature from 1 to 5. How large is the largest weight then?",
            "把温度从 1 升到 5，最大的权重有什么变化？",
        ),
        options={
            "larger": Text("larger than before", "变大"),
            "same": Text("the same as before", "不变"),
            "smaller": Text("smaller than before", "变小"),
        },
        answer=_change_of_the_largest,
        because=Text(
            "A higher temperature makes differences between scores count less, so the largest "
            "weights shrink towards a quarter.",
            "温度越高，分数之差的影响越小，所以最大的权重会变小，逐渐接近四分之一。",
        ),
        wrong={
            "larger": Text(
                "The largest weight grows when the temperature falls, not when it rises.",
                "你把升温当成降温了，降温才会让最大的权重变大。",
            ),
            "same": Text(
                "The largest weight stays the same only when all four weights are equal, but "
                "here two towns have nearly half each.",
                "如果四个权重本来就相等，升温也不会变，但这里有两个镇各占近一半。",
            ),
        },
        at={"temperature": 5.0},
    ),
    "far": ChoiceRecord(
        text=Text(
            "A query walks off the map, far from all four towns. What do its weights become?",
            "把查询移到地图外面，离四个镇都很远。这时权重是怎样分布的？",
        ),
        options={
            "equal": Text("nearly equal weights", "四个权重几乎相等"),
            "one-hot": Text("nearly all the weight for one town", "几乎全部集中在一个镇"),
            "zero": Text("weights of nearly 0", "都接近 0"),
        },
        answer=_spread,
        because=Text(
            "Softmax sees only the differences between scores, and far out these are large. "
            "*Eastport* is not near, only nearer than the other towns.",
            "softmax 只取决于分数之差，离得越远，分数相差越大。*东港*其实也很远，"
            "但只要比其他镇近一些，就能得到几乎全部权重。",
        ),
        wrong={
            "equal": Text(
                "Nearly equal weights come from nearly equal scores, but out there the scores "
                "lie far apart.",
                "如果分数差不多，权重也会差不多，可是离得很远时，分数相差很大。",
            ),
            "zero": Text(
                "Weights of nearly 0 are impossible, because the weights of a softmax sum to 1.",
                "softmax 的权重之和总是 1，所以四个权重不可能都接近 0。",
            ),
        },
        at={"query": OUT.shape[1] - 1},
    ),
    "fits": ChoiceRecord(
        text=Text(
            "Move the query far off the map, where no town is near. Which numbers in the figure "
            "say so?",
            "把查询移到离哪个镇都很远的地方。从图中的哪些数可以看出它很远？",
        ),
        options={
            "weights": Text("the weights", "权重"),
            "scores": Text("the scores", "分数"),
            "neither": Text("neither the weights nor the scores", "从权重和分数都看不出"),
        },
        answer=_what_tells_that_nothing_is_near,
        because=Text(
            "All four scores fall far below 0 on the way out, because each score says how near "
            "its town is.",
            "分数是由距离算出来的，越往外走，四个分数越低，最后都远远小于 0。",
        ),
        wrong={
            "weights": Text(
                "The weights always sum to 1, so all four cannot become small together.",
                "四个权重加起来总是 1，不可能同时变小，所以从权重看不出查询离得很远。",
            ),
            "neither": Text(
                "The weights do not say so, but the figure shows the scores as well.",
                "从权重确实看不出来，但别忘了图中还有分数。",
            ),
        },
        at={"query": OUT.shape[1] - 1},
    ),
    "note": ChoiceRecord(
        text=Text(
            "On *Monday* a note of one number, the mean, is off by 9.75 minutes per train. In *a "
            "snowstorm* each of the eight trains is 40 to 47 minutes late. How far off is the "
            "mean there?",
            "*周一*如果只记一个平均值，每趟车平均要差 9.75 分钟。到了*大雪天*，"
            "八趟车都晚点 40 到 47 分钟，如果还是只记平均值，每趟车平均差多少？",
        ),
        options={
            "larger": Text("more than 9.75 minutes", "超过 9.75 分钟"),
            "same": Text("9.75 minutes again", "仍是 9.75 分钟"),
            "smaller": Text("less than 9.75 minutes", "不到 9.75 分钟"),
        },
        answer=_error_in_the_snow,
        because=Text(
            "The eight trains are late together, so the mean of their delays is off by only 2 "
            "minutes. Now go back to *Monday* and make the note longer.",
            "八趟车晚点的时间差不多，所以只记平均值的话，平均只差 2 分钟。"
            "请回到*周一*，把笔记加长看看。",
        ),
        wrong={
            "larger": Text(
                "In the snowstorm the delays are longer, but they do not lie farther apart.",
                "大雪天晚点的时间确实更长，但八趟车之间相差不大。",
            ),
            "same": Text(
                "9.75 minutes is the error on *Monday*, when the delays lie much farther apart.",
                "你把*周一*的误差当成了大雪天的，*周一*各趟车的晚点时间相差大得多。",
            ),
        },
        at={"day": 2},
    ),
    "translation": ChoiceRecord(
        text=Text(
            "French needs an article where English has none. Which word does the step that writes "
            "*le* look at most?",
            "英语的名词前面常常要加冠词，汉语里没有冠词。生成“*the*”时，哪个词的权重最大？",
        ),
        options=named_options(_SOURCE),
        answer=_heaviest(_SOURCE),
        because=Text(
            "The noun *world* decides between *le* and *la*, so the step that writes *le* gives "
            "*world* 79% of its weight.",
            "用“*the*”还是“*a*”，要看“*窗户*”是不是特指，所以生成“*the*”时，"
            "“*窗户*”的权重占了 79%。",
        ),
        wrong=Translated(
            {
                "Hello": "*Hello* is what the step that writes *Bonjour* looks at, but a greeting "
                "cannot decide between *le* and *la*.",
                "full stop": "The full stop is what the last step looks at, but *le* is not "
                "written in the last step.",
            },
            {
                "Hello": "动词“*打开*”决定不了用哪个冠词，生成“*Open*”时才用得到它。",
                "full stop": "到最后一步才会关注句号，生成“*the*”时还没到那一步。",
            },
        ),
        at={"query": 1},
        kind=PlaceQuestion,
    ),
    "recall": ChoiceRecord(
        text=Text(
            "The list grows from three words to ten, but the state stays one vector of 16 "
            "numbers. Which way of reading now gives wrong words?",
            "清单从三个词加长到十个词，固定状态还是一个由 16 个数组成的向量。哪种方法会读错？",
        ),
        options={
            "state": Text("only the fixed state", "只有固定状态会"),
            "selection": Text("only the selection", "只有选择会"),
            "both": Text("both ways", "两种都会"),
            "neither": Text("neither way", "两种都不会"),
        },
        answer=_makes_mistakes,
        because=Text(
            "The state has only 16 numbers for the 160 numbers of ten words, so each word is "
            "noise to the others. The selection keeps all 160.",
            "十个词一共有 160 个数，固定状态只有 16 个数，词与词互相干扰，所以会读错。"
            "选择则把 160 个数全部保留了下来。",
        ),
        wrong={
            "selection": Text(
                "The selection gives a wrong word only if two places have nearly the same "
                "signs, and here no two places do.",
                "如果有两个位置的符号几乎一样，选择也会读错，但这里没有这种情况。",
            ),
            "both": Text(
                "Only the state mixes the words; the selection stores each word by itself.",
                "固定状态会把词混在一起，选择则把每个词分开存放，不会读错。",
            ),
            "neither": Text(
                "Neither way fails on three words, but ten words make too much noise in the state.",
                "三个词的时候确实都不会读错，可是加到十个词，固定状态里的噪声就太大了。",
            ),
        },
        at={"length": _LISTED},
    ),
}
