"""Chapter 8: the map and the weekdays of its figures, and what these ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F

from attention_course.asking import choice
from attention_figures import ComparisonFigure, Number, Question

Lang = Literal["en", "zh"]

# The map: a town in the east, the north, the west, the south, and one among them.
TOWNS = torch.tensor([[[2.0, 0.3], [0.4, 1.6], [-1.5, 0.9], [-0.6, -1.7], [0.3, 0.2]]])
_WIND = [[[0.0, 0.0, 2.0]]]
_EAST, _NORTH, _WEST, _SOUTH, _MIDDLE = range(5)
YOU = torch.tensor([[[1.5, 1.0]]])
CIRCLE = 1.5 * F.normalize(TOWNS, dim=-1)  # the towns, all at one distance
_FARTHER = [[[4.0, 0.6], *TOWNS[0, 1:].double().round(decimals=4).tolist()]]
TURN = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])  # to the left, by a quarter
# Seven days on the face of a clock.
_ANGLES = torch.arange(7) * 2 * torch.pi / 7
DAYS = torch.stack([_ANGLES.sin(), _ANGLES.cos()], dim=-1)[None]


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    towns: list[str]  # five, and you
    days: list[str]  # seven
    clothes: list[str]  # four
    features: list[str]  # three, of the weather
    weather: str
    choice: Question
    circle: Question
    turned: Question
    larger: Question
    after: Question
    learned: Question
    cost: Question
    decoder: Question
    agree: Question
    sum: Question
    wind: Question
    few: Question
    farther: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").towns
    ['东村', '北村', '西村', '南村', '中村', '你']
    """
    say = _SAY[lang]
    towns = {"options": say["towns"][:5]}
    return Words(
        **{name: say[name] for name in ("towns", "days", "clothes", "features", "weather")},
        choice=choice(say["choice"], _where_the_middle_wins, queries=[[[0.3, 0.2]]], score=4),
        circle=choice(say["circle"], _how_many_win),
        turned=choice({**say["turned"], **towns}, _winner),
        larger=_share(say["larger"], of=_EAST, wrong=(100, 20)),
        after=_share(say["after"], of=1, wrong=(100, 14.3)),
        learned=choice(say["learned"], _how_far, score="bilinear", step=8),
        cost=choice(say["cost"], _how_much_memory),
        decoder=choice(say["decoder"], _most_multiplications),
        agree=choice(say["agree"], _how_far_apart, queries=[[[-2.0, -1.0]]]),
        sum=choice(say["sum"], _how_many_win),
        wind=choice({**say["wind"], "options": say["clothes"]}, _takes_most, queries=_WIND),
        few=Number(
            say["few"]["text"],
            answer=lambda figure: 100 * figure.stages()["share"],
            because=say["few"]["because"],
            at={"step": 8},
            tolerance=8,
            wrong=list(zip((100, 90.6), say["few"]["wrong"], strict=True)),
            unit="%",
            slider=(0, 100, 1),
        ),
        farther=choice(say["farther"], _who_loses, keys_=_FARTHER),
    )


def _share(say: dict[str, Any], of: int, wrong: tuple[float, ...]) -> Number:
    """Ask for the share of a key, in percent."""
    return Number(
        say["text"],
        answer=lambda figure: 100 * figure.attention_weights[0, 0, of],
        because=say["because"],
        tolerance=5,
        wrong=list(zip(wrong, say["wrong"], strict=True)),
        unit="%",
        slider=(0, 100, 1),
    )


def _winners(figure: ComparisonFigure) -> list[set[int]]:
    """Which keys win by each score, for queries all over the plane."""
    winners: list[set[int]] = [set() for _ in figure.scores[0]]
    before = figure.queries
    for query in torch.cartesian_prod(*2 * [torch.linspace(-3, 3, 21)]):
        figure.queries = [[query.tolist()]]
        for won, row in zip(winners, figure.scores[0], strict=True):
            won.add(int(row.argmax()))
    figure.queries = before
    return winners


def _where_the_middle_wins(figure: ComparisonFigure) -> int:
    """0: by all of dot, scaled dot, bilinear, additive, gaussian, sum; 1, 2, 3: see there."""
    won = [_MIDDLE in won for won in _winners(figure)]
    gaussian, both = [False] * 4 + [True, False], [False] * 3 + [True, True, False]
    return [[True] * 6, gaussian, both, [False] * 6].index(won)


