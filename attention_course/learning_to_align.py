"""Replay the trainings of chapter 11 in figures, and ask questions about them.

`benchmarks.alignments` has stored the weights and answers during each training. The decoder that
translates a sentence of the thread is made by hand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
from attention_course.dates import Sentence, compose, figure_model
from attention_course.measured import load_measured
from attention_course.records import ChoiceRecord, Lang, Text, Translated
from attention_figures import (
    ChoiceQuestion,
    CurvesFigure,
    DatesFigure,
    Figure,
    PlaceQuestion,
    ReadingFigure,
    SelectionFigure,
)

_SAME, _OTHER, _REVERSED = 0, 1, 4  # indices of the stored sentences
_DAY_ZERO, _MONTH, _YEAR = 8, 6, 3  # places in an answer: the day's first digit, the last ones
_ADDITIVE, _DOT, _FIXED = 0, 1, 2  # indices of the runs
_SMALLEST, _SMALL, _USUAL = 0, 1, 2  # indices of the sizes of a state


def figure(name: str, lang: Lang) -> Figure:
    """Return a figure of the chapter, with its question, and what it asks after it has moved.

    Args:
        name: "mia", "month", "own", "signed", "asks", "curves", "sizes", "heaviest", "zero",
            "exchanged" or "dates".
        lang: language of the sentences and texts.

    Raises:
        KeyError: there is no such figure.
        ValueError: lang is neither "en" nor "zh".
    """
    shown = _FIGURES[name](training(lang), name, lang)
    record = RECORDS[name]
    question = record.into(lang, shown) if isinstance(record, _TokenRecord) else record.into(lang)
    shown.ask(_at_the_end(question, shown))
    return shown.ask_after_moving(SEEN[name].into(lang)) if name in SEEN else shown


def training(lang: Lang) -> dict[str, Any]:
    """Return the stored steps, models and sentences of the trainings in a language.

    Raises:
        ValueError: lang is neither "en" nor "zh".
    """
    return load_measured(f"alignments-{lang}")


def days(*numbers: int, lang: Lang, word: str | None = None) -> list[tuple[Sentence, int]]:
    """Return a sentence about days of May 2014, each with the place of a word in it.

    Args:
        numbers: the days.
        lang: language of the sentence.
        word: the word; None means the one for the month.

    Raises:
        KeyError: lang is neither "en" nor "zh".
        ValueError: there is no such word in the sentence.

    >>> [one.text for one, _ in days(3, 13, lang="en")]
    ['Paid? Paid on 3 May 2014.', 'Paid? Paid on 13 May 2014.']
    >>> [one.tokens[place] for one, place in days(3, 13, lang="zh")]
    ['月', '月']
    >>> [place for _, place in days(3, 13, lang="zh", word="日")]
    [13, 14]
    """
    style, month = {"en": (4, "May"), "zh": (1, "月")}[lang]
    told = [compose(lang, 1, [(1, date(2014, 5, number), style)]) for number in numbers]
    return [(one, one.tokens.index(word or month)) for one in told]


def _reading(stored: dict[str, Any], name: str, lang: Lang) -> ReadingFigure:
    which, place, handle, names = {
        "month": (_SAME, _MONTH, "step", ["additive", "dot"]),
        "signed": (_OTHER, _YEAR, "step", ["additive"]),
        "zero": (_SAME, _MONTH, "place", ["additive", "dot"]),
        "exchanged": (_REVERSED, _YEAR, "step", ["additive", "dot"]),
    }[name]
    sentence, steps = stored["sentences"][which], stored["steps"]
    replays = [stored["models"][one]["replay"][which] for one in names]
    only = slice(-1, None) if handle == "place" else slice(None)
    return ReadingFigure(
        torch.tensor([replay["weights"][only] for replay in replays]),
        written=[replay["written"][only] for replay in replays],
        tokens=sentence["tokens"],
        answer=sentence["answer"],
        spans=sentence["spans"],
        steps=steps[only],
        runs=[_RUNS[one].into(lang) for one in names],
        place=place,
        handle=handle,
        name=name,
        lang=lang,
    )


def _curves(stored: dict[str, Any], name: str, lang: Lang) -> CurvesFigure:
    names = ["additive", "dot"] if name == "heaviest" else ["additive", "dot", "fixed"]
    of, axis, numbers = {
        "curves": ("right", "steps", stored["steps"]),
        "sizes": ("right", "sizes", stored["sizes"]["numbers"]),
        "heaviest": ("true", "steps", stored["steps"]),
        "dates": ("right", "dates", stored["dates"][1:]),
    }[name]
    return CurvesFigure(
        torch.tensor([_shares(stored, name, model, of)[-len(numbers) :] for model in names]).mT,
        numbers,
        [_RUNS[one].into(lang) for one in names],
        axis=_AXES[axis].into(lang),
        about=_ABOUT[of].into(lang),
        name=name,
        lang=lang,
    )


def _shares(stored: dict[str, Any], name: str, model: str, of: str) -> list[list[float]]:
    """Return the shares of a model, by the number on the axis and then by seed."""
    if name == "sizes":
        by_size: list[list[float]] = stored["sizes"]["right"][model]
        return by_size
    by_seed = stored["models"][model]["by_dates" if name == "dates" else "curves"]
    return [[seen[of] for seen in seeds] for seeds in zip(*by_seed, strict=True)]


def _own(stored: dict[str, Any], name: str, lang: Lang) -> DatesFigure:
    return DatesFigure(figure_model(lang), place=1, name=name)


def _mia(stored: dict[str, Any], name: str, lang: Lang) -> SelectionFigure:
    return SelectionFigure(
        _ASKED.into(lang),
        2 * torch.eye(len(_SOURCE.into(lang)))[None],
        names=_SOURCE.into(lang),
        query_names=_TRANSLATION.into(lang),
        handle="query",
        score="dot",
        name=name,
        lang=lang,
    )


def _asks(stored: dict[str, Any], name: str, lang: Lang) -> SelectionFigure:
    """Show the second look of both decoders, after each of two first words.

    The recurrent step of this example adds what it reads to the state.
    """
    state, read = _BEFORE.into(lang), _READ.into(lang)
    return SelectionFigure(
        torch.cat([state.expand_as(read), state + read])[None],
        2 * torch.eye(len(_SOURCE.into(lang)))[None],
        names=_SOURCE.into(lang),
        query_names=_ASKING.into(lang),
        handle="query",
        score="dot",
        name=name,
        lang=lang,
    )


# Build each figure from the stored trainings, its name and its language.
_FIGURES: dict[str, Callable[[dict[str, Any], str, Lang], Figure]] = {
    "mia": _mia,
    "asks": _asks,
    "own": _own,
    **dict.fromkeys(("month", "signed", "zero", "exchanged"), _reading),
    **dict.fromkeys(("curves", "sizes", "heaviest", "dates"), _curves),
}


def places(tokens: list[str], lang: Lang) -> list[str]:
    """Return names of tokens; a token that occurs more than once is named with its place.

    >>> places(["3", "May", "3"], lang="en")
    ['3 · 0', 'May', '3 · 2']
    >>> places(["3", "月", "3"], lang="zh")
    ['3（位置 0）', '月', '3（位置 2）']
    """
    with_place = _TOKEN_AT_PLACE.into(lang)
    return [
        token if tokens.count(token) == 1 else with_place.format(token=token, place=place)
        for place, token in enumerate(tokens)
    ]


def _at_the_end(question: ChoiceQuestion, shown: Figure) -> ChoiceQuestion:
    """Return a question about the end of the training, without a comment on its right answer.

    The right answer depends on the trained models, which differ between the languages.
    """
    last = {}
    if isinstance(shown, ReadingFigure):
        last = {"step": len(shown.steps) - 1}
    elif isinstance(shown, CurvesFigure):
        last = {"point": len(shown.numbers) - 1}
    at = {**last, **question.at}
    with shown._in_state(at):
        answer = question.answer(shown)
    wrong = {place: text for place, text in question.wrong.items() if place != answer}
    return replace(question, at=at, wrong=wrong)


def _heaviest(figure: Any) -> int:
    return int(figure.attention_weights.argmax())


@dataclass(frozen=True)
class _TokenRecord:
    """A question about the token with the largest weight while the model writes a digit.

    Args:
        text: the question.
        place: of the digit in the answer.
        because: why the answer is right.
        elsewhere: the verdict on tokens that have no other verdict.
        in_span: the verdict on tokens of the span that names the digit.
        wrong: verdicts on single tokens, by the token or its place in the sentence.
    """

    text: Text
    place: int
    because: Text
    elsewhere: Text
    in_span: Text | None = None
    wrong: Translated[Mapping[str | int, str]] = field(default_factory=lambda: Translated({}, {}))

    def into(self, lang: Lang, shown: Any) -> PlaceQuestion:
        """Return the question in a language, about the sentence of a figure."""
        tokens = list(shown.tokens)
        verdicts = [self.elsewhere.into(lang)] * len(tokens)
        if self.in_span:
            for place in range(*shown.spans[self.place]):
                verdicts[place] = self.in_span.into(lang)
        for token, verdict in self.wrong.into(lang).items():
            verdicts[tokens.index(token) if isinstance(token, str) else token] = verdict
        return PlaceQuestion(
            self.text.into(lang),
            options=places(tokens, lang),
            answer=_heaviest,
            because=self.because.into(lang),
            at={"place": self.place},
            wrong=dict(enumerate(verdicts)),
        )


def _heaviest_word(figure: Any) -> str:
    source, options = _SOURCE.into(figure.lang), _SOURCE_OPTIONS.into(figure.lang)
    return {text: name for name, text in options.items()}[source[_heaviest(figure)]]


def _way_of_the_looks(figure: Any) -> str:
    """Say how the word with most weight moves in the source, from step to step."""
    places = []
    for step in range(len(figure.query_names)):
        with figure._in_state({"query": step}):
            places.append(_heaviest(figure))
    moves = [later - before for before, later in pairwise(places)]
    return "stay" if not any(moves) else "back" if min(moves) < 0 else "on"


def _who_knows(figure: Any) -> str:
    """Say whose second look depends on the first word that was written."""
    rows = []
    for step in range(4):
        with figure._in_state({"query": step}):
            rows.append(figure.attention_weights)
    changed = [not torch.allclose(*rows[i : i + 2]) for i in (0, 2)]
    return {(True, False): "Bahdanau", (False, True): "Luong", (True, True): "both"}.get(
        (changed[0], changed[1]), "neither"
    )


def _written_year(figure: Any) -> str:
    return {"1789-07-14": "copied", "1989-07-14": "1989"}.get(figure.written, "another year")


def _written_date(figure: Any) -> str:
    return {x.en: name for name, x in _FEBRUARY.items()}[figure.written]


def _is_right(figure: Any) -> str:
    return "yes" if figure.written[_ADDITIVE][figure.step] == figure.answer else "no"


def _change_of_the_heaviest(figure: Any) -> str:
    """Compare the heaviest key of the day's last digit with that of its first."""
    now = _heaviest(figure)
    with figure._in_state({"place": _DAY_ZERO}):
        before = _heaviest(figure)
    first, end = figure.spans[figure.place]
    return "same" if now == before else "to the digit" if first <= now < end else "away"


