"""Ask again for the ideas of chapter 4."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.translated import Lang, Text
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
            f"A share of 1/{n} is what each word gets if no word is masked.",
            f"你没有考虑掩码，让 {n} 个词平分了权重。",
        ): 1 / n,
        say(
            f"{1 / query:.3g} counts one word too few: “{reader}” reads itself and every word "
            "before it.",
            f"你少算了一个词。“{reader}”要读自己，还要读前面所有的词。",
        ): 1 / query,
        say(
            f"A weight of 0 goes only to words that come after “{reader}”.",
            f"“{read}”不在“{reader}”后面，没有被掩蔽。",
        ): 0.0,
        say(
            f"A share of 1/{query + 1} goes to “{reader}” and each word before it.",
            f"“{read}”排在“{reader}”后面，已经被掩蔽了。",
        ): share,
    }
    because = (
        say(
            f"“{read}” comes after “{reader}”, so the causal mask gives “{read}” no weight.",
            f"“{read}”排在“{reader}”后面，被因果掩码掩蔽了，权重是 0。",
        )
        if key > query
        else say(
            f"“{reader}” reads {query + 1} words, itself included, and equal scores get equal "
            "weights.",
            f"“{reader}”读的是自己和前面的词，一共 {query + 1} 个，分数相等，所以平分权重。",
        )
    )
    return Item(
        say(
            f"A causal mask is applied to a sentence of {n} words, “{' '.join(words)}”. All "
            "scores are equal.",
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
    say, size = say_in(lang), draw.in_turn([6, 5, 4, 7, 6])  # the figure has 2 of 5 in front
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
            "Only words are kept if all of the padding is on the right.",
            "你当成了填充在右边的情况，但这里左边就有填充。",
        ),
        say("only padding", "只有填充"): say(
            "Only padding is kept if at least as many keys on the left are padding as there are "
            "words.",
            "左边的填充不比词少，才会一个词也留不下。",
        ),
        say("words and padding", "既有词也有填充"): say(
            "Words and padding are both kept if some keys on the left are padding, but fewer "
            "than there are words.",
            "左边要有填充，而且比词少，才会两种都留下。",
        ),
    }
    right = [[True, False], [False, True], [True, True]].index(some)
    n, named = int(real.sum()), [*options][right]
    options[named] = say(
        f"A length of {n} keeps the {n} leftmost keys, whatever they are.",
        f"有效长度是 {n}，就保留最左边的 {n} 个键，不管是词还是填充。",
    )
    mask = real.int().tolist()
    return Item(
        say(
            f"The `attention_mask` of a sentence is `{mask}`, where 1 stands for a word. Its sum, "
            f"{n}, is passed as the valid length.",
            f"一句话的 `attention_mask` 是 `{mask}`，1 表示词。程序把总和 {n} 当作有效长度。",
        ),
        ask.choice(say("Which keys get weight?", "权重落在哪些键上？"), right, options),
    )


@family("mask-in-time", figure="wider")
def mask_in_time(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight after the scores of padding have been masked before the softmax."""
    say = say_in(lang)
    tenths = draw.in_turn([(2, 2), (1, 4), (3, 1), (6, 2), (2, 3)])  # of the two words
    asked, left = draw.whole(0, 1), 10 - sum(tenths)
    split = draw.whole(1, left - 1) if left > 1 else 0
    before = torch.tensor([*tenths, split, left - split]).double() / 10
    weights = masked_softmax(before.log()[None, None], torch.tensor([2]))[0, 0]
    weight, kept = float(before[asked]), float(before[:2].sum())
    mistakes = {
        say(
            f"{weight:g} is what remains if the padding's weights are set to 0 after the softmax.",
            f"{weight:g} 是先做 softmax、再把填充的权重改成 0 的结果，次序反了。",
        ): weight,
        say(
            f"{weight + (1 - kept) / 2:g} divides the padding's weight equally, but both weights "
            "grow by the same factor.",
            "你把填充的权重平分给了两个词，其实两个词应该按同样的倍数变大。",
        ): weight + (1 - kept) / 2,
        say(
            "A weight of 0.5 would need equal scores for keys 0 and 1.",
            "要键 0 和键 1 的分数相等，才会各得一半。",
        ): 0.5,
        say(
            f"{float(before[1 - asked]) / kept:g} is the weight of key {1 - asked}.",
            f"你算成了键 {1 - asked} 的权重，{float(before[1 - asked]) / kept:g}。",
        ): before[1 - asked] / kept,
        say(
            f"A weight of 1 would need key {1 - asked} to be masked, too.",
            f"被掩蔽的只有填充，键 {1 - asked} 也要分到权重。",
        ): 1,
    }
    return Item(
        say(
            "A softmax over all four keys gave these weights, but keys 2 and 3 are padding. Now "
            "their scores are masked before the softmax.",
            "对四个键做 softmax，权重如下表，但键 2 和键 3 其实是填充。"
            "现在改为先掩蔽填充的分数，再做 softmax。",
        ),
        ask.number(
            say(f"The new weight of key {asked}", f"键 {asked} 的新权重"),
            weights[asked],
            unlike(weights[asked], mistakes, 0.005),
            said=say(
                f"Keys 0 and 1 had {kept:g} together and now share 1: {weight:g}/{kept:g}.",
                f"键 0 和键 1 原来一共占 {kept:g}，掩蔽填充以后一共占 1，所以是 "
                f"{weight:g}/{kept:g}。",
            ),
        ),
        Table(
            [say(f"key {i}", f"键 {i}") for i in range(4)],
            {say("weight", "权重"): [f"{x:g}" for x in before.tolist()]},
        ),
    )


