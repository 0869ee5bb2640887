"""Ask again for the ideas of chapter 13."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.translated import Lang, Text
from attention_lib import masked_softmax

_NEXT = {
    "en": ["tea milk", "cat dog", "soon never", "red blue"],
    "zh": ["茶 牛奶", "猫 狗", "马上 从不", "红 蓝"],
}
_SENTENCES = {
    "en": ["Tom hid his bike near the river", "Eva sold her car to friends"],
    "zh": ["小明 把 车 停 到 学校 后面", "小兰 把 书 卖 给 老 朋友"],
}
# What is free in a template, and of how many words each is one.
_TEMPLATES = {
    "en": [("name", "verb"), ("animal", "colour"), ("fruit", "price")],
    "zh": [("名字", "动词"), ("动物", "颜色"), ("水果", "价格")],
}
# Weights of the first token and of three words.
_ROWS = [
    [0.6, 0.1, 0.1, 0.2],
    [0.5, 0.3, 0.1, 0.1],
    [0.2, 0.6, 0.1, 0.1],
    [0.75, 0.15, 0.05, 0.05],
    [0.5, 0.05, 0.35, 0.1],
]


@family("tempered-ratio", figure="temperature")
def tempered_ratio(draw: Draw, lang: Lang) -> Item:
    """Ask how a temperature changes the ratio of two probabilities."""
    say, (one, other) = say_in(lang), draw.one(_NEXT[lang]).split()
    ratio, temperature = draw.in_turn([(4, 0.5), (9, 2), (1, 4), (8, 3), (5, 0.5)])
    logits = torch.tensor([ratio, 1], dtype=torch.float64).log()
    p = (logits / temperature).softmax(dim=-1)
    right = p[0] / p[1]
    low = temperature < 1
    mistakes = {
        say(
            "The temperature divides the logits before the exponential, not the ratio of the "
            "probabilities.",
            "你用温度去除概率之比了，其实温度除的是取指数之前的 logit。",
        ): ratio / temperature,
        say(
            "Multiplying the ratio by the temperature overlooks that logits stand in an exponent.",
            "概率之比不能直接乘以温度，因为 logit 在指数上。",
        ): ratio * temperature,
        say(
            "A low temperature strengthens a difference, and you have weakened it."
            if low
            else "A high temperature weakens a difference, and you have strengthened it.",
            "你把方向弄反了，温度低，差别应该变大。"
            if low
            else "你把方向弄反了，温度高，差别应该变小。",
        ): ratio**temperature,
        say(
            "The ratio stays the same only at the temperature 1 or between words that are equally "
            "probable.",
            "要比值不变，除非温度是 1，或者两个词概率相等。",
        ): float(ratio),
        say(
            "Equal probabilities would need an infinitely high temperature.",
            "温度要无限升高，两个词的概率才会趋于相等。",
        ): 1.0,
    }
    return Item(
        say(
            f"At temperature 1, “{one}” is as probable as “{other}”."
            if ratio == 1
            else f"At temperature 1, “{one}” is {ratio} times as probable as “{other}”.",
            f"温度为 1 时，“{one}”与“{other}”的概率相等。"
            if ratio == 1
            else f"温度为 1 时，“{one}”的概率是“{other}”的 {ratio} 倍。",
        ),
        ask.number(
            say(
                f"At temperature {temperature:g}, how many times as probable is “{one}”?",
                f"温度为 {temperature:g} 时，“{one}”的概率是“{other}”的多少倍？",
            ),
            right,
            unlike(right, mistakes, 0.02),
            within=0.02,
            said=say(
                "Equal logits stay equal when both are divided by the same number.",
                "两个 logit 相等，除以同一个数以后仍然相等。",
            )
            if ratio == 1
            else say(
                f"The logits differ by ln {ratio}. Divided by {temperature:g}, that makes "
                f"ln {float(right):g}.",
                f"两个 logit 相差 ln {ratio}，除以 {temperature:g} 以后是 ln {float(right):g}。",
            ),
        ),
        answer=f"{float(right):g}",
    )


@family("without-first-token", figure="idle")
def without_first_token(draw: Draw, lang: Lang) -> Item:
    """Ask for the weight of a word after the first token has been removed."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()[:3]
    row = torch.tensor(draw.in_turn(_ROWS), dtype=torch.float64)
    row[1:] = row[1:][draw.shuffled(range(3))]
    k = draw.whole(1, 3)
    right = masked_softmax(row[1:].log()[None, None], None)[0, 0, k - 1]
    first, weight, word = float(row[0]), float(row[k]), words[k - 1]
    mistakes = {
        say(
            f"With {weight:g} left unchanged, the row would sum to less than 1.",
            f"如果还是 {weight:g}，这一行之和就不到 1 了。",
        ): weight,
        say(
            "The weight of `<s>` is not shared out equally: all words grow by the same factor.",
            "你把 `<s>` 的权重平均分给了各个词，其实各个词变大的倍数相同。",
        ): weight + first / 3,
        say(
            f"Not all of the weight of `<s>` goes to “{word}”.",
            f"`<s>` 的权重不会全归“{word}”，别的词也要分。",
        ): weight + first,
    }
    return Item(
        say(
            "The table gives a row of attention weights. Then `<s>` is removed from the keys.",
            "下面是一行注意力权重。现在把 `<s>` 从键里去掉。",
        ),
        ask.number(
            say(f"The new weight on “{word}”", f"这时“{word}”的权重"),
            right,
            unlike(right, mistakes),
            said=say(
                f"Softmax divides by the sum of what is left: {weight:g} / {1 - first:g}.",
                f"softmax 要除以剩下各项之和，所以是 {weight:g} ÷ {1 - first:g}。",
            ),
        ),
        Table(["<s>", *words], {say("weight", "权重"): [f"{x:g}" for x in row.tolist()]}),
        answer=f"{float(right):g}",
    )


