"""Record the names in the figures of chapter 5 and the questions that they ask."""

from itertools import pairwise
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
)
from attention_lib.scores import additive

# What to wear: a query is a temperature and a 1, a key is how warm something keeps.
DAYS = torch.tensor([[[30.0, 1.0], [15.0, 1.0], [0.0, 1.0]]])
TODAY = DAYS[:, 1:2]
WARMTH = torch.tensor([[[0.2], [1.0], [2.0]]])
NETWORK = (
    torch.tensor([[[0.2, -5.0], [0.2, -7.0]]]),  # W_q, (1, H, 2)
    torch.tensor([[[3.0], [3.0]]]),  # W_k, (1, H, 1)
    torch.tensor([[[3.0, -2.0]]]),  # w_v, (1, 1, H)
)

# The words of the sentence: a key is how much a word names a person, a query how much a word refers
# back, and a 1. The one unit is on if both are large.
REFERS_BACK = torch.tensor([[[1.8, 1.0]]])
BOTH = torch.tensor([[[3.0, -8.0]]]), torch.tensor([[[3.0]]]), torch.tensor([[[2.0]]])
_NAME, _VERB, _PRONOUN, _THING = [2.0], [-1.2], [0.4], [-0.4]

# The values of a batch that many courses use.
COUNTED = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)

FIRST_RIGHT = 15  # steps of training after which each temperature first prefers its own garment