@family("fill", figure="empty-row")
def fill(draw: Draw, lang: Lang) -> Item:
    """Ask for the weights that a finite or infinite fill, or masked_softmax, gives."""
    say = say_in(lang)
    way, length = draw.in_turn(
        [("finite", 2), ("finite", 0), ("infinite", 0), ("masked_softmax", 0), ("infinite", 2)]
    )
    size = draw.one([4, 5])
    low = length > 0
    score = -draw.whole(2, 9) * 1_000_000 if low else draw.whole(1, 9)
    scores = torch.full((size,), float(score), dtype=torch.float64)
    valid = length_mask(torch.tensor([length]), 1, size)[0, 0]
    filler = {"finite": -1e6, "infinite": -torch.inf}.get(way, 0.0)
    weights = (
        masked_softmax(scores[None, None], torch.tensor([length]))[0, 0]
        if way == "masked_softmax"
        else torch.where(valid, scores, filler).softmax(-1)
    )
    padding = size - 2
    first = ["1/2", "1/2", *["0"] * padding]
    last = ["0", "0", *[f"1/{padding}"] * padding]
    texts = [", ".join(x) for x in (first, last, [f"1/{size}"] * size, ["0"] * size)]
    options = [f"[{text}]" for text in texts] + [say("NaN everywhere", "全是 NaN")]
    right = _kind(weights)
    many = say(f"{-score:,}", f"{-score:,}") if low else f"{score}"
    sign = "−" if low else ""
    replies = [
        say(
            "Half each for keys 0 and 1 would need a fill below their scores, but −1e6 is higher.",
            "你以为 −1e6 足够低，其实有效的分数比 −1e6 还要低。",
        )
        if low
        else say(
            "Half each for keys 0 and 1 would need both to be valid, but no key is.",
            "你当成了有两个有效的键，但有效长度是 0，一个也没有。",
        ),
        say(
            "All weight on the last keys would need a fill above the valid scores, but −∞ is below "
            "any score.",
            "填充要占去全部权重，填入的数得比有效的分数高，但 −∞ 比任何分数都低。",
        )
        if low
        else say(
            "All weight on the last keys would need two valid keys with lower scores, but no key "
            "is valid here.",
            "有效长度是 0，前面两个键与后面的键一样被掩蔽，不会只剩后面的分到权重。",
        ),
        say(
            "Equal weights would need equal numbers in the row, but the fill has changed some "
            "of them.",
            "填充那几个数已经换过，一行的数不再相等，权重也就不会平分。",
        )
        if low
        else say(
            "Equal weights are what a finite fill gives to a row without a valid key.",
            "平分权重，是填入有限的数才有的结果。",
        ),
        say(
            "All zeros are what `masked_softmax` gives to a row without a valid key.",
            "权重全是 0，是 `masked_softmax` 对没有有效键的行所作的规定。",
        ),
        say(
            "NaN is 0/0, which a softmax gives to a row that holds nothing but −∞.",
            "NaN 来自 0/0，只有对整行的 −∞ 直接做 softmax 才会这样。",
        ),
    ]
    replies[right] = {
        ("finite", 2): say(
            "The fill −1e6 is far above the valid scores, so padding takes everything.",
            "填入的 −1e6 比有效的分数高得多，权重全让填充占去了。",
        ),
        ("finite", 0): say(
            f"The fill makes all {size} scores equal, and equal scores get equal weights.",
            f"填入以后，{size} 个分数都是 −1e6，分数相等，权重也就相等。",
        ),
        ("infinite", 0): say(
            "Every exponential is 0, and 0/0 is NaN.",
            "每个分数的指数都是 0，0/0 得到 NaN。",
        ),
        ("masked_softmax", 0): say(
            "`masked_softmax` gives a row without a valid key the weight 0 everywhere.",
            "没有有效的键时，`masked_softmax` 规定整行权重都是 0。",
        ),
        ("infinite", 2): say(
            "The fill −∞ lies below any score, so both valid keys share the weight, however low "
            "their scores are.",
            "−∞ 比任何分数都低，所以不管有效的分数多低，权重都由两个有效的键平分。",
        ),
    }[way, length]
    how = {
        "finite": say(
            "Masked scores are filled with −1e6", "把被掩蔽的分数换成 −1e6，再做 softmax"
        ),
        "infinite": say("Masked scores are filled with −∞", "把被掩蔽的分数换成 −∞，再做 softmax"),
        "masked_softmax": say("`masked_softmax` masks the row", "用 `masked_softmax` 求权重"),
    }[way]
    return Item(
        say(
            f"All {size} scores of a row are {sign}{many}; the valid length is {length}. {how}"
            + ("." if way == "masked_softmax" else ", and the softmax follows."),
            f"一行有 {size} 个分数，都是 {sign}{many}，有效长度是 {length}。{how}。",
        ),
        ask.choice(
            say("What are the weights?", "权重是多少？"),
            right,
            dict(zip(options, replies, strict=True)),
        ),
    )


