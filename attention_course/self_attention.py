"""Chapter 10: the words and numbers of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor

from attention_course.asking import choice
from attention_figures import Place, Question

Lang = Literal["en", "zh"]

# Four words in the plane: how much of a somebody each is, and how much it refers back.
X = torch.tensor([[[2.0, 0.2], [-0.8, -0.6], [0.4, 1.8], [-1.0, 0.5]]])
HER = 2  # the pronoun, among the words
# Where each word's query, key and value come from, before anything is learnt.
ASIDE = torch.tensor([[-0.6, 0.0]])
UP = torch.tensor([[0.0, 1.5]])
RIGHT = torch.tensor([[1.2, 0.0]])
DOWN = torch.tensor([[0.5, -1.0]])
# Two nouns and a verb.
DOG = torch.tensor([[[1.0, 0.5], [-0.5, 1.5], [1.2, -0.4]]])
# The scores of each word on each, and those of padding behind them.
SCORES = torch.tensor(
    [[0.1, 0.9, 0.3, 0.6], [0.7, 0.2, 0.5, 1.1], [0.4, 1.2, 0.1, 0.8], [0.1, 0.9, 0.3, 0.6]]
)
PADDED = torch.nn.functional.pad(SCORES, (0, 2, 0, 2), value=0.5)
POSITION = 6  # of which the curve is drawn at first


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    found: list[str]  # four words
    axes: list[str]  # two
    bites: list[str]  # three words
    padded: list[str]  # the four, and two places of padding
    asking: Question
    alike: Question
    bringing: Question
    shuffled: Question
    placed: Question
    clocks: Question
    causal: Question
    both: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").bites
    ['狗', '咬', '人']
    """
    say = _SAY[lang]
    return Words(
        **{name: say[name] for name in ("found", "axes", "bites", "padded")},
        asking=Place(
            say["asking"]["text"],
            options=say["found"],
            answer=lambda figure: figure.attention_weights[0, HER].argmax(),
            because=say["asking"]["because"],
            at={"W_q": UP},
            wrong=say["asking"]["wrong"],
        ),
        alike=choice(say["alike"], _what_is_symmetric, W_k=UP),
        bringing=choice(say["bringing"], _what_has_changed, W_v=-DOWN),
        shuffled=choice(say["shuffled"], _what_moved, order=[2, 1, 0]),
        placed=choice(say["placed"], _how_many_moved, order=[2, 1, 0]),
        clocks=choice(say["clocks"], _what_becomes_of_the_curve, position=5 * POSITION),
        causal=Place(
            say["causal"]["text"],
            options=say["found"],
            answer=_same_rows,
            because=say["causal"]["because"],
            at={"valid_lens": [[1, 2, 3, 4]], "row": 3},
            wrong=say["causal"]["wrong"],
        ),
        both=choice(say["both"], _whose_rows_change, valid_lens=[[1, 2, 3, 4, 4, 4]], row=4),
    )


def _what_is_symmetric(figure: Any) -> int:
    """0: scores and weights; 1: scores alone; 2: neither."""
    stages: dict[str, Tensor] = figure.stages()
    same = [torch.allclose(stages[x], stages[x].mT) for x in ("attention_weights", "scores")]
    return [*same, True].index(True)


def _what_has_changed(figure: Any) -> int:
    """0: the weights alone; 1: the outputs alone; 2: both."""
    weights, output = (figure.stages()[x] for x in ("attention_weights", "output"))
    x = X.double()
    before = torch.softmax(x @ UP.T.double() @ (x @ RIGHT.T.double()).mT, dim=-1)
    changed = [not torch.allclose(weights, before)]
    changed.append(not torch.allclose(output, before @ x @ DOWN.T.double()))
    return [[True, False], [False, True], [True, True]].index(changed)


def _what_moved(figure: Any) -> int:
    """Whether the output of the word in the middle has changed: 0 no, 1 yes."""
    return int(figure.stages()["moved"][0, 0, 1] > 0)


def _how_many_moved(figure: Any) -> int:
    """0: no output has changed; 1: those of the words that have moved; 2: all."""
    moved = (figure.stages()["moved"][0, 0] > 0).tolist()
    return [[False] * 3, [True, False, True], [True] * 3].index(moved)


def _what_becomes_of_the_curve(figure: Any) -> int:
    """0: it stays where it was; 1: it moves along; 2: it takes another form."""
    (now,) = figure.stages()["products"][0]
    with figure._in_state({"position": POSITION}):
        (before,) = figure.stages()["products"][0]
    shift = figure.position - POSITION
    if torch.allclose(now, before):
        return 0
    return 1 if torch.allclose(now[shift:], before[:-shift]) else 2


