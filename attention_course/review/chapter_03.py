"""Ask again for the ideas of chapter 3."""

import torch
from torch import Tensor

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib.scores import cosine, dot, gaussian

_KEYS = {"en": "key {}", "zh": "键 {}"}
_QUERIES = [(1, 1), (2, 1), (1, 2), (2, -1), (-1, 2), (1, -2), (-2, 1)]


@family("near-or-long", figure="landscape")
def near_or_long(draw: Draw, lang: Lang) -> Item:
    """Ask which key is heaviest by the dot product, or by nearness."""
    say, key = say_in(lang), _KEYS[lang].format
    by_dot = draw.turn % 2 == 0
    x, y = draw.one(_QUERIES)
    right_of, above = draw.one([(1, 0), (0, 1)])
    near, long, aside = (x + right_of, y + above), (3 * x, 3 * y), (-y, x)
    keys = [near, long, aside]
    order = draw.shuffled(range(3))
    k = _tensor([keys[i] for i in order])[None]
    q = _tensor([(x, y)])[None]
    products, squares = dot(q, k)[0, 0], -2 * gaussian(q, k)[0, 0]
    scores = products if by_dot else -squares / 2
    right = int(scores.argmax())
    replies = {
        0: say(
            f"The nearest key is {key(order.index(0))}, but its dot product with the query is "
            f"only {signed(float(products[order.index(0)]))}.",
            f"{key(order.index(0))} 离查询最近，但点积不看远近，"
            f"这里只有 {signed(float(products[order.index(0)]))}。",
        ),
        1: say(
            f"The largest dot product belongs to {key(order.index(1))}, but the Gaussian score "
            f"depends on the distance, whose square is {signed(float(squares[order.index(1)]))}.",
            f"{key(order.index(1))} 的点积最大，但高斯评分看的是距离，"
            f"距离的平方高达 {signed(float(squares[order.index(1)]))}。",
        ),
        2: say(
            f"The direction of {key(order.index(2))} is at right angles to the query, so its "
            "product is 0.",
            f"{key(order.index(2))} 与查询垂直，点积是 0，不会最大。",
        )
        if by_dot
        else say(
            f"The squared distance of {key(order.index(2))} from the query is "
            f"{signed(float(squares[order.index(2)]))}, which is not the smallest.",
            f"{key(order.index(2))} 到查询的距离平方是 {signed(float(squares[order.index(2)]))}，"
            "还有离得更近的键。",
        ),
    }
    replies[order[right]] = (
        say(
            f"The dot product rewards length in the query's direction, and {key(right)} gets "
            f"{signed(float(products[right]))}, the largest product.",
            f"{key(right)} 与查询方向相同，模长又大，点积是 {signed(float(products[right]))}，"
            "在三个里最大。",
        )
        if by_dot
        else say(
            f"The Gaussian score is −½ · distance², and the squared distance of {key(right)} is "
            f"only {signed(float(squares[right]))}.",
            f"高斯评分是 −½ × 距离²，{key(right)} 的距离平方只有 {signed(float(squares[right]))}"
            "，所以分数最高。",
        )
    )
    return Item(
        say(
            f"The query is {_point((x, y))}. Keys are scored by the "
            + ("dot product." if by_dot else "Gaussian score, −½ · distance²."),
            f"查询是 {_point((x, y))}，"
            + ("用点积评分。" if by_dot else "用高斯评分，即 −½ × 距离²。"),
        ),
        ask.choice(
            say("Which key gets the largest weight?", "哪个键的权重最大？"),
            right,
            {key(i): replies[kind] for i, kind in enumerate(order)},
        ),
        Table(
            [key(i) for i in range(3)],
            {say("vector", "向量"): [_point(keys[kind]) for kind in order]},
        ),
    )


def _tensor(rows: list[tuple[int, int]]) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def _point(vector: tuple[int, int]) -> str:
    return f"({signed(vector[0])}, {signed(vector[1])})"


