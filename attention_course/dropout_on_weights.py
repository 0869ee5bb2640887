"""Record the data, texts and questions of chapter 7's figures."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)

Inputs = dict[str, Tensor]

# One query on four keys: its weights, as scores, and draws of which the second is below 1/2.
ALPHA = torch.tensor([0.4, 0.3, 0.2, 0.1])
HAND = torch.tensor([0.77, 0.03, 0.71, 0.53])
ROW: Inputs = {"scores": ALPHA.log()[None, None], "draws": HAND[None, None]}
# A hundred draws for it, that one first.
_MORE = torch.rand(99, 1, 4, generator=torch.Generator().manual_seed(2))
MANY: Inputs = {**ROW, "draws": torch.cat([ROW["draws"], _MORE])}
# Negative scores, of which the draws hit the lowest.
BREAKFAST: Inputs = {
    "scores": torch.tensor([[[-1.0, -2.0, -3.0]]]),
    "draws": torch.tensor([[[0.9, 0.7, 0.1]]]),
}


def words(lang: Lang) -> SimpleNamespace:
    """Return texts and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").rows
    ['均匀', '倾斜', '尖锐']
    """
    return in_language(lang, RECORDS)


def _weight_of_the_hit(figure: Any) -> str:
    """Compare the last key's weight when its score is dropped with its weight before."""
    before, after = (
        float(x[0, 0, -1]) for x in (figure.attention_weights, figure.stages()["scores_dropped"])
    )
    if after > 0.5:
        return "more than half"
    return "unchanged" if after == before else "zero"


def _draws_for_half(figure: Any) -> str:
    """Return the number of draws if their standard error is half of that of 25 draws."""
    error = figure.stages()["standard_error"].item()
    with figure._in_state({"draw": 25}):
        halved = abs(figure.stages()["standard_error"].item() / 2 - error) < 1e-6
    return str(figure.draw) if halved else "none"


def _share_of_steps(figure: Any) -> float:
    """Return how often the last row sums to less than 0.1, in percent."""
    keep = torch.cartesian_prod(*[torch.tensor([False, True])] * 4)
    chances = torch.where(keep, 1 - figure.p, figure.p).prod(dim=1)
    sums = (keep * figure.attention_weights[0, -1] / (1 - figure.p)).sum(dim=1)
    return 100 * float(chances[sums < 0.1].sum())


def _times_as_wide(figure: Any) -> str:
    """Compare the output's standard deviation with that of the values less 100."""
    values = figure.stages()["values"]
    squares = figure.attention_weights**2
    near = (figure.p / (1 - figure.p) * squares @ (values - 100) ** 2).sqrt().item()
    times = figure.stages()["output_std"].item() / near
    if times > 9:
        return "ten times"
    return "up to half more" if times > 1.01 else "unchanged"


def _who_is_trusted(figure: Any) -> str:
    """Return which keys have about equal weights in row 1: the good ones, all, or none."""
    good, bad = figure.attention_weights[0, 1, :3], figure.attention_weights[0, 1, 3]
    if good.max() - good.min() > 0.1:
        return "one key"
    return "all keys" if abs(good[0] - bad) < 0.1 else "the good keys"


def _stays(figure: Any) -> str:
    """Return which weights are the same as at the first draw."""
    stages, draw = figure.stages(), figure.draw
    figure.draw = 1
    before = figure.stages()
    figure.draw = draw
    stored, used = (torch.equal(stages[x], before[x]) for x in ("attention_weights", "dropped"))
    if stored and used:
        return "both"
    return "used" if used else "stored"


def _in_use(figure: Any) -> str:
    """Compare the first weight that is used with the stored one."""
    now, stored = figure.dropped[0, 0, 0], figure.attention_weights[0, 0, 0]
    if now == stored:
        return "as stored"
    return "halved" if 0 < now < stored else "dropped or doubled"


_WORDS = Translated(["Mia", "found", "her", "key"], ["妈妈", "说", "她", "会来"])


def _names(words: list[str]) -> dict[str, list[str]]:
    """Name one query, the third word, and four keys."""
    return {"query_names": words[2:3], "key_names": words}


