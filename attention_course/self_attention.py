"""Record the data, names and questions of the figures in chapter 10."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

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

# Four words in the plane: how much each is a somebody, and how much it refers back.
X = torch.tensor([[[2.0, 0.2], [-0.8, -0.6], [0.4, 1.8], [-1.0, 0.5]]])
HER = 2  # the pronoun, among the words
# Parameters of the projections to queries, keys and values, before anything is learnt.
ASIDE = torch.tensor([[-0.6, 0.0]])
UP = torch.tensor([[0.0, 1.5]])
RIGHT = torch.tensor([[1.2, 0.0]])
DOWN = torch.tensor([[0.5, -1.0]])
# Two nouns and a verb.
DOG = torch.tensor([[[1.0, 0.5], [-0.5, 1.5], [1.2, -0.4]]])
# The scores of each word on each word, and the same followed by scores of padding.
SCORES = torch.tensor(
    [[0.1, 0.9, 0.3, 0.6], [0.7, 0.2, 0.5, 1.1], [0.4, 1.2, 0.1, 0.8], [0.1, 0.9, 0.3, 0.6]]
)
PADDED = torch.nn.functional.pad(SCORES, (0, 2, 0, 2), value=0.5)
POSITION = 6  # the position whose curve is drawn first


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").bites
    ['狗', '咬', '人']
    """
    return in_language(lang, RECORDS)


def _heaviest_for_her(figure: Any) -> str:
    return _FOUND.en[int(figure.attention_weights[0, HER].argmax())]


def _what_is_symmetric(figure: Any) -> str:
    stages: dict[str, Tensor] = figure.stages()
    if torch.allclose(stages["attention_weights"], stages["attention_weights"].mT):
        return "scores and weights"
    return "scores" if torch.allclose(stages["scores"], stages["scores"].mT) else "neither"


def _what_changed(figure: Any) -> str:
    """Compare weights and outputs with those before `W_v` has turned."""
    weights, output = (figure.stages()[x] for x in ("attention_weights", "output"))
    x = X.double()
    before = torch.softmax(x @ UP.T.double() @ (x @ RIGHT.T.double()).mT, dim=-1)
    changed = (
        not torch.allclose(weights, before),
        not torch.allclose(output, before @ x @ DOWN.T.double()),
    )
    return {(True, False): "weights", (False, True): "outputs", (True, True): "both"}[changed]


def _output_in_the_middle(figure: Any) -> str:
    return "changed" if figure.stages()["moved"][0, 0, 1] > 0 else "unchanged"


def _outputs_that_changed(figure: Any) -> str:
    first, middle, last = (figure.stages()["moved"][0, 0] > 0).tolist()
    return {
        (False, False, False): "none",
        (True, False, True): "exchanged words",
        (True, True, True): "all",
    }[first, middle, last]


def _change_of_the_curve(figure: Any) -> str:
    (now,) = figure.stages()["products"][0]
    with figure._in_state({"position": POSITION}):
        (before,) = figure.stages()["products"][0]
    shift = figure.position - POSITION
    if torch.allclose(now, before):
        return "unchanged"
    return "shifted" if torch.allclose(now[shift:], before[:-shift]) else "flatter"


def _unmasked(figure: Any) -> Tensor:
    return torch.softmax(figure.stages()["scores"][0], dim=-1)


def _unchanged_row(figure: Any) -> str:
    """Return the word of the only row that is the same as without a mask."""
    (row,) = (figure.attention_weights[0] - _unmasked(figure)).abs().amax(-1).eq(0).nonzero()
    return _FOUND.en[int(row)]


def _rows_that_changed(figure: Any) -> str:
    """Compare the rows with those of a causal mask alone."""
    now = figure.attention_weights[0]
    with figure._in_state({"valid_lens": [[1, 2, 3, 4, 5, 6]]}):
        before = figure.attention_weights[0]
    changed = (now != before).any(-1)
    of_words, of_padding = bool(changed[:4].any()), bool(changed[4:].all())
    if of_words and of_padding:
        return "all"
    return "words" if of_words else "padding" if of_padding else "none"


_FOUND = Translated(["Mia", "found", "her", "key"], ["小雨", "找到", "她的", "钥匙"])