@family("lead", figure="factor")
def lead(draw: Draw, lang: Lang) -> Item:
    """Ask for the ratio of two weights after the scores have been multiplied and raised."""
    say, key = say_in(lang), _KEYS[lang].format
    times, plus = draw.in_turn([(2, 3), (1, 5), (3, 0), (0.5, 4), (2, -1)])
    low = draw.whole(1, 4)
    high = low + draw.one([2, 4] if times == 0.5 else [2, 3, 4])
    scores = torch.tensor([high, low]).double()
    weights = (times * scores + plus).softmax(-1)
    exponent = (weights[0] / weights[1]).log().round(decimals=6)
    difference = high - low
    steps, scaled, added = {
        (2, 3): (
            say("doubled, and then 3 is added to each", "乘以 2，再加上 3"),
            say("Doubled", "加倍"),
            say("the 3 added to both", "加上的 3"),
        ),
        (1, 5): (say("raised by 5", "加上 5"), "", say("the 5 added to both", "加上的 5")),
        (3, 0): (say("multiplied by 3", "乘以 3"), say("Multiplied by 3", "变成三倍"), ""),
        (0.5, 4): (
            say("halved, and then 4 is added to each", "除以 2，再加上 4"),
            say("Halved", "减半"),
            say("the 4 added to both", "加上的 4"),
        ),
        (2, -1): (
            say("doubled, and then 1 is taken from each", "乘以 2，再减去 1"),
            say("Doubled", "加倍"),
            say("the 1 taken from both", "减去的 1"),
        ),
    }[times, plus]
    mistakes = {
        say(
            f"{difference} was the lead before, but the lead changes by the same factor as the "
            "scores.",
            f"{difference} 是原来两个分数的差。分数{scaled}以后，差也要{scaled}。",
        ): difference,
        say(
            f"{signed(times * difference + plus)} still contains {added}, which cancels in the "
            "difference.",
            f"你把{added} 也算进了差里，其实两个分数相减时，这个数就抵消了。",
        ): times * difference + plus,
        say(
            f"{signed(times * high + plus)} is the new score of {key(0)}, but the ratio depends on "
            "the difference of both scores.",
            f"{signed(times * high + plus)} 是{key(0)} 的新分数，"
            f"求权重之比还要减去{key(1)} 的分数。",
        ): times * high + plus,
        say(
            f"{high / low:.3g} was the ratio of the scores, but the ratio of the weights depends "
            "on the scores' difference.",
            f"{high / low:.3g} 是原来两个分数的比，但权重之比要看分数的差。",
        ): high / low,
    }
    before, number = f"{high} − {low} = {difference}", signed(float(exponent))
    because = say(f"The lead was {before}.", f"原来两个分数相差 {before}")
    if scaled:
        because += say(f" {scaled}, it is {number}", f"，{scaled}以后是 {number}")
        because += say(f", and {added} cancels", f"，{added} 抵消了") if added else ""
        because += say(".", "。")
    else:
        because += say(" A number added to both scores cancels.", f"，{added} 抵消了。")
    return Item(
        say(
            f"The scores of {key(0)} and {key(1)} are {high} and {low}. All scores are {steps}. "
            f"The weight of {key(0)} is then `exp(x)` times that of {key(1)}.",
            f"{key(0)} 和{key(1)} 的分数分别是 {high} 和 {low}。把所有分数都{steps}，"
            f"这时{key(0)} 的权重是{key(1)} 的 `exp(x)` 倍。",
        ),
        ask.number(
            say("The value of x", "x 的值"),
            exponent,
            unlike(exponent, mistakes, 0.05),
            within=0.05,
            said=because,
        ),
    )


