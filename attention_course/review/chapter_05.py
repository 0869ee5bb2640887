"""Ask again for the ideas of chapter 5."""

import torch
from torch import Tensor

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib import AdditiveAttention
from attention_lib.scores import additive, dot

_KEYS = {"en": "key {}", "zh": "键 {}"}
_QUERIES = {"en": "query {}", "zh": "查询 {}"}


@family("without-tanh", figure="clothes")
def without_tanh(draw: Draw, lang: Lang) -> Item:
    """Ask for a score that three others determine if tanh is left out."""
    say, key, query = say_in(lang), _KEYS[lang].format, _QUERIES[lang].format
    of_queries = torch.tensor(draw.several(range(6), 2))
    of_keys = torch.tensor([1, 1 + draw.whole(2, 5)][:: draw.one([-1, 1])])
    scores = of_queries[:, None] + of_keys
    row, column = draw.whole(0, 1), draw.whole(0, 1)
    right = scores[row, column]
    beside, known = int(scores[row, 1 - column]), int(scores[1 - row, column])
    corner = int(scores[1 - row, 1 - column])
    change = known - corner
    mistakes = {
        say(
            f"{known} is the score of {query(1 - row)}, but {query(row)} adds a different number "
            "to its whole row.",
            f"{known} 是{query(1 - row)} 的分数，换成{query(row)}，整行要加上另一个数。",
        ): known,
        say(
            f"{signed(beside - change)} goes the wrong way: for {query(1 - row)}, {key(column)} is "
            f"{abs(change)} {'higher' if change > 0 else 'lower'} than {key(1 - column)}.",
            f"你把方向弄反了，在{query(1 - row)} 那一行，{key(column)} 比{key(1 - column)} "
            f"{'高' if change > 0 else '低'} {abs(change)}。",
        ): beside - change,
        say(
            f"{beside * known / corner:.3g} keeps the ratio of the scores, but a sum of two "
            "parts keeps their difference.",
            "你让分数之比保持不变了，但加上同一个数，不变的是分数之差。",
        ): beside * known / corner,
        say(
            f"{beside} would make both keys equal, but for {query(1 - row)} they differ.",
            f"如果是 {beside}，这一行的两个分数就相等了，但{query(1 - row)} 那一行并不相等。",
        ): beside,
    }
    cells = [[f"{x}" for x in line] for line in scores.tolist()]
    cells[row][column] = "?"
    return Item(
        say(
            "An additive score is computed without tanh, as `w_vᵀ (W_q q + W_k k)`. One score is "
            "missing.",
            "把加性评分里的 tanh 去掉，分数就成了 `w_vᵀ (W_q q + W_k k)`。下表缺一个分数。",
        ),
        ask.number(
            say("The missing score", "缺少的分数"),
            right,
            unlike(right, mistakes, 0.05),
            within=0.05,
            said=say(
                f"Without tanh, {key(column)} and {key(1 - column)} differ by the same number "
                f"for every query, here {abs(change)}.",
                f"没有 tanh，不论哪个查询，{key(column)} 与{key(1 - column)} 的分数都相差 "
                f"{abs(change)}。",
            ),
        ),
        Table([key(0), key(1)], {query(i): line for i, line in enumerate(cells)}),
    )


@family("largest-score", figure="large", exercise="sharp")
def largest_score(draw: Draw, lang: Lang) -> Item:
    """Ask for the bound of an additive score."""
    say, size = say_in(lang), draw.in_turn([2, 3, 3, 2, 4])
    numbers = [draw.one([-1, 1]) * x for x in draw.several(range(1, 6), size)]
    numbers[draw.whole(0, size - 1)] *= -1
    numbers[0] = abs(numbers[0])
    numbers[-1] = -abs(numbers[-1])  # of both signs
    w_v = torch.tensor([numbers]).double()
    sign = -1 if draw.turn == 3 else 1
    units = 1000 * sign * w_v.sign()  # W_q q of the query with the most extreme score
    bound = additive(
        units[None], torch.zeros(1, 1, 1).double(), torch.eye(size).double(), *_zero_key(size, w_v)
    )[0, 0, 0]
    total = sum(numbers)
    listed = ", ".join(signed(x) for x in numbers)
    mistakes = {
        say(
            f"{signed(total)} adds the numbers with every unit at 1, but a unit can also be −1.",
            "你让每个单元都取 1，其实单元也可以取到 −1。",
        ): total,
        say(
            f"{signed(sign * max(map(abs, numbers)))} comes from a single unit, but "
            f"{size} units are added.",
            f"{signed(sign * max(map(abs, numbers)))} 只算了一个单元，"
            f"但分数是 {size} 个单元加起来的。",
        ): sign * max(map(abs, numbers)),
        say(
            f"{signed(sign * size)} is the sum of {size} units without the factors of `w_v`.",
            f"{signed(sign * size)} 是 {size} 个单元直接相加的结果，漏乘了 `w_v`。",
        ): sign * size,
        say(
            f"{signed(sign)} is the limit of a single tanh, before `w_v`.",
            f"{signed(sign)} 只是一个 tanh 的界限，还没有乘 `w_v`。",
        ): sign,
        say(
            f"{signed(-float(bound))} is the " + ("lower limit." if sign == 1 else "upper limit."),
            f"{signed(-float(bound))} 是分数的"
            + ("下界，题目问的是上界。" if sign == 1 else "上界，题目问的是下界。"),
        ): -bound,
    }
    terms = " + ".join(f"{abs(x)}" for x in numbers)
    terms = terms if sign == 1 else f"−({terms})"
    return Item(
        say(
            f"An additive score has {size} hidden units and `w_v = [{listed}]`. Queries and keys "
            "may hold any numbers.",
            f"加性评分有 {size} 个隐藏单元，`w_v = [{listed}]`，查询和键可以取任意数值。",
        ),
        ask.number(
            say("The upper limit of the scores", "分数的上界")
            if sign == 1
            else say("The lower limit of the scores", "分数的下界"),
            bound,
            unlike(bound, mistakes, 0.1),
            within=0.1,
            said=say(
                "Each unit lies between −1 and 1, and at the limit all terms have the same "
                f"sign: {terms} = {signed(float(bound))}.",
                "每个单元都在 −1 与 1 之间，按照 `w_v` 的正负选取符号，"
                f"可得 {terms} = {signed(float(bound))}。",
            ),
        ),
    )


