"""Record the sentences and questions of chapter 9's figures, and build its models.

`hand_model` is made by hand; the others are initialised for training.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from attention_course.nli import LABELS, Pair, Vocabulary, aligned_model
from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import PlaceQuestion
from attention_lib.decomposable import DecomposableAttention

LAST = 30  # epochs of the trainings that are replayed
STEPS = [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, LAST]  # the epochs that are stored


def words(lang: Lang) -> SimpleNamespace:
    """Return sentences and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").clash.at
    {'hypothesis': 'A dog is running in the park at night.'}
    """
    return in_language(lang, RECORDS)


def hand_model(lang: Lang) -> tuple[DecomposableAttention, Vocabulary]:
    """Return the model of the chapter's table: words of two numbers, F takes absolute values.

    G returns how far the second numbers of a word and its counterpart are apart, beyond 2, and H
    calls any such clash a contradiction.

    >>> model, vocabulary = hand_model("en")
    >>> premise, hypothesis = (vocabulary.encode([x])[0] for x in ("dog sleeps", "an animal runs"))
    >>> model(premise, hypothesis).argmax().item()  # contradiction
    2
    >>> model.attention_weights[0][0, 1]  # sleeps
    tensor([0.1065, 0.1065, 0.7870], dtype=torch.float64)
    """
    vectors = {word.into(lang): vector for word, vector in _VECTORS.items()}
    known = list(vectors)
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
    for word, vector in vectors.items():
        place = vocabulary.words.index(word)
        model.embedding.weight.data[place] = torch.tensor(vector).double()
    return model.eval(), vocabulary


def free_model(vectors: Tensor, neighbours: bool) -> DecomposableAttention:
    """Return a model that learns all its parameters, and whose F reads whole embeddings.

    With neighbours, its initial state is that of `aligned_model`; otherwise it is random.
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
    """Return a model that aligns the words of `kinds` by their neighbours and predicts nothing.

    Its vocabulary has these words only, so that a figure of it is small.
    """
    kinds = _KINDS.into(lang)
    small = Vocabulary(kinds.values(), lexicon=vocabulary.words)
    rows = torch.stack([vectors[vocabulary.words.index(w)] for w in small.words])
    model, given = aligned_model(rows), rows.shape[1]
    model.G = nn.Sequential(nn.Linear(4 * given, 1))
    model.H, model.num_hiddens = nn.Sequential(nn.Linear(2, 3)), 1
    for parameter in [model.embedding.weight, *model.G.parameters(), *model.H.parameters()]:
        nn.init.zeros_(parameter)
    return model.double().eval(), small, [Pair(**kinds, label=LABELS[1])]


