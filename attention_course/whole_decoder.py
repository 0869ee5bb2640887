"""Record the questions of chapter 13, which takes a whole decoder apart.

The figures are those of the stored decoder of `attention_course.decoder`, on the book's sentences.
"""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.decoder import GRAMMARS, sentence
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import DecoderPartsFigure, LookAheadFigure
from attention_figures.pooling import tempered_softmax

# Places in the sentences of both languages: START stands at 0.
NAME, VERB = 1, 2
FREE_STEP = 4  # after so many words one comes that nothing determines
LOOK_STEP = 6  # and here a head reads a word on which the next one does not depend


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
    whole = figure.forward(figure.written())["attention_weights"][:, figure.step - 1]
    head = int(whole[:, 0].argmax())  # which gives the first token most
    factors = (figure.attention_weights[head, figure.step - 1] / whole[head])[1 : figure.step]
    if factors.amax() - factors.amin() > 1e-6:
        return "one"
    return "factor" if factors[0] > 1 + 1e-6 else "same"


def _fitting(figure: Any) -> str:
    """Say whether the three most probable next words fit there."""
    best = figure.stages()["probabilities"][0, 0].topk(3).indices.tolist()
    return "fit" if {*best} <= {*figure.swaps[figure.step]} else "other"


def _reader_of(figure: Any, place: int) -> str:
    """Return the head that gives a place more than half of its weight, or "both"."""
    column = figure.attention_weights[:, figure.step - 1, place]
    heads = [head for head, weight in enumerate(column.tolist()) if weight > 0.5]
    return f"head-{heads[0]}" if len(heads) == 1 else "both"


def _first_that_changes(figure: Any) -> str:
    """Run torch with two verbs, and find the first tensor that differs at the word that asks."""
    passes = []
    for verb in figure.swaps[VERB][:2]:
        figure.tokens = [*figure.tokens[:VERB], verb, *figure.tokens[VERB + 1 :]]
        passes.append(figure.forward(figure.written()))
    query = figure.step - 1
    return next(
        name
        for name in ("inputs", "queries", "read", "fed")
        if not torch.equal(*(found[name][0, query] for found in passes))
    )


def _what_sums_do(figure: Any) -> str:
    """Check both sums: what was there stays, and something is added."""
    x = figure.numbers()
    kept = [
        x["after_attention"] - (x["inputs"] + x["attended"]),
        x["outputs"] - (x["after_attention"] + x["fed"]),
    ]
    return "added" if max(map(abs, kept)) < 1e-9 else "replaced"


def _most_wrong(figure: DecoderPartsFigure) -> str:
    """Return the part without which most words are wrong."""
    return max(figure.removable, key=lambda part: len(figure.wrong(part)))


def _without_sum(figure: DecoderPartsFigure) -> str:
    """Say what becomes of the words: the same, repetitions, or other wrong ones."""
    if not figure.wrong():
        return "same"
    stages = figure.stages()
    repeated = stages["guessed"] == stages["written"]
    return "repeated" if 2 * repeated.sum() > repeated.numel() else "wrong"


def _loss(figure: LookAheadFigure) -> str:
    """Compare the loss with 0, and with that of the decoder that was trained with the mask."""
    loss, masked = figure.loss(), figure.loss("masked", "so_far")
    return "none" if loss < 1 else "alike" if loss < 1.5 * masked else "worse"


def _written_alone(figure: LookAheadFigure) -> str:
    """Say what the decoder writes."""
    words = figure.text().split()
    return "repeats" if any(a == b for a, b in pairwise(words)) else "right"


def _after_start(figure: Any, temperature: float | None = None) -> Tensor:
    """Return the probabilities of the first word, (V,), at the figure's temperature or another."""
    logits = figure.forward(figure.tokens)["logits"][:, :1]
    return tempered_softmax(logits, temperature or figure.temperature)[0, 0]