def _how_many_win(figure: ComparisonFigure) -> int:
    """0: five keys, 1: four, 2: one, by the first score."""
    return {5: 0, 4: 1, 1: 2}[len(_winners(figure)[0])]


def _who_loses(figure: ComparisonFigure) -> int:
    """By which of dot, gaussian, additive Easton loses weight when it moves; 3: by none."""
    far = figure.attention_weights[0, :, _EAST]
    figure.keys_ = TOWNS
    near = figure.attention_weights[0, :, _EAST]
    loses = dict(zip(figure.compared, far < near, strict=True))
    return [*(bool(loses[name]) for name in ("dot", "gaussian", "additive")), True].index(True)


def _takes_most(figure: Any) -> int:
    return int(figure.attention_weights.argmax())


def _winner(figure: ComparisonFigure) -> int:
    return int(figure.scores[0, 0].argmax())


def _how_far(figure: Any) -> int:
    """0: at least 9 of 10 right, 1: less than a half but twice as many as by guessing, 2: else."""
    share = float(figure.stages()["share"])
    return 0 if share > 0.9 else 1 if 1 / 3 < share < 0.5 else 2


def _how_much_memory(figure: Any) -> int:
    """0: about 1.5 times as much, 1: about 10 times, 2: more than 100 times."""
    kept = figure.stages()["kept"].flatten()
    times = float(kept[4] / kept[0])
    return 0 if times < 2 else 1 if times < 20 else 2


def _most_multiplications(figure: Any) -> int:
    return int(figure.stages()["multiplications"].argmax())


