"""Chapter 9: its sentences, a model made by hand, and what its figures ask before they show.

What is asked and how torch answers it stands once; the words stand side by side.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from attention_course.asking import choice
from attention_course.nli import LABELS, Pair, Vocabulary, aligned_model
from attention_figures import Number, Place, Question
from attention_lib.decomposable import DecomposableAttention

Lang = Literal["en", "zh"]

LAST = 30  # epochs of the trainings that are replayed
STEPS = [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, LAST]  # of which these are stored


@dataclass(frozen=True)
class Words:
    """What differs by language, for the figures of the chapter by their names."""

    noon: dict[str, str]  # premise and hypothesis
    met: list[Pair]  # that pair
    by_hand: list[Pair]
    swapped: list[Pair]
    orders: list[Pair]
    kinds: dict[str, str]
    replayed: dict[str, str]  # sentences whose words correspond one to one
    runs: list[str]
    lead: Question
    hand: Question
    near: Question
    swap: Question
    order: Question
    lost: Question
    clash: Question


def words(lang: Lang) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").clash.at
    {'hypothesis': 'A dog is running in the park at night.'}
    """
    say = _SAY[lang]
    first, _, last = (Pair(say["premise"], text, "neutral") for text in say["hypotheses"])
    one, other = say["swapped"]
    there, back = say["chased"]
    return Words(
        noon=say["noon"],
        met=[Pair(**say["noon"], label=LABELS[2])],
        by_hand=[Pair(say["premise"], text, label) for text, label in _labelled(say)],
        swapped=[Pair(one, other, LABELS[0]), Pair(other, one, LABELS[1])],
        orders=[Pair(there, there, LABELS[0]), Pair(there, back, LABELS[1])],
        kinds=say["kinds"],
        replayed=say["replayed"],
        runs=say["runs"],
        lead=choice(say["lead"], _most_of(say["park"]), Place, word=say["park"]),
        hand=choice(say["hand"], _against(first), hypothesis=last.hypothesis),
        near=choice(say["near"], _most_of(2), Place, word=2),
        swap=choice(say["swap"], _answer, premise=other, hypothesis=one),
        order=choice(say["order"], _answer, hypothesis=back),
        lost=Number(
            say["lost"]["text"],
            answer=lambda figure: figure.stages()["found"][0, 1, -1],
            because=say["lost"]["because"],
            at={"run": 1, "step": len(STEPS) - 1},
            tolerance=1.5,
            wrong=[
                (lambda figure: figure.stages()["found"][0, 1, 0], say["lost"]["wrong"][0]),
                (0, say["lost"]["wrong"][1]),
            ],
            slider=(0, say["number"], 1),
        ),
        clash=choice(say["clash"], _answer, hypothesis=say["night"]),
    )


def hand_model(lang: Lang) -> tuple[DecomposableAttention, Vocabulary]:
    """Return the model of the chapter's table: words of two numbers, F takes absolute values.

    G says how far the second numbers of a word and its counterpart are apart, beyond 2, and H calls
    any such clash a contradiction.

    >>> model, vocabulary = hand_model("en")
    >>> premise, hypothesis = (vocabulary.encode([x])[0] for x in ("dog sleeps", "an animal runs"))
    >>> model(premise, hypothesis).argmax().item()  # contradiction
    2
    >>> model.attention_weights[0][0, 1]  # sleeps
    tensor([0.1065, 0.1065, 0.7870], dtype=torch.float64)
    """
    say = _SAY[lang]
    known = list(say["vectors"])
    vocabulary = Vocabulary([*known], lexicon=known)
    model = DecomposableAttention(len(vocabulary), 2, num_hiddens=1).double()
    eye, pair = torch.eye(2).double(), torch.tensor([[1.0, 1.0]]).double()
    beyond = torch.tensor([[0.0, 1, 0, -1], [0, -1, 0, 1]]).double()
    model.F = nn.Sequential(
        _linear(torch.cat([eye, -eye])), nn.ReLU(), _linear(torch.cat([eye, eye], dim=1))
    )
    model.G = nn.Sequential(_linear(beyond), nn.ReLU(), _linear(pair, [-2.0]), nn.ReLU())
    model.H = nn.Sequential(_linear(torch.tensor([[0.0, 0], [0, 0], [20, 20]]), [3.0, 0, 0]))
    model.embedding.weight.data.zero_()
    for word, vector in say["vectors"].items():
        place = vocabulary.words.index(word)
        model.embedding.weight.data[place] = torch.tensor(vector).double()
    return model.eval(), vocabulary


