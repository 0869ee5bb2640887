"""Ask again for the ideas of chapter 9."""

import torch

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib import DecomposableAttention

# What happens, its opposite, something alike, and a thing.
_EVENTS = {
    "en": ["rose fell grew price", "bought sold paid house", "opened closed unlocked door"],
    "zh": ["上涨 下跌 走高 股票", "买进 卖出 付款 房子", "打开 关上 推开 大门"],
}
# A premise of two words and a hypothesis of three.
_PAIRS = {
    "en": [("babies sleep", "children are awake"), ("snow melts", "it gets warm")],
    "zh": [("婴儿 睡觉", "孩子 没 睡"), ("积雪 融化", "天气 变 暖")],
}
# Two who do something, with two verbs that mean nearly the same, and a third one.
_DEEDS = {
    "en": [
        "the nurse|helps|assists|the pilot|the cook",
        "the boy|pushes|shoves|the girl|the clown",
        "the cat|chases|hunts|the dog|the goat",
        "the queen|greets|welcomes|the king|the duke",
        "the singer|praises|commends|the painter|the poet",
    ],
    "zh": [
        "护士|帮助|协助|飞行员|厨师",
        "男孩|推|推搡|女孩|小丑",
        "猫|追|追赶|狗|羊",
        "女王|迎接|欢迎|国王|公爵",
        "歌手|称赞|夸奖|画家|诗人",
    ],
}


@family("finds-its-kind", figure="mia")
def finds_its_kind(draw: Draw, lang: Lang) -> Item:
    """Ask which word a word looks at, when F takes absolute values and when there is no F."""
    say, words = say_in(lang), draw.one(_EVENTS[lang]).split()
    by_kind, wins = draw.in_turn(
        [(True, "opposite"), (False, "alike"), (True, "alike"), (True, "thing"), (False, "thing")]
    )
    opposite, alike, thing = {
        "opposite": (draw.whole(3, 4), draw.whole(1, 2), draw.whole(2, 3)),
        "alike": (draw.whole(2, 4) if not by_kind else 1, draw.whole(2, 3), 2),
        "thing": (draw.whole(2, 3), 1, draw.whole(7, 8) if by_kind else draw.whole(3, 4)),
    }[wins]
    order = draw.shuffled(range(3))
    vectors = torch.tensor([[0, -opposite], [0, alike], [thing, 0]])[order]
    names = [words[1:][i] for i in order]
    query = torch.tensor([1, 2])
    scores = {True: vectors.abs() @ query, False: vectors @ query}
    right, other = (int(scores[x].argmax()) for x in (by_kind, not by_kind))
    values = scores[by_kind].tolist()

    def reply(k: int) -> str:
        if k == other:
            return (
                say(
                    f"“{names[k]}” would win without F, but F drops the minus sign of "
                    f"“{words[1]}”.",
                    f"没有 F，胜出的会是“{names[k]}”，但 F 去掉了“{words[1]}”的负号。",
                )
                if by_kind
                else say(
                    f"“{names[k]}” would win if F took absolute values, but without F its score "
                    f"is {signed(values[k])}.",
                    f"“{names[k]}”要靠 F 取绝对值才能胜出，直接做点积，"
                    f"分数只有 {signed(values[k])}。",
                )
            )
        return say(
            f"“{names[k]}” scores {signed(values[k])}, and “{names[right]}” scores more.",
            f"“{names[k]}”的分数是 {signed(values[k])}，不是最高的。",
        )

    options = {names[k]: reply(k) for k in range(3)}
    options[names[right]] = (
        say(
            "F takes absolute values before the dot product, which gives the scores "
            f"{', '.join(map(str, values))}.",
            f"F 先取绝对值，再做点积，分数依次是 {'、'.join(map(str, values))}。",
        )
        if by_kind
        else say(
            f"The plain dot products are {', '.join(map(signed, values))}.",
            f"直接做点积，分数依次是 {'、'.join(map(signed, values))}。",
        )
    )
    return Item(
        say(
            f"“{words[0]}” has the numbers 1 (thing) and 2 (event). "
            + (
                "The score is a dot product, but first F takes absolute values."
                if by_kind
                else "The score is the plain dot product, without F."
            ),
            f"“{words[0]}”的两个数是 1（事物）和 2（动作）。"
            + ("先用 F 对每个数取绝对值，再做点积。" if by_kind else "不用 F，直接做点积。"),
        ),
        ask.choice(
            say(f"Which word does “{words[0]}” look at most?", f"“{words[0]}”最关注哪个词？"),
            right,
            options,
        ),
        Table(
            [say("thing", "事物"), say("event", "动作")],
            {name: [signed(x) for x in vectors[k].tolist()] for k, name in enumerate(names)},
        ),
    )


