"""Ask again for the ideas of chapter 11."""

import torch
from torch import Tensor, nn

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, family, say_in, unlike
from attention_course.translated import Lang, Text

# Sources with the place of the source word for each word of the translation.
_TRANSLATIONS = {
    "en": [
        ("the white house", "la maison blanche", [0, 2, 1]),
        ("they drink black coffee", "ellos beben café negro", [0, 1, 3, 2]),
        ("today we buy bread", "heute kaufen wir Brot", [0, 2, 1, 3]),
        ("I can play chess", "ich kann Schach spielen", [0, 1, 3, 2]),
        ("she has read it", "sie hat es gelesen", [0, 1, 3, 2]),
        ("he eats red apples", "él come manzanas rojas", [0, 1, 3, 2]),
    ],
    "zh": [
        ("他 在 图书馆 看书", "he reads in the-library", [0, 3, 1, 2]),
        ("我 昨天 买了 面包", "I bought bread yesterday", [0, 2, 3, 1]),
        ("我们 明天 去 北京", "we go to-Beijing tomorrow", [0, 2, 3, 1]),
        ("她 从 学校 回来", "she returns from school", [0, 3, 1, 2]),
        ("他们 常常 在 家 吃饭", "they often eat at home", [0, 1, 4, 2, 3]),
    ],
}
# Sentences with a word that is exchanged and another one for it.
_SENTENCES = {
    "en": [
        "please call me at nine tomorrow|nine|ten",
        "only two trains leave at noon|two|six",
        "the shop opens on Monday morning|Monday|Friday",
        "send five boxes to Rome|five|ten",
    ],
    "zh": [
        "请 在 九点 给 我 打电话|九点|十点",
        "有 两 趟 车 中午 出发|两|六",
        "商店 星期一 上午 开门 营业|星期一|星期五",
        "往 上海 寄 五 箱 书|五|十",
    ],
}


@family("where-it-looks", figure="mia")
def where_it_looks(draw: Draw, lang: Lang) -> Item:
    """Ask at which source word a translator looks most while it writes a word."""
    say = say_in(lang)
    source, target, places = draw.one(_TRANSLATIONS[lang])
    read, written = source.split(), target.split()
    step = draw.one([i for i, place in enumerate(places) if place != i])
    queries = torch.eye(len(read))[places]  # made by hand: each asks for one source word
    right = int((4 * queries @ torch.eye(len(read)).mT).softmax(dim=-1)[step].argmax())
    word = written[step].replace("-", " ")

    def reply(k: int) -> str:
        if k == right:
            return say(
                f"The decoder's state asks for the word to translate next, and “{word}” "
                f"translates “{read[k]}”.",
                f"解码器要找的是接下来该译的词，而“{word}”译的正是“{read[k]}”。",
            )
        if k == step:
            return say(
                f"“{read[k]}” is at the same place in the source as “{word}” in the "
                "translation, but the place is not what counts.",
                f"你是按位置对应的：“{read[k]}”在原文里、“{word}”在译文里的位置相同，"
                "但关注哪个词不看位置。",
            )
        at = places.index(k)
        return say(
            f"“{read[k]}” is what the decoder looks at while it writes "
            f"“{written[at].replace('-', ' ')}”.",
            f"写“{written[at].replace('-', ' ')}”的时候，最关注的才是“{read[k]}”。",
        )

    return Item(
        say(
            f"A decoder translates “{source}” into “{target}”. Word for word, the translation "
            f"says “{' '.join(read[k] for k in places)}”.",
            f"解码器把“{source.replace(' ', '')}”译成“{target.replace('-', ' ')}”。",
        ),
        ask.choice(
            say(
                f"Which word does it look at most while it writes “{word}”?",
                f"写“{word}”时，解码器最关注原文里的哪个词？",
            ),
            right,
            {read[k]: reply(k) for k in range(len(read))},
        ),
    )


@family("first-look-that-differs", figure="asks", exercise="notice")
def first_look_that_differs(draw: Draw, lang: Lang) -> Item:
    """Ask in which step a written word can first change where the decoder looks."""
    say = say_in(lang)
    name, word = draw.in_turn(
        [("Bahdanau", 3), ("Luong", 3), ("Bahdanau", 1), ("Luong", 1), ("Luong", 5)]
    )
    step = _first_look(name, word)
    before = name == "Bahdanau"
    mistakes = {
        say(
            f"Step {word} looks at the source before it writes its word.",
            f"第 {word} 步是先读原文，再写词，读的时候还没有区别。",
        ): word,
        say(
            "Luong's decoder would already differ in this step, because it asks after its "
            "recurrent step.",
            "你用的是 Luong 的解码器的次序：先更新状态，再查询，所以早了一步。",
        )
        if before
        else say(
            "Bahdanau's decoder would first differ in this step, because it asks before its "
            "recurrent step.",
            "你用的是 Bahdanau 的解码器的次序：先查询，再更新状态，所以晚了一步。",
        ): word + 1 if before else word + 2,
    }
    return Item(
        say(
            f"{name}'s decoder translates a sentence. Its recurrent step reads the word that was "
            f"written one step before. Two runs differ only in the word that step {word} writes.",
            f"用 {name} 的解码器把一句话翻译两次，循环单元每一步读入上一步写的词。"
            f"两次只有第 {word} 步写的词不同。",
        ),
        ask.number(
            say(
                "In which step does the look at the source differ for the first time?",
                "两次的注意力权重从第几步开始不同？",
            ),
            step,
            unlike(step, mistakes, 0.4),
            within=0.4,
            said=say(
                f"The word is read in step {word + 1}, but Bahdanau's decoder looks before it "
                "reads, so the next look is the first to differ."
                if before
                else f"The word is read in step {word + 1}, and Luong's decoder looks after it has "
                "read.",
                f"第 {word + 1} 步才读入这个词，而 Bahdanau 的解码器先查询，再读入，"
                "所以再下一步的查询才会不同。"
                if before
                else f"第 {word + 1} 步读入这个词，Luong 的解码器读完才查询，所以这一步的查询"
                "已经不同。",
            ),
        ),
        answer=str(step),
    )


