"""Record the sentences and questions of chapter 4's figures."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)

# The scores of one query on six keys, of which the last two are padding.
LATE_SCORES = torch.tensor([0.1, 0.9, 0.3, 0.6, 1.1, 0.7])
LATE = 3  # the query, among the words
# The scores of each word on each, as queries and as keys.
WORD_SCORES = torch.tensor(
    [[0.1, 0.9, 0.3, 0.6], [0.7, 0.2, 0.5, 1.1], [0.4, 1.2, 0.1, 0.8], [0.1, 0.9, 0.3, 0.6]]
)


def words(lang: Lang) -> SimpleNamespace:
    """Return sentences and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").morning
    ['早上', '好']
    """
    return in_language(lang, RECORDS)


def _padded(sentence: list[str], pad: str) -> list[str]:
    return [*sentence, *[pad] * (4 - len(sentence))]


def _batch(first: list[str], second: list[str], pad: str) -> dict[str, list[list[str]]]:
    """Name the four keys and two queries of two sentences."""
    keys = [_padded(sentence, pad) for sentence in (first, second)]
    return {"names": keys, "query_names": [names[:2] for names in keys]}


def _share(
    text: Text, unmasked: int, because: Text, wrong: Sequence[tuple[float, Text]]
) -> NumberRecord:
    """Ask for the share of padding, in percent."""
    return NumberRecord(
        text,
        answer=lambda figure: 100 * figure.stages()["padding_share"],
        tolerance=5,
        because=because,
        wrong=wrong,
        at={"valid_lens": [unmasked]},
        unit="%",
        slider=(0, 100, 1),
    )


def _ratio_with_a_third(figure: Any) -> str:
    """Compare the ratio of the first two weights with what it is without the third key."""
    first, second = figure.attention_weights[0, 0, :2]
    scores = figure.stages()["scores"][0, 0]
    before = torch.exp(scores[0] - scores[1])
    return ["same", "larger", "smaller"][
        int(torch.sign((first / second - before).round(decimals=9)))
    ]


def _weight_of_the_first_word(figure: Any) -> str:
    weight = float(figure.attention_weights[0, 0, 0])
    return {0.25: "quarter", 1.0: "one"}.get(weight, "small")


def _modules_with_equal_weights(figure: Any) -> str:
    """Say with which modules the first and the last key have equal weights."""
    now = figure.num_hiddens
    equal = {}
    for module in figure.modules:
        figure.num_hiddens = module["num_hiddens"]
        first, last = figure.attention_weights[0][:, [0, 3]].T
        equal[figure.num_hiddens] = bool(torch.isclose(first, last).all())
    if all(equal.values()):
        return "every module"
    return "this module" if equal[now] else "nobody"


def _receiver_of_the_weight(figure: Any) -> str:
    share = figure.stages()["padding_share"].sum()
    if share.isnan():
        return "NaN"
    return "padding" if share > 0.5 else "keys"


def _row_that_sums_to_one(figure: Any) -> str:
    stages = {
        "finite fill": "finite_fill",
        "infinite fill": "infinite_fill",
        "masked_softmax": "attention_weights",
    }
    sums = {name: figure.stages()[stage].sum() for name, stage in stages.items()}
    ones = [name for name, x in sums.items() if torch.isclose(x, torch.ones_like(x))]
    return ones[0] if ones else "none"


def _output_with_nan(figure: Any) -> str:
    stages: dict[str, Tensor] = figure.stages()
    output, words_alone = stages["output"].sum(), stages["terms"].nansum()
    if output.isnan():
        return "NaN"
    return "words alone" if torch.isclose(output, words_alone) else "zero"


_MORNING = Translated(["good", "morning"], ["早上", "好"])
_SOON = Translated(["see", "you", "soon"], ["我们", "回头", "见"])
_PAD = Translated("‹pad›", "‹填充›")

RECORDS: dict[str, Record] = {
    "late": Translated(["the", "train", "was", "late"], ["火车", "今天", "又", "晚点"]),
    "morning": _MORNING,
    "padded": Translated(_padded(_MORNING.en, _PAD.en), _padded(_MORNING.zh, _PAD.zh)),
    "batch": Translated(
        _batch(_MORNING.en, _SOON.en, _PAD.en), _batch(_MORNING.zh, _SOON.zh, _PAD.zh)
    ),
    "sentence": _share(
        text=Text(
            "*late* looks at six keys, two of them padding, and nobody has masked them. "
            "What share of its attention goes to padding?",
            "“*晚点*”要看六个键，其中两个是填充，而且都没有被掩蔽。它的注意力有多少落到了填充上？",
        ),
        because=Text(
            "To softmax a score is a score, whatever stands behind it. Now drag the edge to 4.",
            "对 softmax 来说，分数就是分数，不管后面有没有词。接着把边线拖到 4 看看。",
        ),
        wrong=[
            (
                0,
                Text(
                    "Nothing has told softmax which keys are padding.",
                    "没有人告诉过 softmax 哪些键是填充。",
                ),
            ),
            (
                100 / 3,
                Text(
                    "That is their share of the keys, but it is scores that decide, and theirs are "
                    "high.",
                    "这是填充在键里所占的比例；可是权重取决于分数，而这两个分数偏偏很高。",
                ),
            ),
        ],
        unmasked=6,
    ),
    "wider": _share(
        text=Text(
            "A longer sentence joins the batch, and *good morning* gets four places of "
            "padding instead of two. What share does padding take now?",
            "批量里来了一句更长的话，“*早上 好*”后面的填充因此从两个增加到四个。"
            "现在填充占去多少权重？",
        ),
        because=Text(
            "The sentence is the same, but it reads less of itself, only because "
            "another one in the batch is longer. Drag the edge to 2, and that no longer matters.",
            "句子本身一个字也没有变，只因为同一批量里来了更长的话，读到自己的就少了。"
            "再把边线拖到 2，别的句子就影响不到它了。",
        ),
        wrong=[
            (
                53.4,
                Text(
                    "That was with two of them. Each place of padding takes a share.",
                    "这是只有两个填充时的比例。每多一个填充，就多分走一份。",
                ),
            ),
        ],
        unmasked=6,
    ),
    "steps": ChoiceRecord(
        text=Text(
            "In row 0 of `X[0]`, keys 0 and 1 weigh 0.65 and 0.35, a ratio of 1.82. "
            "Key 2 has the highest score of the row; let it join. What becomes of the ratio?",
            "`X[0]` 的行 0 里，键 0 和键 1 的权重是 0.65 和 0.35，比值为 1.82。"
            "键 2 的分数是这一行里最高的，现在让它加入，这个比值会怎样？",
        ),
        options={
            "smaller": Text("smaller", "变小"),
            "same": Text("still 1.82", "仍是 1.82"),
            "larger": Text("larger", "变大"),
        },
        answer=_ratio_with_a_third,
        because=Text(
            "All three are divided by a larger sum, so a new key takes its share from "
            "the others in proportion: 0.38 and 0.21.",
            "三个指数值都除以同一个更大的总和，所以新来的键"
            "按比例从另外两个键那里各分走一份，两者只剩下 0.38 和 0.21。",
        ),
        wrong={
            "smaller": Text(
                "The larger weight does lose more, but in proportion.",
                "较大的权重确实让出得更多，不过是按比例让出的。",
            ),
            "larger": Text(
                "The smaller weight does not pay for both.", "让出权重的并不只是较小的那一个。"
            ),
        },
        at={"valid_lens": [3, 3], "step": 5},
    ),
    "staircase": ChoiceRecord(
        text=Text(
            "A text is written word by word, so each word may read itself and what stands "
            "before it. *the* comes first, and scores low on itself: 0.1. What weight does it give "
            "itself?",
            "逐词写一句话时，每个词只能读到自己和前面的词。“*火车*”排在最前面，"
            "它对自己的分数很低，只有 0.1。它给自己的权重是多少？",
        ),
        options={
            "small": Text("less than 0.25, as its score is low", "不到 0.25，因为分数低"),
            "quarter": Text("0.25", "0.25"),
            "one": Text("1", "1"),
        },
        answer=_weight_of_the_first_word,
        because=Text(
            "Its length is 1: one key shares the weight with nobody. The other lengths "
            "are 2, 3 and 4, a staircase.",
            "它的长度是 1，唯一的键不必与谁平分权重。其余的长度是 2、3、4，排成台阶。",
        ),
        wrong={
            "small": Text(
                "Scores decide among keys that count, and there is one.",
                "分数只在算数的键之间分高下，而这里只有一个键。",
            ),
            "quarter": Text(
                "That would be four keys of equal scores.", "那是四个键分数相等的情形。"
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4]]},
    ),
    "pipeline": ChoiceRecord(
        text=Text(
            "In example 0 *good* and the last place of padding hold the same two numbers. "
            "`valid_lens[0]` becomes 4. Whose weight equals that of *good* in every row?",
            "样本 0 里，“*早上*”和最后一个填充是同样的两个数。"
            "把 `valid_lens[0]` 调到 4 以后，哪个键的权重在每一行里都和“*早上*”相等？",
        ),
        options={
            "nobody": Text("nobody's", "没有这样的键"),
            "this module": Text(
                "the last padding's, with this num_hiddens",
                "最后一个填充，但要用现在的 num_hiddens",
            ),
            "every module": Text(
                "the last padding's, with any num_hiddens", "最后一个填充，num_hiddens 是多少都一样"
            ),
        },
        answer=_modules_with_equal_weights,
        because=Text(
            "Equal keys get equal scores from any scoring function, and softmax gives "
            "equal scores equal weights.",
            "因为键相同，用什么评分函数都得到相同的分数，而分数相同，softmax 给的权重也就相同。",
        ),
        wrong={
            "nobody": Text(
                "A score that depended on the place of its key would do that.",
                "只有分数还取决于键的位置，才会这样。",
            ),
            "this module": Text(
                "Other parameters change the scores, but those of both keys alike.",
                "换了参数，分数确实会变，可是这两个键的分数一起变。",
            ),
        },
        at={"valid_lens": [4, 3]},
    ),
    "fill": ChoiceRecord(
        text=Text(
            "Two keys count, and padding is filled with −1e6. Both scores are moved down "
            "to about −2,000,000. Where does the weight go?",
            "有两个键算数，填充位置填入 −1e6。现在把两个分数都降到约 −2,000,000，权重会到哪里去？",
        ),
        options={
            "keys": Text("where it was", "还在原处"),
            "padding": Text("all to padding", "全归填充"),
            "NaN": Text("nowhere, NaN", "变成 NaN"),
        },
        answer=_receiver_of_the_weight,
        because=Text(
            "The fill is the largest number of the row now. No error, no NaN, and the "
            "weights sum to 1. Only −∞ lies below every score.",
            "填入的数成了一行里最大的。没有报错，没有 NaN，权重之和也是 1。"
            "只有 −∞ 低于所有的分数。",
        ),
        wrong={
            "keys": Text(
                "Softmax sees only differences, but the fill has not moved along.",
                "softmax 确实只看分数之差，可是填入的数没有跟着一起降。",
            ),
            "NaN": Text(
                "All numbers are finite, and so is everything that comes of them.",
                "所有的数都是有限的，算出来的结果也就都有限。",
            ),
        },
        at={"level": -2e6},
    ),
    "empty_row": ChoiceRecord(
        text=Text(
            "Three ways to mask one row agree. Let no key count any more: which of them "
            "still has weights that sum to 1?",
            "同一行用三种办法掩蔽，结果都一样。如果一个键也不保留，哪一种办法的权重之和仍然是 1？",
        ),
        options={
            "finite fill": Text("fill −1e6", "填入 −1e6"),
            "infinite fill": Text("fill −∞", "填入 −∞"),
            "masked_softmax": Text("masked_softmax", "masked_softmax"),
            "none": Text("none of them", "都不是"),
        },
        answer=_row_that_sums_to_one,
        because=Text(
            "All scores are −1e6 then, hence equal, and four keys that do not count get "
            "0.25 each. −∞ leads to 0/0; `masked_softmax` says 0.",
            "这时所有的分数都是 −1e6，彼此相等，于是四个不算数的键各得 0.25。"
            "填入 −∞ 会得到 0/0，`masked_softmax` 则给出 0。",
        ),
        wrong={
            "infinite fill": Text(
                "Every exponential is 0, and 0/0 is no weight.",
                "这时指数值全是 0，而 0/0 不能算作权重。",
            ),
            "masked_softmax": Text(
                "It does sum to 1 elsewhere, but not here.", "在别的行里确实是 1，这一行却不是。"
            ),
            "none": Text(
                "One of them does, and that is what is wrong with it.",
                "其实有一种，问题恰恰也就出在这里。",
            ),
        },
        at={"valid_lens": [0]},
    ),
    "leak": ChoiceRecord(
        text=Text(
            "Padding weighs exactly 0 here. Now it holds NaN, as memory that nobody has "
            "written to may. What is the output?",
            "填充的权重恰好是 0。现在填充位置的值是 NaN，没有写过的内存里就可能有这样的数。"
            "输出会是多少？",
        ),
        options={
            "words alone": Text("1.35, as before", "仍是 1.35"),
            "zero": Text("0", "0"),
            "NaN": Text("NaN", "NaN"),
        },
        answer=_output_with_nan,
        because=Text(
            "0 · NaN is NaN, and so is any sum that has it. Now tick *clear padding first*.",
            "0 × NaN 还是 NaN，把 NaN 加进来的总和也都是 NaN。接着勾选“先把填充清零”看看。",
        ),
        wrong={
            "words alone": Text(
                "A weight of 0 removes what is finite, and only that.",
                "权重为 0，只能去掉有限的数。",
            ),
            "zero": Text(
                "The two keys that count have weights of their own.", "另外两个键的权重并不是 0。"
            ),
        },
        at={"held": "nan"},
    ),
}