def free_model(vectors: Tensor, neighbours: bool) -> DecomposableAttention:
    """Return a model in which all is learnt, and of which F reads all.

    With neighbours it begins as `aligned_model` does, else at random.
    """
    size, given = vectors.shape
    model = DecomposableAttention(size, 2 * given, num_hiddens=2 * given).to(vectors.dtype)
    if neighbours:
        ours = aligned_model(vectors).state_dict()
        parameters = model.state_dict()  # shared with the model
        parameters["embedding.weight"][:, :given] = ours["vectors"]
        parameters["F.0.weight"].zero_()[:, :given] = ours["F.0.weight"]
        parameters["F.0.bias"].zero_()
    return model


def untrained(vectors: Tensor, vocabulary: Vocabulary, lang: Lang) -> tuple[Any, ...]:
    """Return a model that aligns the words of `kinds` by their neighbours and says nothing of them.

    It has no more words than these, so that a figure of it is small.
    """
    kinds = _SAY[lang]["kinds"]
    small = Vocabulary(kinds.values(), lexicon=vocabulary.words)
    rows = torch.stack([vectors[vocabulary.words.index(w)] for w in small.words])
    model, given = aligned_model(rows), rows.shape[1]
    model.G = nn.Sequential(nn.Linear(4 * given, 1))
    model.H, model.num_hiddens = nn.Sequential(nn.Linear(2, 3)), 1
    for parameter in [model.embedding.weight, *model.G.parameters(), *model.H.parameters()]:
        nn.init.zeros_(parameter)
    return model.double().eval(), small, [Pair(**kinds, label=LABELS[1])]


def bounds(right: Tensor) -> str:
    """Say between which multiples of 5% a share lies: more would differ by the make of a CPU.

    >>> bounds(torch.tensor([True, True, True, False]))
    '75–80%'
    """
    steps = min(int(20 * right.double().mean() + 1e-9), 19)
    return f"{5 * steps}–{5 * steps + 5}%"


def _linear(weight: Tensor, bias: list[float] | None = None) -> nn.Linear:
    layer = nn.Linear(weight.shape[1], weight.shape[0]).double()
    layer.weight.data = weight.double()
    layer.bias.data = torch.tensor(bias or [0.0] * len(weight)).double()
    return layer


def _labelled(say: dict[str, Any]) -> list[tuple[str, str]]:
    return list(zip(say["hypotheses"], (LABELS[2], LABELS[2], LABELS[0]), strict=True))


def _answer(figure: Any) -> int:
    return int(figure.probabilities.argmax())


def _most_of(word: int) -> Callable[[Any], int]:
    return lambda figure: int(figure.attention_weights[0, word].argmax())


def _against(first: Pair) -> Callable[[Any], int]:
    """Tell whether the last word's weight is more than, the same as or less than there."""

    def answer(figure: Any) -> int:
        now, there = figure.attention_weights[0, 1, 2], figure.hypothesis
        figure.hypothesis = first.hypothesis
        before = figure.attention_weights[0, 1, 2]
        figure.hypothesis = there
        return 1 - int((now - before).round(decimals=9).sign())

    return answer


