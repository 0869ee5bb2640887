"""Chapter 1: the boards, maps and lists of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F

from attention_course.asking import choice
from attention_figures import Number, Place, Question

Lang = Literal["en", "zh"]

# The map: four towns, and how many minutes a journey there takes.
TOWNS = torch.tensor([[[0.0, 2.0], [2.0, 0.0], [0.0, -2.0], [-2.0, 0.0]]])
MINUTES = torch.tensor([[[30.0], [50.0], [20.0], [60.0]]])
PLACES = torch.tensor([[[0.0, 1.0], [-1.0, 1.0]]])  # Millbrook, and midway between two towns
NEAR = torch.tensor([[[0.0, 2.0], [0.0, 1.0], [-1.0, 1.0]]])  # on a town, near it, midway
OUT = torch.stack([torch.arange(0.0, 13, 2), torch.arange(0.0, 7)], dim=-1)[None]  # off the map
# What a line shows of itself to each of a traveller's wishes: is it Southlake, how bright is it?
_WANTED, _BRIGHTNESS = torch.tensor([0.0, 0, 1, 0]), torch.tensor([1.0, 1, 1, 5])
LINES = torch.stack([_WANTED, _BRIGHTNESS.log()], dim=-1)[None]
# How late eight trains are: on two days whose pairs have equal means, and in a snowstorm.
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


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    towns: list[str]  # four
    places: list[str]  # of `PLACES`, two
    near: list[str]  # of `NEAR`, three
    lines: list[str]  # eight
    days: list[str]  # three
    wishes: list[str]  # of `LINES`, two
    traveller: str
    anybody: str
    source: list[str]  # three
    steps: list[str]  # four
    shopping: list[str]  # 24, of which the first ten are the list
    unit: str
    pooling: Question
    note: Question
    glance: Question
    value: Question
    nearest: Question
    fixed: Question
    temperature: Question
    far: Question
    translation: Question
    recall: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").towns
    ['北桥', '东港', '南湖', '西山']
    """
    say = _SAY[lang]
    return Words(
        **{name: say[name] for name in _NAMES},
        pooling=_pooled(say),
        note=_minutes(say["note"], say["unit"]),
        glance=_place(say["glance"], say["towns"], queries=[[[2.0, 1.0]]]),
        value=choice(say["value"], _weights_that_changed, values=[[[30.0], [50], [90], [60]]]),
        nearest=choice(say["nearest"], _share_of_the_nearest, query=0),
        fixed=choice(say["fixed"], _strength_of_the_mean, queries=[[[0.0]]]),
        temperature=choice(say["temperature"], _whose_minutes, temperature=0),
        far=choice(say["far"], _how_spread, query=OUT.shape[1] - 1),
        translation=_place(say["translation"], say["source"], query=1),
        recall=_count(say["recall"]),
    )


_NAMES = (
    *("towns", "places", "near", "lines", "days", "wishes", "traveller", "anybody", "source"),
    *("steps", "shopping", "unit"),
)


def _pooled(say: dict[str, Any]) -> Number:
    nearest, mean = say["pooling"]["wrong"]
    return Number(
        say["pooling"]["text"],
        answer=lambda figure: figure.output[0, 0, 0],
        because=say["pooling"]["because"],
        right=say["pooling"]["right"],
        wrong=[(30, nearest), (lambda figure: figure.stages()["mean"], mean)],
        tolerance=1.5,
        unit=say["unit"],
        slider=(20, 60, 1),
    )


def _minutes(say: dict[str, Any], unit: str) -> Number:
    """Ask how far off a note of four numbers is."""
    return Number(
        say["text"],
        answer=lambda figure: figure.stages()["error"],
        because=say["because"],
        at={"size": 4},
        tolerance=0.6,
        wrong=list(zip((0, 4.9, 9.75), say["wrong"], strict=True)),
        unit=unit,
        decimals=1,
        slider=(0, 12, 0.5),
    )


def _count(say: dict[str, Any]) -> Number:
    """Ask how many words of the whole list the state gives back."""
    return Number(
        say["text"],
        answer=_recalled,
        because=say["because"],
        at={"length": _LISTED},
        tolerance=0.5,
        wrong=list(zip((_LISTED,), say["wrong"], strict=True)),
        slider=(0, _LISTED, 1),
    )


def _place(say: dict[str, Any], options: list[str], **at: Any) -> Place:
    """Ask which key has the largest weight."""
    return Place(
        say["text"],
        options=options,
        answer=lambda figure: figure.attention_weights[0, 0].argmax(),
        because=say["because"],
        at=at,
        wrong=say["wrong"],
    )


