"""Ask again for the ideas of chapter 4."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, family, say_in, unlike
from attention_course.translated import Lang
from attention_lib import length_mask, masked_softmax

_SENTENCES = {
    "en": ["the train was late again", "the old train was late today"],
    "zh": ["火车 今天 早上 又 晚点", "这 趟 火车 今天 又 晚点"],
}


@family("causal-share", figure="staircase")
def causal_share(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight under a causal mask when all scores are equal."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()
    n = len(words)
    query = draw.whole(1, n - 2)
    key = query + 1 if draw.turn == 3 else draw.whole(0, query)
    reader, read = words[query], words[key]
    weights = masked_softmax(torch.zeros(1, n, n), torch.arange(1, n + 1)[None])[0, query]
    share = 1 / (query + 1)
    mistakes = {
        say(
            f"A share of 1/{n} is what every word gets if no word is masked.",
            f"如果不加掩码，{n} 个词才各得 1/{n}。",
        ): 1 / n,
        say(
            f"With 1/{query} the word “{reader}” would not read itself.",
            f"“{reader}”也读取自己，别漏掉。",
        ): 1 / query,
        say(
            "A weight of 0 is for words that stand later.",
            f"只有排在“{reader}”后面的词，权重才是 0。",
        ): 0.0,
        say(
            f"Words that stand later than “{reader}” are masked.",
            f"排在“{reader}”后面的词已经被掩蔽了。",
        ): share,
    }
    because = (
        say(
            f"“{read}” stands later than “{reader}”, and a causal mask leaves it no weight.",
            f"“{read}”排在“{reader}”后面，因果掩码不给它任何权重。",
        )
        if key > query
        else say(
            f"“{reader}” reads {query + 1} words, with itself, and equal scores weigh alike.",
            f"“{reader}”读取的是自己和前面的词，一共 {query + 1} 个，分数相等，权重也相等。",
        )
    )
    return Item(
        say(
            f"A causal mask is put on a sentence of {n} words, “{' '.join(words)}”. All scores are "
            "equal.",
            f"给“{' '.join(words)}”这 {n} 个词加上因果掩码，所有分数都相等。",
        ),
        ask.number(
            say(f"The weight that “{reader}” gives “{read}”", f"“{reader}”给“{read}”的权重"),
            weights[key],
            unlike(weights[key], mistakes, 0.002),
            within=0.002,
            said=because,
        ),
        answer="0" if key > query else f"1/{query + 1}",
    )


@family("sum-as-length", figure="left-padding")
def sum_as_length(draw: Draw, lang: Lang) -> Item:
    """Ask which keys a length keeps that is the sum of an attention_mask."""
    say, size = say_in(lang), draw.whole(4, 7)
    kind = draw.in_turn(["both", "words", "padding", "both", "words"])
    before = {"words": 0, "padding": draw.whole((size + 1) // 2, size - 1), "both": 0}[kind]
    before = draw.whole(1, (size - 1) // 2) if kind == "both" else before
    words = size - before if before else draw.whole(2, size - 1)
    real = torch.arange(size)
    real = (real >= before) & (real < before + words)
    kept = length_mask(real.sum()[None], 1, size)[0, 0]
    some = [bool((kept & real).any()), bool((kept & ~real).any())]
    options = {
        say("only words", "只有词"): say(
            "Only words are kept where the padding stands on the right.",
            "如果填充在右边，留下的才只有词。",
        ),
        say("only padding", "只有填充"): say(
            "Only padding is kept where there is at least as much of it on the left as there are "
            "words.",
            "左边的填充不少于词时，留下的才只有填充。",
        ),
        say("words and padding", "既有词也有填充"): say(
            "Words and padding are both kept where there is some padding on the left, but less "
            "than there are words.",
            "左边有填充，又比词少，留下的才既有词也有填充。",
        ),
    }
    right = [[True, False], [False, True], [True, True]].index(some)
    n, named = int(real.sum()), [*options][right]
    options[named] = say(
        f"A length of {n} keeps the {n} leftmost keys, whatever they are.",
        f"有效长度 {n} 保留最左边的 {n} 个键，不管这些键是不是填充。",
    )
    mask = real.int().tolist()
    return Item(
        say(
            f"The `attention_mask` of a sentence is `{mask}`, where 1 stands for a word. Its sum, "
            f"{n}, is passed as the valid length.",
            f"一句话的 `attention_mask` 是 `{mask}`，1 表示词。把总和 {n} 当作有效长度传入。",
        ),
        ask.choice(say("Which keys have weight?", "哪些键有权重？"), right, options),
    )
