"""Record the data, names, questions and observations of the figures in chapter 10."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import PlaceQuestion

_MIA: dict[str, SimpleNamespace] = {"en": thread.words("en"), "zh": thread.words("zh")}
# The words of the sentence by what they are, in the order of each language.
_ROLES = {"en": ["name", "verb", "pronoun", "thing"], "zh": ["name", "verb", "thing", "pronoun"]}
_VERB = 1  # in both languages
# Parameters of the projections to queries, keys and values, before anything is learnt.
ASIDE = torch.tensor([[-0.6, 0.0]])
UP = torch.tensor([[0.0, 1.5]])
RIGHT = torch.tensor([[1.2, 0.0]])
DOWN = torch.tensor([[0.5, -1.0]])
POSITION = 6  # the position whose curve is drawn first
_LATER = 5 * POSITION
# What two heads of the pronoun attend to, by role: the owner, and the thing that is owned.
_OWNER, _OWNED = (
    {"name": 0.55, "verb": 0.4, "pronoun": 0.03, "thing": 0.02},
    {"name": 0.02, "verb": 0.4, "pronoun": 0.03, "thing": 0.55},
)
_SINK = 3.0  # the score of the first token on every word


def words(lang: Lang) -> SimpleNamespace:
    """Return data, names and questions in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").left_padded_words
    ['‹填充›', '‹填充›', '小雨', '丢了', '钥匙', '她']
    """
    return in_language(lang, RECORDS)


def _scores(lang: Lang) -> Tensor:
    """Return the scores of the words on one another, (4, 4), with W_q up and W_k to the right."""
    x: Tensor = _MIA[lang].vectors[0]
    return (x @ UP.T @ (x @ RIGHT.T).mT / 3).round(decimals=1)


def _left_padded(lang: Lang) -> Tensor:
    return torch.nn.functional.pad(_scores(lang), (2, 0, 2, 0), value=0.5)


def _right_padded(lang: Lang) -> Tensor:
    return torch.nn.functional.pad(_scores(lang), (0, 2, 0, 2), value=0.5)


def _heads_of_the_pronoun(lang: Lang) -> Tensor:
    """Return queries whose softmax over unit keys is each head's weights, and their mean."""
    weights = torch.tensor([[head[role] for role in _ROLES[lang]] for head in (_OWNER, _OWNED)])
    return torch.cat([weights, weights.mean(0, keepdim=True)]).log()[None]


def _asking(lang: Lang) -> Tensor:
    """Return each word's query of the head that finds owners, and a 1 for the first token."""
    x: Tensor = _MIA[lang].vectors
    return torch.cat([x @ UP.T, torch.ones(1, 4, 1)], dim=-1)


def _with_a_sink(lang: Lang) -> Tensor:
    """Return keys of a first token, which scores the same for every query, and of the words."""
    x: Tensor = _MIA[lang].vectors
    keys = torch.cat([x @ RIGHT.T, torch.zeros(1, 4, 1)], dim=-1)
    return torch.cat([torch.tensor([[[0.0, _SINK]]]), keys], dim=1)


def _values_with_a_sink(lang: Lang) -> Tensor:
    """Return values of the first token, which is 0, and of the words."""
    x: Tensor = _MIA[lang].vectors
    return torch.cat([torch.zeros(1, 1, 1), x @ DOWN.T], dim=1).round(decimals=1)


def _exchanged(lang: Lang) -> list[int]:
    """Return the order in which name and thing have changed places."""
    roles = _ROLES[lang]
    order = list(range(len(roles)))
    name, thing = roles.index("name"), roles.index("thing")
    order[name], order[thing] = thing, name
    return order


def _options(start: str = "") -> Translated[Mapping[str, str]]:
    """Return the words as options, by role; before them the first token, if it has a name."""
    first = {"en": {start: "‹start›"}, "zh": {start: "‹开始›"}} if start else {"en": {}, "zh": {}}
    en, zh = (
        {**first[lang], **dict(zip(_ROLES[lang], _MIA[lang].sentence, strict=True))}
        for lang in ("en", "zh")
    )
    return Translated(en, zh)