RECORDS: dict[str, Record] = {
    "row": Translated(_names(_WORDS.en), _names(_WORDS.zh)),
    "breakfast": Translated(
        {"query_names": ["breakfast"], "key_names": ["bread", "soup", "steak"]},
        {"query_names": ["早饭"], "key_names": ["豆浆", "包子", "火锅"]},
    ),
    "witnesses": Translated(["Ann", "Ben", "Cleo", "Dora"], ["小安", "小北", "小川", "小丁"]),
    "rows": Translated(["uniform", "sloping", "sharp"], ["均匀", "倾斜", "尖锐"]),
    "sentence": NumberRecord(
        text=Text(
            "*her* looks at *Mia* with weight 0.4. In this step *found* is dropped "
            "and *Mia* is kept. What does *Mia* weigh now?",
            "“*她*”给“*妈妈*”的权重是 0.4。这一步里丢弃了“*说*”，保留了“*妈妈*”。"
            "“*妈妈*”现在的权重是多少？",
        ),
        answer=lambda figure: figure.dropped[0, 0, 0],
        because=Text(
            "What is kept is divided by 1 − p: 0.4/0.5. Now draw anew, and move `p`.",
            "保留下来的要除以 1 − p，也就是 0.4/0.5。接着请重新抽取几次，再动一动 `p`。",
        ),
        wrong=[
            (
                lambda figure: figure.attention_weights[0, 0, 0],
                Text(
                    "What is kept does not stay as it is: it makes up for what is lost elsewhere.",
                    "保留下来的并不是原样不动，还要补上别处丢掉的。",
                ),
            ),
            (
                lambda figure: figure.attention_weights[0, 0, 0] * (1 - figure.p),
                Text(
                    "It is divided by 1 − p, not multiplied by it.", "是除以 1 − p，而不是乘以它。"
                ),
            ),
            (
                lambda figure: figure.dropped[0, 0, 0] / figure.dropped[0, 0].sum(),
                Text(
                    "That would share out what *found* had, so that the sum is 1. Dropout treats "
                    "each weight on its own.",
                    "这样是把“*说*”的份额分给其余的词，使总和为 1；而 dropout 对每个权重分别处理。",
                ),
            ),
        ],
        tolerance=0.02,
        decimals=2,
        slider=(0, 1, 0.01),
    ),
    "sums": NumberRecord(
        text=Text(
            "Set `p` to 0.1: of the twelve draws only one is below that, and *sloping* "
            "loses *found*. What do the two rows that lose nothing sum to?",
            "把 `p` 设为 0.1，十二个随机数里就只有一个比它小，“*倾斜*”因此丢了“*说*”。"
            "另外两行什么也没丢，行和是多少？",
        ),
        answer=lambda figure: figure.stages()["row_sums"][0, 0],
        because=Text(
            "Nothing is dropped there, and everything is divided by 1 − p: 1/0.9. "
            "*sloping* comes to 0.7/0.9.",
            "那里一个也没丢，却都除以了 1 − p，所以是 1/0.9；“*倾斜*”是 0.7/0.9。",
        ),
        wrong=[
            (
                1,
                Text(
                    "That is the mean over many draws. A row that loses nothing must lie above it.",
                    "多次抽取平均下来才是 1，一个也没丢的行自然要比 1 大。",
                ),
            ),
            (
                lambda figure: 1 - figure.p,
                Text(
                    "What is kept is divided by 1 − p, not multiplied by it.",
                    "保留下来的权重要除以 1 − p，而不是乘以它。",
                ),
            ),
        ],
        tolerance=0.02,
        decimals=2,
        slider=(0.5, 1.5, 0.01),
        at={"p": 0.1},
    ),
    "scores": ChoiceRecord(
        text=Text(
            "*breakfast* gives *steak* the lowest score, −3, and the weight 0.09. Now "
            "dropout works on the *scores*, before the softmax, and hits *steak*. What does it "
            "weigh?",
            "“*早饭*”给“*火锅*”的分数最低，是 −3，权重只有 0.09。"
            "现在把 dropout 用在 softmax 之前的*分数*上，恰好丢掉了“*火锅*”的分数。"
            "“*火锅*”的权重变成多少？",
        ),
        options={
            "zero": Text("0", "0"),
            "unchanged": Text("0.09, as before", "0.09（不变）"),
            "more than half": Text("more than half", "超过一半"),
        },
        answer=_weight_of_the_hit,
        because=Text(
            "A score of 0 is not a weight of 0: here 0 is the highest score of all.",
            "分数为 0，权重并不是 0；在这里，0 反而是最高的分数。",
        ),
        wrong={
            "zero": Text(
                "Its score is 0. Its weight would be 0 with the score −∞.",
                "变成 0 的是分数。要让权重为 0，分数得是 −∞。",
            ),
            "unchanged": Text("Its score was −3 and is 0.", "它的分数已经从 −3 变成了 0。"),
        },
    ),
    "mean": ChoiceRecord(
        text=Text(
            "After 25 draws at p = ½ the mean for *Mia* is typically off by 0.08, its "
            "standard error. How many draws bring that down to 0.04?",
            "p = ½ 时抽 25 次，“*妈妈*”的平均权重大约会差 0.08，这就是它的标准误。"
            "要把标准误降到 0.04，一共得抽多少次？",
        ),
        options={
            "35": Text("35", "35"),
            "50": Text("50", "50"),
            "100": Text("100", "100"),
            "none": Text("no number does it", "多少次都不行"),
        },
        answer=_draws_for_half,
        because=Text(
            "The error shrinks like 1/√n: half of it takes four times the draws.",
            "标准误按 1/√n 变小，所以要减半，次数就得变成四倍。",
        ),
        wrong={
            "35": Text(
                "1.4 times the draws divide the error by √1.4 only, to 0.07.",
                "次数变成 1.4 倍，标准误只是除以 √1.4，约为 0.07。",
            ),
            "50": Text(
                "That would be like 1/n. Part of the errors cancel, but not so fast.",
                "那是按 1/n 变小的情形。误差会互相抵消一部分，但抵消得没有这么快。",
            ),
            "none": Text(
                "Each draw gives 0 or 0.8, but their mean comes close to 0.4.",
                "单独一次确实不是 0 就是 0.8，但平均下来会越来越接近 0.4。",
            ),
        },
        at={"draw": 100},
    ),
    "chances": NumberRecord(
        text=Text(
            "*sharp* has 0.97 on one key and 0.01 on three. At p = ½, in what share of the "
            "steps does the row sum to less than 0.1?",
            "“*尖锐*”这一行的权重，一个键是 0.97，另外三个键都是 0.01。p = ½ 时，"
            "这一行的总和不到 0.1 的步占百分之几？",
        ),
        answer=_share_of_steps,
        because=Text(
            "It is so whenever the one key is lost. The sum is near 0 or near 2, and on average 1.",
            "只要丢掉那一个键就是如此。行和不是接近 0，就是接近 2，平均起来才是 1。",
        ),
        wrong=[
            (
                0,
                Text(
                    "The mean is 1, but no single step comes near it.",
                    "平均确实是 1，但没有哪一步的总和在 1 附近。",
                ),
            ),
            (
                lambda figure: 100 * figure.p**4,
                Text(
                    "So often all four keys are lost. The one that matters is enough.",
                    "这是四个键全丢的概率。其实只要丢掉要紧的那一个就够了。",
                ),
            ),
        ],
        tolerance=3,
        unit="%",
        slider=(0, 100, 1),
    ),
    "far": ChoiceRecord(
        text=Text(
            "The output is 10, give or take 5.8. Add 100 to every value: no two of them "
            "are farther apart than before. Give or take what now?",
            "输出是 10，上下摆动 5.8。现在给每个值都加上 100，值与值之间的差并没有变。"
            "这时输出上下摆动多少？",
        ),
        options={
            "unchanged": Text("5.8, as before", "5.8（不变）"),
            "up to half more": Text("about 8", "约 8"),
            "ten times": Text("about 59", "约 59"),
        },
        answer=_times_as_wide,
        because=Text(
            "A lost weight takes its whole value along, and that is now 110 or so. What "
            "counts is how far values are from 0.",
            "权重一丢，整个值也跟着丢了，而现在的值都在 110 上下。要紧的是值离 0 有多远。",
        ),
        wrong={
            "unchanged": Text(
                "The sum of the weights is no longer 1, so a shift is not only passed on.",
                "权重之和已经不总是 1，所以加上的 100 不会原样传下去。",
            ),
            "up to half more": Text(
                "α² v² is added up over the keys. That was 34 and is 3434.",
                "要把各个键的 α² v² 加起来，原来是 34，现在是 3434。",
            ),
        },
        at={"values": [[[100.0], [110.0], [120.0], [130.0]]]},
    ),
    "trained": ChoiceRecord(
        text=Text(
            "Ann, Ben and Cleo are always right, Dora never. At first the query trusts "
            "Ann. After 500 steps with p = 0.1, whom does it trust?",
            "小安、小北、小川从来都对，小丁从来都错，而查询起初偏信小安。"
            "取 p = 0.1 训练 500 步之后，它相信谁？",
        ),
        options={
            "one key": Text("Ann, more than ever", "更加偏信小安"),
            "the good keys": Text("Ann, Ben and Cleo alike", "同样相信小安、小北、小川"),
            "all keys": Text("all four alike", "同样相信四个人"),
        },
        answer=_who_is_trusted,
        because=Text(
            "If one of three is lost, two still answer. Without dropout, row 0, nothing "
            "speaks against Ann alone.",
            "三个人里丢了一个，还有两个能回答。行 0 没有 dropout，所以只信小安一个也没有什么坏处。",
        ),
        wrong={
            "one key": Text(
                "That is row 0, without dropout. Here Ann is missing in one step of ten.",
                "那是没有 dropout 的行 0。在这里，每十步就有一步听不到小安。",
            ),
            "all keys": Text(
                "Dora would make it wrong in every step.", "要是也信小丁，每一步都会错。"
            ),
        },
        at={"step": 50},
    ),
    "modes": ChoiceRecord(
        text=Text(
            "The trained model is put to use, in evaluation mode. What does *Mia* weigh?",
            "模型训练好了，现在切换到评估模式来用。“*妈妈*”的权重是多少？",
        ),
        options={
            "dropped or doubled": Text("0 or 0.8, as the draw has it", "0 或 0.8（随抽取而定）"),
            "as stored": Text("0.4", "0.4"),
            "halved": Text("0.2", "0.2"),
        },
        answer=_in_use,
        because=Text(
            "Nothing is dropped and nothing divided, whatever `p` and the draws are.",
            "这时什么也不丢，什么也不除，`p` 和随机数是多少都一样。",
        ),
        wrong={
            "dropped or doubled": Text(
                "That is what happens in training mode.", "在训练模式下才是这样。"
            ),
            "halved": Text(
                "The first papers multiplied by 1 − p in use, because they did not divide in "
                "training. One of the two is enough.",
                "最早的论文在训练时不除，所以使用时才要乘 1 − p。两样只做一样就够了。",
            ),
        },
        at={"training": False},
    ),
    "stored": ChoiceRecord(
        text=Text(
            "Draw 1 is one step of training, draw 2 the next. Between them the model has "
            "learnt nothing new. Which picture of the weights stays the same?",
            "抽取 1 是训练的一步，抽取 2 是下一步，其间模型并没有学到新的东西。"
            "把权重画成图，哪一种前后不变？",
        ),
        options={
            "stored": Text(
                "before dropout, as attention_lib stores them",
                "dropout 之前的，即 attention_lib 存下的",
            ),
            "used": Text(
                "after dropout, as nn.MultiheadAttention returns them",
                "dropout 之后的，即 nn.MultiheadAttention 返回的",
            ),
            "both": Text("both", "两种都不变"),
        },
        answer=_stays,
        because=Text(
            "What is used follows the draws, in every row. What is stored does not.",
            "用上的权重每一行都随着抽取而变，存下的则不变。",
        ),
        wrong={
            "used": Text("Other connections are lost at every step.", "每一步丢掉的连接都不一样。"),
            "both": Text(
                "One of the two is multiplied by m, and m is drawn anew.",
                "其中一种要乘 m，而 m 每一步都重新抽取。",
            ),
        },
        at={"draw": 2},
    ),
}
