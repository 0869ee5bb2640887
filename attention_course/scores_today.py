"""Record the sentence of chapter 12 and the questions that its figures ask."""

import math
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

# Scores of six words that ask six words, of two words that ask six, and all alike.
SCORES = torch.tensor(
    [
        [1.0, 0.3, 0.2, 0.5, 0.1, 0.4],
        [0.9, 0.6, 0.8, 0.1, 0.7, 0.2],
        [0.2, 1.8, 0.4, 0.9, 0.3, 0.6],
        [0.1, 2.0, 0.5, 0.3, 0.8, 0.1],
        [0.3, 0.7, 0.6, 1.5, 0.2, 0.9],
        [0.2, 1.6, 1.1, 0.4, 1.2, 0.3],
    ]
)
LAST_TWO, ALIKE = SCORES[-2:], torch.zeros(6, 6)
# Five keys of one query, the highest of which come late, and their values.
ROW = torch.tensor([1.0, 3.0, 2.0, 5.0, 4.0])
VALUES = torch.tensor([10.0, 20.0, 30.0, 40.0, 50.0])


def words(lang: Lang) -> SimpleNamespace:
    """Return the sentence and the questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").sentence
    ['the', 'cat', 'chases', 'its', 'own', 'tail']
    """
    return in_language(lang, RECORDS)


def _keys_that_the_last_reads(figure: Any) -> str:
    """Name the keys that the mask lets the last query read."""
    read = tuple(figure.stages()["mask"][0, -1].nonzero().flatten().tolist())
    number = len(figure.words)
    return {tuple(range(number)): "all", (0, 1): "first two", (number - 1,): "own"}[read]


