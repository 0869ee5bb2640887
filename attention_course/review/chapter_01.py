"""Ask again for the ideas of chapter 1."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib.scores import gaussian

_SHOPS = {
    "en": ["bakery", "florist", "bookshop", "pharmacy"],
    "zh": ["面包店", "花店", "书店", "药店"],
}
_KEYS = {"en": "key {}", "zh": "键 {}"}
_FOUR_WORDS = {"en": ["Tom", "hid", "his", "coin"], "zh": ["小明", "藏了", "他", "硬币"]}
_DAYS = {"en": ["Monday", "Tuesday", "Wednesday"], "zh": ["周一", "周二", "周三"]}


@family("what-changes", figure="value")
def what_changes(draw: Draw, lang: Lang) -> Item:
    """Ask which scores or weights follow a value, a key or the query."""
    say = say_in(lang)
    moved, asked = draw.in_turn(
        [
            ("value", "weights"),
            ("key", "scores"),
            ("key", "weights"),
            ("query", "scores"),
            ("value", "scores"),
        ]
    )
    names = draw.several(_SHOPS[lang], 3)
    query, here = draw.whole(4, 6), draw.whole(0, 2)
    places = [query + step for step in draw.several([-3, -2, -1, 1, 2, 3], 3)]
    prices = draw.several(range(10, 60, 5), 3)
    name, place, price = names[here], places[here], prices[here]
    farther = place + (1 if place > query else -1)
    now = {
        "value": (query, places),
        "key": (query, [farther if x == place else x for x in places]),
        "query": (query + 1, places),
    }[moved]
    before, after = (_scores_or_weights(*x, asked) for x in ((query, places), now))
    changed = int((before != after).sum())
    news = {
        "value": say(
            f"The {name} raises its price from {price} to {price + 30}.",
            f"现在{name}的价钱从 {price} 元涨到了 {price + 30} 元。",
        ),
        "key": say(
            f"The {name} moves to kilometre {farther}.", f"现在{name}搬到了 {farther} 公里处。"
        ),
        "query": say(
            f"The query moves on to kilometre {query + 1}.", f"现在查询移到了 {query + 1} 公里处。"
        ),
    }
    because = {
        ("value", "weights"): say(
            "Weights come from the query and the keys alone.",
            "权重只由查询和键算出，与值无关。",
        ),
        ("value", "scores"): say(
            "Scores compare the query with the keys, and only a value has changed.",
            "分数只由查询和键算出，值不参与计算。",
        ),
        ("key", "scores"): say(
            f"A score uses the query and one key, and only the {name} has moved.",
            f"每个分数只用到查询和一个键，搬走的只有{name}，别的分数不变。",
        ),
        ("key", "weights"): say(
            f"The new score of the {name} changes the sum that softmax divides by, and with it "
            "every weight.",
            f"{name}的分数变了，softmax 的分母也跟着变，所以三个权重都要重新算。",
        ),
        ("query", "scores"): say(
            "Every score uses the query, and its distance to each shop has changed.",
            "每个分数都要用到查询。查询一移动，到三家店的距离就都变了。",
        ),
    }[moved, asked]
    one = {
        "value": say(
            f"The {name} has not moved, and a price enters no score.",
            f"{name}只是涨价，没有搬家，用来打分的位置没有变。",
        ),
        "key": say(
            f"Only the score of the {name} changes, but each weight depends on all three scores.",
            f"分数变了的确实只有{name}，但三个权重的分母相同，分母也变了。",
        ),
        "query": say(
            f"If the {name} had moved, only its score would change, but here the query moves.",
            f"你说的是{name}搬家的情况。现在移动的是查询，到每家店的距离都变了。",
        ),
    }[moved]
    none = say(
        "None of the three changes if only a value does, but here "
        + ("a key moves." if moved == "key" else "the query moves."),
        "值变了，三个确实都不变，但现在变的是" + ("一个键。" if moved == "key" else "查询。"),
    )
    every = (
        say(
            "All three scores change only if the query moves, but here one key moves.",
            "三个分数全变，是查询移动时的结果，现在搬走的只有一家店。",
        )
        if moved == "key"
        else say(
            f"All three {asked} change if the query moves, but here a value does.",
            f"查询移动时，三个{'权重' if asked == 'weights' else '分数'}都会变，但现在只是涨价。",
        )
    )
    replies = [none, one, every]
    right = {0: 0, 1: 1, 3: 2}[changed]
    replies[right] = because
    label = {
        "weights": say("Which weights change?", "哪些权重会变？"),
        "scores": say("Which scores change?", "哪些分数会变？"),
    }[asked]
    options = [
        say("none of the three", "三个都不变"),
        say(f"only that of the {name}", f"只有{name}的会变"),
        say("all three", "三个都变"),
    ]
    rows = zip(names, places, prices, strict=True)
    return Item(
        say(
            f"A query at kilometre {query} pools three prices. Scores are −½ · distance². "
            f"{news[moved]}",
            f"一条路上有三家店，查询在 {query} 公里处。分数是 −½ × 距离²，由此求价钱的加权平均。"
            f"{news[moved]}",
        ),
        ask.choice(label, right, dict(zip(options, replies, strict=True))),
        Table(
            [say("key (km)", "键（公里）"), say("value (price)", "值（元）")],
            {shop: [f"{at}", f"{costs}"] for shop, at, costs in rows},
        ),
    )


def _scores_or_weights(query: int, places: list[int], asked: str) -> torch.Tensor:
    keys = torch.tensor(places, dtype=torch.float64)[None, :, None]
    scores = gaussian(torch.full((1, 1, 1), float(query), dtype=torch.float64), keys)[0, 0]
    return scores if asked == "scores" else scores.softmax(-1)


@family("best-keys", figure="temperature")
def best_keys(draw: Draw, lang: Lang) -> Item:
    """Ask what comes out at a temperature of 0, with and without a tie, or at a very high one."""
    say, key = say_in(lang), _KEYS[lang].format
    kind = draw.in_turn(["two", "high", "two", "one", "high"])
    best = draw.whole(4, 6)
    scores = [best, best if kind == "two" else best - 1, *draw.several(range(1, best - 1), 2)]
    scores = draw.shuffled(scores)
    values = draw.several(range(20, 200, 20), 4)
    other, largest = scores.index(min(scores)), values.index(max(values))
    values[other], values[largest] = values[largest], values[other]
    s, v = torch.tensor(scores).double(), torch.tensor(values).double()
    output = (s / (1e9 if kind == "high" else 1e-3)).softmax(-1) @ v
    mean, leaders = v.mean(), [i for i, x in enumerate(scores) if x == best]
    first, last = values[leaders[0]], values[leaders[-1]]
    argmax = say(
        f"{first} is the answer of `argmax`, which takes only the first of the best keys.",
        f"{first} 是 `argmax` 的结果：分数并列时，只取最前面的一个。",
    )
    cold = say(
        f"{first} comes out at temperature 0, where {key(leaders[0])} takes all the weight.",
        f"你当成了温度降到 0，权重全部落在{key(leaders[0])} 上。",
    )
    mistakes = {
        cold if kind == "high" else argmax: first,
        say(
            f"{last} is the value of {key(leaders[-1])} alone, but {key(leaders[0])} has the same "
            "score.",
            f"{last} 只是{key(leaders[-1])} 的值，别忘了{key(leaders[0])} 的分数同样高。",
        ): last,
        say(
            f"{float(mean):g} is the mean of all four values, which a very high temperature gives.",
            f"{float(mean):g} 是四个值的平均，温度很高时才会这样。",
        ): mean,
        say(
            f"{max(values)} is the largest value, but the weights depend on the scores alone.",
            f"{max(values)} 是最大的值，但权重由分数决定，与值的大小无关。",
        ): max(values),
    }
    because = {
        "two": say(
            f"Both {key(leaders[0])} and {key(leaders[-1])} have the highest score, so each gets "
            f"half the weight: half of {first} and half of {last}.",
            f"{key(leaders[0])} 和{key(leaders[-1])} 的分数并列最高，权重各占一半，"
            f"输出就是 {first} 与 {last} 的平均。",
        ),
        "one": say(
            f"Only {key(leaders[0])} has the highest score, {best}, and it takes all the weight.",
            f"得最高分 {best} 的只有{key(leaders[0])}，权重全部落在这个键上。",
        ),
        "high": say(
            "Divided by a very high temperature, all scores are nearly equal, and the output is "
            "the mean of the four values.",
            "除以很高的温度以后，四个分数几乎相等，输出就是四个值的平均。",
        ),
    }[kind]
    return Item(
        say(
            "Scores are divided by the temperature before the softmax. The temperature "
            + ("rises without limit." if kind == "high" else "falls to 0."),
            "分数先除以温度，再做 softmax。温度"
            + ("升得非常高。" if kind == "high" else "降到 0。"),
        ),
        ask.number(
            say("The output", "这时的输出"),
            output.round(decimals=4),
            unlike(output, mistakes, 0.1),
            within=0.1,
            said=because,
        ),
        Table(
            [key(i) for i in range(4)],
            {
                say("score", "分数"): [f"{x}" for x in scores],
                say("value", "值"): [f"{x}" for x in values],
            },
        ),
    )


@family("nothing-near", figure="far")
def nothing_near(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight where all scores are very low, or all are high."""
    say, key = say_in(lang), _KEYS[lang].format
    kind = draw.in_turn(["lowest best", "equal", "second", "best", "equal"])
    level = -10 * draw.whole(4, 9) if kind != "second" else 10 * draw.whole(2, 4)
    level = 10 * draw.whole(2, 4) if draw.turn == 4 else level
    gaps = [0, 0, 0] if kind == "equal" else [0, *draw.several(range(9, 16), 2)]
    order = draw.shuffled(range(3))
    scores = [level - gaps[i] for i in order]
    ranked = sorted(range(3), key=lambda i: -scores[i])
    asked = ranked[1] if kind == "second" else ranked[0] if kind != "equal" else draw.whole(0, 2)
    weight = float(torch.tensor(scores).double().softmax(-1)[asked])
    right = 0 if weight > 0.99 else 1 if abs(weight - 1 / 3) < 0.01 else 2
    lead = scores[ranked[0]] - scores[ranked[1]]
    because = {
        "equal": say(
            f"All three scores are {signed(level)}, and equal scores get equal weights, whether "
            "they are high or low.",
            f"三个分数都是 {signed(level)}，不管是高是低，只要相等，权重就相等。",
        ),
        "second": say(
            f"Softmax sees only differences, and {key(ranked[0])} leads {key(asked)} by {lead}.",
            f"softmax 只看分数的差，{key(ranked[0])} 比{key(asked)} 高 {lead}，几乎占了全部权重。",
        ),
    }.get(
        kind,
        say(
            f"Softmax sees only differences, and {key(asked)} leads the next key by {lead}, "
            "although all three scores are low.",
            f"softmax 只看分数的差。{key(asked)} 分数虽低，也比第二名高 {lead}，几乎占了全部权重。",
        ),
    )
    replies = [
        say(
            f"A weight near 1 needs a score several units above all others, but {key(asked)} has "
            "no such lead.",
            f"要比别的键高出好几分，权重才会接近 1，{key(asked)} 并没有领先这么多。",
        ),
        say(
            "A third is the weight that three equal scores give, but these three lie far apart.",
            "权重是 1/3，说明三个分数相等，但表中的分数相差很大。",
        ),
        say(
            f"A weight near 0 needs another score far above that of {key(asked)}. A low score "
            "alone is not enough, because the weights sum to 1.",
            f"光是分数低还不够，因为权重之和总是 1，得有别的键比{key(asked)} 高出很多，"
            "权重才会接近 0。",
        ),
    ]
    replies[right] = because
    options = [say("nearly 1", "接近 1"), "1/3", say("nearly 0", "接近 0")]
    return Item(
        say(
            "A softmax turns three scores into weights.",
            "三个键的分数如下表，用 softmax 算出权重。",
        ),
        ask.choice(
            say(f"The weight of {key(asked)}", f"{key(asked)} 的权重"),
            right,
            dict(zip(options, replies, strict=True)),
        ),
        Table(
            [key(i) for i in range(3)], {say("score", "分数"): [signed(score) for score in scores]}
        ),
    )


