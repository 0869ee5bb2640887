"""Ask again for the ideas of chapter 6."""

from math import isqrt

import torch
import torch.nn.functional as F

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib.scores import dot, scaled_dot

_KEYS = {"en": "key {}", "zh": "键 {}"}


@family("typical-size", figure="walk", exercise="divisor")
def typical_size(draw: Draw, lang: Lang) -> Item:
    """Ask for the variance or standard deviation of a random dot product."""
    say = say_in(lang)
    asked, divisor, of_q = draw.in_turn(
        [("sd", "", 1), ("variance", "", 1), ("sd", "√d", 1), ("sd", "d", 1), ("sd", "", 4)]
    )
    d = draw.one({"d": [4, 16, 25], "√d": [36, 64, 100]}.get(divisor, [4, 9, 16, 25, 36]))
    root = isqrt(d)
    by = {"": 1, "√d": root, "d": d}[divisor]
    variance = torch.full((d,), float(of_q)).sum() / by**2  # of independent terms
    right = variance if asked == "variance" else variance.sqrt()
    name = "qᵀk" + (f"/{divisor}" if divisor else "")
    mistakes: dict[str, float] = {
        say(
            f"{d * of_q} is the variance of qᵀk"
            + (" before the division." if divisor else ", and its root is the standard deviation."),
            f"{d * of_q} 是 qᵀk "
            + ("在做除法之前的方差。" if divisor else "的方差，开方才是标准差。"),
        ): d * of_q,
        say(
            f"{root * isqrt(of_q)} is the standard deviation of qᵀk"
            + (" before the division." if divisor else ", and its square is the variance."),
            f"{root * isqrt(of_q)} 是 qᵀk "
            + ("在做除法之前的标准差。" if divisor else "的标准差，平方才是方差。"),
        ): root * isqrt(of_q),
    }
    if of_q == 1:
        mistakes[say("1 is what a division by √d would give.", "只有除以 √d，结果才是 1。")] = 1
    else:
        mistakes |= {
            say(
                f"{root} ignores that the components of q have the variance {of_q}.",
                f"你忘了 q 的分量方差是 {of_q}，不是 1。",
            ): root,
            say(
                f"{root * of_q} multiplies √d by the variance {of_q}, not by its root.",
                f"你用 √d 乘了方差 {of_q}，应该乘 {of_q} 的平方根。",
            ): root * of_q,
        }
    if divisor == "√d":
        words = say(
            f"{1 / root:.3g} is what a division by d gives.",
            f"{1 / root:.3g} 是除以 d 的结果，这里除以的是 √d。",
        )
        mistakes[words] = 1 / root
    if divisor == "d":
        words = say(
            f"{1 / d:.3g} is the variance, and its root is the standard deviation.",
            f"{1 / d:.3g} 是方差，开方才是标准差。",
        )
        mistakes[words] = 1 / d
    total = d * of_q
    because = say(
        f"The variances of {d} independent terms, {of_q} each, add up to {total}",
        f"{d} 项相互独立，每项的方差是 {of_q}，加起来是 {total}",
    )
    number = f"{float(right):g}"
    because += {
        ("sd", ""): say(f", and the square root is {number}.", f"，开方得 {number}。"),
        ("variance", ""): say(".", "。"),
        ("sd", "√d"): say(
            f", so qᵀk has the standard deviation {root}, and {root}/{root} is 1.",
            f"，所以 qᵀk 的标准差是 {root}，再除以 {root}，得 1。",
        ),
        ("sd", "d"): say(
            f", so qᵀk has the standard deviation {root}, and {root}/{d} is {number}.",
            f"，所以 qᵀk 的标准差是 {root}，再除以 {d}，得 {number}。",
        ),
    }[asked, divisor]
    given = (
        say("with mean 0 and variance 1", "均值都是 0，方差都是 1")
        if of_q == 1
        else say(
            f"with mean 0 and with variance {of_q} in q and 1 in k",
            f"均值都是 0，q 的各分量方差是 {of_q}，k 的是 1",
        )
    )
    return Item(
        say(
            f"q and k have d = {d} components each, all independent, {given}.",
            f"q 和 k 各有 d = {d} 个分量，所有分量相互独立，{given}。",
        ),
        ask.number(
            say(f"The variance of {name}", f"{name} 的方差")
            if asked == "variance"
            else say(
                f"The standard deviation of {name} (the root mean square, since the mean is 0)",
                f"{name} 的标准差（均值为 0，所以就是均方根）",
            ),
            right,
            unlike(right, mistakes, 0.004),
            within=0.004,
            said=because,
        ),
        answer=number,
    )