# Of six flags, the second one turned so far that the first look lies in the middle of two.
DEGREES = torch.tensor([0, 40, 120, 180, 240, 300], dtype=torch.float64).deg2rad()
FLAGS = torch.stack([DEGREES.cos(), DEGREES.sin()], dim=-1).round(decimals=2)[None]


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").names["names"]
    ['T-shirt', 'jumper', 'coat']
    """
    return in_language(lang, RECORDS)


def _names(wear: list[str]) -> dict[str, list[str]]:
    """Name the keys and the three queries of a TanhFigure."""
    return {"names": wear, "query_names": ["30 °C", "15 °C", "0 °C"]}


def _today(wear: list[str], moved: str, axis: str) -> dict[str, Any]:
    """Name the keys of a TanhFigure whose one query is moved, and describe that query."""
    query = {"reach": (0.0, 30.0), "unit": " °C", "moved": moved, "axis": axis}
    return {"names": wear, "query_names": ["15 °C"], **query}


def _her(lang: Lang, query: str, moved: str, axis: str) -> dict[str, Any]:
    """Name the keys of a TanhFigure, the words of the sentence, and describe its moved query."""
    mia = thread.words(lang)
    asking = {"reach": (-1.0, 2.0), "moved": moved, "axis": axis}
    return {"names": mia.sentence, "query_names": [query], **asking}


def _toy(lang: Lang, pad: str, query: str) -> dict[str, list[Any]]:
    """Name the ten keys of each of two examples, with two words and six, and their query."""
    first, second = thread.words(lang).pair
    keys = [[*read, *[pad] * (10 - len(read))] for read in (first[:2], second[:6])]
    return {"names": keys, "query_names": [query]}


def _temperatures_that_choose_the_coat(figure: Any) -> str:
    coats = int((figure.attention_weights.argmax(dim=-1) == 2).sum())
    return {0: "none", 1: "0 °C", 3: "all"}[coats]


def _direction_of_the_steps(figure: Any) -> str:
    """Name the direction in which the query moves both steps, or "height" if they stay."""
    W_q, W_k, _ = NETWORK
    colder = (TODAY - torch.tensor(figure.queries)) @ W_q.mT / W_k[..., 0]  # in units of warmth
    (way,) = set(colder.sign().int().flatten().tolist())
    return {-1: "left", 1: "right", 0: "height"}[way]


def _scores_that_change(figure: Any) -> str:
    """Name the scores that change when query 1 does."""
    before, queries = figure.scores, torch.tensor(figure.queries)
    queries[0, 1] += 1
    figure.queries = queries
    changed = int((figure.scores != before).sum())
    return {1: "one", before.shape[-1]: "row", before.numel(): "all"}[changed]


def _top_of_the_hill(figure: Any) -> str:
    """Compare the highest score that any key could get with that of today."""
    now, before = map(_highest, (torch.tensor(figure.queries), TODAY))
    if torch.isclose(now, before, atol=0.01):
        return "same"
    return "lower" if now < before else "higher"


def _highest(queries: Tensor) -> Tensor:
    keys = torch.linspace(-1, 4, 5001).reshape(1, -1, 1)
    return additive(queries, keys, *(parameter[0] for parameter in NETWORK)).max()


def _share_of_mia(figure: Any) -> str:
    share = float(figure.attention_weights[0, 0, 0])
    if share > 0.9:
        return "most"
    return "quarter" if abs(share - 0.25) < 0.01 else "nothing"


def _fall_of_mia(figure: Any) -> str:
    """Name the third in which most of the fall lies, as the query goes from 2 to −1."""
    shares = []
    for refers_back in (2.0, 1.0, 0.0, -1.0):
        with figure._in_state({"queries": [[[refers_back, 1.0]]]}):
            shares.append(float(figure.attention_weights[0, 0, 0]))
    falls = [above - below for above, below in pairwise(shares)]
    if max(falls) < 0.5 * sum(falls):
        return "even"
    return ["first", "middle", "last"][falls.index(max(falls))]


def _what_follows_a_value(figure: Any) -> str:
    now = figure.stages()
    with figure._in_state({"values": COUNTED}):
        before = figure.stages()
    for name, changed in (("scores", "scores"), ("attention_weights", "weights")):
        if not torch.allclose(now[name], before[name]):
            return changed
    return "output"


def _weights_after_more_steps(figure: Any) -> str:
    """Compare the weight of each temperature's own garment with that at the first right step.

    Raises:
        ValueError: the first step at which all three are right is not the one that the text names.
    """
    own, right = [], []
    for step in range(figure.step + 1):
        with figure._in_state({"step": step}):
            weights = figure.attention_weights[0]
        own.append(weights.diagonal())
        right.append(weights.argmax(dim=-1).tolist() == [0, 1, 2])
    if right.index(True) * figure.steps != FIRST_RIGHT:
        raise ValueError(f"step {FIRST_RIGHT} must be the first that is right; got {right}")
    change = own[-1] - own[right.index(True)]
    if (change > 0.01).all():
        return "grow"
    return "shrink" if (change < -0.01).all() else "stay"


def _temperatures_for_the_first(figure: Any) -> str:
    """Name the temperatures at which the key that keeps least warm has most weight."""
    firsts = []
    for temperature in range(31):
        figure.queries = [[[float(temperature), 1.0]]]
        firsts.append(int(figure.scores[0, 0].argmax()) == 0)
    if all(firsts):
        return "all"
    return "some" if any(firsts) else "none"


def _last_stage_that_differs(figure: Any) -> str:
    """Name the last stage that differs from that of one hidden unit.

    Raises:
        ValueError: the scores do not differ, or a stage does that follows one that does not.
    """
    hiddens, stages = figure.num_hiddens, figure.stages()
    figure.num_hiddens = 1
    before = figure.stages()
    figure.num_hiddens = hiddens
    names = ("scores", "attention_weights", "output")
    differ = [not torch.allclose(stages[name], before[name]) for name in names]
    if differ not in ([True, False, False], [True, True, False], [True, True, True]):
        raise ValueError(f"the scores should differ, and what follows; got {differ}")
    return ["scores", "weights", "output"][sum(differ) - 1]


def _with_another_value() -> list[Any]:
    values = COUNTED.clone()
    values[:, 0, 0] = 20
    return values.tolist()


_WEAR = Translated(["T-shirt", "jumper", "coat"], ["短袖", "毛衣", "大衣"])

RECORDS: dict[str, Record] = {
    "names": Translated(_names(_WEAR.en), _names(_WEAR.zh)),
    "today": Translated(
        _today(_WEAR.en, "temperature", "how warm it keeps"), _today(_WEAR.zh, "气温", "保暖程度")
    ),
    "her": Translated(
        _her(
            "en", "the word that asks", "how much it refers back", "how much a word names a person"
        ),
        _her("zh", "提问的词", "指代前文的程度", "指人的程度"),
    ),
    "names_a_person": Translated(
        torch.tensor([[_NAME, _VERB, _PRONOUN, _THING]]),
        torch.tensor([[_NAME, _VERB, _THING, _PRONOUN]]),
    ),
    "field": Translated(
        {
            "names": ["fish", "ship", "tree", "bird", "rose", "bear"],
            "query_names": ["dawn", "noon", "dusk", "night"],
        },
        {
            "names": ["鱼", "船", "树", "鸟", "花", "熊"],
            "query_names": ["清晨", "中午", "傍晚", "夜里"],
        },
    ),
    "toy": Translated(
        _toy("en", pad="‹pad›", query="next"), _toy("zh", pad="‹填充›", query="后文")
    ),
    "clothes": ChoiceRecord(
        text=Text(
            "Each temperature picks a garment, the one with the highest score. Take *tanh* out of "
            "the formula. At which temperatures does the coat win?",
            "在三种气温下，各选一件得分最高的衣服。如果把公式里的 *tanh* 去掉，哪些气温下会选大"
            "衣？",
        ),
        options={
            "0 °C": Text("0 °C alone", "只有 0 °C"),
            "none": Text("no temperature", "哪种气温都不选"),
            "all": Text("all three temperatures", "三种气温都选"),
        },
        answer=_temperatures_that_choose_the_coat,
        because=Text(
            "Without tanh the temperature adds the same number to all three scores of its row. "
            "Softmax sees only differences, so the coat, the warmest garment, wins in every row.",
            "去掉 tanh 以后，气温只是给同一行的三个分数加上同一个数，谁高谁低不受影响，所以每一行"
            "都是最保暖的大衣得分最高。",
        ),
        wrong={
            "0 °C": Text(
                "0 °C alone is the answer with tanh, which lets the temperature decide which "
                "garment is ahead, but tanh is gone.",
                "你说的是保留 tanh 的情况，这里已经去掉了。",
            ),
            "none": Text(
                "The coat would win nowhere if a warmer garment got a lower score, but without "
                "tanh a warmer garment gets a higher score.",
                "你把方向弄反了，去掉 tanh 以后，衣服越保暖，得分越高。",
            ),
        },
        at={"bent": False},
    ),
    "curves": ChoiceRecord(
        text=Text(
            "One unit rises with the warmth, the other falls; their sum is the score. What "
            "happens to the two steps if it gets colder, 5 °C instead of 15 °C?",
            "衣服越保暖，一个单元的值越大，另一个单元的值越小，两者之和就是分数。气温从 15 °C 降"
            "到 5 °C，两级台阶会怎么变？",
        ),
        options={
            "left": Text("both steps move to the left", "都向左移"),
            "right": Text("both steps move to the right", "都向右移"),
            "height": Text(
                "both steps stay and change their heights",
                "位置不变，高度改变",
            ),
        },
        answer=_direction_of_the_steps,
        because=Text(
            "At 5 °C `W_q q` is smaller by 2 in both units, so `3k` must be larger by 2, and a "
            "larger `k` lies to the right. The hill moves with the steps, to the coat.",
            "气温降到 5 °C，`W_q q` 的两个分量都减小 2，只有 `3k` 增加 2，和才不变，所以台阶右移"
            "，中间的小山也移到了大衣那里。",
        ),
        wrong={
            "left": Text(
                "The steps would move to the left on a warmer day.",
                "你把方向弄反了，天气变热时台阶才向左移。",
            ),
            "height": Text(
                "The heights would change if `w_v` did, but the query is added inside tanh.",
                "台阶的高度只取决于 `w_v`，与气温无关。",
            ),
        },
        at={"queries": [[[5.0, 1.0]]]},
    ),
    "hill": ChoiceRecord(
        text=Text(
            "Lower the temperature from 15 °C to 0 °C. What happens to the top of the hill?",
            "把气温从 15 °C 降到 0 °C，小山的高度会怎么变？",
        ),
        options={
            "lower": Text("the top becomes lower", "山顶变低"),
            "same": Text("the top keeps its height", "山顶高度不变"),
            "higher": Text("the top becomes higher", "山顶变高"),
        },
        answer=_top_of_the_hill,
        because=Text(
            "Both steps move equally far to the right, so the hill between them moves, too, and "
            "the top keeps its height.",
            "两级台阶移动的距离相同，所以小山只是换了个位置，山顶还是那么高。",
        ),
        wrong={
            "lower": Text(
                "The top would become lower if the two steps came closer to each other, but their "
                "distance stays the same.",
                "如果两级台阶互相靠近，山顶会变低，但这里两者一起移动。",
            ),
            "higher": Text(
                "The top would become higher if the two steps moved apart, but their distance "
                "stays the same.",
                "两级台阶的距离没有变大，所以山顶不会变高。",
            ),
        },
        at={"queries": [[[0.0, 1.0]]]},
    ),
    "both": ChoiceRecord(
        text=Text(
            "*her* refers back with strength 1.8, and *Mia* gets nearly all of the weight. Now "
            "let the asking word refer back to nothing: −0.6. What share does *Mia* keep?",
            "“*她*”指代前文的程度是 1.8，几乎全部权重都落在“*小雨*”上。如果换成不指代前文的词"
            "，程度降到 −0.6，“*小雨*”能分到多少权重？",
        ),
        options={
            "most": Text("nearly all", "几乎全部"),
            "quarter": Text("a quarter", "四分之一"),
            "nothing": Text("almost nothing", "几乎没有"),
        },
        answer=_share_of_mia,
        because=Text(
            "Even for *Mia* the sum is 3 · (−0.6) + 3 · 2 − 8 = −3.8, so the unit is near −1 for "
            "all four words. Equal scores get equal weights.",
            "就连“*小雨*”的总和也只有 3 × (−0.6) + 3 × 2 − 8 = −3.8，所以四个词的单元值都接近 −"
            "1，分数几乎相等，权重也就几乎平分了。",
        ),
        wrong={
            "most": Text(
                "*Mia* would keep nearly all of the weight without tanh, because this word "
                "would then lead the others by the same number for every query.",
                "你说的是没有 tanh 的情况，那时无论查询是什么，“*小雨*”的分数总比别的词高，"
                "而且差距不变。",
            ),
            "nothing": Text(
                "*Mia* would keep almost nothing only if its score were far below the other "
                "words' scores, but no unit goes below −1.",
                "单元的值最低是 −1，“*小雨*”的分数不会比别的词低。",
            ),
        },
        at={"queries": [[[-0.6, 1.0]]]},
    ),
    "fall": ChoiceRecord(
        text=Text(
            "Pull “how much it refers back” from 2 down to −1. How does the weight of *Mia* fall?",
            "把“指代前文的程度”从 2 慢慢降到 −1，“*小雨*”的权重是怎样下降的？",
        ),
        options={
            "even": Text("evenly all the way", "均匀下降"),
            "first": Text("mostly at the beginning, above 1", "主要在开头，从 2 到 1 的时候"),
            "middle": Text("mostly in the middle, from 1 to 0", "主要在中间，从 1 到 0 的时候"),
            "last": Text("mostly at the end, below 0", "主要在最后，从 0 到 −1 的时候"),
        },
        answer=_fall_of_mia,
        because=Text(
            "Between 1 and 0 the sum for *Mia* crosses the steep part of tanh, and the unit turns "
            "off for this word. Above 1 and below 0 tanh is nearly flat.",
            "从 1 降到 0 时，“*小雨*”的总和正好经过 tanh 最陡的一段，单元由开变关。在这之前和之"
            "后，tanh 都几乎是平的。",
        ),
        wrong={
            "even": Text(
                "An even fall does not fit tanh, which is steep in one place only.",
                "tanh 中间陡、两头平，权重不会均匀下降。",
            ),
            "first": Text(
                "Most of the fall would lie above 1 if the unit turned off there, but above 1 the "
                "unit is still on.",
                "从 2 降到 1 时，单元一直开着，权重几乎不变。",
            ),
            "last": Text(
                "Most of the fall would lie below 0 if the unit were still on for *Mia* at 0, but "
                "at 0 the unit is off.",
                "单元在 0 处已经关闭，“*小雨*”的权重在这之前就降到了四分之一左右。",
            ),
        },
        at={"queries": [[[0.5, 1.0]]]},
    ),
    "large": NumberRecord(
        text=Text(
            "The largest |score| is 3.81. Make all numbers of queries and keys *1000 "
            "times* as large. What does 3.81 become?",
            "现在分数的绝对值最大是 3.81。如果查询和键里的数都乘以 *1000*，这个最大值会变成多少？",
        ),
        answer=lambda figure: figure.scores.abs().max(),
        tolerance=0.2,
        because=Text(
            "Every unit is now at −1 or 1, and `w_v` multiplies the two units by 3 and −2. No "
            "score can exceed 3 + 2 = 5, and the jumper at 15 °C reaches 5.",
            "这时每个单元的值不是 −1 就是 1，`w_v` 的两个系数是 3 和 −2，所以分数最大是 3 + 2 = "
            "5，15 °C 时毛衣的分数正好是 5。",
        ),
        wrong=[
            (
                3810,
                Text(
                    "Scores that are proportional to their inputs grow a thousandfold, but tanh "
                    "never goes beyond −1 and 1.",
                    "你以为分数与输入成正比，可是 tanh 的值不会超出 −1 到 1 的范围。",
                ),
            ),
            (
                3.81,
                Text(
                    "3.81 is the score with the jumper's units at 0.76 and −0.76, and larger "
                    "inputs push these units to 1 and −1.",
                    "输入变大以后，毛衣的两个单元从 0.76 和 −0.76 变成 1 和 −1，分数也会变大。",
                ),
            ),
            (
                1,
                Text(
                    "1 is the limit of a single unit, but a score multiplies two units by `w_v` "
                    "and adds them.",
                    "1 只是一个单元的上限，别忘了还要用 `w_v` 加权求和。",
                ),
            ),
        ],
        at={"size": 1000.0},
    ),
    "grid": ChoiceRecord(
        text=Text(
            "Three temperatures meet three garments. Now another temperature takes the "
            "place of *15 °C*. How many of the nine scores change?",
            "三种气温和三件衣服两两配对，得到九个分数。把 *15 °C* 换成别的气温，有几个分数会变？",
        ),
        options={
            "one": Text("one score", "一个"),
            "row": Text("three scores", "三个"),
            "all": Text("all nine scores", "九个"),
        },
        answer=_scores_that_change,
        because=Text(
            "A query meets every key and no other query, so another temperature changes one row "
            "of the grid, three scores.",
            "每种气温要和三件衣服各配一次，在表中占一行，所以换一种气温，只有这一行的三个分数会"
            "变。",
        ),
        wrong={
            "one": Text(
                "One score is what one garment gets from this temperature, but there are three "
                "garments.",
                "你只算了一件衣服，这种气温要和三件衣服配对。",
            ),
            "all": Text(
                "All nine scores change with `w_v`, but not with one query.",
                "另外两种气温没有变，所在两行的分数也就不变。",
            ),
        },
    ),
    "additive": ChoiceRecord(
        text=Text(
            "All keys are *identical*. `num_hiddens` goes from 1 to 16, with other random"
            " parameters. What changes?",
            "现在选的是*全部相同*的键。如果把 `num_hiddens` 从 1 改成 16，参数换成另一组随机数，"
            "图中哪些数会变？",
        ),
        options={
            "scores": Text("the scores alone", "只有分数"),
            "weights": Text("scores and weights", "分数和权重"),
            "output": Text("scores, weights and output", "分数、权重和输出"),
        },
        answer=_last_stage_that_differs,
        because=Text(
            "Other parameters give other scores, but identical keys still get equal scores, so "
            "the keys that count share the weight equally, as before.",
            "参数变了，分数自然会变。不过由于键都相同，分数还是彼此相等，有效的键照样平分权重，输"
            "出也就不变。",
        ),
        wrong={
            "weights": Text(
                "The weights would change if the differences between the scores did, but equal "
                "scores differ by 0 before and after.",
                "权重取决于分数之差，这里分数彼此相等，差始终是 0。",
            ),
            "output": Text(
                "The output would change if a weight or a value did, but here no weight and no "
                "value changes.",
                "输出是值的加权平均，这里权重和值都没有变。",
            ),
        },
        at={"num_hiddens": 16},
    ),
    "value": ChoiceRecord(
        text=Text(
            "Change a number among the values. What else in the figure changes?",
            "改动值里的一个数，图中还有哪些数会变？",
        ),
        options={
            "scores": Text("scores, weights and output", "分数、权重和输出"),
            "weights": Text("weights and output", "权重和输出"),
            "output": Text("the output alone", "只有输出"),
        },
        answer=_what_follows_a_value,
        because=Text(
            "The perceptron reads query and key. Values come in only at the end, when the weights "
            "average them into the output.",
            "多层感知机的输入只有查询和键，值要到最后求加权平均时才用到。",
        ),
        wrong={
            "scores": Text(
                "The scores would change if additive attention concatenated key and *value*, as "
                "some notes say.",
                "有些笔记误以为拼接的是键和值，其实拼接的是查询和键。",
            ),
            "weights": Text(
                "The weights would change if a score did, but no score reads a value.",
                "权重由分数算出，计算分数时并不用值。",
            ),
        },
        at={"values": _with_another_value()},
    ),
    "training": ChoiceRecord(
        text=Text(
            f"After {FIRST_RIGHT} steps each temperature gives most weight to its own garment. "
            "Training goes on to step 100. What happens to these three weights?",
            f"训练到第 {FIRST_RIGHT} 步，三种气温下权重最大的都已经是该穿的衣服。继续训练到第 "
            "100 步，这三个权重会怎么变？",
        ),
        options={
            "grow": Text("all three weights grow", "都变大"),
            "stay": Text("all three weights stay as they are", "都不变"),
            "shrink": Text("all three weights shrink", "都变小"),
        },
        answer=_weights_after_more_steps,
        because=Text(
            "The loss −ln α is above 0 as long as α is below 1, so each further step makes the "
            "three right weights larger. Move through the steps.",
            "只要 α 小于 1，损失 −ln α 就大于 0，所以继续训练，该穿的衣服得到的权重还会变大。拖动"
            "步数看看。",
        ),
        wrong={
            "stay": Text(
                "The weights would stay if the loss only counted which garment comes first, but "
                "the loss depends on the weight itself.",
                "只是排第一还不够，权重越大，损失才越小，所以权重还会变。",
            ),
            "shrink": Text(
                "The weights would shrink if the loss punished a sure answer, but the surer a "
                "right answer is, the smaller is its loss.",
                "你把方向弄反了，答对时权重越大，损失越小。",
            ),
        },
        at={"step": 20},
    ),
    "one_unit": ChoiceRecord(
        text=Text(
            "Leave out unit 1, so `num_hiddens` is 1. At which temperatures does the "
            "T-shirt come first?",
            "如果去掉单元 1，也就是把 `num_hiddens` 设为 1，短袖在哪些气温下排第一？",
        ),
        options={
            "some": Text("the high temperatures", "气温高的时候"),
            "none": Text("no temperature", "哪种气温都不排第一"),
            "all": Text("all temperatures", "每种气温都排第一"),
        },
        answer=_temperatures_for_the_first,
        because=Text(
            "Unit 0 only rises with the warmth, no matter where a query moves it. So the coat "
            "comes first at every temperature, and the T-shirt at none.",
            "无论气温是多少，总是衣服越保暖，单元 0 的值越大，所以排第一的始终是大衣，轮不到短袖。",
        ),
        wrong={
            "some": Text(
                "The high temperatures are the answer with both units, where unit 1 takes the "
                "coat down again, but unit 1 is left out.",
                "气温高时要靠单元 1 把大衣的分数降下来，可这里单元 1 已经去掉了。",
            ),
            "all": Text(
                "The T-shirt would be first at all temperatures if unit 0 fell with the warmth, "
                "but unit 0 rises.",
                "你把单元 0 的方向弄反了，衣服越保暖，单元 0 的值越大。",
            ),
        },
        at={"num_hiddens": 1},
    ),
    "compass": NumberRecord(
        text=Text(
            "At *dawn* you look towards 20°. With 16 hidden units, the flag *ship* is turned from "
            "60° to 40°; *fish* is at 0°. What share does *dawn* give to *ship*?",
            "*清晨*你看向 20°，旗子*鱼*在 0°。模块有 16 个隐藏单元，如果把旗子*船*从 60° 转到 40°"
            "，*清晨*会分给*船*多少权重？",
        ),
        answer=lambda figure: 100 * figure.attention_weights[0, 0, 1],
        tolerance=8,
        because=Text(
            "*ship* and *fish* are both 20° away from where you look, so a well-trained module "
            "gives the two flags about the same weight. Now choose 4 units, and see the dividing "
            "line move.",
            "*船*和*鱼*与你看的方向都相差 20°，一样近，所以训练好的模块把权重大致平分给两者。再换"
            "成 4 个单元看看。",
        ),
        wrong=[
            (
                100,
                Text(
                    "All of the weight would go to *ship* if *ship* were nearer than *fish*, but "
                    "both are equally near.",
                    "*船*并不比*鱼*近，两者与视线的夹角相同。",
                ),
            ),
            (
                100 / 6,
                Text(
                    "A sixth is what six equal scores would give, but four of the flags are much "
                    "farther away.",
                    "六分之一是六面旗子平分的结果，可是另外四面旗子远得多。",
                ),
            ),
            (
                0,
                Text(
                    "*ship* would get nothing if it were much farther away than *fish*, but both "
                    "are 20° away.",
                    "*船*转过来以后和*鱼*一样近，不会分不到权重。",
                ),
            ),
        ],
        at={"num_hiddens": 16, "keys_": FLAGS.tolist()},
        unit="%",
        slider=(0, 100, 1),
    ),
}
