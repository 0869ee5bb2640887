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
    return _looks_at_source(_ASKED.into(lang), _TRANSLATION.into(lang), name, lang)


def _asks(stored: dict[str, Any], name: str, lang: Lang) -> SelectionFigure:
    """Show the second look of both decoders, after each of two first words.

    The recurrent step of this example adds what it reads to the state.
    """
    state, read = _BEFORE.into(lang), _READ.into(lang)
    queries = torch.cat([state.expand_as(read), state + read])[None]
    return _looks_at_source(queries, _ASKING.into(lang), name, lang)


def _looks_at_source(
    queries: Tensor, query_names: list[str], name: str, lang: Lang
) -> SelectionFigure:
    source = _SOURCE.into(lang)
    return SelectionFigure(
        queries,
        2 * torch.eye(len(source))[None],
        names=source,
        query_names=query_names,
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
    ['3 (place 0)', 'May', '3 (place 2)']
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
    "true": Text("share of digits whose heaviest key says them", "写数字时关注正确的比例"),
}
_TOKEN_AT_PLACE = Text("{token} (place {place})", "{token}（位置 {place}）")

# The state before the second step, when the first word is not read yet, and what each of two first
# words adds to it.
_BEFORE = Translated(torch.tensor([[0.0, 1, 0, 1]]), torch.tensor([[0.0, 0, 1, 0, 1, 0]]))
_READ = Translated(
    torch.tensor([[0.0, 1, 0, -1], [0, -1, 0, 1]]),
    torch.tensor([[0.0, 0, -1, 0, 1, 0], [0, 0, 1, 0, -1, 0]]),
)
_ASKING = Translated(
    [f"{who}, after {word}" for who in ("Bahdanau", "Luong") for word in ("Mia", "Ihren")],
    [f"{who}（生成 {word} 之后）" for who in ("Bahdanau", "Luong") for word in ("She", "In")],
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
            "译文已经生成了第一个词 *She*，接下来要生成 *found*。这时解码器最关注原文里的哪个词？",
        ),
        options=_SOURCE_OPTIONS,
        answer=_heaviest_word,
        because=Text(
            "*verloren* means *lost*. The decoder's state asks for the word that has to be "
            "translated next, wherever this word stands in the source.",
            "*found* 是从“*找到了*”译过来的。接下来该译哪个词，解码器就去找哪个词，不管这个词在什"
            "么位置。",
        ),
        wrong=Translated(
            {
                "Mia": "*Mia* is where the decoder looks for the first word, but the question is "
                "about the last.",
                "her": "*her* is where the decoder looks for *ihren*, two words earlier.",
                "key": "*key* is the last word in English, but the decoder looks there for "
                "*Schlüssel*, one word earlier.",
            },
            {
                "She": "“*她*”上一步就已经译成 *She* 了。",
                "at": "“*在*”在原文里紧跟着“*她*”，但译文要先说 *found*，生成 *in* 时才轮到“*在*"
                "”。",
                "garden": "“*花园*”要等到译文的最后一个词 *garden*，现在要生成的是 *found*。",
                "in": "“*里*”要等到生成 *in* 才受到关注，现在要生成的是 *found*。",
                "it": "“*它*”要等到下一步生成 *it* 才受到关注。",
            },
        ),
        at={"query": Translated(4, 1)},
        kind=PlaceQuestion,
    ),
    "month": _TokenRecord(
        text=Text(
            "The model is never told where the month is. After 400 steps it writes "
            "2014-05-03. At which token does it look most for the *5*?",
            "从来没有人告诉模型月份在哪里。训练 400 步以后，模型写出了 2014-05-03。写“*5*”的时候，"
            "模型最关注哪个字？",
        ),
        place=_MONTH,
        because=Text(
            "Looking at *May* makes the *5* right, and training rewards right answers only. So "
            "the model has learnt to look there, although it was never told the place.",
            "训练时只看答案对不对。要写对月份，就得关注“*5*”，所以虽然没有人指出过位置，模型还是学"
            "会了关注这里。",
        ),
        wrong=Translated(
            {
                "July": "*July* is the month of the other date, but the question is *Paid?*",
                "Paid": "*Paid* says which date to take, not in which month it is, and the model "
                "has read *Paid* before it begins to write.",
            },
            {
                "7": "“*7*”是另一个日期的月份，句子开头问的是何时付款。",
                23: "光看“*月*”这个字不知道是几月，要看前面的数字。",
            },
        ),
        elsewhere=Text(
            "A token that does not say the month gets little weight after 400 steps, because it "
            "does not help to write the *5*.",
            "从这个字看不出是几月，所以训练 400 步以后，模型写“*5*”时很少关注它。",
        ),
    ),
    "own": ChoiceRecord(
        text=Text(
            "All dates in training lie between 1950 and 2049. What does the model write when the "
            "date is 14 July *1789*?",
            "训练用的日期都在 1950 到 2049 年之间。模型会把 *1789* 年 7 月 14 日写成什么？",
        ),
        options={
            "copied": Text("1789-07-14", "1789-07-14"),
            "1989": Text("1989-07-14", "1989-07-14"),
            "another year": Text("a year that is neither 1789 nor 1989", "1789 和 1989 以外的年份"),
        },
        answer=_written_year,
        because=Text(
            "In training, a 9 always followed the first 1, so the model writes 19 where it reads "
            "17, and then copies the 89: the output depends on what was read and on what was "
            "just written.",
            "训练用的答案只要以 1 开头，第二位总是 9，所以模型虽然读到 17，还是写成 19，后面的 89 "
            "则照抄。可见模型写什么，既取决于读到了什么，也取决于刚写了什么。",
        ),
        wrong={
            "copied": Text(
                "1789 would be right if the output depended only on what is read.",
                "你以为模型只是照抄，其实读到什么不一定就写什么。",
            ),
            "another year": Text(
                "Another year is unlikely: only the 17 is new to the model, not the 89.",
                "后两位 89 在训练时见过很多次，不会写错；模型没有见过的只是前两位 17。",
            ),
        },
        at={"year": 1789, "month": 7, "day": 14},
    ),
    "signed": _TokenRecord(
        text=Text(
            "The sentence is the same, but the question is *Signed?* At which token does the "
            "trained model look most for the last digit of the year?",
            "句子不变，问题改成“*何时签字？*”。写年份的最后一位时，训练好的模型最关注哪个字？",
        ),
        place=_YEAR,
        because=Text(
            "The *3* is the last digit of the year of signing, which the question now asks for. "
            "The decoder has read the question, so a new question makes new queries.",
            "现在问的是何时签字，这个“*3*”正是签字那一年的最后一位。解码器的状态里有问题的信息，问"
            "题一改，查询也就变了。",
        ),
        wrong=Translated(
            {
                18: "*4* is the last digit of the other year, which answers the question *Paid?*",
            },
            {
                20: "“*4*”是付款那一年的最后一位，现在问的是签字。",
            },
        ),
        elsewhere=Text(
            "A token that does not say the last digit of this year matters at most for other "
            "digits.",
            "从这个字看不出年份的最后一位是几，写别的数字时才可能用到它。",
        ),
    ),
    "asks": ChoiceRecord(
        text=Text(
            "German also allows *Ihren Schlüssel hat Mia verloren*. A decoder has just written its "
            "first word, either *Mia* or *Ihren*. In which decoder does the next look depend on "
            "this word?",
            "译文可以用 *She* 开头，也可以先说地点，用 *In* 开头。写完第一个词以后，哪个解码器下一"
            "次关注的位置会因这个词而不同？",
        ),
        options={
            "Bahdanau": Text("Bahdanau's decoder alone", "只有 Bahdanau 的解码器"),
            "Luong": Text("Luong's decoder alone", "只有 Luong 的解码器"),
            "both": Text("both decoders", "两个解码器都会"),
            "neither": Text("neither decoder", "两个解码器都不会"),
        },
        answer=_who_knows,
        because=Text(
            "Luong's decoder takes the recurrent step before it looks, and the step reads the "
            "word that was just written. Bahdanau's decoder looks first, with a query that has "
            "not read the word.",
            "Luong 的解码器先更新状态，读入刚生成的词，然后才提问。Bahdanau 的解码器先提问，这时的"
            "状态还没有读到这个词。",
        ),
        wrong={
            "Bahdanau": Text(
                "Bahdanau's decoder reads the word too late, in the step that follows its look.",
                "Bahdanau 的解码器先提问，再更新状态，提问时还没有读到这个词。",
            ),
            "both": Text(
                "Both decoders depend on the word only one look later, when Bahdanau's decoder "
                "has read it, too.",
                "要到再下一次，两个解码器才都受影响，那时 Bahdanau 的解码器也读过这个词了。",
            ),
            "neither": Text(
                "One decoder's next look is indeed independent of the word, but the other "
                "decoder's is not.",
                "Bahdanau 的解码器确实不会，但你忘了 Luong 的解码器。",
            ),
        },
        at={"query": 3},
    ),
    "curves": ChoiceRecord(
        text=Text(
            "Three models learn from the same sentences for 400 steps. The *fixed state* model "
            "has no attention, only one state for the whole sentence. Where does its curve end?",
            "三个模型用同样的句子训练 400 步。*固定状态*的模型没有注意力，整句话只用一个状态表示。"
            "这个模型的曲线最后到了哪里？",
        ),
        options={
            "level": Text("level with the other two", "和另外两条一样高"),
            "rising": Text(
                "far below the other two, and still rising", "比另外两条低得多，但还在上升"
            ),
            "never": Text("at 0, and not rising", "停在 0，没有上升"),
        },
        answer=_standing_of_the_fixed_state,
        because=Text(
            "The fixed state must hold the whole sentence in 128 numbers. Such a model learns "
            "too, but later, "
            "so its curve is low and still rising.",
            "固定状态要用 128 个数装下整句话，解码器还要学会从中取出十个字符。这样的模型也学得会，"
            "只是慢一些，所以曲线虽然很低，但还在上升。",
        ),
        wrong={
            "level": Text(
                "The other two models can look at every token again in every step, but the model "
                "with the fixed state cannot.",
                "另外两个模型每一步都能回头读取每个字，固定状态的模型可不行。",
            ),
            "never": Text(
                "A curve at 0 is what a fixed state of 32 numbers gives, because it is too small "
                "for the sentence.",
                "如果固定状态只有 32 个数，曲线会停在 0；可是现在有 128 个数。",
            ),
        },
    ),
    "sizes": ChoiceRecord(
        text=Text(
            "So far all states have had 128 numbers. Now each model gets 256, and the same 400 "
            "steps. Which model gains most?",
            "三个模型的状态原来都是 128 个数，现在增加到 256 个，同样训练 400 步。哪个模型进步最大"
            "？",
        ),
        options={
            "additive": Text("the one with additive attention", "加性注意力的模型"),
            "dot": Text("the one with dot products", "点积注意力的模型"),
            "fixed": Text("the one with a fixed state", "固定状态的模型"),
            "none": Text("none of the three models", "三个都没有进步"),
        },
        answer=_run_that_gains,
        because=Text(
            "Without attention one state has to hold the whole sentence, not just one token and "
            "its neighbours, so 256 numbers are much better than 128.",
            "没有注意力的模型要用一个状态装下整句话，128 个数不够用，所以增加到 256 个数以后，进步"
            "最大。",
        ),
        wrong={
            "additive": Text(
                "Additive attention has all answers right with 128 numbers, so it has nothing left "
                "to gain.",
                "加性注意力用 128 个数就已经全部写对，不会再有进步了。",
            ),
            "dot": Text(
                "The dot product has all answers right with 128 numbers, so it has nothing left "
                "to gain.",
                "点积注意力用 128 个数就已经全部写对，不会再有进步了。",
            ),
            "none": Text(
                "Only the two models with attention have all answers right with 128 numbers, so "
                "the third can still gain.",
                "两个注意力模型用 128 个数就已经全部写对，但固定状态的模型还能进步。",
            ),
        },
    ),
    "heaviest": ChoiceRecord(
        text=Text(
            "At the end both models write every answer without a mistake. For how many digits "
            "does *additive* attention look most at the token that says the digit?",
            "训练结束时，两个模型都能全部答对。用*加性*注意力写数字时，模型最关注的是不是原文里"
            "写着这个数字的那个字？",
        ),
        options={
            "all": Text("all digits", "每次都是"),
            "most": Text("most digits, but not all", "多数时候是，但不是每次"),
            "few": Text("fewer than half of the digits", "不到一半"),
        },
        answer=_share_of_true_looks,
        because=Text(
            "A right answer only needs a state that knows the digit. Mostly the model looks at "
            "the state of the digit's own token, but sometimes at the state of a token next to "
            "it.",
            "只要状态里有这个数字的信息，就能答对。模型多数时候最关注写着这个数字的字，有时最关注"
            "相邻的字，因为那里的状态里也有这个信息。",
        ),
        wrong={
            "all": Text(
                "Training rewards right answers, but it does not reward looking at the right "
                "token.",
                "训练时只看答案对不对，并不要求模型关注写着数字的字。",
            ),
            "few": Text(
                "Fewer than half is the share at the start of training, when the weights are "
                "still spread over all tokens.",
                "训练刚开始时权重很分散，确实不到一半，可是现在已经训练完了。",
            ),
        },
    ),
    "zero": _TokenRecord(
        text=Text(
            "The day is *3*, and the model writes *03*. At which token does it look most for the "
            "day's *0*?",
            "日子是“*3*”，模型写成“*03*”。写其中的“*0*”时，模型最关注哪个字？",
        ),
        place=_DAY_ZERO,
        because=Text(
            "The state at *May* has just read the *3* and knows that the day has one digit. "
            "The model needs no more than that for the *0*.",
            "从后往前读的 GRU 读到“*月*”时，已经读过后面的“3日”，所以从“*月*”的状态就能知道日子是"
            "一位数，写“0”知道这一点就够了。",
        ),
        wrong=Translated(
            {
                12: "The state at *on* knows the day, too, from reading backwards, but this "
                "model looks on the other side of the day.",
            },
            {
                25: "“*日*”的状态里也有日子的信息，关注这里本来也行，但这个模型关注的是日子的另一"
                "侧。",
            },
        ),
        in_span=Text(
            "The token *3* is where the model looks for the *3* of the answer, but for the *0* "
            "another state will do.",
            "写答案里的“3”时，模型才最关注“*3*”；写“0”用不着关注这里。",
        ),
        elsewhere=Text(
            "A token farther away says nothing about the day. The model looks closer to the day.",
            "这个字和日期中的日隔得太远，请在日的附近找一找。",
        ),
    ),
    "exchanged": ChoiceRecord(
        text=Text(
            "In all training sentences, *sent* came before *due*. Now *due* comes first. Does the "
            "trained additive model still write the date it is asked for?",
            "训练用的句子总是先说发货，再说到期，现在反过来。训练好的加性注意力模型还能写对所问的"
            "日期吗？",
        ),
        options={
            "yes": Text("yes, 2014-05-03", "能，写出 2014-05-03"),
            "no": Text("no, something else", "不能，会写成别的"),
        },
        answer=_is_right,
        because=Text(
            "In training *due* was always the second date, so the model has learnt to take the "
            "second date. Now it looks at the right parts of the wrong date.",
            "训练时的顺序从来没变过，不去找“到期”这个词也能答对，所以模型没有学会找。顺序一变，"
            "模型读错了地方，写出来的就不是所问的日期。",
        ),
        wrong={
            "yes": Text(
                "The right date is what a model would write if it looked for the word *due*, "
                "but in training there was no need to look for this word.",
                "要写对，就得去找“到期”这个词，可是训练时不找这个词也总能答对。",
            ),
        },
    ),
    "dates": ChoiceRecord(
        text=Text(
            "In training each sentence had two dates, and now it has three. How many sentences "
            "does *additive* attention get right?",
            "训练时每句话有两个日期，现在有三个。*加性*注意力能写对多少？",
        ),
        options={
            "as well": Text("as many as with two dates", "和两个日期时一样多"),
            "better": Text(
                "fewer, but many more than the fixed state",
                "变少了，但还是比固定状态多得多",
            ),
            "no better": Text("no more than the fixed state", "不比固定状态多"),
        },
        answer=_with_three_dates,
        because=Text(
            "Additive attention has learnt to take the first or the second date, so a third date "
            "misleads it. Where the date that is asked for keeps its place, the model reads it as "
            "before.",
            "加性注意力只学会了取第一个或者第二个日期，多了一个日期，有时就会取错。不过，如果所问"
            "的日期还在原来的位置，模型照样能写对。",
        ),
        wrong={
            "as well": Text(
                "A model that looked for the word in the question would get as many right as "
                "before.",
                "模型没有学会按所问的词去找日期，所以写对的会变少。",
            ),
            "no better": Text(
                "Only the fixed state has to hold the longer sentence in one state.",
                "固定状态要用一个状态装下更长的句子，加性注意力没有这个困难。",
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
            "从译文的第一个词一步步走到最后一个词，权重最大的词在原文里怎样移动？",
        ),
        options={
            "on": Text("on to a later word each time", "一直往后移"),
            "back": Text("back to an earlier word at one step", "有一次又回到前面的词"),
            "stay": Text("nowhere, because it stays on one word", "停在一个词上不动"),
        },
        answer=_way_of_the_looks,
        because=Text(
            "*hat* looks at *lost*, *Schlüssel* looks at *key*, and *verloren* looks at *lost* "
            "again. An alignment need not follow the order of the source.",
            "生成 *found* 和 *it* 时，解码器关注句末的“*找到了*”和“*它*”，生成 *in* 时又回到前面的"
            "“*在*”。可见对齐不一定按原文的顺序。",
        ),
        wrong={
            "on": Text(
                "A later word each time is what a translation with the same word order would give.",
                "译文和原文的词序不同，权重最大的词不会一直往后移。",
            ),
            "stay": Text(
                "The same word at every step is what a decoder whose query never changes would "
                "give.",
                "每一步的查询都不一样，权重最大的词不会停着不动。",
            ),
        },
        at={"query": Translated(4, 3)},
    ),
    "own": ChoiceRecord(
        text=Text(
            "Set the date to 30 February 2014, which does not exist. What does the model write?",
            "把日期设成 2014 年 2 月 30 日，日历上没有这一天。模型会写成什么？",
        ),
        options=_FEBRUARY,
        answer=_written_date,
        because=Text(
            "The model has no calendar. It reads the month from one token and the day from "
            "others, and writes what it reads there.",
            "模型不懂日历，月份和日子是分别从两处读来的，读到什么就写什么。",
        ),
        wrong={
            "next month": Text(
                "2 March is what a calendar program would make of 30 February: the second day "
                "after the 28th.",
                "你像日历程序那样，从 2 月 28 日再往后数了两天，但模型不会推算。",
            ),
            "last day": Text(
                "28 February is what a model would write if it knew how long each month is.",
                "模型不知道二月有多少天，不会写成 2 月 28 日。",
            ),
        },
        at={"year": 2014, "month": 2, "day": 30},
    ),
    "sizes": ChoiceRecord(
        text=Text(
            "Go down from 64 numbers to 32. Which of the two models with attention loses more "
            "answers?",
            "状态从 64 个数减到 32 个数时，加性注意力和点积注意力，哪一种的正确率下降得更多？",
        ),
        options={
            "additive": Text("the one with additive attention", "加性注意力的模型"),
            "dot": Text("the one with dot products", "点积注意力的模型"),
            "both": Text("both models equally", "两个一样大"),
        },
        answer=_run_that_loses,
        because=Text(
            "The dot product can compare only the 32 numbers of each state. It has no hidden "
            "units, while the additive score first maps both states to 64 of them.",
            "加性评分先把两个状态都映射到 64 个隐藏单元，然后才比较；点积没有这一步，只能直接比较 "
            "32 个数，所以错得更多。",
        ),
        wrong={
            "additive": Text(
                "Additive attention loses fewer answers: it keeps many more of its right ones "
                "than the dot product.",
                "加性注意力的退步不大，写对的还是比点积多得多。",
            ),
            "both": Text(
                "Both models lose equally little only from 256 to 128 numbers, where neither "
                "loses anything.",
                "你说的是从 256 个数减到 128 个数的情况，那时两个模型都没有变差。",
            ),
        },
        at={"point": _SMALLEST},
    ),
    "zero": ChoiceRecord(
        text=Text(
            "Move on from the day's *0* to its *3*. What happens to the key with the largest "
            "weight?",
            "从日子的“*0*”往后移到“*3*”时，权重最大的键有什么变化？",
        ),
        options={
            "to the digit": Text("a change from May to 3", "从“月”变成了“3”"),
            "same": Text("no change", "没有变化"),
            "away": Text("a change from 3 to May", "从“3”变成了“月”"),
        },
        answer=_change_of_the_heaviest,
        because=Text(
            "For the *0* the model looked at *May*, whose state had read the *3*, and for the "
            "*3* it looks at the *3* itself. A weight names the state that was read, not the "
            "word that the digit comes from.",
            "写“0”时，模型最关注“*月*”，“*月*”的状态里已经有“3日”的信息；写“3”时，模型最关注“*3*”"
            "自己。可见权重只能说明读取了哪个状态，不能说明信息来自哪个字。",
        ),
        wrong={
            "same": Text(
                "Both digits of *03* do come from the word *3*, but the model reads them at two "
                "different tokens.",
                "“03”这两位确实都来自“*3*”，但模型是从两处不同的状态读到的。",
            ),
            "away": Text(
                "A change from *3* to *May* is what you see when you move back, from the *3* to "
                "the *0*.",
                "你把方向看反了，从“*3*”退回到“*0*”，才是从“3”变成“月”。",
            ),
        },
        at={"run": _ADDITIVE, "place": _DAY_ZERO + 1},
    ),
}