def _recalled(figure: Any) -> int:
    found = figure.stages()["recalled"][0, 0]
    return int((found == torch.arange(len(found))).sum())


def _weights_that_changed(figure: Any) -> int:
    """0: one; 1: all four; 2: none. Against those of the map as the chapter has it."""
    squares = (TOWNS[0] - PLACES[0, 0]).double().square().sum(dim=-1)
    changed = ~torch.isclose(figure.attention_weights[0, 0], torch.softmax(-squares / 2, dim=0))
    return {1: 0, 4: 1, 0: 2}[int(changed.sum())]


def _share_of_the_nearest(figure: Any) -> int:
    """0: a quarter; 1: nearly all; 2: all."""
    largest = float(figure.attention_weights.max())
    return 2 if largest == 1 else int(largest > 0.5)


def _strength_of_the_mean(figure: Any) -> int:
    """0, 1 or 2: with strength 0, ½ or 1 the output is the mean of the values; 3: it is not."""
    output, mean = figure.stages()["output"].squeeze(), torch.tensor(figure.values).mean()
    strength = figure.queries[0][0][0]
    return [0, 0.5, 1].index(strength) if torch.isclose(output, mean.double()) else 3


def _whose_minutes(figure: Any) -> int:
    """0: the first of the nearest towns; 1: all of them alike; 2: the last."""
    output = figure.stages()["output"]
    first, last = MINUTES[0, 0, 0].double(), MINUTES[0, 3, 0].double()
    answers = torch.stack([first, (first + last) / 2, last])
    return int((answers - output.flatten()).abs().argmin())


def _how_spread(figure: Any) -> int:
    """0: the weights are nearly equal; 1: one has nearly all; 2: all are nearly 0."""
    weights = figure.attention_weights[0, 0]
    return int(weights.max() > 0.9) if weights.sum() > 0.5 else 2


