"""Test that the sizes of published decoders imply their published numbers of parameters."""

from dataclasses import replace

import pytest
from torch import Tensor, nn

from attention_course.real_models import MODELS, Sizes, parameter_count, sizes_of, table
from attention_course.translated import Lang
from attention_lib import MultiHeadAttention

BY_NAME = {model.name: model for model in MODELS}
# What the released weights hold, all tensors counted, those that are shared once.
RELEASED = {
    "GPT-2": 124_439_808,
    "Llama 2 7B": 6_738_415_616,
    "Llama 3.1 405B": 405_853_388_800,
    "Qwen2.5 7B": 7_615_616_512,
}


class Block(nn.Module):
    """A pre-norm block with the layers of chapter 13's."""

    def __init__(self, size: int, num_heads: int, hidden: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = MultiHeadAttention(size, size, size, size, num_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, size)
        )


class Decoder(nn.Module):
    """A decoder with the layers of chapter 13's, whose output is tied."""

    def __init__(self, vocabulary: int, positions: int, blocks: int) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocabulary, 6), nn.Embedding(positions, 6)
        self.blocks = nn.ModuleList(Block(6, 3, 11) for _ in range(blocks))
        self.norm = nn.LayerNorm(6)


class GatedBlock(nn.Module):
    """A block with grouped heads, SwiGLU and RMSNorm; biases where asked for."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        d, shared = sizes.size, sizes.size // sizes.heads * sizes.kv_heads
        biased = {part: part in sizes.biases for part in ("qkv", "output", "feed-forward")}
        self.q_proj = nn.Linear(d, d, bias=biased["qkv"])
        self.k_proj, self.v_proj = (nn.Linear(d, shared, bias=biased["qkv"]) for _ in range(2))
        self.o_proj = nn.Linear(d, d, bias=biased["output"])
        self.gate_proj, self.up_proj = (
            nn.Linear(d, sizes.hidden, bias=biased["feed-forward"]) for _ in range(2)
        )
        self.down_proj = nn.Linear(sizes.hidden, d, bias=biased["feed-forward"])
        self.norm_1, self.norm_2 = nn.RMSNorm(d), nn.RMSNorm(d)


def count(*parts: nn.Module) -> int:
    parameters: list[Tensor] = [x for part in parts for x in part.parameters()]
    return sum(x.numel() for x in parameters)


@pytest.mark.parametrize(("name", "number"), RELEASED.items())
def test_the_sizes_of_a_released_model_imply_its_number_of_parameters(
    name: str, number: int
) -> None:
    assert parameter_count(BY_NAME[name].sizes) == number


def test_all_models_but_one_were_released_and_that_one_has_175_billion() -> None:
    assert set(BY_NAME) - set(RELEASED) == {"GPT-3"}
    assert round(parameter_count(BY_NAME["GPT-3"].sizes) / 1e9) == 175


@pytest.mark.parametrize("blocks", [1, 2])
def test_the_parameters_of_our_decoder_are_those_that_torch_counts(blocks: int) -> None:
    model = Decoder(vocabulary=13, positions=7, blocks=blocks)
    sizes = sizes_of(model)
    assert (sizes.blocks, sizes.size, sizes.heads, sizes.hidden) == (blocks, 6, 3, 11)
    assert parameter_count(sizes) == count(model)


@pytest.mark.parametrize("biases", [(), ("qkv",), ("output",), ("feed-forward",)])
def test_the_parameters_of_a_gated_block_with_grouped_heads_are_those_that_torch_counts(
    biases: tuple[str, ...],
) -> None:
    sizes = replace(
        BY_NAME["Qwen2.5 7B"].sizes,
        **{"size": 12, "heads": 6, "kv_heads": 2, "hidden": 5, "vocabulary": 17, "blocks": 3},
        biases=frozenset(biases),
    )
    parts = [nn.Embedding(17, 12), nn.Linear(12, 17, bias=False), nn.RMSNorm(12)]
    assert parameter_count(sizes) == count(*parts, *(GatedBlock(sizes) for _ in range(3)))


def test_heads_divide_the_size_and_groups_the_heads() -> None:
    for model in MODELS:
        assert model.sizes.size % model.sizes.heads == 0
        assert model.sizes.heads % model.sizes.kv_heads == 0


@pytest.mark.parametrize(
    ("lang", "ours", "expected"),
    [
        ("en", "ours", {"blocks": "1", "positions": "learnt", "training tokens": "460,800"}),
        ("zh", "本章", {"块数": "1", "位置": "可学习", "训练词元数": "46.1 万"}),
    ],
)
def test_our_decoder_stands_in_the_first_column(
    lang: Lang, ours: str, expected: dict[str, str]
) -> None:
    model = Decoder(vocabulary=13, positions=7, blocks=1)
    found = table(model, training_tokens=600 * 64 * 12, lang=lang)
    assert found.heads[0] == ours
    assert expected.items() <= {name: cells[0] for name, cells in found.rows}.items()
    assert str(count(model)) in {cells[0] for _, cells in found.rows}


def test_the_other_columns_have_three_digits_and_a_unit() -> None:
    model = Decoder(vocabulary=13, positions=7, blocks=1)
    english, chinese = (dict(table(model, 1, lang=lang).rows) for lang in ("en", "zh"))
    assert english["parameters"][1:] == ["124 M", "175 B", "6.74 B", "406 B", "7.62 B"]
    assert chinese["参数个数"][2:] == ["1750 亿", "67.4 亿", "4060 亿", "76.2 亿"]
    assert english["training tokens"][1:] == ["—", "300 B", "2 T", "15.6 T", "18 T"]
    assert chinese["训练词元数"][2:] == ["3000 亿", "2 万亿", "15.6 万亿", "18 万亿"]


def test_the_page_shows_a_table_with_heads_and_jupyter_the_same_words() -> None:
    found = table(Decoder(vocabulary=13, positions=7, blocks=1), 1, lang="en")
    html = found._repr_html_()
    assert html.startswith('<table class="table sizes"><caption>Sizes of decoders')
    assert html.count('<th scope="col">') == 1 + len(MODELS)
    assert html.count('<th scope="row">') == len(found.rows)
    for text in ("Llama 3.1 405B", "grouped", "RMSNorm"):
        assert (text in html) == (text in repr(found))
