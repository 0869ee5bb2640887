"""Make figures for the tests: examples of each kind, and random states from seeds."""

from collections.abc import Callable, Sequence, Set
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypeVar

import torch
from alignment_examples import alignment, random_alignment
from random_states import Sizes, likely, one_of, random_figure

from attention_course.dates import figure_model
from attention_course.decoder import load_model, sentence
from attention_figures import (
    AttentionFigure,
    BandwidthFigure,
    BroadcastingFigure,
    CacheFigure,
    ComparisonFigure,
    CostFigure,
    CurvesFigure,
    DatesFigure,
    DecoderCacheFigure,
    DecoderPartsFigure,
    DropoutFigure,
    DropoutMeanFigure,
    DropoutSpreadFigure,
    DropoutVariantsFigure,
    EmptyRowFigure,
    Figure,
    FillFigure,
    ForwardPassFigure,
    GroupsFigure,
    HeadsFigure,
    KernelMapFigure,
    KernelRegressionFigure,
    LeakFigure,
    LearnedFigure,
    LookAheadFigure,
    MaskDoctorFigure,
    MaskedSoftmaxFigure,
    NextWordFigure,
    NoteFigure,
    OnlineFigure,
    OrderFigure,
    PaddingFigure,
    PoolingFigure,
    PositionsFigure,
    ProductFigure,
    ProjectionsFigure,
    ReadingFigure,
    RecallFigure,
    ReplayFigure,
    RetrievalFigure,
    ScalingGradientsFigure,
    ScalingVarianceFigure,
    ScalingWalkFigure,
    ScalingWeightsFigure,
    ScoreFigure,
    SelectionFigure,
    StaircaseFigure,
    TanhFigure,
    TemperatureFigure,
    TrainedWeightsFigure,
    WindowFigure,
)
from attention_figures.decoder_pass import PARTS
from attention_figures.decoder_state import Sentence
from attention_lib import AdditiveAttention, DotProductAttention, MultiHeadAttention
from attention_lib.scores import SCORES
from tests.variants import sampled

Scaled = TypeVar(
    "Scaled",
    ScalingGradientsFigure,
    ScalingVarianceFigure,
    ScalingWalkFigure,
    ScalingWeightsFigure,
)

START = [
    [[0.8, 0.2, 0.9, 0.4], [0.1, 0.7, 0.3, 0.5]],
    [[0.6, 0.2, 0.7, 0.1], [0.9, 0.8, 0.3, 0.4]],
]


