"""Chapter 11: trainings to replay, and what its figures ask before they show.

What was seen of the trainings, `benchmarks.alignments` has stored; what is asked and how torch
answers it stands once, the words stand side by side.
"""

from datetime import date
from typing import Any, Literal

import torch

from attention_course.dates import Sentence, compose, figure_model
from attention_course.measured import load_measured
from attention_figures import (
    Choice,
    CurvesFigure,
    DatesFigure,
    Figure,
    Number,
    Place,
    Question,
    ReadingFigure,
)

Lang = Literal["en", "zh"]

_SAME, _OTHER, _REVERSED = 0, 1, 4  # of the stored sentences
_DAY_ZERO, _MONTH, _YEAR = 8, 6, 3  # places of an answer: the day's first digit, and the last ones


def figure(name: str, lang: Lang) -> Figure:
    """Return a figure of the chapter, with its question.

    Args:
        name: that of the figure: "month", "own", "signed", "curves", "sizes", "heaviest",
            "zero", "exchanged", "dates".
        lang: language of sentences and words.

    Raises:
        KeyError: there is no such figure.
        ValueError: lang is neither "en" nor "zh".
    """
    shown = _FIGURES[name](training(lang), name, lang)
    return shown.ask(_ASKED[name](_SAY[lang][name], shown))


def training(lang: Lang) -> dict[str, Any]:
    """Return what was stored of the trainings in a language: steps, models, sentences.

    Raises:
        ValueError: lang is neither "en" nor "zh".
    """
    return load_measured(f"alignments-{lang}")