def _mean(figure: Any) -> Tensor:
    """Return the mean share of each run (R,) at each number: (R, S)."""
    mean: Tensor = figure.stages()["mean"][0]
    return mean


def _standing_of_the_fixed_state(figure: Any) -> str:
    before, now = _mean(figure)[:, figure.point - 1 : figure.point + 1].T
    if now[_FIXED] > now[:_FIXED].min() - 0.1:
        return "level"
    return "rising" if now[_FIXED] > before[_FIXED] else "never"


def _run_that_gains(figure: Any) -> str:
    mean = _mean(figure)
    gains = mean[:, figure.point] - mean[:, _USUAL]
    return [*_RUNS][int(gains.argmax())] if gains.max() > 0.01 else "none"


def _run_that_loses(figure: Any) -> str:
    mean = _mean(figure)
    additive, dot, _ = mean[:, _SMALL] - mean[:, figure.point]
    return "additive" if additive > dot + 0.05 else "dot" if dot > additive + 0.05 else "both"


def _share_of_true_looks(figure: Any) -> str:
    share = _mean(figure)[_ADDITIVE, figure.point]
    return "all" if share == 1 else "most" if share > 0.5 else "few"


def _with_three_dates(figure: Any) -> str:
    mean = _mean(figure)
    additive, fixed = mean[_ADDITIVE, figure.point], mean[_FIXED, figure.point]
    if additive > mean[_ADDITIVE, 0] - 0.05:
        return "as well"
    return "better" if additive > 2 * fixed else "no better"