def _heaviest(figure: Any, query: int) -> str:
    return _ROLES[figure.lang][int(figure.attention_weights[0, query].argmax())]


def _heaviest_for_the_pronoun(figure: Any) -> str:
    return _heaviest(figure, _MIA[figure.lang].pronoun)


def _where_the_weight_went(figure: Any) -> str:
    """Compare the pronoun's row with the one where `W_q` points up."""
    row = figure.attention_weights[0, _MIA[figure.lang].pronoun]
    with figure._in_state({"W_q": UP}):
        before = figure.attention_weights[0, _MIA[figure.lang].pronoun]
    if row.argmax() == before.argmax():
        return "stays"
    return "lowest" if row.argmax() == before.argmin() else "equal"


def _what_is_symmetric(figure: Any) -> str:
    stages: dict[str, Tensor] = figure.stages()
    if torch.allclose(stages["attention_weights"], stages["attention_weights"].mT):
        return "scores and weights"
    return "scores" if torch.allclose(stages["scores"], stages["scores"].mT) else "neither"


def _what_changed(figure: Any) -> str:
    """Compare weights and outputs with those before `W_v` has turned."""
    weights, output = (figure.stages()[x] for x in ("attention_weights", "output"))
    x = figure._tensor("x")
    before = torch.softmax(x @ UP.T.double() @ (x @ RIGHT.T.double()).mT, dim=-1)
    changed = (
        not torch.allclose(weights, before),
        not torch.allclose(output, before @ x @ DOWN.T.double()),
    )
    return {(True, False): "weights", (False, True): "outputs", (True, True): "both"}[changed]


def _output_of_the_verb(figure: Any) -> str:
    return "changed" if figure.stages()["moved"][0, 0, _VERB] > 0 else "unchanged"


def _where_the_outputs_went(figure: Any) -> str:
    """Compare the outputs with those of the initial order."""
    output = figure.stages()["output"][0]
    order = figure.order
    with figure._in_state({"order": sorted(order)}):
        before = figure.stages()["output"][0]
    if torch.allclose(output, before[order]):
        return "carried"
    return "stayed" if torch.allclose(output, before) else "new"


def _outputs_that_changed(figure: Any) -> str:
    changed = (figure.stages()["moved"][0, 0] > 0).tolist()
    exchanged = [word != place for place, word in enumerate(figure.order)]
    return {
        (False,) * 4: "none",
        tuple(exchanged): "exchanged words",
        (True,) * 4: "all",
    }[tuple(changed)]


def _change_of_the_product(figure: Any) -> str:
    now = figure.stages()["terms"].sum()
    with figure._in_state({"position": POSITION}):
        before = figure.stages()["terms"].sum()
    if torch.allclose(now, before):
        return "same"
    return "larger" if now > before else "smaller"


def _unmasked(figure: Any) -> Tensor:
    return torch.softmax(figure.stages()["scores"][0], dim=-1)


def _unchanged_row(figure: Any) -> str:
    """Return the role of the only word whose row is the same as without a mask."""
    (row,) = (figure.attention_weights[0] - _unmasked(figure)).abs().amax(-1).eq(0).nonzero()
    return _ROLES[figure.lang][int(row)]


def _change_of_the_rest(figure: Any) -> str:
    """Compare the weights that the verb's row has left with those without a mask."""
    left = figure.valid_lens[0][_VERB]
    now, before = figure.attention_weights[0, _VERB, :left], _unmasked(figure)[_VERB, :left]
    if torch.allclose(now, before):
        return "stay"
    return "grow" if bool((now > before).all()) else "shrink"


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


def _length_that_serves(figure: Any) -> str:
    """Return the length with which the first word sees itself and no padding, or "none"."""
    first, lengths = 2, figure.valid_lens[0]
    for n in range(len(lengths) + 1):
        with figure._in_state({"valid_lens": [[*lengths[:first], n, *lengths[first + 1 :]]]}):
            row = figure.attention_weights[0, first]
        if row[:first].sum() == 0 and row[first] > 0:
            return str(n)
    return "none"


