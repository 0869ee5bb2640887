"""Record the data, texts and questions of chapter 6's figures."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import torch

from attention_course import thread
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
# Seven tokens of a sentence, as they are before anything is learnt.
SENTENCE = torch.randn(1, 7, 128, generator=torch.Generator().manual_seed(6)).round(decimals=2)
# Queries and keys of four words, also before anything is learnt.
ASKING, OFFERING = torch.randn(2, 1, 4, 128, generator=torch.Generator().manual_seed(1642)).round(
    decimals=2
)
# Tonight's wishes, those of two guests, and what three places offer.
TONIGHT = torch.tensor([[[1.0, 2.0, 0.0, 1.0]]])
GUESTS = torch.tensor([[[1.0, 2.0, 0.0, 1.0], [0.0, 0.0, 2.0, 1.0]]])
PLACES = torch.tensor([[[2.0, 1, 1, 0], [0, 1, 3, 0], [1, -1, 5, 1]]])
# Products of 64 components, of the word that refers back with each of the four words.
PRODUCTS = torch.tensor([[[24.0], [2.0], [8.0], [16.0]]])
# Six keys that are alike, and the same after one of them has moved.
ALIKE = torch.ones(1, 6, 2)
ONE_MOVED = torch.cat([torch.tensor([[[-1.0, 2.0]]]), ALIKE[:, 1:]], dim=1)
_CHINESE = [0, 1, 3, 2]  # order of the four words in the Chinese sentence


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


def _share_of_the_largest(figure: Any) -> str:
    share = float(figure.attention_weights[0, 0].max())
    if share > 0.9:
        return "all"
    return "quarter" if share > 0.15 else "sixteenth"


def _share_of_the_first(figure: Any) -> str:
    share = float(figure.attention_weights[0, 0, 0])
    if share > 0.95:
        return "all"
    return "more" if share > 0.5 else "quarter"


def _of_the_first(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 0, 0]


def _of_the_last(figure: Any) -> Any:
    return 100 * figure.attention_weights[0, 0, -1]


def _root_mean_square(figure: Any) -> float:
    return float(figure.stages()["scores"][0, 0].square().mean().sqrt())


def _how_far(figure: Any) -> str:
    """Name the distance that is nearest, of one, two and four times that at a quarter of d."""
    far = _root_mean_square(figure)
    with figure._in_state({"d": figure.d // 4}):
        before = _root_mean_square(figure)
    ratios = {"near": 1, "twice": 2, "four": 4}
    return min(ratios, key=lambda name: abs(far / before - ratios[name]))


def _walk_after_division(figure: Any) -> str:
    """Compare the distance from 0 with that of four terms."""
    now = _root_mean_square(figure)
    with figure._in_state({"d": 4}):
        before = _root_mean_square(figure)
    if now > 1.5 * before:
        return "grows"
    return "shrinks" if now < before / 1.5 else "stays"


def _her_weights(figure: Any) -> str:
    """Compare the third word's weights with those that are not divided."""
    weights = figure.attention_weights[0, _row_of_her(figure)]
    with figure._in_state({"scaled": False}):
        before = figure.attention_weights[0, _row_of_her(figure)]
    if not torch.equal(weights.argsort(), before.argsort()):
        return "another"
    return "share" if weights.max() > 0.35 else "same"


def _row_of_her(figure: Any) -> int:
    return int(thread.words(figure.lang).pronoun)


def _does_one_take_all(figure: Any) -> str:
    taken = []
    for d in figure.sizes[2:]:
        with figure._in_state({"d": d}):
            taken.append(bool(figure.attention_weights.max() > 0.9))
    if taken[-1]:
        return "large"
    return "small" if any(taken) else "none"


def _own(figure: Any) -> Any:
    """Return the mean weight of a token on itself, in percent."""
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


def _who_found(figure: Any) -> str:
    """Compare the countries that have found their capital with those that had at the start."""
    runs = torch.tensor(figure.weights)[figure.run].diagonal(dim1=-2, dim2=-1) > 0.5
    now, start = runs[figure.step], runs[0]
    if now.all():
        return "all"
    return "start" if torch.equal(now, start) and now.any() else "none"


