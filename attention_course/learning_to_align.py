"""Replay the trainings of chapter 11 in figures, and ask questions about them.

`benchmarks.alignments` has stored the weights and answers during each training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import torch

from attention_course.dates import Sentence, compose, figure_model
from attention_course.measured import load_measured
from attention_course.records import ChoiceRecord, Lang, NumberRecord, Text, Translated
from attention_figures import (
    CurvesFigure,
    DatesFigure,
    Figure,
    NumberQuestion,
    PlaceQuestion,
    Question,
    ReadingFigure,
)

_SAME, _OTHER, _REVERSED = 0, 1, 4  # indices of the stored sentences
_DAY_ZERO, _MONTH, _YEAR = 8, 6, 3  # places in an answer: the day's first digit, the last ones
_DUE, _SENT = "2014-05-03", "2013-07-09"  # the dates in the reversed sentence
_NEAR = 8  # percent; a guess this close to the answer is not wrong


def figure(name: str, lang: Lang) -> Figure:
    """Return a figure of the chapter, with its question.

    Args:
        name: "month", "own", "signed", "curves", "sizes", "heaviest", "zero", "exchanged" or
            "dates".
        lang: language of the sentences and texts.

    Raises:
        KeyError: there is no such figure.
        ValueError: lang is neither "en" nor "zh".
    """
    shown = _FIGURES[name](training(lang), name, lang)
    record = RECORDS[name]
    if isinstance(record, _TokenRecord):
        return shown.ask(_at_the_end(record.into(lang, shown), shown))
    question = record.into(lang)
    return shown.ask(question if name == "own" else _at_the_end(question, shown))


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


_FIGURES = {
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


def _at_the_end(question: Any, shown: Any) -> Question:
    """Return a question about the end of the training, without wrong answers that are right then.

    The right answer depends on the trained models, which differ between the languages.
    """
    if isinstance(shown, ReadingFigure):
        last = {"step": len(shown.steps) - 1}
    else:
        last = {"point": len(shown.numbers) - 1}
    at = {**last, **question.at}
    with shown._in_state(at):
        answer = question.answer(shown)
    if isinstance(question, NumberQuestion):
        wrong: Any = [(x, text) for x, text in question.wrong if abs(x - answer) > _NEAR]
    else:
        wrong = {place: text for place, text in question.wrong.items() if place != answer}
    edited: Question = replace(question, at=at, wrong=wrong)
    return edited


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


def _share(
    text: Text,
    run: str,
    because: Text,
    wrong: Sequence[tuple[float, Text]],
    at: Mapping[str, int] = {},
) -> NumberRecord:
    """Ask for the mean share of a run at a point, in percent."""
    row = list(_RUNS).index(run)
    return NumberRecord(
        text,
        answer=lambda figure: 100 * figure.stages()["mean"][0, row, figure.point],
        tolerance=7.5,  # the share is shown rounded, up to half a percent off
        because=because,
        wrong=wrong,
        at=at,
        unit="%",
        slider=(0, 100, 1),
    )


def _written_year(figure: Any) -> str:
    return {"1789-07-14": "copied", "1989-07-14": "1989"}.get(figure.written, "another year")


def _written_date(figure: Any) -> str:
    return {_DUE: "due", _SENT: "sent"}.get(figure.written[0][figure.step], "neither")


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

RECORDS: dict[str, ChoiceRecord | NumberRecord | _TokenRecord] = {
    "month": _TokenRecord(
        text=Text(
            "Nobody tells the model where a month stands. After 400 steps it writes 2014-05-03. "
            "Where does it look most for the *5*?",
            "没有人告诉模型月份在哪里。训练 400 步之后，它写出 2014-05-03。写“*5*”的时候，"
            "它最看重哪个字？",
        ),
        place=_MONTH,
        because=Text(
            "Only the right answer was ever shown to it, never a place. Looking at the month "
            "makes the answer right, and so it learnt to look.",
            "我们只给它看过正确的答案，从没有指出过位置。看着月份，答案才会对，它就这样学会了看。",
        ),
        wrong=Translated(
            {
                "July": "That is the other date. The sentence begins with the question: Paid?",
                "Paid": "It has read the question already, and knows which of the dates to take.",
            },
            {
                "7": "那是另一个日期的月份。句子一开头就问了：何时付款？",
                23: "很近了。可是说出几月的不是“月”字，而是旁边的数字。",
            },
        ),
        elsewhere=Text(
            "Perhaps at first, while the weights lie everywhere. Nothing there says which month "
            "it is.",
            "刚开始时也许如此，那时权重到处都是。可是从这里看不出是几月。",
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
            "It looks at the year, as it should, and still writes 9: no answer in training went "
            "on otherwise after a first 1. What it writes depends on what it reads and on what it "
            "has just written.",
            "它看的确实是年份，写出来的却是 9，因为训练的答案里，开头的 1 后面从来没有过别的数字。"
            "写什么，既取决于读到了什么，也取决于刚写下什么。",
        ),
        wrong={
            "copied": Text(
                "It would, if it copied what it reads. But in every answer that it was shown, a 1 "
                "at the beginning was followed by a 9.",
                "要是照抄，就会这样写。可是它见过的答案里，开头的 1 后面总是 9。",
            ),
            "another year": Text(
                "The decade and the year in it are like those it knows. Only the century is new "
                "to it.",
                "年份的后两位它都见过，没见过的只有世纪。",
            ),
        },
        at={"year": 1789, "month": 7, "day": 14},
    ),
    "signed": _TokenRecord(
        text=Text(
            "The same sentence, but the question is *Signed?* Where does the trained model look "
            "for the last digit of the year?",
            "句子不变，问题改成“*何时签字？*”。写年份的最后一位时，训练好的模型最看重哪个字？",
        ),
        place=_YEAR,
        because=Text(
            "The keys are nearly those of before. The queries are not: they start from all that "
            "was read, and the question is part of it.",
            "键几乎没有变，变的是查询。查询从读完的整句话出发，问题也在这句话里。",
        ),
        elsewhere=Text(
            "That is not the last digit of the year that is asked for.",
            "这里说的不是所问年份的最后一位。",
        ),
    ),
    "curves": _share(
        text=Text(
            "Three models, 400 steps, the same sentences. The third has no attention: one state "
            "for the whole sentence. What share of new sentences does it get right?",
            "三个模型用同样的句子，都训练了 400 步。第三个没有注意力，整句话只有一个状态。"
            "换成新句子，它有多少能全部写对？",
        ),
        run="fixed",
        because=Text(
            "Attention learnt it within 200 steps. The fixed state is on its way: in these "
            "sentences it learns later, which is not never.",
            "注意力不到 200 步就学会了，固定状态才刚刚开始。它只是学得慢，并不是学不会。",
        ),
        wrong=[
            (
                100,
                Text(
                    "The sentence does fit into 128 numbers. But to read ten characters from them "
                    "has to be learnt, and that takes longer.",
                    "128 个数装得下这句话，可是要从中读出十个字符，还得学，而且学得更慢。",
                ),
            ),
            (
                0,
                Text(
                    "It has begun to learn: with more steps it goes on.",
                    "它已经开始学会了，只是步数还不够。",
                ),
            ),
        ],
    ),
    "sizes": _share(
        text=Text(
            "A state has had 128 numbers so far. Give it 256, and the same 400 steps: what share "
            "does the *fixed state* get right?",
            "到现在为止，一个状态都是 128 个数。要是改成 256 个，仍旧训练 400 步，"
            "*固定状态*有多少能全部写对？",
        ),
        run="fixed",
        because=Text(
            "A larger state learns the task in fewer steps. With attention, no state has to hold "
            "a whole sentence, and 64 numbers are enough here.",
            "状态大，学得就快。有了注意力，哪个状态都不必独自装下整句话，64 个数就够了。",
        ),
        wrong=[
            (
                100,
                Text(
                    "Not in 400 steps. After 1,000, nearly all are right even with 128.",
                    "400 步还做不到。到了 1,000 步，128 个数也几乎全对。",
                ),
            ),
            (
                15,
                Text(
                    "That is near what it has with 128. The size does count.",
                    "128 个数的时候差不多就是这样。状态的大小是有作用的。",
                ),
            ),
        ],
    ),
    "heaviest": _share(
        text=Text(
            "At the end both models answer everything right. For what share of the digits does "
            "*additive* attention look most at what says them?",
            "训练结束时，两个模型都全部答对了。*加性*注意力写一个数字时，最看重的正是说出它的字，"
            "这样的数字占多少？",
        ),
        run="additive",
        because=Text(
            "Right answers need a state that knows the digit, and that is nearly always the one "
            "at its word. Nearly.",
            "要答对，只需找到一个知道这个数字的状态。这个状态往往在说出它的字那里，但不总是。",
        ),
        wrong=[
            (
                100,
                Text(
                    "Nearly. But no digit has to look where it is said, if another state knows it "
                    "too.",
                    "不到。只要别处的状态也知道这个数字，就不必看说出它的地方。",
                ),
            ),
            (
                50,
                Text(
                    "More: for most digits there is no better place than where they are said.",
                    "不止。对多数数字来说，最好的地方还是说出它的地方。",
                ),
            ),
        ],
    ),
    "zero": _TokenRecord(
        text=Text(
            "The day is *3*, and the model writes *03*. Where does it look most for the day's *0*?",
            "日子是“*3*”，模型写出“*03*”。写其中的“*0*”时，它最看重哪个字？",
        ),
        place=_DAY_ZERO,
        because=Text(
            "Nothing in the sentence says 0. It only has to know that the day has one digit, and "
            "the state at *May* has read *3* just before.",
            "句子里没有哪个字说出 0。模型只需知道日子是一位数，而从后往前读的 GRU 到“*月*”时，"
            "已经读过后面的“3日”了。",
        ),
        wrong=Translated(
            {
                12: "The state there could know it as well. This model looks on the other side of "
                "the day.",
            },
            {
                25: "这里的状态也可以知道，不过这个模型看的是日子的另一侧。",
            },
        ),
        in_span=Text(
            "That is where the day is said, and where the *3* looks. For the *0* another state "
            "will do.",
            "日子是在这里说的，写“3”时它也看这里。写“0”却用不着。",
        ),
        elsewhere=Text("It looks nearer to the day.", "它看的地方离日子更近。"),
    ),
    "exchanged": ChoiceRecord(
        text=Text(
            "In all it was trained on, *sent* came before *due*. Now *due* is said first. Which "
            "date does the trained additive model write?",
            "训练用的句子里，发货总是说在到期前面。现在先说到期。训练好的加性模型会写出哪个日期？",
        ),
        options={
            "due": Text(_DUE, _DUE),
            "sent": Text(_SENT, _SENT),
            "neither": Text("neither", "都不是"),
        },
        answer=_written_date,
        because=Text(
            "It learnt *the second date*, for there *due* had always been. It looks at the right "
            "parts of the wrong date.",
            "要是学会了去找所问的词，换了顺序也该写对。它学会的是位置，遇到没见过的顺序，"
            "答案就不可靠了。",
        ),
        wrong={
            "due": Text(
                "It would, if it looked for the word *due*. But so far the second date was right.",
                "那要看它找的是不是“到期”这个词。可是一直以来，对的总是后一个日期。",
            ),
            "sent": Text("That is the date of the sending.", "那是发货的日期。"),
            "neither": Text(
                "It reads both dates well; the question is which.",
                "两个日期它都会读，问题是读哪一个。",
            ),
        },
    ),
    "dates": _share(
        text=Text(
            "Trained on two dates, the models meet three. On what share of such sentences does "
            "*additive* attention make no mistake?",
            "训练时每句两个日期，现在有三个。这样的句子，*加性*注意力有多少能全部写对？",
        ),
        run="additive",
        because=Text(
            "It learnt to count dates, not to look for words, and a third one comes in between. "
            "That is still far more than the fixed state has.",
            "它学会的是数第几个日期，而不是找那个词，第三个日期一来就乱了。即便如此，"
            "也远远好过固定状态。",
        ),
        wrong=[
            (
                100,
                Text(
                    "It would, had it learnt to look for the word that was asked for.",
                    "那得先学会去找所问的那个词。",
                ),
            ),
            (
                0,
                Text(
                    "More: where first and second still mean what they did, it reads as before.",
                    "不止。位置还和从前一样的时候，它照样会读。",
                ),
            ),
        ],
        at={"point": 1},  # three dates
    ),
}