@family("one-number-note", figure="note")
def one_number_note(draw: Draw, lang: Lang) -> Item:
    """Ask on which day the mean alone tells most about each train."""
    say, days = say_in(lang), _DAYS[lang]
    high = draw.whole(35, 45)
    lists = [
        [high + more for more in draw.several(range(6), 4)],  # late, all alike
        [*draw.several(range(4), 2), *draw.several(range(12, 18), 2)],  # early, but unlike
        [*draw.several(range(2, 9), 2), *draw.several(range(28, 34), 2)],
    ]
    kinds = draw.shuffled(range(3))
    delays = torch.tensor([draw.shuffled(lists[kind]) for kind in kinds]).double()
    errors = (delays - delays.mean(dim=-1, keepdim=True)).abs().mean(dim=-1)
    most = draw.in_turn([False, False, True, False, True])
    right = int(errors.argmax() if most else errors.argmin())
    written = [f"{x:.1f}".removesuffix(".0") for x in errors.tolist()]
    said = [
        say(
            "has long delays, but they lie close together: the mean is off by only {x} min.",
            "各趟车都晚点很久，但时间相近，猜平均值只差 {x} 分钟。",
        ),
        say(
            "has short delays, but they are less alike: the mean is off by {x} min.",
            "晚点都不算久，但各趟车不一样，猜平均值要差 {x} 分钟。",
        ),
        say(
            "has delays that lie far apart: the mean is off by {x} min.",
            "有的车晚点很久，有的不久，猜平均值要差 {x} 分钟。",
        ),
    ]
    space = "" if lang == "zh" else " "
    options = {
        day: f"{day}{space}{said[kind].format(x=x)}"
        for day, kind, x in zip(days, kinds, written, strict=True)
    }
    label = (
        say("On which day is this guess off by most on average?", "哪一天用平均值来猜，误差最大？")
        if most
        else say(
            "On which day is this guess off by least on average?", "哪一天用平均值来猜，误差最小？"
        )
    )
    rows = zip(days, delays.int().tolist(), strict=True)
    return Item(
        say(
            "A note keeps one number a day, the mean delay of four trains in minutes. This mean "
            "is then the guess for each of the four delays.",
            "有一份笔记，每天只记一个数：四趟车平均晚点多少分钟。以后不管问哪趟车晚点多久，"
            "都拿这个平均值来猜。",
        ),
        ask.choice(label, right, options),
        Table(
            [say(f"train {i}", f"第 {i} 趟") for i in range(1, 5)],
            {day: [f"{x}" for x in row] for day, row in rows},
        ),
    )