def _unmasked(figure: Any) -> Tensor:
    return torch.softmax(figure.stages()["scores"][0], dim=-1)


def _same_rows(figure: Any) -> int:
    """Return the one row that is as if there were no mask."""
    (row,) = (figure.attention_weights[0] - _unmasked(figure)).abs().amax(-1).eq(0).nonzero()
    return int(row)


def _whose_rows_change(figure: Any) -> int:
    """Against a causal mask alone. 0: no rows; 1: those of words; 2: those of padding; 3: all."""
    now = figure.attention_weights[0]
    with figure._in_state({"valid_lens": [[1, 2, 3, 4, 5, 6]]}):
        before = figure.attention_weights[0]
    changed = (now != before).any(-1)
    of_words, of_padding = bool(changed[:4].any()), bool(changed[4:].all())
    return int(of_words) + 2 * int(of_padding)


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "found": ["Mia", "found", "her", "key"],
        "axes": ["somebody", "refers back"],
        "bites": ["dog", "bites", "man"],
        "padded": ["Mia", "found", "her", "key", "‹pad›", "‹pad›"],
        "asking": {
            "text": "Each word asks with its shadow on `W_q` and answers with its shadow on `W_k`. "
            "Let `W_q` point straight up. At which word does *her* look most?",
            "because": "*her* casts a long shadow on `W_q`, *Mia* the longest on `W_k`. Their "
            "product is the highest score of the row.",
            "wrong": {
                1: "Its shadow on `W_k` lies on the other side of 0, and the score is negative.",
                2: "Its own shadow on `W_k` is short.",
                3: "Its shadow on `W_k` lies on the other side of 0, and the score is negative.",
            },
        },
        "alike": {
            "text": "`W_k` becomes the same as `W_q`. Does *her* then look at *Mia* as much as "
            "*Mia* at *her*?",
            "options": [
                "yes, in scores and in weights",
                "in scores, not in weights",
                "in neither",
            ],
            "because": "The product of two shadows has no direction, but each row is divided by a "
            "sum of its own.",
            "wrong": {
                0: "Softmax divides each row by its own sum.",
                2: "Shadow times shadow: who comes first does not matter.",
            },
        },
        "bringing": {
            "text": "`W_v` turns half round. What changes?",
            "options": ["the weights", "the outputs", "both"],
            "because": "Every value changes its sign, and so does every output. Who looks at whom "
            "is a matter of `W_q` and `W_k`.",
            "wrong": {0: "No score sees a value.", 2: "No score sees a value."},
        },
        "shuffled": {
            "text": "*dog bites man*. Let *dog* and *man* change places. What becomes of the "
            "output of *bites*?",
            "options": ["unchanged", "changed"],
            "because": "*bites* meets the same two words, with the same scores. In a weighted sum "
            "nobody stands first.",
            "wrong": {1: "It meets the same words with the same scores, only written elsewhere."},
        },
        "placed": {
            "text": "Now the vector of its position is added to each word. *dog* and *man* change "
            "places again, *bites* stays. Which outputs change?",
            "options": ["none", "those of dog and man", "all three"],
            "because": "*bites* has kept its own vector, but *dog* in place 2 is another key and "
            "another value than *dog* in place 0.",
            "wrong": {
                0: "A word in another place is another vector now.",
                1: "*bites* reads the two, and both have become others.",
            },
        },
        "clocks": {
            "text": f"The curve is the product of position {POSITION} with every position. "
            f"We go to position {5 * POSITION}. What becomes of the curve?",
            "options": ["the same, in its place", "the same, moved along", "a flatter one"],
            "because": "Each hand has turned, but the angle between two hands depends on how far "
            "apart their positions are, and on nothing else.",
            "wrong": {
                0: "A position is most like itself, so the top moves with it.",
                2: "Both hands of a clock turn on by the same angle.",
            },
        },
        "causal": {
            "text": "Nobody may look ahead now: lengths 1, 2, 3, 4. Whose row stays as it is?",
            "because": "The last word has nothing ahead of it. All the others lose some keys, and "
            "their rows are divided by smaller sums.",
            "wrong": {0: "It sees only itself now, with weight 1. Before it saw four words."},
        },
        "both": {
            "text": "Nobody looks ahead, and behind the sentence stand two places of padding. Now "
            "a padding mask is added. Whose rows change?",
            "options": ["nobody's", "those of the words", "those of the padding", "all"],
            "because": "Padding stands behind the words, and no word looks ahead. Only padding "
            "looks at padding, and nobody reads what it makes of that.",
            "wrong": {
                0: "The last two lengths were 5 and 6.",
                1: "No word has looked at padding: it lies ahead of them all.",
                3: "The first four lengths were 4 at most, and still are.",
            },
        },
    },
    "zh": {
        "found": ["小雨", "找到", "她的", "钥匙"],
        "axes": ["指人", "指代前文"],
        "bites": ["狗", "咬", "人"],
        "padded": ["小雨", "找到", "她的", "钥匙", "‹填充›", "‹填充›"],
        "asking": {
            "text": "每个词用自己在 `W_q` 上的投影来问，用在 `W_k` 上的投影来答。"
            "现在“*她的*”没有特别看重哪个词。让 `W_q` 笔直朝上，“*她的*”会最看重哪个词？",
            "because": "“*她的*”在 `W_q` 上投影很长，“*小雨*”在 `W_k` 上投影最长，"
            "两者相乘就是这一行里最高的分数。",
            "wrong": {
                1: "它在 `W_k` 上的投影落在 0 的另一侧，分数是负的。",
                2: "它自己在 `W_k` 上的投影很短。",
                3: "它在 `W_k` 上的投影落在 0 的另一侧，分数是负的。",
            },
        },
        "alike": {
            "text": "让 `W_k` 和 `W_q` 完全一样。这时“*她的*”看“*小雨*”，"
            "和“*小雨*”看“*她的*”，是不是一样多？",
            "options": [
                "分数和权重都一样",
                "分数一样，权重不一样",
                "分数和权重都不一样",
            ],
            "because": "两个投影相乘不分先后，可是每一行都要除以自己的总和。",
            "wrong": {
                0: "softmax 把每一行除以这一行自己的总和。",
                2: "投影乘投影，谁在前谁在后都一样。",
            },
        },
        "bringing": {
            "text": "把 `W_v` 转半圈，什么会变？",
            "options": ["权重", "输出", "两者都变"],
            "because": "每个值都变了号，输出也就都变了号。谁看谁，只由 `W_q` 和 `W_k` 决定。",
            "wrong": {0: "分数从来不看值。", 2: "分数从来不看值。"},
        },
        "shuffled": {
            "text": "“*狗咬人*”这句话，让“*狗*”和“*人*”换个位置。“*咬*”的输出会怎样？",
            "options": ["不变", "会变"],
            "because": "“*咬*”遇到的还是那两个词，分数也没有变。加权求和不分先后。",
            "wrong": {1: "遇到的词和分数都没有变，只是写在了别处。"},
        },
        "placed": {
            "text": "现在每个词都加上了所在位置的向量。再让“*狗*”和“*人*”换位置，“*咬*”不动。"
            "哪些词的输出会变？",
            "options": ["都不变", "狗和人的", "三个都变"],
            "because": "“*咬*”自己的向量没有变，可是位置 2 上的“*狗*”，"
            "已经不是位置 0 上那个键、那个值了。",
            "wrong": {
                0: "同一个词换了位置，就是另一个向量了。",
                1: "“*咬*”要读那两个词，而它们都变了。",
            },
        },
        "clocks": {
            "text": f"这条曲线是位置 {POSITION} 与各个位置的点积。"
            f"如果换成位置 {5 * POSITION}，曲线会怎样？",
            "options": ["留在原处", "跟着移动，形状不变", "变得平缓"],
            "because": "每根指针都转了，但两根指针的夹角只取决于两个位置相隔多远。",
            "wrong": {
                0: "一个位置最像它自己，所以最高点会跟着走。",
                2: "同一只钟上的两根指针，转过的角度是一样的。",
            },
        },
        "causal": {
            "text": "现在谁也不能往后看，长度是 1、2、3、4。哪个词的那一行不变？",
            "because": "最后一个词后面什么也没有。其余各行都少了几个键，分母也变小了。",
            "wrong": {0: "它现在只看到自己，权重是 1，原来它看到四个词。"},
        },
        "both": {
            "text": "谁也不往后看，句子后面还有两个填充。现在再加上填充掩码，哪些行会变？",
            "options": ["都不变", "词的那几行", "填充的那几行", "全部"],
            "because": "填充排在词的后面，而词不往后看。会去看填充的只有填充，"
            "它算出什么来，也没有人读。",
            "wrong": {
                0: "最后两个长度原来是 5 和 6。",
                1: "填充在所有词的后面，没有一个词看到过它。",
                3: "前四个长度本来就不超过 4，现在也没有变。",
            },
        },
    },
}
