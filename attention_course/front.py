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
            "Whom does *her* refer to? Suppose that *her* uses its own vector as the query. "
            "Which word gets the largest weight?",
            "“她”指的是谁？如果用“她”自己的向量作查询，哪个词的权重最大？",
        ),
        options=SENTENCE,
        answer=lambda figure: english(figure.names[int(figure.attention_weights.argmax())]),
        because=Text(
            "The query is the vector of *her* itself, and this vector is long, so *her* gets "
            "the highest score. Now drag the query to the right, towards a person, and watch "
            "the weight of *Mia*.",
            "查询就是“她”自己的向量，这个向量又比较长，所以“她”的分数最高。接下来把查询向右拖，"
            "去找“指人”的词，看看“小雨”的权重怎样变化。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* gets the largest weight when the query asks for a person, but here the "
                "query is the vector of *her*.",
                "如果要找的是人，“小雨”的权重确实最大，但这里的查询是“她”自己的向量。",
            ),
            "lost": Text(
                "*lost* gets a negative score, because its vector is more than a right angle "
                "away from that of *her*.",
                "“丢了”的向量与“她”的夹角是钝角，所以分数是负数。",
            ),
            "key": Text(
                "*key* gets a smaller weight: its vector is shorter than that of *her*, and "
                "points mainly to the left.",
                "“钥匙”的向量比“她”的短得多，而且主要朝左，所以权重较小。",
            ),
        },
        kind=PlaceQuestion,
    ),
}
