"""Record the data, texts and questions of chapter 7's figures."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
    named_options,
)

Inputs = dict[str, Tensor]

# One query on four keys: its weights, as scores, and draws of which the first is below 1/2.
ALPHA = torch.tensor([0.4, 0.3, 0.2, 0.1])
HAND = torch.tensor([0.03, 0.77, 0.71, 0.53])
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
    ['均匀', '倾斜', '集中']
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


def _others(figure: Any) -> str:
    """Compare the weights beside the dropped first one with what they were."""
    now, before = figure.dropped[0, 0, 1:], figure.attention_weights[0, 0, 1:]
    if torch.equal(now, before):
        return "unchanged"
    return "shared" if torch.allclose(now.sum(), before.new_ones(())) else "doubled"


def _kept_weight(figure: Any) -> str:
    """Compare a kept weight with what it is at the figure's own p."""
    now = float(figure.dropped[0, 0, 1])
    with figure._in_state({"p": 0.5}):
        before = float(figure.dropped[0, 0, 1])
    return "grows" if now > before else "shrinks" if now < before else "stays"


def _mean_comes_to(figure: Any) -> str:
    """Name the weight to which the mean of the first one is nearest."""
    weight = float(figure.attention_weights[0, 0, 0])
    near = {"halved": weight * (1 - figure.p), "stored": weight, "kept": weight / (1 - figure.p)}
    return min(near, key=lambda name: abs(near[name] - float(figure.mean[0, 0, 0])))


def _first_word(figure: Any) -> str:
    """Return the English word with the largest weight after dropout, in row 1."""
    return _SENTENCE.en[int(figure.dropped[0, 1].argmax())]


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


_MIA = Translated(thread.words(lang="en"), thread.words(lang="zh"))
_SENTENCE: Translated[list[str]] = Translated(_MIA.en.sentence, _MIA.zh.sentence)
_SHARED = ALPHA[1:] / ALPHA[1:].sum()
_ALL_FOUR = 0.5**4
# The sum of α²v² for the values 0 to 30, and with 100 added to each.
_SQUARES = [round(float(ALPHA**2 @ (10.0 * torch.arange(4) + more) ** 2)) for more in (0, 100)]


def _names(mia: SimpleNamespace) -> dict[str, list[str]]:
    """Name one query, the word that refers back, and four keys."""
    return {"query_names": [mia.sentence[mia.pronoun]], "key_names": mia.sentence}


