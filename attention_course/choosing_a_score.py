"""Record the map and the weekdays of chapter 8's figures, and the questions that they ask."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import ComparisonFigure

# The map: a town in the east, the north, the west, the south, and one among them.
TOWNS = torch.tensor([[[2.0, 0.3], [0.4, 1.6], [-1.5, 0.9], [-0.6, -1.7], [0.3, 0.2]]])
_EAST, _MIDDLE = 0, 4  # of the towns
YOU = torch.tensor([[[1.5, 1.0]]])
CIRCLE = 1.5 * F.normalize(TOWNS, dim=-1)  # the towns, all equally far from the cross
# The towns, Easton twice as far from the cross.
_FARTHER = [[[4.0, 0.6], *TOWNS[0, 1:].double().round(decimals=4).tolist()]]
TURN = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])  # a quarter turn to the left
# Seven days on the face of a clock.
_ANGLES = torch.arange(7) * 2 * torch.pi / 7
DAYS = torch.stack([_ANGLES.sin(), _ANGLES.cos()], dim=-1)[None]


def words(lang: Lang) -> SimpleNamespace:
    """Return names and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").towns
    ['东村', '北村', '西村', '南村', '中村', '你']
    """
    return in_language(lang, RECORDS)


def _listed(*texts: Text) -> Translated[list[str]]:
    return Translated([text.en for text in texts], [text.zh for text in texts])


def _share(text: Text, of: int, because: Text, wrong: Sequence[tuple[float, Text]]) -> NumberRecord:
    """Ask for the share of a key, in percent."""
    return NumberRecord(
        text,
        answer=lambda figure: 100 * figure.attention_weights[0, 0, of],
        tolerance=5,
        because=because,
        wrong=wrong,
        unit="%",
        slider=(0, 100, 1),
    )


def _winners(figure: ComparisonFigure) -> list[set[int]]:
    """Return which keys win by each score, for queries all over the plane."""
    winners: list[set[int]] = [set() for _ in figure.scores[0]]
    before = figure.queries
    for query in torch.cartesian_prod(*2 * [torch.linspace(-3, 3, 21)]):
        figure.queries = [[query.tolist()]]
        for won, row in zip(winners, figure.scores[0], strict=True):
            won.add(int(row.argmax()))
    figure.queries = before
    return winners


def _scores_by_which_the_middle_wins(figure: ComparisonFigure) -> str:
    """Name the scores by which the middle town wins somewhere in the plane."""
    compared = ["dot", "scaled_dot", "bilinear", "additive", "gaussian", "sum"]
    winners = zip(compared, _winners(figure), strict=True)
    return {
        (*compared,): "every",
        ("additive", "gaussian"): "additive and gaussian",
        ("gaussian",): "gaussian",
        (): "none",
    }[tuple(name for name, won in winners if _MIDDLE in won)]


def _towns_that_can_win(figure: ComparisonFigure) -> str:
    """Name the towns that win somewhere in the plane, by the first score."""
    return {5: "all", 4: "outer", 1: "one"}[len(_winners(figure)[0])]


def _score_by_which_the_farther_loses(figure: ComparisonFigure) -> str:
    """Name the first of three scores by which Easton loses weight when it moves, or "none"."""
    far = figure.attention_weights[0, :, _EAST]
    figure.keys_ = TOWNS
    near = figure.attention_weights[0, :, _EAST]
    loses = dict(zip(figure.compared, far < near, strict=True))
    return next((name for name in ("dot", "gaussian", "additive") if loses[name]), "none")


def _winner(figure: ComparisonFigure) -> str:
    return [*_TOWNS][int(figure.scores[0, 0].argmax())]


def _garment_with_most_weight(figure: Any) -> str:
    return [*_CLOTHES][int(figure.attention_weights.argmax())]


def _share_of_right_answers(figure: Any) -> str:
    """Name the range in which the share of right answers lies."""
    share = float(figure.stages()["share"])
    if share > 0.9:
        return "over 90%"
    return "less than half" if 1 / 3 < share < 0.5 else "guessing"


def _times_as_much_memory(figure: Any) -> str:
    """Name how many times as much the additive score keeps as the dot product."""
    kept = figure.stages()["kept"].flatten()
    times = float(kept[4] / kept[0])
    if times < 2:
        return "1.5 times"
    return "10 times" if times < 20 else "100 times"


def _most_multiplications(figure: Any) -> str:
    scores = ["dot", "scaled_dot", "bilinear", "gaussian", "additive"]
    return scores[int(figure.stages()["multiplications"].argmax())]


def _what_stays_equal(figure: ComparisonFigure) -> str:
    """Name what two scores have in common."""
    one, other = figure.attention_weights[0]
    if torch.allclose(one, other, atol=0.01):
        return "weights"
    return "winner" if one.argmax() == other.argmax() else "neither"


_TOWNS = {
    "east": Text("Easton", "东村"),
    "north": Text("Norton", "北村"),
    "west": Text("Weston", "西村"),
    "south": Text("Sutton", "南村"),
    "middle": Text("Middleton", "中村"),
}
_CLOTHES = {
    "shirt": Text("shirt", "衬衫"),
    "coat": Text("coat", "大衣"),
    "raincoat": Text("raincoat", "雨衣"),
    "parka": Text("parka", "冲锋衣"),
}

RECORDS: dict[str, Record] = {
    "towns": _listed(*_TOWNS.values(), Text("you", "你")),
    "days": Translated(
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        ["周一", "周二", "周三", "周四", "周五", "周六", "周日"],
    ),
    "clothes": _listed(*_CLOTHES.values()),
    "features": Translated(["cold", "rain", "wind"], ["冷", "雨", "风"]),
    "weather": Text("The weather", "天气"),
    "choice": ChoiceRecord(
        text=Text(
            "You are the query, the towns are keys. Middleton lies among the others. By "
            "which scores is there a place for you where Middleton wins?",
            "你是查询，各个村子是键，中村被另外四个围在里面。"
            "按哪些评分，你能找到一个位置，让中村胜出？",
        ),
        options={
            "every": Text("by every score", "按每种评分都能"),
            "gaussian": Text("by the Gaussian alone", "只有高斯"),
            "additive and gaussian": Text("by additive and Gaussian", "加性和高斯"),
            "none": Text("by none", "都不能"),
        },
        answer=_scores_by_which_the_middle_wins,
        because=Text(
            "Here you stand in Middleton: by *Gaussian*, a region lies around every "
            "town. Choose *dot product*: the regions are wedges, and the outer towns share them "
            "all. This additive score only asks who lies farther east and farther north.",
            "现在你就站在中村，评分是“高斯”，每个村子周围都有一块区域。换成“点积”，"
            "区域都是楔形，全归外围的村子。这里的加性评分只比谁更靠东、谁更靠北。",
        ),
        wrong={
            "every": Text(
                "A dot product grows along its direction: an outer town is always ahead.",
                "点积沿着自己的方向一路增大，所以总有一个外围的村子排在前面。",
            ),
            "additive and gaussian": Text(
                "By additive with other parameters, yes. With these, Easton and Norton are "
                "ahead of it.",
                "加性评分换一组参数是可以的；按现在的参数，东村和北村总排在中村前面。",
            ),
            "none": Text(
                "Stand right in Middleton, and look at every row.", "正好站到中村，再看看每一行。"
            ),
        },
        at={"queries": [[[0.3, 0.2]]], "score": 4},
    ),
    "circle": ChoiceRecord(
        text=Text(
            "Each town keeps its direction from the cross, and all are equally far from "
            "it. By the dot product, how many of the five can win now?",
            "各个村子方向不变，到十字的距离全都相等。按点积，五个村子里现在有几个能胜出？",
        ),
        options={
            "all": Text("all five", "五个都能"),
            "outer": Text("the four as before", "原来那四个"),
            "one": Text("one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "On a circle each key is a corner: stand in the direction of Middleton, and "
            "it wins. Drag it inwards, and its region closes.",
            "在圆上每个键都是顶点，站到中村的方向上，胜出的就是它。"
            "把它往里拖，它的区域就越来越小，直到消失。",
        ),
        wrong={
            "outer": Text(
                "Middleton was inside; now it is on the rim like the others.",
                "中村原先在里面，现在和别的村子一样到了边上。",
            ),
            "one": Text(
                "They are equally far, but not in the same direction.", "它们一样远，方向却不同。"
            ),
        },
    ),
    "turned": ChoiceRecord(
        text=Text(
            "You stand due east of the cross. Seen from there, the dot product chooses the "
            "town that lies farthest east, Easton. The bilinear score first turns you around the "
            "cross, a quarter to the left. Whom does it choose?",
            "你站在十字的正东。点积选的是最靠东的东村。"
            "双线性评分要先让你绕着十字向左转四分之一圈，那么它会选谁？",
        ),
        options=_TOWNS,
        answer=_winner,
        because=Text(
            "Turned to the left, east is north, and Norton lies farthest that way. Walk "
            "around the cross: the bilinear score is always a quarter ahead.",
            "向左一转，东就成了北，而最靠北的是北村。绕着十字走一圈，"
            "双线性评分总是领先四分之一圈。",
        ),
        wrong={
            "east": Text(
                "So says the dot product, which does not turn you.",
                "点积才这样选，因为它不让你转。",
            ),
            "west": Text("That would be half a turn.", "那要转半圈。"),
            "south": Text("That would be to the right.", "那是向右转。"),
            "middle": Text(
                "It turns you, but stays linear in the key: the outer towns win.",
                "转了之后，评分对键仍然是线性的，胜出的还是外围的村子。",
            ),
        },
    ),
    "larger": _share(
        text=Text(
            "One hidden unit asks of each town: does it lie farther east than you? Three "
            "do. What share of the weight goes to Easton, the easternmost?",
            "一个隐藏单元对每个村子都问同一个问题：它是不是比你更靠东？"
            "有三个村子是。最靠东的东村分到多少权重？",
        ),
        of=_EAST,
        because=Text(
            "Past the step tanh is flat: far enough is far enough, and three share "
            "alike. Walk west, and a fourth comes in.",
            "过了台阶，tanh 就平了，只要够远，再远也一样，所以三个村子平分。"
            "往西走走看，会有第四个加入。",
        ),
        wrong=[
            (
                100,
                Text(
                    "That would be so if farther were better still. Here the unit is saturated.",
                    "那是越远越好的情形，可是这里的隐藏单元已经饱和了。",
                ),
            ),
            (
                20,
                Text(
                    "Two of the five lie to the west of you, and get nothing.",
                    "有两个村子在你西边，它们什么也分不到。",
                ),
            ),
        ],
    ),
    "after": _share(
        text=Text(
            "The days stand on a clock face, one step apart. Mon asks for the day after "
            "it: its query lies right on Tue, score 1, and no other day has as much. What share "
            "does Tue get?",
            "七天排在钟面上，每天隔一格。周一要找它的下一天，所以它的查询正好落在周二上，"
            "分数是 1，比哪一天都高。周二分到多少权重？",
        ),
        of=1,
        because=Text(
            "Cosines lie between −1 and 1, so nobody is far ahead. Divide the scores by "
            "a temperature: at 0.05 Tue has nearly everything.",
            "余弦在 −1 与 1 之间，谁也领先不了多少。"
            "把分数除以温度，温度到了 0.05，周二几乎得到全部。",
        ),
        wrong=[
            (
                100,
                Text(
                    "To be first is not to have everything: Mon and Wed have 0.62.",
                    "排第一并不等于全拿，周一和周三也有 0.62 分。",
                ),
            ),
            (
                14.3,
                Text(
                    "That is an equal share, as if all scores were equal.",
                    "那是七天平分，要所有的分数都相等才行。",
                ),
            ),
        ],
    ),
    "learned": ChoiceRecord(
        text=Text(
            "Two scores train on 400 questions: which of six keys is the *nearest*? "
            "Guessing gets 17% right. How many does the bilinear score get right after 150 steps?",
            "两种评分各用 400 道题训练，每道题要从六个键里找出*最近*的一个，瞎猜能对 17%。"
            "训练 150 步之后，双线性评分能答对多少？",
        ),
        options={
            "over 90%": Text("over 90%", "90% 以上"),
            "less than half": Text("less than half", "不到一半"),
            "guessing": Text("no more than guessing", "和瞎猜差不多"),
        },
        answer=_share_of_right_answers,
        because=Text(
            "It has no region for Middleton, trained or not. Now choose *additive*, go "
            "back to 0 steps, and watch one grow.",
            "训练也好，不训练也好，它都没有给中村留出区域。"
            "现在选“加性”，回到 0 步，看中村的区域怎样长出来。",
        ),
        wrong={
            "over 90%": Text(
                "Where the nearest key lies among the others, it cannot choose it.",
                "如果最近的键被别的键围在里面，它就选不中。",
            ),
            "guessing": Text(
                "It learns what a dot product knows: the direction is often right.",
                "点积能做到的它都学得会，而方向常常是对的。",
            ),
        },
        at={"score": "bilinear", "step": 8},
    ),
    "cost": ChoiceRecord(
        text=Text(
            "256 words attend to 256 words. The additive score takes 1.5 times the "
            "multiplications of the dot product. How much more does it keep for the gradients?",
            "256 个词对 256 个词做注意力，加性评分的乘法次数是点积的 1.5 倍。"
            "为了求梯度，它要留存的数是点积的多少倍？",
        ),
        options={
            "1.5 times": Text("about 1.5 times as much", "1.5 倍左右"),
            "10 times": Text("10 times", "10 倍"),
            "100 times": Text("over 100 times", "100 倍以上"),
        },
        answer=_times_as_much_memory,
        because=Text(
            "It keeps a vector for every pair, not just for every word. Make the text "
            "longer: the memory grows with the square of its length.",
            "它为每一对词都留一个向量，而不只是为每个词。把文章加长看看，内存按长度的平方增长。",
        ),
        wrong={
            "1.5 times": Text(
                "Multiplications are no guide: what is added up at once need not be kept.",
                "边乘边加的数用过就扔，并不留存。",
            ),
            "10 times": Text(
                "More: there are 256 × 256 pairs, but only 512 words.",
                "还要多，因为词只有 512 个，配对却有 256 × 256 个。",
            ),
        },
    ),
    "decoder": ChoiceRecord(
        text=Text(
            "A decoder writes word by word: one query at a time, 16 keys, large vectors. "
            "Which score multiplies most?",
            "解码器逐词输出，一次只有一个查询，键有 16 个，向量的维数很大。哪种评分的乘法最多？",
        ),
        options={
            "dot": Text("dot product", "点积"),
            "scaled_dot": Text("scaled dot product", "缩放点积"),
            "bilinear": Text("bilinear", "双线性"),
            "gaussian": Text("Gaussian", "高斯"),
            "additive": Text("additive", "加性"),
        },
        answer=_most_multiplications,
        because=Text(
            "With few pairs it is the maps that cost. W meets one query, W_k all 16 "
            "keys; so W_k k should be kept from word to word.",
            "配对很少，开销就都在映射上。W 只乘一个查询，W_k 却要乘全部 16 个键，"
            "所以 W_k k 算出来之后应当一直留着。",
        ),
        wrong={
            "dot": Text(
                "16 products of vectors cost little beside a matrix.",
                "16 个点积，每个不过一千来次乘法。",
            ),
            "scaled_dot": Text(
                "16 products of vectors cost little, and so does dividing them by √d.",
                "除以 √d 只多出一点点，16 个点积本来就不多。",
            ),
            "bilinear": Text(
                "W is a million numbers, but only one query goes through it.",
                "W 虽然有一百万个数，要经过它的却只有一个查询。",
            ),
            "gaussian": Text(
                "16 differences cost no more than 16 products.",
                "算 16 个距离，与算 16 个点积差不多，都用不了多少次乘法。",
            ),
        },
    ),
    "agree": ChoiceRecord(
        text=Text(
            "Here both scores give the same weights to two decimals: w_v has been "
            "fitted, for this place and two more. Walk to the lower left: what do the two scores "
            "still have in common?",
            "在这里，两种评分的权重到小数点后两位都一样，因为我们为这里和另外两处"
            "专门求出了 w_v。你走到左下方去，两种评分的结果会怎样？",
        ),
        options={
            "weights": Text("all weights", "权重仍然相同"),
            "winner": Text("the winner", "只有胜出的村子相同"),
            "neither": Text("not even the winner", "连胜出的村子也不同"),
        },
        answer=_what_stays_equal,
        because=Text(
            "Fifteen pairs have been fitted, and no dot product has been learnt. Where "
            "are the other two places? Try (−1, 0.5) and (0.5, −1.5).",
            "求出的参数只适合那十五对，并没有学会点积。另外两处在 (−1, 0.5) 和 "
            "(0.5, −1.5)，可以走过去看看。",
        ),
        wrong={
            "weights": Text(
                "A hidden unit bends, a dot product does not; they meet where they must.",
                "隐藏单元会弯，点积不会，所以只在指定的地方相合。",
            ),
            "winner": Text(
                "Not even that. Look at the two rows.", "请看那两行，最大的权重不在同一个村子。"
            ),
        },
        at={"queries": [[[-2.0, -1.0]]]},
    ),
    "sum": ChoiceRecord(
        text=Text(
            "This score just adds: wᵀ(q + k). Walk where you like: "
            "how many of the five towns can you make the winner?",
            "这种评分只做加法，即 wᵀ(q + k)。你可以随便走，五个村子里有几个能因此胜出？",
        ),
        options={
            "all": Text("all five", "五个都能"),
            "outer": Text("the four outer ones", "外围的四个"),
            "one": Text("one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "What you add is the same for every town, and softmax sees only "
            "differences. Choose *additive*: a bend after the sum, and the query counts.",
            "查询给每个村子加上的都是同一个数，而 softmax 只看差。"
            "换成“加性”，加完之后有了弯曲，查询就起作用了。",
        ),
        wrong={
            "all": Text(
                "What does the query add to Easton that it does not add to Norton?",
                "查询给东村加上的，与给北村加上的有什么不同？",
            ),
            "outer": Text(
                "That is true of the dot product. A sum does not multiply you with the town.",
                "点积才是这样。相加并没有让你与村子相乘。",
            ),
        },
    ),
    "wind": ChoiceRecord(
        text=Text(
            "The weather has three numbers, a garment two: how warm it is, and how tight. "
            "W, of size 3 × 2, says what each is good for against cold, rain and wind. What is "
            "worn on a day with nothing but wind?",
            "天气有三个数，衣服只有两个，就是保不保暖、严不严实。3 × 2 的矩阵 W 说明"
            "这两个数对冷、雨、风各有多大用处。只刮风的日子穿哪一件？",
        ),
        options=_CLOTHES,
        answer=_garment_with_most_weight,
        because=Text(
            "Against wind W counts half of both numbers: 2 for the parka, 1.5 for coat "
            "and raincoat. Now let it rain as well.",
            "要挡风，W 把两个数各算一半，冲锋衣得 2，大衣和雨衣都是 1.5。再下点雨看看。",
        ),
        wrong={
            "shirt": Text(
                "It is neither warm nor tight: every score is 0.",
                "衬衫既不保暖也不严实，分数总是 0。",
            ),
            "coat": Text(
                "It is the warmest, but not tight: half of 3.",
                "大衣最保暖，但是不严实，只得 3 的一半。",
            ),
            "raincoat": Text(
                "It is the tightest, but not warm: half of 3.",
                "雨衣最严实，但是不保暖，只得 3 的一半。",
            ),
        },
        at={"queries": [[[0.0, 0.0, 2.0]]]},
    ),
    "few": NumberRecord(
        text=Text(
            "20 questions to learn from, 56 parameters: after 150 steps, how many of the "
            "test questions does the additive score get right?",
            "只有 20 道题可学，参数却有 56 个。训练 150 步之后，加性评分能答对多少测试题？",
        ),
        answer=lambda figure: 100 * figure.stages()["share"],
        tolerance=8,
        because=Text(
            "It has learnt what it was shown. The Gaussian, which learns nothing, gets 100%.",
            "它学会的只是见过的题。高斯评分什么也不学，却能答对 100%。",
        ),
        wrong=[
            (
                100,
                Text(
                    "On questions that it has seen, perhaps. These are new ones.",
                    "见过的题也许能全对，测试题却是新的。",
                ),
            ),
            (90.6, Text("That took 400 questions.", "那要用 400 道题来训练。")),
        ],
        at={"step": 8},
        unit="%",
        slider=(0, 100, 1),
    ),
    "farther": ChoiceRecord(
        text=Text(
            "You stay, and Easton moves twice as far away from the cross, to (4, 0.6). By "
            "which score does it lose weight?",
            "你不动，东村搬到离十字两倍远的 (4, 0.6)。按哪种评分，它的权重会变小？",
        ),
        options={
            "dot": Text("by the dot product", "按点积"),
            "gaussian": Text("by the Gaussian", "按高斯"),
            "additive": Text("by the additive", "按加性"),
            "none": Text("by none", "都不会"),
        },
        answer=_score_by_which_the_farther_loses,
        because=Text(
            "Length pays for dot products, and for this additive score as far as tanh "
            "lets it. Only the Gaussian asks whether Easton is near you.",
            "模长大，点积就占便宜；在这里的加性评分里也是，不过到 tanh 饱和为止。"
            "只有高斯评分在意东村离你近不近。",
        ),
        wrong={
            "dot": Text(
                "The product with a vector twice as long is twice as large.",
                "向量长了一倍，点积也大了一倍。",
            ),
            "additive": Text(
                "It asks whether Easton is farther east than you: more so than before.",
                "它问的是东村是不是比你更靠东，现在更是了。",
            ),
            "none": Text(
                "You did not move. What does the Gaussian say?",
                "你没有动，东村却走远了，按高斯会怎样？",
            ),
        },
        at={"keys_": _FARTHER},
    ),
}