def _first_key_that_is_kept(figure: Any) -> str:
    """Say what the first word of the row with one key reads there, behind two places of padding."""
    (key,) = figure.attention_weights[0, figure.valid_lens[0].index(1, 1)].nonzero().flatten()
    return "padding" if key < 2 else "own" if key == 2 else "last"


def _mean_against_heads(figure: Any) -> str:
    """Compare the largest weight of the mean of both heads with the largest of each head."""
    mean = figure.attention_weights[0, 0].max()
    heads = []
    for query in (0, 1):
        with figure._in_state({"query": query}):
            heads.append(figure.attention_weights[0, 0].max())
    return "smaller" if mean < min(heads) else "larger" if mean > max(heads) else "between"


def _heaviest_of_all(figure: Any) -> str:
    key = int(figure.stages()["attention_weights"][0, 0].argmax())
    names = _ROLES[figure.lang]
    return names[key] if len(figure.names) == len(names) else ["start", *names][key]


RECORDS: dict[str, Record] = {
    "axes": Translated(["a person", "refers back"], ["指人", "指代前文"]),
    "scores": Translated(_scores("en"), _scores("zh")),
    "right_padded": Translated(_right_padded("en"), _right_padded("zh")),
    "right_padded_words": Translated(
        [*_MIA["en"].sentence, "‹pad›", "‹pad›"], [*_MIA["zh"].sentence, "‹填充›", "‹填充›"]
    ),
    "left_padded": Translated(_left_padded("en"), _left_padded("zh")),
    "left_padded_words": Translated(
        ["‹pad›", "‹pad›", *_MIA["en"].sentence], ["‹填充›", "‹填充›", *_MIA["zh"].sentence]
    ),
    "heads_of_the_pronoun": Translated(_heads_of_the_pronoun("en"), _heads_of_the_pronoun("zh")),
    "names_of_heads": Translated(
        ["her (head 0: whose?)", "her (head 1: what?)", "her (mean of both heads)"],
        ["她（头 0：指谁？）", "她（头 1：丢了什么？）", "她（两个头平均）"],
    ),
    "sink_queries": Translated(_asking("en"), _asking("zh")),
    "sink_keys": Translated(_with_a_sink("en"), _with_a_sink("zh")),
    "sink_values": Translated(_values_with_a_sink("en"), _values_with_a_sink("zh")),
    "with_start": Translated(["‹start›", *_MIA["en"].sentence], ["‹开始›", *_MIA["zh"].sentence]),
    "asking": ChoiceRecord(
        text=Text(
            "Each word asks with its shadow on `W_q` and answers with its shadow on `W_k`. Let "
            "`W_q` point straight up. Which word does *her* attend to most?",
            "词在 `W_q` 上的投影是查询，在 `W_k` 上的投影是键。现在“*她*”没有特别关注哪个词。把 `W"
            "_q` 转到竖直向上，“*她*”最关注哪个词？",
        ),
        options=_options(),
        answer=_heaviest_for_the_pronoun,
        because=Text(
            "*her* casts a long shadow on `W_q` and *Mia* the longest on `W_k`, so their product "
            "is the row's highest score.",
            "“*她*”在 `W_q` 上的投影很长，“*小雨*”在 `W_k` 上的投影又最长，两者相乘，得到这一行的"
            "最高分。",
        ),
        wrong={
            "verb": Text(
                "The shadow of *lost* on `W_k` lies on the other side of 0 and makes the score "
                "negative.",
                "“*丢了*”在 `W_k` 上的投影是负的，乘出来的分数也是负的。",
            ),
            "thing": Text(
                "The shadow of *key* on `W_k` lies farthest on the other side of 0, so *key* "
                "scores lowest.",
                "“*钥匙*”在 `W_k` 上的投影是负的，离 0 又最远，所以分数反而最低。",
            ),
            "pronoun": Text(
                "*her* casts only a short shadow on `W_k`, so its score with itself is low.",
                "“*她*”在“指人”方向上的分量很小，在 `W_k` 上的投影很短，所以分数不高。",
            ),
        },
        at={"W_q": UP},
        kind=PlaceQuestion,
    ),
    "upside_down": ChoiceRecord(
        text=Text(
            "As `W_q` turns from straight up to straight down, which word gets most of *her*'s "
            "weight?",
            "把 `W_q` 从竖直向上转到竖直向下以后，“*她*”的权重大部分给了哪个词？",
        ),
        options={
            "stays": Text("still Mia", "还是小雨"),
            "lowest": Text("the word whose score was lowest", "原来分数最低的词"),
            "equal": Text("all words alike", "四个词平分"),
        },
        answer=_where_the_weight_went,
        because=Text(
            "Turning the arrow round changes the sign of every score in the row, so the lowest "
            "score becomes the highest.",
            "箭头一掉头，“*她*”的查询变号，这一行的分数也跟着变号，最低分成了最高分。",
        ),
        wrong={
            "stays": Text(
                "*Mia* keeps most of the weight if `W_q` only grows or shrinks, not if it turns "
                "round.",
                "如果箭头只是变长或变短，“*小雨*”的权重仍然最大，可是这里箭头掉了头。",
            ),
            "equal": Text(
                "All words get equal weights where *her* casts no shadow on `W_q`, but straight "
                "down that shadow is long.",
                "箭头转到中途时，“*她*”的投影等于 0，四个词平分权重，可是现在箭头已经转过去了。",
            ),
        },
        at={"W_q": -UP},
    ),
    "alike": ChoiceRecord(
        text=Text(
            "`W_k` becomes the same as `W_q`. Does *her* then attend to *Mia* as much as *Mia* to "
            "*her*?",
            "如果 `W_k` 和 `W_q` 完全一样，“*她*”和“*小雨*”关注对方的程度一样吗？",
        ),
        options={
            "scores and weights": Text("scores and weights are equal", "分数和权重都一样"),
            "scores": Text("the scores are equal, the weights are not", "分数一样，权重不一样"),
            "neither": Text("scores and weights both differ", "分数和权重都不一样"),
        },
        answer=_what_is_symmetric,
        because=Text(
            "Two shadows have the same product in either order, so the scores are equal. But "
            "softmax divides each row by that row's own sum.",
            "两个投影相乘不分先后，所以分数一样。但 softmax 对每一行分别归一化，权重就不一样了。",
        ),
        wrong={
            "scores and weights": Text(
                "The weights, too, would be equal only if the exponentials in every row had "
                "the same sum.",
                "要使权重也一样，各行的指数值之和必须恰好相等。",
            ),
            "neither": Text(
                "The scores differ when the two arrows differ, but here the arrows are equal.",
                "你说的是两根箭头不同的情况，现在两根箭头完全一样。",
            ),
        },
        at={"W_k": UP},
    ),
    "bringing": ChoiceRecord(
        text=Text("`W_v` makes half a turn. What changes?", "如果把 `W_v` 转半圈，哪些量会变？"),
        options={
            "weights": Text("the weights", "权重"),
            "outputs": Text("the outputs", "输出"),
            "both": Text("the weights and the outputs", "权重和输出"),
        },
        answer=_what_changed,
        because=Text(
            "`W_v` makes only the values. Every value changes its sign, and so does every output, "
            "because outputs are weighted sums of values.",
            "`W_v` 只用来计算值。转半圈以后，每个值都变号；输出是值的加权和，所以也变号。",
        ),
        wrong={
            "weights": Text(
                "The weights depend on `W_q` and `W_k` alone, and neither has turned.",
                "计算权重用不到 `W_v`，转动 `W_v` 不影响权重。",
            ),
            "both": Text(
                "The outputs do change, but the weights depend on `W_q` and `W_k` alone.",
                "输出确实变了，但权重只由 `W_q` 和 `W_k` 决定，不会变。",
            ),
        },
        at={"W_v": -DOWN},
    ),
    "shuffled": ChoiceRecord(
        text=Text(
            "Let *Mia* and *key* change places, so that the key loses Mia. What happens to the "
            "output of *lost*?",
            "把“*小雨*”和“*钥匙*”对调，变成“钥匙丢了小雨”。“*丢了*”的输出会变吗？",
        ),
        options={
            "unchanged": Text("the same output", "不变"),
            "changed": Text("a different output", "变了"),
        },
        answer=_output_of_the_verb,
        because=Text(
            "*lost* meets the same words with the same scores, and a weighted sum is the same in "
            "any order.",
            "“*丢了*”读到的还是那几个词，分数也没有变，加权求和又与次序无关。",
        ),
        wrong={
            "changed": Text(
                "The output differs only if the words or the scores do, but a change of places "
                "alters neither.",
                "句子的意思确实变了，但词还是那些词，分数也没有变。",
            ),
        },
        at={"order": Translated(_exchanged("en"), _exchanged("zh"))},
    ),
    "reordered": ChoiceRecord(
        text=Text(
            "Without positions, what happens to the outputs as words change places?",
            "如果不加位置，把词对调以后，输出怎样变化？",
        ),
        options={
            "carried": Text("each word keeps its own output", "每个词的输出跟着词走"),
            "stayed": Text("each place keeps its output", "每个位置的输出不变"),
            "new": Text("all outputs get new numbers", "所有的输出都变了"),
        },
        answer=_where_the_outputs_went,
        because=Text(
            "An output depends on its own word and on which words are in the sentence. Places do "
            "not occur in the formula, so a word that moves takes its output with it.",
            "一个词的输出只取决于这个词和句中有哪些词，与位置无关，所以词移到哪里，输出就跟到哪"
            "里。",
        ),
        wrong={
            "stayed": Text(
                "An output belongs to a word: when another word moves to a place, the output "
                "there changes.",
                "输出是由词算出来的，一个位置换了词，这里的输出也会变。",
            ),
            "new": Text(
                "New numbers appear only when *add positions* is switched on.",
                "要等打开“加上位置”以后，所有的输出才会变。",
            ),
        },
        at={"order": Translated(_exchanged("en"), _exchanged("zh")), "positioned": False},
    ),
    "placed": ChoiceRecord(
        text=Text(
            "Now each word has the vector of its place added to it. *Mia* and *key* change places "
            "again, and the other two stay. Which outputs change?",
            "现在每个词都加上了所在位置的向量。再把“*小雨*”和“*钥匙*”对调，另外两个词不动。哪些词"
            "的输出会变？",
        ),
        options={
            "none": Text("no output", "都不变"),
            "exchanged words": Text("only the outputs of Mia and key", "只有小雨和钥匙会变"),
            "all": Text("all four outputs", "四个都变"),
        },
        answer=_outputs_that_changed,
        because=Text(
            "The keys and the values of *Mia* and *key* have changed with their places, and "
            "all four words read them.",
            "“*小雨*”和“*钥匙*”换了位置，键和值都变了，每个词又都要读取这些键和值，所以四个输出都"
            "变。",
        ),
        wrong={
            "none": Text(
                "Without positions no output changes, but now the vector of a word depends on "
                "its place.",
                "没有加上位置时，输出确实都不变，可是现在词换了位置，加的向量也换了。",
            ),
            "exchanged words": Text(
                "*Mia* and *key* are the words that have moved, but the other two words read "
                "them as well.",
                "换了位置的确实只有“*小雨*”和“*钥匙*”，可是另外两个词也要读取它们的键和值。",
            ),
        },
        at={"order": Translated(_exchanged("en"), _exchanged("zh"))},
    ),
    "clocks": ChoiceRecord(
        text=Text(
            f"*Mia* is at position {POSITION}, *her* at position "
            f"{POSITION + _MIA['en'].pronoun}. Later the sentence appears again, with *Mia* "
            f"at position {_LATER}. How large is the dot product of the positions then?",
            f"“*小雨*”在位置 {POSITION}，“*她*”在位置 {POSITION + _MIA['zh'].pronoun}。"
            f"这句话后来又出现了一次，这次“*小雨*”在位置 {_LATER}。两个位置的点积怎样变化？",
        ),
        options={
            "smaller": Text("smaller than before", "变小"),
            "same": Text("the same as before", "不变"),
            "larger": Text("larger than before", "变大"),
        },
        answer=_change_of_the_product,
        because=Text(
            "On each clock both hands move on by the same angle, so the angle between them stays "
            "the same, and the product depends on this angle alone.",
            "每只钟的两根指针都转过同样的角度，夹角不变。点积只由夹角决定，所以也不变。",
        ),
        wrong={
            "smaller": Text(
                "A smaller product means hands farther apart, but both have turned together.",
                "要使点积变小，两根指针的夹角就得变大，但两根指针是一起转的。",
            ),
            "larger": Text(
                "Hands that grew longer would make the product larger, but a hand only turns.",
                "你以为位置越靠后，点积越大。其实指针只转动，不会变长。",
            ),
        },
        at={"position": _LATER},
    ),
    "causal": ChoiceRecord(
        text=Text(
            "Now no word may look ahead: the lengths become 1, 2, 3, 4. Which word's row stays "
            "the same?",
            "现在每个词都不能往后看，长度变成 1、2、3、4。哪个词的那一行不变？",
        ),
        options=_options(),
        answer=_unchanged_row,
        because=Text(
            "*key* is the last word, so no word comes after it, and its row keeps all four keys.",
            "“*她*”是最后一个词，后面没有词可以掩蔽，四个键都留着，所以这一行不变。",
        ),
        wrong=Translated(
            {
                "name": "The row of *Mia* changes: three of its four keys are masked.",
                "verb": "The row of *lost* changes: two of its four keys are masked.",
                "pronoun": "The row of *her* changes: the last of its four keys is masked.",
            },
            {
                "name": "“*小雨*”有三个键要掩蔽，所以这一行会变。",
                "verb": "“*丢了*”有两个键要掩蔽，所以这一行会变。",
                "thing": "“*钥匙*”的最后一个键要掩蔽，所以这一行会变。",
            },
        ),
        at={"valid_lens": [[1, 2, 3, 4]], "row": 3},
        kind=PlaceQuestion,
    ),
    "fewer_keys": ChoiceRecord(
        text=Text(
            "As the edge of *lost*'s row moves to the left, what happens to the weights of the "
            "remaining keys?",
            "把“*丢了*”那一行的边界往左移，剩下的各个键，权重怎样变化？",
        ),
        options={
            "grow": Text("every one grows", "都变大"),
            "stay": Text("every one stays", "都不变"),
            "shrink": Text("every one shrinks", "都变小"),
        },
        answer=_change_of_the_rest,
        because=Text(
            "A row must sum to 1, so the remaining keys share what the masked keys had.",
            "一行权重之和总是 1，掩蔽了一些键，剩下的键就分得更多。",
        ),
        wrong={
            "stay": Text(
                "The weights stay the same if the mask comes after the softmax, but then their "
                "row no longer sums to 1.",
                "如果先算 softmax 再掩蔽，剩下的权重确实不变，可是一行之和就不到 1 了。",
            ),
            "shrink": Text(
                "Only the weights of the masked keys shrink: they become 0.",
                "被掩蔽的键权重才会变小，变成 0；题目问的是剩下的键。",
            ),
        },
        at={"valid_lens": [[4, 2, 4, 4]], "row": 1},
    ),
    "both": ChoiceRecord(
        text=Text(
            "No word looks ahead, and two padding tokens follow the sentence. Now a padding "
            "mask is added to the causal mask. Which rows change?",
            "每个词都不能往后看，句子后面还有两个填充。在因果掩码之外再加上填充掩码，哪些行会变？",
        ),
        options={
            "none": Text("no row", "都不变"),
            "words": Text("the rows of the words", "词的那几行"),
            "padding": Text("the rows of the padding", "填充的那几行"),
            "all": Text("all rows", "所有的行"),
        },
        answer=_rows_that_changed,
        because=Text(
            "The padding comes after the words, so only the rows of the padding have read it, "
            "and only these rows lose keys.",
            "填充排在词的后面，词本来就读不到填充，所以只有填充自己的那几行受影响。",
        ),
        wrong={
            "none": Text(
                "The last two rows do change: their lengths were 5 and 6, more than the 4 words.",
                "最后两行原来的长度是 5 和 6，加上填充掩码以后，都要减到词数 4。",
            ),
            "words": Text(
                "The rows of the words change when the padding comes before them, but here "
                "it comes after them.",
                "你说的是填充排在词前面的情况，这里填充排在后面。",
            ),
            "all": Text(
                "The rows of the words have lengths of 4 at most, so the padding mask takes "
                "nothing from them.",
                "词的那几行长度本来就不超过 4，不受填充掩码影响。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4, 4, 4]], "row": 4},
    ),
    "in_front": ChoiceRecord(
        text=Text(
            "Now the padding comes first. Which length for *Mia*'s row masks the padding and "
            "keeps *Mia* herself?",
            "现在填充排在前面。“*小雨*”那一行的长度取多少，才能掩蔽填充，又保留“*小雨*”自己？",
        ),
        options={
            "0": Text("length 0", "长度 0"),
            "1": Text("length 1", "长度 1"),
            "3": Text("length 3", "长度 3"),
            "none": Text("no length", "没有合适的长度"),
        },
        answer=_length_that_serves,
        because=Text(
            "A length keeps the keys at the front, and the keys at the front are padding, so no "
            "length works.",
            "长度总是从最前面的键数起，而最前面的两个键是填充，所以取多少都不行。",
        ),
        wrong={
            "0": Text(
                "Length 0 masks too much: it masks *Mia* together with the padding.",
                "如果长度取 0，连“*小雨*”自己也会被掩蔽。",
            ),
            "1": Text(
                "Length 1 is right when *Mia* stands first, but here length 1 keeps only padding.",
                "如果“*小雨*”排在最前面，长度应当取 1；可是现在取 1，留下的是一个填充。",
            ),
            "3": Text(
                "Length 3 keeps too much: *Mia* and the two padding tokens before her.",
                "如果长度取 3，“*小雨*”前面的两个填充也会留下来。",
            ),
        },
        at={"row": 2},
    ),
    "in_front_seen": ChoiceRecord(
        text=Text(
            "As the length of *Mia*'s row grows from 0 to 1, which key is kept first?",
            "“*小雨*”那一行的长度从 0 增加到 1，最先留下的是哪个键？",
        ),
        options={
            "padding": Text("a key of the padding", "填充的键"),
            "own": Text("the key of Mia", "小雨自己的键"),
            "last": Text("the last key", "最后一个键"),
        },
        answer=_first_key_that_is_kept,
        because=Text(
            "A length counts keys from the left, and the padding stands on the left.",
            "长度是从左边数起的，最左边的键正是填充。",
        ),
        wrong={
            "own": Text(
                "The key of *Mia* comes third here, after the two padding tokens.",
                "“*小雨*”的键前面还有两个填充，长度要增加到 3，才轮到这个键。",
            ),
            "last": Text(
                "The last key is kept last, when the length reaches 6.",
                "最后一个键要等到长度增加到 6 才留下。",
            ),
        },
        at={"valid_lens": [[1, 2, 1, 4, 5, 6]], "row": 2},
    ),
    "averaged_seen": ChoiceRecord(
        text=Text(
            "Look at head 0, at head 1 and at their mean. How does the largest weight of the mean "
            "compare with the largest weight of each head?",
            "依次看看头 0、头 1 和两个头的平均。平均以后的最大权重，比两个头各自的最大权重大还是小"
            "？",
        ),
        options={
            "smaller": Text("smaller than in either head", "比两个头的都小"),
            "between": Text("between the two heads", "介于两者之间"),
            "larger": Text("larger than in either head", "比两个头的都大"),
        },
        answer=_mean_against_heads,
        because=Text(
            "Each head is sure of a different word, and the mean nearly halves the weights of "
            "these two words. Two sharp heads can look like one undecided head.",
            "两个头的权重都很集中，只是关注的词不同，所以取了平均以后，这两个词的权重差不多减半。"
            "只看平均，会误以为头拿不定主意。",
        ),
        wrong={
            "between": Text(
                "The mean lies between the heads only where both choose the same word.",
                "如果两个头最关注同一个词，平均以后才会介于两者之间，可是这里不是。",
            ),
            "larger": Text(
                "The mean of two numbers is never larger than both numbers.",
                "两个数的平均不会超过其中较大的数，所以不可能比两个头的都大。",
            ),
        },
        at={"query": 2},
    ),
    "averaged": ChoiceRecord(
        text=Text(
            f"Head 0 of *her* gives *Mia* {_OWNER['name']:.2f} and *lost* {_OWNER['verb']:.2f}; "
            f"head 1 gives *key* {_OWNED['thing']:.2f} and *lost* {_OWNED['verb']:.2f}. Which word "
            "has the most weight in the mean of both heads?",
            f"由“*她*”提问时，头 0 给“*小雨*”的权重是 {_OWNER['name']:.2f}，给“*丢了*”的是 "
            f"{_OWNER['verb']:.2f}；头 1 给“*钥匙*”的是 {_OWNED['thing']:.2f}，给“*丢了*”的是 "
            f"{_OWNED['verb']:.2f}。两个头平均以后，哪个词的权重最大？",
        ),
        options=_options(),
        answer=_heaviest_of_all,
        because=Text(
            f"*lost* has {_OWNER['verb']:.2f} in both heads, and so {_OWNER['verb']:.2f} in "
            "the mean, more than any other word.",
            f"“*丢了*”在两个头里都是 {_OWNER['verb']:.2f}，平均以后还是 {_OWNER['verb']:.2f}，"
            "比其他词都大。",
        ),
        wrong={
            "name": Text(
                "*Mia* is first in head 0 only, and has next to no weight in head 1.",
                "“*小雨*”只在头 0 里权重最大，在头 1 里几乎没有权重。",
            ),
            "pronoun": Text(
                "*her* has next to no weight in either head.", "“*她*”在两个头里都几乎没有权重。"
            ),
            "thing": Text(
                "*key* is first in head 1 only, and has next to no weight in head 0.",
                "“*钥匙*”只在头 1 里权重最大，在头 0 里几乎没有权重。",
            ),
        },
        at={"query": 2},
        kind=PlaceQuestion,
    ),
    "sink": ChoiceRecord(
        text=Text(
            "This head finds owners, and *her* has found *Mia*. Now *lost* asks, and a verb needs "
            "no owner. Where does most of its weight go?",
            "这个头专门寻找物主，“*她*”已经找到了“*小雨*”。现在换“*丢了*”提问，可是动词没有物主可"
            "找，大部分权重会给哪个词？",
        ),
        options=_options("start"),
        answer=_heaviest_of_all,
        because=Text(
            "‹start› takes the weight, because no word fits and the row must still sum to 1. The "
            "value of ‹start› is 0, so the output stays near 0.",
            "虽然没有哪个词合适，但一行权重之和总是 1，所以大部分权重给了 ‹开始›。‹开始› 的值是 0"
            "，所以这个头的输出接近 0。",
        ),
        wrong={
            "name": Text(
                "*Mia* is right when *her* asks, but when *lost* asks, *Mia* has the lowest score.",
                "“*她*”提问时，“*小雨*”的分数最高；换“*丢了*”提问，“*小雨*”的分数反而最低。",
            ),
            "verb": Text(
                "*lost* has a lower score with its own key than with that of ‹start›.",
                "“*丢了*”给自己的分数，比给 ‹开始› 的分数低。",
            ),
            "pronoun": Text(
                "*her* has no owner to offer, because *her* is looking for one too.",
                "“*她*”自己也要找物主，当不了别人的物主。",
            ),
            "thing": Text(
                "*key* has the best score of the four words, but ‹start› has a better one.",
                "“*钥匙*”在四个词里分数最高，但还是比 ‹开始› 低。",
            ),
        },
        at={"query": _VERB},
        kind=PlaceQuestion,
    ),
}