def _first_look(name: str, word: int) -> int:
    """Run a decoder twice, with another word at one place, and return the first other context."""
    torch.manual_seed(0)
    size, steps = 4, word + 3
    read, cell = torch.randn(3, size), nn.GRUCell(2 * size, size)
    written = torch.randn(2, steps + 1, size)  # before the first step a start
    written[1] = written[0]
    written[1, word] += 1

    def look(state: Tensor) -> Tensor:
        return (read @ state).softmax(dim=0) @ read

    def contexts(words: Tensor) -> Tensor:
        state, found = torch.zeros(size), []
        for before in words[:steps]:
            context = look(state)
            state = cell(torch.cat([before, context]), state)
            found.append(context if name == "Bahdanau" else look(state))
        return torch.stack(found)

    with torch.no_grad():
        differ = (contexts(written[0]) - contexts(written[1])).abs().amax(dim=1) > 1e-6
    return 1 + differ.tolist().index(True)


@family("which-half-knows", figure="zero", exercise="half")
def which_half_knows(draw: Draw, lang: Lang) -> Item:
    """Ask which half of a state changes with a word beside it."""
    say = say_in(lang)
    kind = draw.in_turn(["after", "before", "at", "before", "after"])
    sentence, word, other = draw.one(_SENTENCES[lang]).split("|")
    words = sentence.split()
    place = words.index(word)
    places = {"before": range(place), "at": [place], "after": range(place + 1, len(words))}[kind]
    asked = draw.one(places)
    forwards, backwards = _halves_that_change(words, place, asked)
    right = 2 if forwards and backwards else 0 if forwards else 1
    at = words[asked]
    options = {
        say("the half read forwards", "从前往后读的一半"): say(
            f"Reading forwards, the GRU comes to “{at}” before it has met “{word}”.",
            f"从前往后读到“{at}”时，还没有读到“{word}”。",
        )
        if kind == "before"
        else say(
            f"Reading backwards, the GRU has met “{word}” at this place, too.",
            f"从后往前读到这里，也读过“{word}”了。",
        ),
        say("the half read backwards", "从后往前读的一半"): say(
            f"Reading backwards, the GRU comes to “{at}” before it has met “{word}”.",
            f"从后往前读到“{at}”时，还没有读到“{word}”。",
        )
        if kind == "after"
        else say(
            f"Reading forwards, the GRU has met “{word}” at this place, too.",
            f"从前往后读到这里，也读过“{word}”了。",
        ),
        say("both halves", "两半都变"): say(
            f"Both halves change only at “{word}” itself.",
            f"两半都变的只有“{word}”自己的状态。",
        ),
    }
    options[[*options][right]] = {
        "before": say(
            f"“{word}” comes after “{at}”, so only the GRU that reads backwards has met it.",
            f"“{word}”排在“{at}”后面，读到这里时，只有从后往前读的 GRU 见过。",
        ),
        "after": say(
            f"“{word}” comes before “{at}”, so only the GRU that reads forwards has met it.",
            f"“{word}”排在“{at}”前面，读到这里时，只有从前往后读的 GRU 见过。",
        ),
        "at": say(
            f"Both GRUs have just read “{word}” at this place.",
            f"两个 GRU 在这里都刚刚读过“{word}”。",
        ),
    }[kind]
    return Item(
        say(
            f"Two GRUs read “{' '.join(words)}”, one forwards and one backwards. Then “{word}” is "
            f"replaced by “{other}”.",
            f"两个 GRU 读同一句话“{' '.join(words)}”，一个从前往后，一个从后往前。"
            f"现在把“{word}”换成“{other}”。",
        ),
        ask.choice(
            say(f"Which half of the state at “{at}” changes?", f"“{at}”处的状态，哪一半会变？")
            if kind != "at"
            else say(
                "Which half of the state at this word changes?",
                "换掉的词所在的位置，状态的哪一半会变？",
            ),
            right,
            options,
        ),
    )


