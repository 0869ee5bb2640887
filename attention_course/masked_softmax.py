"""Chapter 4: the sentences of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor

from attention_course.asking import choice
from attention_figures import Number, Question

Lang = Literal["en", "zh"]

# The scores of one query on six keys, of which the last two are padding.
LATE_SCORES = torch.tensor([0.1, 0.9, 0.3, 0.6, 1.1, 0.7])
LATE = 3  # the query, among the words
# The scores of each word on each, as queries and as keys.
WORD_SCORES = torch.tensor(
    [[0.1, 0.9, 0.3, 0.6], [0.7, 0.2, 0.5, 1.1], [0.4, 1.2, 0.1, 0.8], [0.1, 0.9, 0.3, 0.6]]
)


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    late: list[str]  # four words
    morning: list[str]  # two
    padded: list[str]  # these, as four keys
    batch: dict[str, list[list[str]]]  # names of the four keys and two queries of two sentences
    sentence: Question
    wider: Question
    steps: Question
    staircase: Question
    pipeline: Question
    fill: Question
    empty_row: Question
    leak: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").morning
    ['早上', '好']
    """
    say = _SAY[lang]
    first, second = (
        [*own, *[say["pad"]] * (4 - len(own))] for own in (say["morning"], say["soon"])
    )
    return Words(
        late=say["late"],
        morning=say["morning"],
        padded=first,
        batch={"names": [first, second], "query_names": [first[:2], second[:2]]},
        sentence=_share(say["sentence"], unmasked=6, wrong=(0, 100 / 3)),
        wider=_share(say["wider"], unmasked=6, wrong=(53.4,)),
        steps=choice(say["steps"], _ratio_against, valid_lens=[3, 3], step=5),
        staircase=choice(say["staircase"], _first_reads_itself, valid_lens=[[1, 2, 3, 4]]),
        pipeline=choice(say["pipeline"], _always_equal, valid_lens=[4, 3]),
        fill=choice(say["fill"], _where_it_goes, level=-2e6),
        empty_row=choice(say["empty_row"], _sums_to_one, valid_lens=[0]),
        leak=choice(say["leak"], _read, held="nan"),
    )


def _share(say: dict[str, Any], unmasked: int, wrong: tuple[float, ...]) -> Number:
    """Ask for the share of padding, in percent."""
    return Number(
        say["text"],
        answer=lambda figure: 100 * figure.stages()["padding_share"],
        because=say["because"],
        right=say.get("right", ""),
        at={"valid_lens": [unmasked]},
        tolerance=5,
        wrong=list(zip(wrong, say["wrong"], strict=True)),
        unit="%",
        slider=(0, 100, 1),
    )


def _first_reads_itself(figure: Any) -> int:
    """0, 1 or 2: the first word's weight is below 1/4, it is 1/4, it is 1."""
    weight = float(figure.attention_weights[0, 0, 0])
    return 2 if weight == 1 else int(weight == 0.25)


def _always_equal(figure: Any) -> int:
    """0, 1 or 2: weights of the first and last key are equal with no module, with one, with all."""
    now = figure.num_hiddens
    equal = {}
    for module in figure.modules:
        figure.num_hiddens = module["num_hiddens"]
        first, last = figure.attention_weights[0][:, [0, 3]].T
        equal[figure.num_hiddens] = bool(torch.isclose(first, last).all())
    return 2 if all(equal.values()) else int(equal[now])


def _where_it_goes(figure: Any) -> int:
    """0: the keys that count have all weight; 1: padding has; 2: it is NaN."""
    share = figure.stages()["padding_share"].sum()
    return 2 if share.isnan() else int(share > 0.5)


def _ratio_against(figure: Any) -> int:
    """0, 1 or 2: the first two weights' ratio is less than without the third key, equal, more."""
    first, second = figure.attention_weights[0, 0, :2]
    scores = figure.stages()["scores"][0, 0]
    before = torch.exp(scores[0] - scores[1])
    return int(torch.sign((first / second - before).round(decimals=9))) + 1


def _sums_to_one(figure: Any) -> int:
    """Which of the three rows does; 3 if none."""
    rows = ("finite_fill", "infinite_fill", "attention_weights")
    sums = [figure.stages()[row].sum() for row in rows]
    return [*(bool(torch.isclose(x, torch.ones_like(x))) for x in sums), True].index(True)


