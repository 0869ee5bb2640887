"""Ask again for the ideas of chapter 10."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib import masked_softmax

_SENTENCES = {
    "en": ["Leo fed his horse", "Nora sold her boat", "Ivan cut his finger"],
    "zh": ["小美 喂了 马 她", "小军 卖了 船 他", "阿明 划破 手指 他"],
}
# Weights of two heads on four words: which word has the largest mean, or that one's rank.
_HEADS = [
    [[0.5, 0.4, 0.06, 0.04], [0.06, 0.4, 0.04, 0.5]],
    [[0.9, 0.04, 0.02, 0.04], [0.1, 0.2, 0.1, 0.6]],
    [[0.6, 0.3, 0.05, 0.05], [0.05, 0.4, 0.45, 0.1]],
    [[0.5, 0.3, 0.1, 0.1], [0.02, 0.03, 0.9, 0.05]],
    [[0.45, 0.35, 0.1, 0.1], [0.1, 0.38, 0.12, 0.4]],
]
# What is done to the arrows, as factors of the scores and of the values.
_CHANGES = [
    (Text("`W_q` makes half a turn", "`W_q` 转了半圈"), -1),
    (Text("`W_q` becomes twice as long", "`W_q` 的长度变成原来的两倍"), 2),
    (Text("`W_q` and `W_k` both make half a turn", "`W_q` 和 `W_k` 各转了半圈"), 1),
    (Text("`W_k` makes half a turn", "`W_k` 转了半圈"), -1),
    (Text("`W_v` makes half a turn", "`W_v` 转了半圈"), 1),
]


@family("mean-of-heads", figure="averaged")
def mean_of_heads(draw: Draw, lang: Lang) -> Item:
    """Ask which word has the most weight in the mean of two heads."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()
    heads = torch.tensor(draw.in_turn(_HEADS), dtype=torch.float64)[:, draw.shuffled(range(4))]
    mean = heads.mean(dim=0)
    right, tops = int(mean.argmax()), heads.argmax(dim=1).tolist()

    def reply(k: int) -> str:
        if k == right:
            return say(
                f"The mean weight on “{words[k]}” is {mean[k]:g}, and no other mean is larger.",
                f"“{words[k]}”的权重在两个头里平均是 {mean[k]:g}，比别的词都大。",
            )
        if k in tops:
            return say(
                f"“{words[k]}” is first in head {tops.index(k)} only, and the mean of its two "
                f"weights is {mean[k]:g}.",
                f"“{words[k]}”只在头 {tops.index(k)} 里权重最大，两个头平均下来是 {mean[k]:g}。",
            )
        return say(
            f"The mean of the weights on “{words[k]}” is only {mean[k]:g}.",
            f"“{words[k]}”的平均权重只有 {mean[k]:g}。",
        )

    options = {words[k]: reply(k) for k in range(4)}
    return Item(
        say(
            "`need_weights=True` returns the mean over the heads. Here are the weights of two "
            "heads for one query.",
            "`need_weights=True` 返回的是各个头的平均权重。下表是同一个查询在两个头里的权重。",
        ),
        ask.choice(
            say(
                "Which word has the largest weight in this mean?",
                "返回的结果里，哪个词的权重最大？",
            ),
            right,
            options,
        ),
        Table(
            words,
            {say(f"head {h}", f"头 {h}"): [f"{x:g}" for x in heads[h].tolist()] for h in (0, 1)},
        ),
    )


