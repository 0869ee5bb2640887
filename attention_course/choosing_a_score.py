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
        [*_MIA.zh.sentence, f"{_MIA.zh.sentence[_MIA.zh.pronoun]}来问"],
    ),
    "mia": ChoiceRecord(
        text=Text(
            "*her* asks the four words, and *her* is one of them. By the dot product, which word "
            "gets most of the weight?",
            "“*她*”向四个词提问，自己也在其中。按点积，哪个词得到的权重最大？",
        ),
        options=Translated(
            *(dict(zip(_roles(x), x.sentence, strict=True)) for x in (_MIA.en, _MIA.zh))
        ),
        answer=_word_that_wins,
        because=Text(
            "Nothing is as much like *her* as *her* itself. The score of *her* with itself is "
            f"{_HER:.1f}, and the score with *Mia* only {_NAME:.1f}. Now choose *bilinear* as "
            "the score.",
            f"最像“*她*”的就是“*她*”自己，“*她*”与自己的分数是 {_HER:.1f}，与“*小雨*”的分数只有"
            f" {_NAME:.1f}。现在请把评分换成“双线性”。",
        ),
        wrong=Translated(
            {
                "Mia": "*Mia* would be right if a dot product looked for the word that *her* "
                "refers to, but it looks for what is like *her*.",
                "lost": "*lost* would be right for a query that points to the lower left.",
                "key": "*key* would be right for a query that points to the left.",
            },
            {
                "Mia": "要是点积找的是“*她*”所指的词，胜出的才会是“*小雨*”，可点积找的是与“*她"
                "*”相像的词。",
                "lost": "除非查询指向左下方，胜出的才会是“*丢了*”。",
                "key": "除非查询指向左方，胜出的才会是“*钥匙*”。",
            },
        ),
    ),
    "found": ChoiceRecord(
        text=Text(
            "As you go through the four scores, by which of them does *Mia* win?",
            "把四种评分逐一换上，按哪些评分，胜出的是“*小雨*”？",
        ),
        options={
            "all": Text("all four scores", "全部四种评分"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "bilinear": Text("the bilinear score alone", "只有双线性评分"),
            "none": Text("none of the four", "没有一种评分"),
        },
        answer=_scores_by_which_the_name_wins,
        because=Text(
            "The bilinear score alone multiplies how much *her* refers back by how much each "
            "word is a person, and *Mia* is most a person.",
            "只有双线性评分拿“*她*”有多像指代，去乘各个词有多像人，而最像人的词就是“*小雨*”。",
        ),
        wrong={
            "all": Text(
                "*Mia* would win by all four scores if *Mia* were the word most like *her*. "
                "But by three of the scores *her* finds itself.",
                "要是最像“*她*”的词是“*小雨*”，才会按四种评分都选“*小雨*”，可按另外三种评分，"
                "“*她*”找到的是自己。",
            ),
            "gaussian": Text(
                "By the Gaussian *her* itself wins, because no word is nearer to *her*.",
                "按高斯评分，胜出的是“*她*”自己，因为没有哪个词离“*她*”更近。",
            ),
            "none": Text(
                "*Mia* would win by no score at all if the bilinear score had no matrix W.",
                "要是双线性评分没有矩阵 W，才会没有一种评分选“*小雨*”，可这里有 W。",
            ),
        },
        at={"score": 3},
    ),
    "choice": ChoiceRecord(
        text=Text(
            "You are the query, the towns are keys, and Middleton lies among the others. Under "
            "which scores can you find a spot from which Middleton wins?",
            "你是查询，各个村子是键，中村被另外四个围在里面。"
            "按哪些评分，你能找到一个位置，让中村胜出？",
        ),
        options={
            "every": Text("every score", "每一种评分"),
            "gaussian": Text("the Gaussian alone", "只有高斯评分"),
            "additive and gaussian": Text(
                "the additive score and the Gaussian", "加性评分和高斯评分"
            ),
            "none": Text("none of the scores", "没有一种评分"),
        },
        answer=_scores_by_which_the_middle_wins,
        because=Text(
            "The Gaussian asks which town is nearest, so every town has a region around "
            "itself, and you now stand in the region of Middleton. Choose *dot product*, and "
            "the outer towns share the whole plane.",
            "高斯评分比的是远近，每个村子周围都有一块自己的区域，现在你就站在中村的区域里。换成"
            "“点积”看看，区域都是楔形，全归外围的村子。",
        ),
        wrong={
            "every": Text(
                "Middleton could win by every score if every score measured nearness. But a "
                "dot product grows along its direction, so that an outer town is always ahead.",
                "要是每种评分比的都是远近，才会每一种都能让中村胜出。可是点积沿着自己的方向一路"
                "增大，总有一个外围的村子排在前面。",
            ),
            "additive and gaussian": Text(
                "Middleton could win by the additive score if it had other parameters, but "
                "this additive score only asks who lies farther east and farther north.",
                "要是加性评分换一组参数，中村才有可能胜出，可这里的加性评分只比谁更靠东、谁更靠"
                "北。",
            ),
            "none": Text(
                "Middleton would win by none of the scores if all of them were linear in the "
                "key, but the Gaussian is not linear.",
                "要是所有的评分对键都是线性的，才会没有一种评分让中村胜出，可高斯评分不是线性的。",
            ),
        },
        at={"queries": [[[0.3, 0.2]]], "score": 4},
    ),
    "circle": ChoiceRecord(
        text=Text(
            "Each town keeps its direction from the cross, and all five are now equally far from "
            "it. By the dot product, how many of the five can win?",
            "各个村子方向不变，到十字的距离全都相等。按点积，五个村子里现在有几个能胜出？",
        ),
        options={
            "all": Text("all five", "五个都能"),
            "outer": Text("the four outer ones", "原来外围的四个"),
            "one": Text("only one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "On a circle no town lies among the others, and each town wins from its own "
            "direction. Now drag Middleton inwards, and its region closes.",
            "在圆上没有村子被围在里面，站到哪个村子的方向上，哪个村子就胜出。把中村往里拖，中村"
            "的区域就越来越小，直到消失。",
        ),
        wrong={
            "outer": Text(
                "The four outer towns alone could win if Middleton still lay among them.",
                "除非中村还被围在里面，才会只有外围的四个能胜出，可现在中村也在圆上。",
            ),
            "one": Text(
                "Only one town would win if all five lay in the same direction.",
                "要是五个村子都在同一个方向上，才会只有一个能胜出，可五个方向各不相同。",
            ),
        },
    ),
    "turned": ChoiceRecord(
        text=Text(
            "You stand due east of the cross, and the dot product chooses Easton, which lies "
            "farthest east. The bilinear score first turns you around the cross, a quarter to the "
            "left. Which town does it choose?",
            "你站在十字的正东。点积选的是最靠东的东村。"
            "双线性评分要先让你绕着十字向左转四分之一圈，那么它会选谁？",
        ),
        options=_TOWNS,
        answer=_winner,
        because=Text(
            "A quarter turn to the left takes you from the east to the north, and Norton lies "
            "farthest north. Now walk around the cross: the bilinear score is always a quarter "
            "turn ahead.",
            "双线性评分先把你的查询向左转四分之一圈，正东就变成正北，而最靠北的是北村。绕着十字走"
            "一圈看看，双线性"
            "评分总是领先四分之一圈。",
        ),
        wrong={
            "east": Text(
                "Easton would be right for the dot product, which does not turn you.",
                "东村是点积评分的结果，而双线性评分要先让你转四分之一圈。",
            ),
            "west": Text(
                "Weston would be right after half a turn.", "除非转半圈，选的才会是西村。"
            ),
            "south": Text(
                "Sutton would be right after a quarter turn to the right.",
                "除非向右转，选的才会是南村，可这里是向左转。",
            ),
            "middle": Text(
                "Middleton would be right if the score asked who is near. But the bilinear "
                "score is linear in the key, so that an outer town wins.",
                "要是比的是远近，才可能选中村。可是双线性评分对键是线性的，胜出的总是外围的村子。",
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
            "Past its step tanh is flat, so the three towns to the east of you share the "
            "weight alike. Now walk west, and a fourth town joins them.",
            "过了台阶，tanh 就平了，所以在你东边的三个村子分数几乎相同，平分权重。往西走走看，"
            "会有第四个村子加入。",
        ),
        wrong=[
            (
                100,
                Text(
                    "All of the weight would go to Easton if a town farther east always scored "
                    "higher.",
                    "要是越靠东分数越高，权重才会全归东村，可 tanh 会变平。",
                ),
            ),
            (
                20,
                Text(
                    "A fifth would be right if all five towns lay to the east of you, but only "
                    "three do.",
                    "要是五个村子都在你的东边，东村才会只分到五分之一，可东边只有三个。",
                ),
            ),
        ],
    ),
    "after": ChoiceRecord(
        text=Text(
            "The days stand on a clock face, one step apart. Mon asks for the day after "
            "it: its query lies right on Tue. Tue has the score 1, and no other day has as much. "
            "How much of the weight does Tue get?",
            "七天排在钟面上，每天隔一格。周一要找它的下一天，所以它的查询正好落在周二上。"
            "周二的分数是 1，比哪一天都高。周二分到多少权重？",
        ),
        options={
            "all": Text("nearly all of it", "几乎全部"),
            "some": Text("less than half of it, though Tue leads", "虽然领先，但不到一半"),
            "equal": Text("a seventh, like every day", "七分之一，每天一样"),
        },
        answer=_share_of_tuesday,
        because=Text(
            "Tue leads by little: its score is 1, and Mon and Wed have 0.62 already, because "
            "cosines lie between −1 and 1. Now lower the temperature: at 0.05 Tue gets nearly "
            "everything.",
            "周二只领先一点，因为余弦在 −1 与 1 之间，周二的分数是 1，周一和周三也有 0.62。接着"
            "把温度调低，温度到了 0.05，周二几乎得到全部。",
        ),
        wrong={
            "all": Text(
                "Nearly all of the weight would be right if the score of Tue were ahead by five or "
                "more.",
                "要是周二的分数领先 5 以上，才会几乎得到全部，可余弦最大是 1。",
            ),
            "equal": Text(
                "A seventh is what equal scores would give.",
                "要是分数全都相等，周二才会只得七分之一。",
            ),
        },
    ),
    "learned": ChoiceRecord(
        text=Text(
            "Two scores train on 400 questions: which of six keys is the *nearest*? "
            "Guessing gets 17% right. How many does the bilinear score get right after 150 steps?",
            "两种评分各用 400 道题训练，每道题要从六个键里找出*最近*的一个，瞎猜能对 17%。"
            "训练 150 步之后，双线性评分能答对多少？",
        ),
        options={
            "over 90%": Text("more than 90%", "90% 以上"),
            "less than half": Text(
                "less than half, but more than guessing", "不到一半，但好过瞎猜"
            ),
            "guessing": Text("no more than guessing", "和瞎猜差不多"),
        },
        answer=_share_of_right_answers,
        because=Text(
            "The bilinear score learns in which direction the nearest key lies, but it gives "
            "Middleton no region, trained or not. Now choose *additive*, go back to 0 steps, "
            "and watch a region for Middleton grow.",
            "双线性评分学会了最近的键在哪个方向，却怎么训练也不会给中村留出区域。现在选“加性”，"
            "回到 0 步，看中村的区域怎样长出来。",
        ),
        wrong={
            "over 90%": Text(
                "More than 90% would be right if the nearest key never lay among the others.",
                "要是最近的键从来不被别的键围在里面，才会答对 90% 以上，可中村就被围在里面。",
            ),
            "guessing": Text(
                "The score would do no better than guessing if the direction of the query told "
                "nothing about the nearest key.",
                "要是查询的方向与最近的键毫无关系，才会和瞎猜差不多，可方向是有用的。",
            ),
        },
        at={"score": "bilinear", "step": 8},
    ),
    "cost": ChoiceRecord(
        text=Text(
            "256 words attend to 256 words. The additive score takes 1.5 times the "
            "multiplications of the dot product. How much does it keep for the gradients?",
            "256 个词对 256 个词做注意力，加性评分的乘法次数是点积的 1.5 倍。"
            "为了求梯度，它要留存的数是点积的多少倍？",
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
            "加性评分为每一对词都留一个向量，配对有 256 × 256 个，而点积只为每个词留一个。把文"
            "章加长看看，内存按长度的平方增长。",
        ),
        wrong={
            "1.5 times": Text(
                "A factor of 1.5 would be right for the multiplications, but products that are "
                "added up at once need not be kept.",
                "1.5 倍是乘法次数之比，而边乘边加的数用过就扔，并不留存。",
            ),
            "10 times": Text(
                "A factor of 10 would be right for texts of about 20 words: 400 pairs against 40 "
                "vectors.",
                "除非文章只有 20 个词左右，配对 400 个，向量 40 个，才会是 10 倍左右。",
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
            "dot": Text("the dot product", "点积"),
            "scaled_dot": Text("the scaled dot product", "缩放点积"),
            "bilinear": Text("the bilinear score", "双线性评分"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "additive": Text("the additive score", "加性评分"),
        },
        answer=_most_multiplications,
        because=Text(
            "The additive score has a matrix W_k for all 16 keys, and with so few pairs the "
            "matrices cost most. A decoder therefore keeps W_k k from word to word.",
            "加性评分的矩阵 W_k 要乘全部 16 个键，而配对很少时，开销主要在矩阵上。所以解码器把 "
            "W_k k 算出来之后一直留着。",
        ),
        wrong={
            "dot": Text(
                "The dot product multiplies little: it has no matrix.",
                "点积没有矩阵，乘法最少，因为算 16 个点积用不了多少次乘法。",
            ),
            "scaled_dot": Text(
                "The scaled dot product has no matrix, and dividing by √d costs next to nothing.",
                "缩放点积没有矩阵，除以 √d 只多出一点点。",
            ),
            "bilinear": Text(
                "The bilinear score multiplies less: its large matrix W meets only the one query.",
                "双线性评分的乘法少一些，因为矩阵 W 虽然大，却只乘一个查询。",
            ),
            "gaussian": Text(
                "The Gaussian has no matrix, and 16 distances cost no more than 16 dot products.",
                "高斯评分没有矩阵，算 16 个距离与算 16 个点积差不多。",
            ),
        },
    ),
    "agree": ChoiceRecord(
        text=Text(
            "Here both scores give the same weights to two decimals: w_v has been "
            "fitted, for this place and two more. Walk to the lower left. What do the two scores "
            "still have in common there?",
            "在这里，两种评分的权重到小数点后两位都一样，因为我们为这里和另外两处"
            "专门求出了 w_v。你走到左下方去，两种评分的结果会怎样？",
        ),
        options={
            "weights": Text("all of the weights", "权重仍然相同"),
            "winner": Text("only the winner", "只有胜出的村子相同"),
            "neither": Text("not even the winner", "连胜出的村子也不同"),
        },
        answer=_what_stays_equal,
        because=Text(
            "w_v has been fitted for three places only, and the lower left is none of them, so "
            "the scores choose different towns. Now walk to the other two fitted places, (−1, "
            "0.5) and (0.5, −1.5).",
            "w_v 只是为三处求出来的，左下方不在其中，所以两种评分在那里选出的村子也不同。另外两"
            "处在 (−1, 0.5) 和 (0.5, −1.5)，可以走过去看看。",
        ),
        wrong={
            "weights": Text(
                "All of the weights would stay equal if the additive score had become a dot "
                "product, but its hidden units bend.",
                "要是加性评分变成了点积，权重才会处处相同。可是隐藏单元会弯，点积不会。",
            ),
            "winner": Text(
                "The winner would be the same close to one of the fitted places, but not here.",
                "除非在求 w_v 用过的位置附近，胜出的村子才会相同，可左下方不在附近。",
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
            "one": Text("only one", "只有一个"),
        },
        answer=_towns_that_can_win,
        because=Text(
            "The query adds the same number to the score of every town, and softmax sees only "
            "differences, so the same town wins wherever you stand. Choose *additive*: with a "
            "bend after the sum your place counts.",
            "查询给每个村子加上的都是同一个数，而 softmax 只看差，所以你走到哪里，胜出的都是同"
            "一个村子。换成“加性”看看，加完之后有了弯曲，位置就起作用了。",
        ),
        wrong={
            "all": Text(
                "All five would be right for the Gaussian, which gives each town a region.",
                "除非按高斯评分，才会五个都能，可这里只做加法。",
            ),
            "outer": Text(
                "The four outer towns would be right for the dot product, which multiplies you "
                "with each town.",
                "除非按点积，才会是外围的四个，可这里只做加法。",
            ),
        },
    ),
    "wind": ChoiceRecord(
        text=Text(
            "The weather has three numbers, a garment two: how warm and how tight it is. W, of "
            "size 3 × 2, says what each is good for against cold, rain and wind. What is worn if "
            "there is only wind?",
            "天气有三个数，衣服只有两个，就是保不保暖、严不严实。3 × 2 的矩阵 W 说明"
            "这两个数对冷、雨、风各有多大用处。只刮风的日子穿哪一件？",
        ),
        options=_CLOTHES,
        answer=_garment_with_most_weight,
        because=Text(
            "Against wind W counts warmth and tightness half each, and the parka's 2 and 2 are "
            "more than 3 and 0.",
            "要挡风，W 把保暖和严实各算一半，冲锋衣的 2 和 2 加起来，比大衣和雨衣的 3 和 0 都多。"
            "再下点雨看看。",
        ),
        wrong={
            "shirt": Text(
                "The shirt is neither warm nor tight, so that its score is always 0.",
                "衬衫既不保暖也不严实，分数总是 0。",
            ),
            "coat": Text(
                "The coat, the warmest, would be right on a day with nothing but cold.",
                "要是这天只是冷，才会穿最保暖的大衣，可这天只刮风。",
            ),
            "raincoat": Text(
                "The raincoat, the tightest, would be right on a day with nothing but rain.",
                "要是这天只下雨，才会穿最严实的雨衣，可这天只刮风。",
            ),
        },
        at={"queries": [[[0.0, 0.0, 2.0]]]},
    ),
    "few": ChoiceRecord(
        text=Text(
            "With 400 questions the additive score learnt to find the *nearest* key. Now it has "
            "20 questions for its 56 parameters. How well does it answer new questions after 150 "
            "steps?",
            "用 400 道题，加性评分学会了找*最近*的键。现在题目只有 20 道，参数却有 56 个。"
            "训练 150 步之后，它能答对多少新题？",
        ),
        options={
            "as well": Text("as well as with 400 questions", "和用 400 道题时一样多"),
            "worse": Text("worse, but better than guessing", "少得多，但好过瞎猜"),
            "guessing": Text("no better than guessing", "和瞎猜差不多"),
        },
        answer=_with_few_questions,
        because=Text(
            "The score has more parameters than questions, so it fits the 20 questions that it "
            "was shown, and only part of what it has learnt carries over to new ones.",
            "参数比题目还多，加性评分学会的主要是见过的 20 道题，只有一部分能用到新题上。",
        ),
        wrong={
            "as well": Text(
                "As good a result would be right for the 20 questions that the score was "
                "trained on, but now the questions are new.",
                "要是考见过的 20 道题，才会一样多，可这里考的是新题。",
            ),
            "guessing": Text(
                "The score would do no better than guessing if the 20 questions had nothing in "
                "common with new ones.",
                "要是见过的题与新题毫无共同之处，才会和瞎猜差不多，可两者是同一类题。",
            ),
        },
        at={"step": 8},
    ),
    "farther": ChoiceRecord(
        text=Text(
            "You stay, and Easton moves twice as far away from the cross, to (4, 0.6). By which "
            "of these scores does Easton lose weight?",
            "你不动，东村搬到离十字两倍远的 (4, 0.6)。按其中哪种评分，东村的权重会变小？",
        ),
        options={
            "dot": Text("the dot product", "点积"),
            "gaussian": Text("the Gaussian", "高斯评分"),
            "additive": Text("the additive score", "加性评分"),
            "none": Text("none of the scores", "没有一种"),
        },
        answer=_score_by_which_the_farther_loses,
        because=Text(
            "Only the Gaussian asks whether Easton is near you, and Easton has moved away from "
            "you.",
            "只有高斯评分看东村离你远不远，而东村离你更远了，所以权重变小。",
        ),
        wrong={
            "dot": Text(
                "The dot product would be right if Easton had moved towards the cross, but a "
                "longer key makes the dot product larger.",
                "要是东村往十字靠拢，按点积算出的权重才会变小，可东村的键长了一倍，点积也大了一倍"
                "。",
            ),
            "additive": Text(
                "The additive score would be right if Easton had moved west, but this score "
                "grows towards the east, as far as tanh lets it.",
                "要是东村往西搬，按加性评分权重才会变小，可这里的加性评分越往东越大，直到 tanh "
                "饱和。",
            ),
            "none": Text(
                "Easton would lose weight by none of the scores if every score rewarded "
                "length, but the Gaussian does not.",
                "要是每种评分都偏向模长大的键，才会没有一种变小，可高斯评分不看模长。",
            ),
        },
        at={"keys_": _FARTHER},
    ),
}