def _read(figure: Any) -> int:
    """0: what the words alone give; 1: 0; 2: NaN."""
    stages: dict[str, Tensor] = figure.stages()
    output, words_alone = stages["output"].sum(), stages["terms"].nansum()
    if output.isnan():
        return 2
    return int(not torch.isclose(output, words_alone))


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "late": ["the", "train", "was", "late"],
        "morning": ["good", "morning"],
        "soon": ["see", "you", "soon"],
        "pad": "‹pad›",
        "sentence": {
            "text": "*late* looks at six keys, two of them padding, and nobody has masked them. "
            "What share of its attention goes to padding?",
            "because": "To softmax a score is a score, whatever stands behind it. Now drag the "
            "edge to 4.",
            "wrong": [
                "Nothing has told softmax which keys are padding.",
                "That is their share of the keys, but it is scores that decide, and theirs are "
                "high.",
            ],
        },
        "wider": {
            "text": "A longer sentence joins the batch, and *good morning* gets four places of "
            "padding instead of two. What share does padding take now?",
            "because": "The sentence is the same, but it reads less of itself, only because "
            "another one in the batch is longer. Drag the edge to 2, and that no longer matters.",
            "wrong": ["That was with two of them. Each place of padding takes a share."],
        },
        "steps": {
            "text": "In row 0 of `X[0]`, keys 0 and 1 weigh 0.65 and 0.35, a ratio of 1.82. "
            "Key 2 has the highest score of the row; let it join. What becomes of the ratio?",
            "options": ["smaller", "still 1.82", "larger"],
            "because": "All three are divided by a larger sum, so a new key takes its share from "
            "the others in proportion: 0.38 and 0.21.",
            "wrong": {
                0: "The larger weight does lose more, but in proportion.",
                2: "The smaller weight does not pay for both.",
            },
        },
        "staircase": {
            "text": "A text is written word by word, so each word may read itself and what stands "
            "before it. *the* comes first, and scores low on itself: 0.1. What weight does it give "
            "itself?",
            "options": ["less than 0.25, as its score is low", "0.25", "1"],
            "because": "Its length is 1: one key shares the weight with nobody. The other lengths "
            "are 2, 3 and 4, a staircase.",
            "wrong": {
                0: "Scores decide among keys that count, and there is one.",
                1: "That would be four keys of equal scores.",
            },
        },
        "pipeline": {
            "text": "In example 0 *good* and the last place of padding hold the same two numbers. "
            "`valid_lens[0]` becomes 4. Whose weight equals that of *good* in every row?",
            "options": [
                "nobody's",
                "the last padding's, with this num_hiddens",
                "the last padding's, with any num_hiddens",
            ],
            "because": "Equal keys get equal scores from any scoring function, and softmax gives "
            "equal scores equal weights.",
            "wrong": {
                0: "A score that depended on the place of its key would do that.",
                1: "Other parameters change the scores, but those of both keys alike.",
            },
        },
        "fill": {
            "text": "Two keys count, and padding is filled with −1e6. Both scores are moved down "
            "to about −2,000,000. Where does the weight go?",
            "options": ["where it was", "all to padding", "nowhere, NaN"],
            "because": "The fill is the largest number of the row now. No error, no NaN, and the "
            "weights sum to 1. Only −∞ lies below every score.",
            "wrong": {
                0: "Softmax sees only differences, but the fill has not moved along.",
                2: "All numbers are finite, and so is everything that comes of them.",
            },
        },
        "empty_row": {
            "text": "Three ways to mask one row agree. Let no key count any more: which of them "
            "still has weights that sum to 1?",
            "options": ["fill −1e6", "fill −∞", "masked_softmax", "none of them"],
            "because": "All scores are −1e6 then, hence equal, and four keys that do not count get "
            "0.25 each. −∞ leads to 0/0; `masked_softmax` says 0.",
            "wrong": {
                1: "Every exponential is 0, and 0/0 is no weight.",
                2: "It does sum to 1 elsewhere, but not here.",
                3: "One of them does, and that is what is wrong with it.",
            },
        },
        "leak": {
            "text": "Padding weighs exactly 0 here. Now it holds NaN, as memory that nobody has "
            "written to may. What is the output?",
            "options": ["1.35, as before", "0", "NaN"],
            "because": "0 · NaN is NaN, and so is any sum that has it. Now tick *clear padding "
            "first*.",
            "wrong": {
                0: "A weight of 0 removes what is finite, and only that.",
                1: "The two keys that count have weights of their own.",
            },
        },
    },
    "zh": {
        "late": ["火车", "今天", "又", "晚点"],
        "morning": ["早上", "好"],
        "soon": ["我们", "回头", "见"],
        "pad": "‹填充›",
        "sentence": {
            "text": "“*晚点*”要看六个键，其中两个是填充，而且都没有被掩蔽。"
            "它的注意力有多少落到了填充上？",
            "because": "对 softmax 来说，分数就是分数，不管后面有没有词。接着把边线拖到 4 看看。",
            "wrong": [
                "没有人告诉过 softmax 哪些键是填充。",
                "这是填充在键里所占的比例；可是权重取决于分数，而这两个分数偏偏很高。",
            ],
        },
        "wider": {
            "text": "批量里来了一句更长的话，“*早上 好*”后面的填充因此从两个增加到四个。"
            "现在填充占去多少权重？",
            "because": "句子本身一个字也没有变，只因为同一批量里来了更长的话，读到自己的就少了。"
            "再把边线拖到 2，别的句子就影响不到它了。",
            "wrong": ["这是只有两个填充时的比例。每多一个填充，就多分走一份。"],
        },
        "steps": {
            "text": "`X[0]` 的行 0 里，键 0 和键 1 的权重是 0.65 和 0.35，比值为 1.82。"
            "键 2 的分数是这一行里最高的，现在让它加入，这个比值会怎样？",
            "options": ["变小", "仍是 1.82", "变大"],
            "because": "三个指数值都除以同一个更大的总和，所以新来的键"
            "按比例从另外两个键那里各分走一份，两者只剩下 0.38 和 0.21。",
            "wrong": {
                0: "较大的权重确实让出得更多，不过是按比例让出的。",
                2: "让出权重的并不只是较小的那一个。",
            },
        },
        "staircase": {
            "text": "逐词写一句话时，每个词只能读到自己和前面的词。“*火车*”排在最前面，"
            "它对自己的分数很低，只有 0.1。它给自己的权重是多少？",
            "options": ["不到 0.25，因为分数低", "0.25", "1"],
            "because": "它的长度是 1，唯一的键不必与谁平分权重。其余的长度是 2、3、4，排成台阶。",
            "wrong": {
                0: "分数只在算数的键之间分高下，而这里只有一个键。",
                1: "那是四个键分数相等的情形。",
            },
        },
        "pipeline": {
            "text": "样本 0 里，“*早上*”和最后一个填充是同样的两个数。"
            "把 `valid_lens[0]` 调到 4 以后，哪个键的权重在每一行里都和“*早上*”相等？",
            "options": [
                "没有这样的键",
                "最后一个填充，但要用现在的 num_hiddens",
                "最后一个填充，num_hiddens 是多少都一样",
            ],
            "because": "因为键相同，用什么评分函数都得到相同的分数，而分数相同，"
            "softmax 给的权重也就相同。",
            "wrong": {
                0: "只有分数还取决于键的位置，才会这样。",
                1: "换了参数，分数确实会变，可是这两个键的分数一起变。",
            },
        },
        "fill": {
            "text": "有两个键算数，填充位置填入 −1e6。现在把两个分数都降到约 −2,000,000，"
            "权重会到哪里去？",
            "options": ["还在原处", "全归填充", "变成 NaN"],
            "because": "填入的数成了一行里最大的。没有报错，没有 NaN，权重之和也是 1。"
            "只有 −∞ 低于所有的分数。",
            "wrong": {
                0: "softmax 确实只看分数之差，可是填入的数没有跟着一起降。",
                2: "所有的数都是有限的，算出来的结果也就都有限。",
            },
        },
        "empty_row": {
            "text": "同一行用三种办法掩蔽，结果都一样。如果一个键也不保留，"
            "哪一种办法的权重之和仍然是 1？",
            "options": ["填入 −1e6", "填入 −∞", "masked_softmax", "都不是"],
            "because": "这时所有的分数都是 −1e6，彼此相等，于是四个不算数的键各得 0.25。"
            "填入 −∞ 会得到 0/0，`masked_softmax` 则给出 0。",
            "wrong": {
                1: "这时指数值全是 0，而 0/0 不能算作权重。",
                2: "在别的行里确实是 1，这一行却不是。",
                3: "其实有一种，问题恰恰也就出在这里。",
            },
        },
        "leak": {
            "text": "填充的权重恰好是 0。现在填充位置的值是 NaN，没有写过的内存里就可能有这样的数。"
            "输出会是多少？",
            "options": ["仍是 1.35", "0", "NaN"],
            "because": "0 × NaN 还是 NaN，把 NaN 加进来的总和也都是 NaN。"
            "接着勾选“先把填充清零”看看。",
            "wrong": {
                0: "权重为 0，只能去掉有限的数。",
                1: "另外两个键的权重并不是 0。",
            },
        },
    },
}