@family("divided-lead", figure="temperature")
def divided_lead(draw: Draw, lang: Lang) -> Item:
    """Ask for the ratio of two weights after the division by √d."""
    say, key = say_in(lang), _KEYS[lang].format
    d, times = draw.in_turn([(64, 1), (16, 2), (25, 3), (100, 0.5), (9, 4)])
    root = isqrt(d)
    difference = int(root * times)
    low = root * draw.whole(1, 3)
    high = low + difference
    q = torch.zeros(1, 1, d).double()
    q[..., 0] = 1
    keys = torch.zeros(1, 2, d).double()
    keys[0, :, 0] = torch.tensor([high, low])
    products, weights = dot(q, keys)[0, 0], scaled_dot(q, keys).softmax(-1)[0, 0]
    exponent = (weights[0] / weights[1]).log().round(decimals=6)
    mistakes = {
        say(
            f"{difference} is the lead before the division by √{d} = {root}.",
            f"{difference} 是两个点积的差，还没有除以 √{d} = {root}。",
        ): difference,
        say(
            f"{difference / d:.3g} comes from a division by d = {d}, not by √d.",
            f"你除以了 d = {d}，应该除以 √d。",
        ): difference / d,
        say(
            f"{high / root:g} is the score of {key(0)}, but the ratio depends on the difference of "
            "both scores.",
            f"{high / root:g} 是{key(0)} 的分数，求权重之比还要减去{key(1)} 的分数。",
        ): high / root,
        say(
            f"{high / low:.3g} is the ratio of the products, but the ratio of the weights depends "
            "on the difference.",
            f"{high / low:.3g} 是两个点积的比，但权重之比要看分数的差。",
        ): high / low,
        say(
            "0 would need equal products.",
            "x 是 0，权重就相等了，但点积并不相等。",
        ): 0,
    }
    first, second = (int(x) for x in products)
    number = signed(float(exponent))
    return Item(
        say(
            f"A query has the dot products {first} and {second} with {key(0)} and {key(1)}; d = "
            f"{d}. After the division by √d, {key(0)} gets `exp(x)` times the weight of {key(1)}.",
            f"一个查询与{key(0)} 和{key(1)} 的点积分别是 {first} 和 {second}，d = {d}。"
            f"除以 √d 以后，{key(0)} 的权重是{key(1)} 的 `exp(x)` 倍。",
        ),
        ask.number(
            say("The value of x", "x 的值"),
            exponent,
            unlike(exponent, mistakes, 0.02),
            within=0.02,
            said=say(
                f"The lead of {difference} is divided by √{d} = {root}, and {difference}/{root} = "
                f"{number}.",
                f"两个点积相差 {difference}，除以 √{d} = {root}，"
                f"得 {difference}/{root} = {number}。",
            ),
        ),
    )