def _kind(weights: torch.Tensor) -> int:
    """Return which option of `fill` describes the weights."""
    if weights.isnan().all():
        return 4
    if not weights.any():
        return 3
    if torch.allclose(weights, weights.mean()):
        return 2
    return 0 if float(weights[0]) == 0.5 else 1


@family("share-of-padding", figure="sentence")
def share_of_padding(draw: Draw, lang: Lang) -> Item:
    """Ask how much weight padding gets while no key is masked."""
    say = say_in(lang)
    words, padding = draw.in_turn([(2, 2), (3, 1), (2, 1), (3, 2), (1, 3)])
    n = words + padding
    terms = torch.tensor([draw.whole(1, 4) for _ in range(n)])
    weights = masked_softmax(terms.double().log()[None, None], None)[0, 0]
    share, of_padding, total = weights[words:].sum(), int(terms[words:].sum()), int(terms.sum())
    mistakes = {
        say(
            "A share of 0 is what padding gets once it is masked, but no key is masked here.",
            "掩蔽了填充，填充的权重才是 0，但这里没有掩蔽。",
        ): 0.0,
        say(
            f"A share of {padding}/{n} would need equal scores.",
            f"要分数都相等，填充才会分到 {padding}/{n}。",
        ): padding / n,
        say(
            f"A share of {total - of_padding}/{total} is what the words get.",
            f"{total - of_padding}/{total} 是词分到的权重。",
        ): 1 - share,
    }
    names = [say("word", "词")] * words + [say("padding", "填充")] * padding
    return Item(
        say(
            "A softmax runs over words and padding, and no key is masked. The table has the "
            "exponentials of the scores.",
            "对词和填充一起做 softmax，没有掩蔽任何键。下表是各个分数的指数。",
        ),
        ask.number(
            say("The weight that padding gets in all", "填充一共分到的权重"),
            share,
            unlike(share, mistakes),
            said=say(
                f"The exponentials sum to {total}, and {of_padding} of this belongs to padding. "
                "Softmax does not know which keys are padding.",
                f"指数之和是 {total}，其中填充占 {of_padding}。softmax 不知道哪些键是填充。",
            ),
        ),
        Table(
            [say(f"key {i}", f"键 {i}") for i in range(n)],
            {
                say("holds", "内容"): names,
                say("exp(score)", "exp(分数)"): [f"{x}" for x in terms.tolist()],
            },
        ),
        answer=f"{of_padding}/{total}",
    )