RECORDS: dict[str, Record] = {
    "found": _FOUND,
    "axes": Translated(["somebody", "refers back"], ["指人", "指代前文"]),
    "bites": Translated(["dog", "bites", "man"], ["狗", "咬", "人"]),
    "padded": Translated([*_FOUND.en, "‹pad›", "‹pad›"], [*_FOUND.zh, "‹填充›", "‹填充›"]),
    "asking": ChoiceRecord(
        text=Text(
            "Each word asks with its shadow on `W_q` and answers with its shadow on `W_k`. Let "
            "`W_q` point straight up. At which word does *her* look most?",
            "每个词用自己在 `W_q` 上的投影来问，用在 `W_k` 上的投影来答。"
            "现在“*她的*”没有特别看重哪个词。让 `W_q` 笔直朝上，“*她的*”会最看重哪个词？",
        ),
        options=named_options(_FOUND),
        answer=_heaviest_for_her,
        because=Text(
            "*her* casts a long shadow on `W_q`, *Mia* the longest on `W_k`. Their product is the "
            "highest score of the row.",
            "“*她的*”在 `W_q` 上投影很长，“*小雨*”在 `W_k` 上投影最长，"
            "两者相乘就是这一行里最高的分数。",
        ),
        wrong={
            **dict.fromkeys(
                ["found", "key"],
                Text(
                    "Its shadow on `W_k` lies on the other side of 0, and the score is negative.",
                    "它在 `W_k` 上的投影落在 0 的另一侧，分数是负的。",
                ),
            ),
            "her": Text("Its own shadow on `W_k` is short.", "它自己在 `W_k` 上的投影很短。"),
        },
        at={"W_q": UP},
        kind=PlaceQuestion,
    ),
    "alike": ChoiceRecord(
        text=Text(
            "`W_k` becomes the same as `W_q`. Does *her* then look at *Mia* as much as *Mia* at "
            "*her*?",
            "让 `W_k` 和 `W_q` 完全一样。这时“*她的*”看“*小雨*”，和“*小雨*”看“*她的*”，"
            "是不是一样多？",
        ),
        options={
            "scores and weights": Text("yes, in scores and in weights", "分数和权重都一样"),
            "scores": Text("in scores, not in weights", "分数一样，权重不一样"),
            "neither": Text("in neither", "分数和权重都不一样"),
        },
        answer=_what_is_symmetric,
        because=Text(
            "The product of two shadows has no direction, but each row is divided by a sum of its "
            "own.",
            "两个投影相乘不分先后，可是每一行都要除以自己的总和。",
        ),
        wrong={
            "scores and weights": Text(
                "Softmax divides each row by its own sum.", "softmax 把每一行除以这一行自己的总和。"
            ),
            "neither": Text(
                "Shadow times shadow: who comes first does not matter.",
                "投影乘投影，谁在前谁在后都一样。",
            ),
        },
        at={"W_k": UP},
    ),
    "bringing": ChoiceRecord(
        text=Text("`W_v` turns half round. What changes?", "把 `W_v` 转半圈，什么会变？"),
        options={
            "weights": Text("the weights", "权重"),
            "outputs": Text("the outputs", "输出"),
            "both": Text("both", "两者都变"),
        },
        answer=_what_changed,
        because=Text(
            "Every value changes its sign, and so does every output. Who looks at whom is a "
            "matter of `W_q` and `W_k`.",
            "每个值都变了号，输出也就都变了号。谁看谁，只由 `W_q` 和 `W_k` 决定。",
        ),
        wrong=dict.fromkeys(
            ["weights", "both"], Text("No score sees a value.", "分数从来不看值。")
        ),
        at={"W_v": -DOWN},
    ),
    "shuffled": ChoiceRecord(
        text=Text(
            "*dog bites man*. Let *dog* and *man* change places. What becomes of the output of "
            "*bites*?",
            "“*狗咬人*”这句话，让“*狗*”和“*人*”换个位置。“*咬*”的输出会怎样？",
        ),
        options={
            "unchanged": Text("unchanged", "不变"),
            "changed": Text("changed", "会变"),
        },
        answer=_output_in_the_middle,
        because=Text(
            "*bites* meets the same two words, with the same scores. In a weighted sum nobody "
            "stands first.",
            "“*咬*”遇到的还是那两个词，分数也没有变。加权求和不分先后。",
        ),
        wrong={
            "changed": Text(
                "It meets the same words with the same scores, only written elsewhere.",
                "遇到的词和分数都没有变，只是写在了别处。",
            ),
        },
        at={"order": [2, 1, 0]},
    ),
    "placed": ChoiceRecord(
        text=Text(
            "Now the vector of its position is added to each word. *dog* and *man* change places "
            "again, *bites* stays. Which outputs change?",
            "现在每个词都加上了所在位置的向量。再让“*狗*”和“*人*”换位置，“*咬*”不动。"
            "哪些词的输出会变？",
        ),
        options={
            "none": Text("none", "都不变"),
            "exchanged words": Text("those of dog and man", "狗和人的"),
            "all": Text("all three", "三个都变"),
        },
        answer=_outputs_that_changed,
        because=Text(
            "*bites* has kept its own vector, but *dog* in place 2 is another key and another "
            "value than *dog* in place 0.",
            "“*咬*”自己的向量没有变，可是位置 2 上的“*狗*”，已经不是位置 0 上那个键、那个值了。",
        ),
        wrong={
            "none": Text(
                "A word in another place is another vector now.",
                "同一个词换了位置，就是另一个向量了。",
            ),
            "exchanged words": Text(
                "*bites* reads the two, and both have become others.",
                "“*咬*”要读那两个词，而它们都变了。",
            ),
        },
        at={"order": [2, 1, 0]},
    ),
    "clocks": ChoiceRecord(
        text=Text(
            f"The curve is the product of position {POSITION} with every position. We go to "
            f"position {5 * POSITION}. What becomes of the curve?",
            f"这条曲线是位置 {POSITION} 与各个位置的点积。"
            f"如果换成位置 {5 * POSITION}，曲线会怎样？",
        ),
        options={
            "unchanged": Text("the same, in its place", "留在原处"),
            "shifted": Text("the same, moved along", "跟着移动，形状不变"),
            "flatter": Text("a flatter one", "变得平缓"),
        },
        answer=_change_of_the_curve,
        because=Text(
            "Each hand has turned, but the angle between two hands depends on how far apart their "
            "positions are, and on nothing else.",
            "每根指针都转了，但两根指针的夹角只取决于两个位置相隔多远。",
        ),
        wrong={
            "unchanged": Text(
                "A position is most like itself, so the top moves with it.",
                "一个位置最像它自己，所以最高点会跟着走。",
            ),
            "flatter": Text(
                "Both hands of a clock turn on by the same angle.",
                "同一只钟上的两根指针，转过的角度是一样的。",
            ),
        },
        at={"position": 5 * POSITION},
    ),
    "causal": ChoiceRecord(
        text=Text(
            "Nobody may look ahead now: lengths 1, 2, 3, 4. Whose row stays as it is?",
            "现在谁也不能往后看，长度是 1、2、3、4。哪个词的那一行不变？",
        ),
        options=named_options(_FOUND),
        answer=_unchanged_row,
        because=Text(
            "The last word has nothing ahead of it. All the others lose some keys, and their rows "
            "are divided by smaller sums.",
            "最后一个词后面什么也没有。其余各行都少了几个键，分母也变小了。",
        ),
        wrong={
            "Mia": Text(
                "It sees only itself now, with weight 1. Before it saw four words.",
                "它现在只看到自己，权重是 1，原来它看到四个词。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4]], "row": 3},
        kind=PlaceQuestion,
    ),
    "both": ChoiceRecord(
        text=Text(
            "Nobody looks ahead, and behind the sentence stand two places of padding. Now a "
            "padding mask is added. Whose rows change?",
            "谁也不往后看，句子后面还有两个填充。现在再加上填充掩码，哪些行会变？",
        ),
        options={
            "none": Text("nobody's", "都不变"),
            "words": Text("those of the words", "词的那几行"),
            "padding": Text("those of the padding", "填充的那几行"),
            "all": Text("all", "全部"),
        },
        answer=_rows_that_changed,
        because=Text(
            "Padding stands behind the words, and no word looks ahead. Only padding looks at "
            "padding, and nobody reads what it makes of that.",
            "填充排在词的后面，而词不往后看。会去看填充的只有填充，它算出什么来，也没有人读。",
        ),
        wrong={
            "none": Text("The last two lengths were 5 and 6.", "最后两个长度原来是 5 和 6。"),
            "words": Text(
                "No word has looked at padding: it lies ahead of them all.",
                "填充在所有词的后面，没有一个词看到过它。",
            ),
            "all": Text(
                "The first four lengths were 4 at most, and still are.",
                "前四个长度本来就不超过 4，现在也没有变。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4, 4, 4]], "row": 4},
    ),
}