def _how_far_apart(figure: ComparisonFigure) -> int:
    """0: weights are equal, 1: the same key wins, 2: another does."""
    one, other = figure.attention_weights[0]
    if torch.allclose(one, other, atol=0.01):
        return 0
    return 1 if one.argmax() == other.argmax() else 2


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "towns": ["Easton", "Norton", "Weston", "Sutton", "Middleton", "you"],
        "clothes": ["shirt", "coat", "raincoat", "parka"],
        "features": ["cold", "rain", "wind"],
        "weather": "The weather",
        "days": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        "choice": {
            "text": "You are the query, the towns are keys. Middleton lies among the others. By "
            "which scores is there a place for you where Middleton wins?",
            "options": [
                "by every score",
                "by the Gaussian alone",
                "by additive and Gaussian",
                "by none",
            ],
            "because": "Here you stand in Middleton: by *Gaussian*, a region lies around every "
            "town. Choose *dot product*: the regions are wedges, and the outer towns share them "
            "all. This additive score only asks who lies farther east and farther north.",
            "wrong": {
                0: "A dot product grows along its direction: an outer town is always ahead.",
                2: "By additive with other parameters, yes. With these, Easton and Norton are "
                "ahead of it.",
                3: "Stand right in Middleton, and look at every row.",
            },
        },
        "circle": {
            "text": "Each town keeps its direction from the cross, and all are equally far from "
            "it. By the dot product, how many of the five can win now?",
            "options": ["all five", "the four as before", "one"],
            "because": "On a circle each key is a corner: stand in the direction of Middleton, and "
            "it wins. Drag it inwards, and its region closes.",
            "wrong": {
                1: "Middleton was inside; now it is on the rim like the others.",
                2: "They are equally far, but not in the same direction.",
            },
        },
        "turned": {
            "text": "You stand due east of the cross. Seen from there, the dot product chooses the "
            "town that lies farthest east, Easton. The bilinear score first turns you around the "
            "cross, a quarter to the left. Whom does it choose?",
            "because": "Turned to the left, east is north, and Norton lies farthest that way. Walk "
            "around the cross: the bilinear score is always a quarter ahead.",
            "wrong": {
                _EAST: "So says the dot product, which does not turn you.",
                _WEST: "That would be half a turn.",
                _SOUTH: "That would be to the right.",
                _MIDDLE: "It turns you, but stays linear in the key: the outer towns win.",
            },
        },
        "larger": {
            "text": "One hidden unit asks of each town: does it lie farther east than you? Three "
            "do. What share of the weight goes to Easton, the easternmost?",
            "because": "Past the step tanh is flat: far enough is far enough, and three share "
            "alike. Walk west, and a fourth comes in.",
            "wrong": [
                "That would be so if farther were better still. Here the unit is saturated.",
                "Two of the five lie to the west of you, and get nothing.",
            ],
        },
        "after": {
            "text": "The days stand on a clock face, one step apart. Mon asks for the day after "
            "it: its query lies right on Tue, score 1, and no other day has as much. What share "
            "does Tue get?",
            "because": "Cosines lie between −1 and 1, so nobody is far ahead. Divide the scores by "
            "a temperature: at 0.05 Tue has nearly everything.",
            "wrong": [
                "To be first is not to have everything: Mon and Wed have 0.62.",
                "That is an equal share, as if all scores were equal.",
            ],
        },
        "learned": {
            "text": "Two scores train on 400 questions: which of six keys is the *nearest*? "
            "Guessing gets 17% right. How many does the bilinear score get right after 150 steps?",
            "options": ["over 90%", "less than half", "no more than guessing"],
            "because": "It has no region for Middleton, trained or not. Now choose *additive*, go "
            "back to 0 steps, and watch one grow.",
            "wrong": {
                0: "Where the nearest key lies among the others, it cannot choose it.",
                2: "It learns what a dot product knows: the direction is often right.",
            },
        },
        "cost": {
            "text": "256 words attend to 256 words. The additive score takes 1.5 times the "
            "multiplications of the dot product. How much more does it keep for the gradients?",
            "options": ["about 1.5 times as much", "10 times", "over 100 times"],
            "because": "It keeps a vector for every pair, not just for every word. Make the text "
            "longer: the memory grows with the square of its length.",
            "wrong": {
                0: "Multiplications are no guide: what is added up at once need not be kept.",
                1: "More: there are 256 × 256 pairs, but only 512 words.",
            },
        },
        "decoder": {
            "text": "A decoder writes word by word: one query at a time, 16 keys, large vectors. "
            "Which score multiplies most?",
            "options": ["dot product", "scaled dot product", "bilinear", "Gaussian", "additive"],
            "because": "With few pairs it is the maps that cost. W meets one query, W_k all 16 "
            "keys; so W_k k should be kept from word to word.",
            "wrong": {
                0: "16 products of vectors cost little beside a matrix.",
                1: "16 products of vectors cost little, and so does dividing them by √d.",
                2: "W is a million numbers, but only one query goes through it.",
                3: "16 differences cost no more than 16 products.",
            },
        },
        "agree": {
            "text": "Here both scores give the same weights to two decimals: w_v has been "
            "fitted, for this place and two more. Walk to the lower left: what do the two scores "
            "still have in common?",
            "options": ["all weights", "the winner", "not even the winner"],
            "because": "Fifteen pairs have been fitted, and no dot product has been learnt. Where "
            "are the other two places? Try (−1, 0.5) and (0.5, −1.5).",
            "wrong": {
                0: "A hidden unit bends, a dot product does not; they meet where they must.",
                1: "Not even that. Look at the two rows.",
            },
        },
        "sum": {
            "text": "This score just adds: wᵀ(q + k). Walk where you like: "
            "how many of the five towns can you make the winner?",
            "options": ["all five", "the four outer ones", "one"],
            "because": "What you add is the same for every town, and softmax sees only "
            "differences. Choose *additive*: a bend after the sum, and the query counts.",
            "wrong": {
                0: "What does the query add to Easton that it does not add to Norton?",
                1: "That is true of the dot product. A sum does not multiply you with the town.",
            },
        },
        "wind": {
            "text": "The weather has three numbers, a garment two: how warm it is, and how tight. "
            "W, of size 3 × 2, says what each is good for against cold, rain and wind. What is "
            "worn on a day with nothing but wind?",
            "because": "Against wind W counts half of both numbers: 2 for the parka, 1.5 for coat "
            "and raincoat. Now let it rain as well.",
            "wrong": {
                0: "It is neither warm nor tight: every score is 0.",
                1: "It is the warmest, but not tight: half of 3.",
                2: "It is the tightest, but not warm: half of 3.",
            },
        },
        "few": {
            "text": "20 questions to learn from, 56 parameters: after 150 steps, how many of the "
            "test questions does the additive score get right?",
            "because": "It has learnt what it was shown. The Gaussian, which learns nothing, gets "
            "100%.",
            "wrong": [
                "On questions that it has seen, perhaps. These are new ones.",
                "That took 400 questions.",
            ],
        },
        "farther": {
            "text": "You stay, and Easton moves twice as far away from the cross, to (4, 0.6). By "
            "which score does it lose weight?",
            "options": ["by the dot product", "by the Gaussian", "by the additive", "by none"],
            "because": "Length pays for dot products, and for this additive score as far as tanh "
            "lets it. Only the Gaussian asks whether Easton is near you.",
            "wrong": {
                0: "The product with a vector twice as long is twice as large.",
                2: "It asks whether Easton is farther east than you: more so than before.",
                3: "You did not move. What does the Gaussian say?",
            },
        },
    },
    "zh": {
        "towns": ["东村", "北村", "西村", "南村", "中村", "你"],
        "clothes": ["衬衫", "大衣", "雨衣", "冲锋衣"],
        "features": ["冷", "雨", "风"],
        "weather": "天气",
        "days": ["周一", "周二", "周三", "周四", "周五", "周六", "周日"],
        "choice": {
            "text": "你是查询，各个村子是键，中村被另外四个围在里面。"
            "按哪些评分，你能找到一个位置，让中村胜出？",
            "options": ["按每种评分都能", "只有高斯", "加性和高斯", "都不能"],
            "because": "现在你就站在中村，评分是“高斯”，每个村子周围都有一块区域。换成“点积”，"
            "区域都是楔形，全归外围的村子。这里的加性评分只比谁更靠东、谁更靠北。",
            "wrong": {
                0: "点积沿着自己的方向一路增大，所以总有一个外围的村子排在前面。",
                2: "加性评分换一组参数是可以的；按现在的参数，东村和北村总排在中村前面。",
                3: "正好站到中村，再看看每一行。",
            },
        },
        "circle": {
            "text": "各个村子方向不变，到十字的距离全都相等。按点积，五个村子里现在有几个能胜出？",
            "options": ["五个都能", "原来那四个", "只有一个"],
            "because": "在圆上每个键都是顶点，站到中村的方向上，胜出的就是它。"
            "把它往里拖，它的区域就越来越小，直到消失。",
            "wrong": {
                1: "中村原先在里面，现在和别的村子一样到了边上。",
                2: "它们一样远，方向却不同。",
            },
        },
        "turned": {
            "text": "你站在十字的正东。点积选的是最靠东的东村。"
            "双线性评分要先让你绕着十字向左转四分之一圈，那么它会选谁？",
            "because": "向左一转，东就成了北，而最靠北的是北村。绕着十字走一圈，"
            "双线性评分总是领先四分之一圈。",
            "wrong": {
                _EAST: "点积才这样选，因为它不让你转。",
                _WEST: "那要转半圈。",
                _SOUTH: "那是向右转。",
                _MIDDLE: "转了之后，评分对键仍然是线性的，胜出的还是外围的村子。",
            },
        },
        "larger": {
            "text": "一个隐藏单元对每个村子都问同一个问题：它是不是比你更靠东？"
            "有三个村子是。最靠东的东村分到多少权重？",
            "because": "过了台阶，tanh 就平了，只要够远，再远也一样，所以三个村子平分。"
            "往西走走看，会有第四个加入。",
            "wrong": [
                "那是越远越好的情形，可是这里的隐藏单元已经饱和了。",
                "有两个村子在你西边，它们什么也分不到。",
            ],
        },
        "after": {
            "text": "七天排在钟面上，每天隔一格。周一要找它的下一天，所以它的查询正好落在周二上，"
            "分数是 1，比哪一天都高。周二分到多少权重？",
            "because": "余弦在 −1 与 1 之间，谁也领先不了多少。"
            "把分数除以温度，温度到了 0.05，周二几乎得到全部。",
            "wrong": [
                "排第一并不等于全拿，周一和周三也有 0.62 分。",
                "那是七天平分，要所有的分数都相等才行。",
            ],
        },
        "learned": {
            "text": "两种评分各用 400 道题训练，每道题要从六个键里找出*最近*的一个，瞎猜能对 17%。"
            "训练 150 步之后，双线性评分能答对多少？",
            "options": ["90% 以上", "不到一半", "和瞎猜差不多"],
            "because": "训练也好，不训练也好，它都没有给中村留出区域。"
            "现在选“加性”，回到 0 步，看中村的区域怎样长出来。",
            "wrong": {
                0: "如果最近的键被别的键围在里面，它就选不中。",
                2: "点积能做到的它都学得会，而方向常常是对的。",
            },
        },
        "cost": {
            "text": "256 个词对 256 个词做注意力，加性评分的乘法次数是点积的 1.5 倍。"
            "为了求梯度，它要留存的数是点积的多少倍？",
            "options": ["1.5 倍左右", "10 倍", "100 倍以上"],
            "because": "它为每一对词都留一个向量，而不只是为每个词。把文章加长看看，"
            "内存按长度的平方增长。",
            "wrong": {
                0: "边乘边加的数用过就扔，并不留存。",
                1: "还要多，因为词只有 512 个，配对却有 256 × 256 个。",
            },
        },
        "decoder": {
            "text": "解码器逐词输出，一次只有一个查询，键有 16 个，向量的维数很大。"
            "哪种评分的乘法最多？",
            "options": ["点积", "缩放点积", "双线性", "高斯", "加性"],
            "because": "配对很少，开销就都在映射上。W 只乘一个查询，W_k 却要乘全部 16 个键，"
            "所以 W_k k 算出来之后应当一直留着。",
            "wrong": {
                0: "16 个点积，每个不过一千来次乘法。",
                1: "除以 √d 只多出一点点，16 个点积本来就不多。",
                2: "W 虽然有一百万个数，要经过它的却只有一个查询。",
                3: "算 16 个距离，与算 16 个点积差不多，都用不了多少次乘法。",
            },
        },
        "agree": {
            "text": "在这里，两种评分的权重到小数点后两位都一样，因为我们为这里和另外两处"
            "专门求出了 w_v。你走到左下方去，两种评分的结果会怎样？",
            "options": ["权重仍然相同", "只有胜出的村子相同", "连胜出的村子也不同"],
            "because": "求出的参数只适合那十五对，并没有学会点积。另外两处在 (−1, 0.5) 和 "
            "(0.5, −1.5)，可以走过去看看。",
            "wrong": {
                0: "隐藏单元会弯，点积不会，所以只在指定的地方相合。",
                1: "请看那两行，最大的权重不在同一个村子。",
            },
        },
        "sum": {
            "text": "这种评分只做加法，即 wᵀ(q + k)。你可以随便走，五个村子里有几个能因此胜出？",
            "options": ["五个都能", "外围的四个", "只有一个"],
            "because": "查询给每个村子加上的都是同一个数，而 softmax 只看差。"
            "换成“加性”，加完之后有了弯曲，查询就起作用了。",
            "wrong": {
                0: "查询给东村加上的，与给北村加上的有什么不同？",
                1: "点积才是这样。相加并没有让你与村子相乘。",
            },
        },
        "wind": {
            "text": "天气有三个数，衣服只有两个，就是保不保暖、严不严实。3 × 2 的矩阵 W 说明"
            "这两个数对冷、雨、风各有多大用处。只刮风的日子穿哪一件？",
            "because": "要挡风，W 把两个数各算一半，冲锋衣得 2，大衣和雨衣都是 1.5。再下点雨看看。",
            "wrong": {
                0: "衬衫既不保暖也不严实，分数总是 0。",
                1: "大衣最保暖，但是不严实，只得 3 的一半。",
                2: "雨衣最严实，但是不保暖，只得 3 的一半。",
            },
        },
        "few": {
            "text": "只有 20 道题可学，参数却有 56 个。训练 150 步之后，加性评分能答对多少测试题？",
            "because": "它学会的只是见过的题。高斯评分什么也不学，却能答对 100%。",
            "wrong": [
                "见过的题也许能全对，测试题却是新的。",
                "那要用 400 道题来训练。",
            ],
        },
        "farther": {
            "text": "你不动，东村搬到离十字两倍远的 (4, 0.6)。按哪种评分，它的权重会变小？",
            "options": ["按点积", "按高斯", "按加性", "都不会"],
            "because": "模长大，点积就占便宜；在这里的加性评分里也是，不过到 tanh 饱和为止。"
            "只有高斯评分在意东村离你近不近。",
            "wrong": {
                0: "向量长了一倍，点积也大了一倍。",
                2: "它问的是东村是不是比你更靠东，现在更是了。",
                3: "你没有动，东村却走远了，按高斯会怎样？",
            },
        },
    },
}