@family("one-more-key", figure="steps")
def one_more_key(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight once one more key is valid, or one key fewer."""
    say, more = say_in(lang), draw.turn % 2 == 0
    terms = torch.tensor(draw.several(range(1, 8), 3)).double()
    asked = draw.whole(0, 1)
    rows = [masked_softmax(terms.log()[None, None], torch.tensor([n]))[0, 0] for n in (2, 3)]
    before, after = rows if more else rows[::-1]
    taken, right = float(rows[1][2]), after[asked]
    factor = 1 - taken if more else 1 / (1 - taken)
    old = f"{float(before[asked]):.3f}"
    change = -taken / 2 if more else taken / 2
    mistakes = {
        say(
            f"A weight of {old} is what the key had, but the weights must sum to 1 again.",
            f"{old} 是原来的权重，可是权重之和必须仍是 1。",
        ): before[asked],
        say(
            "Both keys change by the same factor, and not by the same difference.",
            "两个键变化的倍数相同，不是增减的数量相同。",
        ): before[asked] + change,
        say(
            "The two keys keep their ratio, so they do not get equal weights.",
            "两个键的比值不变，不会变成一样多。",
        ): (1 - taken) / 2 if more else 0.5,
    }
    times = "(1 − " + f"{taken:.3f})" if more else f"1/(1 − {taken:.3f})"
    return Item(
        say(
            f"Keys 0 and 1 are valid and share the weight. Now key 2 becomes valid, too, and gets "
            f"{taken:.3f}.",
            f"原来只有键 0 和键 1 有效。现在键 2 也有效，分到 {taken:.3f}。",
        )
        if more
        else say(
            f"Three keys are valid, and key 2 has the weight {taken:.3f}. Now key 2 is masked.",
            f"原来三个键都有效，键 2 的权重是 {taken:.3f}。现在把键 2 掩蔽。",
        ),
        ask.number(
            say(f"The new weight of key {asked}", f"键 {asked} 的新权重"),
            right,
            unlike(right, mistakes),
            said=say(
                f"The ratio of keys 0 and 1 stays, so both are multiplied by {times} = "
                f"{factor:.3f}.",
                f"键 0 和键 1 的比值不变，都乘以 {times} = {factor:.3f}。",
            ),
        ),
        Table(
            [say(f"key {i}", f"键 {i}") for i in range(2)],
            {say("weight before", "原来的权重"): [f"{float(x):.3f}" for x in before[:2]]},
        ),
    )


@family("held-by-padding", figure="leak")
def held_by_padding(draw: Draw, lang: Lang) -> Item:
    """Ask what the value of padding does to the output though its weight is 0."""
    say = say_in(lang)
    held = draw.in_turn(["1e30", "inf", "nan-cleared", "nan", "-1e9"])
    a, b = draw.several(range(1, 9), 2)
    weights = masked_softmax(torch.zeros(1, 1, 3), torch.tensor([2]))[0, 0].double()
    padding = 0.0 if held == "nan-cleared" else float(held)
    output = weights @ torch.tensor([a, b, padding]).double()
    mean = (a + b) / 2
    right = 2 if output.isnan() else 0
    value = {"1e30": "10³⁰", "inf": "∞", "-1e9": "−10⁹"}.get(held, "NaN")
    options = {
        f"{mean:g}": say(
            f"{mean:g} would need a finite number in the padding, because 0 · {value} is NaN.",
            f"填充的值是有限的数，才会得到 {mean:g}，而 0 × {value} 是 NaN。",
        ),
        "0": say(
            "0 is what the padding alone adds while it is finite; the two words count as well.",
            "填充是有限的数时，只有填充那一项是 0，还要加上两个词。",
        ),
        "NaN": say(
            "NaN comes from 0 · NaN or 0 · ∞, but the padding holds a finite number in this "
            "product.",
            "0 × NaN 或 0 × ∞ 才会得到 NaN，这里与权重相乘的是有限的数。",
        ),
    }
    options[[*options][right]] = (
        say(
            f"0 · {value} is NaN, and a sum with NaN in it is NaN.",
            f"0 × {value} 是 NaN，加在和里，结果也是 NaN。",
        )
        if right
        else say(
            f"The padding is 0 when it is multiplied, so the words alone count: ½ · {a} + ½ · {b}.",
            f"填充在相乘以前已经清零，只剩 ½ × {a} + ½ × {b}。",
        )
        if held == "nan-cleared"
        else say(
            f"0 times a finite number is 0, so the words alone count: ½ · {a} + ½ · {b}.",
            f"0 乘以有限的数是 0，只剩 ½ × {a} + ½ × {b}。",
        )
    )
    return Item(
        say(
            f"Two words with the values {a} and {b} have the weight ½ each. Padding has the weight "
            f"0 and holds {value}"
            + (", but is set to 0 before the product." if held == "nan-cleared" else "."),
            f"两个词的值是 {a} 和 {b}，权重各为 ½。填充的权重是 0，值是 {value}"
            + ("，但在相乘以前先清零。" if held == "nan-cleared" else "。"),
        ),
        ask.choice(say("What is the output?", "输出是多少？"), right, options),
    )


GIVEN = {
    "pipeline": Text(
        "Example 0 holds *good*, *morning* and two places of padding. An additive score with "
        "random parameters scores the four keys for each query.",
        "样本 0 里有“早上”“好”和两个填充。每个查询都用加性评分给四个键打分，参数是随机的。",
    ),
    "fill": Text(
        "A row has four keys, and the last two are padding.", "一行有四个键，最后两个是填充。"
    ),
}
