"""Record the map and the weekdays of chapter 8's figures, and the questions that they ask."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F

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
from attention_figures import ComparisonFigure

# The map: a town in the east, the north, the west, the south, and one among them.
TOWNS = torch.tensor([[[2.0, 0.3], [0.4, 1.6], [-1.5, 0.9], [-0.6, -1.7], [0.3, 0.2]]])
_EAST, _MIDDLE = 0, 4  # of the towns
YOU = torch.tensor([[[1.5, 1.0]]])
CIRCLE = 1.5 * F.normalize(TOWNS, dim=-1)  # the towns, all equally far from the cross
# The towns, Easton twice as far from the cross.
_FARTHER = [[[4.0, 0.6], *TOWNS[0, 1:].double().round(decimals=4).tolist()]]
TURN = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])  # a quarter turn to the left
# How much the asking word refers back, times how much the other word is a person.
PERSON = torch.tensor([[0.0, 0.0], [1.0, 0.0]])
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


def _roles(mia: SimpleNamespace) -> list[str]:
    """Name the words of the sentence by the English words that have the same vectors."""
    same = (mia.vectors[0][:, None] == _MIA.en.vectors[0]).all(-1)
    return [_MIA.en.sentence[int(row.float().argmax())] for row in same]


def _word_that_wins(figure: ComparisonFigure) -> str:
    """Return the English word with the largest weight, by the first score."""
    return _roles(_MIA.zh if figure.lang == "zh" else _MIA.en)[
        int(figure.attention_weights[0, 0].argmax())
    ]


def _scores_by_which_the_name_wins(figure: ComparisonFigure) -> str:
    """Name the scores by which the first word has the largest weight."""
    rows = zip(figure.compared, figure.attention_weights[0], strict=True)
    won = [name for name, row in rows if row.argmax() == 0]
    return {4: "all", 0: "none"}.get(len(won), "".join(won))


def _share_of_tuesday(figure: Any) -> str:
    """Name how much of Monday's weight its next day gets."""
    share = float(figure.attention_weights[0, 0, 1])
    if share > 0.9:
        return "all"
    return "equal" if abs(share - 1 / 7) < 0.01 else "some"


def _with_few_questions(figure: Any) -> str:
    """Compare the share of right answers with guessing and with what is learnt from many."""
    share = float(figure.stages()["share"])
    if share > 0.85:
        return "as well"
    return "worse" if share > 1.5 / 6 else "guessing"


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


