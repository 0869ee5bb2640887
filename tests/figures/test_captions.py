"""Check captions that are put together: of keys that share alike, and of padding."""

import pytest
import torch
from figure_examples import PADDED
from figures_in_node import sentences

from attention_figures import (
    AttentionFigure,
    Figure,
    ScoreFigure,
    SelectionFigure,
    StaircaseFigure,
)
from attention_lib import DotProductAttention

WORDS = ["早上", "好", "‹填充›", "‹填充›"]


def attention(keys: list[list[float]], names: list[str]) -> Figure:
    """Return one query of 2 dimensions on these keys."""
    inputs = torch.tensor([[[1.0, 2.0]]]), torch.tensor([keys]), torch.ones(1, len(keys), 1)
    words = {"names": names, "query_names": ["她"]}
    return AttentionFigure(DotProductAttention(), *inputs, **words, lang="zh")


CASES = [
    (attention([[3.0, 3.0]] * 4, WORDS), "“*她*”把权重平分给 4 个键（各 **25%**）。"),
    (attention([[3.0, 3.0]] * 2, WORDS[:2]), "“*她*”把权重平分给“*早上*”和“*好*”（各 **50%**）。"),
    (
        attention([[3.0, 3.0], [3.0, 3.2], [3.0, 3.0]], ["早上", "好", "‹填充›"]),
        "“*她*”读到的是“*好*”（**40%**）、“*早上*”和“*‹填充›*”（各 **30%**）。",
    ),
    (
        StaircaseFigure(PADDED["zh"], torch.zeros(4, 4), [2, 2, 2, 2], lang="zh"),
        "“*火车*”读到的是“*火车*”（**50%**）、“*晚点*”（**50%**）。读不到的键有“*‹填充›*”。",
    ),
    (
        SelectionFigure(
            torch.zeros(1, 1, 2),
            torch.ones(1, 2, 2),
            torch.tensor([[[8.0], [4.0]]]),
            names=["小雨", "钥匙"],
            query_names=["她"],
            lang="zh",
        ),
        "“*她*”读到的是“*小雨*”（**50%**）、“*钥匙*”（**50%**），加权平均是 **6.00**。",
    ),
    (
        ScoreFigure(torch.ones(1, 1, 2), torch.ones(1, 6, 2), torch.ones(1, 6, 1), lang="zh"),
        "6 个键不分高下，分数都是 **2.00**，权重都是 **17%**。",
    ),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_caption_says_what_is_shown(number: int) -> None:
    figure, said = CASES[number]
    assert said in sentences([figure])[0]
