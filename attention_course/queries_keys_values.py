"""Record the data, names and questions of the figures in chapter 1."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F

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
from attention_figures import PlaceQuestion

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


def _heaviest(names: Translated[list[str]]) -> Callable[[Any], str]:
    """Return a function that returns the name of the key with the largest weight."""
    return lambda figure: names.en[int(figure.attention_weights[0, 0].argmax())]


def _recalled(figure: Any) -> int:
    """Count the words of the whole list that the state gives back."""
    found = figure.stages()["recalled"][0, 0]
    return int((found == torch.arange(len(found))).sum())


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
    "wishes": Translated(["Southlake", "brightness"], ["南湖", "亮度"]),
    "traveller": Translated("The traveller", "旅客"),
    "anybody": Translated("Anybody", "任何人"),
    "source": _SOURCE,
    "steps": Translated(["Bonjour", "le", "monde", "full stop"], ["Open", "the", "window", "句号"]),
    "shopping": Translated(_ENGLISH_SHOPPING.split(), _CHINESE_SHOPPING.split()),
    "unit": _UNIT,
    "pooling": NumberRecord(
        text=Text(
            "Near towns count for more. How many minutes does the average give *Millbrook*?",
            "离得越近的镇，分量越重。这样平均下来，到*柳溪*是多少分钟？",
        ),
        answer=lambda figure: figure.output[0, 0, 0],
        tolerance=1.5,
        because=Text(
            "*Northbridge* is nearest and weighs most, but no weight is 0.",
            "*北桥*最近，权重最大，可是哪个权重也不是 0。",
        ),
        wrong=[
            (
                30,
                Text(
                    "That is the nearest town alone. The others have a share too.",
                    "这只是最近的镇的车程，别的镇也要占一份。",
                ),
            ),
            (
                lambda figure: figure.stages()["mean"],
                Text(
                    "That is the plain mean: all equally near.",
                    "这是普通的平均值，好像四镇一样近。",
                ),
            ),
        ],
        right=Text("Well judged.", "估得真准。"),
        unit=_UNIT,
        slider=(20, 60, 1),
    ),
    "note": NumberRecord(
        text=Text(
            "Eight trains are late. Whoever notes one number, their mean, is off by 9.75 minutes "
            "on average. How far off is a note of four numbers, a mean for each pair?",
            "八趟车都晚点了。如果我们只记一个数，也就是八趟车的平均值，凭这个数来回答，"
            "平均要差 9.75 分钟。如果改记四个数，相邻的两趟车记一个平均值，平均会差多少？",
        ),
        answer=lambda figure: figure.stages()["error"],
        tolerance=0.6,
        because=Text(
            "Half the numbers are there, and most of the error too: what two trains differ by is "
            "lost. Now choose *Tuesday*.",
            "记下的数有八个的一半，误差却还剩大半，因为每一对里两趟车相差多少，笔记里没有。"
            "我们接着选“周二”看看。",
        ),
        wrong=[
            (
                0,
                Text(
                    "That takes eight numbers. Each mean still stands for two trains.",
                    "要想一点不差，就得记八个数，而现在每个平均值要代表两趟车。",
                ),
            ),
            (
                4.9,
                Text(
                    "Half of the eight numbers is not half of the error: each mean hides a "
                    "difference.",
                    "数虽然多了，误差并没有减半，因为每个平均值都抹去了两趟车的差别。",
                ),
            ),
            (
                9.75,
                Text(
                    "The pairs do tell something: their means differ.",
                    "四个数毕竟多说明了一些情况，因为各对的平均值并不相同。",
                ),
            ),
        ],
        at={"size": 4},
        unit=_UNIT,
        decimals=1,
        slider=(0, 12, 0.5),
    ),
    "glance": ChoiceRecord(
        text=Text(
            "*Westhill* flashes, five times as bright, and has five eighths of the attention. Now "
            "the traveller wants *Southlake*, which counts 2. Which line gets most?",
            "*西山*在闪烁，亮度是别处的五倍，占去了八分之五的注意力。现在旅客要找*南湖*，"
            "我们把这个目标的要紧程度取为 2。哪一行得到的最多？",
        ),
        options=named_options(_TOWNS),
        answer=_heaviest(_TOWNS),
        because=Text(
            "Brightness gives *Westhill* a score of ln 5 = 1.61, and the goal gives *Southlake* "
            "2. Both remain in play: no weight is 0.",
            "亮度给*西山*的分数是 ln 5 = 1.61，目标给*南湖*的分数是 2。不过，"
            "哪一行的权重都不是 0。",
        ),
        wrong={
            **dict.fromkeys(
                ["Northbridge", "Eastport"],
                Text("It is neither bright nor wanted.", "这一行既不亮，也没有人要找。"),
            ),
            "Westhill": Text(
                "Its score is ln 5 = 1.61, and 2 is more.", "这一行的分数是 ln 5 = 1.61，比 2 小。"
            ),
        },
        at={"queries": [[[2.0, 1.0]]]},
        kind=PlaceQuestion,
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
            "none": Text("none", "都不变"),
        },
        answer=_weights_that_changed,
        because=Text(
            "Weights come from the query and the keys. The value only says what is averaged: "
            "0.014 · 70 = 1.0 minute more. Now drag *Southlake* itself.",
            "权重由查询和键决定，值只说明拿什么来平均，所以结果只多了 0.014 × 70 = 1.0 分钟。"
            "我们接着把*南湖*本身拖开看看。",
        ),
        wrong={
            "that of Southlake": Text(
                "A longer journey makes the town no nearer and no farther.",
                "路上花的时间长了，南湖的位置却没有变。",
            ),
            "all": Text(
                "All four would change if the town moved, for they share one sum.",
                "要是南湖换了地方，四个权重才会都变，因为四个指数值除以同一个总和。",
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
            "No exponential is ever 0, so every key keeps a share. That is why the answer is "
            "30.88 and not 30.",
            "指数值不会是 0，所以每个键都占一份，结果是 30.88，而不是 30。",
        ),
        wrong={
            "a quarter": Text(
                "That is what four equal scores would give.", "四个分数都相等时才是这样。"
            ),
            "all": Text(
                "A dictionary would say so. Softmax gives no key a weight of 0.",
                "字典会这样回答，softmax 却不会让任何键的权重为 0。",
            ),
        },
        at={"query": 0},
    ),
    "fixed": ChoiceRecord(
        text=Text(
            "Nobody is looking for anything here; how much brightness counts is set once and for "
            "all. With which number is this plain mean pooling?",
            "这里没有人在找什么，亮度有多要紧，由事先定好的一个数来表示。这个数取多少时，"
            "结果就是普通的平均汇聚？",
        ),
        options={
            "0": Text("0", "0"),
            "0.5": Text("½", "½"),
            "1": Text("1", "1"),
            "none": Text("with none", "哪个都不行"),
        },
        answer=_strength_of_the_mean,
        because=Text(
            "Times 0, all scores are equal, and equal scores share alike. With 1 each line gets "
            "its share of the light; the more, the nearer to the brightest alone.",
            "乘以 0 之后分数全都相等，权重也就相等。取 1 时，各行按亮度分得权重；取得越大，"
            "越接近只看最亮的一行。",
        ),
        wrong={
            "0.5": Text(
                "The brightest line would still get more than twice as much as any other.",
                "这时最亮的一行得到的，仍然是别的行的两倍多。",
            ),
            "1": Text(
                "Those are the shares of the light: five eighths for one line.",
                "这是按亮度分配，有一行独占八分之五。",
            ),
            "none": Text(
                "There is one that makes all scores equal.", "有一个数能让所有的分数都相等。"
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
            "Keys with equal scores get equal weights at any temperature. Now move the "
            "temperature up to 1000.",
            "不论温度是多少，分数相等的键权重也相等。我们接着把温度调到 1000 看看。",
        ),
        wrong={
            "first": Text(
                "That is what `argmax` would take, the first of the best.",
                "`argmax` 会这样做，只取最大值里的第一个。",
            ),
            "last": Text("*Northbridge* fits just as well.", "*北桥*同样匹配。"),
        },
        at={"temperature": 0},
    ),
    "far": ChoiceRecord(
        text=Text(
            "A query walks off the map, far from all four towns. What do its weights become?",
            "一个查询走出了地图，离四个镇都很远。它的权重会变成什么样？",
        ),
        options={
            "equal": Text("all alike, as nothing fits", "越来越平均，因为没有一个键匹配"),
            "one-hot": Text("all for one town", "全归一个镇"),
            "zero": Text("all nearly 0", "都接近 0"),
        },
        answer=_spread,
        because=Text(
            "Softmax sees only differences between scores, and far out these are large. "
            "*Eastport* is not near, only nearer than the others.",
            "softmax 只取决于分数之差，而到了远处，这些差反而很大。*东港*并不近，只是比别的镇近。",
        ),
        wrong={
            "equal": Text("All scores are low, but not alike.", "分数都很低，但并不相等。"),
            "zero": Text(
                "They sum to 1, wherever the query is.", "不论查询在哪里，权重加起来总是 1。"
            ),
        },
        at={"query": OUT.shape[1] - 1},
    ),
    "translation": ChoiceRecord(
        text=Text(
            "French wants an article where English has none. Where does the step that writes *le* "
            "look most?",
            "英语在名词前面要用冠词，汉语里没有对应的词。写“*the*”这一步，看得最多的是哪个词？",
        ),
        options=named_options(_SOURCE),
        answer=_heaviest(_SOURCE),
        because=Text(
            "The noun decides between *le* and *la*. This query asks less firmly than that of "
            "*monde*: 79% against 96%.",
            "用“*the*”还是“*a*”，取决于后面的名词是不是特指。这一步的查询不如写“*window*”时明确，"
            "所以权重是 79%，而不是 96%。",
        ),
        wrong={
            "Hello": Text(
                "The greeting knows nothing of *le* or *la*.", "动词决定不了用哪个冠词。"
            ),
            "full stop": Text("The full stop is for the last step.", "句号要到最后一步才看。"),
        },
        at={"query": 1},
        kind=PlaceQuestion,
    ),
    "recall": NumberRecord(
        text=Text(
            "The list grows to ten words; the state stays one vector of 16 numbers. How many "
            "words will come back right?",
            "清单加长到十个词，状态却始终是由 16 个数组成的一个向量。这时能读对几个词？",
        ),
        answer=_recalled,
        tolerance=0.5,
        because=Text(
            "Each word that comes in is noise to the others. Which word is read instead is chance.",
            "每多记一个词，对别的词来说就多一份噪声。至于错读成哪个词，全凭偶然。",
        ),
        wrong=[
            (
                _LISTED,
                Text(
                    "Ten words of 16 numbers each are 160 numbers, and there is room for 16.",
                    "十个词，每个 16 个数，一共是 160 个数，状态却只装得下 16 个。",
                ),
            ),
        ],
        at={"length": _LISTED},
        slider=(0, _LISTED, 1),
    ),
}