@family("how-many-change", figure="product")
def how_many_change(draw: Draw, lang: Lang) -> Item:
    """Ask how many scores or weights of a matrix follow a query, a key or a value."""
    say, key = say_in(lang), _KEYS[lang].format
    changed, asked = draw.in_turn(
        [
            ("query", "scores"),
            ("key", "scores"),
            ("query", "weights"),
            ("key", "weights"),
            ("value", "weights"),
        ]
    )
    rows, columns = draw.several(range(2, 8), 2)
    row, column = draw.whole(0, rows - 1), draw.whole(0, columns - 1)
    queries = torch.linspace(0.2, 1, rows).double()[:, None]
    keys = torch.linspace(0.3, 1, columns).double()[:, None]
    before = _matrix(queries, keys, asked)
    (queries if changed == "query" else keys)[row if changed == "query" else column] += (
        0 if changed == "value" else 0.5
    )
    count = int((_matrix(queries, keys, asked) != before).sum())
    of = say(asked, "分数" if asked == "scores" else "权重")
    named = {
        "query": say(f"query {row}", f"查询 {row}"),
        "key": key(column),
        "value": say(f"the value of {key(column)}", f"{key(column)} 的值"),
    }[changed]
    others = "每个键" if changed == "query" else "每个查询"
    space = "" if changed == "value" else " "
    mistakes = {
        say(
            f"A row of {columns} {of} belongs to one query, but {named} has changed.",
            f"一行 {columns} 个全变，是查询变了的情况，但题目里变的是{named}。",
        ): columns,
        say(
            f"A column of {rows} {of} belongs to one key, but {named} has changed.",
            f"你数的是一列。一列 {rows} 个{of}对应一个键，但变的是{named}。",
        )
        if changed != "key"
        else say(
            f"Only a column of {rows} scores changes, but each of these scores changes the sum "
            "of its row.",
            f"分数确实只变了一列 {rows} 个，但每一行的总和也变了，整行权重都要变。",
        ): rows,
        say(
            f"All {rows * columns} {of} would change if every pair contained {named}.",
            f"{rows * columns} 个{of}里，并不是每一个都要用到{named}。",
        ): rows * columns,
        say(
            f"Only one would change if {named} were in a single pair, but {named} is in several.",
            f"你只算了一对，其实{named} 要与{others}各配成一对。",
        )
        if changed != "value"
        else say(
            f"Each of the {of} belongs to a pair of a query and a key, not to a value.",
            f"每个{of}都由一个查询和一个键算出，与值无关。",
        ): 1,
        say(
            f"None changes if only a value does, but here {named} has changed.",
            "只改动一个值，分数和权重都不变，但题目里变的是{named}。",
        ): 0,
    }
    because = {
        ("query", "scores"): say(
            f"A query meets each of the {columns} keys and no other query, so one row of scores "
            "changes.",
            f"一个查询要与 {columns} 个键各算一个分数，别的查询不受影响，所以变的是一行。",
        ),
        ("key", "scores"): say(
            f"A key meets each of the {rows} queries and no other key, so one column of scores "
            "changes.",
            f"一个键要与 {rows} 个查询各算一个分数，别的键不受影响，所以变的是一列。",
        ),
        ("query", "weights"): say(
            f"Softmax works on each row by itself, so only the row of {named} changes.",
            f"softmax 是一行一行算的，所以只有{named} 那一行的权重会变。",
        ),
        ("key", "weights"): say(
            "One score changes in each row, and softmax then divides the whole row by a new sum.",
            "每一行都有一个分数变了，softmax 的分母也就变了，所以整行权重都变。",
        ),
        ("value", "weights"): say(
            "Weights come from queries and keys, so no weight depends on a value.",
            "权重由查询和键算出，与值无关，所以一个也不变。",
        ),
    }[changed, asked]
    return Item(
        say(
            f"One example has {rows} queries and {columns} keys, each key with a value. Then "
            f"{named} changes.",
            f"一个样本有 {rows} 个查询和 {columns} 个键，每个键各有一个值。"
            f"现在只有{named}{space}变了。",
        ),
        ask.number(
            say(
                f"How many of the {rows * columns} {of} change?",
                f"{rows * columns} 个{of}里，有几个会变？",
            ),
            count,
            unlike(count, mistakes, 0.1),
            within=0.1,
            said=because,
        ),
    )


def _matrix(queries: Tensor, keys: Tensor, asked: str) -> Tensor:
    scores = dot(queries[None], keys[None])[0]
    return scores if asked == "scores" else scores.softmax(-1)


@family("bounded-scores", figure="bounded", exercise="thousand-keys")
def bounded_scores(draw: Draw, lang: Lang) -> Item:
    """Ask by how much one weight can exceed another if scores are bounded."""
    say = say_in(lang)
    temperature = draw.in_turn([0.5, 1, 0.1, 0.2, 2])
    if draw.turn == 4:
        low, high = 0, 2 * draw.whole(2, 5)
        kind = say(f"Scores lie between 0 and {high}", f"分数都在 0 与 {high} 之间")
        extremes = torch.tensor([high, low]).double()
    else:
        low, high = -1, 1
        kind = say("Scores are cosines", "以余弦作为分数")
        q = torch.ones(1, 1, 2).double()
        extremes = cosine(q, torch.cat([q, -q], dim=1))[0, 0]
    divided = temperature != 1
    weights = (extremes / temperature).softmax(-1)
    exponent = (weights[0] / weights[1]).log().round(decimals=6)
    largest, span = high / temperature, high - low
    mistakes = {
        say(
            f"{signed(largest)} is the largest score, but the other score can be as low as "
            f"{signed(low / temperature)}.",
            f"{signed(largest)} 是最高的分数，但另一个分数可以低到 {signed(low / temperature)}，"
            "要算两者的差。",
        ): largest,
        say(
            f"{span} is the largest difference before the division by {temperature}.",
            f"{span} 是分数原来的最大差，你忘了除以温度 {temperature}。",
        ): span,
        say(
            f"{signed(span * temperature)} comes from multiplying by the temperature, but scores "
            "are divided by it.",
            "你把除以温度算成了乘以温度。",
        ): span * temperature,
        say(
            "An x of 0 belongs to equal scores, which get equal weights.",
            "x 是 0，说明两个权重总是相等，但分数可以有高有低。",
        ): 0,
    }
    number = signed(float(exponent))
    because = say(
        f"Scores differ by at most {high} − {signed(low) if low >= 0 else f'({signed(low)})'} = "
        f"{span}" + (f", and {span}/{temperature:g} = {number}." if divided else "."),
        f"分数最多相差 {high} − {signed(low) if low >= 0 else f'({signed(low)})'} = {span}"
        + (f"，再除以温度 {temperature:g}，得 {number}。" if divided else "。"),
    )
    return Item(
        say(
            f"{kind}"
            + (
                f" and are divided by the temperature {temperature:g}."
                if divided
                else ", without a temperature."
            )
            + " However well a key fits, its weight is at most `exp(x)` times that of another "
            "key.",
            f"{kind}"
            + (f"，再除以温度 {temperature:g}。" if divided else "，不除以温度。")
            + "不管键与查询多么匹配，权重最多是另一个键的 `exp(x)` 倍。",
        ),
        ask.number(
            say("The value of x", "x 的值"),
            exponent,
            unlike(exponent, mistakes, 0.05),
            within=0.05,
            said=because,
        ),
    )


