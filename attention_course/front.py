"""Record the front page's figure: what a word of the book's sentence finds, asking as itself."""

from types import SimpleNamespace

from attention_course.queries_keys_values import SENTENCE, TRAITS, english
from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    in_language,
)
from attention_figures import PlaceQuestion


def words(lang: Lang) -> SimpleNamespace:
    """Return names and the question in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").traits
    ['指人', '指代前文']
    """
    return in_language(lang, RECORDS)


RECORDS: dict[str, Record] = {
    "traits": TRAITS,
    "question": ChoiceRecord(
        text=Text(
            "Whom does *her* refer to? Suppose *her* asks with its own vector, so the query lies "
            "on *her*. Which word gets the largest weight?",
            "“她”指的是谁？假设“她”用自己的向量作查询，也就是说，查询落在“她”上。"
            "哪个词的权重最大？",
        ),
        options=SENTENCE,
        answer=lambda figure: english(figure.names[int(figure.attention_weights.argmax())]),
        because=Text(
            "The vector of *her* points the same way as the query and is long, so *her* gets the "
            "highest score. Now drag the query to the right, towards a person, and watch the "
            "weight of *Mia*.",
            "“她”的向量与查询方向一致，长度又大，所以分数最高。接着把查询往右拖，让查询去找人，"
            "看看“小雨”的权重怎样变化。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* would get most if the query asked for a person, but here the query lies on "
                "*her*.",
                "查询如果去找人，“小雨”的权重最大，但这里的查询落在“她”上。",
            ),
            "lost": Text(
                "*lost* gets a negative score, because *lost* lies on the opposite side from "
                "*her*.",
                "“丢了”位于与“她”相反的一侧，所以分数为负。",
            ),
            "key": Text(
                "*key* gets a smaller weight: the vector of *key* points up like that of *her*, "
                "but is much shorter.",
                "“钥匙”的向量虽然也朝上，但比“她”的短得多，所以权重较小。",
            ),
        },
        kind=PlaceQuestion,
    ),
}