_SOURCE = Translated(thread.words("en").pair[0][:-1], thread.words("zh").pair[1][:-1])
_SOURCE_OPTIONS: Translated[Mapping[str, str]] = Translated(
    {word: word for word in _SOURCE.en},
    dict(zip(("She", "at", "garden", "in", "found", "it"), _SOURCE.zh, strict=True)),
)
_TRANSLATION = Translated(
    ["Mia", "hat", "ihren", "Schlüssel", "verloren"],
    ["She", "found", "it", "in", "the", "garden"],
)
# What the decoder's state asks for in each step, made by hand: a number for each source word.
_ASKED = Translated(
    torch.tensor(
        [[[2.0, 0, 0, 0], [0, 1.5, 0, 0], [0, 0, 1.5, 1], [0, 0, 0, 2], [0, 2, 0, 0]]],
    ),
    torch.tensor(
        [
            [
                [2.0, 0, 0, 0, 0, 0],
                [0, 0, 0, 0, 2, 0],
                [0, 0, 0, 0, 0, 2],
                [0, 1.5, 0, 1.25, 0, 0],
                [0, 0, 1.25, 0, 0, 0],
                [0, 0, 2, 0, 0, 0],
            ]
        ],
    ),
)
_RUNS = {
    "additive": Text("additive", "加性"),
    "dot": Text("dot product", "点积"),
    "fixed": Text("fixed state", "固定状态"),
}
_AXES = {
    "steps": Text("steps of training", "训练步数"),
    "sizes": Text("numbers in a state", "状态的大小"),
    "dates": Text("dates in the sentence", "句中的日期数"),
}
_ABOUT = {
    "right": Text("share of answers without a mistake", "全部写对的比例"),
    "true": Text("share of digits whose heaviest key says them", "最重的键正好说出这个数字的比例"),
}
_TOKEN_AT_PLACE = Text("{token} · {place}", "{token}（位置 {place}）")