def _change_of_names(figure: Any) -> str:
    """Say what becomes of the six names, compared with a temperature of 1."""
    before, after = _after_start(figure, 1), _after_start(figure)
    names = before.topk(6).indices
    if after[names].max() > 2 * after[names].min():
        return "one"
    return "lose" if (after < before)[names].all() else "gain"


def _change_of_equals(figure: Any) -> str:
    """Say what becomes of the most equal names, compared with a temperature of 4."""
    before, after = _after_start(figure, 4), _after_start(figure)
    names = before.topk(6).indices
    gaps = -before[names].diff()
    pair = names[gaps.argmin() :][:2]
    one, other = (after / before)[pair].tolist()
    if abs(one - other) > 0.1:
        return "one"
    return "both" if min(one, other) > 1.1 else "none"


_CACHED = {("key", "value"): "pair", ("query", "key", "value"): "all", (): "nothing"}


def _cached(figure: Any) -> str:
    """Say what the cache has of the earlier tokens."""
    return _CACHED.get(tuple(figure.kept), "weights")


def _gained(figure: Any) -> str:
    """Say what the cache has gained since the step before."""
    now = figure.stages()["kept"]
    figure.step -= 1
    gained = (now - figure.stages()["kept"])[0].sum(dim=0).tolist()
    return {(0, 1, 1, 0, 0, 0): "pair", (1, 1, 1, 0, 0, 0): "all"}.get(tuple(gained), "again")