def _zero_key(size: int, w_v: Tensor) -> tuple[Tensor, Tensor]:
    return torch.zeros(size, 1).double(), w_v


@family("same-keys", figure="additive", exercise="two-kinds")
def same_keys(draw: Draw, lang: Lang) -> Item:
    """Ask what additive attention makes of identical keys."""
    say, key = say_in(lang), _KEYS[lang].format
    size, length = 5, draw.in_turn([3, 2, 4, 2, 3])
    around = {2: [-3, 3], 3: [-3, 1, 2], 4: [-4, -1, 2, 3]}[length]
    middle = draw.whole(5, 12)
    values = [middle + step for step in draw.shuffled(around)]
    values += [middle + draw.one([-4, -2, 4]) for _ in range(size - length)]
    hiddens = draw.one([4, 8, 16])
    output = _module(hiddens)(
        torch.ones(1, 1, 3),
        torch.ones(1, size, 2),
        torch.tensor(values).float()[None, :, None],
        torch.tensor([length]),
    )
    right = output.detach()[0, 0, 0].round(decimals=4)
    mean = sum(values) / size
    mistakes = {
        say(
            f"{mean:g} is the mean of all {size} values, but only {length} keys are valid.",
            f"{mean:g} 是全部 {size} 个值的平均，但有效的键只有 {length} 个。",
        ): mean,
        say(
            f"{sum(values[:length])} is the sum of the first {length} values, but the weights "
            "sum to 1.",
            f"{sum(values[:length])} 是值的总和，别忘了权重之和是 1，要求平均。",
        ): sum(values[:length]),
        say(
            f"{sum(values[:length]) / size:g} gives each valid key the weight 1/5, but their "
            "weights sum to 1.",
            "你给每个有效的键五分之一，剩下的留给了填充，其实填充分不到权重。",
        ): sum(values[:length]) / size,
        say(
            f"{values[0]} is the value of {key(0)} alone, but the other valid keys get the same "
            "weight.",
            f"{values[0]} 只是{key(0)} 的值，其余有效的键与{key(0)} 完全相同，权重也一样。",
        ): values[0],
        say(
            f"{max(values[:length])} is the largest value, but the weights do not depend on the "
            "values.",
            f"{max(values[:length])} 是最大的值，但权重的大小与值无关。",
        ): max(values[:length]),
    }
    return Item(
        say(
            f"Additive attention with {hiddens} hidden units and random parameters reads {size} "
            f"identical keys. The valid length is {length}.",
            f"加性注意力有 {hiddens} 个隐藏单元，参数是随机选取的。{size} 个键完全相同，"
            f"有效长度是 {length}。",
        ),
        ask.number(
            say("The output", "输出是多少？"),
            right,
            unlike(right, mistakes, 0.05),
            within=0.05,
            said=say(
                "Whatever the parameters, identical keys get equal scores, so the output is the "
                f"mean of the first {length} values.",
                f"键相同，分数就相同，与参数无关，所以输出是前 {length} 个值的平均。",
            ),
        ),
        Table([key(i) for i in range(size)], {say("value", "值"): [f"{x}" for x in values]}),
    )


def _module(hiddens: int) -> AdditiveAttention:
    with torch.random.fork_rng():
        torch.manual_seed(hiddens)
        return AdditiveAttention(2, 3, hiddens, 0.0).eval()