_ENGLISH_SHOPPING = (
    "bread milk apples rice tea soap eggs salt honey cheese butter pears flour onions "
    "coffee carrots sugar oats lemons beans jam figs plums yeast"
)
_CHINESE_SHOPPING = (
    "面包 牛奶 苹果 大米 茶叶 肥皂 鸡蛋 盐 蜂蜜 豆腐 黄瓜 梨 面粉 洋葱 "
    "咖啡 胡萝卜 白糖 燕麦 柠檬 豆角 酱油 花生 李子 香菇"
)
_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "towns": ["Northbridge", "Eastport", "Southlake", "Westhill"],
        "places": ["Millbrook", "Halfway"],
        "near": ["Northbridge itself", "Millbrook", "Halfway"],
        "lines": [
            *("Northbridge", "Eastport", "Southlake", "Westhill"),
            *("Oldmill", "Highmoor", "Longsand", "Fairwood"),
        ],
        "days": ["Monday", "Tuesday", "a snowstorm"],
        "wishes": ["Southlake", "brightness"],
        "traveller": "The traveller",
        "anybody": "Anybody",
        "source": ["Hello", "world", "full stop"],
        "steps": ["Bonjour", "le", "monde", "full stop"],
        "shopping": _ENGLISH_SHOPPING.split(),
        "unit": "min",
        "pooling": {
            "text": "Near towns count for more. How many minutes does the average give "
            "*Millbrook*?",
            "because": "*Northbridge* is nearest and weighs most, but no weight is 0.",
            "right": "Well judged.",
            "wrong": [
                "That is the nearest town alone. The others have a share too.",
                "That is the plain mean: all equally near.",
            ],
        },
        "note": {
            "text": "Eight trains are late. Whoever notes one number, their mean, is off by 9.75 "
            "minutes on average. How far off is a note of four numbers, a mean for each pair?",
            "because": "Half the numbers are there, and most of the error too: what two trains "
            "differ by is lost. Now choose *Tuesday*.",
            "wrong": [
                "That takes eight numbers. Each mean still stands for two trains.",
                "Half of the eight numbers is not half of the error: each mean hides a difference.",
                "The pairs do tell something: their means differ.",
            ],
        },
        "glance": {
            "text": "*Westhill* flashes, five times as bright, and has five eighths of the "
            "attention. Now the traveller wants *Southlake*, which counts 2. Which line gets most?",
            "because": "Brightness gives *Westhill* a score of ln 5 = 1.61, and the goal gives "
            "*Southlake* 2. Both remain in play: no weight is 0.",
            "wrong": {
                0: "It is neither bright nor wanted.",
                1: "It is neither bright nor wanted.",
                3: "Its score is ln 5 = 1.61, and 2 is more.",
            },
        },
        "value": {
            "text": "The train to *Southlake* is stuck: 90 minutes instead of 20. Which weights "
            "does that change?",
            "options": ["only that of Southlake", "all four", "none"],
            "because": "Weights come from the query and the keys. The value only says what is "
            "averaged: 0.014 · 70 = 1.0 minute more. Now drag *Southlake* itself.",
            "wrong": {
                0: "A longer journey makes the town no nearer and no farther.",
                1: "All four would change if the town moved, for they share one sum.",
            },
        },
        "nearest": {
            "text": "The query stands exactly on *Northbridge*: score 0, the highest there is. "
            "What does *Northbridge* weigh?",
            "options": ["0.25", "0.96", "1"],
            "because": "No exponential is ever 0, so every key keeps a share. That is why the "
            "answer is 30.88 and not 30.",
            "wrong": {
                0: "That is what four equal scores would give.",
                2: "A dictionary would say so. Softmax gives no key a weight of 0.",
            },
        },
        "fixed": {
            "text": "Nobody is looking for anything here; how much brightness counts is set once "
            "and for all. With which number is this plain mean pooling?",
            "options": ["0", "½", "1", "with none"],
            "because": "Times 0, all scores are equal, and equal scores share alike. With 1 each "
            "line gets its share of the light; the more, the nearer to the brightest alone.",
            "wrong": {
                1: "The brightest line would still get more than twice as much as any other.",
                2: "Those are the shares of the light: five eighths for one line.",
                3: "There is one that makes all scores equal.",
            },
        },
        "temperature": {
            "text": "*Halfway* is as near to *Northbridge*, 30 minutes, as to *Westhill*, 60. At "
            "temperature 0 the best key takes all. What does the look-up answer?",
            "options": ["30", "45", "60"],
            "because": "Keys with equal scores get equal weights at any temperature. Now move the "
            "temperature up to 1000.",
            "wrong": {
                0: "That is what `argmax` would take, the first of the best.",
                2: "*Northbridge* fits just as well.",
            },
        },
        "far": {
            "text": "A query walks off the map, far from all four towns. What do its weights "
            "become?",
            "options": ["all alike, as nothing fits", "all for one town", "all nearly 0"],
            "because": "Softmax sees only differences between scores, and far out these are "
            "large. *Eastport* is not near, only nearer than the others.",
            "wrong": {
                0: "All scores are low, but not alike.",
                2: "They sum to 1, wherever the query is.",
            },
        },
        "translation": {
            "text": "French wants an article where English has none. Where does the step that "
            "writes *le* look most?",
            "because": "The noun decides between *le* and *la*. This query asks less firmly than "
            "that of *monde*: 79% against 96%.",
            "wrong": {
                0: "The greeting knows nothing of *le* or *la*.",
                2: "The full stop is for the last step.",
            },
        },
        "recall": {
            "text": "The list grows to ten words; the state stays one vector of 16 numbers. How "
            "many words will come back right?",
            "because": "Each word that comes in is noise to the others. Which word is read "
            "instead is chance.",
            "wrong": ["Ten words of 16 numbers each are 160 numbers, and there is room for 16."],
        },
    },
    "zh": {
        "towns": ["北桥", "东港", "南湖", "西山"],
        "places": ["柳溪", "半路"],
        "near": ["北桥", "柳溪", "半路"],
        "lines": ["北桥", "东港", "南湖", "西山", "古渡", "白塔", "长滩", "松林"],
        "days": ["周一", "周二", "大雪天"],
        "wishes": ["南湖", "亮度"],
        "traveller": "旅客",
        "anybody": "任何人",
        "source": ["打开", "窗户", "句号"],
        "steps": ["Open", "the", "window", "句号"],
        "shopping": _CHINESE_SHOPPING.split(),
        "unit": "分钟",
        "pooling": {
            "text": "离得越近的镇，分量越重。这样平均下来，到*柳溪*是多少分钟？",
            "because": "*北桥*最近，权重最大，可是哪个权重也不是 0。",
            "right": "估得真准。",
            "wrong": [
                "这只是最近的镇的车程，别的镇也要占一份。",
                "这是普通的平均值，好像四镇一样近。",
            ],
        },
        "note": {
            "text": "八趟车都晚点了。如果我们只记一个数，也就是八趟车的平均值，凭这个数来回答，"
            "平均要差 9.75 分钟。如果改记四个数，相邻的两趟车记一个平均值，平均会差多少？",
            "because": "记下的数有八个的一半，误差却还剩大半，因为每一对里两趟车相差多少，"
            "笔记里没有。我们接着选“周二”看看。",
            "wrong": [
                "要想一点不差，就得记八个数，而现在每个平均值要代表两趟车。",
                "数虽然多了，误差并没有减半，因为每个平均值都抹去了两趟车的差别。",
                "四个数毕竟多说明了一些情况，因为各对的平均值并不相同。",
            ],
        },
        "glance": {
            "text": "*西山*在闪烁，亮度是别处的五倍，占去了八分之五的注意力。现在旅客要找*南湖*，"
            "我们把这个目标的要紧程度取为 2。哪一行得到的最多？",
            "because": "亮度给*西山*的分数是 ln 5 = 1.61，目标给*南湖*的分数是 2。"
            "不过，哪一行的权重都不是 0。",
            "wrong": {
                0: "这一行既不亮，也没有人要找。",
                1: "这一行既不亮，也没有人要找。",
                3: "这一行的分数是 ln 5 = 1.61，比 2 小。",
            },
        },
        "value": {
            "text": "开往*南湖*的车堵在路上，要 90 分钟，而不是 20 分钟。哪些权重会变？",
            "options": ["只有南湖的", "四个都变", "都不变"],
            "because": "权重由查询和键决定，值只说明拿什么来平均，所以结果只多了 "
            "0.014 × 70 = 1.0 分钟。我们接着把*南湖*本身拖开看看。",
            "wrong": {
                0: "路上花的时间长了，南湖的位置却没有变。",
                1: "要是南湖换了地方，四个权重才会都变，因为四个指数值除以同一个总和。",
            },
        },
        "nearest": {
            "text": "查询就在*北桥*，分数是 0，这已是最高分。*北桥*的权重是多少？",
            "options": ["0.25", "0.96", "1"],
            "because": "指数值不会是 0，所以每个键都占一份，结果是 30.88，而不是 30。",
            "wrong": {
                0: "四个分数都相等时才是这样。",
                2: "字典会这样回答，softmax 却不会让任何键的权重为 0。",
            },
        },
        "fixed": {
            "text": "这里没有人在找什么，亮度有多要紧，由事先定好的一个数来表示。"
            "这个数取多少时，结果就是普通的平均汇聚？",
            "options": ["0", "½", "1", "哪个都不行"],
            "because": "乘以 0 之后分数全都相等，权重也就相等。取 1 时，各行按亮度分得权重；"
            "取得越大，越接近只看最亮的一行。",
            "wrong": {
                1: "这时最亮的一行得到的，仍然是别的行的两倍多。",
                2: "这是按亮度分配，有一行独占八分之五。",
                3: "有一个数能让所有的分数都相等。",
            },
        },
        "temperature": {
            "text": "*半路*到*北桥*（30 分钟）和到*西山*（60 分钟）一样近。"
            "温度为 0 时，全部权重归最匹配的键。这时查到的是多少？",
            "options": ["30", "45", "60"],
            "because": "不论温度是多少，分数相等的键权重也相等。我们接着把温度调到 1000 看看。",
            "wrong": {
                0: "`argmax` 会这样做，只取最大值里的第一个。",
                2: "*北桥*同样匹配。",
            },
        },
        "far": {
            "text": "一个查询走出了地图，离四个镇都很远。它的权重会变成什么样？",
            "options": ["越来越平均，因为没有一个键匹配", "全归一个镇", "都接近 0"],
            "because": "softmax 只取决于分数之差，而到了远处，这些差反而很大。"
            "*东港*并不近，只是比别的镇近。",
            "wrong": {
                0: "分数都很低，但并不相等。",
                2: "不论查询在哪里，权重加起来总是 1。",
            },
        },
        "translation": {
            "text": "英语在名词前面要用冠词，汉语里没有对应的词。"
            "写“*the*”这一步，看得最多的是哪个词？",
            "because": "用“*the*”还是“*a*”，取决于后面的名词是不是特指。"
            "这一步的查询不如写“*window*”时明确，所以权重是 79%，而不是 96%。",
            "wrong": {
                0: "动词决定不了用哪个冠词。",
                2: "句号要到最后一步才看。",
            },
        },
        "recall": {
            "text": "清单加长到十个词，状态却始终是由 16 个数组成的一个向量。这时能读对几个词？",
            "because": "每多记一个词，对别的词来说就多一份噪声。至于错读成哪个词，全凭偶然。",
            "wrong": ["十个词，每个 16 个数，一共是 160 个数，状态却只装得下 16 个。"],
        },
    },
}
