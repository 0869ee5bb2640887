"""Record the sizes of published decoders, and count the parameters that these sizes imply."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from attention_course.translated import Lang, Text

Part = Literal["qkv", "output", "feed-forward", "norm"]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Sizes of a decoder, which determine how many parameters it has.

    Args:
        blocks: one after the other, each with attention, a feed-forward network and two norms. A
            last norm stands behind them.
        size: d, of a token's vector.
        heads: of queries, d / heads numbers each.
        kv_heads: heads of keys and values.
        hidden: units between the layers of the feed-forward network.
        gated: whether half of the first layer's numbers scale the other half, as in SwiGLU.
        biases: which parts add a bias: the projections to queries, keys and values, the projection
            of the heads' output, the feed-forward network, the norms.
        vocabulary: how many tokens have a vector.
        positions: how many positions have a learnt vector. 0: positions are rotations.
        tied: whether the logits are dot products with the same vectors of the tokens.
    """

    blocks: int
    size: int
    heads: int
    kv_heads: int
    hidden: int
    gated: bool
    biases: frozenset[Part]
    vocabulary: int
    positions: int
    tied: bool


def parameter_count(sizes: Sizes) -> int:
    """Return how many numbers a decoder of these sizes learns.

    >>> tiny = Sizes(
    ...     blocks=1, size=2, heads=1, kv_heads=1, hidden=3, gated=False, biases=frozenset(),
    ...     vocabulary=5, positions=4, tied=True,
    ... )
    >>> parameter_count(tiny)  # (5 + 4) · 2 vectors, 4 · 2², 2 · 2 · 3, and three norms of 2
    52
    """
    vectors = sizes.vocabulary * (1 if sizes.tied else 2) + sizes.positions
    block = _attention(sizes) + _feed_forward(sizes) + 2 * _norm(sizes)
    return vectors * sizes.size + sizes.blocks * block + _norm(sizes)


def _attention(sizes: Sizes) -> int:
    d, shared = sizes.size, sizes.size // sizes.heads * sizes.kv_heads
    biases = ("qkv" in sizes.biases) * (d + 2 * shared) + ("output" in sizes.biases) * d
    return 2 * d * d + 2 * d * shared + biases


def _feed_forward(sizes: Sizes) -> int:
    first = sizes.hidden * (2 if sizes.gated else 1)
    biases = ("feed-forward" in sizes.biases) * (first + sizes.size)
    return sizes.size * (first + sizes.hidden) + biases


def _norm(sizes: Sizes) -> int:
    return sizes.size * (2 if "norm" in sizes.biases else 1)


@dataclass(frozen=True, kw_only=True)
class Model:
    """A decoder in the table.

    Args:
        name: as its authors call it, with its size where they published several.
        sizes: of its layers.
        activation: of the feed-forward network.
        context: how many tokens it reads at most.
        training_tokens: how many it was trained on. None: not published.
    """

    name: str
    sizes: Sizes
    activation: str
    context: int
    training_tokens: int | None


def _gpt(blocks: int, size: int, heads: int, context: int) -> Sizes:
    """Return sizes of a GPT-2 or GPT-3, in which each layer has a bias and hidden is 4 · d."""
    return Sizes(
        blocks=blocks,
        size=size,
        heads=heads,
        kv_heads=heads,
        hidden=4 * size,
        gated=False,
        biases=frozenset({"qkv", "output", "feed-forward", "norm"}),
        vocabulary=50257,
        positions=context,
        tied=True,
    )


def _llama(
    blocks: int,
    size: int,
    heads: int,
    kv_heads: int,
    hidden: int,
    vocabulary: int,
    biases: Iterable[Part] = (),
) -> Sizes:
    """Return sizes of a decoder with RMSNorm, rotary positions, SwiGLU and an output of its own."""
    return Sizes(
        blocks=blocks,
        size=size,
        heads=heads,
        kv_heads=kv_heads,
        hidden=hidden,
        gated=True,
        biases=frozenset(biases),
        vocabulary=vocabulary,
        positions=0,
        tied=False,
    )


MODELS = [
    # Radford et al. (2019), section 2.3: norms, vocabulary and context; table 2: blocks and size.
    # Heads, hidden and biases: hparams.json and src/model.py of the release. The paper says that
    # the training text has 40 GB (section 2.1), not how many tokens were read.
    Model(
        name="GPT-2",
        sizes=_gpt(12, 768, 12, 1024),
        activation="GELU",
        context=1024,
        training_tokens=None,
    ),
    # Brown et al. (2020), table 2.1: blocks, size, heads and training tokens; section 2.1: context,
    # hidden, and all else as in GPT-2.
    Model(
        name="GPT-3",
        sizes=_gpt(96, 12288, 96, 2048),
        activation="GELU",
        context=2048,
        training_tokens=300 * 10**9,
    ),
    # Touvron et al. (2023), table 1: context, training tokens, no shared heads in this size;
    # section 2.2: norms, positions, SwiGLU, vocabulary. The rest: config.json of the release.
    Model(
        name="Llama 2 7B",
        sizes=_llama(32, 4096, 32, 32, 11008, 32000),
        activation="SwiGLU",
        context=4096,
        training_tokens=2 * 10**12,
    ),
    # Grattafiori et al. (2024), table 3: blocks, size, heads, hidden; section 1: training tokens
    # and context. The vocabulary is that of the release, with 256 special tokens.
    Model(
        name="Llama 3.1 405B",
        sizes=_llama(126, 16384, 128, 8, 53248, 128256),
        activation="SwiGLU",
        context=131072,
        training_tokens=15_600 * 10**9,
    ),
    # Yang et al. (2024), table 1: blocks, heads, output and context; section 2: norms, positions,
    # SwiGLU, biases; section 3.1: training tokens. Size, hidden and vocabulary: config.json.
    Model(
        name="Qwen2.5 7B",
        sizes=_llama(28, 3584, 28, 4, 18944, 152064, biases=("qkv",)),
        activation="SwiGLU",
        context=131072,
        training_tokens=18 * 10**12,
    ),
]