@family("slope", figure="training", exercise="two-keys")
def slope(draw: Draw, lang: Lang) -> Item:
    """Ask how a weight follows its own score, or another one."""
    say = say_in(lang)
    kind = draw.in_turn(["other", "own", "none", "other", "own"])
    tenths = draw.shuffled(
        draw.one([(5, 3, 2), (6, 3, 1), (7, 2, 1), (4, 5, 1), (8, 1, 1), (5, 4, 1)])
    )
    asked = draw.whole(0, 2)
    if kind == "none":
        tenths = [0 if i == asked else 10 for i in range(3)]
        tenths[(asked + draw.whole(1, 2)) % 3] = 0
    score = asked if kind != "other" else (asked + draw.whole(1, 2)) % 3
    weights = torch.tensor(tenths).double() / 10
    scores = weights.log().clamp(min=-1e4).requires_grad_()
    (slopes,) = torch.autograd.grad(scores.softmax(-1)[asked], scores)
    right = slopes[score].round(decimals=6)
    one, two = float(weights[asked]), float(weights[score])
    mistakes = {
        say(
            f"{one:g} is the weight itself.",
            f"{one:g} 是权重本身，不是导数。",
        ): one,
        say(
            f"{1 - one:g} is only 1 − α, without the factor α.",
            f"{1 - one:g} 只是 1 − α，导数里还要乘权重。",
        ): 1 - one,
        say(
            f"{one * (1 - one):g} is the derivative with respect to the key's own score.",
            f"{one * (1 - one):g} 是对这个键自己的分数求导的结果。",
        ): one * (1 - one),
        say(
            f"{one * two:g} has the wrong sign: if another score rises, this weight falls.",
            f"{one * two:g} 的符号反了，别的键分数升高，这个权重会下降。",
        )
        if kind == "other"
        else say(
            f"{signed(-one * one)} leaves out the first term of α − α².",
            "你漏了前一项，对自己的分数求导，应该得 α − α²。",
        ): one * two if kind == "other" else -one * one,
        say(
            "0 would mean that the weight ignores this score, but a softmax ties weights to all "
            "scores.",
            "导数是 0，说明权重与这个分数无关，但 softmax 的分母里有每一个分数。",
        )
        if kind == "other"
        else say(
            "0 is the derivative only where a weight is 0 or 1.",
            "只有权重是 0 或 1 时，导数才是 0。",
        ): 0,
    }
    number = signed(float(right))
    i, j = "₀₁₂"[asked], "₀₁₂"[score]
    because = {
        "own": say(
            f"The derivative is α(1 − α), that is {one:g} · {1 - one:g} = {number}.",
            f"导数是 α(1 − α)，即 {one:g} × {1 - one:g} = {number}。",
        ),
        "other": say(
            f"The derivative is −α{i}α{j}, that is −{one:g} · {two:g} = {number}.",
            f"导数是 −α{i}α{j}，即 −{one:g} × {two:g} = {number}。",
        ),
        "none": say(
            "The derivative is α(1 − α), and the factor α is 0: a key without weight gets no "
            "gradient.",
            "导数是 α(1 − α)，这里 α 是 0，所以权重为 0 的键得不到梯度。",
        ),
    }[kind]
    return Item(
        say(
            "A softmax turns the scores s₀, s₁ and s₂ into these weights α₀, α₁ and α₂.",
            "对分数 s₀、s₁、s₂ 做 softmax，得到权重 α₀、α₁、α₂，如下表。",
        ),
        ask.number(
            say(f"The derivative ∂α{i}/∂s{j}", f"偏导数 ∂α{i}/∂s{j}"),
            right,
            unlike(right, mistakes, 0.004),
            within=0.004,
            said=because,
        ),
        Table(
            ["α₀", "α₁", "α₂"],
            {say("weight", "权重"): [f"{x:g}" for x in weights.tolist()]},
        ),
        answer=number,
    )


