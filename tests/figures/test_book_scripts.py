"""The pages' scripts read numbers as Python does."""

import pytest
from node import told_each

from attention_lib.exercises.ask import is_ambiguous, parse

BOOK = "../../../book/web"
NUMBERS = [
    *("0.5", "47,5", "４７．５", "４７，５", "−47.5", "－1", "–2E3", "﹣.5", "+1.", " 12 "),
    *("3,001,000", "3 001 000", "1,000.5", "1,234,567.5", "３，００１，０００", "1e-6", "1e999"),
    *("1/8", "1,5/0,5", "1/-8", "9 %", "９％", "12,5%", "1/4 %", "3,001,000/1,000,000"),
    *("1,125", "−12,500", "１，０００", "1,125 %", "1/2,500", "1,125/0", "0,125"),
    *("", " ", "%", "/", "1/", "/2", "1/0", "1/2/3", "1%%", "%1", "x", "0x10", "--1", "1-2", "∞"),
    *("1,5,0", "1,234,567,8", "1,234.5,6", "3001,000", "1.000,5", ",", ".", "e5", "nan", "٣"),
]


@pytest.mark.parametrize("read", [(parse, "parse"), (is_ambiguous, "isUnclear")])
def test_an_answer_is_the_same_number_in_jupyter_and_on_the_page(read: tuple) -> None:
    python, name = read
    found = told_each(f"{BOOK}/exercises/judging.ts", name, [(text,) for text in NUMBERS])
    told = [x if x is None or isinstance(x, bool) else float(x) for x in found]
    assert dict(zip(NUMBERS, told, strict=True)) == {text: python(text) for text in NUMBERS}
    assert len({*told}) > 1
