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
            "Whom does *her* refer to? Suppose *her* asks with its own vector: the query lies on "
            "*her*. Which word gets the largest weight?",
            "“她”指的是谁？假设“她”就用自己的向量去问，也就是说，查询落在“她”上。"
            "哪个词得到的权重最大？",
        ),
        options=SENTENCE,
        answer=lambda figure: english(figure.names[int(figure.attention_weights.argmax())]),
        because=Text(
            "A vector that points as the query does, and is long, gets the highest score. Now drag "
            "the query to the right, towards a person, and *her* finds *Mia*.",
            "与查询方向一致、又长的向量，分数最高。"
            "接着把查询往右拖，也就是去找人，“她”就能找到“小雨”。",
        ),
        wrong={
            "Mia": Text(
                "*Mia* gets most once the query asks for a person, but *her* itself lies upwards, "
                "where words point back.",
                "查询去找人，得到最多的才是“小雨”，可是“她”自己的向量朝上，也就是指代前文的方向。",
            ),
            "lost": Text(
                "*lost* lies on the side away from *her*, and its score is negative.",
                "“丢了”在与“她”相反的一侧，分数是负的。",
            ),
            "key": Text(
                "*key* lies upwards too, but its vector is much shorter.",
                "“钥匙”的向量也朝上，可是短得多。",
            ),
        },
        kind=PlaceQuestion,
    ),
}