def _halves_that_change(words: list[str], place: int, asked: int) -> tuple[bool, bool]:
    """Whether each half of a state changes with the word at a place: forwards and backwards."""
    torch.manual_seed(0)
    vectors = torch.randn(1, len(words), 4)
    gru = nn.GRU(4, 3, bidirectional=True, batch_first=True)
    with torch.no_grad():
        before = gru(vectors)[0][0, asked]
        vectors[0, place] += 1
        change = (gru(vectors)[0][0, asked] - before).abs() > 1e-7
    return bool(change[:3].any()), bool(change[3:].any())


_MONTHS = {
    "en": ["January", "February", "March", "April", "June", "August", "October", "November"],
    "zh": ["1", "2", "3", "4", "6", "8", "10", "11"],
}
_PARTS = ["day", "month", "year"]


def _date(draw: Draw, lang: Lang, year: int) -> dict[str, str]:
    day, year = draw.whole(11, 28), year + draw.whole(0, 9)
    month = draw.one(_MONTHS[lang])
    if lang == "en":
        return {"day": f"{day}", "month": month, "year": f"{year}"}
    return {"day": f"{day} 日", "month": f"{month} 月", "year": f"{year} 年"}


def _which_token(draw: Draw, lang: Lang, changed: bool) -> Item:
    """Ask at which token a decoder looks for a part of a date, if the question changed or not."""
    say = say_in(lang)
    first, second = _date(draw, lang, 1981), _date(draw, lang, 2001)
    while set(first.values()) & set(second.values()):
        second = _date(draw, lang, 2001)
    of_second = draw.turn % 2 == 0
    asked = draw.in_turn(["month", "day", "year", "month", "day"])
    other = draw.one([part for part in _PARTS if part != asked])
    wanted, unwanted = (second, first) if of_second else (first, second)
    signed, paid = say("Signed", "何时签字"), say("Paid", "何时付款")
    question, old = (paid, signed) if of_second else (signed, paid)
    name = say(asked, {"day": "日子", "month": "月份", "year": "年份"}[asked])
    replies = {
        wanted[asked]: say(
            f"“{wanted[asked]}” says the {name} of the date that the question asks for. A look "
            "there makes the answer right, which is all that training rewards.",
            f"问的是“{question}”，这个日期的{name}写在“{wanted[asked]}”里，训练时只有看这里才能答对。",
        ),
        unwanted[asked]: say(
            f"“{unwanted[asked]}” is the {name} of the other date, which “{old}?” asks for.",
            f"“{unwanted[asked]}”是另一个日期的{name}，要问“{old}”才会用到。",
        ),
        wanted[other]: say(
            f"“{wanted[other]}” belongs to the right date, but another part of the date is being "
            "written.",
            f"“{wanted[other]}”虽然也在所问的日期里，但现在写的是{name}。",
        ),
        question: say(
            f"“{question}” says which date is asked for, and the decoder has read it before it "
            "begins to write.",
            f"解码器在动笔以前已经读过“{question}”，写{name}时还要看日期本身。",
        ),
    }
    options = draw.shuffled([*replies])
    texts = (
        (" ".join(first[part] for part in _PARTS), " ".join(second[part] for part in _PARTS))
        if lang == "en"
        else tuple(" ".join(one[part] for part in _PARTS[::-1]) for one in (first, second))
    )
    sentence = say(
        f"“Signed on {texts[0]}, paid on {texts[1]}.”", f"“{texts[0]}签字，{texts[1]}付款。”"
    )
    change = say(
        f"The question was “{old}?” and is now “{question}?”",
        f"问题原来是“{old}？”，现在换成“{question}？”。",
    )
    plain = say(f"The question is “{question}?”", f"问题是“{question}？”。")
    return Item(
        say(
            f"A decoder reads {sentence} {change if changed else plain} With attention, it has "
            "learnt to write the date that is asked for.",
            f"解码器读到的句子是{sentence}{change if changed else plain}"
            "解码器用了注意力，已经学会写出所问的日期。",
        ),
        ask.choice(
            say(
                f"Where does it look most while it writes the {name}?",
                f"写{name}的时候，权重最大的是哪里？",
            ),
            options.index(wanted[asked]),
            {text: replies[text] for text in options},
        ),
    )


@family("where-the-part-stands", figure="month")
def where_the_part_stands(draw: Draw, lang: Lang) -> Item:
    """Ask at which token a trained decoder looks for a part of the date."""
    return _which_token(draw, lang, changed=False)


@family("another-question", figure="signed")
def another_question(draw: Draw, lang: Lang) -> Item:
    """Ask at which token a trained decoder looks once the question has changed."""
    return _which_token(draw, lang, changed=True)


_DATES = Text(
    "Models read a sentence with two dates and a question such as *Paid?*, and write the date that "
    "is asked for as 2014-05-03. They were trained on right answers only.",
    "模型读一句带两个日期的话，再读“何时付款？”这样的问题，把所问的日期写成 2014-05-03 的样子。"
    "训练时只看答案对不对。",
)
GIVEN = dict.fromkeys(["own", "curves", "sizes", "heaviest", "exchanged", "dates"], _DATES)
