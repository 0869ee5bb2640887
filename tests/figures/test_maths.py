"""Test the front end's arithmetic in Node: by hand, and against torch to 1e-9."""

import json
import math
import random
import re
import subprocess
from typing import Any

import pytest
import torch
from agreement import assert_close
from alignment_examples import KNOWN, SIGNS, random_alignment, random_text
from figures_in_node import formulas
from node import call_in_node
from torch import Tensor

from attention_course.nli import Vocabulary
from attention_figures.frontend import node as path_of_node
from attention_lib import kernels, length_mask, masked_softmax, scores

LARGEST = torch.finfo(torch.float64).max
TINIEST = 5e-324
HAN_OF_UNICODE = r"""
const points = Array.from({ length: 0x110000 }, (_, point) => point);
const han = /^(?=[\p{L}\p{N}])\p{Script=Han}$/u;
console.log(JSON.stringify(points.filter((point) => han.test(String.fromCodePoint(point)))));
"""


def random_tensor(*shape: int, seed: int = 0, scale: float = 1.0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(*shape, generator=generator, dtype=torch.float64)


def maths(module: str, function: str, *arguments: Any) -> Any:
    plain = [x.tolist() if isinstance(x, Tensor) else x for x in arguments]
    return call_in_node(f"maths/{module}.ts", function, *plain)


def assert_agrees(module: str, function: str, arguments: list[Any], expected: Tensor) -> None:
    assert_close(maths(module, function, *arguments), expected)


@pytest.mark.parametrize(
    ("module", "function", "arguments", "expected"),
    [
        ("tensor", "range", [3], [0, 1, 2]),
        ("tensor", "sum", [[]], 0),
        ("tensor", "variance", [[1, 2, 6]], 7),
        ("tensor", "product", [[1, 2, 3], [4, 5, 6, 9]], 32),
        ("tensor", "transpose", [[[1, 2, 3], [4, 5, 6]]], [[1, 4], [2, 5], [3, 6]]),
        ("tensor", "transpose", [[]], []),
        ("tensor", "rowSums", [[[[1, 2, 3], [4, 5, 6]]]], [[[6], [15]]]),
        ("tensor", "columnMeans", [[[[1, 2, 3], [4, 6, 8]]]], [[[2.5, 4, 5.5]]]),
        ("tensor", "linear", [[[1, 2]], [[3, 4], [5, 6], [7, 8]]], [[11, 17, 23]]),
        ("tensor", "pool", [[[[0.25, 0.75]]], [[[4, 0], [8, 1]]]], [[[7, 0.75]]]),
        ("tensor", "distance", [[[[1, 2]], [[3, 4]]], [[[1, 1.5]], [[3, 6]]]], 2),
        ("domains", "extent", [[[[3, 1], [-1, 2]]]], [-1, 3]),
        ("domains", "extent", [[[[-math.inf, 2]]]], [2, 2]),
        ("domains", "weightDomain", [[0.21, 0.1]], [0, 0.5]),
        ("domains", "weightDomain", [[0.5, 0.1]], [0, 0.5]),
        ("domains", "weightDomain", [[0, 0]], [0, 0.1]),
        ("domains", "weightDomain", [[1.5, -0.5]], [-2, 2]),
        ("domains", "weightDomain", [[-70, 3]], [-100, 100]),
        ("softmax", "rowLengths", [[1, 2], 3], [[1, 1, 1], [2, 2, 2]]),
        ("softmax", "rowLengths", [[[1, 0], [2, 3]], 2], [[1, 0], [2, 3]]),
        ("softmax", "lengthMask", [[1, 2], 1, 2], [[[1, 0]], [[1, 1]]]),
        ("softmax", "exponentials", [[[[5, 5]]]], [[[1, 1]]]),
        (
            "softmax",
            "exponentials",
            [[[[5, -math.inf], [-math.inf, -math.inf]]]],
            [[[1, 0], [0, 0]]],
        ),
        ("softmax", "dividedBySum", [[[[1, 3], [0, 0]]]], [[[0.25, 0.75], [0, 0]]]),
        ("softmax", "dividedBySum", [[[[1, 3]]], [[[8]]]], [[[0.125, 0.375]]]),
        ("scores", "cosine", [[[[1e300, 1e-300]]], [[[1, 0]]]], [[[1]]]),
        ("scores", "additiveSum", [[[[1]]], [[[2]]], [[3]], [[5]], [[2]]], [[[26]]]),
        ("kernels", "isEmpty", [[0, 0]], True),
        ("kernels", "isEmpty", [[0, -1]], False),
        ("kernels", "column", [[1, 2]], [[1], [2]]),
        ("kernels", "evenQueries", [[5, 1, 2], 5], [1, 2, 3, 4, 5]),
        ("kernels", "samples", [[0, 10], [9, -1], 3], [-1, 0, 5, 9, 10]),
        ("dropout", "kept", [[[[0.2, 0.5], [0.6, 0]]], 0.5], [[[0, 1], [1, 0]]]),
        ("dropout", "runningMeans", [[[[2, 4]], [[4, 0]]]], [[[2, 4]], [[3, 2]]]),
        ("dropout", "distances", [[[[2, 4]], [[3, 2]]], [[[3, 2]]]], [2, 0]),
        ("statistics", "sizesUpTo", [1], [1]),
        ("statistics", "sizesUpTo", [16], [1, 2, 4, 8, 16]),
        ("statistics", "sizesUpTo", [20], [1, 2, 4, 8, 16, 20]),
        ("statistics", "meanAndVariance", [[[[1, 2], [6, 3]]]], [[[3, 14 / 3]]]),
    ],
)
def test_functions_give_hand_computed_results(
    module: str, function: str, arguments: list[Any], expected: object
) -> None:
    assert maths(module, function, *arguments) == expected


def test_sums_of_products_are_those_of_torch() -> None:
    rows, weight = random_tensor(5, 3), random_tensor(7, 3, seed=1)
    assert_agrees("tensor", "linear", [rows, weight], rows @ weight.mT)
    weights, values = random_tensor(2, 5, 7), random_tensor(2, 7, 3, seed=1)
    assert_agrees("tensor", "pool", [weights, values], weights @ values)


LENGTHS = [[0, 3, 7], [[0, 1, 2, 3, 7], [7, 7, 7, 7, 7], [0, 0, 6, 0, 5]]]


@pytest.mark.parametrize("lengths", LENGTHS)
def test_weights_and_masks_are_those_of_torch_with_padding_and_without_keys(
    lengths: list[Any],
) -> None:
    fit, valid_lens = random_tensor(3, 5, 7, scale=3), torch.tensor(lengths)
    keep = length_mask(valid_lens, 5, 7).expand(3, 5, 7)
    mask = maths("softmax", "lengthMask", lengths, 5, 7)
    assert_close(mask, keep)
    masked = fit.masked_fill(~keep, -math.inf)
    assert_agrees("softmax", "maskedScores", [fit, mask], masked)
    weights = masked_softmax(fit, valid_lens)
    assert_agrees("softmax", "maskedSoftmax", [fit, lengths], weights)
    assert not weights[0, 0].any()


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e3, 1e9, LARGEST])
def test_scores_of_any_size_give_the_weights_of_torch(size: float) -> None:
    fit = size * random_tensor(3, 5, 7).clamp(-1, 1)
    assert_agrees("softmax", "softmax", [fit], torch.softmax(fit, dim=-1))
    assert_agrees(
        "softmax", "maskedSoftmax", [fit, [0, 1, 4]], masked_softmax(fit, torch.tensor([0, 1, 4]))
    )


