"""Test that the pages' scripts parse numbers and split Chinese as Python does."""

import pytest
from node import call_each_in_node

from attention_course.exercises.ask import is_ambiguous, parse
from book.site.output.search import in_pairs

BOOK = "../../book/web"
NUMBERS = [
    *("0.5", "47,5", "４７．５", "４７，５", "−47.5", "－1", "–2E3", "﹣.5", "+1.", " 12 "),
    *("3,001,000", "3 001 000", "1,000.5", "1,234,567.5", "３，００１，０００", "1e-6", "1e999"),
    *("1/8", "1,5/0,5", "1/-8", "9 %", "９％", "12,5%", "1/4 %", "3,001,000/1,000,000"),
    *("1,125", "−12,500", "１，０００", "1,125 %", "1/2,500", "1,125/0", "0,125"),
    *("", " ", "%", "/", "1/", "/2", "1/0", "1/2/3", "1%%", "%1", "x", "0x10", "--1", "1-2", "∞"),
    *("1,5,0", "1,234,567,8", "1,234.5,6", "3001,000", "1.000,5", ",", ".", "e5", "nan", "٣"),
]
CHINESE = ["二〇一四", "佐々木〆切", "𠮷野家𠮷", "〇", "二〇年：softmax，掩蔽", "〇。〇 a 〇"]


@pytest.mark.parametrize("read", [(parse, "parse"), (is_ambiguous, "isUnclear")])
def test_an_answer_is_the_same_number_in_jupyter_and_on_the_page(read: tuple) -> None:
    python, name = read
    found = call_each_in_node(f"{BOOK}/exercises/judging.ts", name, [(text,) for text in NUMBERS])
    told = [x if x is None or isinstance(x, bool) else float(x) for x in found]
    assert dict(zip(NUMBERS, told, strict=True)) == {text: python(text) for text in NUMBERS}
    assert len({*told}) > 1


def test_a_chinese_word_is_cut_in_queries_as_in_the_index_and_put_together_again() -> None:
    terms = call_each_in_node(f"{BOOK}/search/ranking.ts", "tokens", [(text,) for text in CHINESE])
    assert terms[0] == "二〇 〇一 一四"
    assert terms[1] == "佐々 々木 木〆 〆切"
    assert terms[2] == "𠮷野 野家 家𠮷"
    indexed = [in_pairs(text) for text in CHINESE]
    for query, cut in zip(terms[:4], indexed[:4], strict=True):
        assert {*query.split()} <= {*cut.split()}
    shown = call_each_in_node(f"{BOOK}/search/ranking.ts", "pieces", [(cut, "") for cut in indexed])
    assert ["".join(piece["text"] for piece in one) for one in shown] == CHINESE