def _guests_score(figure: Any) -> Any:
    return figure.products[0, figure.query, figure.key]


def _keys_that_are_read(figure: Any) -> str:
    read = int((figure.attention_weights[0, 1] > 0).sum())
    return {0: "none", 1: "word", 3: "all"}[read]


def _unequal_weights(figure: Any) -> str:
    """Return the score whose weights differ."""
    for score in ("dot", "additive"):
        with figure._in_state({"score": score}):
            weights = figure.attention_weights
        if not torch.allclose(weights, weights.mean(-1, keepdim=True)):
            return score
    return "none"


def _weights_of_both(figure: Any) -> str:
    """Compare the weights of the dot product with those of the additive score."""
    found = []
    for score in ("dot", "additive"):
        with figure._in_state({"score": score}):
            found.append(figure.attention_weights)
    return "same" if torch.allclose(*found) else "different"


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
    "tables": Translated(["noodles", "tea", "canteen"], ["面馆", "茶馆", "食堂"]),
    "pair": Translated(thread.words("en").pair[1], thread.words("zh").pair[1]),
    "mia": Translated(thread.words("en").sentence, thread.words("zh").sentence),
    "her": Translated(
        [thread.words("en").sentence[thread.words("en").pronoun]],
        [thread.words("zh").sentence[thread.words("zh").pronoun]],
    ),
    "asking": Translated(ASKING, ASKING[:, _CHINESE]),
    "offering": Translated(OFFERING, OFFERING[:, _CHINESE]),
    "products": Translated(PRODUCTS, PRODUCTS[:, _CHINESE]),
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
    "scaling": ChoiceRecord(
        text=Text(
            "Nothing is learnt yet: the query and the sixteen words are random vectors of *d* "
            "numbers. At *d* = 128, without the division, how much weight goes to the word that "
            "gets the most?",
            "模型还没有训练，查询和十六个词都是由 `d` 个随机数组成的向量。取 `d` = 128，如果点积"
            "不除以 √d，权重最大的词能分到多少？",
        ),
        options={
            "all": Text("nearly all", "几乎全部"),
            "quarter": Text("about a quarter", "四分之一左右"),
            "sixteenth": Text("about a sixteenth", "十六分之一左右"),
        },
        answer=_share_of_the_largest,
        because=Text(
            "The products are sums of 128 random terms. Some lie far above 0 and some far below, "
            "so softmax gives nearly everything to the largest. Now divide by √d.",
            "每个点积是 128 个随机数之和，有的特别大，有的特别小。做完 softmax 以后，几乎全部权重"
            "都落在点积最大的词上。再除以 √d 看看。",
        ),
        wrong={
            "quarter": Text(
                "About a quarter is what the word would keep after the division by √d, but here "
                "nothing is divided.",
                "你说的是除以 √d 以后的结果，这里还没有除。",
            ),
            "sixteenth": Text(
                "A sixteenth for each word is what equal products would give, but these random "
                "sums are far from equal.",
                "你以为十六个词平分权重，其实点积相差很大。",
            ),
        },
        at={"d": 128},
    ),
    "dinner": _percent(
        text=Text(
            "The largest number in the table is the canteen's 5 for *cheap*. What share of the "
            "weight does the canteen get tonight?",
            "食堂的“便宜”一项是 5，是表里最大的数。今晚食堂能得到多少权重？",
        ),
        answer=_of_the_last,
        because=Text(
            "Tonight *cheap* counts 0, so the canteen scores 0. The other places score 2 and 1, "
            "and 1/(e² + e + 1) is 9%.",
            "今晚的查询里“便宜”是 0，所以这个 5 不起作用，食堂的分数是 0。另外两家的分数是 2 和"
            " 1，所以食堂占 1/(e² + e + 1)，约 9%。再调一调“便宜”。",
        ),
        wrong=[
            (
                100 / 3,
                Text(
                    "A third each is what three equal scores would give.",
                    "三家的分数并不相等，不会平分权重。",
                ),
            ),
            (
                _of_the_first,
                Text(
                    "The noodle bar gets that much, not the canteen, because the noodle bar "
                    "scores highest.",
                    "你算的是面馆的权重，面馆的分数最高。",
                ),
            ),
        ],
    ),
    "walk": ChoiceRecord(
        text=Text(
            "The mean squares of independent terms add up. The sums of 4 terms are about 2 away "
            "from 0 (root mean square). How far from 0 are the sums of 16 terms?",
            "各项相互独立，平方的均值可以相加。4 项之和的均方根约为 2，也就是到 0 的距离约为 2，"
            "那么 16 项之和到 0 的距离约为多少？",
        ),
        options={
            "near": Text("about 2, as before", "还是大约 2"),
            "twice": Text("about 4, twice as far", "大约 4，是原来的两倍"),
            "four": Text("about 8, four times as far", "大约 8，是原来的四倍"),
        },
        answer=_how_far,
        because=Text(
            "Four times as many terms give four times the mean square. The root of four is two, "
            "so 2 becomes 4. Now go on to *d* = 128.",
            "项数是原来的四倍，平方的均值也是四倍，开方就是两倍，所以 2 变成 4。再把 `d` 调到 "
            "128 看看。",
        ),
        wrong={
            "near": Text(
                "The distance stays at about 2 only if the new terms cancel each other exactly, "
                "but random terms cancel only in part.",
                "新加的项有正有负，但只能抵消一部分。",
            ),
            "four": Text(
                "Four times as many terms go four times as far only if all have the same sign, "
                "but terms of both signs cancel in part.",
                "你以为各项都同号，其实有正有负。",
            ),
        },
        at={"d": 16},
    ),
    "walk_divided": ChoiceRecord(
        text=Text(
            "Divide by √d, and move *d* from 4 to 128. What happens to the distance from 0?",
            "选择除以 √d，再把 `d` 从 4 调到 128，总和到 0 的距离会怎么变？",
        ),
        options={
            "grows": Text("the distance grows", "距离变大"),
            "stays": Text("the distance stays near 1", "距离一直在 1 左右"),
            "shrinks": Text("the distance shrinks", "距离变小"),
        },
        answer=_walk_after_division,
        because=Text(
            "The sums grow like √d, and the division cancels just this factor.",
            "总和到 0 的距离与 √d 成正比，所以除以 √d 以后，一直在 1 左右。",
        ),
        wrong={
            "grows": Text(
                "The distance would grow without the division.",
                "别忘了这里已经除以 √d。",
            ),
            "shrinks": Text(
                "The distance would shrink after a division by *d* itself.",
                "你多除了一个 √d，除以 `d` 才会变小。",
            ),
        },
        at={"d": 128, "scaled": True},
    ),
    "copies": _percent(
        text=Text(
            "The seven tokens of a sentence are random vectors that attend to one another: the "
            "keys *are* the queries, and scores are divided by √d. At *d* = 128, how much weight "
            "does a token give itself on average?",
            "一句话的七个词都是随机向量，相互计算注意力。查询和键相同，分数已经除以 √d。`d` = "
            "128 时，一个词平均给自己多少权重？",
        ),
        answer=_own,
        because=Text(
            "Query and key are the same vector here: a token's score with itself is ‖q‖²/√d, "
            "about √d = 11.3, and its scores with the other tokens are only about 1.",
            "查询和键相同，一个词与自己的分数是 ‖q‖²/√d，约等于 √d = 11.3，与别的词的分数大小只有"
            " 1 左右，所以权重几乎全给了自己。",
        ),
        wrong=[
            (
                100 / 7,
                Text(
                    "A seventh is what equal scores would give, but a token's product with itself "
                    "is a sum of squares and far larger than its other products.",
                    "七个分数并不相等，一个词与自己的点积是平方和，比别的点积大得多。",
                ),
            ),
            (
                _own_at_first,
                Text(
                    "The tokens would give themselves that much at *d* = 4, but a sum of squares "
                    "grows like *d* and not like √d.",
                    "你说的是 `d` = 4 的情况。平方和与 `d` 成正比，比 √d 增长得快。",
                ),
            ),
        ],
        at={"d": 128},
    ),
    "her_row": ChoiceRecord(
        text=Text(
            "Each word has a query and a key of 128 random numbers. Without the division, *her* "
            "gives nearly all of its weight to *Mia*. Divide by √d: what happens in the row of "
            "*her*?",
            "每个词的查询和键都是 128 个随机数。不除以 √d 时，“*她*”几乎把全部权重给了“*小雨*"
            "”。除以 √d 以后，“*她*”这一行会怎么变？",
        ),
        options={
            "share": Text(
                "Mia still leads, and the other words get a share",
                "小雨仍然领先，其他词也分到一些",
            ),
            "another": Text("another word leads", "换成其他词领先"),
            "same": Text("all four words get the same", "四个词平分"),
        },
        answer=_her_weights,
        because=Text(
            "The division keeps the order of the scores and makes their differences √128 ≈ 11 "
            "times smaller, so *Mia* leads by less.",
            "分数都除以 √128 ≈ 11，名次不变，差距只有原来的十一分之一左右，所以“*小雨*”没有领先"
            "那么多了。",
        ),
        wrong={
            "another": Text(
                "Another word could lead if the four scores were divided by different numbers, "
                "but all four are divided by the same one.",
                "四个分数都除以同一个数，名次不会变。",
            ),
            "same": Text(
                "A division by 128 itself would make the four weights nearly equal.",
                "你除得太多了，除以 128 才接近平分。",
            ),
        },
        at={"scaled": True},
    ),
    "any_size": ChoiceRecord(
        text=Text(
            "Divide by √d, and move *d* from 4 to 128. Does one word ever take all the "
            "weight in a row?",
            "选择除以 √d，再把 `d` 从 4 调到 128，会不会有哪一行把权重全给了一个词？",
        ),
        options={
            "large": Text("yes, when d is large", "会，d 很大时"),
            "small": Text("yes, when d is small", "会，d 很小时"),
            "none": Text("no, at no d", "不会，d 取多少都不会"),
        },
        answer=_does_one_take_all,
        because=Text(
            "At every *d* the divided scores have a variance of about 1, so the weights stay "
            "spread over the words.",
            "除以 √d 以后，无论 `d` 取多少，分数的方差都在 1 左右，权重会分散在几个词上。",
        ),
        wrong={
            "large": Text(
                "One word would get everything at a large *d* without the division, but here "
                "the division is on.",
                "不除以 √d 的话确实会这样，可这里除过了。",
            ),
            "small": Text(
                "No word gets everything at a small *d* either, because the sums are small "
                "there, with or without the division.",
                "`d` 很小时，点积本来就不大，权重不会集中到一个词上。",
            ),
        },
        at={"d": 128, "scaled": True},
    ),
    "temperature": ChoiceRecord(
        text=Text(
            "The products of *her* with the four words are 24, 2, 8 and 16, and *Mia* gets all "
            "the weight. At temperature √64 = 8, how much does *Mia* get?",
            "“*她*”与四个词的点积是 24、2、16 和 8，权重全给了“*小雨*”。如果把温度设为 √64 = "
            "8，“*小雨*”能分到多少权重？",
        ),
        options={
            "all": Text("all, as before", "仍然是全部"),
            "more": Text("more than half, but not all", "一半以上，但不是全部"),
            "quarter": Text("a quarter, like the others", "四分之一，和其他词一样"),
        },
        answer=_share_of_the_first,
        because=Text(
            "Divided by 8, the products are 3, 2, 1 and 0.25. *Mia* leads the next word by 1, so "
            "the weight of *Mia* is e ≈ 2.7 times as large, 64% of the whole.",
            "除以 8 以后，点积变成 3、2、1 和 0.25。“*小雨*”比第二名高 1，权重就是第二名的 e ≈ "
            "2.7 倍，占 64%。",
        ),
        wrong={
            "all": Text(
                "*Mia* would get everything at temperature 1, where the lead is 8.",
                "温度为 1 时确实如此，可现在温度是 8，差距缩小了。",
            ),
            "quarter": Text(
                "A quarter for each word is the limit at temperatures far above 8.",
                "温度还不够高，要远高于 8，四个词才接近平分。",
            ),
        },
        at={"temperature": 8},
    ),
    "gradients": ChoiceRecord(
        text=Text(
            "“Without √d the gradient vanishes.” Let *d* grow from 32 to 128 without the "
            "division. What happens to the gradient?",
            "常听人说，如果不除以 √d，梯度就会消失。现在不缩放，把 `d` 从 32 调到 128，梯度会怎样"
            "变化？",
        ),
        options={
            "mean and median": Text("both the mean and the median fall", "均值和中位数都变小"),
            "median": Text("the median falls, the mean hardly changes", "中位数变小，均值几乎不变"),
            "neither": Text(
                "neither the mean nor the median falls",
                "均值和中位数都没有变小",
            ),
        },
        answer=_what_falls,
        because=Text(
            "In most rows one key is far ahead and `J` is nearly 0, so the median falls. A few "
            "rows with two keys nearly tied hold up the mean.",
            "多数行里有一个键遥遥领先，`J` 接近 0，所以中位数变小。少数行里有两个键几乎打平，梯度"
            "特别大，均值也就没怎么变。",
        ),
        wrong={
            "mean and median": Text(
                "Both the mean and the median would fall if one key were far ahead in every row.",
                "你只说对了一半，均值并没有变小。",
            ),
            "neither": Text(
                "Neither of the two would fall if several keys were close together in most rows.",
                "均值确实没怎么变，但中位数变小了。",
            ),
        },
        at={"d": 128},
    ),
    "training": ChoiceRecord(
        text=Text(
            "With the division by √d, 200 steps of training are enough for all eight. Without it, "
            "which countries will have found their capital after 200 steps?",
            "要给八个国家选出首都。如果除以 √d，训练 200 步就能全部选对。如果不除以 √d，200 步以"
            "后哪些国家能选对？",
        ),
        options={
            "all": Text("all eight countries", "八个国家都能选对"),
            "start": Text(
                "only countries that had their capital at the start",
                "只有训练前就选对的国家",
            ),
            "none": Text("no country", "一个国家也选不对"),
        },
        answer=_who_found,
        because=Text(
            "A key without weight gets no gradient, so each country stays with its initial city. "
            "Only *France* had the right city, *Paris*, by luck. Go through the steps, and look "
            "at the frames.",
            "权重为 0 的键得不到梯度，每个国家都停在训练前选中的城市上。只有*法国*运气好，一开始"
            "选的就是*巴黎*。拖动步数，看看带框的格子。",
        ),
        wrong={
            "all": Text(
                "All eight countries would find their capital with the division.",
                "除以 √d 时确实如此，可这里没有除。",
            ),
            "none": Text(
                "No country finds its capital by training, but one had it by luck at the start.",
                "靠训练确实学不会，不过有一个国家一开始就选对了。",
            ),
        },
        at={"run": 1, "step": 12},
    ),
    "guests": NumberRecord(
        text=Text(
            "Ben is row 1 of the queries, and the canteen is key 2. Which number is in row 1, "
            "column 2 of `queries @ keys.T`?",
            "小兵对应查询 1，食堂对应键 2。`queries @ keys.T` 第 1 行第 2 列的数是多少？",
        ),
        answer=_guests_score,
        because=Text(
            "Ben's query times the canteen's key is 0 · 1 + 0 · (−1) + 2 · 5 + 1 · 1 = 11.",
            "把小兵的查询与食堂的键逐项相乘再相加，得到 0 × 1 + 0 × (−1) + 2 × 5 + 1 × 1 = 11。",
        ),
        wrong=[
            (
                5,
                Text(
                    "5 is only the largest component of the key, but the number is a sum of four "
                    "products.",
                    "5 只是食堂的键里最大的数，点积是四个乘积之和。",
                ),
            ),
            (
                5.5,
                Text(
                    "5.5 is the score after the division by √4, but `queries @ keys.T` is not "
                    "divided yet.",
                    "你多除了一个 √4，`queries @ keys.T` 还没有缩放。",
                ),
            ),
            (
                10,
                Text(
                    "10 is the product for *cheap* alone, but *near* counts as well.",
                    "你只算了“便宜”这一项，还要加上“近”。",
                ),
            ),
        ],
        tolerance=0.2,
        at={"query": 1, "key": 2},
    ),
    "trap": ChoiceRecord(
        text=Text(
            "Two examples, sentences of 1 and 3 words, have two queries each. We pass a mask of "
            "shape `(2, 3)`, with a row for each *example*: row 0 keeps one key, row 1 keeps "
            "three. Which keys of example 0 does its query *you* (row 1) read?",
            "批量里有两个句子，分别有 1 个词和 3 个词，各有两个查询。我们传入形状为 `(2, 3)` 的掩"
            "码，想让每个样本用一行，第 0 行保留一个键，第 1 行保留三个键。图中是样本 0，其中查询"
            " 1（*见*）能看到哪些键？",
        ),
        options={
            "word": Text("the only word, without the padding", "只有那一个词，没有填充"),
            "all": Text("all three keys, with the padding", "全部三个键，包括填充"),
            "none": Text("no key at all", "一个键也看不到"),
        },
        answer=_keys_that_are_read,
        because=Text(
            "Row 1 of the mask belongs to query 1 here, because shapes are aligned from the right "
            "and the mask is read as `(queries, keys)`. Row 1 keeps three keys, and two of them "
            "are padding.",
            "广播从右边对齐，掩码就成了 `(查询, 键)`，由两个样本共用。第 1 行本来是给样本 1 的，"
            "结果用到了查询 1 上，保留的三个键里有两个是填充。",
        ),
        wrong={
            "word": Text(
                "The only word would be read if row 0 of the mask applied to all of example 0, as "
                "its author intended.",
                "我们本想让整个样本 0 都用第 0 行，可掩码没有这样广播。",
            ),
            "none": Text(
                "No key at all would be left if `True` meant *hide*, as in "
                "`nn.MultiheadAttention`, but here `True` means *keep*.",
                "你把 `True` 当成掩蔽了，`nn.MultiheadAttention` 才这样约定，这里 `True` 表示保"
                "留。",
            ),
        },
        at={"valid_lens": [[1, 3]]},
    ),
    "alike": ChoiceRecord(
        text=Text(
            "All six keys are the same. Which score gives them different weights?",
            "六个键完全相同。用哪种评分函数会使各个键的权重不一样？",
        ),
        options={
            "dot": Text("the dot product", "点积评分"),
            "additive": Text("the additive score", "加性评分"),
            "none": Text("neither score", "两种评分都不会"),
        },
        answer=_unequal_weights,
        because=Text(
            "Equal keys get equal scores from any scoring function, and equal scores give equal "
            "weights.",
            "由于键都相同，无论用哪种评分函数，分数都相同，权重也就相同。",
        ),
        wrong={
            "dot": Text(
                "The dot product would give different weights if the keys differed, but all six "
                "keys are equal.",
                "查询与六个相同的键求点积，得到的数当然一样。",
            ),
            "additive": Text(
                "The additive score would give different weights if the keys differed, but its "
                "network reads six equal keys.",
                "六个键相同，输入网络的数就相同，输出也不会有差别。",
            ),
        },
    ),
    "one_moved": ChoiceRecord(
        text=Text(
            "Move one key away from the others, and try each score in turn. Do the dot product "
            "and the additive score still give the same weights?",
            "把一个键移开，再分别选用点积评分和加性评分，两者的权重还一样吗？",
        ),
        options={
            "same": Text("the same weights", "还一样"),
            "different": Text("different weights", "不一样"),
        },
        answer=_weights_of_both,
        because=Text(
            "Each score compares query and key in a way of its own, so the weights differ as soon "
            "as the keys do.",
            "两种评分函数的算法不同，键一旦不全相同，权重就不一样了。",
        ),
        wrong={
            "same": Text(
                "The same weights come from both scores only while all keys are identical, but "
                "one key has moved.",
                "权重一样是因为键都相同，现在有一个键已经移开了。",
            ),
        },
        at={"keys_": ONE_MOVED, "score": "additive"},
    ),
}