RECORDS: dict[str, Record] = {
    "row": Translated(_names(_MIA.en), _names(_MIA.zh)),
    "breakfast": Translated(
        {"query_names": ["breakfast"], "key_names": ["bread", "soup", "steak"]},
        {"query_names": ["早饭"], "key_names": ["豆浆", "包子", "火锅"]},
    ),
    "witnesses": Translated(["Ann", "Ben", "Cleo", "Dora"], ["小安", "小北", "小川", "小丁"]),
    "rows": Translated(["uniform", "sloping", "sharp"], ["均匀", "倾斜", "集中"]),
    "sentence": ChoiceRecord(
        text=Text(
            "*her* gives the four words the weights 0.4, 0.3, 0.2 and 0.1. Each of them is "
            "dropped with probability p = ½. In this training step, only the weight on *Mia* is "
            "dropped. What happens to the weights on the other three words?",
            "“*她*”分给四个词的权重依次是 0.4、0.3、0.2、0.1，每个权重被丢弃的概率都是 p = ½。"
            "训练的这一步只丢弃了“*小雨*”的权重，其余三个词的权重会怎样变化？",
        ),
        options={
            "unchanged": Text("they stay as they are", "保持不变"),
            "shared": Text("they grow until the row sums to 1", "变大，总和等于 1"),
            "doubled": Text("each of them doubles", "各自加倍"),
        },
        answer=_others,
        because=Text(
            "Every weight that is kept is divided by 1 − p = ½, which doubles the weight. In this "
            "step *her* receives nothing from *Mia* and twice as much from every other word, 1.2 "
            "in all. Now draw a few times, and move `p`.",
            "保留的权重都要除以 1 − p = ½，也就是加倍。这样一来，“*小雨*”的权重是 0，其余三个权重"
            "之和是 1.2。你可以重新抽取几次，再调一调 `p`。",
        ),
        wrong={
            "unchanged": Text(
                "The weights stay as they are in evaluation mode, but this is a step of training.",
                "你想的是评估模式下的情况，别忘了现在正在训练。",
            ),
            "shared": Text(
                f"Weights of {', '.join(f'{x:.2f}' for x in _SHARED)}, which sum to 1, are what a "
                "mask before the softmax would leave.",
                "你把 dropout 当成了掩蔽。掩蔽“*小雨*”，其余的权重才会变成 "
                f"{'、'.join(f'{x:.2f}' for x in _SHARED)}，总和等于 1。",
            ),
        },
    ),
    "rising": ChoiceRecord(
        text=Text(
            "As `p` rises, what happens to a weight that is still kept?",
            "把 `p` 调大，仍然保留的权重会怎样变化？",
        ),
        options={
            "grows": Text("the weight grows", "变大"),
            "shrinks": Text("the weight shrinks", "变小"),
            "stays": Text("the weight stays the same", "不变"),
        },
        answer=_kept_weight,
        because=Text(
            "A kept weight is divided by 1 − p, and a larger `p` makes 1 − p smaller. The more "
            "weights are dropped, the more each kept weight has to make up for.",
            "保留的权重要除以 1 − p。`p` 越大，1 − p 越小，结果就越大。丢弃得越多，保留的权重就要"
            "放大得越多。",
        ),
        wrong={
            "shrinks": Text(
                "The weight would shrink if kept weights were multiplied by 1 − p.",
                "你把除以 1 − p 当成了乘以 1 − p。",
            ),
            "stays": Text(
                "The weight would stay the same in evaluation mode, whatever `p` is.",
                "评估模式下，权重才与 `p` 无关，这里是训练模式。",
            ),
        },
        at={"p": 0.7},
    ),
    "sums": NumberRecord(
        text=Text(
            "Set `p` to 0.1. Only one of the twelve draws is below 0.1, so only the weight that "
            "*sloping* gives to *lost* is dropped. What do the other two rows sum to?",
            "把 `p` 设为 0.1。十二个随机数里只有一个小于 0.1，"
            "所以只丢弃“*倾斜*”这一行里“*丢了*”的权重。另外两行的权重之和是多少？",
        ),
        answer=lambda figure: figure.stages()["row_sums"][0, 0],
        because=Text(
            "The rows *uniform* and *sharp* lose no weight, but all their weights are divided by "
            "1 − p = 0.9. The sum of each row becomes 1/0.9, about 1.11.",
            "“*均匀*”和“*集中*”这两行一个权重也没丢，不过所有权重都要除以 1 − p = 0.9，所以总和是 "
            "1/0.9，约为 1.11。",
        ),
        wrong=[
            (
                1,
                Text(
                    "A sum of 1 is what many draws give on average, but in a draw that drops "
                    "nothing a row sums to more than this average.",
                    "抽取很多次，总和的平均值才是 1。这次一个权重也没丢，所以总和比平均值大。",
                ),
            ),
            (
                lambda figure: 1 - figure.p,
                Text(
                    "A sum of 0.9 is what multiplying by 1 − p would give.",
                    "你多半是乘以了 1 − p，应该除以 1 − p。",
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
            "*breakfast* gives *steak* the lowest score, −3, and the weight 0.09. Now dropout is "
            "applied to the *scores*, before the softmax, and hits *steak*. What is the weight of "
            "*steak*?",
            "“*早饭*”给“*火锅*”打的分数最低，只有 −3，权重是 0.09。现在对 softmax 之前的分数做 "
            "dropout，正好丢弃了“*火锅*”的分数。“*火锅*”的权重会变成多少？",
        ),
        options={
            "zero": Text("0", "0"),
            "unchanged": Text("0.09, as before", "0.09（不变）"),
            "more than half": Text("more than half", "超过一半"),
        },
        answer=_weight_of_the_hit,
        because=Text(
            "Dropout sets the score of *steak* to 0, and the other two scores become −2 and −4. "
            "Softmax gives the largest weight to the highest score, 0.",
            "“*火锅*”的分数变成 0，另外两个分数变成 −2 和 −4，0 反倒成了最高分，所以经过 softmax，"
            "“*火锅*”的权重最大。",
        ),
        wrong={
            "zero": Text(
                "A weight of 0 comes from the score −∞, which a mask sets, but dropout sets 0.",
                "你把 dropout 当成了掩码。掩码把分数变成 −∞，权重才是 0；dropout 把分数变成 0。",
            ),
            "unchanged": Text(
                "The weight stays 0.09 only if none of the three scores changes, but dropout "
                "changes them.",
                "三个分数都被 dropout 改变了，权重也会跟着变。",
            ),
        },
    ),
    "mean": ChoiceRecord(
        text=Text(
            "At p = ½ a draw gives *Mia* the weight 0 or the weight 0.8. What does the mean over "
            "many draws come close to?",
            "取 p = ½，每次抽取之后，“*小雨*”的权重不是 0 就是 0.8。如果抽取很多次，"
            "平均值会接近多少？",
        ),
        options={
            "halved": Text("0.2", "0.2"),
            "stored": Text("0.4", "0.4"),
            "kept": Text("0.8", "0.8"),
        },
        answer=_mean_comes_to,
        because=Text(
            "About half of the draws give 0 and the other half 0.8. The mean of many draws "
            "therefore comes close to 0.4, the weight without dropout.",
            "抽很多次的话，大约一半的次数得到 0，另一半得到 0.8，所以平均值接近 0.4，正好是没有 "
            "dropout 时的权重。",
        ),
        wrong={
            "halved": Text(
                "A mean of 0.2 is what you get without the division by 1 − p: half of the draws "
                "give 0, and half 0.4.",
                "你忘了除以 1 − p，把保留下来的权重当成了 0.4，所以平均值算成了 0.2。",
            ),
            "kept": Text(
                "A mean of 0.8 is what you would get from only the draws that keep *Mia*.",
                "你只算了保留“*小雨*”的那些次，丢弃的那些次也要算进平均值。",
            ),
        },
        at={"draw": 100},
    ),
    "chances": NumberRecord(
        text=Text(
            "The row *sharp* has 0.97 on one key and 0.01 on each of the other three. At p = ½, "
            "in what share of the steps does the row sum to less than 0.1?",
            "“*集中*”这一行里，一个键的权重是 0.97，另外三个都是 0.01。取 p = ½，在百分之几的训练"
            "步里，这一行的总和会小于 0.1？",
        ),
        answer=_share_of_steps,
        because=Text(
            "The row sums to less than 0.1 whenever its large weight, 0.97, is dropped. This "
            "happens with probability p, in half of the steps.",
            "只要丢弃了最大的权重 0.97，总和就不到 0.1。丢弃它的概率是 p，"
            "所以训练中有一半的步是这样。",
        ),
        wrong=[
            (
                0,
                Text(
                    "A share of 0% fits sums that stay near their mean, 1, but here a sum is near "
                    "0 or near 2.",
                    "总和的平均值是 1，可是每一步的总和不是接近 0，就是接近 2。",
                ),
            ),
            (
                lambda figure: 100 * figure.p**4,
                Text(
                    f"A share of {_ALL_FOUR:.0%} is how often all four weights are dropped, but "
                    "dropping the large one is enough.",
                    f"四个权重全部丢弃的概率才是 {_ALL_FOUR:.0%}，其实只要丢弃最大的一个就够了。",
                ),
            ),
        ],
        tolerance=3,
        unit="%",
        slider=(0, 100, 1),
    ),
    "far": ChoiceRecord(
        text=Text(
            "Without dropout the output is 10. With dropout the output varies about 10 with a "
            "standard deviation of 5.8. Now add 100 to every value. How large is the standard "
            "deviation?",
            "没有 dropout 时，输出是 10。做了 dropout，输出在 10 上下波动，标准差是 5.8。"
            "如果给每个值都加上 100，标准差会变成多少？",
        ),
        options={
            "unchanged": Text("5.8, as before", "5.8（不变）"),
            "up to half more": Text("about 8", "约 8"),
            "ten times": Text("about 59", "约 59"),
        },
        answer=_times_as_wide,
        because=Text(
            "A dropped weight takes its whole value with it, and the values are now 100 to 130 "
            "instead of 0 to 30. The farther the values are from 0, the more the output varies.",
            "丢弃一个权重，对应的值也就整个丢掉了。原来的值在 0 到 30 之间，现在是 100 到 130，离 "
            "0 远得多，所以输出的波动也大得多。",
        ),
        wrong={
            "unchanged": Text(
                "The standard deviation does not stay the same, because the sum of the row "
                "varies and multiplies the 100.",
                "每行之和也在波动，值越大，这种波动对输出的影响就越大。",
            ),
            "up to half more": Text(
                "A standard deviation of about 8 is what doubling the sum of α² v² would give, but "
                f"the sum grows from {_SQUARES[0]} to {_SQUARES[1]}.",
                f"约 8 是按 α² v² 之和翻一倍算的，其实这个和从 {_SQUARES[0]} 增加到了 "
                f"{_SQUARES[1]}。",
            ),
        },
        at={"values": [[[100.0], [110.0], [120.0], [130.0]]]},
    ),
    "trained": ChoiceRecord(
        text=Text(
            "Ann, Ben and Cleo are always right, and Dora is always wrong. At first the query "
            "trusts Ann most. Whom does the query trust after 500 steps with p = 0.1?",
            "小安、小北、小川说的总是对的，小丁说的总是错的。一开始查询最信任小安，取 p = 0.1 "
            "训练 500 步以后，查询会信任谁？",
        ),
        options={
            "one key": Text("Ann, more than ever", "小安，而且比原来更相信"),
            "the good keys": Text("Ann, Ben and Cleo alike", "小安、小北、小川，三人一样"),
            "all keys": Text("all four alike", "四个人，都一样"),
        },
        answer=_who_is_trusted,
        because=Text(
            "If dropout hits one of the three good witnesses, the other two still answer. Equal "
            "trust in Ann, Ben and Cleo keeps the penalty small, and Dora is not needed.",
            "小安、小北、小川都可靠，就算丢弃一位，还有两位能回答。三位平分权重，惩罚已经很小，"
            "用不着再听小丁的。",
        ),
        wrong={
            "one key": Text(
                "More trust in Ann is the result of training without dropout, in the row p = 0. "
                "But at p = 0.1 Ann is missing in one step out of ten.",
                "训练时不用 dropout，查询才会越来越相信小安（见 p = 0 那一行）。取 p = 0.1，平均"
                "每十步就有一步听不到小安的话。",
            ),
            "all keys": Text(
                "Equal trust in all four makes the penalty smallest, but Dora spoils every answer.",
                "对四个人一视同仁，惩罚固然最小，可是听信小丁，回答就会有偏差。",
            ),
        },
        at={"step": 50},
    ),
    "modes": ChoiceRecord(
        text=Text(
            "The trained model is put to use, in evaluation mode. What is the weight of *Mia*?",
            "模型训练好以后切换到评估模式，这时“*小雨*”的权重是多少？",
        ),
        options={
            "dropped or doubled": Text("0 or 0.8, by chance", "0 或 0.8（随机）"),
            "as stored": Text("0.4", "0.4"),
            "halved": Text("0.2", "0.2"),
        },
        answer=_in_use,
        because=Text(
            "In evaluation mode nothing is dropped and nothing is divided, whatever `p` and the "
            "draws are. *Mia* keeps the weight 0.4.",
            "评估模式下不丢弃权重，也不除以 1 − p，所以“*小雨*”的权重就是 0.4。",
        ),
        wrong={
            "dropped or doubled": Text(
                "A weight of 0 or 0.8 is what training mode would give.",
                "0 或 0.8 是训练模式下的结果，现在是评估模式。",
            ),
            "halved": Text(
                "A weight of 0.2 belongs to the first papers, which did not divide in training "
                "but multiplied by 1 − p afterwards.",
                "训练时已经除以 1 − p，使用时就不用再乘以 1 − p 了。",
            ),
        },
        at={"training": False},
    ),
    "stored": ChoiceRecord(
        text=Text(
            "Draw 1 is one step of training and draw 2 the next, and the model has learnt nothing "
            "in between. Which picture of the weights stays the same?",
            "第 1 次和第 2 次抽取对应训练中相邻的两步，这期间模型没有变。如果把权重画成图，"
            "哪一种图前后不变？",
        ),
        options={
            "stored": Text("the picture before dropout", "dropout 之前的图"),
            "used": Text("the picture after dropout", "dropout 之后的图"),
            "both": Text("both pictures", "两种图都不变"),
        },
        answer=_stays,
        because=Text(
            "The weights before dropout come from the model alone, and the model has learnt "
            "nothing between the draws.",
            "dropout 之前的权重只由模型决定，模型没有变，图也就不变。",
        ),
        wrong={
            "used": Text(
                "The picture after dropout would stay the same if both steps dropped the same "
                "connections.",
                "每一步都要重新抽取随机数，丢弃的连接不同，dropout 之后的图也就不同。",
            ),
            "both": Text(
                "Both pictures would stay the same in evaluation mode, but not in training.",
                "评估模式下，两种图才会都不变，别忘了训练的每一步都要重新抽取随机数。",
            ),
        },
        at={"draw": 2},
    ),
    "plotted": ChoiceRecord(
        text=Text(
            "Go to draw 2. Which word of the row *sloping* has the largest weight after dropout?",
            "换到第 2 次抽取。dropout 之后，“*倾斜*”这一行里哪个词的权重最大？",
        ),
        options=named_options(_SENTENCE),
        answer=_first_word,
        because=Text(
            "*lost* is second before dropout, and draw 2 drops *Mia*, which is first. The weights "
            "after dropout show the draw, so plot the weights before dropout.",
            "“*丢了*”的权重原来排第二，第 2 次抽取丢弃了排第一的“*小雨*”。可见 dropout 之后的权重"
            "与抽到的随机数有关，所以画图要用 dropout 之前的权重。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* has the largest weight before dropout, but draw 2 has dropped this weight.",
                "“*小雨*”的权重原来最大，可是第 2 次抽取把它丢弃了。",
            ),
            "her": Text(
                "The weight on *her* doubles too, but stays below the weight on *lost*.",
                "“*钥匙*”的权重也加倍了，但还是小于“*丢了*”的权重。",
            ),
            "key": Text(
                "The weight on *key* is 0: draw 2 drops it, like the weight on *Mia*.",
                "“*她*”的权重也被丢弃了，变成了 0。",
            ),
        },
        at={"draw": 2},
    ),
}