@family("turned-query", figure="arrows")
def turned_query(draw: Draw, lang: Lang) -> Item:
    """Ask which key is found once the query has changed its sign, or only its size."""
    say, words = say_in(lang), draw.shuffled(_FOUR_WORDS[lang])
    before, after = draw.in_turn([(2, -2), (-2, 1), (3, 1), (1, -3), (-3, -1)])
    keys = draw.numbers(4, -2, 2, 0.5)
    scores = after * torch.tensor(keys)
    right = int(scores.argmax())
    options = {
        word: say(
            f"The score of “{word}” is {signed(after)} · {_in_brackets(key)} = "
            f"{signed(after * key)}, and another word scores higher.",
            f"“{word}”的分数是 {signed(after)} × {_in_brackets(key)} = {signed(after * key)}，"
            "还有分数更高的词。",
        )
        for word, key in zip(words, keys, strict=True)
    }
    was = words[int((before * torch.tensor(keys)).argmax())]
    if was != words[right]:
        options[was] = say(
            f"“{was}” was found with the query {signed(before)}. The query now has the other "
            "sign, so the score of this word is the lowest.",
            f"“{was}”是查询等于 {signed(before)} 时找到的词。查询变了号，它的分数反而最低。",
        )
    sign = say("largest", "最大") if after > 0 else say("smallest", "最小")
    options[words[right]] = say(
        f"“{words[right]}” has the {sign} key, so its product with {signed(after)} is the "
        f"highest, {signed(float(scores[right]))}.",
        f"“{words[right]}”的键{sign}，乘以 {signed(after)} 得 {signed(float(scores[right]))}"
        "，分数最高。",
    )
    return Item(
        say(
            f"Each word has one number as its key, and its score is query times key. The query "
            f"changes from {signed(before)} to {signed(after)}.",
            f"每个词的键是一个数，分数等于查询乘以键。查询从 {signed(before)} 变成了 "
            f"{signed(after)}。",
        ),
        ask.choice(
            say("Which word gets the largest weight now?", "现在哪个词的权重最大？"), right, options
        ),
        Table(words, {say("key", "键"): [signed(key) for key in keys]}),
    )