RECORDS: dict[str, Record] = {
    "sentence": Translated(
        ["the", "cat", "chases", "its", "own", "tail"], ["小猫", "正", "追着", "自己", "的", "尾巴"]
    ),
    "growing": NumberRecord(
        text=Text(
            "A model writes six words, one a step. In each step the newest word asks all "
            "words so far. If *no key is kept*, how many keys has it computed at the end?",
            "模型一步写一个词，一共写六个。每一步都由最新的词来查询已有的每一个词。"
            "如果*一个键也不保留*，写完时一共算了多少个键？",
        ),
        answer=lambda figure: figure.stages()["totals"][0, 0, 0],
        tolerance=0.5,
        because=Text(
            "1 + 2 + … + 6. With a cache it is 6: a step computes one key and finds the others.",
            "1 + 2 + … + 6。有了缓存就只要 6 个，因为每一步只新算一个键，别的都是现成的。",
        ),
        wrong=[
            (
                6,
                Text(
                    "One a step: that is what keeping them gives.",
                    "每步一个，那是保留键才有的结果。",
                ),
            ),
            (
                36,
                Text(
                    "A step knows no words that are still to come.",
                    "每一步都还不知道后面要写的词。",
                ),
            ),
            (
                15,
                Text(
                    "The newest word is among those that it asks, and its key is needed too.",
                    "最新的词也要查询自己，所以自己的键同样要算。",
                ),
            ),
        ],
        at={"step": 6, "cached": False},
    ),
    "corner": ChoiceRecord(
        text=Text(
            "Six words are written, the *last two* of them new, so that two queries meet "
            "six keys. Which keys does *tail* read with `is_causal=True`?",
            "一共六个词，*最后两个*是新写的，所以是两个查询遇到六个键。"
            "用 `is_causal=True`，“尾巴”读到哪些键？",
        ),
        options={
            "all": Text("all six", "全部六个"),
            "first two": Text("the first two", "最前面两个"),
            "own": Text("its own alone", "只有自己"),
        },
        answer=_keys_that_the_last_reads,
        because=Text(
            "The mask lets query *i* read the keys 0 to *i*, and *tail* is query 1. "
            "Nothing tells you that the scores are not square.",
            "这个掩码让查询 *i* 读键 0 到 *i*，而“尾巴”是查询 1。分数不是方阵，却没有任何提示。",
        ),
        wrong={
            "all": Text(
                "It should. But that mask counts queries from 0: for it, *tail* is word 1.",
                "本该如此。可是这个掩码从 0 开始数查询，在它看来“尾巴”是词 1。",
            ),
            "own": Text(
                "The triangle begins at the other end, in the upper left.",
                "三角形是从另一头，也就是左上角开始的。",
            ),
        },
        at={"corner": "upper"},
    ),
    "groups": NumberRecord(
        text=Text(
            "With 8 heads of keys and values the cache takes 1024 MiB. How much does it "
            "take if the 8 query heads share *2*?",
            "键和值有 8 个头时，缓存占 1024 MiB。如果 8 个查询头共用 *2* 组，缓存占多少？",
        ),
        answer=lambda figure: figure.stages()["mebibytes"],
        tolerance=4,
        because=Text(
            "A fourth of the heads, a fourth of the cache, however many query heads there are.",
            "头数是四分之一，缓存也就是四分之一，与查询有多少个头无关。",
        ),
        wrong=[
            (
                1024,
                Text(
                    "That is what it takes with 8. Queries are not in the cache.",
                    "这是 8 个头时的大小。缓存里可没有查询。",
                ),
            ),
            (
                512,
                Text(
                    "Keys and values both shrink, and 2 heads are not half of 8.",
                    "键和值都变少了，而且 2 个头并不是 8 个头的一半。",
                ),
            ),
            (
                128,
                Text(
                    "That is for a single head that all queries share.",
                    "这是所有查询共用一个头时的大小。",
                ),
            ),
        ],
        at={"kv_heads": 2},
        unit="MiB",
    ),
    "online": NumberRecord(
        text=Text(
            "The key *its* scores 5, and the highest so far was 3. All that was summed up "
            "before is now multiplied by one number. Which?",
            "“*自己*”的分数是 5，之前最高的是 3。前面累加起来的一切，现在都要乘以同一个数。"
            "这个数是多少？",
        ),
        answer=lambda figure: figure.stages()["factor"][0, 0, figure.step - 1],
        tolerance=0.03,
        because=Text(
            "Each older term was e to the s − 3, and now it is e to the s − 5: e⁻² "
            "times as much, for all older keys alike.",
            "原来是 e 的 s − 3 次方，现在是 s − 5 次方，只有原来的 e⁻² 倍，对前面的键全都一样。",
        ),
        wrong=[
            (
                1,
                Text(
                    "Then it would count as if the highest score were still 3.",
                    "那样一来，最高的分数就好像还是 3。",
                ),
            ),
            (
                math.exp(2),
                Text(
                    "Upwards? Under a higher maximum everything older shrinks.",
                    "怎么变大了？最大值升高，前面的都该缩小。",
                ),
            ),
            (
                0.6,
                Text(
                    "Exponentials care for differences of scores, not for ratios.",
                    "取指数以后，起作用的是分数之差，不是分数之比。",
                ),
            ),
            (
                2,
                Text(
                    "That is the difference. What does the exponential make of it?",
                    "这是两者之差，还要取一次指数。",
                ),
            ),
        ],
        at={"step": 4},
        decimals=2,
    ),
    "window": NumberRecord(
        text=Text(
            "Each word may read *three* words at most, itself among them. How many of the "
            "36 weights are not 0?",
            "每个词最多读*三个*词，自己也算一个。36 个权重里有多少个不是 0？",
        ),
        answer=lambda figure: (figure.attention_weights > 0).sum(),
        tolerance=0.5,
        because=Text(
            "1 + 2 + 3 + 3 + 3 + 3. From the third word on a row costs the same, "
            "however long the text is.",
            "1 + 2 + 3 + 3 + 3 + 3。从第三个词起，不论文章多长，每一行的代价都一样。",
        ),
        wrong=[
            (
                18,
                Text(
                    "Three for each of six words; but what stands before the first two?",
                    "六个词各读三个；可是最前面两个词的前面，哪有那么多词？",
                ),
            ),
            (
                21,
                Text(
                    "That is what the causal mask alone leaves.", "只有因果掩码时，才剩下这么多。"
                ),
            ),
            (
                36,
                Text(
                    "Then words would read what is still to come, too.",
                    "那样就连还没写出来的词也读到了。",
                ),
            ),
        ],
        at={"width": 3},
    ),
    "slope": NumberRecord(
        text=Text(
            "All scores are alike. Now each word of distance takes *0.7* off a score. "
            "What share does *tail* give to itself?",
            "所有分数都相同。现在每远一个词，分数就扣 *0.7*。“尾巴”给自己的权重占多少？",
        ),
        answer=lambda figure: 100 * figure.attention_weights[0, -1, -1],
        tolerance=7,
        because=Text(
            "One word farther is worth e to the −0.7, about half as much: 1, ½, ¼ and "
            "so on. The first of them is about half of the sum.",
            "每远一个词，就只剩 e 的 −0.7 次方，约一半。1、½、¼ 这样加下去，第一个约占总和的一半。",
        ),
        wrong=[
            (
                100 / 6,
                Text(
                    "That is what each of the six gets at slope 0.",
                    "斜率是 0 时，六个词才各得这么多。",
                ),
            ),
            (
                100,
                Text(
                    "A word nearby loses 0.7, not everything.", "旁边的词只扣 0.7，并没有全部失去。"
                ),
            ),
        ],
        at={"slope": 0.7},
        unit="%",
        slider=(0, 100, 1),
    ),
}
