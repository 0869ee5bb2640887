"""Record the questions of chapter 13, which takes a whole decoder apart.

The figures are those of the stored decoder of `attention_course.decoder`, on the book's sentences.
"""

from types import SimpleNamespace
from typing import Any

from attention_course.decoder import GRAMMARS, sentence
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
)

# Places in the sentences of both languages: START stands at 0.
NAME, VERB = 1, 2
FREE_STEP = 4  # after so many words one comes that nothing determines


def words(lang: Lang) -> SimpleNamespace:
    """Return the questions in a language, and the places that differ, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> say = words(lang="en")
    >>> say.also, sentence("en", say.also).swaps[3]
    (('possessive',), [11, 12])
    """
    return in_language(lang, RECORDS)


def _exchanged(lang: Lang, place: int, word: str) -> list[int]:
    """Return the tokens of the example with another word at a place."""
    tokens = [*sentence(lang).tokens]
    tokens[place] = GRAMMARS[lang].vocabulary.index(word)
    return tokens


def _in_both(place: int, en: str, zh: str) -> dict[str, Any]:
    """Return the state with another word at a place, as `at` of a record."""
    return {"tokens": Translated(_exchanged("en", place, en), _exchanged("zh", place, zh))}


def _most_read(figure: Any) -> int:
    """Return the place that one of the heads reads most, the head with the largest weight."""
    rows = figure.attention_weights[:, figure.step - 1]
    return int(rows.amax(dim=0).argmax())


def _kept(figure: Any) -> str:
    """Say whether the next word is as probable as after the example's own words."""
    before = figure.forward(sentence(figure.lang).tokens)["probabilities"][0, figure.step - 1]
    now = figure.stages()["probabilities"][0, 0]
    return "same" if (now - before).abs().sum() / 2 < 0.1 else "other"


def _shared(figure: Any) -> str:
    """Say how the weights of the words that are left have changed without the first token."""
    whole = figure.forward(figure.written())["attention_weights"][0, figure.step - 1]
    factors = (figure.attention_weights[0, figure.step - 1] / whole)[1 : figure.step]
    if factors.amax() - factors.amin() > 1e-6:
        return "one"
    return "factor" if factors[0] > 1 + 1e-6 else "same"


