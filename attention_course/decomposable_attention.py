"""Record the sentences and questions of chapter 9's figures, and build their models."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from attention_course import thread
from attention_course.nli import LABELS, Pair, Vocabulary, aligned_model
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import PlaceQuestion
from attention_lib.decomposable import DecomposableAttention


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
    model, vocabulary = _with_vectors(vectors)
    pair = torch.tensor([[1.0, 1.0]])
    beyond = torch.tensor([[0.0, 1, 0, -1], [0, -1, 0, 1]])
    model.G = nn.Sequential(_linear(beyond), nn.ReLU(), _linear(pair, [-2.0]), nn.ReLU())
    model.H = nn.Sequential(_linear(torch.tensor([[0.0, 0], [0, 0], [20, 20]]), [3.0, 0, 0]))
    return model.eval(), vocabulary


def mia_model(lang: Lang) -> tuple[DecomposableAttention, Vocabulary, list[Pair]]:
    """Return a model that aligns the two sentences of the book, and the pair of them.

    The second sentence has the queries. Each word is a vector of three numbers: how much it is a
    person, a thing and an event. F takes absolute values; G and H are zero.

    >>> model, vocabulary, [(found, lost, _)] = mia_model("en")
    >>> _ = model(vocabulary.encode([found])[0], vocabulary.encode([lost])[0])
    >>> model.attention_weights[0][0, 1]  # found
    tensor([0.0174, 0.9479, 0.0174, 0.0174], dtype=torch.float64)
    """
    vectors = _KINDS_OF_WORDS.into(lang)
    first, second = thread.words(lang).pair
    space = {"en": " ", "zh": ""}[lang]
    words = {x: vectors.get(x, _NO_KIND) for x in (*second, *first) if x not in ".。"}
    model, vocabulary = _with_vectors({word.lower(): vector for word, vector in words.items()})
    _predict_nothing(model)
    return model.eval(), vocabulary, [Pair(space.join(second), space.join(first), LABELS[1])]


def untrained(vectors: Tensor, vocabulary: Vocabulary, lang: Lang) -> tuple[Any, ...]:
    """Return a model that aligns the words of `kinds` by their neighbours and predicts nothing.

    Its vocabulary has these words only, so that a figure of it is small.
    """
    kinds = _KINDS.into(lang)
    small = Vocabulary(kinds.values(), lexicon=vocabulary.words)
    rows = torch.stack([vectors[vocabulary.words.index(w)] for w in small.words])
    model = aligned_model(rows)
    nn.init.zeros_(model.embedding.weight)
    _predict_nothing(model)
    return model.eval(), small, [Pair(**kinds, label=LABELS[1])]


def bounds(right: Tensor) -> str:
    """Return the multiples of 5% between which a share lies; more digits differ between CPUs.

    >>> bounds(torch.tensor([True, True, True, False]))
    '75–80%'
    """
    steps = min(int(20 * right.double().mean() + 1e-9), 19)
    return f"{5 * steps}–{5 * steps + 5}%"


def _with_vectors(vectors: Mapping[str, list[float]]) -> tuple[DecomposableAttention, Vocabulary]:
    """Make a model whose words have these vectors, and whose F takes absolute values."""
    vocabulary = Vocabulary([*vectors], lexicon=[*vectors])
    (size,) = {len(vector) for vector in vectors.values()}
    model = DecomposableAttention(len(vocabulary), size, num_hiddens=1).double()
    eye = torch.eye(size)
    model.F = nn.Sequential(
        _linear(torch.cat([eye, -eye])), nn.ReLU(), _linear(torch.cat([eye, eye], dim=1))
    )
    model.embedding.weight.data.zero_()
    for word, vector in vectors.items():
        place = vocabulary.words.index(word)
        model.embedding.weight.data[place] = torch.tensor(vector).double()
    return model, vocabulary


def _predict_nothing(model: DecomposableAttention) -> None:
    """Replace G and H by small ones whose outputs are 0."""
    model.G = nn.Sequential(nn.Linear(2 * model.embedding_size, 1))
    model.H, model.num_hiddens = nn.Sequential(nn.Linear(2, 3)), 1
    for parameter in (*model.G.parameters(), *model.H.parameters()):
        nn.init.zeros_(parameter)
    model.double()


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
    now = figure.attention_weights[0, 1, 2]
    with figure._in_state({"hypothesis": _RUNS.into(figure.lang)}):
        before = figure.attention_weights[0, 1, 2]
    return {1: "more", 0: "same", -1: "less"}[int((now - before).round(decimals=9).sign())]


def _spread(figure: Any) -> str:
    """Say how the word that is shown spreads its weight."""
    weights = figure.attention_weights[0, figure.word]
    if not weights.any():
        return "none"
    return "equal" if torch.allclose(weights, weights.mean()) else "one"


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

# How much a word is a person, a thing and an event, by its token in the thread.
_PERSON, _THING, _EVENT, _NO_KIND = [2.0, 0, 0], [0.0, 2, 0], [0.0, 0, 2], [0.0, 0, 0]
_HALF_A_PERSON, _HALF_A_THING, _OPPOSITE = [1.0, 0, 0], [0.0, 1, 0], [0.0, 0, -2]
_KINDS_OF_WORDS: Translated[Mapping[str, list[float]]] = Translated(
    {
        **{"Mia": _PERSON, "lost": _OPPOSITE, "her": _HALF_A_PERSON, "key": _THING},
        **{"She": _PERSON, "found": _EVENT, "it": _THING, "garden": _HALF_A_THING},
    },
    {
        **{"小雨": _PERSON, "丢了": _OPPOSITE, "钥匙": _THING},
        **{"她": _PERSON, "找到了": _EVENT, "它": _THING, "花园": _HALF_A_THING},
    },
)
# The words that *found* can look at.
_FIRST: Translated[Mapping[str, str]] = Translated(
    {"Mia": "Mia", "lost": "lost", "her": "her", "key": "key"},
    {"Mia": "小雨", "lost": "丢了", "one": "一", "measure": "把", "key": "钥匙"},
)

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
    "lead": ChoiceRecord(
        text=Text(
            "A trained model reads two sentences. *park* is not in the second. Which word there "
            "does *park* look at most?",
            "我们把两句话输入训练好的模型。后一句里没有“*公园*”，那么“*公园*”最关注后一句的哪个词"
            "？",
        ),
        options=_PLACES,
        answer=lambda figure: [*_PLACES.into(figure.lang)][_place_looked_at(figure)],
        because=Text(
            "*park* and *outdoors* both say where. To the model these words are just two "
            "different numbers, but the words around them show that they belong together.",
            "“*公园*”和“*户外*”指的都是地点。模型看到的只是两个不同的编号，但是可以根据左右相邻的"
            "词把二者对应起来。",
        ),
        wrong=Translated(
            {
                "an": "*an* is what *a* and *the* look at most: they are articles too.",
                "animal": "*animal* is what *dog* looks at most: both words say who.",
                "is": "*is* is what the *is* of the first sentence looks at most.",
                "at": "*at* is what the *at* of the first sentence looks at most.",
                "night": "*night* is what *noon* looks at most: both words say when.",
            },
            {
                "an": "前一句里也有“*一只*”，两个“*一只*”互相对应，可是题目问的是“*公园*”。",
                "animal": "“*动物*”对应的是前一句的“*狗*”，这两个词指的都是动物。",
                "night": "“*晚上*”对应的是前一句的“*中午*”，这两个词指的都是时间。",
                "at": "前一句里也有“*在*”，两个“*在*”互相对应，可是题目问的是“*公园*”。",
            },
        ),
        at={"word": Translated(6, 4)},  # *park*
        kind=PlaceQuestion,
    ),
    "hand": ChoiceRecord(
        text=Text(
            "Replace *runs*, (0, −1), by *rests*, (0, 1). How much weight does *sleeps* now give "
            "this word?",
            "我们把“*跑*”(0, −1) 换成“*歇*”(0, 1)。“*睡*”给这个词的权重会怎样变化？",
        ),
        options={
            "more": Text("more", "变大"),
            "same": Text("as much as before", "不变"),
            "less": Text("less", "变小"),
        },
        answer=_change_of_the_last_weight,
        because=Text(
            "`F` takes absolute values, which are the same for *runs* and *rests*, so the "
            "weight stays the same. Only `G` sees that the clash is gone.",
            "`F` 取绝对值之后，“*跑*”和“*歇*”变得一样，所以权重不变。`G` 用的仍是原来的向量，所以"
            "能看出冲突消失了。",
        ),
        wrong={
            "more": Text(
                "Without `F` the dot product would give *rests* more weight, because *sleeps* and "
                "*rests* point the same way.",
                "“*睡*”和“*歇*”方向相同，直接做点积，权重确实会变大，但别忘了先要经过 `F`。",
            ),
            "less": Text(
                "A shorter vector, such as *walks*, (0, −0.5), would get less weight.",
                "如果换成“*走*”(0, −0.5)，向量变短，权重才会变小。",
            ),
        },
        at={"hypothesis": _RESTS},
    ),
    "mia": ChoiceRecord(
        text=Text(
            "The vector of *found* is (0, 0, 2), and that of *lost* is (0, 0, −2). Which word of "
            "the first sentence does *found* look at most?",
            "“*找到了*”的向量是 (0, 0, 2)，“*丢了*”的向量是 (0, 0, −2)。“*找到了*”最关注前一句里"
            "的哪个词？",
        ),
        options=_FIRST,
        answer=lambda figure: [*_FIRST.into(figure.lang)][_place_looked_at(figure)],
        because=Text(
            "`F` drops the sign, so the score of *found* with *lost* is 2 · 2 = 4, and every "
            "other score of *found* is 0.",
            "`F` 去掉了正负号，所以“*找到了*”与“*丢了*”的分数是 2 × 2 = 4，与其他词的分数都是 0。",
        ),
        wrong=Translated(
            {
                "Mia": "*Mia* is what *She* looks at most: both words name a person.",
                "her": "*her* has to do with a person, so *She* gives it a little weight and "
                "*found* next to none.",
                "key": "*key* is what *it* looks at most: both words name a thing, but *found* "
                "is an event.",
            },
            {
                "Mia": "“*小雨*”和“*她*”指的都是人，互相对应；“*找到了*”说的是一件事。",
                "one": "“*一*”的三个数都是 0，与每个词的分数也都是 0。",
                "measure": "“*把*”的三个数都是 0，与每个词的分数也都是 0。",
                "key": "“*钥匙*”和“*它*”指的都是物，互相对应；“*找到了*”说的是一件事。",
            },
        ),
        at={"word": Translated(1, 4)},  # *found*
        kind=PlaceQuestion,
    ),
    "nothing_alike": ChoiceRecord(
        text=Text(
            "Move the slider to *in*: all three numbers of this word are 0. Which words get its "
            "weight?",
            "请把滑块移到“*在*”，这个词的三个数都是 0。“*在*”把权重分给了哪些词？",
        ),
        options={
            "equal": Text("all words of the first sentence, equally", "平均分给前一句的每个词"),
            "none": Text("no word at all", "哪个词都没分到"),
            "one": Text("mostly a single word", "主要分给一个词"),
        },
        answer=_spread,
        because=Text(
            "All scores of *in* are 0, and equal scores get equal weights. Softmax makes every "
            "row sum to 1, even the row of a word that has no counterpart.",
            "“*在*”的分数全都是 0，分数相等，权重也就相等。经过 softmax，每一行的权重之和都是 1，"
            "即使没有对应的词也不例外。",
        ),
        wrong={
            "none": Text(
                "A row has no weight only if a mask hides all its keys, and here there is no mask.",
                "所有的键都被掩蔽时，才会哪个词都分不到权重，这里没有用掩码。",
            ),
            "one": Text(
                "A single word gets most of the weight when its score is far above the others, "
                "as for *found*.",
                "要让权重集中，得有一个词的分数远高于其他词，就像“*找到了*”那样。",
            ),
        },
        at={"word": Translated(3, 1)},  # *in*
    ),
    "near": ChoiceRecord(
        text=Text(
            "The model has not seen any label yet; it knows each word by its neighbours alone. "
            "Which word does *guitar* look at most?",
            "这时模型还没有见过标签，只知道每个词左右常常出现哪些词。“*吉他*”最关注哪个词？",
        ),
        options=_COUNTERPARTS,
        answer=lambda figure: [*_COUNTERPARTS][_place_looked_at(figure)],
        because=Text(
            "*guitar* and *piano* both come after *playing the* in the sentences, so to the "
            "model the two words are alike.",
            "在训练用的句子里，“*吉他*”和“*钢琴*”前面都是“*弹*”，所以模型认为这两个词相近。",
        ),
        wrong={
            "noon": Text(
                "*noon* is what *night* looks at most: both words come after *at*.",
                "“*中午*”指的是时间，对应的是“*晚上*”。",
            ),
            "bedroom": Text(
                "*bedroom* is what *kitchen* looks at most: both words come after *in the*.",
                "“*卧室*”指的是地点，对应的是“*厨房*”。",
            ),
            "cat": Text(
                "*cat* is what *dog* looks at most: both words say who plays.",
                "“*猫*”指的是动物，对应的是“*狗*”。",
            ),
        },
        at={"word": 2},
        kind=PlaceQuestion,
    ),
    "swap": ChoiceRecord(
        text=Text(
            "Premise and hypothesis change places. All scores between words stay the same. What "
            "does the model say?",
            "现在交换前提和假设，词与词之间的分数都不变。模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "`H` reads the two sums in a fixed order, so the model knows which sentence claims "
            "more. An animal that is outdoors need not be a dog, and need not run.",
            "`H` 的输入是两个总和，二者的次序是固定的，所以模型知道哪一句说得更具体。户外的动物不"
            "一定是狗，也不一定在奔跑。",
        ),
        wrong={
            "entailment": Text(
                "Entailment was right before the change: the dog in the park is now in the "
                "hypothesis.",
                "蕴涵是交换之前的答案，现在公园里的狗换到了假设里。",
            ),
            "contradiction": Text(
                "A contradiction comes from words that rule each other out, but both sentences "
                "can be true.",
                "两句话可以同时为真，并不矛盾。",
            ),
        },
        at={"premise": _OUTDOORS, "hypothesis": _RUNNING},
    ),
    "order": ChoiceRecord(
        text=Text(
            "*A man is chasing a dog.* Does it follow that a dog is chasing a man? What "
            "does the model say?",
            "由“*一只狗在追一只猫*”能推出“*一只猫在追一只狗*”吗？模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "Every word finds itself, wherever it stands, and a sum has no order. To the model "
            "the hypothesis says the same as the premise.",
            "每个词都能在另一句里找到自己，求和又与次序无关，所以在模型看来，假设与前提完全相同。",
        ),
        wrong={
            "neutral": Text(
                "Neutral is what a model that sees the order of the words would say.",
                "如果能分辨词序，就应该回答中立，可这个模型分辨不了词序。",
            ),
            "contradiction": Text(
                "A contradiction comes from a clash of two words, but every word of the premise "
                "is there again.",
                "前提里的词在假设里都出现了，没有两个词互相冲突。",
            ),
        },
        at={"hypothesis": _DOG_CHASES},
    ),
    "clash": ChoiceRecord(
        text=Text(
            "The hypothesis is the premise, with *night* in place of *noon*. What does the "
            "model say?",
            "这里的假设照抄了前提，只把“*中午*”换成“*晚上*”，其余的词都不变。模型会怎样回答？",
        ),
        options=_LABELS,
        answer=_label,
        because=Text(
            "*noon* and *night* look at each other, and the sum keeps what `G` makes of them.",
            "“*中午*”和“*晚上*”互相关注，`G` 根据二者的冲突算出的结果会保留在总和里。",
        ),
        wrong={
            "entailment": Text(
                "Entailment is what the eight equal words give, but they never outvote a clash.",
                "光看相同的词，模型确实会判断为蕴涵，可是相同的词再多，也抵消不了一处冲突。",
            ),
            "neutral": Text(
                "Neutral means that something is left open, but the two cannot both be true.",
                "中立是指真假无法确定，可这两句话不能同时为真。",
            ),
        },
        at={
            "hypothesis": Text("A dog is running in the park at night.", "一只狗晚上在公园里奔跑。")
        },
    ),
}