def _in_brackets(number: float) -> str:
    return f"({signed(number)})" if number < 0 else signed(number)


@family("goal-or-glare", figure="glance")
def goal_or_glare(draw: Draw, lang: Lang) -> Item:
    """Ask whether a goal or brightness decides which line gets the largest weight."""
    say = say_in(lang)
    times, goal = draw.in_turn([(4, 1.0), (3, 1.5), (8, 2.0), (6, 2.5), (12, 2.0)])
    bright, wanted = draw.several(_SHOPS[lang], 2)
    shops = draw.shuffled(_SHOPS[lang])
    log = float(torch.tensor(float(times)).log())
    scores = torch.tensor([{bright: log, wanted: goal}.get(shop, 0.0) for shop in shops])
    right = int(scores.argmax())
    options = {
        shop: say(
            f"The sign of the {shop} is neither bright nor looked for, so its score is 0.",
            f"{shop}的招牌既不比别人亮，也不是要找的，分数是 0。",
        )
        for shop in shops
    }
    options[bright] = say(
        f"The {bright} gets {log:.2f} for its brightness, but the goal adds {goal:g} elsewhere.",
        f"{bright}最亮，但亮度只加 {log:.2f} 分，目标加的 {goal:g} 分更多。",
    )
    options[wanted] = say(
        f"The goal adds {goal:g} to the {wanted}, but brightness adds {log:.2f} elsewhere.",
        f"要找的是{wanted}，但目标只加 {goal:g} 分，亮度加的 {log:.2f} 分更多。",
    )
    options[shops[right]] = say(
        f"The scores are {log:.2f} for brightness and {goal:g} for the goal, and the "
        f"{shops[right]} has the higher one.",
        f"亮度得 {log:.2f} 分，目标得 {goal:g} 分，{shops[right]}的分数更高。",
    )
    return Item(
        say(
            f"Four signs hang in a street. That of the {bright} is {times} times as bright as the "
            f"others, and you are looking for the {wanted}. Scores are the logarithm of the "
            f"brightness (ln {times} = {log:.2f}) plus {goal:g} for what you look for.",
            f"街上有四块招牌，{bright}的亮度是其他的 {times} 倍，你要找的是{wanted}。分数等于亮度的"
            f"对数（ln {times} = {log:.2f}），要找的那一块再加 {goal:g}。",
        ),
        ask.choice(
            say("Which sign gets the largest weight?", "哪块招牌的权重最大？"), right, options
        ),
    )