def test_padding_that_scores_highest_has_no_weight_and_no_say() -> None:
    fit = [[[1.0, 1.0, LARGEST], [-LARGEST, -LARGEST, 0.0]]]
    assert maths("softmax", "maskedSoftmax", fit, [2]) == [[[0.5, 0.5, 0], [0.5, 0.5, 0]]]


def test_exponentials_are_relative_to_the_largest_score() -> None:
    fit = random_tensor(2, 3, 5, scale=300)
    expected = torch.exp(fit - fit.amax(-1, keepdim=True))
    assert_agrees("softmax", "exponentials", [fit], expected)


@pytest.mark.parametrize("temperature", [0.01, 0.7, 1, 1000])
def test_a_temperature_divides_the_scores(temperature: float) -> None:
    fit = -random_tensor(2, 5, 7, scale=1000).abs()
    expected = torch.softmax((fit - fit.amax(-1, keepdim=True)) / temperature, dim=-1)
    assert_agrees("softmax", "temperedSoftmax", [fit, temperature], expected)


def test_at_temperature_0_the_largest_scores_share_all_the_weight() -> None:
    fit = [[[-3.0, -1.0, -2.0], [-0.5, -0.5 - 2e-9, -0.5 - 5e-9]]]
    assert maths("softmax", "temperedSoftmax", fit, 0) == [[[0, 1, 0], [0.5, 0.5, 0]]]


def test_a_small_temperature_overflows_nothing() -> None:
    fit = [[[-LARGEST / 2, -LARGEST / 4]]]
    assert maths("softmax", "temperedSoftmax", fit, 0.01) == [[[0, 1]]]