@family("keys-read", figure="both", exercise="both-masks")
def keys_read(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys a query reads behind a causal mask and a padding mask."""
    say, size = say_in(lang), draw.whole(6, 8)
    padding, left = draw.whole(2, 3), draw.in_turn([True, False, True, False, True])
    real = torch.arange(size)
    real = real >= padding if left else real < size - padding
    query = draw.whole(padding + 1, size - 1) if left else draw.whole(2, size - 1)
    keep = torch.ones(size, size).tril().bool() & real
    n = int(keep[query].sum())
    mistakes = {
        say(
            f"A causal mask alone leaves {query + 1} keys, but some of them are padding.",
            f"你只用了因果掩码，留下的 {query + 1} 个键里还有填充。",
        ): query + 1,
        say(
            f"A padding mask alone leaves {int(real.sum())} keys, but some of them come later.",
            f"你只用了填充掩码，留下的 {int(real.sum())} 个键里还有排在后面的词。",
        ): int(real.sum()),
        say("A query also reads its own key.", "别忘了查询还能读自己的键。"): n - 1,
    }
    return Item(
        say(
            f"A sentence has the `attention_mask` `{real.int().tolist()}`, where 1 stands for a "
            "word. A causal mask is used as well.",
            f"一句话的 `attention_mask` 是 `{real.int().tolist()}`，1 表示词。另外还用了因果掩码。",
        ),
        ask.number(
            say(
                f"The number of keys that the query at place {query} reads (places count from 0)",
                f"第 {query} 个位置的查询能读到几个键？（从 0 数起）",
            ),
            n,
            unlike(n, mistakes, 0.4),
            within=0.4,
            said=say(
                f"A key must be allowed by both masks, and of the places 0 to {query}, {n} hold "
                "words.",
                f"两个掩码都允许，键才读得到。第 0 到 {query} 个位置里，词有 {n} 个。",
            ),
        ),
        answer=str(n),
    )


@family("turned-arrow", figure="asking")
def turned_arrow(draw: Draw, lang: Lang) -> Item:
    """Ask which word wins when one of the arrows turns."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()
    change, factor = draw.in_turn(_CHANGES)
    scores = torch.tensor(draw.several([-3.5, -2.0, -0.5, 0.5, 1.0, 2.0, 3.0], 4))
    right = int((factor * scores).argmax())
    highest, lowest = int(scores.argmax()), int(scores.argmin())
    why = {
        -1: say(
            "Half a turn of one arrow changes the sign of every score, so the lowest becomes the "
            "highest.",
            "一个箭头转了半圈，每个分数都变号，最低的就成了最高的。",
        ),
        2: say(
            "Every score doubles, so the highest stays the highest.",
            "每个分数都加倍，最高的仍然最高。",
        ),
        1: say(
            "`W_v` makes only the values, and the scores stay as they are.",
            "`W_v` 只用来算值，不影响分数。",
        )
        if "W_v" in change.en
        else say(
            "Queries and keys both change their signs, so their products stay as they are.",
            "查询和键都变号，乘积不变，分数也就不变。",
        ),
    }

    def reply(k: int) -> str:
        if k == right:
            return why[factor]
        if k == highest:
            return say(
                f"“{words[k]}” had the highest score before, but all scores change their signs.",
                f"“{words[k]}”原来的分数最高，但现在所有分数都变了号。",
            )
        if k == lowest:
            return say(
                f"“{words[k]}” has the lowest score. Only if all scores changed their signs would "
                f"“{words[k]}” win.",
                f"“{words[k]}”的分数最低，除非所有分数都变号，否则轮不到“{words[k]}”。",
            )
        return say(
            f"“{words[k]}” is neither highest nor lowest, and no change of signs or lengths "
            "makes its score the highest.",
            f"“{words[k]}”的分数居中，不管变号还是放大，都排不到第一。",
        )

    return Item(
        say(
            f"The projections are arrows in the plane. The table gives the scores of one query on "
            f"four words. Then {change.en}.",
            f"把三个投影画成平面上的箭头，下表是一个查询对四个词的分数。现在，{change.zh}。",
        ),
        ask.choice(
            say("Which word has the largest weight now?", "现在哪个词的权重最大？"),
            right,
            {words[k]: reply(k) for k in range(4)},
        ),
        Table(words, {say("score before", "原来的分数"): [signed(x) for x in scores.tolist()]}),
    )


@family("new-outputs", figure="placed", exercise="shuffled-behind-a-mask")
def new_outputs(draw: Draw, lang: Lang) -> Item:
    """Ask how many words get another output when two words change places."""
    say, size = say_in(lang), draw.whole(5, 8)
    placed, causal = draw.in_turn(
        [(True, False), (False, True), (False, False), (True, True), (False, True)]
    )
    i = draw.whole(1, size - 3)
    j = draw.whole(i + 1, size - 2)
    n = _changed(size, i, j, placed=placed, causal=causal)
    mistakes = {
        say(
            "Each word keeps its output only if neither positions nor a causal mask show the "
            "order.",
            "既不加位置，又不用因果掩码，各个词的输出才都不变。",
        ): 0,
        say(
            "The two words that have moved are not the only ones to change, because others read "
            "them.",
            "变的不止对调的两个词，别的词也要读这两个词。",
        )
        if placed or causal
        else say(
            "The two words that have moved take their outputs with them.",
            "两个词对调，输出也跟着对调，各自的输出并没有变。",
        ): 2,
        say(
            "All outputs change only if positions are added and no mask hides a word.",
            "你说的是加了位置、又没有掩码的情况，那样所有的输出都会变。",
        ): size,
    }
    if causal and placed:
        later = say(
            f"Words after place {j} change, too: they read two words with new positions.",
            f"第 {j} 个位置以后的词也会变，因为读到的两个词换了位置。",
        )
        mistakes[later] = j - i + 1
    elif causal:
        later = say(
            f"Words after place {j} read the same words as before, and without positions their "
            "order does not matter.",
            f"第 {j} 个位置以后的词，读到的还是原来那些词，不加位置，次序就不影响结果。",
        )
        mistakes[later] = size - i
    because = {
        (True, False): say(
            "With new positions, the two words have new keys and values, and all words read them.",
            "加了位置，对调的两个词键和值都变了，而每个词都要读这两个词。",
        ),
        (False, True): say(
            f"With a causal mask, only the words at places {i} to {j} read a different set of "
            "words.",
            f"有了因果掩码，只有第 {i} 到 {j} 个位置上的词，能读到的词与原来不同。",
        ),
        (False, False): say(
            "Each word meets the same words as before, and a weighted sum has no order.",
            "每个词读到的还是那些词，加权求和又与次序无关。",
        ),
        (True, True): say(
            f"The words from place {i} on read at least one of the two words, which have new "
            "positions.",
            f"从第 {i} 个位置起，每个词都至少读到一个对调过的词，而这两个词的位置变了。",
        ),
    }[placed, causal]
    return Item(
        say(
            f"In a sentence of {size} words, the words at places {i} and {j} (counted from 0) "
            "are swapped. "
            + ("Positions are added" if placed else "No positions are added")
            + (", and a causal mask is used." if causal else ", and no mask is used."),
            f"一句话有 {size} 个词，把第 {i} 个词和第 {j} 个词对调（从 0 数起）。"
            + ("词向量加了位置，" if placed else "词向量没有加位置，")
            + ("用了因果掩码。" if causal else "不用掩码。"),
        ),
        ask.number(
            say(
                "How many of the words get a different output from self-attention?",
                "经过自注意力，有几个词的输出与原来不同？",
            ),
            n,
            unlike(n, mistakes, 0.4),
            within=0.4,
            said=because,
        ),
        answer=str(n),
    )


def _changed(size: int, i: int, j: int, *, placed: bool, causal: bool) -> int:
    """Count the words whose output changes when those at i and j change places."""
    torch.manual_seed(0)
    words, places = torch.randn(2, size, 3, dtype=torch.float64)
    order = [*range(size)]
    order[i], order[j] = j, i
    lens = torch.arange(1, size + 1)[None] if causal else None

    def outputs(x: torch.Tensor) -> torch.Tensor:
        x = x + places if placed else x
        return masked_softmax((x @ x.mT)[None], lens)[0] @ x

    differ = (outputs(words[order]) - outputs(words)[order]).abs().amax(dim=1) > 1e-9
    return int(differ.sum())


_SHADOWS = Text(
    "Each word of *Mia lost her key* is a vector. Its shadow on the arrow `W_q` is its query, on "
    "`W_k` its key, and on `W_v` its value.",
    "“小雨、丢了、钥匙、她”各是一个向量，在箭头 `W_q` 上的投影是查询，在 `W_k` 上的是键，"
    "在 `W_v` 上的是值。",
)
_FOUR = Text(
    "The four words of *Mia lost her key* attend to one another.",
    "“小雨、丢了、钥匙、她”四个词相互计算注意力。",
)
_VERBS = Text(
    "A model with two heads says which of *is*, *are*, *was* and *were* follows, as in *now the "
    "dog … is* and *yesterday the dogs … were*.",
    "模型有两个头，要在“这本、这条、那本、那条”里选一个填空，例如“裙子，我要那边的那条”。",
)
GIVEN = {
    "alike": _SHADOWS,
    "bringing": _SHADOWS,
    "shuffled": Text(
        "*Mia lost her key* goes through self-attention, and no positions are added.",
        "“小雨、丢了、钥匙、她”输入自注意力，没有加位置编码。",
    ),
    "clocks": Text(
        "A position is encoded by the hands of several clocks, which turn at different speeds.",
        "位置用几个钟面上的指针表示，各个指针转动的快慢不同。",
    ),
    "causal": _FOUR,
    "in-front": Text(
        "Two places of padding stand in front of *Mia lost her key*, and each row keeps the first "
        "keys, as many as its length says.",
        "“小雨、丢了、钥匙、她”前面有两个填充，每一行按长度保留最前面的几个键。",
    ),
    "heads": _VERBS,
    "heads-swap": _VERBS,
    "sink": Text(
        "A token ‹start›, whose value is 0, stands in front of *Mia lost her key*.",
        "“小雨、丢了、钥匙、她”前面有一个 ‹开始›，值是 0。",
    ),
}