@family("another-query", figure="one-unit")
def another_query(draw: Draw, lang: Lang) -> Item:
    """Ask whether all queries prefer the same key."""
    say, key = say_in(lang), _KEYS[lang].format
    kind = draw.in_turn(["one", "several", "linear", "dot", "several"])
    hiddens = {"one": 1, "several": draw.one([2, 4, 8]), "linear": 16, "dot": 0}[kind]
    first = draw.whole(0, 2)
    score = {
        "linear": say(
            "The score is additive, but without tanh, and has 16 hidden units.",
            "用加性评分，但去掉了 tanh，有 16 个隐藏单元。",
        ),
        "dot": say("The score is the dot product.", "用点积评分。"),
    }.get(
        kind,
        say(
            f"The score is additive and has {hiddens} hidden unit" + ("s." if hiddens > 1 else "."),
            f"用加性评分，有 {hiddens} 个隐藏单元。",
        ),
    )
    possible = _can_change(kind, hiddens)
    no = {
        "one": say(
            "With one unit, every query ranks the keys in the same order, because tanh only rises.",
            "只有一个单元，tanh 又是增函数，所以不管哪个查询，键的名次都由 `W_k k` 决定。",
        ),
        "linear": say(
            "Without tanh, a query adds the same number to all scores of its row.",
            "没有 tanh，查询只是给整行分数加上同一个数，单元再多，名次也不变。",
        ),
        "several": say(
            "One ranking for all queries is what a single unit gives, but here there are "
            f"{hiddens} units.",
            f"你说的是只有一个单元的情况，但这里有 {hiddens} 个，名次可以改变。",
        ),
        "dot": say(
            "One ranking for all queries is what a score without interaction gives, but in a "
            "product the two interact.",
            "点积是查询与键的乘积，两者有交互，换了查询，名次也会跟着换。",
        ),
    }[kind]
    yes = {
        "one": say(
            "Another order would need a second unit, which can fall where the first one rises.",
            "要改变名次，还得有一个单元，在第一个单元上升的地方下降。",
        ),
        "linear": say(
            "Another order would need tanh, which lets query and key interact; more units do not "
            "help.",
            "增加单元没有用，要有 tanh，查询与键才有交互，名次才可能改变。",
        ),
        "several": say(
            "One unit can rise and another fall, and the query decides where, so another key can "
            "come out on top.",
            "有的单元上升，有的下降，在哪里升降由查询决定，所以排第一的键可能不同。",
        ),
        "dot": say(
            "The opposite query reverses the sign of every product, and with it the order of the "
            "keys.",
            "把查询的方向反过来，每个点积都变号，键的名次就倒过来了。",
        ),
    }[kind]
    return Item(
        say(
            f"{score} For one query, {key(first)} has the largest weight of three keys.",
            f"{score}对某个查询来说，三个键里权重最大的是{key(first)}。",
        ),
        ask.choice(
            say(
                "Can another key be first for another query, with the same parameters?",
                "参数不变，换一个查询，权重最大的会是别的键吗？",
            ),
            0 if possible else 1,
            {
                say("yes, another key can", "有可能是别的键"): yes,
                say(f"no, it is always {key(first)}", f"不会，总是{key(first)}"): no,
            },
        ),
    )


def _can_change(kind: str, hiddens: int) -> bool:
    """Try many queries and parameters: whether a query prefers another key than the first does."""
    draws = torch.Generator().manual_seed(5)

    def some(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=draws).double()

    for _ in range(20):
        queries, keys = some(1, 50, 2), some(1, 3, 2)
        W_q, W_k, w_v = some(max(hiddens, 1), 2), some(max(hiddens, 1), 2), some(1, max(hiddens, 1))
        scores = {
            "dot": dot(queries, keys),
            "linear": queries @ W_q.mT @ w_v.mT + (keys @ W_k.mT @ w_v.mT).mT,
        }.get(kind, additive(queries, keys, W_q, W_k, w_v))[0]
        if len({*scores.argmax(dim=-1).tolist()}) > 1:
            return True
    return False


_WARDROBE = Text(
    "Three temperatures are queries, three garments are keys, and an additive module learns "
    "which garment to wear.",
    "三种气温作查询，三件衣服作键，一个加性注意力模块学习该穿哪一件。",
)
GIVEN = {
    "curves": Text(
        "A score is the sum of two tanh steps over how warm a garment keeps, k. The query q is the "
        "temperature, and each step is tanh(`W_q q` + 3k), up to a constant and a factor. The sum "
        "is a hill.",
        "横轴是衣服的保暖程度 k，查询 q 是气温。每个单元是一级台阶 tanh(`W_q q` + 3k)，"
        "再乘以系数，两级台阶相加，得到一个山包。",
    ),
    "mia": Text(
        "One hidden unit scores a word: 2 · tanh(3 · *how much the asking word refers back* + 3 · "
        "*how much the word is a person* − 8).",
        "只有一个隐藏单元，分数等于 2 × tanh(3 × 提问的词指代前文的程度 + 3 × 被读的词指人的程度"
        " − 8)。",
    ),
    "training": _WARDROBE,
    "compass": Text(
        "Six flags stand around you. An additive module has learnt to give most weight to the flag "
        "that is nearest to where you look.",
        "你周围有六面旗子。模块用加性注意力，学会了把权重给离视线方向最近的旗子。",
    ),
}