def bounds(right: Tensor) -> str:
    """Return the multiples of 5% between which a share lies; more digits differ between CPUs.

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


def _sentences(premise: Text, hypothesis: Text) -> Translated[dict[str, str]]:
    """Name a premise and a hypothesis as `Pair` does."""
    return Translated(
        {"premise": premise.en, "hypothesis": hypothesis.en},
        {"premise": premise.zh, "hypothesis": hypothesis.zh},
    )


def _pairs(*pairs: tuple[Text, Text, str]) -> Translated[list[Pair]]:
    """Make a `Pair` of each premise, hypothesis and label."""
    return Translated(
        [Pair(premise.en, hypothesis.en, label) for premise, hypothesis, label in pairs],
        [Pair(premise.zh, hypothesis.zh, label) for premise, hypothesis, label in pairs],
    )


def _label(figure: Any) -> str:
    return LABELS[figure.probabilities.argmax()]


def _place_looked_at(figure: Any) -> int:
    """Return the place of the word with most weight, for the word of the premise that is shown."""
    return int(figure.attention_weights[0, figure.word].argmax())


def _change_of_the_last_weight(figure: Any) -> str:
    """Compare the last weight of *sleeps* with what it is for the hypothesis with *runs*."""
    now, hypothesis = figure.attention_weights[0, 1, 2], figure.hypothesis
    figure.hypothesis = _RUNS.into(figure.lang)
    before = figure.attention_weights[0, 1, 2]
    figure.hypothesis = hypothesis
    return {1: "more", 0: "same", -1: "less"}[int((now - before).round(decimals=9).sign())]


_AT_NOON = Text("A dog is running in the park at noon.", "一只狗中午在公园里奔跑。")
_OUTDOORS_AT_NIGHT = Text("An animal is outdoors at night.", "一只动物晚上在户外。")
# The words of this hypothesis, in the order of each language.
_PLACES: Translated[Mapping[str, str]] = Translated(
    {
        "an": "an",
        "animal": "animal",
        "is": "is",
        "outdoors": "outdoors",
        "at": "at",
        "night": "night",
    },
    {"an": "一只", "animal": "动物", "night": "晚上", "at": "在", "outdoors": "户外"},
)

_SLEEPS = Text("dog sleeps", "狗睡")
_RUNS = Text("an animal runs", "有动物跑")
_WALKS = Text("an animal walks", "有动物走")
_RESTS = Text("an animal rests", "有动物歇")
_VECTORS = {
    Text("dog", "狗"): [2.0, 0.0],
    Text("sleeps", "睡"): [0.0, 2.0],
    Text("an", "有"): [0.0, 0.0],
    Text("animal", "动物"): [1.0, 0.0],
    Text("runs", "跑"): [0.0, -1.0],
    Text("walks", "走"): [0.0, -0.5],
    Text("rests", "歇"): [0.0, 1.0],
}

_RUNNING = Text("A dog is running in the park.", "一只狗在公园里奔跑。")
_OUTDOORS = Text("An animal is outdoors.", "一只动物在户外。")
_MAN_CHASES = Text("A man is chasing a dog.", "一只狗在追一只猫。")
_DOG_CHASES = Text("A dog is chasing a man.", "一只猫在追一只狗。")

_KINDS = _sentences(
    Text("dog night guitar kitchen", "狗，晚上，吉他，厨房"),
    Text("noon piano bedroom cat", "中午，钢琴，卧室，猫"),
)
# The words of the hypothesis of _KINDS.
_COUNTERPARTS = {
    "noon": Text("noon", "中午"),
    "piano": Text("piano", "钢琴"),
    "bedroom": Text("bedroom", "卧室"),
    "cat": Text("cat", "猫"),
}

_LABELS = {
    "entailment": Text("entailment", "蕴涵"),
    "neutral": Text("neutral", "中立"),
    "contradiction": Text("contradiction", "矛盾"),
}

RECORDS: dict[str, Record] = {
    "noon": _sentences(_AT_NOON, _OUTDOORS_AT_NIGHT),
    "met": _pairs((_AT_NOON, _OUTDOORS_AT_NIGHT, "contradiction")),
    "by_hand": _pairs(
        (_SLEEPS, _RUNS, "contradiction"),
        (_SLEEPS, _WALKS, "contradiction"),
        (_SLEEPS, _RESTS, "entailment"),
    ),
    "swapped": _pairs((_RUNNING, _OUTDOORS, "entailment"), (_OUTDOORS, _RUNNING, "neutral")),
    "orders": _pairs(
        (_MAN_CHASES, _MAN_CHASES, "entailment"), (_MAN_CHASES, _DOG_CHASES, "neutral")
    ),
    "kinds": _KINDS,
    "replayed": _sentences(
        Text(
            "An old man is playing football on the beach at night.", "一个女孩晚上在海滩上看报纸。"
        ),
        Text(
            "A young woman is playing tennis in the bedroom at noon.",
            "一个孩子中午在公园里弹吉他。",
        ),
    ),
    "runs": Translated(
        ["all at random", "all learnt", "ours"], ["全部随机", "全部可学", "本章的做法"]
    ),
    "lead": ChoiceRecord(
        text=Text(
            "A trained model reads two sentences. *park* is not in the second. Which word "
            "there does it look at most?",
            "我们让训练好的模型读两句话。“*公园*”没有出现在后一句里，"
            "那么“*公园*”看得最多的是哪个词？",
        ),
        options=_PLACES,
        answer=lambda figure: [*_PLACES.into(figure.lang)][_place_looked_at(figure)],
        because=Text(
            "It has found the other word that says *where*, although to the model the "
            "two are nothing but different numbers.",
            "两个词都说在哪里。模型看到的只是两个不同的编号，却让这两个词对上了。",
        ),
        wrong=Translated(
            {
                "an": "*an* says nothing that *park* could be compared with.",
                "animal": "That is whom *dog* looks at: who, not where.",
                "is": "*is* stands in both sentences, and finds itself.",
                "at": "*at* introduces a time here.",
                "night": "That says when: it is *noon* that looks at it.",
            },
            {
                "an": "“*一只*”没有说到地点。",
                "animal": "那是“*狗*”看的词，说的是谁，不是在哪里。",
                "night": "那个词说的是时间，“*中午*”才看它。",
                "at": "两句话里都有“*在*”，它找到的是自己。",
            },
        ),
        at={"word": Translated(6, 4)},  # *park*
        kind=PlaceQuestion,
    ),
    "hand": ChoiceRecord(
        text=Text(
            "Exchange *runs*, (0, −1), for *rests*, (0, 1). How much does *sleeps* now look at it?",
            "我们把“*跑*”(0, −1) 换成“*歇*”(0, 1)。“*睡*”看这个词的权重会怎样变？",
        ),
        options={
            "more": Text("more", "变大"),
            "same": Text("as much as before", "不变"),
            "less": Text("less", "变小"),
        },
        answer=_change_of_the_last_weight,
        because=Text(
            "`F` takes absolute values, so it cannot tell them apart. `G` can: the clash is gone.",
            "`F` 取绝对值，所以分不出这两个词。`G` 分得出，冲突没有了。",
        ),
        wrong={
            "more": Text(
                "The two do agree, but the scores cannot tell.",
                "两个词确实合得上，但从分数里看不出来。",
            ),
            "less": Text(
                "To `F` the two are as much alike as before.", "对 `F` 来说，相像的程度没有变。"
            ),
        },
        at={"hypothesis": _RESTS},
    ),
    "near": ChoiceRecord(
        text=Text(
            "No label has been read yet; the model knows each word by its neighbours "
            "alone. Which word does *guitar* look at?",
            "模型还没有看过任何标签，只知道每个词的左右邻居。“*吉他*”看的是哪个词？",
        ),
        options=_COUNTERPARTS,
        answer=lambda figure: [*_COUNTERPARTS][_place_looked_at(figure)],
        because=Text("Both stand after *playing the*.", "这两个词的前面都是“*弹*”。"),
        wrong={
            "noon": Text("*noon* follows *at*.", "“*中午*”的前面多半是人或动物，不是“*弹*”。"),
            "bedroom": Text(
                "*bedroom* follows *in the*: one neighbour is the same, the other not.",
                "“*卧室*”的前面是“*在*”。",
            ),
            "cat": Text("*cat* is who plays, not what.", "“*猫*”回答的是谁，不是什么乐器。"),
        },
        at={"word": 2},
        kind=PlaceQuestion,
    ),
    "swap": ChoiceRecord(
        text=Text(
            "Premise and hypothesis change places. The scores of all words stay. What does "
            "the model say?",
            "我们让前提和假设交换位置，各词之间的分数都不变。模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "`H` reads the two sums in order, so it knows which sentence claims more. "
            "An animal outdoors need not be a dog, or run.",
            "`H` 按次序读入两个总和，所以知道哪一句说得更具体。"
            "户外的动物不一定是狗，也不一定在跑。",
        ),
        wrong={
            "entailment": Text(
                "The words meet as before, but who claims more has changed.",
                "对上的词和原来一样，但说得更具体的那一句换了位置。",
            ),
            "contradiction": Text(
                "Nothing clashes: both sentences can be true.", "没有冲突，两句话可以同时为真。"
            ),
        },
        at={"premise": _OUTDOORS, "hypothesis": _RUNNING},
    ),
    "order": ChoiceRecord(
        text=Text(
            "*A man is chasing a dog.* Does it follow that a dog is chasing a man? What "
            "does the model say?",
            "“*一只狗在追一只猫。*”能推出“*一只猫在追一只狗*”吗？模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "Every word finds itself, wherever it stands, and a sum has no order. To "
            "the model both hypotheses are the same.",
            "每个词不论在哪里都找得到自己，求和又与次序无关，所以对模型来说这两个假设没有区别。",
        ),
        wrong={
            "neutral": Text(
                "That would be right. But the model sees no order.",
                "按理应当如此，可是模型看不到次序。",
            ),
            "contradiction": Text(
                "It sees no clash: each word is there again.", "模型看不出冲突，因为每个词都还在。"
            ),
        },
        at={"hypothesis": _DOG_CHASES},
    ),
    "lost": NumberRecord(
        text=Text(
            "*all learnt* begins as ours does, but what `F` reads may change, and fast. At "
            "first all 11 words find their counterpart. How many still do after 30 epochs?",
            "“*全部可学*”的起点和本章的做法一样，只是 `F` 读到的向量也会变，而且变得快。"
            "一开始 8 个词都找到了对应的词，30 轮之后还剩几个？",
        ),
        answer=lambda figure: figure.stages()["found"][0, 1, -1],
        tolerance=1.5,
        because=Text(
            "The labels do not ask for counterparts. A right answer needs less.",
            "标签并不要求对齐，要答对题目，用不着找到那么多。",
        ),
        wrong=[
            (
                lambda figure: figure.stages()["found"][0, 1, 0],
                Text(
                    "They would stay if the labels rewarded it.",
                    "只有标签要求对齐，这些词才不会丢。",
                ),
            ),
            (
                0,
                Text(
                    "Equal words keep finding each other: that needs no learning.",
                    "相同的词不用学也能互相找到。",
                ),
            ),
        ],
        at={"run": 1, "step": len(STEPS) - 1},
        slider=Translated((0, 11, 1), (0, 8, 1)),
    ),
    "clash": ChoiceRecord(
        text=Text(
            "Let the hypothesis be the premise once more, with *night* for *noon*: eight "
            "of nine words agree. What does the model say?",
            "我们把前提再写一遍当作假设，只把“*中午*”换成“*晚上*”，其余的词都相同。"
            "模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "*noon* and *night* find each other, and what `G` makes of one clash stays in the sum.",
            "“*中午*”和“*晚上*”看向了对方，而 `G` 由这一处冲突算出的向量会留在总和里。",
        ),
        wrong={
            "entailment": Text(
                "Eight agreements do not outvote one clash.", "别处再多的一致，也压不倒这一处冲突。"
            ),
            "neutral": Text(
                "Nothing is left open: the two sentences cannot both be true.",
                "这里没有说不准的地方，两句话不能同时为真。",
            ),
        },
        at={
            "hypothesis": Text("A dog is running in the park at night.", "一只狗晚上在公园里奔跑。")
        },
    ),
}