RECORDS: dict[str, Record] = {
    "grammar": Translated(GRAMMARS["en"], GRAMMARS["zh"]),
    "also": Translated(("possessive",), ()),
    "slots": Translated(  # the determined words
        {
            "possessive": "her or his",
            "pronoun": "She or He",
            "object": "it or them",
            "place": "place",
        },
        {"noun": "名词", "pronoun": "她或他", "place": "地点", "object": "它或它们"},
    ),
    "after": Translated(["<s>", "the"], ["<s>", "在"]),
    "place_step": Translated(11, 9),  # after so many words the place comes
    "writes": ChoiceRecord(
        text=Text(
            "The decoder will write the place next. In the sentences that it has read, lost things "
            "turn up in the garden and hidden things in the cellar. Which word must a head read?",
            "接下来该写地点了。在训练用的句子里，丢了的东西总是在花园里找到，"
            "藏了的东西总是在阁楼里找到。要写对地点，至少要有一个头读到哪个词？",
        ),
        options={
            "verb": Text("lost", "丢了"),
            "last": Text("the", "在"),
            "name": Text("Mia", "小雨"),
            "thing": Text("key", "钥匙"),
        },
        answer=lambda figure: {NAME: "name", VERB: "verb", figure.step - 1: "last"}.get(
            _most_read(figure), "thing"
        ),
        because=Text(
            "Only the verb tells the garden from the cellar. Swap *lost* for *hid*, and see which "
            "head reads the verb.",
            "是花园还是阁楼，由动词决定。把“丢了”换成“藏了”，看看是哪个头在读动词。",
        ),
        wrong={
            "last": Text(
                "*the* says that a place follows, but not which place.",
                "从“在”只能知道接下来是地点，不知道是哪里。",
            ),
            "name": Text(
                "*Mia* determines *her* and *She*, but not the place.",
                "“小雨”只决定用“她”还是“他”，与地点无关。",
            ),
            "thing": Text(
                "*key* determines *it*, but not the place.",
                "名词不影响地点，换哪个名词都一样。",
            ),
        },
    ),
    "saw_verb": ChoiceRecord(
        text=Text(
            "Swap *lost* for *hid*, and look at the step that writes the place. Which head reads "
            "the verb?",
            "把“丢了”换成“藏了”，看写地点的那一步。是哪个头在读动词？",
        ),
        options={
            "head-0": Text("head 0", "头 0"),
            "head-1": Text("head 1", "头 1"),
            "both": Text("both alike", "两个头都读了"),
        },
        answer=lambda figure: _reader_of(figure, VERB),
        because=Text(
            "Head 1 gives *hid* nearly all its weight, just as it gives *lost* nearly all. Head 0 "
            "spreads its weight over many words.",
            "头 1 几乎把全部权重给了“藏了”，不换词时，对“丢了”也是这样。"
            "头 0 的权重则分散在许多词上。",
        ),
        wrong={
            "head-0": Text(
                "Head 0 gives the verb only a little of its weight.",
                "头 0 分给动词的权重很少。",
            ),
            "both": Text(
                "Head 0 gives the verb little weight.",
                "头 0 分给动词的权重很少。",
            ),
        },
        at=_in_both(VERB, "hid", "藏了"),
    ),
    "sink": ChoiceRecord(
        text=Text(
            "*her* asks, and any thing may follow. Head 0 gives `<s>` the largest weight. You "
            "remove `<s>`. What happens to the weights of the remaining words?",
            "现在由“一”提问，接下来用哪个量词都行，头 1 给 `<s>` 的权重最大。如果去掉 `<s>`，"
            "其余各词的权重会怎样变化？",
        ),
        options={
            "factor": Text("all grow by the same factor", "都变大，倍数相同"),
            "one": Text("one word gets all the weight", "全部集中到一个词上"),
            "same": Text("no change", "不变"),
        },
        answer=_shared,
        because=Text(
            "Softmax divides by the sum of what is left, so every weight is divided by the same "
            "number.",
            "去掉 `<s>` 以后，softmax 改为除以剩下各项之和，所以每个权重都放大了同样的倍数。",
        ),
        wrong={
            "one": Text(
                "One word gets all the weight only when its score lies far above the others.",
                "其余的词里没有哪个词的分数特别高，所以不会独占权重。",
            ),
            "same": Text(
                "Unchanged weights would sum to less than 1, but each row sums to 1.",
                "如果权重都不变，这一行的和就不到 1 了，但 softmax 每行的和总是 1。",
            ),
        },
        at={"without": "first-token"},
    ),
    "saw_sink": ChoiceRecord(
        text=Text(
            "Remove `<s>`. Which words are the most probable then?",
            "去掉 `<s>`，这时概率最大的是哪些词？",
        ),
        options={
            "fit": Text("words for things, as before", "和原来一样，都是量词"),
            "other": Text("words that do not fit here", "换成了不合适的词"),
        },
        answer=_fitting,
        because=Text(
            "The head had no use for the weight that `<s>` held, so little was lost with it.",
            "头 1 放在 `<s>` 上的权重本来就用不上，去掉以后，几个量词的概率只变了几个百分点。",
        ),
        wrong={
            "other": Text(
                "Words that do not fit come up only when a head loses a word that matters, but "
                "`<s>` says nothing.",
                "`<s>` 里没有这句话的信息，去掉以后不会写错词。",
            ),
        },
        at={"without": "first-token"},
    ),
    "look": ChoiceRecord(
        text=Text(
            "The full stop asks for the pronoun. You swap *Mia* for *Tom* and keep *her*: *Tom "
            "lost her key.* Which pronoun does the decoder write?",
            "由“钥匙”提问，接下来是句号，这时头 1 给“小雨”的权重最大。如果把“小雨”换成“小明”，"
            "句号的概率会怎样变化？",
        ),
        options=Translated(
            {"same": "She", "other": "He"}, {"same": "几乎不变", "other": "明显改变"}
        ),
        answer=_kept,
        because=Text(
            "In training *her* always stood before *She*, and *her* is enough. Head 1 gives *Tom* "
            "its largest weight, but the name hardly matters.",
            "在训练用的句子里，“钥匙”后面总是句号，所以头 1 虽然读了名字，写句号却用不到。",
        ),
        wrong=Translated(
            {"other": "In the template, *He* follows *Tom* and *his*, but here *her* has stayed."},
            {"other": "名字决定的是“她”还是“他”，接下来写的却是句号。"},
        ),
        at=_in_both(NAME, "Tom", "小明"),
    ),
    "saw_look": ChoiceRecord(
        text=Text(
            "Put *Mia* back and swap *her* for *his*: *Mia lost his key.* Which pronoun does the "
            "decoder write?",
            "换回“小雨”，再把“丢了”换成“藏了”。头 1 给动词的权重仅次于名字，"
            "这时句号的概率有没有明显变化？",
        ),
        options=Translated({"other": "He", "same": "She"}, {"same": "没有", "other": "有"}),
        answer=_kept,
        because=Text(
            "The possessive decides, and the name hardly matters.",
            "写句号用不到动词，所以头 1 给动词的权重再大，也没有影响。",
        ),
        wrong=Translated(
            {"same": "In the template, *She* follows *Mia* and *her*, but here *her* is gone."},
            {"other": "动词决定的是后面的地点，与这里的句号无关。"},
        ),
        at={
            "tokens": Translated(_exchanged("en", 3, "his"), _exchanged("zh", VERB, "藏了")),
        },
    ),
    "cross": ChoiceRecord(
        text=Text(
            "When this chapter’s decoder writes its first word, it can read one token, `<s>`. How "
            "many tokens of the sentence can chapter 11’s decoder read when it starts to write "
            "the date?",
            "本章的解码器写第一个词时，只能读到 `<s>` 这一个词元。"
            "图中的解码器写日期的第一个字符时，能读到句子里的几个字？",
        ),
        options={
            "none": Text("none", "一个也读不到"),
            "one": Text("one", "一个"),
            "all": Text("all of them", "全部"),
        },
        answer=lambda figure: {0: "none", 1: "one", len(figure.tokens): "all"}[
            int((figure.attention_weights[0, 0] > 0).sum())
        ],
        because=Text(
            "Keys and values come from another text, which is there from the beginning. No causal "
            "mask is needed between two texts.",
            "键和值来自另一段文本，这段文本一开始就是完整的，所以不需要因果掩码。",
        ),
        wrong={
            "none": Text(
                "No character of the date has been written yet, but the decoder reads the "
                "sentence.",
                "日期确实一个字符也没有写，但解码器要读的是句子，不是日期。",
            ),
            "one": Text(
                "In causal self-attention the first token reads only one, but this is "
                "cross-attention.",
                "你说的是带因果掩码的自注意力，这里读的是另一段文本。",
            ),
        },
    ),
    "saw_cross": ChoiceRecord(
        text=Text(
            "Go through the characters of the date. Where do the queries come from?",
            "逐个查看日期的字符，查询来自哪里？",
        ),
        options={
            "written": Text("the date that is written", "正在写的日期"),
            "read": Text("the sentence that is read", "读入的句子"),
        },
        answer=lambda figure: (
            "written" if figure.attention_weights.shape[1] == len(figure.written) else "read"
        ),
        because=Text(
            "Each character of the date has a row of weights, and each row has a weight for each "
            "token of the sentence.",
            "日期的每个字符都对应一个查询，也就是一行权重，这一行给句子的每个字各分一个权重。",
        ),
        wrong={
            "read": Text(
                "The sentence provides the keys and the values, not the queries.",
                "句子提供的是键和值，不是查询。",
            ),
        },
    ),
    "trace": ChoiceRecord(
        Text(
            "*Mia lost her key. She found it in the …* Here *the* asks. You swap *lost* "
            "for *hid*. Which of these four numbers of *the* is the first to change?",
            "在“*小雨丢了一把钥匙。她在……*”中，由“*在*”提问。如果把“*丢了*”换成“*藏了*”，"
            "“*在*”的下面四个数中，最先改变的是哪一个？",
        ),
        options={
            "inputs": Text("the input", "输入"),
            "queries": Text("the query", "查询"),
            "read": Text("the head's output", "头的输出"),
            "fed": Text("the network's output", "前馈网络的输出"),
        },
        answer=_first_that_changes,
        because=Text(
            "Of the four, the head’s output is the first that uses other words: the scores and "
            "weights behind it compare *the* with every word so far.",
            "计算分数时，要拿“*在*”与已有的每个词比较，所以在这四个数里，头的输出最先用到别的词。",
        ),
        wrong={
            "inputs": Text(
                "The input is made of *the* and its position, and neither has changed.",
                "输入只取决于“*在*”和它的位置，两者都没有变。",
            ),
            "queries": Text(
                "The query of *the* is made from its input and W_q alone, and neither has changed.",
                "“*在*”的查询由输入和 W_q 算出，与动词无关。",
            ),
            "fed": Text(
                "The network's output does change, but not first: the network reads the vector "
                "of *the* after attention.",
                "前馈网络的输出也会变，但不是最先变的，要等注意力算完才轮到前馈网络。",
            ),
        },
        at={
            **_in_both(VERB, "hid", "藏了"),
            "step": Translated(11, 9),
            "key": VERB,
            "stage": 15,
        },
    ),
    "saw_trace": ChoiceRecord(
        Text(
            "What does each of the two sums do with the number that goes into it?",
            "经过两处相加，前面的数怎样变化？",
        ),
        options={
            "replaced": Text("puts another number in its place", "换成了另一个数"),
            "added": Text("adds something to it", "加上另一个数"),
            "scaled": Text("multiplies it by a weight", "乘上一个权重"),
        },
        answer=_what_sums_do,
        because=Text(
            "The number that was there is one term of the sum, and what attention or the network "
            "returns is the other.",
            "相加的两项里，一项是前面的数，另一项是注意力或前馈网络的输出。",
        ),
        wrong={
            "replaced": Text(
                "Only without the sums would another number take its place: the new output alone.",
                "前面的数没有被换掉，仍然是相加的一项。",
            ),
            "scaled": Text(
                "Weights multiply the values inside a head, before the first sum.",
                "权重是在头里面与值相乘的，那时还没有到第一处相加。",
            ),
        },
        at={"stage": 12},
    ),
    "parts_heads": ChoiceRecord(
        text=Text(
            "Before the place, head 1 reads *lost*. You remove head 1. Which word is the decoder "
            "then least sure of?",
            "写地点时，头 1 读的是动词“*丢了*”。如果去掉头 1，解码器对哪个词最没有把握？",
        ),
        options=Translated(
            {word: word for word in ("her", "She", "it", "garden")},
            {word: word for word in ("钥匙", "她", "花园", "它")},
        ),
        answer=lambda figure: figure.least(),
        because=Text(
            "Only the verb says which of the four places is right, and no other head reads the "
            "verb there.",
            "写哪个地点由动词决定，去掉头 1 以后，解码器就读不到动词了。",
        ),
        wrong=Translated(
            {
                "her": "The word *her* depends on head 0, which is still there and reads *Mia*.",
                "She": "The pronoun depends on head 0, which is still there and reads *her*.",
                "it": "*it* depends on head 1, too, because head 1 reads *key* there. But the "
                "decoder only has to choose between *it* and *them*.",
            },
            {
                "钥匙": "写“*钥匙*”时，提问的正是量词“*把*”，残差连接保留了它的信息。",
                "她": "写“*她*”要读名字“*小雨*”，负责读名字的头 0 还在。",
                "它": "写“*它*”要读数词“*一*”，负责读数词的头 0 还在。",
            },
        ),
        at={"without": "head-1"},
    ),
    "saw_parts_heads": ChoiceRecord(
        text=Text(
            "Remove head 0, head 1 and the positions in turn. Without which of them does the "
            "decoder write the most wrong words?",
            "依次去掉头 0、头 1 和位置。去掉哪一个，解码器写错的词最多？",
        ),
        options={
            "head-0": Text("head 0", "头 0"),
            "head-1": Text("head 1", "头 1"),
            "positions": Text("the positions", "位置"),
        },
        answer=_most_wrong,
        because=Text(
            "Without the positions, the decoder knows which words it has read, but not where they "
            "stand or which part of the sentence comes next.",
            "去掉位置，解码器只知道读过哪些词，不知道它们的先后，也不知道句子写到了哪里。",
        ),
        wrong={
            "head-0": Text(
                "Without head 0, the decoder is less sure of *her* and *She*, and even of the "
                "place, but it still gets most words right.",
                "头 0 负责读名字和数词。去掉以后，“*她*”和“*它*”会写错，其他的词大多还能写对。",
            ),
            "head-1": Text(
                "Only head 1 reads the verb. Without head 1, the decoder gets the place wrong, but "
                "most other words stay right.",
                "头 1 负责读动词。去掉以后，地点会写错，但由前文决定的其他词还能写对。",
            ),
        },
        at={"without": "positions"},
    ),
    "parts_residual": ChoiceRecord(
        text=Text(
            "The residual connections carry the vector of *She* to the output, where it is "
            "multiplied by the vector of each word. You remove the feed-forward network. Which "
            "word does the decoder write after *She*?",
            "如果保留残差连接，只去掉前馈网络，解码器读完“*她*”会写哪个词？",
        ),
        options=Translated(
            {word: word for word in ("found", "her", "She", "He")},
            {word: word for word in ("在", "花园", "她", "他")},
        ),
        answer=lambda figure: figure.guess_after({"en": "She", "zh": "她"}[figure.lang]),
        because=Text(
            "The vector of *She* has its largest product with itself. The network would have "
            "turned it into a vector close to that of the next word.",
            "与“*她*”的向量点积最大的就是“*她*”自己。要经过前馈网络，"
            "这个向量才会变得接近下一个词。",
        ),
        wrong=Translated(
            {
                "found": "*found* is what the whole decoder writes, with the network.",
                "her": "The word *her* came earlier, but its product with *She* is smaller.",
                "He": "The word *He* has another vector, and its product with *She* is smaller.",
            },
            {
                "在": "完整的解码器才会写“*在*”，现在没有前馈网络。",
                "花园": "读完“*在*”才写“*花园*”，现在刚读到“*她*”。",
                "他": "传到输出端的是“*她*”的向量，与“*他*”的点积要小一些。",
            },
        ),
        at={"without": "feed-forward"},
    ),
    "saw_parts_residual": ChoiceRecord(
        text=Text(
            "Remove “residual 1”, the residual connection around attention, from the trained "
            "decoder. What does the decoder write then?",
            "去掉“残差 1”，也就是绕过注意力的残差连接。这时解码器写出了什么？",
        ),
        options={
            "same": Text("the same words as with it", "和原来一样的词"),
            "wrong": Text("wrong words in several places", "好几处写错了"),
            "repeated": Text("each word that it had just read", "把刚读过的词再写一遍"),
        },
        answer=_without_sum,
        because=Text(
            "After attention, each position holds what the heads have read from all words. Only "
            "the sum adds the word's own vector, which tells the decoder which word it has just "
            "read.",
            "注意力的输出里只有两个头读到的内容。加上词自己的向量，解码器才知道刚读过的是哪个词。",
        ),
        wrong={
            "same": Text(
                "The residual connection does more than make training easier: it carries the "
                "word's own vector each time the decoder writes.",
                "残差连接不只在训练时有用，解码器每写一个词，都要靠它保留词自己的向量。",
            ),
            "repeated": Text(
                "The word just read is repeated when the feed-forward network is missing and the "
                "residual connections carry the word's own vector.",
                "重复刚读过的词，是去掉前馈网络的结果，现在去掉的是残差 1。",
            ),
        },
        at={"without": "residual-1"},
    ),
    "look_ahead": ChoiceRecord(
        text=Text(
            "Trained without the mask, the decoder has a loss of almost 0 as long as it sees the "
            "later words. When it writes, they are not there yet. How large is the loss then?",
            "训练时不用掩码，解码器能读到后面的词，损失几乎为 0。等到自己写句子时，后面还没有词，"
            "这时损失有多大？",
        ),
        options={
            "none": Text("still almost 0", "仍然几乎为 0"),
            "alike": Text(
                "about the same as with the mask in training",
                "和用掩码训练的解码器差不多",
            ),
            "worse": Text(
                "far larger than with the mask in training",
                "比用掩码训练的解码器大得多",
            ),
        },
        answer=_loss,
        because=Text(
            "In training the next word was always in view, so the decoder mostly learnt to copy "
            "it. With nothing to copy, several words get almost no probability.",
            "训练时总能读到下一个词，解码器主要学会了照抄。现在没有词可抄，"
            "好几个词的概率就几乎是 0。",
        ),
        wrong={
            "none": Text(
                "A loss of almost 0 is possible only while the next word can be copied.",
                "损失几乎为 0 是靠照抄得来的，现在没有词可抄了。",
            ),
            "alike": Text(
                "Training with the mask teaches a decoder to use the words so far, but this "
                "decoder rarely had to.",
                "训练时没有掩码，解码器很少用得着前文，大多数词也就没学会从前文推断。",
            ),
        },
        at={"training": "unmasked", "visible": "so_far"},
    ),
    "saw_look_ahead": ChoiceRecord(
        text=Text(
            "Choose the decoder trained without the mask. What does this decoder write by itself?",
            "选用训练时没有掩码的解码器。这个解码器自己写出了什么？",
        ),
        options={
            "right": Text("a sentence without a mistake", "一句完全正确的话"),
            "repeats": Text("one word several times in a row", "同一个词接连写了好几遍"),
        },
        answer=_written_alone,
        because=Text(
            "With no next word in view, the decoder often copies the nearest word that it has, "
            "which is the last one.",
            "后面没有词可抄，解码器往往照抄离得最近的词，也就是刚写下的词。",
        ),
        wrong={
            "right": Text(
                "The decoder trained with the mask writes a sentence without a mistake: switch to "
                "it and compare.",
                "能写对的是用掩码训练的解码器，可以切换过去比较。",
            ),
        },
        at={"training": "unmasked", "visible": "so_far"},
    ),
    "temperature": ChoiceRecord(
        text=Text(
            "At temperature 1, each of the six names has a share of about a sixth after *<s>*. You "
            "raise the temperature to 4. What happens to these shares?",
            "温度为 1 时，“*<s>*”后面六个名字的概率都在六分之一左右。如果把温度升到 4，"
            "这六个名字的概率会怎样变化？",
        ),
        options={
            "lose": Text("about equal, and all of them smaller", "仍然差不多相等，但是都变小"),
            "gain": Text("about equal, and all of them larger", "仍然差不多相等，而且都变大"),
            "one": Text("nearly everything for one name", "几乎全归其中一个名字"),
        },
        answer=_change_of_names,
        because=Text(
            "Equal logits stay equal. The other logits come closer to them, so words that do not "
            "fit gain what the names lose.",
            "六个名字的 logit 几乎相等，除以温度以后还是这样。但是其余的词与名字的差距缩小了，"
            "也能分到一些概率，名字的概率就变小了。",
        ),
        wrong={
            "gain": Text(
                "At a lower temperature all six names would gain and the other words lose, but "
                "here the temperature rises.",
                "要让名字的概率变大，应该降低温度，这里却是升高温度。",
            ),
            "one": Text(
                "One name gets nearly everything when its logit lies far above the others, but "
                "here nothing determines the name.",
                "选哪个名字都行，六个 logit 几乎相等，不会有一个名字独占概率。",
            ),
        },
        at={"temperature": 4},
    ),
    "saw_temperature": ChoiceRecord(
        text=Text(
            "Lower the temperature from 4 to 0.5. After *<s>*, *Eva* and *Ben* are equally "
            "probable at 4. What happens to the two?",
            "温度为 4 时，“*<s>*”后面的“*小强*”和“*小兰*”概率相等。把温度从 4 降到 0.5，"
            "这两个概率怎样变化？",
        ),
        options={
            "both": Text("both gain, and stay equal", "都变大，仍然相等"),
            "one": Text("one gains, and the other loses", "一个变大，一个变小"),
            "none": Text("both stay as they are", "都不变"),
        },
        answer=_change_of_equals,
        because=Text(
            "A low temperature takes probability from the words that do not fit, and the names "
            "share what these lose. It does not separate two words with equal logits.",
            "温度降低以后，不合适的词概率变小，省下来的概率分给了六个名字。"
            "这两个名字的 logit 几乎相等，降低温度也分不出高下。",
        ),
        wrong={
            "one": Text(
                "One of two words gains from the other only where their logits differ.",
                "两个名字的 logit 几乎相等，不会一个变大、一个变小。",
            ),
            "none": Text(
                "Both names stay as they are only if no other word has any probability to lose.",
                "其余的词会让出一部分概率，名字就分到更多。",
            ),
        },
        at={"temperature": 0.5},
    ),
    "decoder_cache": ChoiceRecord(
        text=Text(
            "The decoder uses a cache to write the word after *the*. What has it kept of the "
            "earlier words?",
            "解码器用了缓存，正要写“*在*”后面的词。这时缓存里保存了前面各词的哪些内容？",
        ),
        options={
            "pair": Text("keys and values", "键和值"),
            "all": Text("queries, keys and values", "查询、键和值"),
            "weights": Text("the attention weights", "注意力权重"),
            "nothing": Text("only the words", "只有词本身"),
        },
        answer=_cached,
        because=Text(
            "The query of *the* is compared with the keys of all words so far, and the weights "
            "average their values.",
            "“*在*”的查询要与已有各词的键做点积，算出权重，再对这些词的值求加权平均。",
        ),
        wrong={
            "all": Text(
                "The earlier words have asked already, so their queries are not needed again.",
                "查询只在自己提问时用一次，前面的词都已经问过了。",
            ),
            "weights": Text(
                "The attention weights of an earlier word say what that word has read, and *the* "
                "computes weights of its own.",
                "前面各词的权重是它们提问时用的，“*在*”提问要另算权重。",
            ),
            "nothing": Text(
                "Only the words are kept when there is no cache, and then everything is computed "
                "again.",
                "只存词本身，等于没有缓存，每步都要重算。",
            ),
        },
        at={"step": Translated(11, 9), "cached": True},
    ),
    "saw_decoder_cache": ChoiceRecord(
        text=Text(
            "Go on by one token with the cache. What does the cache gain in each head?",
            "使用缓存时，再往后走一个词元，每个头的缓存里多了什么？",
        ),
        options={
            "pair": Text("one key and one value", "一个键和一个值"),
            "all": Text("one query, one key and one value", "一个查询、一个键和一个值"),
            "again": Text("a key and a value for every token so far", "已有全部词元的键和值"),
        },
        answer=_gained,
        because=Text(
            "The token that was the newest becomes an earlier one. Later tokens read its key and "
            "its value, and its query has done its work.",
            "刚才的新词元变成了前面的词元，后面的词元要读它的键和值；它的查询已经用过，不必保留。",
        ),
        wrong={
            "all": Text(
                "A query is computed for each token, too, but the next step does not need it.",
                "查询虽然也要算，但是用过一次就不再保留。",
            ),
            "again": Text(
                "Keys and values of every token are computed again only without a cache.",
                "前面词元的键和值早就存好了，不用再存一遍。",
            ),
        },
        at={"step": 5, "cached": True},
    ),
}