@family("which-sum", figure="by-hand")
def which_sum(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight of one of the two directions."""
    say = say_in(lang)
    premise, hypothesis = (one.split() for one in draw.one(_PAIRS[lang]))
    table = torch.tensor([draw.numbers(3, 1, 6, 1) for _ in premise])
    row, column = draw.whole(0, 1), draw.whole(0, 2)
    forth = draw.in_turn([True, False, False, True, False])  # a word of the premise asks
    by_row, by_column = (table / table.sum(dim=d, keepdim=True) for d in (1, 0))
    right, other = (by_row, by_column) if forth else (by_column, by_row)
    asks, read = premise[row], hypothesis[column]
    asks, read = (asks, read) if forth else (read, asks)
    mistakes = {
        say(
            f"You have divided by the sum of the column, as if “{read}” were asking.",
            f"你除以了这一列的和，那是“{read}”作查询时的算法。",
        )
        if forth
        else say(
            f"You have divided by the sum of the row, as if “{read}” were asking.",
            f"你除以了这一行的和，那是“{read}”作查询时的算法。",
        ): other[row, column],
        say(
            "You have divided by the sum of the whole table, but the weights of each word that "
            "asks sum to 1.",
            "你除以了整张表的和，但每个作查询的词各有一组权重，每组的和都是 1。",
        ): table[row, column] / table.sum(),
    }
    entry, sums = table[row, column], table.sum(dim=1)[row] if forth else table.sum(dim=0)[column]
    return Item(
        say(
            "The table gives exp(score) for the words of a premise (rows) and of a hypothesis "
            "(columns).",
            "下表列出每一对词的 exp(分数)，各行是前提的词，各列是假设的词。",
        ),
        ask.number(
            say(
                f"“{asks}” asks the other sentence. Its weight on “{read}”",
                f"用“{asks}”作查询，给另一句的“{read}”的权重",
            ),
            right[row, column],
            unlike(right[row, column], mistakes, 0.01),
            within=0.01,
            said=say(
                f"“{asks}” has its own {'row' if forth else 'column'}, and the weights of that "
                f"{'row' if forth else 'column'} sum to 1: {entry:g} / {sums:g}.",
                f"“{asks}”对应一{'行' if forth else '列'}，这一{'行' if forth else '列'}的权重之和"
                f"是 1，所以是 {entry:g} ÷ {sums:g}。",
            ),
        ),
        Table(
            hypothesis,
            {word: [f"{x:g}" for x in table[i].tolist()] for i, word in enumerate(premise)},
        ),
        answer=f"{entry:g}/{sums:g}",
    )


@family("bag-of-words", figure="orders")
def bag_of_words(draw: Draw, lang: Lang) -> Item:
    """Ask which other hypothesis the model cannot tell from the one given."""
    say = say_in(lang)
    words = draw.in_turn(_DEEDS[lang]).split("|")
    who, does, alike, whom, third = words
    verb = draw.in_turn([does, does, alike, does, alike])  # in the sentence whose order changes
    given = (who, does, whom)
    replies = {
        (whom, verb, who): say(
            f"The verb of this sentence is “{alike}”, whose vector is not that of “{does}”.",
            f"动词换成了“{alike}”，与“{does}”的向量不同。",
        ),
        (who, alike, whom): say(
            f"A similar meaning is not enough: the vectors of “{alike}” and “{does}” differ.",
            f"意思相近还不够，“{alike}”与“{does}”的向量不同。",
        ),
        (who, does, third): say(
            f"The order of the words is kept, but “{third}” is a new word.",
            f"词序没有变，但“{third}”是另一个词。",
        ),
    }
    others, text = draw.shuffled([*replies]), say(" ", "").join(given)
    same = [_logits(words, one).allclose(_logits(words, given)) for one in others]
    right = same.index(True) if any(same) else 3
    says = [replies[one] for one in others] + [
        say(
            f"One of the sentences has exactly the same words as “{text}”.",
            f"有一句与“{text}”用词相同，只是换了次序。",
        )
    ]
    says[right] = (
        say(
            "The comparisons of the single words are added up, and a sum does not depend on the "
            "order.",
            "模型最后把各个词的比较结果相加，求和与词的先后无关。",
        )
        if any(same)
        else say(
            "Only a change of order is sure to make no difference, and each of the sentences "
            f"has a word that is not in “{text}”.",
            f"只换词序，结果一定不变，但这三句里都有“{text}”没有的词。",
        )
    )
    options = [say(" ", "").join(one) for one in others]
    return Item(
        say(
            f"Decomposable attention compares a premise with the hypothesis “{text}”.",
            f"可分解注意力模型拿一个前提与假设“{text}”比较。",
        ),
        ask.choice(
            say(
                "Which other hypothesis is sure to get the same answer, whatever the parameters?",
                "不论参数是多少，换成哪个假设，结果都一定不变？",
            ),
            right,
            dict(zip([*options, say("none of these", "没有这样的假设")], says, strict=True)),
        ),
    )


def _logits(words: list[str], hypothesis: tuple[str, ...]) -> torch.Tensor:
    """Return what a model with random parameters says of all words and a hypothesis of some."""
    torch.manual_seed(0)
    model = DecomposableAttention(len(words), embedding_size=4, num_hiddens=6).double()
    premise, tokens = (torch.tensor([[*map(words.index, x)]]) for x in (words, hypothesis))
    logits: torch.Tensor = model(premise, tokens)
    return logits.detach()


GIVEN = {
    "looks": Text(
        "*A dog is running in the park at noon.* — *An animal is outdoors at night.*",
        "前一句是“一只狗中午在公园里奔跑。”后一句是“一只动物晚上在户外。”",
    ),
    "swapped": Text(
        "The premise is *A dog is running in the park.* and the hypothesis *An animal is "
        "outdoors.* The model says entailment.",
        "前提是“一只狗在公园里奔跑。”假设是“一只动物在户外。”模型的回答是蕴涵。",
    ),
    "alignment": Text(
        "The premise is *A dog is running in the park at noon.*",
        "前提是“一只狗中午在公园里奔跑。”",
    ),
}