GIVEN = {
    "mia": Text(
        "Each of four words has a key of two numbers: how much it is a person, and how much it "
        "refers back to one. A query of the same two numbers asks.",
        "四个词的键都是两个数，分别表示“指人”和“指代前文”的程度。查询也由这两个数组成。",
    ),
    "pooling": Text(
        "Trains to four towns take 20, 30, 50 and 60 minutes. *Northbridge*, at 30 minutes, is "
        "nearest to *Millbrook*.",
        "开往四个镇的车程是 20、30、50、60 分钟，离*柳溪*最近的是*北桥*，车程 30 分钟。",
    ),
    "nearest": Text(
        "A query on a map asks four towns. A town's score is minus half of its squared distance "
        "from the query.",
        "地图上有一个查询和四个镇，镇的分数等于到查询的距离平方的一半，取负号。",
    ),
    "fixed": Text(
        "One line of a board is five times as bright as the other three. A score is the logarithm "
        "of the brightness, multiplied by the number.",
        "显示牌有四行，其中一行的亮度是其他行的五倍。分数等于亮度的对数乘以这个数。",
    ),
    "translation": Text(
        "A decoder translates *Hello world.* word by word, and in each step it looks at the words "
        "of the English sentence.",
        "解码器把“打开窗户。”译成英语，每生成一个词，都要给原文的各个词分配权重。",
    ),
    "recall": Text(
        "A list of words is repeated in two ways: from one fixed state, to which every word was "
        "added, or by selecting each word from a memory of all words.",
        "复述一串词有两种方法：一种是把所有词都加进一个固定状态，再从中读出；另一种是把每个词都存下来，"
        "需要哪个就选哪个。",
    ),
}