# The state before the second step, when the first word is not read yet, and what each of two first
# words adds to it.
_BEFORE = Translated(torch.tensor([[0.0, 1, 0, 1]]), torch.tensor([[0.0, 0, 1, 0, 1, 0]]))
_READ = Translated(
    torch.tensor([[0.0, 1, 0, -1], [0, -1, 0, 1]]),
    torch.tensor([[0.0, 0, -1, 0, 1, 0], [0, 0, 1, 0, -1, 0]]),
)
_ASKING = Translated(
    [f"{who}, after {word}" for who in ("Bahdanau", "Luong") for word in ("Mia", "Ihren")],
    [f"{who}，写了 {word} 之后" for who in ("Bahdanau", "Luong") for word in ("She", "In")],
)
_FEBRUARY = {
    "copied": Text("2014-02-30", "2014-02-30"),
    "next month": Text("2014-03-02", "2014-03-02"),
    "last day": Text("2014-02-28", "2014-02-28"),
}

RECORDS: dict[str, ChoiceRecord | _TokenRecord] = {
    "mia": ChoiceRecord(
        text=Text(
            "In German the sentence is *Mia hat ihren Schlüssel verloren*, word for word *Mia has "
            "her key lost*. At which English word does the decoder look most while it writes the "
            "last word?",
            "译成英文是 *She found it in the garden*。写完 *She*，解码器接着要写 *found*。"
            "这时它最看重原文里的哪个词？",
        ),
        options=_SOURCE_OPTIONS,
        answer=_heaviest_word,
        because=Text(
            "*verloren* means *lost*. The decoder's state asks for what has to be written next, "
            "wherever it stands in the source.",
            "*found* 要从“*找到了*”译出来。解码器的状态问的是接下来要写什么，"
            "不管这个词在原文的什么位置。",
        ),
        wrong=Translated(
            {
                "Mia": "*Mia* is where the decoder looked for its first word.",
                "her": "*her* is where the decoder looked two words ago, for *ihren*.",
                "key": "*key* is the last word of the English sentence, and the decoder looked "
                "there for *Schlüssel*.",
            },
            {
                "She": "“*她*”是写 *She* 的时候看的词。",
                "at": "按原文的顺序一个词一个词往下译，接下来才轮到“*在*”。",
                "garden": "“*花园*”要到写 *garden* 的时候才看。",
                "in": "“*里*”和“*在*”一样，要到写 *in* 的时候才看。",
                "it": "“*它*”要到写 *it* 的时候才看。",
            },
        ),
        at={"query": Translated(4, 1)},
        kind=PlaceQuestion,
    ),
    "month": _TokenRecord(
        text=Text(
            "The model is never told where a month stands. After 400 steps it writes 2014-05-03. "
            "At which token does it look most for the *5*?",
            "没有人告诉模型月份在哪里。训练 400 步之后，它写出 2014-05-03。写“*5*”的时候，"
            "它最看重哪个字？",
        ),
        place=_MONTH,
        because=Text(
            "The model was shown right answers only, never a place. A look at the month makes the "
            "answer right, and so training has taught the model to look there.",
            "我们只给模型看过正确的答案，从没有指出过位置。看着月份，答案才会对，"
            "模型就这样学会了看这里。",
        ),
        wrong=Translated(
            {
                "July": "*July* is the month of the other date, but the question is *Paid?*",
                "Paid": "*Paid* tells the model which of the dates to take. The model has read "
                "this word before it begins to write.",
            },
            {
                "7": "“*7*”是另一个日期的月份，而句子一开头问的是何时付款。",
                23: "“*月*”就在旁边，可是说出几月的不是“月”字，而是前面的数字。",
            },
        ),
        elsewhere=Text(
            "A token that does not say the month gets most weight only at the start of the "
            "training, while the weights lie everywhere.",
            "不说月份的字，只有在训练刚开始、权重还到处都是的时候，才可能分到最大的权重。",
        ),
    ),
    "own": ChoiceRecord(
        text=Text(
            "All dates of its training lie between 1950 and 2049. What does it write when the "
            "date is 14 July *1789*?",
            "训练用的日期都在 1950 到 2049 年之间。要是日期换成 *1789* 年 7 月 14 日，"
            "它会写出什么？",
        ),
        options={
            "copied": Text("1789-07-14", "1789-07-14"),
            "1989": Text("1989-07-14", "1989-07-14"),
            "another year": Text("another year", "另一个年份"),
        },
        answer=_written_year,
        because=Text(
            "The model looks at the year, as it should, and still writes a 9, because in all "
            "answers of its training a first 1 was followed by a 9. What it writes depends on what "
            "it reads and on what it has just written.",
            "模型看的确实是年份，写出来的却是 9，因为训练的答案里，"
            "开头的 1 后面从来没有过别的数字。写什么，既取决于读到了什么，也取决于刚写下什么。",
        ),
        wrong={
            "copied": Text(
                "1789 is what the model would write if its output depended only on what it reads.",
                "写什么要是只取决于读到了什么，模型才会照抄 1789。",
            ),
            "another year": Text(
                "The last two digits of the year are like many that the model knows. Only the "
                "century is new to it.",
                "年份的后两位模型都见过，没见过的只有世纪。",
            ),
        },
        at={"year": 1789, "month": 7, "day": 14},
    ),
    "signed": _TokenRecord(
        text=Text(
            "The same sentence, but the question is *Signed?* At which token does the trained "
            "model look most for the last digit of the year?",
            "句子不变，问题改成“*何时签字？*”。写年份的最后一位时，训练好的模型最看重哪个字？",
        ),
        place=_YEAR,
        because=Text(
            "The keys are nearly those of before, but the queries are not. The decoder starts from "
            "all that was read, and the question is part of it.",
            "键几乎没有变，变的是查询。解码器从读完的整句话出发，问题也在这句话里。",
        ),
        wrong=Translated(
            {
                18: "*4* is the last digit of the other year, in which the bill was paid.",
            },
            {
                20: "“*4*”是另一个年份的最后一位，那一年付的款。",
            },
        ),
        elsewhere=Text(
            "Other tokens get most weight while the model writes other digits.",
            "写别的数字时，权重最大的才会是别的字。",
        ),
    ),
    "asks": ChoiceRecord(
        text=Text(
            "German also allows *Ihren Schlüssel hat Mia verloren*. A decoder has just written its "
            "first word, either *Mia* or *Ihren*. In which decoder does the next look depend on "
            "this word?",
            "译文也可以写成 *In the garden she found it*。解码器刚写完第一个词，"
            "可能是 *She*，也可能是 *In*。哪个解码器的下一次注意力会因此不同？",
        ),
        options={
            "Bahdanau": Text("Bahdanau's decoder alone", "只有 Bahdanau 的解码器"),
            "Luong": Text("Luong's decoder alone", "只有 Luong 的解码器"),
            "both": Text("both decoders", "两个解码器都不同"),
            "neither": Text("neither decoder", "两个解码器都相同"),
        },
        answer=_who_knows,
        because=Text(
            "Luong's decoder takes the recurrent step before it looks, and the step reads the word "
            "that was just written. Bahdanau's query is older and has not read it, so its weight "
            "goes to both words that may come next.",
            "Luong 的解码器先走循环这一步，读进刚写下的词，然后才问。"
            "Bahdanau 的查询在这之前就有了，还没有读到这个词，"
            "接下来可能要译的两个词就各分到差不多一半权重。",
        ),
        wrong={
            "Bahdanau": Text(
                "Bahdanau's decoder reads the word too, but in the step that follows its look.",
                "Bahdanau 的解码器也会读这个词，不过是在问过之后的那一步里读。",
            ),
            "both": Text(
                "Both decoders would differ one look later, when both have read the word.",
                "再过一次，两个解码器都读过了这个词，那时才都会不同。",
            ),
            "neither": Text(
                "Equal looks in both decoders would need a step that does not read what was "
                "written.",
                "循环这一步要是不读刚写下的词，两个解码器才都相同。",
            ),
        },
        at={"query": 3},
    ),
    "curves": ChoiceRecord(
        text=Text(
            "Three models learn from the same sentences for 400 steps. The third has no "
            "attention, only one state for the whole sentence. Where does its curve end?",
            "三个模型用同样的句子训练 400 步。第三个没有注意力，整句话只有一个状态。"
            "它的曲线最后到哪里？",
        ),
        options={
            "level": Text("level with the other two", "和另外两条一样高"),
            "rising": Text(
                "far below the other two, and still rising", "远低于另外两条，但还在上升"
            ),
            "never": Text("at 0, and not rising", "停在 0，没有上升"),
        },
        answer=_standing_of_the_fixed_state,
        because=Text(
            "The fixed state must hold the whole sentence in 128 numbers, and the decoder has to "
            "learn to get ten characters out of them. Such a model learns the task later.",
            "固定状态要用 128 个数装下整句话，解码器还得学会从中读出十个字符。"
            "这样的模型学得会，只是要晚一些。",
        ),
        wrong={
            "level": Text(
                "The two models with attention are level with each other, because both may look "
                "at every token again in every step.",
                "一样高的是两个有注意力的模型，因为它们每一步都能回头去看每一个字。",
            ),
            "never": Text(
                "A curve at 0 is what a fixed state of 32 numbers shows, which is too small for "
                "the sentence.",
                "固定状态只有 32 个数的时候，装不下一句话，曲线才会停在 0。",
            ),
        },
    ),
    "sizes": ChoiceRecord(
        text=Text(
            "A state has had 128 numbers so far. Each model gets 256 now, and the same 400 steps. "
            "Which model gains most?",
            "到现在为止，一个状态都是 128 个数。现在每个模型都改成 256 个，仍旧训练 400 步，"
            "哪个模型进步最大？",
        ),
        options={
            "additive": Text("the one with additive attention", "加性注意力的模型"),
            "dot": Text("the one with dot products", "点积注意力的模型"),
            "fixed": Text("the one with a fixed state", "固定状态的模型"),
            "none": Text("none of the three", "三个都没有进步"),
        },
        answer=_run_that_gains,
        because=Text(
            "Without attention one state has to hold the whole sentence, so a larger state helps. "
            "With attention no state has to hold more than its surroundings.",
            "没有注意力，一个状态就得装下整句话，状态越大越好。有了注意力，"
            "每个状态只需记住自己附近的内容。",
        ),
        wrong={
            "additive": Text(
                "Additive attention has all answers right with 128 numbers, so it has nothing left "
                "to gain.",
                "加性注意力用 128 个数已经全部写对，没有可以进步的了。",
            ),
            "dot": Text(
                "The dot product has all answers right with 128 numbers, so it has nothing left "
                "to gain.",
                "点积注意力用 128 个数已经全部写对，没有可以进步的了。",
            ),
            "none": Text(
                "No gain is right for the two models with attention, which have all answers right "
                "with 128 numbers.",
                "没有进步的是两个有注意力的模型，它们用 128 个数已经全部写对。",
            ),
        },
    ),
    "heaviest": ChoiceRecord(
        text=Text(
            "At the end both models write all answers without a mistake. For how many digits does "
            "*additive* attention look most at the token that says the digit?",
            "训练结束时，两个模型都全部答对了。*加性*注意力写数字时，"
            "有多少数字最看重的正是说出它的字？",
        ),
        options={
            "all": Text("all digits", "所有的数字"),
            "most": Text("most digits, but not all", "大多数数字，但不是全部"),
            "few": Text("fewer than half of the digits", "不到一半的数字"),
        },
        answer=_share_of_true_looks,
        because=Text(
            "A right answer needs a state that knows the digit. The state at its own token always "
            "knows it, and the state at a token next to it may know it as well.",
            "要答对，只需找到一个知道这个数字的状态。说出它的字那里的状态当然知道，"
            "隔壁的状态也可能知道。",
        ),
        wrong={
            "all": Text(
                "All digits would be true if the training rewarded looks at the right token. Only "
                "right answers are rewarded.",
                "训练要是奖励看对地方，才会所有的数字都看对。可是训练只奖励写对答案。",
            ),
            "few": Text(
                "Fewer than half is where the training starts, while the weights lie everywhere.",
                "不到一半是训练刚开始的情形，那时权重还到处都是。",
            ),
        },
    ),
    "zero": _TokenRecord(
        text=Text(
            "The day is *3*, and the model writes *03*. At which token does it look most for the "
            "day's *0*?",
            "日子是“*3*”，模型写出“*03*”。写其中的“*0*”时，它最看重哪个字？",
        ),
        place=_DAY_ZERO,
        because=Text(
            "No token says 0. The model only has to know that the day has one digit, and the state "
            "at *May* has just read the *3*.",
            "句子里没有哪个字说出 0。模型只需知道日子是一位数，而从后往前读的 GRU 到“*月*”时，"
            "已经读过后面的“3日”了。",
        ),
        wrong=Translated(
            {
                12: "The state at *on* could know it as well, from the GRU that reads backwards, "
                "but this model looks on the other side of the day.",
            },
            {
                25: "“*日*”的状态也可以知道，不过这个模型看的是日子的另一侧。",
            },
        ),
        in_span=Text(
            "The token *3* says the day, and the model looks there for the *3* of its answer. For "
            "the *0* another state will do.",
            "日子是由“*3*”说出来的，写答案里的“3”时看的正是这里。写“0”却用不着。",
        ),
        elsewhere=Text(
            "Tokens farther away belong to other parts of the sentence. The model looks nearer to "
            "the day.",
            "离得远的字说的是别的内容，模型看的地方离日子更近。",
        ),
    ),
    "exchanged": ChoiceRecord(
        text=Text(
            "In all sentences of its training, *sent* came before *due*. Now *due* comes first. "
            "Does the trained additive model still write the date it is asked for?",
            "训练用的句子里，发货总是说在到期前面。现在先说到期。"
            "训练好的加性模型还能写出所问的日期吗？",
        ),
        options={
            "yes": Text("yes, 2014-05-03", "能，写出 2014-05-03"),
            "no": Text("no, something else", "不能，写出别的"),
        },
        answer=_is_right,
        because=Text(
            "*due* had always been the second date, and the model has learnt to take the second "
            "date. It looks at the right parts of the wrong date.",
            "模型学会的是位置，而不是去找所问的词。遇到没见过的顺序，答案就不可靠了。",
        ),
        wrong={
            "yes": Text(
                "The right date is what a model would write that looks for the word *due*. In "
                "training it was never necessary to look for it.",
                "模型要是学会了去找“到期”这个词，换了顺序也能写对。"
                "可是训练的时候，不去找也总能答对。",
            ),
        },
    ),
    "dates": ChoiceRecord(
        text=Text(
            "The models were trained on two dates, and now they meet three. How many sentences "
            "does *additive* attention get right?",
            "训练时每句两个日期，现在有三个。*加性*注意力能写对多少？",
        ),
        options={
            "as well": Text("as many as with two dates", "和两个日期时一样多"),
            "better": Text(
                "fewer, but many more than the fixed state",
                "少了，但还是比固定状态多得多",
            ),
            "no better": Text("no more than the fixed state", "不比固定状态多"),
        },
        answer=_with_three_dates,
        because=Text(
            "Additive attention has learnt to take the first or the second date, and a third one "
            "comes in between. Where the date that is asked for keeps its place, the model reads "
            "it as before.",
            "加性注意力学会的是取第一个或者第二个日期，第三个日期一来就乱了。"
            "所问的日期要是还在原来的位置，模型照样读得出来。",
        ),
        wrong={
            "as well": Text(
                "As many as before is what a model would get right that looks for the word in the "
                "question.",
                "模型要是学会了去找所问的词，才会和原来一样多。",
            ),
            "no better": Text(
                "The fixed state loses most, because it has to hold a longer sentence in as many "
                "numbers as before.",
                "错得最多的是固定状态，因为它要用同样多的数装下更长的句子。",
            ),
        },
        at={"point": 1},  # three dates
    ),
}
# What is asked after the reader has moved a figure.
SEEN: dict[str, ChoiceRecord] = {
    "mia": ChoiceRecord(
        text=Text(
            "Go from the first word of the translation to the last. How does the largest weight "
            "move in the English sentence?",
            "从译文的第一个词一步步走到最后一个词。权重最大的词在原文里是怎样移动的？",
        ),
        options={
            "on": Text("on to a later word each time", "一直往后移"),
            "back": Text("back to an earlier word at one step", "有一次又回到前面的词"),
            "stay": Text("nowhere, because it stays on one word", "停在一个词上不动"),
        },
        answer=_way_of_the_looks,
        because=Text(
            "*hat* and *verloren* both look at *lost*, with *her* and *key* in between. An "
            "alignment need not follow the order of the source.",
            "写 *found* 和 *it* 时看的是句末的“*找到了*”和“*它*”，写 *in* 时又回到前面的“*在*”。"
            "对齐不必按原文的顺序走。",
        ),
        wrong={
            "on": Text(
                "Always later is what a translation gives that keeps the order of the words, as in "
                "*Mia lost her key* itself.",
                "译文的词序和原文相同，权重最大的词才会一直往后移。",
            ),
            "stay": Text(
                "One word for all steps is what a decoder gets whose query never changes.",
                "每一步的查询都一样，权重最大的词才会停着不动。",
            ),
        },
        at={"query": Translated(4, 3)},
    ),
    "own": ChoiceRecord(
        text=Text(
            "Set the date to 30 February 2014, which no calendar has. What does the model write?",
            "把日期设成 2014 年 2 月 30 日，日历上没有这一天。模型写出什么？",
        ),
        options=_FEBRUARY,
        answer=_written_date,
        because=Text(
            "The model has no calendar. It reads the month from one token and the day from "
            "others, and writes what it reads there.",
            "模型没有日历。月份从一处读来，日子从另一处读来，读到什么就写什么。",
        ),
        wrong={
            "next month": Text(
                "2 March is what a calendar program makes of the second day after 28 February.",
                "日历程序会从 2 月 28 日往后再数两天，得到 3 月 2 日。",
            ),
            "last day": Text(
                "28 February is what a model would write that knows how long each month is.",
                "知道每个月有多少天的模型，才会写成 2 月 28 日。",
            ),
        },
        at={"year": 2014, "month": 2, "day": 30},
    ),
    "sizes": ChoiceRecord(
        text=Text(
            "Go down from 64 numbers to 32. Which of the two models with attention loses more "
            "answers?",
            "从 64 个数减到 32 个数。两个有注意力的模型，哪一个写错的增加得更多？",
        ),
        options={
            "additive": Text("the one with additive attention", "加性注意力的模型"),
            "dot": Text("the one with dot products", "点积注意力的模型"),
            "both": Text("both models alike", "两个一样多"),
        },
        answer=_run_that_loses,
        because=Text(
            "The dot product compares the 32 numbers of one state with the 32 of another. The "
            "additive score first maps both states to 64 hidden units.",
            "点积直接拿两个状态的 32 个数来比。加性评分则先把两个状态都映射到 64 个隐藏单元。",
        ),
        wrong={
            "additive": Text(
                "Additive attention keeps many more of its right answers than the dot product.",
                "加性注意力写对的比点积多得多。",
            ),
            "both": Text(
                "Equal losses, and small ones, are what you see between 256 and 128 numbers.",
                "从 256 个数减到 128 个数，两个模型才一样，都没有变差。",
            ),
        },
        at={"point": _SMALLEST},
    ),
    "zero": ChoiceRecord(
        text=Text(
            "Move on from the day's *0* to its *3*. What happens to the key with the largest "
            "weight?",
            "从日子的“*0*”往后移一位，到“*3*”。权重最大的键有什么变化？",
        ),
        options={
            "to the digit": Text("a change from May to 3", "从“月”变成了“3”"),
            "same": Text("no change", "没有变化"),
            "away": Text("a change from 3 to May", "从“3”变成了“月”"),
        },
        answer=_change_of_the_heaviest,
        because=Text(
            "Both digits of *03* come from the word *3*, but the *0* was read at *May*, whose "
            "state had passed the *3*. A weight names the state that was read, not the word that "
            "is the reason.",
            "“03”的两位都出自“*3*”，可是“0”是从“*月*”的状态里读来的，因为这个状态已经读过“3日”。"
            "权重说的是读了哪个状态，而不是凭哪个字。",
        ),
        wrong={
            "same": Text(
                "One key for both digits is what weights would show if they named the word that is "
                "the reason.",
                "权重要是指出凭的是哪个字，两位数字才会看同一个键。",
            ),
            "away": Text(
                "*3* is the key of the second digit, and *May* is that of the first.",
                "“*3*”是第二位数字看的键，“*月*”才是第一位看的。",
            ),
        },
        at={"run": _ADDITIVE, "place": _DAY_ZERO + 1},
    ),
}