@family("loss-and-bound", figure="look-ahead")
def loss_and_bound(draw: Draw, lang: Lang) -> Item:
    """Ask what a loss says that lies below, at or far above the entropy of the free words."""
    say, free = say_in(lang), draw.one(_TEMPLATES[lang])
    sizes = draw.several([3, 4, 5, 6, 8], 2)
    bound = torch.tensor(sizes, dtype=torch.float64).log().sum().item()
    times = draw.in_turn([0.2, 1.03, 3, 1.05, 0.1])
    loss = round(bound * times, 1)
    right = 0 if loss < bound - 0.5 else 1 if loss < bound + 0.5 else 2
    sees = say(
        f"Only a loss below {bound:.1f} shows that a decoder sees the free words, and {loss:g} is "
        "not below.",
        f"如果看到了要预测的词，损失会低于 {bound:.1f}，但 {loss:g} 并不比 {bound:.1f} 低。",
    )
    learnt = (
        say(
            "A decoder that has only learnt the template cannot have a mean loss below "
            f"{bound:.1f}.",
            f"就算学会了模板，平均损失也不可能低于 {bound:.1f}。",
        )
        if right == 0
        else say(
            f"A decoder that has learnt the template comes close to {bound:.1f}.",
            f"如果学会了模板，损失应该接近 {bound:.1f}。",
        )
    )
    little = say(
        "After little learning, the determined words are wrong and the loss is far above "
        f"{bound:.1f}.",
        f"如果没有学会多少，由前文决定的词也会出错，损失应该远高于 {bound:.1f}。",
    )
    replies = [sees, learnt, little]
    replies[right] = [
        say(
            f"The free words cannot be foreseen and cost {bound:.1f} on average, so a smaller "
            "loss means that the answers have leaked.",
            f"随机的词谁也预测不了，平均损失至少是 {bound:.1f}。比这还小，说明解码器看到了答案。",
        ),
        say(
            f"Nearly all of the loss comes from the free words, which cost {bound:.1f} on average.",
            f"损失几乎都来自这两个随机的词，平均是 {bound:.1f}，其他的词都预测对了。",
        ),
        say(
            f"The free words cost only {bound:.1f} on average, so the determined words must cost "
            "the rest.",
            f"两个随机的词平均只占 {bound:.1f}，可见由前文决定的词也没有预测对。",
        ),
    ][right]
    names = [
        say("it sees the words it has to predict", "解码器看到了要预测的词"),
        say("it has learnt the template", "解码器学会了模板"),
        say("it has learnt little so far", "解码器还没有学会多少"),
    ]
    return Item(
        say(
            f"In a template two words are free: the {free[0]} is one of {sizes[0]} and the "
            f"{free[1]} one of {sizes[1]}, at random. Every other word is determined. ln "
            f"{sizes[0]} + ln {sizes[1]} is {bound:.1f}. On new sentences, a decoder's mean loss "
            f"per sentence is {loss:g}.",
            f"模板里的{free[0]}从 {sizes[0]} 种里随机选，{free[1]}从 {sizes[1]} 种里随机选，"
            f"其他的词由前文决定，ln {sizes[0]} + ln {sizes[1]} 是 {bound:.1f}。"
            f"解码器在新句子上的损失，平均每句是 {loss:g}。",
        ),
        ask.choice(
            say("What does this loss say about the decoder?", "这个损失说明了什么？"),
            right,
            dict(zip(names, replies, strict=True)),
        ),
    )