@family("mask-shape", figure="trap")
def mask_shape(draw: Draw, lang: Lang) -> Item:
    """Ask how many keys a query reads under a mask whose axes may be the wrong ones."""
    say, size, keys = say_in(lang), 3, 7
    lengths = draw.several(range(1, keys), size)
    example, query = draw.several(range(size), 2)
    own_axis = draw.turn in (1, 4)
    keep = torch.arange(keys) < torch.tensor(lengths)[:, None]  # (B, K), a row for each example
    weights = F.scaled_dot_product_attention(
        torch.ones(size, size, 2),
        torch.ones(size, keys, 2),
        torch.eye(keys).expand(size, keys, keys),
        attn_mask=keep[:, None] if own_axis else keep,
    )
    right = int((weights[example, query] > 0).sum())
    passed = "keep[:, None]" if own_axis else "keep"
    mistakes = {
        say(
            f"{lengths[query]} would be read if row {query} of the mask belonged to query "
            f"{query}, as with `keep` alone.",
            f"你当成了只写 `keep`，那样查询 {query} 用的才是第 {query} 行，"
            f"读到 {lengths[query]} 个键。",
        )
        if own_axis
        else say(
            f"{lengths[example]} is what the author intended for example {example}, but shapes are "
            "aligned from the right.",
            f"写代码的人本来想让样本 {example} 读 {lengths[example]} 个键，但掩码并没有这样广播。",
        ): lengths[query if own_axis else example],
        say(
            f"All {keys} keys are read only if no key is masked.",
            f"你没有考虑掩码，并不能读到全部 {keys} 个键。",
        ): keys,
        say(
            f"{keys - right} is the number of masked keys, but `True` means keep.",
            f"{keys - right} 是被掩蔽的键数，别忘了 `True` 表示保留。",
        ): keys - right,
    }
    listed = [str(length) for length in lengths]
    return Item(
        say(
            f"Three examples have 3 queries and {keys} keys each. `keep` has the shape (3, "
            f"{keys}), one row for each example, and the rows keep {', '.join(listed[:-1])} and "
            f"{listed[-1]} keys. `scaled_dot_product_attention` gets `attn_mask={passed}`.",
            f"有 3 个样本，各有 3 个查询和 {keys} 个键。`keep` 的形状是 (3, {keys})，"
            f"每个样本一行，依次保留 {'、'.join(listed)} 个键。"
            f"调用 `scaled_dot_product_attention` 时写的是 `attn_mask={passed}`。",
        ),
        ask.number(
            say(
                f"How many keys does query {query} of example {example} read?",
                f"样本 {example} 的查询 {query} 能读到几个键？",
            ),
            right,
            unlike(right, mistakes, 0.1),
            within=0.1,
            said=say(
                f"`keep[:, None]` has the shape (3, 1, {keys}), so row {example} applies to all "
                f"queries of example {example}.",
                f"`keep[:, None]` 的形状是 (3, 1, {keys})，"
                f"所以样本 {example} 的每个查询都用第 {example} 行。",
            )
            if own_axis
            else say(
                f"Shapes are aligned from the right, so (3, {keys}) is read as (queries, keys), "
                f"and row {query} belongs to query {query} of every example.",
                f"形状从右边对齐，(3, {keys}) 就被当成了 (查询, 键)，"
                f"所以每个样本的查询 {query} 都用第 {query} 行。",
            ),
        ),
    )


_MEALS = {
    "en": (["cheap", "near", "quiet"], ["bistro", "diner", "bakery"]),
    "zh": (["便宜", "近", "安静"], ["小馆", "快餐店", "面包房"]),
}


