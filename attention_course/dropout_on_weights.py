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
    "rows": Translated(["uniform", "sloping", "sharp"], ["均匀", "倾斜", "尖锐"]),
    "sentence": ChoiceRecord(
        text=Text(
            "*her* gives the four words the weights 0.4, 0.3, 0.2 and 0.1. In this training step "
            "the weight on *Mia* is dropped. What happens to the weights on the other three words?",
            "“*她*”给四个词的权重依次是 0.4、0.3、0.2、0.1。这一步训练恰好丢弃了给“*小雨*”的"
            "权重，其余三个词的权重会怎样？",
        ),
        options={
            "unchanged": Text("they stay as they are", "保持不变"),
            "shared": Text("they grow until the row sums to 1", "变大，补足到总和为 1"),
            "doubled": Text("each of them doubles", "各自加倍"),
        },
        answer=_others,
        because=Text(
            "What is kept is divided by 1 − p = ½, each weight on its own. *her* receives nothing "
            "from *Mia* in this step and twice as much from every other word, so that the row "
            "sums to 1.2. Now draw a few times, and move `p`.",
            "保留下来的权重各自除以 1 − p = ½，互不影响。这一步里“*她*”从“*小雨*”那里什么也得不到，"
            "从其余每个词得到的都加倍，行和因此是 1.2。接着请重新抽取几次，再动一动 `p`。",
        ),
        wrong={
            "unchanged": Text(
                "Unchanged weights would be right in evaluation mode, where nothing is dropped.",
                "权重保持不变，是评估模式下的情形，那时什么也不丢。",
            ),
            "shared": Text(
                f"Weights of {', '.join(f'{x:.2f}' for x in _SHARED)}, which sum to 1, are what a "
                "mask before the softmax would leave.",
                f"{'、'.join(f'{x:.2f}' for x in _SHARED)} 的总和是 1，"
                "这是在 softmax 之前掩蔽“*小雨*”的结果。",
            ),
        },
    ),
    "rising": ChoiceRecord(
        text=Text(
            "As `p` rises, what happens to a weight that is still kept?",
            "`p` 变大时，仍然保留着的权重会怎样？",
        ),
        options={
            "grows": Text("it grows", "变大"),
            "shrinks": Text("it shrinks", "变小"),
            "stays": Text("it stays the same", "不变"),
        },
        answer=_kept_weight,
        because=Text(
            "A kept weight is divided by 1 − p, and 1 − p shrinks. The larger `p` is, the more "
            "weights are lost, and the more the kept ones have to make up for.",
            "保留的权重要除以 1 − p，而 1 − p 变小了。`p` 越大，丢掉的权重越多，"
            "留下的权重要补上的也就越多。",
        ),
        wrong={
            "shrinks": Text(
                "A weight shrinks with a larger `p` where it is multiplied by 1 − p.",
                "要是乘以 1 − p，`p` 越大权重就越小。",
            ),
            "stays": Text(
                "A weight stays the same in evaluation mode, whatever `p` is.",
                "在评估模式下，不论 `p` 是多少，权重都不变。",
            ),
        },
        at={"p": 0.7},
    ),
    "sums": NumberRecord(
        text=Text(
            "Set `p` to 0.1. Of the twelve draws only one is below 0.1, so that only the weight of "
            "*sloping* on *lost* is dropped. What do the other two rows sum to?",
            "把 `p` 设为 0.1，十二个随机数里就只有一个比它小，丢弃的只有“*倾斜*”给“*丢了*”的权重。"
            "另外两行的行和是多少？",
        ),
        answer=lambda figure: figure.stages()["row_sums"][0, 0],
        because=Text(
            "These two rows lose nothing, and all of their weights are divided by 1 − p, which "
            "gives 1/0.9. The row *sloping* comes to 0.7/0.9.",
            "这两行一个权重也没丢，却都除以了 1 − p，所以是 1/0.9。“*倾斜*”那一行是 0.7/0.9。",
        ),
        wrong=[
            (
                1,
                Text(
                    "A sum of 1 is the mean over many draws. In a draw in which a row loses "
                    "nothing, its sum lies above the mean.",
                    "总和为 1 是多次抽取的平均。一次抽取里什么也没丢的行，行和要比平均大。",
                ),
            ),
            (
                lambda figure: 1 - figure.p,
                Text(
                    "A sum of 0.9 is what multiplying by 1 − p would give.",
                    "0.9 是把权重乘以 1 − p 的结果。",
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
            "dropout works on the *scores*, before the softmax, and hits *steak*. What does "
            "*steak* weigh?",
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
            "Dropout sets the score to 0, and here 0 is the highest score of all. The softmax "
            "gives the highest score the largest weight.",
            "dropout 把分数变成 0，而在这里 0 反而是最高的分数，softmax 给最高的分数最大的权重。",
        ),
        wrong={
            "zero": Text(
                "A weight of 0 would need the score −∞, as a mask gives it.",
                "要让权重为 0，分数得是 −∞，掩码就是这样做的。",
            ),
            "unchanged": Text(
                "A weight of 0.09 would be right if *steak* still had the score −3.",
                "“*火锅*”的分数仍是 −3 时，权重才是 0.09。",
            ),
        },
    ),
    "mean": ChoiceRecord(
        text=Text(
            "At p = ½ a draw gives *Mia* the weight 0 or the weight 0.8. Which weight does the "
            "mean over many draws come to?",
            "p = ½ 时，一次抽取里“*小雨*”的权重不是 0 就是 0.8。抽取许多次，平均起来会接近多少？",
        ),
        options={
            "halved": Text("0.2", "0.2"),
            "stored": Text("0.4", "0.4"),
            "kept": Text("0.8", "0.8"),
        },
        answer=_mean_comes_to,
        because=Text(
            "About half of the draws give 0 and the others 0.8. The mean comes to the weight "
            "without dropout, and after 100 draws it is close.",
            "大约一半的抽取给出 0，另一半给出 0.8，平均起来就是没有 dropout 时的权重。"
            "抽取 100 次之后，平均值已经很接近了。",
        ),
        wrong={
            "halved": Text(
                "A mean of 0.2 would be right if the kept weights were not divided by 1 − p: half "
                "of the draws would give 0, and half 0.4.",
                "保留的权重要是不除以 1 − p，一半的抽取给出 0，一半给出 0.4，平均就是 0.2。",
            ),
            "kept": Text(
                "A weight of 0.8 is the mean over those draws only that keep *Mia*.",
                "0.8 只是保留了“*小雨*”的那些抽取的平均。",
            ),
        },
        at={"draw": 100},
    ),
    "chances": NumberRecord(
        text=Text(
            "The row *sharp* has 0.97 on one key and 0.01 on each of the other three. At p = ½, "
            "in what share of the steps does the row sum to less than 0.1?",
            "“*尖锐*”这一行的权重，一个键是 0.97，另外三个键都是 0.01。p = ½ 时，"
            "行和不到 0.1 的步占百分之几？",
        ),
        answer=_share_of_steps,
        because=Text(
            "The row sums to less than 0.1 whenever the one large weight is dropped, which has "
            "the probability p. Otherwise the sum is near 2, and only on average is it 1.",
            "只要丢弃那一个大的权重，行和就不到 0.1，概率正是 p；否则行和接近 2，"
            "只有平均起来才是 1。",
        ),
        wrong=[
            (
                0,
                Text(
                    "A share of 0% would be right if the sum stayed near its mean, 1, in every "
                    "step.",
                    "要是每一步的行和都在平均值 1 附近，占比就是 0%。",
                ),
            ),
            (
                lambda figure: 100 * figure.p**4,
                Text(
                    f"A share of {_ALL_FOUR:.0%} is how often all four weights are dropped "
                    "together.",
                    f"四个权重同时丢弃的概率才是 {_ALL_FOUR:.0%}。",
                ),
            ),
        ],
        tolerance=3,
        unit="%",
        slider=(0, 100, 1),
    ),
    "far": ChoiceRecord(
        text=Text(
            "Without dropout the output is 10. With dropout the output swings about 10, with the "
            "standard deviation 5.8. Now add 100 to every value. How large is the standard "
            "deviation?",
            "没有 dropout 时输出是 10，做了 dropout，输出就在 10 上下摆动，标准差是 5.8。"
            "现在给每个值都加上 100，标准差是多少？",
        ),
        options={
            "unchanged": Text("5.8, as before", "5.8（不变）"),
            "up to half more": Text("about 8", "约 8"),
            "ten times": Text("about 59", "约 59"),
        },
        answer=_times_as_wide,
        because=Text(
            "A dropped weight takes its whole value along, and the values are now 100 to 130 and "
            "no longer 0 to 30. The swing depends on how far values are from 0, not from each "
            "other.",
            "丢弃一个权重，就丢掉了整个值，而现在的值不是 0 到 30，是 100 到 130。"
            "输出摆动多少，要看值离 0 有多远，与值之间的差无关。",
        ),
        wrong={
            "unchanged": Text(
                "An unchanged swing would be right if every row still summed to 1: the output "
                "would just be 100 larger.",
                "要是每行之和始终是 1，输出就只是大了 100，摆动不变。",
            ),
            "up to half more": Text(
                f"A swing of about 8 would be right if the sum of α² v² had doubled. The sum "
                f"grows from {_SQUARES[0]} to {_SQUARES[1]}.",
                f"要让标准差到约 8，α² v² 的总和只需变成两倍，实际上却从 {_SQUARES[0]} "
                f"增加到了 {_SQUARES[1]}。",
            ),
        },
        at={"values": [[[100.0], [110.0], [120.0], [130.0]]]},
    ),
    "trained": ChoiceRecord(
        text=Text(
            "Ann, Ben and Cleo are always right, and Dora is always wrong. At first the query "
            "trusts Ann. After 500 steps with p = 0.1, whom does it trust?",
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
            "If one of the three good witnesses is dropped, two still answer. Equal weights on "
            "the three make the penalty small without any trust in Dora.",
            "三位可靠的证人里丢了一位，还有两位能回答。权重由这三位平分，惩罚就小，又不必听小丁的。",
        ),
        wrong={
            "one key": Text(
                "More trust in Ann is what the row p = 0 learns, without dropout. At p = 0.1 Ann "
                "is missing in one step of ten.",
                "更加偏信小安，是没有 dropout 时（p = 0 那一行）学到的结果。"
                "p = 0.1 时，每十步就有一步听不到小安。",
            ),
            "all keys": Text(
                "Equal trust in all four would be right if the penalty were all that counts. "
                "But Dora spoils every answer.",
                "要是只看惩罚，最好同样相信四个人。可是信了小丁，每个答案都会出错。",
            ),
        },
        at={"step": 50},
    ),
    "modes": ChoiceRecord(
        text=Text(
            "The trained model is put to use, in evaluation mode. What does *Mia* weigh?",
            "模型训练好了，现在切换到评估模式来用。“*小雨*”的权重是多少？",
        ),
        options={
            "dropped or doubled": Text("0 or 0.8, as the draw has it", "0 或 0.8（随抽取而定）"),
            "as stored": Text("0.4", "0.4"),
            "halved": Text("0.2", "0.2"),
        },
        answer=_in_use,
        because=Text(
            "In evaluation mode nothing is dropped and nothing is divided, whatever `p` and the "
            "draws are.",
            "在评估模式下什么也不丢，什么也不除，`p` 和随机数是多少都一样。",
        ),
        wrong={
            "dropped or doubled": Text(
                "A weight of 0 or 0.8 is what training mode gives.",
                "权重是 0 或 0.8，那是训练模式下的情形。",
            ),
            "halved": Text(
                "A weight of 0.2 is what the first papers used: they multiplied by 1 − p in use, "
                "because they had not divided in training.",
                "最早的论文训练时不除以 1 − p，使用时才乘以 1 − p，得到的是 0.2。",
            ),
        },
        at={"training": False},
    ),
    "stored": ChoiceRecord(
        text=Text(
            "Draw 1 is one step of training, draw 2 the next, and the model has learnt nothing "
            "in between. Which picture of the weights stays the same?",
            "抽取 1 是训练的一步，抽取 2 是下一步，其间模型并没有学到新的东西。"
            "把权重画成图，哪一种前后不变？",
        ),
        options={
            "stored": Text("the picture before dropout", "dropout 之前的图"),
            "used": Text("the picture after dropout", "dropout 之后的图"),
            "both": Text("both pictures", "两种图都不变"),
        },
        answer=_stays,
        because=Text(
            "Every step draws anew, and only the weights after dropout follow the draws.",
            "每一步都要重新抽取，而随着抽取变化的只有 dropout 之后的权重。",
        ),
        wrong={
            "used": Text(
                "The picture after dropout would stay the same if both steps dropped the same "
                "connections.",
                "要是两步丢弃的连接一样，dropout 之后的图也会不变。",
            ),
            "both": Text(
                "Both pictures would stay the same in evaluation mode, where nothing is dropped.",
                "在评估模式下什么也不丢，两种图才都不变。",
            ),
        },
        at={"draw": 2},
    ),
    "plotted": ChoiceRecord(
        text=Text(
            "In the row *sloping*, which word weighs most after dropout at draw 2?",
            "到抽取 2 时，“*倾斜*”这一行在 dropout 之后，哪个词的权重最大？",
        ),
        options=named_options(_SENTENCE),
        answer=_first_word,
        because=Text(
            "The draw has dropped *Mia*, to whom the model gives the most in every step. Plot the "
            "weights before dropout: those after it show the draw and not the model.",
            "这次抽取丢弃了“*小雨*”，而模型每一步给得最多的都是“*小雨*”。"
            "画图要画 dropout 之前的权重，之后的权重显示的是抽取，不是模型。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* weighs most before dropout.",
                "在 dropout 之前，权重最大的才是“*小雨*”。",
            ),
            "her": Text(
                "*her* doubles as well in this draw, and stays below *lost*.",
                "“*钥匙*”在这次抽取里也加倍了，但还是比“*丢了*”小。",
            ),
            "key": Text(
                "*key* is dropped in this draw, as *Mia* is.",
                "“*她*”在这次抽取里和“*小雨*”一样丢弃了。",
            ),
        },
        at={"draw": 2},
    ),
}