RECORDS: dict[str, Record] = {
    "grammar": Translated(GRAMMARS["en"], GRAMMARS["zh"]),
    "also": Translated(("possessive",), ()),
    "place_step": Translated(11, 9),  # after so many words the place comes
    "look_step": Translated(6, 4),
    "writes": ChoiceRecord(
        text=Text(
            "The decoder will write the place next. In the sentences that it has read, lost things "
            "turn up in the garden and hidden things in the cellar. Which word must a head read?",
            "解码器接下来要写地点。在它读过的句子里，丢了的东西总在花园里找到，藏了的总在阁楼里。"
            "必须有一个头去读哪个词？",
        ),
        options={
            "verb": Text("*lost*", "“丢了”"),
            "last": Text("*the*", "“在”"),
            "name": Text("*Mia*", "“小雨”"),
            "thing": Text("*key*", "“钥匙”"),
        },
        answer=lambda figure: {NAME: "name", VERB: "verb", figure.step - 1: "last"}.get(
            _most_read(figure), "thing"
        ),
        because=Text(
            "The verb alone tells the garden from the cellar, and head 1 gives nearly all its "
            "weight to *lost*. Exchange *lost* for *hid*.",
            "只有动词能区分花园和阁楼，头 1 几乎把全部权重都给了“丢了”。"
            "把“丢了”换成“藏了”试试。",
        ),
        wrong={
            "last": Text(
                "*the* says that a place follows, but not which one.",
                "“在”只说明接下来是地点，说不出是哪里。",
            ),
            "name": Text(
                "*Mia* would be right before *her* or *She*, which the name determines.",
                "要写“她”的时候，读“小雨”才对，因为名字决定用“她”还是“他”。",
            ),
            "thing": Text(
                "*key* would be right before *it*, which the thing determines.",
                "要判断前面是哪个量词的名词时，“钥匙”才有用，地点与东西无关。",
            ),
        },
    ),
    "saw_verb": ChoiceRecord(
        text=Text(
            "You exchanged *lost* for *hid*, and the place changed. Which head read the verb?",
            "把“丢了”换成“藏了”，地点跟着变了。读动词的是哪个头？",
        ),
        options={
            "head-0": Text("head 0", "头 0"),
            "head-1": Text("head 1", "头 1"),
            "both": Text("both alike", "两个头一样"),
        },
        answer=lambda figure: _reader_of(figure, VERB),
        because=Text(
            "Head 1 gives *hid* nearly all its weight, as it gave *lost*; head 0 spreads its weight "
            "over many words.",
            "头 1 几乎把全部权重给了“藏了”，和刚才对“丢了”一样；头 0 的权重分散在许多词上。",
        ),
        wrong={
            "head-0": Text(
                "Head 0 spreads its weight over many words, and gives the verb little.",
                "头 0 的权重分散在许多词上，动词只得到一点。",
            ),
            "both": Text(
                "Head 0 gives the verb little weight.",
                "头 0 给动词的权重很小。",
            ),
        },
        at=_in_both(VERB, "hid", "藏了"),
    ),
    "sink": ChoiceRecord(
        text=Text(
            "*her* asks, and any thing may follow. Head 0 gives `<s>` the largest weight. You "
            "remove `<s>`. What happens to the weights of the words that are left?",
            "“一”在发问，接下来用哪个量词都行。头 0 把最大的权重给了 `<s>`。"
            "去掉 `<s>` 之后，剩下的词的权重会怎样？",
        ),
        options={
            "factor": Text("all grow by one factor", "都乘上同一个倍数"),
            "one": Text("one word takes it all", "由一个词全部拿走"),
            "same": Text("they stay", "不变"),
        },
        answer=_shared,
        because=Text(
            "softmax divides by the sum of what is left. The weight of `<s>` goes to the words that "
            "the head had in second place, and the probabilities of the next word hardly change.",
            "softmax 除以剩下各项之和，所以 `<s>` 的权重由其余的词按比例分走，"
            "下一个词的概率却几乎不变。",
        ),
        wrong={
            "one": Text(
                "One word would take it all if its score were far above the others.",
                "只有一个词的分数远远高于其余的词，权重才会归它一个。",
            ),
            "same": Text(
                "The weights would stay if the row could sum to less than 1.",
                "要是一行的和可以小于 1，权重就能不变，可是 softmax 的一行之和总是 1。",
            ),
        },
        at={"without": "first-token"},
    ),
    "saw_sink": ChoiceRecord(
        text=Text(
            "Without `<s>`, what happened to the most probable next words?",
            "去掉 `<s>` 之后，最可能的几个词怎样了？",
        ),
        options={
            "same": Text("about as probable as before", "概率与原来相差不多"),
            "other": Text("other words took their place", "换成了别的词"),
        },
        answer=_kept,
        because=Text(
            "`<s>` held weight that this head had no use for, so little was lost with it.",
            "`<s>` 拿着的是这个头用不上的权重，去掉之后损失很小。",
        ),
        wrong={
            "other": Text(
                "Other words would have taken their place if the head had read something there that "
                "the next word depends on.",
                "要是这个头从 `<s>` 读到了下一个词所依赖的东西，才会换成别的词。",
            ),
        },
        at={"without": "first-token"},
    ),
    "look": ChoiceRecord(
        text=Text(
            "The full stop asks for the pronoun. You exchange *Mia* for *Tom* and leave *her* as it "
            "is: *Tom lost her key.* Which pronoun does the decoder write?",
            "“一”在发问，接下来要写量词，头 1 看得最多的是“小雨”。把“小雨”换成“小明”，"
            "各个量词的概率会怎样？",
        ),
        options=Translated(
            {"same": "*She*", "other": "*He*"},
            {"same": "几乎不变", "other": "明显改变"},
        ),
        answer=_kept,
        because=Text(
            "Head 0 reads *her*, and not the name. In every sentence of the training the two agreed, "
            "so *her* was enough.",
            "在训练的句子里，量词与名字毫无关系。头 1 看“小雨”，只是因为一行的权重总得有个去处。",
        ),
        wrong=Translated(
            {
                "other": "*He* would be right if a head read the name here, as the template has it.",
            },
            {
                "other": "要是下一个词是“她”或“他”，换了名字就会明显改变，可接下来是量词。",
            },
        ),
        at=_in_both(NAME, "Tom", "小明"),
    ),
    "saw_look": ChoiceRecord(
        text=Text(
            "Exchange *her* for *his* as well. Which pronoun does the decoder write after *Mia lost "
            "his key.*?",
            "再把“丢了”换成“藏了”，头 1 也看它。量词的概率有没有明显改变？",
        ),
        options=Translated(
            {"other": "*He*", "same": "*She*"},
            {"same": "没有", "other": "有"},
        ),
        answer=_kept,
        because=Text(
            "The word that head 0 reads decides, whatever the name is.",
            "头 1 看“丢了”也是白看，量词与动词无关。",
        ),
        wrong=Translated(
            {"same": "*She* would be right if the name had a say here."},
            {"other": "要是量词由动词决定，概率才会改变。"},
        ),
        at={
            "tokens": Translated(_exchanged("en", 3, "his"), _exchanged("zh", VERB, "藏了")),
        },
    ),
    "cross": ChoiceRecord(
        text=Text(
            "The decoder of this chapter reads one word, `<s>`, when it writes its first. How many "
            "tokens of the sentence can this decoder read when it writes the first character?",
            "本章的解码器写第一个词时，只能读到 `<s>` 一个词。"
            "图中的解码器写日期的第一个字符时，能读到句子的多少个词元？",
        ),
        options={
            "none": Text("none", "一个也没有"),
            "one": Text("one", "一个"),
            "all": Text("all of them", "全部"),
        },
        answer=lambda figure: {0: "none", 1: "one", len(figure.tokens): "all"}[
            int((figure.attention_weights[0, 0] > 0).sum())
        ],
        because=Text(
            "Keys and values come from another text, which is there from the beginning. No causal "
            "mask is needed between two texts.",
            "键和值来自另一段文本，而那段文本从一开始就是完整的，两段文本之间不需要因果掩码。",
        ),
        wrong={
            "none": Text(
                "None would be right for the text that it writes itself, which is still empty.",
                "如果问的是它自己写的日期，那确实一个也没有，因为还什么都没写。",
            ),
            "one": Text(
                "One would be right for self-attention with a causal mask.",
                "如果是带因果掩码的自注意力，第一个词只读一个词元。",
            ),
        },
    ),
    "saw_cross": ChoiceRecord(
        text=Text(
            "Go through the characters of the date. Where do the queries come from?",
            "把日期的字符逐个看一遍。查询来自哪里？",
        ),
        options={
            "written": Text("the date that is written", "正在写的日期"),
            "read": Text("the sentence that is read", "读到的句子"),
        },
        answer=lambda figure: (
            "written"
            if figure.attention_weights.shape[1] == len(figure.written)
            else "read"
        ),
        because=Text(
            "There is one row of weights for each character of the date, and in each row one weight "
            "for each token of the sentence.",
            "日期的每个字符有一行权重，每一行里，句子的每个词元有一个权重。",
        ),
        wrong={
            "read": Text(
                "The sentence offers the keys and the values: a row has a weight for each of its "
                "tokens.",
                "句子给出的是键和值，每一行里，它的每个词元有一个权重。",
            ),
        },
    ),
}


def _reader_of(figure: Any, place: int) -> str:
    """Return the head that gives a place more than half of its weight, or "both"."""
    column = figure.attention_weights[:, figure.step - 1, place]
    heads = [head for head, weight in enumerate(column.tolist()) if weight > 0.5]
    return f"head-{heads[0]}" if len(heads) == 1 else "both"
