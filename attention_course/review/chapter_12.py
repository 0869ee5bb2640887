"""Ask again for the ideas of chapter 12."""

import torch
from torch import Tensor, nn
from torch.nn.attention.bias import causal_lower_right
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text

# How a row of 0 and 1 is used as a mask.
_USES = {
    "ignored": Text(
        "the Boolean `attn_mask` of `nn.MultiheadAttention`",
        "`nn.MultiheadAttention` 的布尔型 `attn_mask`",
    ),
    "added": Text(
        "the float `attn_mask` of `scaled_dot_product_attention`",
        "`scaled_dot_product_attention` 的浮点型 `attn_mask`",
    ),
    "kept": Text(
        "the Boolean `attn_mask` of `scaled_dot_product_attention`",
        "`scaled_dot_product_attention` 的布尔型 `attn_mask`",
    ),
}
# Changes of a model, with the factor by which each changes the size of its cache.
_CHANGES = {
    "queries": (Text("half as many query heads", "查询头减少一半"), 1),
    "quarter": (
        Text("a quarter of the heads of keys and values", "键和值的头数减到四分之一"),
        1 / 4,
    ),
    "half": (Text("half as many heads of keys and values", "键和值的头数减少一半"), 1 / 2),
    "tokens": (Text("texts three times as long", "文本变成原来的三倍长"), 3),
    "layers": (Text("twice as many layers", "层数增加一倍"), 2),
}


@family("rescaled-sums", figure="online")
def rescaled_sums(draw: Draw, lang: Lang) -> Item:
    """Ask for the exponent of the factor by which a new key changes the sums so far."""
    say, higher = say_in(lang), draw.in_turn([True, False, True, True, True])
    highest = draw.number(-3, 4, 0.5)
    score = highest + draw.number(0.5, 4, 0.5) * (1 if higher else -1)
    now = max(highest, score)
    factor = torch.exp(torch.tensor(highest - now, dtype=torch.float64))
    m, s = signed(highest), signed(score)
    mistakes = {
        say(
            f"An exponent of {signed(score - highest)} makes the sums grow, but under a higher "
            "maximum they shrink.",
            "你把符号弄反了，最大值升高以后，已有的各个和要变小，不是变大。",
        )
        if higher
        else say(
            f"e to the power of {signed(score - highest)} is the term of the new key, which is "
            "added afterwards.",
            f"exp({signed(score - highest)}) 是新键自己的那一项，要随后才加进去。",
        ): score - highest,
        say(
            "An exponent of 0 changes nothing, but the new key raises the maximum.",
            "乘以 exp(0) 等于不变，但新的键抬高了最大值。",
        ): 0.0,
        say(
            "The new score alone does not say by how much the maximum rises.",
            "你只看了新的分数，要看的是最大值升高了多少。",
        ): -score,
        say(
            "The old maximum has to be compared with the new one.",
            "你只看了原来的最大值，还要减去新的最大值。",
        ): highest,
    }
    return Item(
        say(
            f"The online softmax has read some keys, and their highest score is {m}. The next key "
            f"scores {s}.",
            f"在线 softmax 已经读过一些键，其中最高的分数是 {m}。下一个键的分数是 {s}。",
        ),
        ask.number(
            say(
                "All sums so far are multiplied by e to the power of which number?",
                "前面累加的各个和要乘以 exp(x)，x 是多少？",
            ),
            factor.log(),
            unlike(factor.log(), mistakes, 0.01),
            within=0.01,
            said=say(
                f"The terms so far are relative to {m} and now have to be relative to {s}, which "
                f"is higher by {signed(score - highest)}.",
                f"前面各项减的是 {m}，现在应该减 {s}，也就是要再减 {signed(score - highest)}。",
            )
            if higher
            else say(
                f"The maximum stays {m}, so the terms so far stay as they are.",
                f"最大值仍是 {m}，前面的各项不变，相当于乘以 1。",
            ),
        ),
        answer=signed(highest - now),
    )