@family("length-costs", figure="bias")
def length_costs(draw: Draw, lang: Lang) -> Item:
    """Ask which key wins by the dot product less half of its squared length."""
    say, key = say_in(lang), _KEYS[lang].format
    x, y = draw.one(_QUERIES[1:])  # the figure's query is the first
    longer, stays = draw.in_turn([(2, False), (3, False), (2, False), (3, True), (2, True)])
    like = (x, y)
    near = (x + 1, y + 2) if stays else like  # if it stays, no key is as near as the long one
    keys = [near, (longer * x, longer * y) if not stays else (x + 1, y), (-y, x)]
    order = draw.shuffled(range(3))
    vectors = [keys[kind] for kind in order]
    q, k = _tensor([like])[None], _tensor(vectors)[None]
    products, squares = dot(q, k)[0, 0], (k * k).sum(dim=-1)[0]
    scores = products - squares / 2
    right, first = int(scores.argmax()), int(products.argmax())

    def number(x: Tensor) -> str:
        return signed(float(x))

    options = {
        key(i): say(
            f"The score of {key(i)} is {number(products[i])} − {number(squares[i] / 2)} = "
            f"{number(scores[i])}, and another key has more.",
            f"{key(i)} 的分数是 {number(products[i])} − {number(squares[i] / 2)} = "
            f"{number(scores[i])}，还有更高的。",
        )
        for i in range(3)
    }
    options[key(first)] = say(
        f"The dot product of {key(first)} is the largest, {number(products[first])}, but the bias "
        f"takes {number(squares[first] / 2)} away.",
        f"{key(first)} 的点积最大，是 {number(products[first])}，但偏置要减去 "
        f"{number(squares[first] / 2)}。",
    )
    options[key(right)] = say(
        f"The score of {key(right)} is {number(products[right])} − {number(squares[right] / 2)} = "
        f"{number(scores[right])}, the highest. {key(right).capitalize()} is nearest to the query.",
        f"{key(right)} 的分数是 {number(products[right])} − {number(squares[right] / 2)} = "
        f"{number(scores[right])}，在三个里最高。{key(right)} 离查询也最近。",
    )
    return Item(
        say(
            f"The query is {_point(like)}. A score is the dot product with the bias −½‖k‖².",
            f"查询是 {_point(like)}。分数等于点积加上偏置 −½‖k‖²。",
        ),
        ask.choice(say("Which key gets the largest weight?", "哪个键的权重最大？"), right, options),
        Table(
            [key(i) for i in range(3)], {say("vector", "向量"): [_point(one) for one in vectors]}
        ),
    )


_DISHES = Text(
    "Each dish is a point: how sweet and how hot it is. *curry* is at (1, 1), *chilli jam* at "
    "(2, 2), *custard* at (1, −1) and *yoghurt* at (−1, −1).",
    "每道菜是一个点，坐标表示甜和辣的程度：*宫保豆腐*在 (1, 1)，*甜辣炸鸡*在 (2, 2)，*桂花糕*在 "
    "(1, −1)，*酸奶*在 (−1, −1)。",
)
GIVEN = {
    "mia": Text(
        "A score is *person* × *person* + *refers back* × *refers back*. The key of *Mia* is "
        "(2.0, 0.2), that of *her* is (0.4, 1.8), and *her* asks with (0.4, 1.8).",
        "分数等于“指人”之积加上“指代前文”之积。“小雨”的键是 (2.0, 0.2)，“她”的键是 (0.4, 1.8)，"
        "“她”的查询也是 (0.4, 1.8)。",
    ),
    "doubled": Text(
        "The guest's wish is (1, 1), and the Gaussian score is −½ · distance².",
        "客人的口味是 (1, 1)，高斯评分等于 −½ × 距离²。",
    ),
    "turned": _DISHES,
    "scores": _DISHES,
}