@pytest.mark.parametrize("size", [0.01, 1.0, 30.0, 1000.0])
@pytest.mark.parametrize("score", scores.SCORES)
def test_scores_are_those_of_torch(score: str, size: float) -> None:
    queries, keys = random_tensor(2, 5, 3, scale=size), random_tensor(2, 7, 3, seed=1, scale=size)
    keys[0, 0] = queries[0, 0]
    keys[1, 2], queries[1, 3] = 0, 0
    function, own = scores.SCORES[score]
    sizes = {"query size": 3, "key size": 3, "d": 3, "H": 11, "1": 1}
    matrices = {
        name: random_tensor(*(sizes[symbol] for symbol in shape), seed=seed)
        for seed, (name, shape) in enumerate(own.items(), start=2)
    }
    expected = function(queries, keys, *matrices.values())
    plain = {name: matrix.tolist() for name, matrix in matrices.items()}
    assert_agrees("scores", "attentionScores", [score, queries, keys, plain], expected)


# From the notation of formulas to Python: a space or a transposed vector means a product.
WRITTEN = [
    (r"\^T ", " @ "),
    (r"([A-Z]\w*) (?=[qk(])", r"\1 @ "),
    ("½ ", "0.5 * "),
    ("−", "-"),
    (r"‖([^‖]+)‖", r"norm(\1)"),
    (r"(norm\(\w\)) (?=norm)", r"\1 * "),
    ("²", " ** 2"),
    ("√d", "d ** 0.5"),
]


def test_formulas_say_what_scores_compute() -> None:
    q, k = random_tensor(3), random_tensor(3, seed=1)
    names = {"q": q, "k": k, "d": 3, "tanh": torch.tanh, "norm": torch.linalg.vector_norm}
    sizes = {"query size": 3, "key size": 3, "d": 3, "H": 4, "1": 1}
    table = {**scores.SCORES, "sum": scores.Score(without_tanh, scores.SCORES["additive"][1])}
    seen = []
    for score, text, parameters in formulas():
        for written, python in WRITTEN:
            text = re.sub(written, python, text)
        function, shapes = table[score]
        own = {
            name: random_tensor(*(sizes[symbol] for symbol in shape), seed=seed)
            for seed, (name, shape) in enumerate(shapes.items(), start=2)
        }
        rows = {name: x[0] if shapes[name][0] == "1" else x for name, x in own.items()}
        said = eval(text, {"__builtins__": {}}, names | rows)
        assert parameters == list(shapes)
        expected = function(q[None, None], k[None, None], *own.values()).squeeze()
        torch.testing.assert_close(said, expected)
        seen.append(score)
    assert seen == [*table]