_MIA = Translated(thread.words(lang="en"), thread.words(lang="zh"))
# The scores of the word that refers back, by the dot product: with the first word, and with itself.
_NAME, _HER = (
    _MIA.en.vectors[0, i] @ _MIA.en.vectors[0, _MIA.en.pronoun] for i in (0, _MIA.en.pronoun)
)
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
    "asking": Translated(
        [*_MIA.en.sentence, f"{_MIA.en.sentence[_MIA.en.pronoun]} asks"],
        [*_MIA.zh.sentence, f"{_MIA.zh.sentence[_MIA.zh.pronoun]}提问"],
    ),
    "mia": ChoiceRecord(
        text=Text(
            "*her* asks the four words, and *her* is one of them. Under the dot product, which "
            "word gets most of the weight?",
            "“*她*”向包括自己在内的四个词提问。用点积打分，哪个词的权重最大？",
        ),
        options=Translated(
            *(dict(zip(_roles(x), x.sentence, strict=True)) for x in (_MIA.en, _MIA.zh))
        ),
        answer=_word_that_wins,
        because=Text(
            "No word is as much like *her* as *her* itself. The score of *her* with itself is "
            f"{_HER:.1f}, and the score with *Mia* is only {_NAME:.1f}. Now choose *bilinear* as "
            "the score.",
            f"与“*她*”最相似的词就是“*她*”自己，分数是 {_HER:.1f}，“*小雨*”的分数只有 "
            f"{_NAME:.1f}。现在把评分换成“双线性”试试。",
        ),
        wrong=Translated(
            {
                "Mia": "*Mia* is the word that *her* refers to, but a dot product looks for "
                "what is like *her*.",
                "lost": "*lost* wins for queries that point to the lower left.",
                "key": "*key* wins for queries that point to the left.",
            },
            {
                "Mia": "“*她*”指的确实是“*小雨*”，可是点积找的是与“*她*”相似的词。",
                "lost": "要选中“*丢了*”，查询得指向左下方。",
                "key": "要选中“*钥匙*”，查询得指向左边。",
            },
        ),
    ),
    "found": ChoiceRecord(
        text=Text(
            "Go through the four scores. Under which of them does *Mia* win?",
            "请把四种评分都试一遍。用哪几种评分时，“*小雨*”的权重最大？",
        ),
        options={
            "all": Text("all four scores", "四种都可以"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "bilinear": Text("the bilinear score alone", "只有双线性评分"),
            "none": Text("none of the four", "哪一种都不行"),
        },
        answer=_scores_by_which_the_name_wins,
        because=Text(
            "Only the bilinear score multiplies how much *her* refers back by how person-like "
            "each word is, and *Mia* is the most person-like.",
            "只有双线性评分会用“*她*”的纵坐标乘以每个词的横坐标，横坐标最大的词是“*小雨*”。",
        ),
        wrong={
            "all": Text(
                "Under the other three scores *her* finds itself, because no word is more like "
                "*her*.",
                "与“*她*”最相似的词就是“*她*”自己，所以用另外三种评分，找到的都是“*她*”。",
            ),
            "gaussian": Text(
                "Under the Gaussian *her* itself wins, because no word is nearer to *her*.",
                "离“*她*”最近的词就是“*她*”自己，所以用高斯评分，权重最大的也是“*她*”。",
            ),
            "none": Text(
                "Without its matrix W the bilinear score would choose *her* too, but with W it "
                "chooses *Mia*.",
                "另外三种评分确实选不出“*小雨*”，但是别忘了双线性评分有矩阵 W。",
            ),
        },
        at={"score": 3},
    ),
    "choice": ChoiceRecord(
        text=Text(
            "You are the query, the towns are keys, and Middleton lies among the others. The "
            "parameters are fixed. Under which scores can Middleton win somewhere?",
            "你是查询，五个村子是键，中村被另外四个围在中间。各种评分的参数已经固定，用哪些评分时，"
            "你能找到一个位置，使中村的权重最大？",
        ),
        options={
            "every": Text("every score", "每种都可以"),
            "gaussian": Text("the Gaussian alone", "只有高斯评分"),
            "additive and gaussian": Text(
                "the additive score and the Gaussian", "加性评分和高斯评分"
            ),
            "none": Text("none of the scores", "哪一种都不行"),
        },
        answer=_scores_by_which_the_middle_wins,
        because=Text(
            "The Gaussian asks which town is nearest, so every town has a region around "
            "itself, and you now stand in the region of Middleton. Choose *dot product*, and "
            "the outer towns share the whole plane.",
            "高斯评分比较的是距离，每个村子周围都有一块自己的区域，现在你就站在中村的区域里。"
            "换成“点积”看看，整个平面都被外围的村子瓜分了。",
        ),
        wrong={
            "every": Text(
                "Not every score measures nearness. A dot product grows in the direction of the "
                "query, so an outer town is always ahead.",
                "点积并不比较距离。在你这一侧，村子越靠外，点积就越大，所以总有一个外围的村子得分"
                "比中村高。",
            ),
            "additive and gaussian": Text(
                "The additive score can let Middleton win with other parameters, but this one "
                "only asks which town lies farther east and farther north.",
                "换一组参数，加性评分也许能选出中村，但是这里只比较哪个村子更靠东、更靠北。",
            ),
            "none": Text(
                "Middleton cannot win under scores that are linear in the key, but the Gaussian "
                "is not linear.",
                "如果评分关于键是线性的，中村的分数确实不可能最高，可高斯评分不是线性的。",
            ),
        },
        at={"queries": [[[0.3, 0.2]]], "score": 4},
    ),
    "circle": ChoiceRecord(
        text=Text(
            "Each town keeps its direction from the cross, and all five are now equally far "
            "from it. Under the dot product, how many of the five can win?",
            "五个村子方向不变，但是到十字的距离变得一样了。用点积打分，有几个村子能得到最高分？",
        ),
        options={
            "all": Text("all five", "五个都能"),
            "outer": Text("the four outer ones", "原来外围的四个"),
            "one": Text("only one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "On a circle no town lies among the others, and each town wins from its own "
            "direction. Now drag Middleton inwards, and its region shrinks to nothing.",
            "五个村子都在圆上，没有一个被围在中间。你走到哪个村子附近，哪个村子的分数就最高。把中"
            "村往里拖，中村的区域会越来越小，直到消失。",
        ),
        wrong={
            "outer": Text(
                "Middleton no longer lies among the four outer towns: all five are on the circle.",
                "中村现在也在圆上，不再被另外四个村子围在中间了。",
            ),
            "one": Text(
                "One town alone wins only if all five lie in the same direction.",
                "五个村子的方向各不相同，你换一个方向，得分最高的村子也会改变。",
            ),
        },
    ),
    "turned": ChoiceRecord(
        text=Text(
            "You stand due east of the cross, and the dot product chooses Easton, which lies "
            "farthest east. The bilinear score first turns you a quarter turn to the left around "
            "the cross. Which town does it choose?",
            "你站在十字的正东，用点积会选中最靠东的东村。双线性评分先让你绕十字向左转四分之一圈，"
            "再选村子。这时会选中哪个村子？",
        ),
        options=_TOWNS,
        answer=_winner,
        because=Text(
            "A quarter turn to the left takes you from the east to the north, and Norton lies "
            "farthest north. Now walk around the cross: the bilinear score is always a quarter "
            "turn ahead.",
            "向左转四分之一圈，正东就变成正北，最靠北的是北村。绕着十字走一圈看看，双线性评分总比"
            "点积超前四分之一圈。",
        ),
        wrong={
            "east": Text(
                "Easton is the choice of the dot product, which does not turn you.",
                "东村是点积选中的，别忘了双线性评分会先让你转四分之一圈。",
            ),
            "west": Text(
                "Weston is the choice after half a turn.",
                "你多转了四分之一圈，转半圈才会选中西村。",
            ),
            "south": Text(
                "Sutton is the choice after a quarter turn to the right.",
                "你转反了方向，向右转才会选中南村。",
            ),
            "middle": Text(
                "Middleton is near the cross, but the bilinear score does not measure nearness. "
                "It is linear in the key, so an outer town wins.",
                "中村虽然离得近，但双线性评分不比较距离，而且关于键是线性的，得分最高的总是外围的"
                "村子。",
            ),
        },
    ),
    "larger": _share(
        text=Text(
            "One hidden unit asks whether a town lies farther east than you. Three towns do. "
            "What share of the weight goes to Easton, the easternmost?",
            "这个隐藏单元判断村子是否比你更靠东，有三个村子符合条件。其中最靠东的东村会分到多少权"
            "重？",
        ),
        of=_EAST,
        because=Text(
            "Past its step, tanh is flat, so the three towns to the east of you share the weight "
            "equally. Now walk west, and a fourth town joins them.",
            "tanh 过了台阶就变得平坦，所以你东边的三个村子分数几乎相同，权重也就平分了。再往西走"
            "走，第四个村子也会分到权重。",
        ),
        wrong=[
            (
                100,
                Text(
                    "Easton does lie farthest east, but that hardly raises its score above the "
                    "other two.",
                    "东村虽然最靠东，分数却比另外两个村子高不了多少。",
                ),
            ),
            (
                20,
                Text(
                    "A fifth each is right for five towns to the east of you, but only three "
                    "lie there.",
                    "你让五个村子平分了权重，可是你的东边只有三个。",
                ),
            ),
        ],
    ),
    "after": ChoiceRecord(
        text=Text(
            "The days stand on a clock face, one step apart. Mon asks for the next day, so its "
            "query lies right on Tue. Tue scores 1, more than any other day. How much of the "
            "weight does Tue get?",
            "七天像钟点一样排成一圈，每天隔一格。周一要找第二天，查询正好落在周二的位置。"
            "周二的分数是 1，高于其余六天。周二会分到多少权重？",
        ),
        options={
            "all": Text("nearly all of it", "几乎全部"),
            "some": Text("less than half of it, though Tue leads", "比别的天多，但不到一半"),
            "equal": Text("a seventh, like every day", "七分之一，每天都一样"),
        },
        answer=_share_of_tuesday,
        because=Text(
            "Cosines lie between −1 and 1, so Tue leads by only a little: Tue scores 1, and Mon "
            "and Wed score 0.62. Now lower the temperature: at 0.05, Tue gets nearly everything.",
            "余弦介于 −1 与 1 之间，周二的分数是 1，周一和周三也有 0.62，所以周二只领先一点。"
            "把温度降到 0.05 看看，几乎全部权重都会落在周二上。",
        ),
        wrong={
            "all": Text(
                "Nearly all of the weight goes to Tue only if it leads by five or more, but no "
                "cosine exceeds 1.",
                "周二的分数要领先 5 以上，才能得到几乎全部的权重，可余弦最大只有 1。",
            ),
            "equal": Text(
                "A seventh each is what equal scores give.",
                "七天的分数都相等，才会各得七分之一，可周二的分数明明最高。",
            ),
        },
    ),
    "learned": ChoiceRecord(
        text=Text(
            "Two scores train on 400 questions: which of six keys is the *nearest*? "
            "Guessing gets 17% right. How many does the bilinear score get right after 150 steps?",
            "两种评分都用 400 道题训练，每道题要从六个键里找出最近的一个，瞎猜的正确率是 17%。训"
            "练 150 步之后，双线性评分的正确率是多少？",
        ),
        options={
            "over 90%": Text("more than 90%", "90% 以上"),
            "less than half": Text("less than half, but over 17%", "不到一半，但比瞎猜好"),
            "guessing": Text("about 17%", "与瞎猜差不多"),
        },
        answer=_share_of_right_answers,
        because=Text(
            "The bilinear score learns the direction of the nearest key, but Middleton never gets "
            "a region. Choose *additive* and watch one grow.",
            "双线性评分学会了判断最近的键在哪个方向，可是无论怎样训练，中村都不会有自己的区域。"
            "换成“加性”，从第 0 步开始看，中村会渐渐有自己的区域。",
        ),
        wrong={
            "over 90%": Text(
                "More than 90% is out of reach: the nearest key often lies among the others.",
                "最近的键经常像中村那样，被其他键围在中间，所以达不到 90% 以上。",
            ),
            "guessing": Text(
                "Guessing ignores the query's direction, which tells much about the nearest key.",
                "根据查询的方向，可以看出最近的键大致在哪一边，所以总比瞎猜强。",
            ),
        },
        at={"score": "bilinear", "step": 8},
    ),
    "cost": ChoiceRecord(
        text=Text(
            "256 words attend to 256 words. The additive score takes 1.5 times as many "
            "multiplications as the dot product. How much does it keep for the gradients?",
            "查询和键各有 256 个，加性评分的乘法次数是点积的 1.5 倍。为了求梯度，加性评分要保存的"
            "数是点积的多少倍？",
        ),
        options={
            "1.5 times": Text("about 1.5 times as much", "1.5 倍左右"),
            "10 times": Text("about 10 times as much", "10 倍左右"),
            "100 times": Text("over 100 times as much", "100 倍以上"),
        },
        answer=_times_as_much_memory,
        because=Text(
            "The additive score keeps a vector for each of the 256 × 256 pairs of words, and "
            "the dot product keeps only one for each word. Now make the text longer: the "
            "memory grows with the square of its length.",
            "加性评分要为每一对词保存一个向量，一共有 256 × 256 对，点积只为每个词保存一个。把文本"
            "加长看看，内存会按长度的平方增长。",
        ),
        wrong={
            "1.5 times": Text(
                "A factor of 1.5 is right for the multiplications, but products that are added "
                "up at once need not be kept.",
                "乘法次数确实是 1.5 倍，可是边乘边加的中间结果用完就丢，不用保存。",
            ),
            "10 times": Text(
                "A factor of 10 is right for texts of about 20 words: 400 pairs against 40 "
                "vectors.",
                "文本只有 20 个词左右时才是 10 倍，那时要保存的分别是 400 个和 40 个向量。",
            ),
        },
    ),
    "decoder": ChoiceRecord(
        text=Text(
            "A decoder writes word by word: one query at a time, 16 keys, large vectors. "
            "Which score multiplies most?",
            "解码器逐词生成，每次只有一个查询，键有 16 个，向量的维数很高。哪种评分需要的乘法最多"
            "？",
        ),
        options={
            "dot": Text("the dot product", "点积"),
            "scaled_dot": Text("the scaled dot product", "缩放点积"),
            "bilinear": Text("the bilinear score", "双线性评分"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "additive": Text("the additive score", "加性评分"),
        },
        answer=_most_multiplications,
        because=Text(
            "The additive score multiplies all 16 keys by a matrix W_k, and with so few pairs "
            "the matrices cost most. A decoder therefore keeps W_k k from word to word.",
            "加性评分要用矩阵 W_k 乘全部 16 个键。这里配对很少，开销主要来自矩阵乘法，所以解码器"
            "会把算好的 W_k k 保存下来。",
        ),
        wrong={
            "dot": Text(
                "The dot product multiplies little: it has no matrix.",
                "点积没有矩阵，只需要计算 16 个点积，乘法最少。",
            ),
            "scaled_dot": Text(
                "The scaled dot product has no matrix, and dividing by √d costs next to nothing.",
                "缩放点积没有矩阵，除以 √d 也增加不了多少乘法。",
            ),
            "bilinear": Text(
                "The bilinear score multiplies less: its large matrix W meets only the one query.",
                "双线性评分的矩阵 W 虽然大，但是只与一个查询相乘，乘法次数要少一些。",
            ),
            "gaussian": Text(
                "The Gaussian has no matrix, and 16 distances cost no more than 16 dot products.",
                "高斯评分没有矩阵，计算 16 个距离的乘法次数与 16 个点积差不多。",
            ),
        },
    ),
    "agree": ChoiceRecord(
        text=Text(
            "Here both scores give the same weights to two decimals, because w_v has been fitted "
            "for this place and two more. Walk to the lower left. What do the two scores still "
            "have in common there?",
            "我们根据这里和另外两个位置求出了 w_v，使两种评分在这三处的权重前两位小数相同。如果你"
            "走到左下方，结果会怎样？",
        ),
        options={
            "weights": Text("all of the weights", "权重仍然相同"),
            "winner": Text("only the winner", "只有权重最大的村子相同"),
            "neither": Text("not even the winner", "连权重最大的村子也不同"),
        },
        answer=_what_stays_equal,
        because=Text(
            "w_v has been fitted for three places only, and the lower left is none of them, so "
            "the scores choose different towns. Now walk to the other two fitted places, (−1, "
            "0.5) and (0.5, −1.5).",
            "求 w_v 时只用了三个位置，左下方不在其中，所以两种评分在这里选出的村子不同。另外两个"
            "位置是 (−1, 0.5) 和 (0.5, −1.5)，可以走过去看看。",
        ),
        wrong={
            "weights": Text(
                "The additive score has not become a dot product: its hidden units bend, so the "
                "weights agree only where they were fitted.",
                "隐藏单元是非线性的，加性评分并没有变成点积，权重不可能处处相同。",
            ),
            "winner": Text(
                "The winner is the same close to one of the fitted places, but the lower left "
                "is not close to any.",
                "w_v 是根据三个位置求出来的，在这三处附近才会选出同一个村子，左下方离得太远了。",
            ),
        },
        at={"queries": [[[-2.0, -1.0]]]},
    ),
    "sum": ChoiceRecord(
        text=Text(
            "This score just adds: wᵀ(q + k). Walk where you like. How many of the five towns "
            "can you make the winner?",
            "这种评分只做加法，即 wᵀ(q + k)。你可以随便走动，能让五个村子中的几个得到最高分？",
        ),
        options={
            "all": Text("all five", "五个都能"),
            "outer": Text("the four outer ones", "外围的四个"),
            "one": Text("only one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "The query adds the same number to the score of every town, and softmax sees only "
            "differences, so the same town wins wherever you stand. Choose *additive*: with a "
            "bend after the sum your place counts.",
            "查询给每个村子的分数都加上同一个数，softmax 只用到分数之差，所以无论你走到哪里，得分"
            "最高的都是同一个村子。换成“加性”看看，相加之后有了非线性，位置就起作用了。",
        ),
        wrong={
            "all": Text(
                "All five can win under the Gaussian, which gives each town a region.",
                "你想的是高斯评分，那时五个村子各有一块区域，这里只做加法。",
            ),
            "outer": Text(
                "The four outer towns can win under the dot product, which multiplies you with "
                "each town.",
                "你把相加当成了相乘。如果用点积，外围的四个村子才都能得到最高分。",
            ),
        },
    ),
    "wind": ChoiceRecord(
        text=Text(
            "The weather has three numbers, and a garment has two: how warm and how tight it is. "
            "W, a 3 × 2 matrix, says how much each helps against cold, rain and wind. What do "
            "you wear if there is only wind?",
            "天气用三个数表示，衣服用两个数表示，即保暖和严实的程度。3 × 2 的矩阵 W "
            "表示保暖和严实对防寒、防雨、防风各有多大用处。如果只刮风，该穿哪一件？",
        ),
        options=_CLOTHES,
        answer=_garment_with_most_weight,
        because=Text(
            "Against wind, W counts warmth and tightness half each, and the parka's 2 and 2 add "
            "up to more than 3 and 0.",
            "在 W 里，防风靠保暖和严实各占一半。冲锋衣两项都是 2，加起来是 4，大衣和雨衣加起来都"
            "只有 3。再加一点雨试试看。",
        ),
        wrong={
            "shirt": Text(
                "The shirt is neither warm nor tight, so its score is always 0.",
                "衬衫不保暖，也不严实，分数总是 0。",
            ),
            "coat": Text(
                "The coat is the warmest garment and suits a day that is only cold.",
                "大衣最保暖，适合没有风雨的冷天，可这里只刮风。",
            ),
            "raincoat": Text(
                "The raincoat is the tightest garment and suits a day with only rain.",
                "雨衣最严实，适合只下雨的天气，可是刮风时还得保暖。",
            ),
        },
        at={"queries": [[[0.0, 0.0, 2.0]]]},
    ),
    "few": ChoiceRecord(
        text=Text(
            "With 400 questions the additive score learnt to find the *nearest* key. Now it has "
            "20, for 56 parameters. How well does it answer new ones after 150 steps?",
            "加性评分用 400 道题学会了找最近的键。现在只有 20 道题，参数却有 56 个。训练 150 步之"
            "后，新题能答对多少？",
        ),
        options={
            "as well": Text("as well as with 400 questions", "与用 400 道题时一样多"),
            "worse": Text("worse, but better than guessing", "少得多，但比瞎猜好"),
            "guessing": Text("no better than guessing", "与瞎猜差不多"),
        },
        answer=_with_few_questions,
        because=Text(
            "With fewer questions than parameters, the score fits these 20, and only part of "
            "what it learns carries over.",
            "参数比题目还多，加性评分主要是记住了见过的 20 道题，学到的东西只有一部分能用到新题上"
            "。",
        ),
        wrong={
            "as well": Text(
                "The score does as well on its own 20 questions, but these are new.",
                "见过的 20 道题确实答得一样好，可这里考的是新题。",
            ),
            "guessing": Text(
                "The score need not guess: the new questions are of the same kind as the 20.",
                "新题与见过的 20 道题属于同一类，学到的东西总有一些能用上。",
            ),
        },
        at={"step": 8},
    ),
    "farther": ChoiceRecord(
        text=Text(
            "You stay where you are, and Easton moves to (4, 0.6), twice as far from the cross. "
            "Under which of these scores does Easton lose weight?",
            "你站着不动，东村移到 (4, 0.6)，到十字的距离变成原来的两倍。用哪种评分时，"
            "东村的权重会变小？",
        ),
        options={
            "dot": Text("the dot product", "点积"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "additive": Text("the additive score", "加性评分"),
            "none": Text("none of the scores", "哪一种都不会"),
        },
        answer=_score_by_which_the_farther_loses,
        because=Text(
            "Only the Gaussian asks whether Easton is near you, and Easton has moved away from "
            "you.",
            "只有高斯评分是按距离打分的。现在东村离你更远了，权重也就变小了。",
        ),
        wrong={
            "dot": Text(
                "The dot product doubles when the key becomes twice as long, so Easton gains "
                "weight.",
                "东村的模长加倍，点积也跟着加倍，所以权重会变大。",
            ),
            "additive": Text(
                "The additive score grows towards the east, as far as tanh lets it, so Easton "
                "gains weight.",
                "这里的加性评分越往东越大，直到 tanh 饱和为止，所以东村的权重会变大。",
            ),
            "none": Text(
                "Easton gains weight under the other scores, but the Gaussian does not reward "
                "length.",
                "用另外几种评分时，东村的权重确实会变大，但高斯评分并不偏向模长大的键。",
            ),
        },
        at={"keys_": _FARTHER},
    ),
}