@family("what-counts", figure="dinner")
def what_counts(draw: Draw, lang: Lang) -> Item:
    """Ask which place wins if the largest number of the table does not count."""
    say, (features, places) = say_in(lang), _MEALS[lang]
    ignored = draw.turn % 2 == 0
    off, *on = draw.shuffled(range(3))
    large = draw.whole(0, 2)
    query = torch.ones(3, dtype=torch.long)
    query[on[0]] = 2
    query[off] = 0 if ignored else 1
    scores = torch.zeros(3)
    while len({*scores.tolist()}) < 3 or (ignored and int(scores.argmax()) == large):
        keys = torch.tensor([[draw.whole(0, 3) for _ in range(3)] for _ in range(3)])
        keys[large, off] = 5
        scores = keys @ query
    right = int(scores.argmax())
    options = {
        place: say(
            f"The {place} scores {int(score)}, and another place scores {int(scores.max())}.",
            f"{place}得 {int(score)} 分，还有一家得 {int(scores.max())} 分。",
        )
        for place, score in zip(places, scores, strict=True)
    }
    if ignored:
        options[places[large]] = say(
            f"The {places[large]} has the 5, but “{features[off]}” counts 0 here, so its score is "
            f"{int(scores[large])}.",
            f"{places[large]}有一项是 5，但这里“{features[off]}”乘的是 0，只得 "
            f"{int(scores[large])} 分。",
        )
    terms = zip(query.tolist(), keys[right].tolist(), strict=True)
    times = " + ".join(f"{q} {say('·', '×')} {k}" for q, k in terms)
    options[places[right]] = say(
        f"{times} = {int(scores[right])} is the highest score.",
        f"{times} = {int(scores[right])}，分数最高。",
    )
    wish = ", ".join(str(q) for q in query.tolist())
    names = say(", ", "、").join(features)
    return Item(
        say(
            f"You look for a place to eat. Your query for {names} is ({wish}); a score is the dot "
            "product.",
            f"你想找一家店吃饭。{names}三项的查询是 ({wish})，分数等于点积。",
        ),
        ask.choice(
            say("Which place gets the largest weight?", "哪一家的权重最大？"), right, options
        ),
        Table(
            features,
            {
                place: [str(x) for x in row]
                for place, row in zip(places, keys.tolist(), strict=True)
            },
        ),
    )


@family("one-entry", figure="guests")
def one_entry(draw: Draw, lang: Lang) -> Item:
    """Ask for one number of queries @ keys.T."""
    say = say_in(lang)
    queries = torch.tensor([draw.several(range(4), 2) for _ in range(2)])
    keys = torch.tensor([draw.several(range(1, 6), 2) for _ in range(2)])
    row, column = draw.in_turn([(0, 1), (1, 0), (1, 1), (0, 0), (1, 0)])
    product = queries @ keys.T
    right = float(product[row, column])
    q, k = queries[row].tolist(), keys[column].tolist()
    mistakes = {
        say(
            f"{float((queries @ keys)[row, column]):g} comes from `queries @ keys`, without the "
            "transpose.",
            f"{float((queries @ keys)[row, column]):g} 是 `queries @ keys` 的结果，没有转置。",
        ): (queries @ keys)[row, column],
        say(
            f"{float(product[column, row]):g} stands in row {column}, column {row}.",
            f"{float(product[column, row]):g} 在第 {column} 行第 {row} 列。",
        ): product[column, row],
        say(
            "The product of the first components leaves out the second ones.",
            "你只乘了第 0 个分量，漏了第 1 个分量。",
        ): q[0] * k[0],
        say(
            "The division by √2 makes it a scaled score, but this product is not divided.",
            "除以 √2 才是缩放点积的分数，这里没有除。",
        ): right / 2**0.5,
    }
    return Item(
        say(
            "Two queries meet two keys. Rows and columns are counted from 0.",
            "两个查询，两个键。行和列都从 0 数起。",
        ),
        ask.number(
            say(
                f"The number in row {row}, column {column} of `queries @ keys.T`",
                f"`queries @ keys.T` 第 {row} 行第 {column} 列的数",
            ),
            right,
            unlike(right, mistakes, 0.05),
            within=0.05,
            said=say(
                f"Query {row} times key {column} is {q[0]} · {k[0]} + {q[1]} · {k[1]} = {right:g}.",
                f"查询 {row} 乘以键 {column}，得 {q[0]} × {k[0]} + {q[1]} × {k[1]} = {right:g}。",
            ),
        ),
        Table(
            [say("row 0", "第 0 行"), say("row 1", "第 1 行")],
            {
                name: [f"({', '.join(map(str, one))})" for one in rows.tolist()]
                for name, rows in (("queries", queries), ("keys", keys))
            },
        ),
    )


GIVEN = {
    "gradients": Text(
        "Softmax is applied to many rows of sixteen random dot products. `J` is its derivative: "
        "what a change of a score does to the weights.",
        "对很多行随机点积做 softmax，每行 16 个。`J` 是 softmax 的导数，即分数变化时权重怎样变化。",
    )
}