def sizes_of(model: Any) -> Sizes:
    """Read the sizes of chapter 13's decoder off its layers."""
    attention, feed_forward = model.blocks[0].attention, model.blocks[0].feed_forward
    return Sizes(
        blocks=len(model.blocks),
        size=model.embedding.embedding_dim,
        heads=attention.num_heads,
        kv_heads=attention.num_heads,
        hidden=feed_forward[0].out_features,
        gated=False,
        biases=frozenset({"feed-forward", "norm"}),
        vocabulary=model.embedding.num_embeddings,
        positions=model.positions.num_embeddings,
        tied=True,
    )


@dataclass(frozen=True)
class Table:
    """A table of words, as HTML on the page and as Markdown where there is none.

    >>> Table("Two words.", ["hot"], [("cold", ["?"])])
    Two words.
    <BLANKLINE>
    |  | hot |
    | --- | --- |
    | cold | ? |
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]

    def __repr__(self) -> str:
        lines = [("", self.heads), ("---", ["---"] * len(self.heads)), *self.rows]
        table = "\n".join("| " + " | ".join([name, *cells]) + " |" for name, cells in lines)
        return f"{self.caption}\n\n{table}"

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in self.heads)
        rows = "".join(
            f'<tr><th scope="row">{escape(name)}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>"
            for name, cells in self.rows
        )
        return (
            f'<table class="table sizes"><caption>{escape(self.caption)}</caption>'
            f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )


_OURS = Text("ours", "本章")
_CAPTION = Text(
    "Sizes of decoders (M: million, B: billion, T: trillion). All parameters are counted with "
    "one formula.",
    "各个解码器的规模（参数个数按同一个公式计算）",
)
_ROWS = [
    Text("blocks", "块数"),
    Text("size d", "维数 d"),
    Text("heads", "头数"),
    Text("key–value heads", "键值头数"),
    Text("hidden units", "隐藏单元数"),
    Text("activation", "激活函数"),
    Text("norm", "归一化"),
    Text("positions", "位置"),
    Text("vocabulary", "词表大小"),
    Text("output", "输出"),
    Text("context", "上下文长度"),
    Text("parameters", "参数个数"),
    Text("training tokens", "训练词元数"),
]
_LEARNT, _ROTARY = Text("learnt", "可学习"), Text("rotary", "旋转")
_TIED, _OWN = Text("tied", "共用"), Text("separate", "分开")
_UNITS: dict[Lang, list[tuple[int, str]]] = {
    "en": [(10**12, "T"), (10**9, "B"), (10**6, "M")],
    "zh": [(10**12, "万亿"), (10**8, "亿"), (10**4, "万")],
}


def table(model: Any, training_tokens: int, lang: Lang) -> Table:
    """Compare chapter 13's decoder, in the first column, with published ones.

    Args:
        model: the decoder, with the layers that `sizes_of` reads.
        training_tokens: how many tokens it was trained on, each counted whenever it was read.
        lang: of names and units.
    """
    ours = Model(
        name=_OURS.into(lang),
        sizes=sizes_of(model),
        activation=type(model.blocks[0].feed_forward[1]).__name__,
        context=model.positions.num_embeddings,
        training_tokens=training_tokens,
    )
    columns = [ours, *MODELS]
    cells = zip(*(_cells(one, lang) for one in columns), strict=True)
    rows = [(name.into(lang), list(row)) for name, row in zip(_ROWS, cells, strict=True)]
    return Table(_CAPTION.into(lang), [one.name for one in columns], rows)


def _cells(model: Model, lang: Lang) -> list[str]:
    """Return what stands in the column of a model, in the order of _ROWS."""
    sizes, tokens = model.sizes, model.training_tokens
    return [
        *map(_exact, (sizes.blocks, sizes.size, sizes.heads, sizes.kv_heads, sizes.hidden)),
        model.activation,
        "LayerNorm" if "norm" in sizes.biases else "RMSNorm",
        (_LEARNT if sizes.positions else _ROTARY).into(lang),
        _exact(sizes.vocabulary),
        (_TIED if sizes.tied else _OWN).into(lang),
        _exact(model.context),
        _rounded(parameter_count(sizes), lang),
        "—" if tokens is None else _rounded(tokens, lang),
    ]


def _exact(number: int) -> str:
    return f"{number:,}"


def _rounded(number: int, lang: Lang) -> str:
    """Return a number with three digits and a unit, or all of it where it is small.

    >>> _rounded(124_439_808, "en"), _rounded(124_439_808, "zh"), _rounded(2944, "en")
    ('124 M', '1.24 亿', '2,944')
    """
    for unit, name in _UNITS[lang]:
        if number >= unit:
            return f"{float(f'{number:.3g}') / unit:.10g} {name}"
    return _exact(number)