def tensors(nested: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the arguments of a figure, some of them changed."""
    return {name: torch.tensor(x) for name, x in nested.items()} | changes


def steps(lang: str = "en", step: int = 5) -> MaskedSoftmaxFigure:
    """Return the chapter's example."""
    return MaskedSoftmaxFigure(torch.tensor(START), [2, 3], lang=lang, step=step)


def pipeline(lang: str = "en") -> AttentionFigure:
    """Return a small additive figure with three choices of num_hiddens."""
    torch.manual_seed(0)
    modules = [AdditiveAttention(3, 5, hiddens) for hiddens in (1, 4, 16)]
    inputs = torch.randn(2, 2, 5), torch.randn(2, 4, 3), torch.randn(2, 4, 2)
    return AttentionFigure(modules, *inputs, [2, 3], lang=lang)


def random_attention(seed: int) -> AttentionFigure:
    """Return a figure of random kind, sizes, numbers and lengths, empty rows among them."""
    torch.manual_seed(seed)
    batch, num_queries, num_keys, size = torch.randint(1, 8, (4,)).tolist()
    scale = 10 ** torch.empty(1).uniform_(-2, 2)
    query_size = size if seed % 2 else size + 3
    module = (
        DotProductAttention() if seed % 2 else AdditiveAttention(size, query_size, 1 + seed % 7)
    )
    shape = (batch,) if seed % 3 else (batch, num_queries)
    return AttentionFigure(
        module,
        scale * torch.randn(batch, num_queries, query_size),
        scale * torch.randn(batch, num_keys, size),
        torch.randn(batch, num_keys, 3),
        torch.randint(0, num_keys + 1, shape),
    )


LOOK_UP = {
    "queries": [[[0.5, 0.5], [-1.5, 1.0]]],
    "keys": [[[1.0, 1.2], [-1.0, 0.0], [2.0, -1.0], [-2.0, 2.0]]],
    "values": [[[4.0], [1.0], [3.0], [0.5]]],
}


def look_up(lang: str = "en", temperature: float = 1.0) -> PoolingFigure:
    """Return two queries among four keys in the plane."""
    return PoolingFigure(**tensors(LOOK_UP), temperature=temperature, lang=lang)


REGRESSION = {
    "keys": [[[0.5], [1.0], [2.0], [3.5], [4.0]]],
    "values": [[[1.0], [2.0], [3.0], [2.5], [1.5]]],
    "query": [[[1.5]]],
}


def regression(
    lang: str = "en", kernel: str = "gaussian", w: float = 1.0
) -> KernelRegressionFigure:
    """Return five training points and a query, with a kernel to choose."""
    data = tensors(REGRESSION)
    return KernelRegressionFigure(**data, kernel=kernel, w=w, lang=lang, choose_kernel=True)


def bandwidth(lang: str = "en", kernel: str = "gaussian", w: float = 1.0) -> BandwidthFigure:
    """Return the same data with the errors of every width."""
    data = tensors(REGRESSION)
    return BandwidthFigure(**data, kernel=kernel, w=w, lang=lang, choose_kernel=True)


def kernel_map(lang: str = "en", kernel: str = "gaussian", w: float = 1.0) -> KernelMapFigure:
    """Return the same data with the weights of many queries."""
    return KernelMapFigure(**tensors(REGRESSION), kernel=kernel, w=w, lang=lang)


def parameter_sizes(size: int, hiddens: int) -> dict[str, tuple[int, ...]]:
    """Return the sizes of the parameters of all scores, for queries and keys of one size."""
    sizes = {"query size": size, "key size": size, "d": size, "H": hiddens, "1": 1}
    shapes = {name: shape for score in SCORES.values() for name, shape in score.parameters.items()}
    return {name: tuple(sizes[symbol] for symbol in shape) for name, shape in shapes.items()}


# By hand; a parameter that has no line here is 0.5 everywhere.
PARAMETERS = {
    **{name: torch.full(x, 0.5).tolist() for name, x in parameter_sizes(2, 3).items()},
    "W_q": [[1.0, 0.0], [0.5, -1.0], [0.0, 1.0]],
    "W_k": [[-1.0, 0.0], [0.5, 1.0], [1.0, -1.0]],
    "w_v": [[1.0, -0.5, 2.0]],
    "W": [[0.0, 1.0], [0.0, 0.0]],
}
SCORING = {
    "queries": [[[3.0, 4.0]]],
    "keys": [[[3.0, 4.0], [6.0, 8.0], [-4.0, 3.0], [0.0, 0.0]]],
    "values": [[[1.0, 0.0], [2.0, 1.0], [3.0, 0.5], [4.0, -1.0]]],
    **PARAMETERS,
}


def scoring(lang: str = "en", score: str = "dot", **named: Any) -> ScoreFigure:
    """Return a query, keys in its direction and across it, and a key of 0."""
    return ScoreFigure(**tensors(SCORING), score=score, lang=lang, **named)


def menu(lang: str = "en") -> ScoreFigure:
    """Return a compact figure of a query and keys that have names, as have the axes."""
    words = {
        "en": ("guest", ["curry", "jam", "flan"], ["sweet", "hot"]),
        "zh": ("客人", ["咖喱", "果酱", "布丁"], ["甜", "辣"]),
    }[lang]
    inputs = tensors(SCORING) | {
        "keys": torch.tensor([[[3.0, 4.0], [6.0, 8.0], [-4.0, 3.0]]]),
        "values": torch.tensor([[[1.0], [2.0], [3.0]]]),
    }
    query_name, names, axes = words
    named = {"query_name": query_name, "names": names, "axes": axes, "compact": True}
    return ScoreFigure(**inputs, **named, score="gaussian", name="menu", lang=lang)


def scaling(lang: str = "en", d: int = 64, scaled: bool = True) -> ScalingVarianceFigure:
    """Return the scores of a figure of the size that the chapter has."""
    return ScalingVarianceFigure(*_vectors(), d=d, scaled=scaled, lang=lang)


def scaling_weights(lang: str = "en", d: int = 64, scaled: bool = True) -> ScalingWeightsFigure:
    """Return the weights of the same vectors."""
    return ScalingWeightsFigure(*_vectors(), d=d, scaled=scaled, lang=lang)


def _vectors() -> list[torch.Tensor]:
    draws = torch.Generator().manual_seed(6)
    return [torch.randn(1, 16, 128, generator=draws).round(decimals=2) for _ in range(2)]


def small_vectors() -> tuple[torch.Tensor, torch.Tensor]:
    """Return one query (2, 0, 0, 0) and the keys (1, 0, 0, 0) and 0."""
    keys = torch.zeros(1, 2, 4)
    keys[0, 0, 0] = 1
    return 2 * keys[:, :1], keys


def random_scaling(kind: type[Scaled]) -> Callable[[int], Scaled]:
    """Return what makes such a figure in a random state, some with d = 1, huge scores, or ties."""
    axes = {"D": [1, 2, 3, 8, 20], "K": range(2, 8)}
    return random_figure(kind, axes, d=lambda sizes: one_of([1, sizes["D"]]))


DROPOUT = {
    "scores": [[[2.0, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 1.0, 0.0]]],
    "draws": [
        [[0.95, 0.25, 0.4, 0.75], [0.0, 0.85, 0.39, 0.5], [0.2, 0.45, 0.62, 0.52]],
        [[0.1, 0.92, 0.33, 0.01], [0.99, 0.49, 0.74, 0.66], [0.88, 0.15, 0.08, 0.59]],
        [[0.56, 0.47, 0.71, 0.9], [0.31, 0.22, 0.05, 0.97], [0.64, 0.8, 0.5, 0.19]],
    ],
}


def dropout(lang: str = "en", p: float = 0.5, draw: int = 1) -> DropoutFigure:
    """Return three queries among four keys, and three draws."""
    controls = ["p", "training", "draw", "resample"]
    return DropoutFigure(**tensors(DROPOUT), p=p, draw=draw, lang=lang, controls=controls)


def dropout_mean(lang: str = "en", p: float = 0.5, draw: int = 2) -> DropoutMeanFigure:
    """Return the same with the mean of the draws."""
    return DropoutMeanFigure(**tensors(DROPOUT), p=p, draw=draw, lang=lang)


HER = {
    "en": {"query_names": ["her"], "key_names": ["Mia", "found", "her", "key"]},
    "zh": {"query_names": ["她"], "key_names": ["米娅", "找到", "她", "钥匙"]},
}


def dropout_row(lang: str = "en") -> DropoutFigure:
    """Return one query among the words of its sentence."""
    return DropoutFigure(**_row(), **HER[lang], lang=lang, controls=["p", "resample"])


def dropout_variants(lang: str = "en") -> DropoutVariantsFigure:
    """Return one query and one draw."""
    return DropoutVariantsFigure(**_row(), **HER[lang], lang=lang)


def _row() -> dict[str, Any]:
    return {name: torch.tensor(x)[:1, :1] for name, x in DROPOUT.items()}


def dropout_spread(lang: str = "en") -> DropoutSpreadFigure:
    """Return what dropout makes of the output of one query."""
    values = torch.tensor([[[4.0], [1.0], [3.0], [0.5]]])
    return DropoutSpreadFigure(_row()["scores"], values, **HER[lang], lang=lang)


def dropout_sums(lang: str = "en") -> DropoutSpreadFigure:
    """Return what dropout makes of the sums of three rows."""
    return DropoutSpreadFigure(tensors(DROPOUT)["scores"], torch.ones(1, 4, 1), lang=lang)


def trained_weights(lang: str = "en") -> TrainedWeightsFigure:
    """Return twelve steps of a training."""
    away = torch.tensor([[2.0, 0.0, -1.0, 0.0]])
    scores = torch.tensor([[2.0, 1.0, 0.5, 0.0]]) - torch.arange(12)[:, None, None] / 5 * away
    steps = range(0, 120, 10)
    return TrainedWeightsFigure(scores, steps, step=3, **HER[lang], lang=lang)


COMPARING = {
    "queries": [[[1.0, 0.5]]],
    "keys": [[[1.5, 0.5], [3.0, 1.0], [0.5, -1.0], [-1.0, 0.5]]],
    **PARAMETERS,
}


def comparison(lang: str = "en") -> ComparisonFigure:
    """Return a query, a key near it, one twice as long, and two others."""
    return ComparisonFigure(**tensors(COMPARING), lang=lang)


def towns(lang: str = "en") -> ComparisonFigure:
    """Return two of the scores, of keys and a query that have names."""
    names = {"en": ["east", "out", "south", "west", "you"], "zh": ["东", "外", "南", "西", "你"]}
    parts = ["score", "regions", "weights"]
    return ComparisonFigure(
        **tensors(COMPARING),
        names=names[lang],
        compared=["gaussian", "sum"],
        parts=parts,
        name="towns",
        lang=lang,
    )


def learned(lang: str = "en") -> LearnedFigure:
    """Return three stored steps of two scores."""
    torch.manual_seed(6)
    names = {"en": ["east", "west", "north", "you"], "zh": ["东", "西", "北", "你"]}
    return LearnedFigure(
        torch.tensor([[[1.0, 0.5]]]),
        torch.tensor([[[2.0, 0.0], [-2.0, 0.5], [0.0, 2.0]]]),
        torch.randn(3, 3, 3),
        torch.randn(3, 2, 3),
        torch.randn(3, 2, 3),
        torch.randn(3, 1, 2),
        torch.rand(1, 2, 3),
        steps=[0, 5, 150],
        names=names[lang],
        step=2,
        lang=lang,
    )


def cost(lang: str = "en") -> CostFigure:
    """Return a short text, with one slider for both lengths and one for each size."""
    return CostFigure(16, 16, 8, 16, sliders=["length", "d", "num_hiddens"], lang=lang)


def padding(lang: str = "en") -> PaddingFigure:
    """Return two words, and as much padding."""
    words = {"en": ["the", "train"], "zh": ["火车", "晚点"]}[lang]
    return PaddingFigure(words, torch.tensor([0.8, 0.2, 0.9, 0.4]), valid_len=3, lang=lang)


def staircase(lang: str = "en") -> StaircaseFigure:
    """Return three words, each of which reads those up to itself."""
    words = {"en": ["the", "train", "left"], "zh": ["火车", "已经", "开走"]}[lang]
    scores = torch.tensor([[0.8, 0.2, 0.9], [0.1, 0.7, 0.3], [0.6, 0.2, 0.7]])
    return StaircaseFigure(words, scores, lang=lang)


PADDED = {
    "en": ["the", "train", "‹pad›", "‹pad›"],
    "zh": ["火车", "晚点", "‹填充›", "‹填充›"],
}


def fill(lang: str = "en") -> FillFigure:
    """Return scores as low as the fill."""
    row = torch.tensor([0.8, 0.2, 0.9, 0.4]), 2
    return FillFigure(*row, level=-1e6, lang=lang, names=PADDED[lang])


def empty_row(lang: str = "en") -> EmptyRowFigure:
    """Return a row of which half counts."""
    return EmptyRowFigure(torch.tensor([0.8, 0.2, 0.9, 0.4]), 2, lang=lang, names=PADDED[lang])


def leak(lang: str = "en") -> LeakFigure:
    """Return a row whose padding holds a number."""
    scores, values = torch.tensor([[0.8, 0.2, 0.9, 0.4], [1.0, 2.0, 0.0, 0.0]])
    return LeakFigure(scores, values, 2, held="1e6", lang=lang, names=PADDED[lang])


def retrieval(lang: str = "en") -> RetrievalFigure:
    """Return a query on one of three names, which gets less than a longer one."""
    keys = torch.tensor([[1.0, 0.5], [2.0, 1.0], [-1.0, 0.5]])
    names = {"en": ["dog", "horse", "cat"], "zh": ["狗", "马", "猫"]}[lang]
    axes = {"en": ["large", "tame"], "zh": ["体型大", "温顺"]}[lang]
    return RetrievalFigure(keys[0], keys, names, axes, lang=lang)


PAIRS = {
    "queries": [[[1.0, -0.5, 0.2], [0.4, 1.2, -1.1]]],
    "keys": [[[0.8, 0.2, 0.9], [0.1, -0.7, 0.3], [-0.6, 0.3, 1.7], [0.0, 1.0, -0.4]]],
}


def broadcasting(lang: str = "en") -> BroadcastingFigure:
    """Return two queries and four keys, transformed by three hidden units."""
    return BroadcastingFigure(
        **tensors(PAIRS), w_v=torch.tensor([[1.0, -0.5, 2.0]]), query=1, key=2, lang=lang
    )


def product(lang: str = "en", d: int | None = None) -> ProductFigure:
    """Return two queries and four keys of three components."""
    return ProductFigure(**tensors(PAIRS), d=d, query=1, key=2, lang=lang)


def guests(lang: str = "en") -> ProductFigure:
    """Return the matrices alone, of guests and keys that have names."""
    words = {
        "en": (["Ann", "Ben"], ["curry", "jam", "flan", "tea"]),
        "zh": (["小安", "小兵"], ["咖喱", "果酱", "布丁", "茶"]),
    }[lang]
    named = {"query_names": words[0], "names": words[1], "compact": True, "scaled": False}
    return ProductFigure(**tensors(PAIRS), **named, query=1, name="guests", lang=lang)


def note(lang: str = "en") -> NoteFigure:
    """Return two boards of four lines, and a note of one number."""
    names = {"en": ["Ash", "Brook", "Cove", "Dale"], "zh": ["北桥", "东港", "南湖", "西山"]}[lang]
    days = {"en": ["Monday", "Tuesday"], "zh": ["周一", "周二"]}[lang]
    boards = torch.tensor([[[30.0, 50.0, 20.0, 60.0], [8.0, 0.0, 3.0, 1.0]]])
    return NoteFigure(
        boards, names, days, size=2, unit={"en": "min", "zh": "分钟"}[lang], lang=lang
    )


def selection(lang: str = "en") -> SelectionFigure:
    """Return two queries among three keys with values, at a temperature."""
    names = {"en": ["Ash", "Brook", "Cove"], "zh": ["北桥", "东港", "南湖"]}[lang]
    queries = torch.tensor([[[0.5, 1.0], [-1.0, 2.0]]])
    keys = torch.tensor([[[0.0, 2.0], [2.0, 0.0], [0.0, -2.0]]])
    return SelectionFigure(
        queries,
        keys,
        torch.tensor([[[30.0], [50.0], [20.0]]]),
        names=names,
        query_names={"en": ["here", "there"], "zh": ["这里", "那里"]}[lang],
        unit={"en": "min", "zh": "分钟"}[lang],
        lang=lang,
    )


def wish(lang: str = "en") -> SelectionFigure:
    """Return a query whose components can be moved, among keys without values."""
    english = ["pale", "bright"], "you", ["place", "light"]
    chinese = ["暗", "亮"], "旅客", ["地点", "亮度"]
    words = {"en": english, "zh": chinese}[lang]
    return SelectionFigure(
        torch.tensor([[[1.0, 0.5]]]),
        torch.tensor([[[0.0, 1.0], [1.6, 0.0]]]),
        names=words[0],
        query_names=[words[1]],
        handle="features",
        features=words[2],
        score="dot",
        name="wish",
        lang=lang,
    )


def recall(lang: str = "en") -> RecallFigure:
    """Return a list of up to three words out of five."""
    words = {
        "en": ["bread", "milk", "rice", "tea", "salt"],
        "zh": ["面包", "牛奶", "大米", "茶", "盐"],
    }
    torch.manual_seed(4)
    vectors, places = torch.randn(1, 5, 6), torch.randn(1, 3, 6).sign()
    return RecallFigure(words[lang], vectors, places, length=2, lang=lang)


def replay(lang: str = "en", step: int = 1) -> ReplayFigure:
    """Return two runs of three steps: one finds all three keys, the other loses two."""
    weights = torch.full((2, 3, 3, 3), 1 / 3)
    weights[0, 2] = torch.eye(3)
    weights[1] = torch.tensor([[0.9, 0.0996, 0.0004], [0.0, 0.0, 1.0], [0.7, 0.2998, 0.0002]])
    words = {
        "en": (["divided", "not divided"], ["Paris", "Oslo", "Lima"], ["France", "Norway", "Peru"]),
        "zh": (["缩放", "不缩放"], ["巴黎", "奥斯陆", "利马"], ["法国", "挪威", "秘鲁"]),
    }
    runs, names, query_names = words[lang]
    return ReplayFigure(weights, [0, 10, 100], runs, names, query_names, step=step, lang=lang)


def reading(lang: str = "en", step: int = 1) -> ReadingFigure:
    """Return two runs of three steps, of which one learns to write a day from a short sentence."""
    weights = torch.full((2, 3, 3, 4), 0.25)
    weights[0, 2] = torch.tensor([[0.9, 0.1, 0, 0], [0, 0.0004, 0.9996, 0], [0, 0, 1, 0]])
    weights[1, 1:, :, 3], weights[1, 1:, :, :3] = 0.7, 0.1
    tokens = {"en": ["May", "1", "7", "."], "zh": ["五", "1", "7", "日"]}
    runs = {"en": ["additive", "dot product"], "zh": ["加性", "点积"]}
    return ReadingFigure(
        weights,
        written=[["111", "517", "517"], ["777", "511", "514"]],
        tokens=tokens[lang],
        answer="517",
        spans=[(0, 1), (1, 3), (1, 3)],
        steps=[0, 50, 100],
        runs=runs[lang],
        step=step,
        place=1,
        lang=lang,
    )


def random_reading(seed: int) -> ReadingFigure:
    """Return runs of any number, steps, characters and tokens; in some no weight is heaviest."""
    torch.manual_seed(seed)
    R, S, T, K = (int(n) for n in torch.randint(1, 6, (4,)))
    weights = torch.softmax(8 * torch.randn(R, S, T, K), dim=-1)
    if seed % 4 == 0:
        weights = torch.full((R, S, T, K), 1 / K)
    texts = [["".join(map(str, x)) for x in run] for run in torch.randint(10, (R, S, T)).tolist()]
    first = torch.randint(0, K + 1, (T,))
    end = first + (torch.rand(T) * (K + 1 - first)).long()
    return ReadingFigure(
        weights,
        written=texts,
        tokens=[f"t{k}" for k in range(K)],
        answer=texts[0][-1],
        spans=torch.stack([first, end], dim=-1).tolist(),
        steps=range(S),
        runs=[f"run {r}" for r in range(R)],
        run=seed % R,
        step=seed % S,
        place=seed % T,
        handle=["step", "place"][seed % 2],
    )


def dates(lang: str = "en") -> DatesFigure:
    """Return a date of which the year is not read rightly."""
    return DatesFigure(figure_model(lang), year=1789, month=7, day=14, place=1)


def random_dates(seed: int) -> DatesFigure:
    """Return any date, of any calendar."""
    torch.manual_seed(seed)
    year, month, day, style, place = (int(n * torch.rand(())) for n in (400, 12, 31, 2, 10))
    own = {"year": 1700 + year, "month": 1 + month, "day": 1 + day, "style": style}
    return DatesFigure(figure_model(["en", "zh"][seed % 2]), **own, place=place)


def curves(lang: str = "en") -> CurvesFigure:
    """Return three runs of two seeds each."""
    shares = torch.tensor(
        [
            [[0.0, 0.5, 0.98, 1.0], [0.0, 0.7, 1.0, 1.0]],
            [[0.0, 0.25, 0.875, 1.0], [0.0, 0.5, 0.75, 1.0]],
            [[0.0, 0.0, 0.02, 0.25], [0.0, 0.01, 0.03, 0.5]],
        ]
    )
    runs = {"en": ["additive", "dot product", "fixed"], "zh": ["加性", "点积", "固定"]}
    axis, about = {"en": ("steps", "right answers"), "zh": ("步", "全对的比例")}[lang]
    numbers = [0, 100, 200, 400]
    return CurvesFigure(shares, numbers, runs[lang], axis=axis, about=about, point=2, lang=lang)


def spreading(lang: str = "en") -> ScalingVarianceFigure:
    """Return how scores are distributed, with the weights of one query among three words."""
    words = {"en": ["river", "bread", "cloud"], "zh": ["河", "面包", "云"]}
    return ScalingVarianceFigure(*_few_vectors(), scaled=False, names=words[lang], lang=lang)


def scaling_walk(lang: str = "en") -> ScalingWalkFigure:
    """Return the way that the products of one query with three keys go."""
    return ScalingWalkFigure(*_few_vectors(), scaled=False, lang=lang)


def scaling_gradients(lang: str = "en") -> ScalingGradientsFigure:
    """Return the gradients of four queries."""
    return ScalingGradientsFigure(*_few_vectors(), scaled=False, lang=lang)


def _few_vectors() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(3)
    return torch.randn(1, 4, 16).round(decimals=2), torch.randn(1, 3, 16).round(decimals=2)


def tanh(lang: str = "en") -> TanhFigure:
    """Return two days and three things to wear, by how warm they keep."""
    names = {"en": ["shirt", "jumper", "coat"], "zh": ["短袖", "毛衣", "大衣"]}[lang]
    return TanhFigure(
        torch.tensor([[[30.0, 1.0], [0.0, 1.0]]]),
        torch.tensor([[[0.2], [1.0], [2.0]]]),
        torch.tensor([[[0.2, -5.0], [0.2, -7.0]]]),
        torch.tensor([[[3.0], [3.0]]]),
        torch.tensor([[[3.0, -2.0]]]),
        names=names,
        query_names=["30 °C", "0 °C"],
        handle="size",
        lang=lang,
    )


def bump(lang: str = "en") -> TanhFigure:
    """Return one day that is moved, and the curves of its units."""
    names = {"en": ["shirt", "jumper", "coat"], "zh": ["短袖", "毛衣", "大衣"]}[lang]
    return TanhFigure(
        torch.tensor([[[15.0, 1.0]]]),
        torch.tensor([[[0.2], [1.0], [2.0]]]),
        torch.tensor([[[0.2, -5.0], [0.2, -7.0]]]),
        torch.tensor([[[3.0], [3.0]]]),
        torch.tensor([[[3.0, -2.0]]]),
        names=names,
        query_names=["15 °C"],
        handle="num_hiddens",
        reach=(0.0, 30.0),
        moved={"en": "temperature", "zh": "气温"}[lang],
        unit=" °C",
        axis={"en": "warmth", "zh": "保暖程度"}[lang],
        lang=lang,
    )


def cache(lang: str = "en") -> CacheFigure:
    """Return three words, of which two are written."""
    words = {"en": ["the", "train", "left"], "zh": ["火车", "已经", "开走"]}[lang]
    return CacheFigure(words, step=2, lang=lang)


def groups(lang: str = "en") -> GroupsFigure:
    """Return four query heads that share two heads of keys and values."""
    return GroupsFigure(num_heads=4, kv_heads=2, lang=lang)


def random_groups(seed: int) -> GroupsFigure:
    """Return heads in groups of any size, which divides their number."""
    torch.manual_seed(seed)
    kv_heads, group, layers, size = torch.randint(1, 9, (4,)).tolist()
    return GroupsFigure(kv_heads * group, kv_heads, 2 ** (8 + seed % 10), layers, size)


def online(lang: str = "en") -> OnlineFigure:
    """Return four scores, the highest of which is read third."""
    scores = torch.tensor([0.8, 0.2, 1.9, 0.4])
    values, words = (
        torch.tensor([4.0, 1.0, 3.0, 0.5]),
        {
            "en": ["the", "train", "left", "late"],
            "zh": ["火车", "很晚", "才", "开走"],
        },
    )
    return OnlineFigure(scores, values, step=3, lang=lang, names=words[lang])


def window(lang: str = "en") -> WindowFigure:
    """Return four words that read two each."""
    words = {"en": ["the", "train", "left", "late"], "zh": ["火车", "很晚", "才", "开走"]}[lang]
    torch.manual_seed(8)
    return WindowFigure(words, torch.randn(4, 4), width=2, slope=0.5, lang=lang)


def corner(lang: str = "en") -> WindowFigure:
    """Return the last two words of four, which count from either corner."""
    words = {"en": ["the", "train", "left", "late"], "zh": ["火车", "很晚", "才", "开走"]}[lang]
    torch.manual_seed(9)
    scores = torch.randn(2, 4)
    return WindowFigure(words, scores, width=2, handle="corner", name="corner", lang=lang)


def mask_doctor(lang: str = "en", reading: str = "boolean") -> MaskDoctorFigure:
    """Return four words of six, each of which reads the words up to itself."""
    words = {
        "en": ["the", "train", "left", "late", "last", "night"],
        "zh": ["昨晚", "火车", "很晚", "才", "开走", "了"],
    }[lang]
    return MaskDoctorFigure(words, torch.ones(4, 4).tril(), reading, lang=lang)


def _table(sizes: Sizes) -> torch.Tensor:
    num_keys = one_of(range(1, 1 + sizes["N"]))
    table = torch.randint(2, (one_of(range(1, 1 + num_keys)), num_keys)).double()
    if likely(1 / 4):
        table = torch.ones_like(table).tril(one_of(range(3)))
    match one_of(range(4)):
        case 0:
            return table.log()  # 0 becomes −∞
        case 1:
            return table * torch.finfo(torch.float32).min
        case 2:
            return (10 * torch.randn_like(table)).round(decimals=2) * table
    return table


def projections(lang: str = "en", brings: bool = False) -> ProjectionsFigure:
    """Return three words, and the directions in which they ask and answer."""
    words = {"en": ["Mia", "lost", "hers"], "zh": ["小雨", "弄丢", "她的"]}[lang]
    return ProjectionsFigure(
        words,
        torch.tensor([[[2.0, 0.3], [-1.0, -0.5], [0.2, 1.9]]]),
        torch.tensor([[0.4, 1.5]]),
        torch.tensor([[0.4, 0.0]]),
        torch.tensor([[0.5, -1.0]]),
        axes={"en": ["somebody", "refers back"], "zh": ["指人", "指前文"]}[lang],
        arrows=["W_v", "W_q", "W_k"] if brings else ["W_q", "W_k"],
        query=0,
        name="values" if brings else "projections",
        lang=lang,
    )


def values(lang: str = "en") -> ProjectionsFigure:
    """Return the same with values, whose direction is the handle."""
    return projections(lang, brings=True)


def order(lang: str = "en", positioned: bool = False) -> OrderFigure:
    """Return three words, of which two have changed places."""
    words = {"en": ["dog", "bites", "man"], "zh": ["狗", "咬", "人"]}[lang]
    x = torch.tensor([[[1.0, 0.5], [-0.5, 1.5], [1.2, -0.4]]])
    return OrderFigure(words, x, order=[2, 1, 0], positioned=positioned, lang=lang)


def positions(lang: str = "en") -> PositionsFigure:
    """Return two of sixteen positions, with clocks of two frequencies."""
    return PositionsFigure(16, 4, position=5, distance=3, lang=lang)


def random_positions(seed: int) -> PositionsFigure:
    """Return any two positions that may be chosen."""
    torch.manual_seed(seed)
    number, size = int(torch.randint(4, 90, ())), 2 * int(torch.randint(1, 20, ()))
    farthest = number // 4
    position = int(torch.randint(number - farthest, ()))
    return PositionsFigure(number, size, position, seed % (farthest + 1))


def heads(lang: str = "en") -> HeadsFigure:
    """Return three words and two heads, the second of which is off."""
    words = {"en": ["the", "cat", "cats", "now"], "zh": ["这", "书", "鱼", "呢"]}[lang]
    answers = {"en": ["is", "are", "was", "were"], "zh": ["这本", "这条", "那本", "那条"]}[lang]
    torch.manual_seed(5)
    return HeadsFigure(
        MultiHeadAttention(2, 2, 2, num_hiddens=4, num_heads=2),
        torch.randn(4, 2),
        torch.randn(3, 2),
        words,
        [0, 1, 3],
        answers,
        [[0], [1, 2], [0, 3]],
        query=1,
        on=[True, False],
        lang=lang,
    )


def next_word(lang: str = "en") -> NextWordFigure:
    """Return the decoder's own sentence, before the word for a thing; one part can be removed."""
    parts = ["head-0", "first-token"]
    return NextWordFigure(load_model(lang), sentence(lang), step=4, removable=parts, lang=lang)


def random_next_word(seed: int) -> NextWordFigure:
    """Return any words of the template, any step and any part that is removed."""
    torch.manual_seed(seed)
    lang = ("en", "zh")[seed % 2]
    own = sentence(lang)
    tokens = [one_of(allowed) for allowed in own.swaps]
    parts = ["head-0", "head-1", *PARTS]
    return NextWordFigure(
        load_model(lang),
        replace(own, tokens=tokens),
        step=1 + one_of(range(len(tokens))),
        removable=parts,
        without=one_of(["nothing", *parts]),
        lang=lang,
    )


def random_heads(seed: int) -> HeadsFigure:
    """Return sentences of any length, read by one to four heads, of which any may be off."""
    torch.manual_seed(seed)
    num_heads, size, num_words, length, d = (int(n) for n in torch.randint(1, 5, (5,)))
    hiddens = num_heads * size
    scale = [0.1, 1.0, 10.0][seed % 3]
    return HeadsFigure(
        MultiHeadAttention(d, d, d, hiddens, num_heads),
        scale * torch.randn(num_words, d),
        torch.randn(length + seed % 2, d),
        [f"w{v}" for v in range(num_words)],
        torch.randint(num_words, (length,)).tolist(),
        [f"a{i}" for i in range(hiddens)],
        query=seed % length,
        on=torch.randint(2, (num_heads,)).bool().tolist(),
    )


def decoder_parts(lang: str = "en") -> DecoderPartsFigure:
    """Return a decoder without one of its heads."""
    parts = ["head-0", "head-1", "positions"]
    own = load_model(lang), sentence(lang)
    return DecoderPartsFigure(*own, parts, without="head-1", lang=lang)


def random_decoder_parts(seed: int) -> DecoderPartsFigure:
    """Return any words that may be exchanged, and any part removed."""
    torch.manual_seed(seed)
    lang = ["en", "zh"][seed % 2]
    parts = ["head-0", "head-1", *PARTS]
    figure = DecoderPartsFigure(load_model(lang), sentence(lang), parts, lang=lang)
    figure.tokens = [one_of(allowed) for allowed in figure.swaps]
    figure.without = one_of(["nothing", *parts])
    return figure


def look_ahead(lang: str = "en") -> LookAheadFigure:
    """Return the two trained decoders of a language."""
    models = (load_model(lang, causal=causal) for causal in (True, False))
    return LookAheadFigure(*models, sentence(lang), lang=lang)


def random_look_ahead(seed: int) -> LookAheadFigure:
    """Return any sentence, read by either decoder, with the later words or without."""
    torch.manual_seed(seed)
    figure = look_ahead(["en", "zh"][seed % 2])
    figure.tokens = [one_of(allowed) for allowed in figure.swaps]
    figure.training = one_of(["masked", "unmasked"])
    figure.visible = one_of(["all", "so_far"])
    return figure


def temperature(lang: str = "en") -> TemperatureFigure:
    """Return two sentences at a temperature at which some words are wrong."""
    mia = sentence(lang)
    draws = torch.rand(2, len(mia.tokens), generator=torch.Generator().manual_seed(0))
    return TemperatureFigure(load_model(lang), mia, draws, temperature=2, lang=lang)


def decoder_cache(lang: str = "en") -> DecoderCacheFigure:
    """Return a step at which four words are cached."""
    return DecoderCacheFigure(load_model(lang), sentence(lang), step=5, lang=lang)


def _random_sentence(lang: str) -> Sentence:
    mia = sentence(lang)
    return replace(mia, tokens=[one_of(allowed) for allowed in mia.swaps])


def random_temperature(seed: int) -> TemperatureFigure:
    """Return up to three sentences at any temperature, after some words of any sentence."""
    torch.manual_seed(seed)
    lang = ["en", "zh"][seed % 2]
    mia = _random_sentence(lang)
    words = [mia.vocabulary[token] for token in mia.tokens]
    return TemperatureFigure(
        load_model(lang),
        mia,
        torch.rand(1 + seed % 3, len(words)),
        temperature=[0.1, 0.5, 1, 2.3, 5][seed % 5],
        after=[word for word in words if likely(1 / 3)] or None,
        lang=lang,
    )


def random_decoder_cache(seed: int) -> DecoderCacheFigure:
    """Return any step of any sentence."""
    torch.manual_seed(seed)
    lang = ["en", "zh"][seed % 2]
    mia = _random_sentence(lang)
    step = 1 + one_of(range(len(mia.tokens)))
    return DecoderCacheFigure(load_model(lang), mia, step, cached=likely(1 / 2), lang=lang)


def traced(lang: str = "en") -> ForwardPassFigure:
    """Return a number that has gone as far as the weights of the decoder's second head."""
    model, mia = load_model(lang), sentence(lang)
    return ForwardPassFigure(model, mia, step=9, component=8, key=2, stage=6, lang=lang)


def random_traced(seed: int) -> ForwardPassFigure:
    """Return any number of any sentence, of a word that comes before or after the one that asks."""
    torch.manual_seed(seed)
    lang = ["en", "zh"][seed % 2]
    model, mia = load_model(lang), sentence(lang)
    figure = ForwardPassFigure(model, mia, lang=lang)
    figure.tokens = [one_of(allowed) for allowed in figure.swaps]
    figure.step, figure.component = 1 + one_of(range(len(mia.tokens))), one_of(range(16))
    figure.key = one_of([None, *range(len(mia.tokens))])
    figure.next_token = one_of([None, *range(len(mia.vocabulary))])
    figure.stage = one_of(range(1, 16))
    return figure


@dataclass(frozen=True)
class Example:
    """A figure, with what the tests of all figures need to know about it.

    Attributes:
        make: makes it in a language.
        random: makes a figure of its kind in a random state; only the first example of a kind.
        moved: the `data-control` of a control that changes weights.
        first: the stage that a page without JavaScript shows first.
        printed: the stage that its program prints; None means the first.
        hint: whether something is said of a number, a control or a table while weights are hidden.
        left: classes of shapes that stay visible then.
        bad: invalid parts of its state, which links may not contain.
    """

    make: Callable[[str], Figure]
    random: Callable[[int], Figure] | None = None
    _: KW_ONLY
    moved: str
    first: str = "attention_weights"
    printed: str | None = None
    hint: bool = False
    left: Set[str] = frozenset({"name"})
    bad: Sequence[Any] = ()

    def __call__(self, lang: str) -> Figure:
        return self.make(lang)


def _scores(last: Any) -> list[Any]:
    """Return scores of the right shape for `steps`, with this number in their last column."""
    return [[[0, 0, 0, last]] * 2] * 2


random_regression = random_figure(KernelRegressionFigure, {"K": range(1, 16)})


def _compared(sizes: Sizes) -> list[str]:
    return one_of([[], [one_of(list(SCORES))], ["sum", "dot"]])


def _first_words(sizes: Sizes) -> list[str]:
    sizes["W"] = 1 + one_of(range(sizes["K"]))
    return [f"w{k}" for k in range(sizes["W"])]


def _places_before(sizes: Sizes) -> int:
    return one_of(range(sizes["K"] - sizes["W"] + 1))


def _length(sizes: Sizes) -> int:
    return one_of(range(sizes["K"] + 1))


def _lengths(sizes: Sizes) -> torch.Tensor | None:
    number = sizes["N"]
    return torch.randint(number + 1, (number,)) if likely(1 / 2) else None


def _divisor(sizes: Sizes) -> int:
    return one_of([n for n in range(1, sizes["K"] + 1) if sizes["K"] % n == 0])


def _signs(sizes: Sizes) -> torch.Tensor:
    sizes["V"] = sizes["N"] + one_of(range(12))
    return torch.randn(1, sizes["N"], sizes["d"]).sign()


def _replayed(sizes: Sizes) -> torch.Tensor:
    """Return weights, some on the edges of found and lost."""
    shape = sizes["R"], sizes["S"], sizes["K"], sizes["K"]
    if likely(1 / 3):
        return torch.tensor([0, 0.001, 0.0011, 0.5, 0.5001])[torch.randint(5, shape)]
    return torch.softmax(8 * torch.randn(shape), dim=-1)


def _word(sizes: Sizes) -> str:
    return "n"


def _arrows(sizes: Sizes) -> list[str]:
    return one_of([["W_q", "W_k"], ["W_v", "W_q", "W_k"]])


def _order(sizes: Sizes) -> list[int]:
    return torch.randperm(sizes["N"]).tolist()


def random_fill(seed: int) -> FillFigure:
    """Return scores near each fill, above and below it, in both types."""
    half = seed % 2 == 0
    level = [0.0, -1e4, -9995.0, -5e4, -1e6, -999_990.0, -1e7][seed % (4 if half else 7)]
    given = {"half": half, "level": level, "fill": ["-1e4", "-1e6", "-inf"][seed % 3]}
    own = {name: lambda sizes, value=value: value for name, value in given.items()}
    length = {"valid_len": lambda sizes: 1 + one_of(range(sizes["K"] - 1))}
    return random_figure(FillFigure, {"K": range(2, 9)}, **own, **length)(seed)


def random_selection(seed: int) -> SelectionFigure:
    """Return queries and keys of any size; if the features are the handle, they have names."""
    handle = ["temperature", "query", "features"][seed % 3]

    def features(sizes: Sizes) -> list[str]:
        return [f"f{i}" for i in range(sizes["d"])] if handle == "features" else []

    return random_figure(SelectionFigure, handle=lambda sizes: handle, features=features)(seed)


# Words and arrows are inputs; the attention between them is not.
_PROJECTED = {
    *("axis-name", "word", "key tip", "line", "shaft"),
    *("foot", "end", "ring", "arrow", "drag-me"),
}
_REGRESSION = {"query", "key", "name", "dot", "ring", "arrow", "drag-me"}
_PLANE = {"query", "key", "origin", "dot", "ring", "arrow", "drag-me"}

EXAMPLES = {
    "steps": Example(
        steps,
        random_figure(MaskedSoftmaxFigure),
        moved="valid_lens[0]",
        bad=[
            *[None, 3, [], "step"],
            *[
                {"scores": wrong}
                for wrong in (1, [[[1, 2]]], _scores(1001), _scores("1"), _scores(None))
            ],
            *[{"valid_lens": wrong} for wrong in ([5, 0], [1], [[1, 1], [1]], 3, [1.5, 2], None)],
            *[{"step": wrong} for wrong in (6, "2", None, [2])],
            *[{"unknown": 1}, {"lang": "zh"}, {"__proto__": {"step": 1}}, {"toString": 1}],
            {"step": 2, "valid_lens": [9, 9]},  # one of two
        ],
    ),
    "pipeline": Example(
        pipeline,
        random_attention,
        moved="valid_lens[0]",
        bad=[{"num_hiddens": 5}, {"modules": []}, {"key_presets": {"random": []}}],
    ),
    "look_up": Example(
        look_up,
        random_figure(PoolingFigure),
        moved="temperature",
        hint=True,
        left={"query", "key", "value", "mean", "name", "dot", "ring", "arrow", "drag-me"},
        bad=[
            *[{"temperature": wrong} for wrong in (-1, True, 1e9)],
            *[{"query": wrong} for wrong in (2, -1, 0.5, "0")],
        ],
    ),
    "regression": Example(
        regression,
        random_regression,
        moved="kernel",
        hint=True,
        left=_REGRESSION,
        bad=[{"kernel": "cubic"}, {"choose_kernel": False}],
    ),
    "bandwidth": Example(
        bandwidth,
        random_figure(BandwidthFigure),
        moved="w",
        hint=True,
        left=_REGRESSION,
        bad=[{"w": 1001}],
    ),
    "kernel_map": Example(kernel_map, random_figure(KernelMapFigure), moved="w", bad=[{"w": -1}]),
    "scoring": Example(
        scoring,
        random_figure(ScoreFigure),
        moved="score",
        hint=True,
        left=_PLANE,
        bad=[{"score": "sum"}, {"W": [[1e308, 0], [0, 1]]}],
    ),
    "menu": Example(
        menu, moved="score", hint=True, left=_PLANE | {"axis-name", "contours", "band", "band line"}
    ),
    "scaling_variance": Example(
        scaling,
        random_scaling(ScalingVarianceFigure),
        moved="d",
        hint=True,
        bad=[{"d": 3}, {"scaled": 1}, {"names": ["river"]}],
    ),
    "scaling_walk": Example(
        scaling_walk, random_scaling(ScalingWalkFigure), moved="d", first="scores", bad=[{"d": 3}]
    ),
    "scaling_weights": Example(
        scaling_weights, random_scaling(ScalingWeightsFigure), moved="d", bad=[{"d": 3}]
    ),
    "scaling_gradients": Example(
        scaling_gradients,
        random_scaling(ScalingGradientsFigure),
        moved="d",
        first="query_gradients",
        printed="attention_weights",
        bad=[{"scaled": 1}],
    ),
    "replay": Example(
        replay,
        random_figure(ReplayFigure, weights=_replayed),
        moved="step",
        hint=True,
        bad=[{"step": 3}, {"step": 0.5}, {"run": 2}, {"weights": [[]]}],
    ),
    "reading": Example(
        reading,
        random_reading,
        moved="step",
        hint=True,
        bad=[{"step": 3}, {"run": "0"}, {"place": -1}, {"answer": "518"}],
    ),
    "dates": Example(
        dates,
        random_dates,
        moved="year",
        hint=True,
        bad=[{"year": 2100}, {"day": 0}, {"month": 1.5}, {"style": "1"}, {"model": {}}],
    ),
    "curves": Example(
        curves,
        random_figure(CurvesFigure, axis=_word, about=_word),
        moved="point",
        first="mean",
        hint=True,
        left={"name", "now-line", "read-line"},
        bad=[{"point": 4}, {"shares": [[[1]]]}],
    ),
    "dropout": Example(
        dropout,
        random_figure(DropoutFigure),
        moved="p",
        bad=[
            {"p": 0.95},
            *[{"draws": [[[wrong] * 4] * 3] * 3} for wrong in (1, -0.01, 0.125, "0.5")],
        ],
    ),
    "dropout_row": Example(dropout_row, moved="p", left={"arc", "arc padding"}),
    "dropout_variants": Example(
        dropout_variants, random_figure(DropoutVariantsFigure), moved="p", bad=[{"p": 0.95}]
    ),
    "dropout_mean": Example(
        dropout_mean,
        random_figure(DropoutMeanFigure),
        moved="draw",
        first="mean",
        printed="attention_weights",
        bad=[{"draw": 4}],
    ),
    "dropout_spread": Example(
        dropout_spread, random_figure(DropoutSpreadFigure), moved="p", bad=[{"values": [[[1]]]}]
    ),
    "trained_weights": Example(
        trained_weights, random_figure(TrainedWeightsFigure), moved="step", bad=[{"step": 12}]
    ),
    "comparison": Example(
        comparison,
        random_figure(ComparisonFigure, compared=_compared),
        moved="keys[0][0][0]",
        hint=True,
        left=_PLANE | {"name"},
        bad=[{"score": 6}],
    ),
    "towns": Example(towns, moved="score", hint=True, left=_PLANE | {"name"}),
    "learned": Example(
        learned, random_figure(LearnedFigure), moved="step", hint=True, left=_PLANE | {"name"}
    ),
    "cost": Example(
        cost, random_figure(CostFigure), moved="length", first="multiplications", hint=True
    ),
    "alignment": Example(
        alignment,
        random_alignment,
        moved="pair",
        hint=True,
        left={"arc"},
        bad=[
            *[{"premise": wrong} for wrong in ("two\nlines", "long" * 101, 5)],
            *[{"pairs": []}, {"parameters": {}}],
        ],
    ),
    "padding": Example(
        padding,
        random_figure(PaddingFigure, words=_first_words, before=_places_before),
        moved="valid_lens[0]",
        left={"arc", "arc padding"},
    ),
    "empty_row": Example(empty_row, random_figure(EmptyRowFigure), moved="valid_lens[0]"),
    "leak": Example(leak, random_figure(LeakFigure, valid_len=_length), moved="held"),
    "staircase": Example(
        staircase, random_figure(StaircaseFigure, valid_lens=_lengths), moved="valid_lens[0][0]"
    ),
    "projections": Example(
        projections,
        random_figure(ProjectionsFigure, arrows=_arrows),
        moved="W_q[0]",
        left=_PROJECTED,
        bad=[{"query": 3}, {"W_q": [[1]]}, {"W_k": [[1e9, 0]]}, {"x": [[[1, 0]]]}],
    ),
    "values": Example(values, moved="W_v[0]", left=_PROJECTED),
    "order": Example(
        order,
        random_figure(OrderFigure, {"d": [2, 4, 6]}, order=_order),
        moved="swap[0]",
        bad=[{"order": [0, 1]}, {"order": [0, 0, 1]}, {"positioned": 1}, {"order": "012"}],
    ),
    "positions": Example(
        positions,
        random_positions,
        moved="position",
        first="products",
        left={"dial", "hand here", "hand there"},
        bad=[{"position": 12}, {"distance": 5}, {"position": 0.5}, {"size": 2}],
    ),
    "heads": Example(
        heads,
        random_heads,
        moved="code.query",
        left={"arc", "arc padding"},
        bad=[{"query": 3}, {"on": [1, 0]}, {"on": [True]}, {"tokens": [0, 3, 0]}, {"tokens": [0]}],
    ),
    "next_word": Example(
        next_word,
        random_next_word,
        moved="code.step",
        left={"arc", "arc padding"},
        bad=[{"step": 0}, {"step": 13}, {"without": "mask"}, {"tokens": [0]}, {"without": 1}],
    ),
    "fill": Example(fill, random_fill, moved="level"),
    "broadcasting": Example(
        broadcasting,
        random_figure(BroadcastingFigure),
        moved="query",
        bad=[{"key": 4}, {"query": "0"}, {"w_v": [[1]]}],
    ),
    "product": Example(
        product,
        random_figure(ProductFigure),
        moved="d",
        bad=[*[{"d": wrong} for wrong in (0, 4, 1.5)], {"query": 2}],
    ),
    "guests": Example(guests, moved="keys[0][0][0]"),
    "retrieval": Example(
        retrieval,
        random_figure(RetrievalFigure),
        moved="code.queries[0][0][0]",
        left=_PLANE | {"axis-name"},
    ),
    "note": Example(note, random_figure(NoteFigure, {"K": [12]}, size=_divisor), moved="size"),
    "selection": Example(selection, random_selection, moved="temperature", left={"arc"}),
    "wish": Example(wish, moved="queries[0][0][1]", left={"arc"}),
    "recall": Example(recall, random_figure(RecallFigure, places=_signs), moved="length"),
    "tanh": Example(tanh, random_figure(TanhFigure), moved="size"),
    "bump": Example(
        bump,
        moved="queries[0][0][0]",
        left={"name", "expected", "key", "unit", "curve unit", "unit-name"},
    ),
    "cache": Example(
        cache, random_figure(CacheFigure), moved="step", first="computed", printed="by_step"
    ),
    "temperature": Example(
        temperature,
        random_temperature,
        moved="temperature",
        first="distributions",
        bad=[{"temperature": 0}, {"temperature": "1"}, {"draws": [[0]]}],
    ),
    "decoder_cache": Example(
        decoder_cache,
        random_decoder_cache,
        moved="step",
        first="computed",
        printed="totals",
        bad=[{"step": 0}, {"step": 14}, {"cached": 1}, {"tokens": [0]}],
    ),
    "traced": Example(
        traced,
        random_traced,
        moved="stage",
        first="trace",
        hint=True,
        bad=[
            *[{"stage": wrong} for wrong in (0, 16)],
            *[{"step": 0}, {"component": 16}, {"key": 12}, {"next_token": 999}, {"tokens": [0]}],
        ],
    ),
    "groups": Example(groups, random_groups, moved="kv_heads", first="mebibytes"),
    "online": Example(online, random_figure(OnlineFigure), moved="step", printed="output"),
    "window": Example(
        window, random_figure(WindowFigure, {"N": range(4, 9), "Q": range(1, 5)}), moved="width"
    ),
    "corner": Example(corner, moved="width"),
    "decoder_parts": Example(
        decoder_parts,
        random_decoder_parts,
        moved="without.positions",
        first="probabilities",
        printed="guessed",
        bad=[
            *[{"without": wrong} for wrong in ("mask", 1, None)],
            *[{"tokens": wrong} for wrong in ([0], "0", [1] * 12)],
            {"determined": []},
        ],
    ),
    "look_ahead": Example(
        look_ahead,
        random_look_ahead,
        moved="visible.so_far",
        first="probabilities",
        printed="probabilities",
        bad=[{"visible": "none"}, {"training": 1}, {"tokens": [0]}],
    ),
    "mask_doctor": Example(
        mask_doctor,
        random_figure(MaskDoctorFigure, {"N": range(1, 9)}, table=_table),
        moved="reading.float",
        bad=[
            *[
                {"table": wrong}
                for wrong in ([], [[]], [[1, 0], [1]], [[None]], "[[1]]", [[1]] * 2)
            ],
            *[{"table": [[1] * 7]}, {"reading": "mask"}, {"pen": "0"}, {"back": 4}],
        ],
    ),
}

RANDOM = {example("en").kind: example.random for example in EXAMPLES.values() if example.random}
# One example of each kind, for behaviour of the core; and each in one language.
ONE_OF_EACH = [name for name, example in EXAMPLES.items() if example.random]


def alternate(first: str, second: str) -> list[Any]:
    """Pair each kind with one of two variants, alternating; other pairs are exhaustive."""
    kept = {(name, (first, second)[i % 2]) for i, name in enumerate(ONE_OF_EACH)}
    return sampled(((name, one) for name in EXAMPLES for one in (first, second)), kept.__contains__)


ALTERNATING_LANGUAGES = alternate("en", "zh")
# Some kinds, for behaviour that does not depend on the kind.
SOME_KINDS = sampled(EXAMPLES, ONE_OF_EACH[::4].__contains__)
EACH_KIND = sampled(EXAMPLES, ONE_OF_EACH.__contains__)