@family("first-to-change", figure="trace")
def first_to_change(draw: Draw, lang: Lang) -> Item:
    """Ask which number of a word is the first to change when something else does."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()
    change = draw.in_turn(["earlier", "later", "own", "W_q", "W_v"])
    asks = draw.whole(2, len(words) - 3)
    swapped = {"earlier": draw.whole(0, asks - 1), "later": draw.whole(asks + 1, len(words) - 1)}
    place = swapped.get(change, asks)
    before, after = _forward(len(words)), _forward(len(words), change, place)
    names = ["input", "query", "output"]
    changed = [not torch.equal(before[name][asks], after[name][asks]) for name in names]
    right = changed.index(True) if any(changed) else 3
    word = words[asks]
    happens = {
        "W_q": say("`W_q` is changed", "改动 `W_q`"),
        "W_v": say("`W_v` is changed", "改动 `W_v`"),
    }.get(
        change,
        say(
            f"the word “{words[place]}” is replaced by another word",
            f"把“{words[place]}”换成别的词",
        ),
    )
    replies = [
        say(
            f"The input is made of “{word}” and its position, and neither has changed.",
            f"输入由“{word}”的向量和位置相加得到，两者都没有变。",
        ),
        say(
            f"The query changes too, but the input of “{word}” comes first.",
            f"查询也会变，但是“{word}”的输入变得更早。",
        )
        if change == "own"
        else say(
            f"The query is made from the input of “{word}” and `W_q`, and neither has changed.",
            f"查询由“{word}”的输入和 `W_q` 算出，两者都没有变。",
        ),
        say(
            "The head's output uses no word that comes later, because the mask is causal.",
            "有因果掩码挡着，头的输出用不到后面的词。",
        )
        if change == "later"
        else say(
            "The head's output changes too, but another vector changes first.",
            "头的输出也会变，但不是最先变的。",
        ),
        say(
            "All three stay as they are only if the word that is replaced comes later.",
            "要是换掉的词排在后面，三项才都不变。",
        ),
    ]
    replies[right] = {
        "earlier": say(
            f"Of the three, only the head's output of “{word}” uses earlier words.",
            "三项里，最先用到前面的词的是头的输出。",
        ),
        "later": say(
            f"With a causal mask “{word}” never reads a word that comes later.",
            f"有了因果掩码，“{word}”读不到后面的词。",
        ),
        "own": say(
            "The input is the vector of the word itself, with its position added.",
            "输入就是这个词自己的向量加上位置，最先受影响。",
        ),
        "W_q": say(
            "The query is the first vector that `W_q` makes.", "三项里，最先用到 `W_q` 的是查询。"
        ),
        "W_v": say(
            "`W_v` makes the values, and only the head's output uses them.",
            "`W_v` 用来算值，三项里只有头的输出用到值。",
        ),
    }[change]
    options = [
        say("the input", "输入"),
        say("the query", "查询"),
        say("the head's output", "头的输出"),
        say("none of the three", "三项都不变"),
    ]
    return Item(
        say(
            f"A decoder of one block reads “{' '.join(words)}” with a causal mask. Then {happens}.",
            f"解码器只有一个块，用因果掩码读“{' '.join(words)}”。现在{happens}。",
        ),
        ask.choice(
            say(
                f"Which of these vectors of “{word}” is the first to change?",
                f"“{word}”的哪一项最先改变？",
            ),
            right,
            dict(zip(options, replies, strict=True)),
        ),
    )


def _forward(number: int, change: str = "", place: int = 0) -> dict[str, torch.Tensor]:
    """Return the numbers of a random head for each word, with one change."""
    torch.manual_seed(0)
    x, weights = torch.randn(number, 4), dict(zip("qkv", torch.randn(3, 4, 4), strict=True))
    if change.startswith("W_"):
        weights[change[-1]] = torch.randn(4, 4)
    elif change:
        x[place] = torch.randn(4)
    q, k, v = (x @ weights[name] for name in "qkv")
    lens = torch.arange(1, number + 1)[None]
    return {"input": x, "query": q, "output": masked_softmax((q @ k.mT)[None], lens)[0] @ v}


@family("two-attentions", figure="cross")
def two_attentions(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys a query of a translator's decoder reads in one of its attentions."""
    say, cross = say_in(lang), draw.in_turn([True, False, True, False, True])
    source, target = draw.several(range(5, 11), 2)
    query = draw.whole(1, target - 2)
    lens = torch.arange(1, target + 1)[None]
    scores = torch.zeros(1, target, source), torch.zeros(1, target, target)
    weights = masked_softmax(scores[0], None), masked_softmax(scores[1], lens)
    of_source, of_target = (int((x[0, query] > 0).sum()) for x in weights)
    right = of_source if cross else of_target
    mistakes = {
        say(
            "A causal mask leaves that many keys in self-attention, but the source is complete "
            "from the beginning.",
            "你用了自注意力的因果掩码，但交叉注意力读的是完整的原文。",
        )
        if cross
        else say(
            "Cross-attention reads the whole source, but self-attention reads the translation.",
            "读整个原文的是交叉注意力，自注意力读的是译文。",
        ): of_target if cross else of_source,
        say(
            "The keys of cross-attention come from the source, not from the translation.",
            "交叉注意力的键来自原文，不是译文。",
        )
        if cross
        else say(
            "The causal mask hides the words of the translation that come later.",
            "译文里后面的词已经被因果掩码掩蔽了，读不到。",
        ): target,
        say(
            "Keys of source and translation are not read together.",
            "原文和译文的键不会在同一次注意力里一起读。",
        ): of_source + of_target,
        say(
            "Causal self-attention reads that many earlier tokens, and the token itself.",
            "在自注意力里，词元除了读前面这些词元，还读自己。",
        ): of_target - 1,
    }
    kind = say("cross-attention", "交叉注意力") if cross else say("self-attention", "自注意力")
    return Item(
        say(
            f"In training, the decoder of a Transformer gets a translation of {target} tokens at "
            f"once. The source has {source} tokens.",
            f"训练 Transformer 做翻译时，解码器一次读入译文的全部 {target} 个词元，"
            f"原文有 {source} 个词元。",
        ),
        ask.number(
            say(
                f"The number of keys that token {query} of the translation reads in {kind} (tokens "
                "count from 0)",
                f"译文第 {query} 个词元在{kind}里能读到几个键？（从 0 数起）",
            ),
            right,
            unlike(right, mistakes, 0.4),
            within=0.4,
            said=say(
                "All keys of the source are there from the beginning, so there is no causal mask.",
                "原文的键从一开始就是全的，用不着因果掩码。",
            )
            if cross
            else say(
                f"With the causal mask, the tokens 0 to {query} are read.",
                f"有了因果掩码，读到的是第 0 到 {query} 个词元。",
            ),
        ),
        answer=str(right),
    )


_DECODER = Text(
    "A small decoder has learnt sentences like *Mia lost her key. She found it in the garden.* It "
    "has two heads in one block.",
    "一个小解码器学的是“小雨丢了一把钥匙。她在花园里找到了它。”这样的句子，只有一个块、两个头。",
)
GIVEN = dict.fromkeys(["writes", "parts-heads", "parts-sums", "kept", "look"], _DECODER)
