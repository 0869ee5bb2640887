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
TRAITS = Translated(["a person", "refers back"], ["指人", "指代前文"])
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
    "anybody": Translated("Anybody", "任何人"),
    "source": _SOURCE,
    "steps": Translated(["Bonjour", "le", "monde", "full stop"], ["Open", "the", "window", "句号"]),
    "shopping": Translated(_ENGLISH_SHOPPING.split(), _CHINESE_SHOPPING.split()),
    "unit": _UNIT,
    "mia": ChoiceRecord(
        text=Text(
            "The query of *her* asks for nothing yet, and every word gets a quarter. Let it ask "
            "for a person: strength 2. Which word gets most?",
            "“她”的查询现在什么也没有找，每个词各得四分之一。让查询去找人，"
            "“指人”的要紧程度取 2，哪个词得到的最多？",
        ),
        options=SENTENCE,
        answer=_found_word,
        because=Text(
            "The key of *Mia* has most of a person, 2.00, and its score, 2 × 2.00 = 4, is the "
            "highest.",
            "“小雨”的键在“指人”上最高，是 2.00，分数 2 × 2.00 = 4 也最高。",
        ),
        wrong={
            "lost": Text(
                "*lost* is a verb: the more a person counts, the lower its score.",
                "“丢了”是动词，“指人”越要紧，这个词的分数反而越低。",
            ),
            "her": Text(
                "*her* would get most if the query asked what refers back, where the key of *her* "
                "has 1.80.",
                "如果查询要找的是“指代前文”的词，得到最多的才是“她”，因为“她”的键在那一行有 1.80。",
            ),
            "key": Text(
                "*key* is a thing: the more a person counts, the lower its score.",
                "“钥匙”是东西，“指人”越要紧，这个词的分数反而越低。",
            ),
        },
        at={"queries": [[[2.0, 0.0]]]},
        kind=PlaceQuestion,
    ),
    "arrows": ChoiceRecord(
        text=Text(
            "With `W_q` upwards *her* finds *Mia*. Turn `W_q` half round, so that it points down. "
            "Which word does *her* find then?",
            "`W_q` 朝上时，“她”找到的是“小雨”。把 `W_q` 转半圈，让它朝下，“她”找到的会是哪个词？",
        ),
        options=SENTENCE,
        answer=_found_word,
        because=Text(
            "The query of *her* is negative now, and a score is query times key. So the word with "
            "the most negative key gets the highest score.",
            "“她”的查询变成了负数，而分数是查询乘以键，所以键最小的词（负得最多）分数最高。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* has the largest key. Times a negative query, the largest key gives the "
                "lowest score.",
                "“小雨”的键最大，乘上负的查询以后，分数反而最低。",
            ),
            "lost": Text(
                "The key of *lost* is negative, but not as far below 0 as another.",
                "“丢了”的键也是负数，但还有一个词的键更小。",
            ),
            "her": Text(
                "The key of *her* is positive, so its score with a negative query is below 0.",
                "“她”自己的键是正数，乘上负的查询，分数是负的。",
            ),
        },
        at={"W_q": -UP},
        kind=PlaceQuestion,
    ),
    "pooling": ChoiceRecord(
        text=Text(
            "The board has no entry for *Millbrook*. We average the minutes of the four towns, and "
            "nearer towns count more. What comes out for *Millbrook*?",
            "对四个镇的分钟数求平均，越近的镇分量越重，这样算出来，到*柳溪*是多少？",
        ),
        options={
            "nearest": Text("exactly 30, as for Northbridge", "恰好 30"),
            "between": Text("a number between 30 and 40", "30 与 40 之间"),
            "mean": Text("exactly 40, the mean of all four", "恰好 40"),
        },
        answer=_between,
        because=Text(
            "*Northbridge* (30) is nearest and counts most, but the other towns keep a share and "
            "pull the average up to 35.1.",
            "*北桥*（30）最近，分量最重；别的镇也占一份，把平均值拉高到 35.1。",
        ),
        wrong={
            "nearest": Text(
                "The minutes of *Northbridge* alone would come out if the other towns counted "
                "nothing.",
                "别的镇毫无分量，结果才会和*北桥*一样。",
            ),
            "mean": Text(
                "The plain mean would come out if all four towns were equally near.",
                "四个镇一样近，结果才会是普通的平均值。",
            ),
        },
    ),
    "value": ChoiceRecord(
        text=Text(
            "The train to *Southlake* is stuck: 90 minutes instead of 20. Which weights does that "
            "change?",
            "开往*南湖*的车堵在路上，要 90 分钟，而不是 20 分钟。哪些权重会变？",
        ),
        options={
            "that of Southlake": Text("only that of Southlake", "只有南湖的"),
            "all": Text("all four", "四个都变"),
            "none": Text("none of the four", "一个也不变"),
        },
        answer=_weights_that_changed,
        because=Text(
            "Weights come from the query and the keys, and a value only says what is averaged. The "
            "average grows by 0.014 · 70 = 1.0 minute. Now drag *Southlake* itself.",
            "权重由查询和键决定，值只说明拿什么来求平均。平均值因此多了 0.014 × 70 = 1.0 分钟。"
            "我们接着把*南湖*本身拖开看看。",
        ),
        wrong={
            "that of Southlake": Text(
                "The place of *Southlake* would have to move: a longer journey makes no town "
                "nearer or farther.",
                "*南湖*的位置变了，它的权重才会变，可是路上花的时间长了，位置并没有变。",
            ),
            "all": Text(
                "All four weights would change if a town moved, because the four share one sum.",
                "哪个镇换了地方，四个权重才会都变，因为四个指数值除以同一个总和。",
            ),
        },
        at={"values": [[[30.0], [50], [90], [60]]]},
    ),
    "nearest": ChoiceRecord(
        text=Text(
            "The query stands exactly on *Northbridge*: score 0, the highest there is. What does "
            "*Northbridge* weigh?",
            "查询就在*北桥*，分数是 0，这已是最高分。*北桥*的权重是多少？",
        ),
        options={
            "a quarter": Text("0.25", "0.25"),
            "nearly all": Text("0.96", "0.96"),
            "all": Text("1", "1"),
        },
        answer=_weight_of_the_nearest,
        because=Text(
            "No exponential is ever 0, and every key keeps a share. The average is therefore 30.88 "
            "and not 30.",
            "指数值不会是 0，每个键都占一份，平均值因此是 30.88，而不是 30。",
        ),
        wrong={
            "a quarter": Text(
                "Four equal scores would give a quarter each, but the other towns have lower "
                "scores.",
                "四个分数都相等，每个才是四分之一，可是别的镇分数更低。",
            ),
            "all": Text(
                "A dictionary would give the key that equals the query a weight of 1, and softmax "
                "gives no key a weight of 0.",
                "字典才会把权重 1 给与查询相等的键，而 softmax 不会让任何键的权重为 0。",
            ),
        },
        at={"query": 0},
    ),
    "glance": ChoiceRecord(
        text=Text(
            "*Westhill* flashes, five times as bright, and has five eighths of the attention. Now "
            "the traveller needs *Southlake*, which counts 2. Which line gets most?",
            "*西山*在闪烁，亮度是别处的五倍，占去了八分之五的注意力。现在旅客要找*南湖*，"
            "我们把这个目标的要紧程度取为 2。哪一行得到的最多？",
        ),
        options=named_options(_TOWNS),
        answer=_heaviest(_TOWNS),
        because=Text(
            "The goal gives *Southlake* a score of 2, which is more than any other line has. Every "
            "line still keeps a weight above 0.",
            "目标给*南湖*的分数是 2，比哪一行都高。不过，哪一行的权重都不是 0。",
        ),
        wrong={
            "Northbridge": Text(
                "*Northbridge* is neither bright nor wanted: its score is 0.",
                "*北桥*既不亮，也没有人要找，分数是 0。",
            ),
            "Eastport": Text(
                "*Eastport* is neither bright nor wanted: its score is 0.",
                "*东港*既不亮，也没有人要找，分数是 0。",
            ),
            "Westhill": Text(
                "*Westhill* would get most if the goal counted less than ln 5 = 1.61, the score "
                "that its brightness gives.",
                "*西山*靠亮度得到的分数是 ln 5 = 1.61，目标的分数比这个数低，*西山*得到的才最多。",
            ),
        },
        at={"queries": [[[2.0, 1.0]]]},
        kind=PlaceQuestion,
    ),
    "fixed": ChoiceRecord(
        text=Text(
            "No question is asked here: one fixed number says how much brightness counts. At which "
            "number does the figure compute the plain mean?",
            "这里没有人提问，亮度有多要紧，由事先定好的一个数来表示。这个数取多少时，"
            "图里算的就是普通的平均？",
        ),
        options={
            "0": Text("0", "0"),
            "0.5": Text("½", "½"),
            "1": Text("1", "1"),
            "none": Text("no number at all", "取什么数都不行"),
        },
        answer=_strength_of_the_mean,
        because=Text(
            "Times 0 all scores are equal, and equal scores give equal weights. The larger the "
            "number, the nearer the figure comes to the brightest line alone.",
            "乘以 0 之后，分数全都相等，权重也就相等。这个数取得越大，越接近只看最亮的一行。",
        ),
        wrong={
            "0.5": Text(
                "At ½ the brightest line still gets more than twice as much as any other.",
                "取 ½ 时，最亮的一行得到的仍然是别的行的两倍多。",
            ),
            "1": Text(
                "At 1 each line gets its share of the light, which is five eighths for one line.",
                "取 1 时，各行按亮度分得权重，有一行独占八分之五。",
            ),
            "none": Text(
                "No number would do if 0 were not allowed: every other number gives the brightest "
                "line another score than the rest.",
                "如果不许取 0，才没有这样的数，因为取别的数，最亮的一行分数总和别的行不同。",
            ),
        },
        at={"queries": [[[0.0]]]},
    ),
    "temperature": ChoiceRecord(
        text=Text(
            "*Halfway* is as near to *Northbridge*, 30 minutes, as to *Westhill*, 60. At "
            "temperature 0 the best key takes all. What does the look-up answer?",
            "*半路*到*北桥*（30 分钟）和到*西山*（60 分钟）一样近。温度为 0 时，"
            "全部权重归最匹配的键。这时查到的是多少？",
        ),
        options={
            "first": Text("30", "30"),
            "mean": Text("45", "45"),
            "last": Text("60", "60"),
        },
        answer=_minutes_of_the_nearest,
        because=Text(
            "Keys with equal scores get equal weights at any temperature, and here two keys are "
            "best. Now move the temperature up.",
            "不论温度是多少，分数相等的键权重也相等，而这里最匹配的键有两个。"
            "我们接着把温度调高看看。",
        ),
        wrong={
            "first": Text(
                "`argmax` would answer 30, because `argmax` takes the first of the best keys only.",
                "`argmax` 才会回答 30，因为 `argmax` 只取并列最大的第一个。",
            ),
            "last": Text(
                "*Westhill* alone would answer 60, but *Northbridge* fits just as well.",
                "只看*西山*，才会查到 60，可是*北桥*同样匹配。",
            ),
        },
        at={"temperature": 0},
    ),
    "hotter": ChoiceRecord(
        text=Text(
            "As the temperature rises from 1 to 5, what happens to the largest weight?",
            "温度从 1 升到 5，最大的权重怎样变化？",
        ),
        options={
            "larger": Text("a larger weight", "变大"),
            "same": Text("the same weight", "不变"),
            "smaller": Text("a smaller weight", "变小"),
        },
        answer=_change_of_the_largest,
        because=Text(
            "A higher temperature makes differences between scores count less, and all weights "
            "come nearer to a quarter.",
            "温度越高，分数之差的影响越小，各个权重就越接近四分之一。",
        ),
        wrong={
            "larger": Text(
                "A falling temperature would make the largest weight grow.",
                "温度降低，最大的权重才会变大。",
            ),
            "same": Text(
                "The two largest weights stay equal to each other, but both lose weight to the "
                "rest.",
                "两个最大的权重始终相等，可是都分了一些给别的镇。",
            ),
        },
        at={"temperature": 5.0},
    ),
    "far": ChoiceRecord(
        text=Text(
            "A query walks off the map, far from all four towns. What do its weights become?",
            "一个查询走出了地图，离四个镇都很远。它的权重会变成什么样？",
        ),
        options={
            "equal": Text("nearly equal weights", "几乎全都相等"),
            "one-hot": Text("nearly all for one town", "几乎全归一个镇"),
            "zero": Text("weights of nearly 0", "都接近 0"),
        },
        answer=_spread,
        because=Text(
            "Softmax sees only differences between scores, and far out these are large. "
            "*Eastport* is not near, only nearer than the others.",
            "softmax 只取决于分数之差，而到了远处，这些差反而很大。*东港*并不近，只是比别的镇近。",
        ),
        wrong={
            "equal": Text(
                "Equal weights need equal scores. Far out all scores are low, but not equal.",
                "分数相等，权重才会相等。到了远处，分数都很低，但并不相等。",
            ),
            "zero": Text(
                "Weights of a softmax sum to 1 wherever the query is, and cannot all be near 0.",
                "不论查询在哪里，softmax 的权重加起来总是 1，不可能都接近 0。",
            ),
        },
        at={"query": OUT.shape[1] - 1},
    ),
    "fits": ChoiceRecord(
        text=Text(
            "Far off the map no town is near. Which numbers in the figure say so?",
            "在地图外很远的地方，哪个镇都不近。图中的哪些数说明了这一点？",
        ),
        options={
            "weights": Text("the weights", "权重"),
            "scores": Text("the scores", "分数"),
            "neither": Text("neither of the two rows", "两行数都没有说明"),
        },
        answer=_what_tells_that_nothing_is_near,
        because=Text(
            "All four scores fall far below 0 on the way out. The weights sum to 1 as before, and "
            "the largest of them even grows.",
            "越往外走，四个分数都降到 0 以下很远，而权重加起来仍然是 1，最大的一个反而更大了。",
        ),
        wrong={
            "weights": Text(
                "The weights would say so if all of them could become small, but they always sum "
                "to 1.",
                "如果权重能全都变小，才说明得了，可是权重加起来总是 1。",
            ),
            "neither": Text(
                "The row of weights alone says nothing about it, but the figure shows the scores "
                "as well.",
                "只看权重那一行，确实看不出来，可是图里还有分数。",
            ),
        },
        at={"query": OUT.shape[1] - 1},
    ),
    "note": ChoiceRecord(
        text=Text(
            "A note of one number, the mean, is off by 9.75 minutes for a train on *Monday*. In *a "
            "snowstorm* each of the eight trains is 40 to 47 minutes late. How far off is one "
            "number then?",
            "*周一*只记一个平均值，每趟车平均要差 9.75 分钟。到了*大雪天*，"
            "八趟车都晚点 40 到 47 分钟。这时只记一个数，平均会差多少？",
        ),
        options={
            "larger": Text("more than 9.75 minutes", "比 9.75 分钟多"),
            "same": Text("9.75 minutes again", "还是 9.75 分钟"),
            "smaller": Text("less than 9.75 minutes", "比 9.75 分钟少"),
        },
        answer=_error_in_the_snow,
        because=Text(
            "All trains are late together, and the mean is near each of them: it is off by 2 "
            "minutes. Now go back to *Monday* and make the note longer.",
            "所有的车一起晚点，平均值离每一趟都不远，只差 2 分钟。"
            "我们再回到*周一*，把笔记加长看看。",
        ),
        wrong={
            "larger": Text(
                "Delays that are farther apart would make the error larger. Delays that are only "
                "longer do not.",
                "各趟车相差得更远，误差才会变大；只是都晚得更久，误差不会变大。",
            ),
            "same": Text(
                "The same error would need delays that are as far apart as on *Monday*.",
                "各趟车相差得和*周一*一样远，误差才会不变。",
            ),
        },
        at={"day": 2},
    ),
    "translation": ChoiceRecord(
        text=Text(
            "French needs an article where English has none. At which word does the step that "
            "writes *le* look most?",
            "英语在名词前面要用冠词，汉语里没有对应的词。写“*the*”这一步，看得最多的是哪个词？",
        ),
        options=named_options(_SOURCE),
        answer=_heaviest(_SOURCE),
        because=Text(
            "The noun decides between *le* and *la*. The query of this step is weaker than that of "
            "*monde*: 79% of the weight against 96%.",
            "用“*the*”还是“*a*”，取决于后面的名词是不是特指。这一步的查询不如写“*window*”时明确，"
            "所以权重是 79%，而不是 96%。",
        ),
        wrong=Translated(
            {
                "Hello": "*Hello* is what the step that writes *Bonjour* looks at; a greeting does "
                "not decide between *le* and *la*.",
                "full stop": "The full stop is what the last step looks at.",
            },
            {
                "Hello": "写“*Open*”那一步才看“*打开*”，动词决定不了用哪个冠词。",
                "full stop": "写到最后一步，才看句号。",
            },
        ),
        at={"query": 1},
        kind=PlaceQuestion,
    ),
    "recall": ChoiceRecord(
        text=Text(
            "The list grows from three words to ten, and the state stays one vector of 16 numbers. "
            "Which way of reading gives wrong words then?",
            "清单从三个词加长到十个词，状态却始终是由 16 个数组成的一个向量。"
            "这时，哪种读法会读出错的词？",
        ),
        options={
            "state": Text("only the fixed state", "只有固定状态会"),
            "selection": Text("only the selection", "只有选择会"),
            "both": Text("both ways", "两种都会"),
            "neither": Text("neither way", "两种都不会"),
        },
        answer=_makes_mistakes,
        because=Text(
            "Ten words of 16 numbers are 160 numbers, and the state holds 16 of them: every word "
            "is noise to the others. The selection keeps all 160.",
            "十个词，每个 16 个数，一共是 160 个数，而状态只有 16 个数，"
            "每个词对别的词来说都是噪声。选择则把 160 个数全都留着。",
        ),
        wrong={
            "selection": Text(
                "The selection would give a wrong word if two places had nearly the same signs.",
                "如果有两个位置的符号几乎一样，选择才会读错。",
            ),
            "both": Text(
                "The selection would make mistakes too if it kept less than every word.",
                "如果选择没有把每个词都留着，选择才会也读错。",
            ),
            "neither": Text(
                "Neither way fails on three words, because two words make little noise for the "
                "third.",
                "清单只有三个词时，噪声还小，两种读法才都不会错。",
            ),
        },
        at={"length": _LISTED},
    ),
}