@family("which-corner", figure="corner", exercise="which-mask")
def which_corner(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys a new query reads with one of two causal masks."""
    say, lower = say_in(lang), draw.in_turn([False, True, False, True, True])
    new, old = draw.whole(3, 5), draw.whole(6, 9)
    query, keys = draw.whole(1, new - 1), new + old
    q, k, eye = torch.zeros(1, 1, new, 4), torch.zeros(1, 1, keys, 4), torch.eye(keys)
    weights = {
        False: sdpa(q, k, eye[None, None], is_causal=True),
        True: sdpa(q, k, eye[None, None], attn_mask=causal_lower_right(new, keys)),
    }
    n, other = (int((weights[x][0, 0, query] > 0).sum()) for x in (lower, not lower))
    call = "`causal_lower_right`" if lower else "`is_causal=True`"
    mistakes = {
        say(
            "Only with `is_causal=True`, from the upper left corner, would the query read "
            f"{other} keys.",
            "你把掩码对齐了左上角，那是 `is_causal=True` 的做法。",
        )
        if lower
        else say(
            f"Only with `causal_lower_right` would the query read {other} keys.",
            "你把掩码对齐了右下角，那是 `causal_lower_right` 的做法。",
        ): other,
        say(
            "Only without a mask does every query read all keys.",
            "你没有考虑掩码，没有掩码时才会读到全部的键。",
        ): keys,
        say("A query reads its own key, too.", "别忘了还有查询自己的键。")
        if lower
        else say("Query 0 already reads one key.", "查询 0 已经读到一个键了。"): n - 1,
        say("The query also reads new keys.", "除了缓存里原有的键，还要读新的键。")
        if lower
        else say(
            "The size of the cache does not matter if the triangle starts in the upper left "
            "corner.",
            "掩码从左上角数起，读到几个键与缓存的大小无关。",
        ): old,
    }
    return Item(
        say(
            f"A cache holds {old} keys. {new} new tokens add their keys and ask as queries 0 to "
            f"{new - 1}, with {call}.",
            f"缓存里有 {old} 个键。又来了 {new} 个新词，先把各自的键加进缓存，"
            f"再用查询 0 到 {new - 1} 来查询，掩码用 {call}。",
        ),
        ask.number(
            say(f"The number of keys that query {query} reads", f"查询 {query} 能读到几个键？"),
            n,
            unlike(n, mistakes, 0.4),
            within=0.4,
            said=say(
                f"Query {query} reads the {old} keys of the cache and the new keys 0 to {query}.",
                f"查询 {query} 读到缓存里原有的 {old} 个键，还有新加的第 0 到 {query} 个键。",
            )
            if lower
            else say(
                f"Counted from the upper left corner, query {query} reads the keys 0 to {query}, "
                "the oldest ones.",
                f"从左上角数起，查询 {query} 读到的是键 0 到键 {query}，都是最旧的键。",
            ),
        ),
        answer=str(n),
    )


@family("zeros-and-ones", figure="mask-doctor")
def zeros_and_ones(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys a query reads behind a row of 0 and 1."""
    say, use = say_in(lang), draw.in_turn(["ignored", "added", "kept", "ignored", "kept"])
    ones, zeros = draw.several(range(1, 6), 2)
    row = draw.shuffled([1] * ones + [0] * zeros)
    n = int((_weights(use, torch.tensor(row)) > 0).sum())
    counts = {"kept": ones, "ignored": zeros, "added": len(row)}
    reasons = {
        "kept": say(
            "Only in `scaled_dot_product_attention` does True mean that a key takes part.",
            "用 True 表示参与的是 `scaled_dot_product_attention`。",
        )
        if use == "ignored"
        else say(
            "A float mask is added to the scores, so a 0 does not hide a key.",
            "浮点掩码是加到分数上的，加 0 掩蔽不了键。",
        ),
        "ignored": say(
            "Only in `nn.MultiheadAttention` does True hide a key.",
            "只有 `nn.MultiheadAttention` 才用 True 表示掩蔽。",
        ),
        "added": say(
            "All keys are read if the row is added to the scores, but a Boolean mask hides some.",
            "你当成了把这一行加到分数上，但布尔掩码会掩蔽一部分键。",
        ),
    }
    mistakes = {reasons[x]: counts[x] for x in counts if x != use}
    because = {
        "kept": say(
            "True means that a key takes part, so the 1s are read.",
            "True 表示参与，所以读到的是 1 对应的键。",
        ),
        "ignored": say(
            "True hides a key, so the 0s are read.", "True 表示掩蔽，所以读到的是 0 对应的键。"
        ),
        "added": say(
            "Only −∞ hides a key. A 0 or a 1 that is added to a score leaves some weight.",
            "只有加上 −∞ 才会掩蔽，分数加上 0 或 1，权重仍然大于 0。",
        ),
    }[use]
    return Item(
        say(
            f"The row `{row}` of one query is used as {_USES[use].en}.",
            f"在 {_USES[use].zh} 里，某个查询对应的一行是 `{row}`。",
        ),
        ask.number(
            say("The number of keys that have weight", "权重大于 0 的键有几个？"),
            n,
            unlike(n, mistakes, 0.4),
            within=0.4,
            said=because,
        ),
        answer=str(n),
    )


def _weights(use: str, row: Tensor) -> Tensor:
    """Return the weights of a query whose scores are equal, behind a row of 0 and 1."""
    query, keys = torch.zeros(1, 1, 2), torch.zeros(1, len(row), 2)
    mask = row.float()[None] if use == "added" else row.bool()[None]
    if use == "ignored":
        weights: Tensor = nn.MultiheadAttention(2, 1, batch_first=True)(
            query, keys, keys, attn_mask=mask
        )[1]
        return weights
    return sdpa(query, keys, torch.eye(len(row))[None], attn_mask=mask)


@family("size-of-the-cache", figure="groups", exercise="cache-size")
def size_of_the_cache(draw: Draw, lang: Lang) -> Item:
    """Ask for the size of a cache after two changes of the model."""
    say = say_in(lang)
    first, second = draw.in_turn(
        [
            ("queries", "half"),
            ("quarter", "tokens"),
            ("queries", "tokens"),
            ("quarter", "layers"),
            ("queries", "quarter"),
        ]
    )
    before = draw.in_turn([12, 20, 4, 16, 20])
    (text, one), (other_text, other) = _CHANGES[first], _CHANGES[second]
    after = before * one * other
    mistakes = {
        say(
            f"You have left out one change: “{other_text.en}”.",
            f"你漏掉了一处改动：{other_text.zh}。",
        ): before * one,
        say(
            f"You have left out one change: “{text.en}”.",
            f"你漏掉了一处改动：{text.zh}。",
        ): before * other,
    }
    if first == "queries":
        kept = say(
            "Queries are not kept in the cache, so the number of query heads does not matter.",
            "缓存里不存查询，查询头有多少个都不影响大小。",
        )
        mistakes = {kept: after / 2, **mistakes}
    products = [f"{x:g}" for x in (one, other) if x != 1]
    return Item(
        say(
            f"The key–value cache of a model takes {before} GiB. Now take {text.en} and "
            f"{other_text.en}.",
            f"一个模型的键值缓存占 {before} GiB。现在{text.zh}，{other_text.zh}，其余不变。",
        ),
        ask.number(
            say("The new size of the cache, in GiB", "缓存变成多少 GiB？"),
            after,
            unlike(after, mistakes, 0.05),
            within=0.05,
            said=say(
                "The size is proportional to the numbers of layers, of tokens, and of heads of "
                f"keys and values: {before} · {' · '.join(products)}.",
                "缓存的大小与层数、词元数、键和值的头数都成正比，"
                f"所以是 {before} × {' × '.join(products)}。",
            ),
        ),
        answer=f"{after:g}",
    )


@family("stacked-windows", figure="window", exercise="windows")
def stacked_windows(draw: Draw, lang: Lang) -> Item:
    """Ask on how many words an output depends behind several layers with a window."""
    say, layers, width = say_in(lang), draw.whole(2, 5), draw.whole(3, 5)
    far = torch.arange(40)[:, None] - torch.arange(40)
    window = ((far >= 0) & (far < width)).double()
    reached = torch.linalg.matrix_power(window, layers)[-1].count_nonzero()
    mistakes = {
        say(
            f"A word also reads itself, so each layer adds only {width - 1} words.",
            f"窗口里有一个是词自己，每一层只增加 {width - 1} 个词。",
        ): layers * width,
        say(
            "One layer alone reads that many words, but those words have read earlier ones.",
            "你只算了一层，其实读到的词又读过更前面的词。",
        ): width,
        say("The word itself counts, too.", "别忘了还有这个词自己。"): layers * (width - 1),
        say(
            "The windows of neighbours overlap, so no word may be counted twice.",
            "相邻的窗口有重叠，不能重复计数。",
        ): width**layers,
    }
    return Item(
        say(
            f"In each of {layers} layers a word reads a causal window of {width} words, itself "
            "included.",
            f"模型有 {layers} 层，在每一层里，每个词只读最近的 {width} 个词，包括自己。",
        ),
        ask.number(
            say(
                "On how many words can the last word's output depend?",
                "最后一个词的输出最多与几个词有关？",
            ),
            reached,
            unlike(reached, mistakes, 0.4),
            within=0.4,
            said=say(
                f"Each layer reaches {width - 1} words farther back: 1 + {layers} · {width - 1}.",
                f"每一层再往前多读到 {width - 1} 个词，一共 1 + {layers} × {width - 1} 个。",
            ),
        ),
        answer=str(int(reached)),
    )


@family("keys-computed", figure="growing")
def keys_computed(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys are computed in all, with a cache of keys or without."""
    say = say_in(lang)
    cached, n = draw.in_turn([(False, 5), (True, 9), (False, 10), (True, 12), (False, 4)])
    per_step = torch.ones(n) if cached else torch.arange(1, n + 1)
    right = per_step.sum()
    mistakes = {
        say(
            f"{n} keys are all that a model with a cache computes.",
            f"用了缓存，一共才只算 {n} 个键。",
        ): n,
        say(
            f"{n * n} is {n} keys in each of {n} steps, but step n has only n tokens.",
            f"{n * n} 是每一步都算 {n} 个，但第 n 步只有 n 个词。",
        ): n * n,
        say(
            f"{n * (n + 1) // 2} is 1 + 2 + … + {n}, the number without a cache.",
            f"{n * (n + 1) // 2} 是 1 + 2 + … + {n}，没有缓存才要算这么多。",
        ): n * (n + 1) // 2,
        say(
            f"{n * (n - 1) // 2} leaves out the newest token of each step, which reads itself.",
            f"{n * (n - 1) // 2} 漏掉了每一步最新的词，它也要读自己。",
        ): n * (n - 1) // 2,
    }
    return Item(
        say(
            f"A model writes {n} tokens, one in each step, and each new token reads all tokens so "
            f"far, itself included. {'All keys are kept' if cached else 'No key is kept'} from "
            "step to step.",
            f"模型每一步生成一个词，一共 {n} 步，每个新词都要读已有的全部词，包括自己。"
            f"算过的键{'全部保留' if cached else '一个也不保留'}。",
        ),
        ask.number(
            say("How many keys are computed in all?", "总共要算多少个键？"),
            right,
            unlike(right, mistakes, 0.2),
            within=0.2,
            said=say(
                f"Each step computes the key of its new token alone, {n} in all.",
                f"每一步只算新词的键，一共 {n} 个。",
            )
            if cached
            else say(
                f"Step n computes the keys of all n tokens: 1 + 2 + … + {n} = {int(right)}.",
                f"第 n 步要算全部 n 个词的键，1 + 2 + … + {n} = {int(right)}。",
            ),
        ),
    )


@family("slope-of-distance", figure="slope")
def slope_of_distance(draw: Draw, lang: Lang) -> Item:
    """Ask for the newest token's share of its own weight if distance costs score."""
    say = say_in(lang)
    factor, n = draw.in_turn([(2, 2), (3, 2), (2, 3), (3, 3), (2, 4)])
    slope = torch.tensor(float(factor)).log()
    distances = torch.arange(n - 1, -1, -1)
    share = (-slope * distances).softmax(dim=-1)[-1]
    total = sum(factor**i for i in range(n))
    mistakes = {
        say(
            f"An equal share, 1/{n}, is what a slope of 0 gives.",
            f"每远一个词扣 0 分，才会平分，各得 1/{n}。",
        ): 1 / n,
        say(
            "All of the weight would need a very steep slope.",
            "扣分非常多的时候，权重才会全部给自己。",
        ): 1.0,
        say(f"The farthest token gets 1/{total}.", f"1/{total} 是最远的词得到的权重。"): 1 / total,
        say(
            f"The factor 1/{factor} says what a weight loses per token of distance.",
            f"1/{factor} 是每远一个词，权重要乘的倍数。",
        ): 1 / factor,
    }
    terms = " + ".join("1" if i == 0 else f"1/{factor**i}" for i in range(n))
    return Item(
        say(
            f"The newest of {n} tokens reads them all. Their scores are equal, but each token of "
            f"distance takes ln {factor} = {float(slope):.2f} off.",
            f"一共 {n} 个词，最新的一个读全部 {n} 个，分数本来相等，但每远一个词扣 "
            f"ln {factor} = {float(slope):.2f}。",
        ),
        ask.number(
            say("The weight that the newest token gives itself", "最新的词给自己的权重"),
            share,
            unlike(share, mistakes),
            said=say(
                f"Each token of distance divides a weight by {factor}, so the newest has 1 of "
                f"{terms}.",
                f"每远一个词，权重除以 {factor}，所以最新的词占 {terms} 里的 1。",
            ),
        ),
        answer=f"{factor ** (n - 1)}/{total}",
    )


GIVEN = {
    "finite": Text(
        "The four keys are two places of padding and two words, in this order.",
        "四个键依次是两个填充和两个词。",
    ),
    "recomputed": Text(
        "A kernel reads the keys of a query one after another, and softmax gives the weights.",
        "融合算子逐个读取一个查询的键，用 softmax 求权重。",
    ),
}