_LABELS_EN = ["entailment", "neutral", "contradiction"]
_LABELS_ZH = ["蕴涵", "中立", "矛盾"]
_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "noon": {
            "premise": "A dog is running in the park at noon.",
            "hypothesis": "An animal is outdoors at night.",
        },
        "park": 6,
        "night": "A dog is running in the park at night.",
        "premise": "dog sleeps",
        "hypotheses": ["an animal runs", "an animal walks", "an animal rests"],
        "vectors": {
            "dog": [2.0, 0.0],
            "sleeps": [0.0, 2.0],
            "an": [0.0, 0.0],
            "animal": [1.0, 0.0],
            "runs": [0.0, -1.0],
            "walks": [0.0, -0.5],
            "rests": [0.0, 1.0],
        },
        "swapped": ["A dog is running in the park.", "An animal is outdoors."],
        "chased": ["A man is chasing a dog.", "A dog is chasing a man."],
        "kinds": {
            "premise": "dog night guitar kitchen",
            "hypothesis": "noon piano bedroom cat",
        },
        "replayed": {
            "premise": "An old man is playing football on the beach at night.",
            "hypothesis": "A young woman is playing tennis in the bedroom at noon.",
        },
        "number": 11,
        "runs": ["all at random", "all learnt", "ours"],
        "lead": {
            "text": "A trained model reads two sentences. *park* is not in the second. Which word "
            "there does it look at most?",
            "options": ["an", "animal", "is", "outdoors", "at", "night"],
            "because": "It has found the other word that says *where*, although to the model the "
            "two are nothing but different numbers.",
            "wrong": {
                0: "*an* says nothing that *park* could be compared with.",
                1: "That is whom *dog* looks at: who, not where.",
                2: "*is* stands in both sentences, and finds itself.",
                4: "*at* introduces a time here.",
                5: "That says when: it is *noon* that looks at it.",
            },
        },
        "hand": {
            "text": "Exchange *runs*, (0, −1), for *rests*, (0, 1). How much does *sleeps* now "
            "look at it?",
            "options": ["more", "as much as before", "less"],
            "because": "`F` takes absolute values, so it cannot tell them apart. `G` can: the "
            "clash is gone.",
            "wrong": {
                0: "The two do agree, but the scores cannot tell.",
                2: "To `F` the two are as much alike as before.",
            },
        },
        "near": {
            "text": "No label has been read yet; the model knows each word by its neighbours "
            "alone. Which word does *guitar* look at?",
            "options": ["noon", "piano", "bedroom", "cat"],
            "because": "Both stand after *playing the*.",
            "wrong": {
                0: "*noon* follows *at*.",
                2: "*bedroom* follows *in the*: one neighbour is the same, the other not.",
                3: "*cat* is who plays, not what.",
            },
        },
        "swap": {
            "text": "Premise and hypothesis change places. The scores of all words stay. What does "
            "the model say?",
            "options": _LABELS_EN,
            "because": "`H` reads the two sums in order, so it knows which sentence claims more. "
            "An animal outdoors need not be a dog, or run.",
            "wrong": {
                0: "The words meet as before, but who claims more has changed.",
                2: "Nothing clashes: both sentences can be true.",
            },
        },
        "order": {
            "text": "*A man is chasing a dog.* Does it follow that a dog is chasing a man? What "
            "does the model say?",
            "options": _LABELS_EN,
            "because": "Every word finds itself, wherever it stands, and a sum has no order. To "
            "the model both hypotheses are the same.",
            "wrong": {
                1: "That would be right. But the model sees no order.",
                2: "It sees no clash: each word is there again.",
            },
        },
        "lost": {
            "text": "*all learnt* begins as ours does, but what `F` reads may change, and fast. At "
            "first all 11 words find their counterpart. How many still do after 30 epochs?",
            "because": "The labels do not ask for counterparts. A right answer needs less.",
            "wrong": [
                "They would stay if the labels rewarded it.",
                "Equal words keep finding each other: that needs no learning.",
            ],
        },
        "clash": {
            "text": "Let the hypothesis be the premise once more, with *night* for *noon*: eight "
            "of nine words agree. What does the model say?",
            "options": _LABELS_EN,
            "because": "*noon* and *night* find each other, and what `G` makes of one clash stays "
            "in the sum.",
            "wrong": {
                0: "Eight agreements do not outvote one clash.",
                1: "Nothing is left open: the two sentences cannot both be true.",
            },
        },
    },
    "zh": {
        "noon": {
            "premise": "一只狗中午在公园里奔跑。",
            "hypothesis": "一只动物晚上在户外。",
        },
        "park": 4,
        "night": "一只狗晚上在公园里奔跑。",
        "premise": "狗睡",
        "hypotheses": ["有动物跑", "有动物走", "有动物歇"],
        "vectors": {
            "狗": [2.0, 0.0],
            "睡": [0.0, 2.0],
            "有": [0.0, 0.0],
            "动物": [1.0, 0.0],
            "跑": [0.0, -1.0],
            "走": [0.0, -0.5],
            "歇": [0.0, 1.0],
        },
        "swapped": ["一只狗在公园里奔跑。", "一只动物在户外。"],
        "chased": ["一只狗在追一只猫。", "一只猫在追一只狗。"],
        "kinds": {
            "premise": "狗，晚上，吉他，厨房",
            "hypothesis": "中午，钢琴，卧室，猫",
        },
        "replayed": {
            "premise": "一个女孩晚上在海滩上看报纸。",
            "hypothesis": "一个孩子中午在公园里弹吉他。",
        },
        "number": 8,
        "runs": ["全部随机", "全部可学", "本章的做法"],
        "lead": {
            "text": "我们让训练好的模型读两句话。“*公园*”没有出现在后一句里，"
            "那么“*公园*”看得最多的是哪个词？",
            "options": ["一只", "动物", "晚上", "在", "户外"],
            "because": "两个词都说在哪里。模型看到的只是两个不同的编号，却让这两个词对上了。",
            "wrong": {
                0: "“*一只*”没有说到地点。",
                1: "那是“*狗*”看的词，说的是谁，不是在哪里。",
                2: "那个词说的是时间，“*中午*”才看它。",
                3: "两句话里都有“*在*”，它找到的是自己。",
            },
        },
        "hand": {
            "text": "我们把“*跑*”(0, −1) 换成“*歇*”(0, 1)。“*睡*”看这个词的权重会怎样变？",
            "options": ["变大", "不变", "变小"],
            "because": "`F` 取绝对值，所以分不出这两个词。`G` 分得出，冲突没有了。",
            "wrong": {
                0: "两个词确实合得上，但从分数里看不出来。",
                2: "对 `F` 来说，相像的程度没有变。",
            },
        },
        "near": {
            "text": "模型还没有看过任何标签，只知道每个词的左右邻居。“*吉他*”看的是哪个词？",
            "options": ["中午", "钢琴", "卧室", "猫"],
            "because": "这两个词的前面都是“*弹*”。",
            "wrong": {
                0: "“*中午*”的前面多半是人或动物，不是“*弹*”。",
                2: "“*卧室*”的前面是“*在*”。",
                3: "“*猫*”回答的是谁，不是什么乐器。",
            },
        },
        "swap": {
            "text": "我们让前提和假设交换位置，各词之间的分数都不变。模型会怎样回答？",
            "options": _LABELS_ZH,
            "because": "`H` 按次序读入两个总和，所以知道哪一句说得更具体。"
            "户外的动物不一定是狗，也不一定在跑。",
            "wrong": {
                0: "对上的词和原来一样，但说得更具体的那一句换了位置。",
                2: "没有冲突，两句话可以同时为真。",
            },
        },
        "order": {
            "text": "“*一只狗在追一只猫。*”能推出“*一只猫在追一只狗*”吗？模型会怎样回答？",
            "options": _LABELS_ZH,
            "because": "每个词不论在哪里都找得到自己，求和又与次序无关，"
            "所以对模型来说这两个假设没有区别。",
            "wrong": {
                1: "按理应当如此，可是模型看不到次序。",
                2: "模型看不出冲突，因为每个词都还在。",
            },
        },
        "lost": {
            "text": "“*全部可学*”的起点和本章的做法一样，只是 `F` 读到的向量也会变，而且变得快。"
            "一开始 8 个词都找到了对应的词，30 轮之后还剩几个？",
            "because": "标签并不要求对齐，要答对题目，用不着找到那么多。",
            "wrong": [
                "只有标签要求对齐，这些词才不会丢。",
                "相同的词不用学也能互相找到。",
            ],
        },
        "clash": {
            "text": "我们把前提再写一遍当作假设，只把“*中午*”换成“*晚上*”，其余的词都相同。"
            "模型会怎样回答？",
            "options": _LABELS_ZH,
            "because": "“*中午*”和“*晚上*”看向了对方，而 `G` 由这一处冲突算出的向量会留在总和里。",
            "wrong": {
                0: "别处再多的一致，也压不倒这一处冲突。",
                1: "这里没有说不准的地方，两句话不能同时为真。",
            },
        },
    },
}