def days(*numbers: int, lang: Lang, word: str | None = None) -> list[tuple[Sentence, int]]:
    """Return a sentence about days of May 2014, each with the place of a word in it.

    Args:
        numbers: the days.
        lang: language of the sentence.
        word: which word; None: the one for the month.

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
        runs=[_SAY[lang]["runs"][one] for one in names],
        place=place,
        handle=handle,
        name=name,
        lang=lang,
    )


def _curves(stored: dict[str, Any], name: str, lang: Lang) -> CurvesFigure:
    say = _SAY[lang]
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
        [say["runs"][one] for one in names],
        axis=say["axes"][axis],
        about=say[f"{of}_about"],
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
    """Name tokens; those that occur more than once with their place.

    >>> places(["3", "May", "3"], lang="en")
    ['3 · 0', 'May', '3 · 2']
    >>> places(["3", "月", "3"], lang="zh")
    ['3（位置 0）', '月', '3（位置 2）']
    """
    return [
        token if tokens.count(token) == 1 else _SAY[lang]["at"].format(token=token, place=place)
        for place, token in enumerate(tokens)
    ]


def _heaviest(figure: Any) -> int:
    return int(figure.attention_weights.argmax())


def _place(at: dict[str, int]) -> Any:
    def ask(say: dict[str, Any], shown: Any) -> Question:
        last = {"step": len(shown.steps) - 1}
        tokens = list(shown.tokens)
        span = shown.spans[at["place"]]
        said: dict[str | int, str] = {k: say["elsewhere"] for k in range(len(tokens))}
        said |= {k: say["true"] for k in range(*span) if "true" in say}
        said |= {tokens.index(token): text for token, text in say.get("wrong", {}).items()}
        said |= say.get("wrong_places", {})
        with shown._in_state({**last, **at}):
            del said[_heaviest(shown)]
        return Place(
            say["text"],
            options=places(tokens, shown.lang),
            answer=_heaviest,
            because=say["because"],
            at={**last, **at},
            wrong=said,
        )

    return ask


def _share(run: int, point: int, wrong: tuple[float, ...]) -> Any:
    def ask(say: dict[str, Any], shown: Any) -> Question:
        at = point % len(shown.numbers)
        answer = 100 * shown.stages()["mean"][0, run, at].item()
        far = [
            (x, text) for x, text in zip(wrong, say["wrong"], strict=True) if abs(x - answer) > 8
        ]
        return Number(
            say["text"],
            answer=lambda figure: 100 * figure.stages()["mean"][0, run, figure.point],
            because=say["because"],
            at={"point": at},
            tolerance=7.5,  # of the share as it is shown, which may be half a percent off
            wrong=far,
            unit="%",
            slider=(0, 100, 1),
        )

    return ask


def _exchanged(say: dict[str, Any], shown: Any) -> Question:
    answer, last = shown.answer, len(shown.steps) - 1
    other = say["other"]

    def written(figure: Any) -> int:
        text = figure.written[0][figure.step]
        return [answer, other].index(text) if text in (answer, other) else 2

    with shown._in_state({"step": last}):
        right = written(shown)
    return Choice(
        say["text"],
        options=[answer, other, say["neither"]],
        answer=written,
        because=say["because"],
        at={"step": last},
        wrong={i: text for i, text in enumerate(say["wrong"]) if i != right},
    )


def _of(year: int, month: int, day: int) -> Any:
    def ask(say: dict[str, Any], shown: Any) -> Question:
        answers = [f"{year}-{month:02}-{day:02}", f"1989-{month:02}-{day:02}"]

        def written(figure: Any) -> int:
            text = figure.written
            return answers.index(text) if text in answers else 2

        return Choice(
            say["text"],
            options=[*answers, say["neither"]],
            answer=written,
            because=say["because"],
            at={"year": year, "month": month, "day": day},
            wrong=say["wrong"],
        )

    return ask


_ASKED = {
    "own": _of(1789, 7, 14),
    "month": _place({"place": _MONTH}),
    "signed": _place({"place": _YEAR}),
    "zero": _place({"place": _DAY_ZERO}),
    "curves": _share(2, -1, (100, 0)),
    "sizes": _share(2, -1, (100, 15)),
    "heaviest": _share(0, -1, (100, 50)),
    "dates": _share(0, -2, (100, 0)),
    "exchanged": _exchanged,
}

_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "runs": {"additive": "additive", "dot": "dot product", "fixed": "fixed state"},
        "axes": {
            "steps": "steps of training",
            "sizes": "numbers in a state",
            "dates": "dates in the sentence",
        },
        "at": "{token} · {place}",
        "right_about": "share of answers without a mistake",
        "true_about": "share of digits whose heaviest key says them",
        "month": {
            "text": "Nobody tells the model where a month stands. After 400 steps it writes "
            "2014-05-03. Where does it look most for the *5*?",
            "elsewhere": "Perhaps at first, while the weights lie everywhere. Nothing there says "
            "which month it is.",
            "wrong": {
                "July": "That is the other date. The sentence begins with the question: Paid?",
                "Paid": "It has read the question already, and knows which of the dates to take.",
            },
            "because": "Only the right answer was ever shown to it, never a place. Looking at the "
            "month makes the answer right, and so it learnt to look.",
        },
        "own": {
            "neither": "another year",
            "text": "All dates of its training lie between 1950 and 2049. What does it write when "
            "the date is 14 July *1789*?",
            "wrong": {
                0: "It would, if it copied what it reads. But in every answer that it was shown, "
                "a 1 at the beginning was followed by a 9.",
                2: "The decade and the year in it are like those it knows. Only the century is new "
                "to it.",
            },
            "because": "It looks at the year, as it should, and still writes 9: no answer in "
            "training went on otherwise after a first 1. What it writes depends on what it reads "
            "and on what it has just written.",
        },
        "signed": {
            "text": "The same sentence, but the question is *Signed?* Where does the trained model "
            "look for the last digit of the year?",
            "elsewhere": "That is not the last digit of the year that is asked for.",
            "because": "The keys are nearly those of before. The queries are not: they start from "
            "all that was read, and the question is part of it.",
        },
        "curves": {
            "text": "Three models, 400 steps, the same sentences. The third has no attention: one "
            "state for the whole sentence. What share of new sentences does it get right?",
            "wrong": [
                "The sentence does fit into 128 numbers. But to read ten characters from them "
                "has to be learnt, and that takes longer.",
                "It has begun to learn: with more steps it goes on.",
            ],
            "because": "Attention learnt it within 200 steps. The fixed state is on its way: in "
            "these sentences it learns later, which is not never.",
        },
        "sizes": {
            "text": "A state has had 128 numbers so far. Give it 256, and the same 400 steps: what "
            "share does the *fixed state* get right?",
            "wrong": [
                "Not in 400 steps. After 1,000, nearly all are right even with 128.",
                "That is near what it has with 128. The size does count.",
            ],
            "because": "A larger state learns the task in fewer steps. With attention, no state "
            "has to hold a whole sentence, and 64 numbers are enough here.",
        },
        "heaviest": {
            "text": "At the end both models answer everything right. For what share of the digits "
            "does *additive* attention look most at what says them?",
            "wrong": [
                "Nearly. But no digit has to look where it is said, if another state knows it too.",
                "More: for most digits there is no better place than where they are said.",
            ],
            "because": "Right answers need a state that knows the digit, and that is nearly always "
            "the one at its word. Nearly.",
        },
        "zero": {
            "text": "The day is *3*, and the model writes *03*. Where does it look most for the "
            "day's *0*?",
            "elsewhere": "It looks nearer to the day.",
            "true": "That is where the day is said, and where the *3* looks. For the *0* another "
            "state will do.",
            "wrong_places": {
                12: "The state there could know it as well. This model looks on the other side of "
                "the day.",
            },
            "because": "Nothing in the sentence says 0. It only has to know that the day has one "
            "digit, and the state at *May* has read *3* just before.",
        },
        "exchanged": {
            "other": "2013-07-09",
            "neither": "neither",
            "text": "In all it was trained on, *sent* came before *due*. Now *due* is said first. "
            "Which date does the trained additive model write?",
            "wrong": [
                "It would, if it looked for the word *due*. But so far the second date was right.",
                "That is the date of the sending.",
                "It reads both dates well; the question is which.",
            ],
            "because": "It learnt *the second date*, for there *due* had always been. It looks at "
            "the right parts of the wrong date.",
        },
        "dates": {
            "text": "Trained on two dates, the models meet three. On what share of such sentences "
            "does *additive* attention make no mistake?",
            "wrong": [
                "It would, had it learnt to look for the word that was asked for.",
                "More: where first and second still mean what they did, it reads as before.",
            ],
            "because": "It learnt to count dates, not to look for words, and a third one comes in "
            "between. That is still far more than the fixed state has.",
        },
    },
    "zh": {
        "runs": {"additive": "加性", "dot": "点积", "fixed": "固定状态"},
        "axes": {"steps": "训练步数", "sizes": "状态的大小", "dates": "句中的日期数"},
        "at": "{token}（位置 {place}）",
        "right_about": "全部写对的比例",
        "true_about": "最重的键正好说出这个数字的比例",
        "month": {
            "text": "没有人告诉模型月份在哪里。训练 400 步之后，它写出 2014-05-03。写“*5*”的时候，"
            "它最看重哪个字？",
            "elsewhere": "刚开始时也许如此，那时权重到处都是。可是从这里看不出是几月。",
            "wrong": {"7": "那是另一个日期的月份。句子一开头就问了：何时付款？"},
            "wrong_places": {23: "很近了。可是说出几月的不是“月”字，而是旁边的数字。"},
            "because": "我们只给它看过正确的答案，从没有指出过位置。看着月份，答案才会对，"
            "它就这样学会了看。",
        },
        "own": {
            "neither": "另一个年份",
            "text": "训练用的日期都在 1950 到 2049 年之间。要是日期换成 *1789* 年 7 月 14 日，"
            "它会写出什么？",
            "wrong": {
                0: "要是照抄，就会这样写。可是它见过的答案里，开头的 1 后面总是 9。",
                2: "年份的后两位它都见过，没见过的只有世纪。",
            },
            "because": "它看的确实是年份，写出来的却是 9，因为训练的答案里，开头的 1 后面从来没有过"
            "别的数字。写什么，既取决于读到了什么，也取决于刚写下什么。",
        },
        "signed": {
            "text": "句子不变，问题改成“*何时签字？*”。写年份的最后一位时，"
            "训练好的模型最看重哪个字？",
            "elsewhere": "这里说的不是所问年份的最后一位。",
            "because": "键几乎没有变，变的是查询。查询从读完的整句话出发，问题也在这句话里。",
        },
        "curves": {
            "text": "三个模型用同样的句子，都训练了 400 步。第三个没有注意力，整句话只有一个状态。"
            "换成新句子，它有多少能全部写对？",
            "wrong": [
                "128 个数装得下这句话，可是要从中读出十个字符，还得学，而且学得更慢。",
                "它已经开始学会了，只是步数还不够。",
            ],
            "because": "注意力不到 200 步就学会了，固定状态才刚刚开始。"
            "它只是学得慢，并不是学不会。",
        },
        "sizes": {
            "text": "到现在为止，一个状态都是 128 个数。要是改成 256 个，仍旧训练 400 步，"
            "*固定状态*有多少能全部写对？",
            "wrong": [
                "400 步还做不到。到了 1,000 步，128 个数也几乎全对。",
                "128 个数的时候差不多就是这样。状态的大小是有作用的。",
            ],
            "because": "状态大，学得就快。有了注意力，哪个状态都不必独自装下整句话，"
            "64 个数就够了。",
        },
        "heaviest": {
            "text": "训练结束时，两个模型都全部答对了。*加性*注意力写一个数字时，"
            "最看重的正是说出它的字，这样的数字占多少？",
            "wrong": [
                "不到。只要别处的状态也知道这个数字，就不必看说出它的地方。",
                "不止。对多数数字来说，最好的地方还是说出它的地方。",
            ],
            "because": "要答对，只需找到一个知道这个数字的状态。这个状态往往在说出它的字那里，"
            "但不总是。",
        },
        "zero": {
            "text": "日子是“*3*”，模型写出“*03*”。写其中的“*0*”时，它最看重哪个字？",
            "elsewhere": "它看的地方离日子更近。",
            "true": "日子是在这里说的，写“3”时它也看这里。写“0”却用不着。",
            "wrong_places": {25: "这里的状态也可以知道，不过这个模型看的是日子的另一侧。"},
            "because": "句子里没有哪个字说出 0。模型只需知道日子是一位数，而从后往前读的 GRU "
            "到“*月*”时，已经读过后面的“3日”了。",
        },
        "exchanged": {
            "other": "2013-07-09",
            "neither": "都不是",
            "text": "训练用的句子里，发货总是说在到期前面。现在先说到期。"
            "训练好的加性模型会写出哪个日期？",
            "wrong": [
                "那要看它找的是不是“到期”这个词。可是一直以来，对的总是后一个日期。",
                "那是发货的日期。",
                "两个日期它都会读，问题是读哪一个。",
            ],
            "because": "要是学会了去找所问的词，换了顺序也该写对。它学会的是位置，"
            "遇到没见过的顺序，答案就不可靠了。",
        },
        "dates": {
            "text": "训练时每句两个日期，现在有三个。这样的句子，*加性*注意力有多少能全部写对？",
            "wrong": [
                "那得先学会去找所问的那个词。",
                "不止。位置还和从前一样的时候，它照样会读。",
            ],
            "because": "它学会的是数第几个日期，而不是找那个词，第三个日期一来就乱了。"
            "即便如此，也远远好过固定状态。",
        },
    },
}
