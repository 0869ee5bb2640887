"""Ask again for the ideas of chapter 8."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text

# A word that refers back, a person, an animal and a thing.
_WORDS = {
    "en": ["she Ann cat cup", "he Paul dog hat", "she Rosa fox box"],
    "zh": ["她 小红 猫 杯子", "他 小刚 狗 帽子", "她 阿芳 鸟 盒子"],
}


@family("two-winners", figure="choice")
def two_winners(draw: Draw, lang: Lang) -> Item:
    """Ask which key wins by the dot product, and which by the Gaussian."""
    say, keys, query = say_in(lang), torch.zeros(4), 0.0
    while len({*_winners(query, keys)}) < 3:  # the dot product's, the Gaussian's, and the lowest
        query = draw.number(-3, 3, 0.5)
        keys = torch.tensor(sorted(draw.numbers(4, -7, 7, 1)))
    largest, nearest, lowest = _winners(query, keys)
    names, q = [signed(k) for k in keys.tolist()], signed(query)
    mistakes = {
        say(
            "You have swapped the two: the Gaussian prefers the nearest key, the dot product "
            "does not.",
            "你把两种评分弄反了，看远近的是高斯评分，不是点积。",
        ): [nearest, largest],
        say(
            "The dot product does not measure nearness: the farther a key lies in the direction "
            "of the query, the larger the product.",
            "点积不看远近，键在查询的方向上越远，乘积反而越大。",
        ): [nearest, nearest],
        say(
            "The Gaussian measures the distance from the query, so a key far away has little "
            "weight.",
            "高斯评分看的是与查询的距离，离得远的键权重很小。",
        ): [largest, largest],
        say(
            f"The query's product with {names[lowest]} has the opposite sign and is the lowest "
            "of all.",
            "查询与这个键符号相反，乘积最小，点积评分最低。",
        ): [lowest, nearest],
    }
    return Item(
        say(
            f"Queries and keys are single numbers here. The query is {q}, and the keys are "
            f"{', '.join(names)}.",
            f"这里的查询和键都只是一个数。查询是 {q}，键是 {'、'.join(names)}。",
        ),
        ask.place(
            say("Which key has the largest weight?", "哪个键的权重最大？"),
            [say("dot product", "点积"), say("Gaussian", "高斯评分")],
            names,
            [largest, nearest],
            unlike([largest, nearest], mistakes),
            said=say(
                f"The product with {q} is largest for {names[largest]}, and {names[nearest]} is "
                f"nearest to {q}.",
                f"与 {q} 相乘，乘积最大的是 {names[largest]}；离 {q} 最近的是 {names[nearest]}。",
            ),
        ),
    )


def _winners(query: float, keys: torch.Tensor) -> tuple[int, int, int]:
    """Return the keys with the largest product, the smallest distance and the lowest product."""
    products, distances = query * keys, (query - keys).abs()
    if distances.sort().values.diff()[0] == 0 or query == 0:
        return 0, 0, 0
    return int(products.argmax()), int(distances.argmin()), int(products.argmin())


@family("only-a-sum", figure="sum")
def only_a_sum(draw: Draw, lang: Lang) -> Item:
    """Ask which key wins for two queries when the score is a sum."""
    say = say_in(lang)
    w = draw.in_turn([-2, 3, -1, 2, -3])
    keys = draw.numbers(3, -5, 5, 1)
    while min(keys) >= 0 or max(keys) <= 0:
        keys = draw.numbers(3, -5, 5, 1)
    query, names = draw.whole(3, 9), [signed(k) for k in keys]

    k = torch.tensor(keys)
    right = [int((w * (q + k)).argmax()) for q in (query, -query)]
    largest = max(range(3), key=keys.__getitem__)
    mistakes = {
        say(
            "A product of query and key would choose these keys, but here the two are added.",
            "你把查询与键相乘了，其实题目里是相加。",
        ): [int((w * q * k).argmax()) for q in (query, -query)],
        say(
            f"The factor {signed(w)} reverses the order of the keys.",
            f"别忘了乘以 {signed(w)}，键的大小次序会反过来。",
        ): [largest, largest],
        say(
            f"The factor {w} is positive and keeps the order of the keys.",
            f"{w} 是正数，乘上去并不改变键的大小次序。",
        ): [min(range(3), key=keys.__getitem__)] * 2,
    }
    won = names[right[0]]
    return Item(
        say(
            f"The score is {signed(w)} · (q + k), and the keys are {', '.join(names)}.",
            f"评分是 {signed(w)} × (q + k)，键是 {'、'.join(names)}。",
        ),
        ask.place(
            say("Which key has the largest weight?", "哪个键的权重最大？"),
            [f"q = {query}", f"q = {signed(-query)}"],
            names,
            right,
            unlike(right, mistakes),
            said=say(
                f"The query adds the same number to all scores, so both queries choose {won}, for "
                f"which {signed(w)} · k is largest.",
                f"查询只是给每个分数加上同一个数，所以两个查询都选中 {won}，"
                f"这时 {signed(w)} × k 最大。",
            ),
        ),
    )


@family("once-a-pair", figure="cost")
def once_a_pair(draw: Draw, lang: Lang) -> Item:
    """Ask how many vectors the additive score maps, and how many go through its tanh."""
    say, pairs = say_in(lang), draw.in_turn([True, False, True, False, True])
    queries, keys = draw.whole(3, 12), 10 * draw.whole(1, 5)
    hidden = torch.zeros(queries, 1, 1) + torch.zeros(1, keys, 1)
    words, both = queries + keys, hidden.shape[0] * hidden.shape[1]
    mistakes = {
        say(
            "W_q and W_k need one vector for each query and each key, but tanh acts on the sum "
            "of a query and a key.",
            "每个词只算一次的是 W_q 和 W_k，而 tanh 要对查询与键的每一个和计算。",
        ): words,
        say(
            "One vector for each pair goes through tanh. W_q and W_k come earlier, when queries "
            "and keys are still separate.",
            "每一对都要算的是 tanh，W_q 和 W_k 在相加之前就乘好了，每个词只乘一次。",
        ): both,
        say("You have counted for one query only.", "你只算了一个查询。")
        if pairs
        else say("You have left out the queries.", "你漏掉了查询。"): keys,
        say("You have left out the keys.", "你漏掉了键。"): queries,
    }
    right = both if pairs else words
    return Item(
        say(
            f"In additive attention {queries} queries read {keys} keys.",
            f"在加性注意力里，有 {queries} 个查询和 {keys} 个键。",
        ),
        ask.number(
            say("The number of vectors that go through tanh", "经过 tanh 的向量有几个？")
            if pairs
            else say(
                "The number of vectors that are multiplied by W_q or W_k",
                "与 W_q 或 W_k 相乘的向量有几个？",
            ),
            right,
            unlike(right, mistakes, 0.4),
            within=0.4,
            said=say(
                f"Each pair of a query and a key has a sum of its own: {queries} · {keys}.",
                f"每个查询与每个键都要相加，一共 {queries} × {keys} 个和。",
            )
            if pairs
            else say(
                f"Each query and each key is multiplied once: {queries} + {keys}.",
                f"每个查询和每个键都只乘一次，一共 {queries} + {keys} 个。",
            ),
        ),
        answer=str(right),
    )


@family("finds-itself", figure="mia")
def finds_itself(draw: Draw, lang: Lang) -> Item:
    """Ask whom a word that refers back finds, by the dot product and by a bilinear score."""
    say, words = say_in(lang), draw.one(_WORDS[lang]).split()
    person, back = draw.in_turn([(0, 3), (1, 2), (2, 1), (0, 2), (2, 1)])
    most = draw.whole(2, 4) if person < 2 else draw.whole(4, 6)
    some = draw.whole(1, most - 1)
    vectors = torch.tensor([[person, back], [most, 0], [some, 0], [draw.whole(-2, 0), 0]])
    order = draw.shuffled(range(4))
    names, vectors = [words[i] for i in order], vectors[order]
    itself, other = order.index(0), order.index(1)
    query = vectors[itself]
    scores = [vectors @ query, query[1] * vectors[:, 0]]
    right = [int(score.argmax()) for score in scores]
    asking, found = words[0], words[1]
    mistakes = {
        say(
            f"Under the bilinear score “{asking}” does not look for a word like itself.",
            f"双线性评分看的是哪个词像人，不是哪个词与“{asking}”自己相像。",
        ): [itself, itself],
        say(
            f"The dot product of “{asking}” with itself is larger: {int(scores[0][itself])}.",
            f"“{asking}”与自己的点积更大，是 {int(scores[0][itself])}。",
        ): [other, other],
        say(
            f"The dot product of “{asking}” with “{found}” is larger: {int(scores[0][other])}.",
            f"“{asking}”与“{found}”的点积更大，是 {int(scores[0][other])}。",
        ): [itself, other],
        say(
            "You have swapped the two scores.",
            "你把两种评分弄反了。",
        ): [other, itself],
    }
    return Item(
        say(
            f"“{asking}” is the query, and the four words of the table are the keys. The "
            f"bilinear score multiplies how much “{asking}” refers back by how much each word is "
            "a person.",
            f"用“{asking}”作查询，键是表中的四个词。双线性评分等于“{asking}”的“指代”乘以各个词的“"
            "像人”。",
        ),
        ask.place(
            say(f"Which word does “{asking}” attend to most?", f"“{asking}”最关注哪个词？"),
            [say("dot product", "点积"), say("bilinear", "双线性评分")],
            names,
            right,
            unlike(right, mistakes),
            said=say(
                f"By the dot product “{names[right[0]]}” scores {int(scores[0][right[0]])}, and by "
                f"the bilinear score “{names[right[1]]}” scores {int(scores[1][right[1]])}. All "
                "other scores are lower.",
                f"点积最大的是“{names[right[0]]}”，得 {int(scores[0][right[0]])}；双线性评分最高"
                f"的是“{names[right[1]]}”，得 {int(scores[1][right[1]])}。",
            ),
        ),
        Table(
            [say("is a person", "像人"), say("refers back", "指代")],
            {name: [signed(x) for x in vectors[i].tolist()] for i, name in enumerate(names)},
        ),
    )


_TOWNS = Text(
    "On a map you are the query, and five towns are keys: *Easton*, *Norton*, *Weston* and "
    "*Sutton* lie around a cross at (0, 0), and *Middleton* lies close to it.",
    "在地图上，你是查询，五个村子是键：东村、北村、西村、南村围着原点处的十字，中村紧靠十字。",
)
GIVEN = {
    "farther": Text(
        "On a map you are the query at (1.5, 1), and towns are keys. *Easton* lies at (2, 0.3), "
        "to the east of a cross at (0, 0).",
        "在地图上，你是查询，在 (1.5, 1)。东村在原点处的十字以东的 (2, 0.3)，是一个键。",
    ),
    "turned": Text(
        "Five towns lie around a cross on a map, and you are the query.",
        "地图上的五个村子围着一个十字，你是查询。",
    ),
    "circle": _TOWNS,
    "larger": _TOWNS,
    "learned": Text(
        "Queries and keys are points of a map. *Middleton* lies among the other five keys.",
        "查询和键都是地图上的点，中村被另外几个键围在中间。",
    ),
    "agree": _TOWNS,
    "clothes": Text(
        "Warmth and tightness are 0 and 0 for the *shirt*, 3 and 0 for the *coat*, 0 and 3 for the "
        "*raincoat*, 2 and 2 for the *parka*. Against wind each counts half, against cold only "
        "warmth, against rain only tightness.",
        "衬衫的保暖和严实程度是 0 和 0，大衣 3 和 0，雨衣 0 和 3，冲锋衣 2 和 2。"
        "防寒只看保暖，防雨只看严实，防风则各占一半。",
    ),
}