def without_tanh(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Compute the "sum" of a figure: the additive score without its tanh."""
    return (q @ W_q.T + k @ W_k.T) @ w_v.T


def test_queries_and_keys_of_other_sizes_meet_in_learned_matrices() -> None:
    queries, keys, W = random_tensor(2, 5, 3), random_tensor(2, 7, 2), random_tensor(3, 2)
    assert_agrees("scores", "bilinear", [queries, keys, W], scores.bilinear(queries, keys, W))
    W_q, W_k, w_v = random_tensor(11, 3), random_tensor(11, 2), random_tensor(1, 11)
    arguments = [queries, keys, W_q, W_k, w_v]
    assert_agrees("scores", "additive", arguments, scores.additive(*arguments))


def test_the_score_that_only_figures_have() -> None:
    matrices = {"W_q": [[3.0]], "W_k": [[5.0]], "w_v": [[2.0]]}
    assert maths("scores", "attentionScores", "sum", [[[1]]], [[[2]]], matrices) == [[[26]]]


@pytest.mark.parametrize("size", [TINIEST, 1e-200, 1e200, LARGEST])
def test_the_cosine_of_vectors_of_any_length_is_an_angle(size: float) -> None:
    vectors = [[[size, size], [size, 0.0], [-size, size], [0.0, 0.0]]]
    half = math.sqrt(0.5)
    expected = [[1, half, 0, 0], [half, 1, -half, 0], [0, -half, 1, 0], [0, 0, 0, 0]]
    assert_close(
        maths("scores", "cosine", vectors, vectors), torch.tensor([expected], dtype=torch.float64)
    )


KERNELS = ["gaussian", "boxcar", "epanechnikov", "triangular", "linear"]


@pytest.mark.parametrize("w", [0, 0.37, 1, 1000])
@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_and_curves_of_kernels_are_those_of_torch(kernel: str, w: float) -> None:
    queries = torch.cat([random_tensor(11, scale=3), torch.tensor([0.0, 2.0, 99.0])])
    keys, values = torch.cat([random_tensor(5, seed=1), queries[:2].round()]), random_tensor(7)
    f = getattr(kernels, kernel)
    weights = kernels.kernel_weights(queries, keys, f, w)
    assert_agrees("kernels", "kernelWeights", [queries, keys, kernel, w], weights)
    curve = maths("kernels", "kernelCurve", queries, keys, values, kernel, w)
    assert [y is None for y in curve] == (~weights.any(-1)).tolist()
    expected = kernels.nadaraya_watson(queries, keys, values, f, w)
    assert_close([y or 0 for y in curve], expected)


@pytest.mark.parametrize(
    ("kernel", "w", "query", "expected"),
    [
        ("boxcar", 1, 0, [1 / 2, 1 / 2, 0]),
        ("boxcar", 0.5, 0, [1 / 3, 1 / 3, 1 / 3]),  # the last one exactly at the edge of the reach
        ("epanechnikov", 1, 0, [4 / 7, 3 / 7, 0]),
        ("triangular", 1, 0, [2 / 3, 1 / 3, 0]),
        ("triangular", 1, 9, [0, 0, 0]),
        ("linear", 1, 0, [0, 0, 0]),
        ("linear", 1, -3, [0, 0.2, 0.8]),
        ("gaussian", 1, 1000, [0, 0, 1]),  # where the kernel itself underflows to 0
    ],
)
def test_three_keys_by_hand(kernel: str, w: float, query: float, expected: list[float]) -> None:
    weights = maths("kernels", "kernelWeights", [query], [0, 0.5, 2], kernel, w)
    assert weights[0] == pytest.approx(expected, rel=1e-12, abs=0)


def test_keys_that_cancel_but_for_rounding_give_no_weight() -> None:
    for keys in ([-0.3, 0.1, 0.2], [-300000.3, 100000.1, 200000.2]):
        assert sum(keys) != 0
        assert maths("kernels", "kernelWeights", [1], keys, "linear", 1) == [[0, 0, 0]]
    almost = maths("kernels", "kernelWeights", [1], [-0.3, 0.1, 0.2001], "linear", 1)
    assert sum(almost[0]) == pytest.approx(1)


def test_angles_and_directions_are_those_of_torch() -> None:
    angles = torch.arange(-400, 401, 5)
    turns = torch.polar(torch.ones(len(angles)).double(), torch.deg2rad(angles.double()))
    said = [maths("angles", "direction", int(angle)) for angle in angles]
    assert said == torch.view_as_real(turns).round(decimals=4).tolist()
    assert [maths("angles", "degrees", turn) for turn in said] == (angles % 360).tolist()
    assert maths("angles", "degrees", [-2, 0.01]) == 180
    assert maths("angles", "degrees", [2, -0.01]) == 0


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        ([0.6, -0.8], True),
        ([0.7, 0.7], True),  # typed with two decimals
        ([0, 1, 5], True),  # later components are ignored
        ([0.97, 0], False),
        ([0, 1.03], False),
        ([0.6, 0.6], False),
        ([1], False),
    ],
)
def test_a_direction_is_two_numbers_of_length_1(vector: list[float], expected: bool) -> None:
    assert maths("angles", "isDirection", vector) is expected


def test_what_a_draw_reaches_is_kept_and_grows_by_what_is_dropped() -> None:
    weights = [[[0.5, 0.25, 0.25]]]
    draws = [[[0.6, 0.59, 0]], [[0.9, 0.1, 0.7]]]
    expected = [[[0.5 / 0.4, 0, 0]], [[0.5 / 0.4, 0, 0.25 / 0.4]]]
    assert maths("dropout", "dropout", weights, draws, 0.6) == expected
    assert maths("dropout", "dropout", weights, draws, 0) == weights * 2


def test_dropout_and_its_running_means_are_those_of_torch() -> None:
    weights = torch.softmax(random_tensor(1, 5, 7), dim=-1)
    draws = torch.rand(11, 5, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    dropped = torch.where(draws >= 0.3, weights / 0.7, 0.0)
    assert_agrees("dropout", "dropout", [weights, draws, 0.3], dropped)
    means = dropped.cumsum(0) / torch.arange(1, 12)[:, None, None]
    assert_agrees("dropout", "runningMeans", [dropped], means)
    distances = (means - weights).abs().amax((1, 2))
    assert_agrees("dropout", "distances", [means, weights], distances)


def test_mean_and_variance_are_those_of_torch() -> None:
    fit = random_tensor(1, 5, 7, scale=30) + 100
    expected = torch.stack([fit.mean(), fit.var()])[None, None]
    assert_agrees("statistics", "meanAndVariance", [fit], expected)


@pytest.mark.parametrize(
    ("row", "bars"),
    [
        ([0, 1], {16: 1, 18: 1}),  # 0 and 1 standard deviation, two bars apart
        ([0.25, -0.25, 0.2499], {17: 1, 16: 2}),
        ([0.25 - 1e-16], {17: 1}),  # on the edge up to rounding
        ([-100, 20, 100, 7.74, -7.74], {0: 1, 32: 2, 31: 1, 1: 1}),
    ],
)
def test_a_histogram_has_bars_of_half_a_deviation(row: list[float], bars: dict[int, int]) -> None:
    for deviation in (1, 4):
        scaled = [[[deviation * x for x in row]]]
        [[counts]] = maths("statistics", "histogram", scaled, deviation)
        assert len(counts) == 33
        assert sum(counts) == len(row)
        assert {bar: counts[bar] for bar in bars} == bars


ALIGNMENTS = [0, 1, 2, 6, 11, 13, 22]  # empty sentences, other layers, and large parameters


@pytest.mark.parametrize("seed", ALIGNMENTS)
def test_two_sentences_are_aligned_and_classified_as_by_torch(seed: int) -> None:
    figure = random_alignment(seed)
    expected = figure.stages()
    model = {"parameters": figure.parameters, "layers": figure.layers}
    ids = [maths("tokens", "encode", figure.words, s) for s in (figure.premise, figure.hypothesis)]
    assert ids == [
        figure.vocabulary.encode([s])[0][0].tolist() for s in (figure.premise, figure.hypothesis)
    ]
    a, b = (maths("decomposable", "embed", model, words) for words in ids)
    forth = maths("decomposable", "attend", model, a, b)
    back = maths("decomposable", "attend", model, b, a)
    assert_close([forth], expected["attention_weights"])
    assert_close([back], expected["reverse_weights"])
    v_a = maths("decomposable", "compare", model, a, forth, b)
    v_b = maths("decomposable", "compare", model, b, back, a)
    logits = maths("decomposable", "aggregate", model, v_a, v_b)
    assert_close([[logits]], expected["logits"])


def test_sentences_are_cut_as_in_python() -> None:
    draw = random.Random(4)
    words = Vocabulary([" ".join(KNOWN)], lexicon=KNOWN)
    texts = [random_text(draw, draw.randrange(30)) for _ in range(1000)]
    texts += ["".join(draw.choices("公园里一只狗猫", k=12)) for _ in range(200)]
    texts += [f"a{sign}b{sign}狗{sign}a" for sign in SIGNS]
    text = "\n".join(texts)
    expected = words.split(text)
    assert maths("tokens", "split", words.words, text) == expected
    assert maths("tokens", "encode", words.words, text) == words.encode([text])[0][0].tolist()
    assert maths("tokens", "unknown", words.words, text) == words.unknown(text)
    assert expected.count("公园里") > 50


def test_every_letter_of_the_chinese_script_belongs_to_a_chinese_word() -> None:
    """Unicode defines the letters, in the version of the Node that builds the figures."""
    listed = subprocess.run([path_of_node(), "-e", HAN_OF_UNICODE], capture_output=True, check=True)
    words = ["一" + chr(point) for point in json.loads(listed.stdout)]
    assert len(words) > 98_000
    vocabulary = Vocabulary([], lexicon=[])
    assert vocabulary.split(" ".join(words)) == words
    assert maths("tokens", "split", vocabulary.words, " ".join(words)) == words


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("A dog's bone, isn't it?", ["a", "dog's", "bone", "isn't", "it"]),
        ("Don’t", ["don't"]),
        ("一只狗在公园里跑", ["一只", "狗", "在", "公园里", "跑"]),
        ("大老虎和狗", ["大老虎和", "狗"]),
        ("狗一只大老虎", ["狗", "一只", "大老虎"]),
        ("ＡＢ狗ok3只。", ["ａｂ", "狗", "ok3", "只"]),
        ("二〇一四年：狗、𠮷野家，佐々木〆切。", ["二〇一四年", "狗", "𠮷野家", "佐々木〆切"]),
        ("狗·ー〒狗㈠ゝ한", ["狗", "ー", "狗", "㈠ゝ한"]),  # not ideographs
        ("", []),
        ("…？!", []),
    ],
)
def test_sentences_cut_by_hand(text: str, by_hand: list[str]) -> None:
    words = Vocabulary(["公园里公园 一只 狗"], lexicon=["公园里", "公园", "一只", "狗"])
    assert words.split(text) == by_hand
    assert maths("tokens", "split", words.words, text) == by_hand
