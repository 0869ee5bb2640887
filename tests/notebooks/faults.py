"""List faults that a person could make in the library, each with a cell whose output must change.

Also list slips that a person could make in the code of a cell, whose output must change as well.

A fault replaces a piece of the source that occurs exactly once. When you rewrite code of the
library, rewrite its faults: a fault that cannot be planted fails its test.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.packages import PACKAGES, ROOT


class Fault(NamedTuple):
    """One change of the source, and a cell whose output must change."""

    of: str  # the name that the book uses: "masked_softmax", "scores.dot"
    name: str
    page: str
    cell: str
    module: str
    right: str
    wrong: str


class Slip(NamedTuple):
    """One change of a cell's own code."""

    name: str
    page: str
    cell: str
    right: str
    wrong: str


def copy_library(folder: Path) -> Path:
    """Copy the packages, so that faults can be planted in the copy."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("node_modules"))
    return folder


@contextmanager
def planted(folder: Path, module: str, right: str, wrong: str) -> Iterator[None]:
    """Plant a fault in a copy of the library, and remove it afterwards."""
    path = folder / module
    source = path.read_text("utf-8")
    count = source.count(right)
    assert count == 1, f"{module} must hold once what the fault replaces; got {count} of {right!r}"
    path.write_text(source.replace(right, wrong), "utf-8")
    try:
        yield
    finally:
        path.write_text(source, "utf-8")


KEEP = "keep, empty = _positions(X.shape[2], valid_lens) < lengths"
SOFTMAX = "weights = torch.softmax(torch.where(keep, X, fill), dim=-1)"
UNMASKED = "return torch.softmax(X, dim=-1)"
CHECK = "check_valid_lens(valid_lens, X.shape[:2], X.shape[2], X=X)"
FILL = "torch.where(empty, 0.0, -torch.inf)"
EMPTY = "return weights * ~empty"
LENGTH_MASK = "return _positions(num_keys, valid_lens) < _per_row(valid_lens)"
COPY = "X.masked_fill(_positions(X.shape[1], valid_len) >= valid_len[:, None], value)"

DOT = "    check_same_size(queries, keys)\n    return torch.bmm(queries, keys.mT)"
SCALED = "torch.bmm(queries / math.sqrt(queries.shape[-1]), keys.mT)"
DISTANCE = "((k - q) * ((q - k) / 2)).sum(dim=-1)"
COSINE = "torch.bmm(_unit(queries), _unit(keys).mT)"
UNIT = "F.normalize(x / largest.where(largest > 0, 1), dim=-1, eps=1.0)"
BILINEAR = "torch.bmm(queries @ W, keys.mT)"
UNITS = "w_v((q + k).tanh_()).squeeze(-1)"

SCORED = "masked_softmax(self.score(queries, keys), valid_lens)"
POOL = "weighted_sum(self.dropout(weights), values, valid_lens)"
KEY_LAYER = "self.W_k = nn.Linear(key_size, num_hiddens, bias=False)"
QUERY_LAYER = "self.W_q = nn.Linear(query_size, num_hiddens, bias=False)"
HIDDEN = "perceptron(self.W_q(queries), self.W_k(keys), self.w_v)"
DROPOUT = "super().__init__(dropout)\n        self."

NORMALISED = "return _divided_by_sum(similarity.to(queries.dtype))"
WIDTH = "x, x_i = w * queries[:, None], w * keys[:, None]"
CALL = "weights = kernel_weights(queries, keys, kernel, w)"
LEARNED = "scores.gaussian(queries * self.w, keys * self.w)"

F_OF_WORDS = "scores.dot(self.F(self._read(a)), self.F(self._read(b)))"
FORTH, BACK = "masked_softmax(e, hypothesis_lens)", "masked_softmax(e.mT, premise_lens)"
POOLED = "torch.bmm(self.dropout(forth), b), torch.bmm(self.dropout(back), a)"
SUM = "torch.where(keep, v, 0).sum(dim=1)"
KNOWN = "self._ids.get(w, 1)"
PAIR = "return Pair(premise, hypothesis, label)"
PROJECTED = "self.W_q(queries), self.W_k(keys)"
SPLIT = "apart = x.reshape(batch, number, num_heads, size // num_heads)"
DEALT = "apart = x.reshape(batch, number, size // num_heads, num_heads).mT"
JOIN = "_apart(x, num_heads).transpose(1, 2).flatten(2)"
FREQUENCIES, PLACES = "torch.arange(0, size, 2", "torch.arange(num_positions)[:"
ASKS = 'ask: Project = line(_PARTS, "x @ W_q.T")'
ANSWERS = 'answer: Project = line(_PARTS, "x @ W_k.T")'
BRINGS = 'bring: Project = line(_PARTS, "x @ W_v.T")'
CAUSAL = "torch.arange(1, self._length + 1)"
CACHED = "self.layers * self.kv_heads"
VIEWED = "apart = x.reshape(batch, num_heads, number, size // num_heads).transpose(1, 2)"
ATTENDED = "x = x + self.attend(self.norm_1(x), cache)"
FED = "x = x + self.feed_forward(self.norm_2(x))"
PARTS = 'for part in ("train", "dev", "test")'

# By used name, module and page: the name of a fault, the cell, the right and the wrong source.
Row = tuple[str, str, str, str]
TABLE: dict[tuple[str, str, str], list[Row]] = {
    ("masked_softmax", "attention_lib/masking.py", "04-masked-softmax"): [
        ("a key too many", "masked-softmax", KEEP, KEEP.replace("<", "<=")),
        ("a key too few", "masked-softmax", KEEP, f"{KEEP} - 1"),
        ("True hides", "masked-softmax", KEEP, KEEP.replace("<", ">=")),
        ("padding in front", "masked-softmax", KEEP, KEEP.replace(" <", ".flip(0) <")),
        ("mask after softmax", "masked-softmax", SOFTMAX, "weights = torch.softmax(X, -1) * keep"),
        ("along the queries", "masked-softmax", SOFTMAX, SOFTMAX.replace("dim=-1", "dim=1")),
        ("fill 0", "masked-softmax", FILL, "torch.where(empty, 0.0, 0.0)"),
        (
            "one length for all",
            "one-length-per-query",
            "else valid_lens[:, :,",
            "else valid_lens[:, :1,",
        ),
        ("any shape", "wrong-shape", f"    {CHECK}\n", ""),
        (
            "in place",
            "filled-copies",
            SOFTMAX,
            f"X[:] = torch.where(keep, X, fill); {SOFTMAX}",
        ),
        ("fill -1e6", "fill-too-large", FILL, "torch.where(empty, 0.0, -1e6)"),
        ("fill -1e9", "smaller-fill", FILL, "torch.where(empty, 0.0, -1e9)"),
        ("uniform if empty", "lowest-finite-fill", EMPTY, "return weights"),
        ("NaN if empty", "lowest-finite-fill", EMPTY, "return weights / ~empty"),
        ("always float32", "lowest-finite-fill", EMPTY, "return (weights * ~empty).float()"),
    ],
    ("masked_softmax", "attention_lib/_checks.py", "04-masked-softmax"): [
        ("any length", "wrong-shape", "if low < 0 or high > most", "if low < 0"),
    ],
    ("masked_softmax", "attention_lib/masking.py", "05-additive-attention"): [
        ("along the queries if unmasked", "by-hand-module", UNMASKED, UNMASKED.replace("-1", "1")),
    ],
    ("length_mask", "attention_lib/masking.py", "04-masked-softmax"): [
        ("a key too many", "mask-shapes", LENGTH_MASK, LENGTH_MASK.replace("<", "<=")),
        ("True hides", "mask-shapes", LENGTH_MASK, LENGTH_MASK.replace("<", ">=")),
        (
            "(B, K)",
            "mask-shapes",
            LENGTH_MASK,
            "return (_positions(num_keys, valid_lens) < _per_row(valid_lens)).squeeze(1)",
        ),
    ],
    ("sequence_mask", "attention_lib/masking.py", "04-masked-softmax"): [
        ("value ignored", "filled-copies", COPY, COPY.replace(", value", ", 0")),
        ("an entry too many", "filled-copies", COPY, COPY.replace(">=", ">")),
        ("keeps the padding", "filled-copies", COPY, COPY.replace(">=", "<")),
        ("in place", "filled-copies", COPY, COPY.replace("masked_fill", "masked_fill_")),
    ],
    ("show_heatmaps", "attention_lib/heatmaps.py", "04-masked-softmax"): [
        ("queries across", "asking-the-heatmaps", "panel.imshow(matrix,", "panel.imshow(matrix.T,"),
        ("a scale per panel", "asking-the-heatmaps", "norm=scale)", "norm=Normalize())"),
        (
            "the first panel's scale",
            "asking-the-heatmaps",
            "masked_invalid(values)",
            "masked_invalid(values[0, 0])",
        ),
        (
            "row 0 at the bottom",
            "asking-the-heatmaps",
            "norm=scale)",
            'norm=scale, origin="lower")',
        ),
        (
            "panels down the columns",
            "asking-the-heatmaps",
            "zip(panels.flat,",
            "zip(panels.T.flat,",
        ),
        (
            "titles shifted",
            "asking-the-heatmaps",
            "zip(panels[0], titles or",
            "zip(np.roll(panels[0], 1), titles or",
        ),
        ("labels exchanged", "asking-the-heatmaps", "set_xlabel(xlabel)", "set_xlabel(ylabel)"),
        ("another colour map", "asking-the-heatmaps", "cmap=cmap, norm", "norm"),
    ],
    ("scores.dot", "attention_lib/scores.py", "03-scoring-functions"): [
        ("scaled", "terms", DOT, f"{DOT} / queries.shape[-1] ** 0.5"),
        ("sign", "terms", DOT, DOT.replace("return ", "return -")),
    ],
    ("scores.scaled_dot", "attention_lib/scores.py", "misreadings"): [
        ("no root", "numbers", SCALED, "torch.bmm(queries / queries.shape[-1], keys.mT)"),
        (
            "root of the number of keys",
            "numbers",
            SCALED,
            SCALED.replace("queries.shape[-1]", "keys.shape[1]"),
        ),
        ("not scaled", "numbers", SCALED, "torch.bmm(queries, keys.mT)"),
        ("times the root", "numbers", SCALED, SCALED.replace("/", "*")),
    ],
    ("scores.gaussian", "attention_lib/scores.py", "03-scoring-functions"): [
        ("no half", "shape-walk-scores", DISTANCE, DISTANCE.replace(" / 2", "")),
        ("not squared", "shape-walk-scores", DISTANCE, "-(k - q).norm(dim=-1) / 2"),
        ("sign", "shape-walk-scores", DISTANCE, DISTANCE.replace("(k - q)", "(q - k)")),
        ("mean for sum", "shape-walk-scores", DISTANCE, DISTANCE.replace("sum", "mean")),
    ],
    ("scores.gaussian", "attention_lib/scores.py", "01-queries-keys-values"): [
        ("no half", "set-the-figure", DISTANCE, DISTANCE.replace(" / 2", "")),
    ],
    ("scores.cosine", "attention_lib/scores.py", "03-scoring-functions"): [
        ("no lengths", "score-functions", COSINE, "torch.bmm(queries, keys.mT)"),
        ("only the keys' lengths", "score-functions", COSINE, "torch.bmm(queries, _unit(keys).mT)"),
        ("sums for lengths", "score-functions", UNIT, "F.normalize(x, p=1, dim=-1)"),
        ("along the keys", "score-functions", UNIT, "F.normalize(x, dim=1)"),
        ("zeros are NaN", "drive-the-figure", UNIT, "x / x.norm(dim=-1, keepdim=True)"),
    ],
    ("scores.bilinear", "attention_lib/scores.py", "03-scoring-functions"): [
        ("transposed", "score-functions", BILINEAR, BILINEAR.replace("W,", "W.mT,")),
        ("scaled", "score-functions", BILINEAR, f"{BILINEAR} / W.shape[1] ** 0.5"),
        ("W ignored", "score-functions", BILINEAR, "torch.bmm(queries, keys.mT)"),
    ],
    ("scores.additive", "attention_lib/_chunks.py", "03-scoring-functions"): [
        ("no tanh", "score-functions", UNITS, UNITS.replace(".tanh_()", "")),
        ("a product", "score-functions", UNITS, UNITS.replace("q + k", "q * k")),
        ("a bias", "score-functions", UNITS, f"{UNITS} + 1"),
        ("mean for sum", "score-functions", UNITS, f"{UNITS} / q.shape[-1]"),
    ],
    ("scores.additive", "attention_lib/_chunks.py", "05-additive-attention"): [
        (
            "portions in another order",
            "solution-memory",
            "for part in parts]",
            "for part in parts[::-1]]",
        ),
    ],
    ("Attention", "attention_lib/modules.py", "03-scoring-functions"): [
        (
            "scores kept for weights",
            "a-score-of-your-own",
            "weights.detach()",
            "self.score(queries, keys).detach()",
        ),
        ("the mean for the sum", "a-score-of-your-own", SCORED, f"{SCORED} / keys.shape[1]"),
    ],
    ("DotProductAttention", "attention_lib/modules.py", "06-scaled-dot-product"): [
        ("not scaled", "toy-different-keys", "scores.scaled_dot", "scores.dot"),
        ("lengths ignored", "toy-batch", SCORED, SCORED.replace("valid_lens", "None")),
        (
            "divided last",
            "half-precision",
            "return scores.scaled_dot(queries, keys)",
            "return scores.dot(queries, keys) / queries.shape[-1] ** 0.5",
        ),
    ],
    ("DotProductAttention", "attention_lib/modules.py", "07-dropout-on-weights"): [
        ("no dropout", "where-in-the-module", "self.dropout(weights)", "weights"),
        ("weights kept after dropout", "where-in-the-module", SCORED, f"self.dropout({SCORED})"),
        (
            "dropout before softmax",
            "where-in-the-module",
            "self.dropout(weights)",
            SCORED.replace("self.score(queries, keys)", "self.dropout(self.score(queries, keys))"),
        ),
        (
            "not rescaled",
            "where-in-the-module",
            "self.dropout(weights)",
            "self.dropout(weights) * (1 - self.dropout.p)",
        ),
        ("p keeps", "forgotten-eval", "nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"),
        (
            "dropout in eval()",
            "forgotten-eval",
            "self.dropout(weights)",
            "nn.functional.dropout(weights, self.dropout.p)",
        ),
        (
            "whole queries",
            "where-in-the-module",
            "self.dropout(weights)",
            "weights * self.dropout(torch.ones_like(weights[..., :1]))",
        ),
        (
            "whole keys",
            "where-in-the-module",
            "self.dropout(weights)",
            "weights * self.dropout(torch.ones_like(weights[:, :1]))",
        ),
        (
            "one draw for the batch",
            "where-in-the-module",
            "self.dropout(weights)",
            "weights * self.dropout(torch.ones_like(weights[:1]))",
        ),
        (
            "dropout of the output",
            "whole-values",
            POOL,
            "self.dropout(weighted_sum(weights, values, valid_lens))",
        ),
    ],
    ("AdditiveAttention", "attention_lib/modules.py", "04-masked-softmax"): [
        ("keys of NaN", "nan-in-padding", "keys = zero_padding(keys", "(keys"),
        (
            "values cut off",
            "gradients-are-weights",
            POOL,
            POOL.replace("values", "values.detach()"),
        ),
    ],
    ("AdditiveAttention", "attention_lib/_padding.py", "04-masked-softmax"): [
        (
            "values of NaN",
            "nan-in-padding",
            "torch.bmm(weights, zero_padding(values, valid_lens, weights.shape[1]))",
            "torch.bmm(weights, values)",
        ),
    ],
    ("AdditiveAttention", "attention_lib/modules.py", "05-additive-attention"): [
        (
            "a bias inside",
            "by-hand-module",
            QUERY_LAYER,
            QUERY_LAYER.replace("bias=False", "bias=True"),
        ),
        (
            "sizes exchanged",
            "by-hand-module",
            "(key_size, num_hiddens,",
            "(query_size, num_hiddens,",
        ),
        (
            "order of the layers",
            "parameter-shapes",
            f"{KEY_LAYER}\n        {QUERY_LAYER}",
            f"{QUERY_LAYER}\n        {KEY_LAYER}",
        ),
        (
            "W_k for both",
            "trace-small",
            HIDDEN,
            HIDDEN.replace("self.W_q", "(self.W_q, self.W_k)[queries.shape[2] == keys.shape[2]]"),
        ),
    ],
    ("AdditiveAttention", "attention_lib/modules.py", "07-dropout-on-weights"): [
        ("no dropout", "whole-values", f"{DROPOUT}W_k", f"{DROPOUT}W_k".replace("dropout", "")),
    ],
    ("BilinearAttention", "attention_lib/modules.py", "07-dropout-on-weights"): [
        ("no dropout", "whole-values", f"{DROPOUT}W =", f"{DROPOUT}W =".replace("dropout", "")),
    ],
    ("BilinearAttention", "attention_lib/modules.py", "08-choosing-a-score"): [
        ("a bias", "five-scores", "(key_size, query_size, bias=False)", "(key_size, query_size)"),
        (
            "scaled",
            "five-scores",
            "self.W(keys))",
            "self.W(keys)) / keys.shape[-1] ** 0.5",
        ),
        (
            "sizes exchanged",
            "bilinear-module",
            "(key_size, query_size, bias",
            "(query_size, key_size, bias",
        ),
    ],
    ("GaussianAttention", "attention_lib/modules.py", "02-kernel-pooling"): [
        ("w not squared", "train-with-itself", LEARNED, "scores.gaussian(queries, keys) * self.w"),
        ("w divides", "train-with-itself", LEARNED, LEARNED.replace("*", "/")),
        (
            "w on the keys only",
            "train-with-itself",
            LEARNED,
            "scores.gaussian(queries, keys * self.w)",
        ),
        ("w fixed", "module", "torch.tensor(float(w)))", "torch.tensor(float(w)), False)"),
        ("start at 1", "fifty-hikes", "torch.tensor(float(w))", "torch.tensor(1.0)"),
    ],
    ("kernels.gaussian", "attention_lib/kernels.py", "02-kernel-pooling"): [
        ("no half", "kernels-at-four-distances", "** 2) / 2)", "** 2))"),
        ("not squared", "kernels-at-four-distances", "(x, x_i) ** 2) / 2)", "(x, x_i).abs()) / 2)"),
    ],
    ("kernels.boxcar", "attention_lib/kernels.py", "02-kernel-pooling"): [
        ("edge outside", "kernels-at-four-distances", ".abs() <= 1)", ".abs() < 1)"),
        ("half as wide", "kernels-at-four-distances", ".abs() <= 1)", ".abs() <= 0.5)"),
        ("one side", "kernels-at-four-distances", ".abs() <= 1)", " <= 1)"),
    ],
    ("kernels.epanechnikov", "attention_lib/kernels.py", "02-kernel-pooling"): [
        (
            "a triangle",
            "kernels-at-four-distances",
            "(x, x_i) ** 2).clamp",
            "(x, x_i).abs()).clamp",
        ),
        ("negative outside", "kernels-at-four-distances", "** 2).clamp(min=0)", "** 2)"),
    ],
    ("kernels.triangular", "attention_lib/kernels.py", "02-kernel-pooling"): [
        ("a parabola", "by-hand-with-the-library", ".abs()).clamp", "** 2).clamp"),
        ("negative outside", "kernels-at-four-distances", ".abs()).clamp(min=0)", ".abs())"),
    ],
    ("kernels.linear", "attention_lib/kernels.py", "02-kernel-pooling"): [
        ("a triangle", "linear-weights", "return x * x_i", "return triangular(x, x_i)"),
        ("never negative", "linear-weights", "return x * x_i", "return (x * x_i).abs()"),
    ],
    ("kernel_weights", "attention_lib/kernels.py", "02-kernel-pooling"): [
        ("not divided by the sum", "by-hand-with-the-library", NORMALISED, "return similarity"),
        (
            "along the queries",
            "by-hand-with-the-library",
            NORMALISED,
            "return _divided_by_sum(similarity.T).T",
        ),
        ("w ignored", "widths", WIDTH, WIDTH.replace("w * ", "")),
        ("w divides", "widths", WIDTH, "x, x_i = queries[:, None] / w, keys[:, None] / w"),
        ("w squared", "widths", WIDTH, WIDTH.replace("w *", "w**2 *")),
        ("Gaussian divided by its sum", "far-query", "if kernel is gaussian", "if kernel is None"),
        (
            "NaN out of reach",
            "far-query",
            "torch.where(empty, 0, x",
            "torch.where(empty, torch.nan, x",
        ),
        (
            "uniform out of reach",
            "far-query",
            "torch.where(empty, 0, x",
            "torch.where(empty, 1 / x.shape[-1], x",
        ),
        (
            "divided by what rounding leaves",
            "linear-weights",
            "(total.abs() <= _LAST_BITS",
            "(total.abs() <= 0",
        ),
    ],
    ("nadaraya_watson", "attention_lib/kernels.py", "02-kernel-pooling"): [
        (
            "always Gaussian",
            "by-hand-with-the-library",
            CALL,
            CALL.replace("kernel, w", "gaussian, w"),
        ),
        ("w dropped", "widths", CALL, CALL.replace(", w", "")),
    ],
    ("DecomposableAttention", "attention_lib/decomposable.py", "09-decomposable-attention"): [
        ("no mask forth", "attend-by-hand", FORTH, "masked_softmax(e, None)"),
        ("no mask back", "attend-by-hand", BACK, "masked_softmax(e.mT, None)"),
        ("words for F", "attend-by-hand", F_OF_WORDS, "scores.dot(a, b)"),
        ("scaled", "attend-by-hand", "scores.dot(self.F", "scores.scaled_dot(self.F"),
        ("one softmax for both ways", "attend-by-hand", BACK, f"{FORTH}.mT"),
        (
            "ways exchanged",
            "walk",
            POOLED,
            "torch.bmm(self.dropout(back), a), torch.bmm(self.dropout(forth), b)",
        ),
        (
            "kept the other way round",
            "attend-by-hand",
            "else (first, second)",
            "else (second, first)",
        ),
        (
            "order of word and counterpart",
            "aggregate-by-hand",
            "zero_padding(words, lens), aligned]",
            "aligned, zero_padding(words, lens)]",
        ),
        (
            "sum over padding of the premise",
            "aggregate-by-hand",
            "_masked_sum(v_a, premise_lens)",
            "_masked_sum(v_a, None)",
        ),
        (
            "sum over padding of the hypothesis",
            "aggregate-by-hand",
            "_masked_sum(v_b, hypothesis_lens)",
            "_masked_sum(v_b, None)",
        ),
        ("mean for sum", "aggregate-by-hand", SUM, SUM.replace("sum", "mean")),
        ("sums exchanged", "aggregate-by-hand", "torch.cat(sums", "torch.cat(sums[::-1]"),
        ("no ReLU", "attend-by-hand", ", nn.ReLU())", ")"),
        (
            "words of NaN aligned",
            "padding-of-nan",
            "a, b = zero_padding(a, premise_lens), zero_padding(b, hypothesis_lens)",
            "pass",
        ),
        (
            "words of NaN compared",
            "padding-of-nan",
            "zero_padding(words, lens), aligned",
            "words, aligned",
        ),
    ],
    ("LABELS", "attention_lib/decomposable.py", "09-decomposable-attention"): [
        ("order", "label-balance", '"neutral", "contradiction")', '"contradiction", "neutral")'),
    ],
    ("Vocabulary", "attention_course/nli/vocabulary.py", "09-decomposable-attention"): [
        ("upper case", "vocabularies", "sentence.lower()", "sentence"),
        (
            "numbers from 1",
            "vocabularies",
            "enumerate(self.words)",
            "enumerate(self.words, 1)",
        ),
        ("alphabetical", "vocabularies", "*frequent)", "*sorted(frequent))"),
        (
            "padding counted",
            "vocabularies",
            "[len(row) for row in rows]",
            "[max(map(len, rows))] * len(rows)",
        ),
        (
            "padding in front",
            "vocabularies",
            "row[: len(numbers)]",
            "row[len(row) - len(numbers) :]",
        ),
        (
            "unknown words dropped",
            "a-cut",
            f"[{KNOWN} for w in self.split(s)]",
            "[self._ids[w] for w in self.split(s) if w in self._ids]",
        ),
        ("unknown words as padding", "a-cut", KNOWN, KNOWN.replace("1", "0")),
        ("shortest match", "a-cut", "reverse=True", "reverse=False"),
        (
            "unknown characters apart",
            "a-cut",
            "if unknown < start:\n            yield run[unknown:start]",
            "yield from run[unknown:start]",
        ),
    ],
    ("encode_pairs", "attention_course/nli/vocabulary.py", "09-decomposable-attention"): [
        (
            "premises twice",
            "vocabularies",
            "encode([hypothesis for _, hypothesis, _",
            "encode([premise for premise, _, _",
        ),
        ("labels from 1", "train", "LABELS.index(label)", "(LABELS.index(label) + 1) % 3"),
    ],
    ("neighbour_vectors", "attention_course/nli/neighbours.py", "09-decomposable-attention"): [
        (
            "left neighbours alone",
            "neighbour-vectors",
            "range(2 * window + 1)",
            "range(window + 1)",
        ),
        ("the word itself", "neighbour-vectors", "if shift != window]", "if shift == window]"),
        ("the last columns", "neighbour-vectors", "U[:, :size] * S[:size]", "U[:, -size:]"),
    ],
    ("counterparts", "attention_course/nli/counterparts.py", "09-decomposable-attention"): [
        ("all words", "counterparts-found", "role is not None and role == other", "True"),
        ("other roles", "counterparts-found", "and role == other", "and role != other"),
    ],
    ("aligned_model", "attention_course/nli/training.py", "09-decomposable-attention"): [
        ("signs lost", "train", "torch.cat([eye, -eye])", "torch.cat([eye, eye])"),
        ("vectors of length 1", "train", "vectors=3 * vectors", "vectors=vectors"),
    ],
    ("train", "attention_course/nli/training.py", "09-decomposable-attention"): [
        ("gradients add up", "train", "optimizer.zero_grad()", "pass"),
        ("labels from one batch", "train", "(x[rows] for x in batch)", "(x[:61] for x in batch)"),
    ],
    ("load_model", "attention_course/nli/training.py", "09-decomposable-attention"): [
        ("untrained", "lead-figure", "model.load_state_dict(numbers)", "pass"),
    ],
    ("load_pairs", "attention_course/nli/reading.py", "09-decomposable-attention"): [
        ("exchanged", "data", PARTS, 'for part in ("test", "dev", "train")'),
        ("always English", "vocabularies", 'f"{lang}-', 'f"en-'),
    ],
    ("read_pairs", "attention_course/nli/reading.py", "09-decomposable-attention"): [
        ("exchanged", "data-examples", PAIR, "return Pair(hypothesis, premise, label)"),
        ("without consensus", "snli-format", " if pair.label != _NO_CONSENSUS]", "]"),
    ],
    ("DotProductAttention", "attention_lib/modules.py", "12-scores-today"): [
        ("not scaled", "same-as-ours", "scores.scaled_dot", "scores.dot"),
        ("scores for weights", "same-as-ours", SCORED, "self.score(queries, keys)"),
    ],
    ("sentences", "attention_course/dates/sentences.py", "11-learning-to-align"): [
        ("always the first", "drawn", "chance.choice(events), told", "events[0], told"),
        ("dates for training", "drawn", "(day in kept) == unseen", "(day in kept) != unseen"),
    ],
    ("Aligner", "attention_course/dates/model.py", "11-learning-to-align"): [
        (
            "a 0 before the first",
            "one-step-by-hand",
            "torch.full_like(valid_lens, len(TARGET))",
            "torch.full_like(valid_lens, 0)",
        ),
        ("the state after", "one-step-by-hand", "torch.tanh(self.start(last))", "self.start(last)"),
    ],
    ("MultiHeadAttention", "attention_lib/multi_head.py", "10-self-attention"): [
        ("keys as queries", "same-outputs", PROJECTED, PROJECTED.replace("W_q", "W_k")),
        ("queries as keys", "same-outputs", PROJECTED, PROJECTED.replace("W_k", "W_q")),
        ("both exchanged", "same-outputs", PROJECTED, "self.W_k(queries), self.W_q(keys)"),
        ("keys as values", "same-outputs", "self.W_v(values)", "self.W_k(values)"),
        ("W_q forgotten", "same-outputs", PROJECTED, "queries, self.W_k(keys)"),
        ("W_k forgotten", "same-outputs", PROJECTED, "self.W_q(queries), keys"),
        ("W_v forgotten", "same-outputs", "self.W_v(values)", "values"),
        ("scaled twice", "same-outputs", PROJECTED, f"{PROJECTED} / self.num_heads**0.5"),
        (
            "not mixed",
            "same-outputs",
            "self.W_o(outputs)",
            "outputs",
        ),
        ("components dealt out", "same-outputs", SPLIT, DEALT),
        (
            "words and heads mixed up",
            "same-outputs",
            SPLIT,
            "x.reshape(x.shape[0] * self.num_heads, x.shape[1], size)",
        ),
        (
            "merged as they lie",
            "same-outputs",
            JOIN,
            "x.reshape(x.shape[0] // self.num_heads, x.shape[1], -1)",
        ),
        ("head after head", "same-outputs", JOIN, JOIN.replace("2).fl", "3).fl")),
        ("not merged", "same-outputs", JOIN, "self._apart(x)"),
        (
            "examples' lengths mixed up",
            "same-outputs",
            "valid_lens.repeat_interleave(self.num_heads, dim=0)",
            "valid_lens.repeat(self.num_heads, *[1] * (valid_lens.dim() - 1))",
        ),
        ("no mask", "same-outputs", "self.attention(*split, valid_lens)", "self.attention(*split)"),
        ("one head", "heads-and-parameters", "= num_heads\n", "= 1\n"),
    ],
    ("sinusoidal_positions", "attention_lib/positions.py", "10-self-attention"): [
        ("sines alone", "distance-alone", "angles.cos()]", "angles.sin()]"),
        ("faster and faster", "distance-alone", "(-torch.arange", "(torch.arange"),
        ("half the waves", "distance-alone", "float64) / size", "float64) / size / 2"),
        ("places squared", "distance-alone", "(num_positions)[:", "(num_positions).square()[:"),
        ("a frequency off", "distance-alone", FREQUENCIES, FREQUENCIES.replace("0", "1")),
        (
            "sine and cosine exchanged",
            "clocks-figure",
            "[angles.sin(), angles.cos()]",
            "[angles.cos(), angles.sin()]",
        ),
        ("all sines first", "clocks-figure", "dim=-1).flatten", "dim=-2).flatten"),
        ("counted from 1", "clocks-figure", PLACES, f"(1 + {PLACES.replace(')', '))')}"),
        ("backwards", "clocks-figure", PLACES, f"-{PLACES}"),
    ],
    ("masked_softmax", "attention_lib/masking.py", "10-self-attention"): [
        ("one word ahead", "causal-lengths", KEEP, KEEP.replace("<", "<=")),
        ("not itself", "causal-lengths", KEEP, f"{KEEP} - 1"),
        ("one length for all", "causal-lengths", "else valid_lens[:, :,", "else valid_lens[:, :1,"),
        ("upper for lower", "causal-lengths", KEEP, KEEP.replace("<", ">=")),
        ("upside down", "causal-lengths", KEEP, f"{KEEP}.flip(1)"),
    ],
    ("length_mask", "attention_lib/masking.py", "10-self-attention"): [
        ("True hides", "same-outputs", LENGTH_MASK, LENGTH_MASK.replace("<", ">=")),
        ("one word ahead", "same-outputs", LENGTH_MASK, LENGTH_MASK.replace("<", "<=")),
        ("not itself", "causal-figure", LENGTH_MASK, f"{LENGTH_MASK} - 1"),
    ],
    ("StaircaseFigure", "attention_figures/staircase.py", "10-self-attention"): [
        ("not itself", "both-figure", "range(1, len(words) + 1)", "range(len(words))"),
        ("upside down", "both-figure", "range(1, len(words) + 1)", "range(len(words), 0, -1)"),
    ],
    ("ProjectionsFigure", "attention_figures/projections.py", "10-self-attention"): [
        ("exchanged", "alike-figure", "queries @ keys.mT", "keys @ queries.mT"),
        ("W_q and W_k forgotten", "alike-figure", "queries @ keys.mT", "x @ x.mT"),
        ("W_v forgotten", "bringing-figure", "weights @ values", "weights @ x"),
        ("keys as values", "bringing-figure", "weights @ values", "weights @ keys"),
        ("not transposed", "alike-figure", "self._tensor(W).T", "self._tensor(W).flip(1).T"),
    ],
    ("OrderFigure", "attention_figures/order.py", "10-self-attention"): [
        ("no positions", "placed-figure", "if self.positioned", "if False"),
        ("always positions", "shuffled-figure", "if self.positioned", "if True"),
        ("positions times words", "placed-figure", "x = x + sin", "x = x * sin"),
    ],
    ("PositionsFigure", "attention_figures/positions.py", "10-self-attention"): [
        ("as far back", "clocks-figure", "self.position + self.d", "self.position - self.d"),
    ],
    ("HeadsFigure", "attention_figures/heads.py", "10-self-attention"): [
        (
            "slices mixed",
            "heads-figure",
            "// (len(self.answers) // number) ==",
            "% number ==",
        ),
        ("rows for columns", "heads-figure", "weight *= own", "weight *= own[:, None]"),
        ("every head at once", "heads-figure", "alone.W_o.weight *= own", "own"),
        ("not itself", "heads-figure", CAUSAL, "torch.arange(self._length)"),
        ("no mask", "heads-figure", CAUSAL, f"({CAUSAL} * 0 + self._length)"),
    ],
    ("self-attention", "attention_course/exercises/self_attention.py", "10-self-attention"): [
        ("keys ask", "solution-self-attention", ASKS, ASKS.replace("W_q", "W_k")),
        ("queries answer", "solution-self-attention", ANSWERS, ANSWERS.replace("W_k", "W_q")),
        ("words for values", "solution-self-attention", BRINGS, BRINGS.replace(" @ W_v.T", "")),
        ("not itself", "solution-self-attention", '"torch.arange(1, n + 1)"', '"torch.arange(n)"'),
    ],
    ("decoder-context", "attention_course/exercises/decoder_step.py", "11-learning-to-align"): [
        ("a state asks", "solution-context", '"state[:, None]"', '"states[:, -1:]"'),
        ("not scaled", "solution-context", '"math.sqrt(states.shape[-1])"', '"1.0"'),
        ("no mask", "solution-context", "(scores, valid_lens, **", "(scores, None, **"),
    ],
    ("Decoder", "attention_course/decoder/model.py", "13-a-whole-decoder"): [
        ("no residual around attention", "whole-model", ATTENDED, ATTENDED.replace("x + ", "", 1)),
        ("no residual around the network", "whole-model", FED, FED.replace("x + ", "", 1)),
        ("no norm", "whole-model", ATTENDED, ATTENDED.replace("self.norm_1(x)", "x")),
        ("no mask", "whole-model", "lengths.expand(batch, -1) if self.causal else None", "None"),
        ("keys in front of the cache", "cache-cell", "[self.keys, keys]", "[keys, self.keys]"),
        (
            "sampling multiplies",
            "temperature-cell",
            "multinomial((logits / temperature)",
            "multinomial((logits * temperature)",
        ),
    ],
    ("split_heads", "attention_lib/multi_head.py", "13-a-whole-decoder"): [
        ("by view alone", "same-as-torch", SPLIT, VIEWED),
    ],
    ("greedy", "attention_figures/decoder_pass.py", "13-a-whole-decoder"): [
        ("no mask", "writes-figure", 'if without == "mask":', 'if without != "mask":'),
    ],
    ("split-heads", "attention_course/exercises/split_heads.py", "13-a-whole-decoder"): [
        (
            "split without a transpose",
            "solution-split-heads",
            '"x.reshape(batch, n, num_heads, -1).transpose(1, 2)"',
            '"x.reshape(batch, num_heads, n, -1)"',
        ),
        (
            "merged without a transpose",
            "solution-split-heads",
            '"output.transpose(1, 2).reshape(batch, n, -1)"',
            '"output.reshape(batch, n, -1)"',
        ),
        (
            "root of all heads",
            "solution-split-heads",
            '"math.sqrt(q.shape[-1])"',
            '"math.sqrt(num_heads * q.shape[-1])"',
        ),
    ],
    ("decoder-block", "attention_course/exercises/decoder_block.py", "13-a-whole-decoder"): [
        ("no residual", "solution-decoder-block", '"x + read"', '"read"'),
        ("no second norm", "solution-decoder-block", '"norm(y)"', '"y"'),
        (
            "no ReLU",
            "solution-decoder-block",
            '"torch.relu(z @ W_1.T) @ W_2.T"',
            '"z @ W_1.T @ W_2.T"',
        ),
    ],
    ("cached-step", "attention_course/exercises/cached_step.py", "13-a-whole-decoder"): [
        (
            "not itself",
            "solution-cached-step",
            '"attend(query, all_keys, all_values)"',
            '"attend(query, keys, values)"',
        ),
        ("old cache", "solution-cached-step", '"(all_keys, all_values)"', '"(keys, values)"'),
    ],
    ("temperature", "attention_course/exercises/temperature.py", "13-a-whole-decoder"): [
        (
            "multiplied",
            "solution-temperature",
            '"logits / temperature"',
            '"logits * temperature"',
        ),
        (
            "at least u",
            "solution-temperature",
            '"(total <= u[:, None]).sum(dim=-1)"',
            '"(total < u[:, None]).sum(dim=-1)"',
        ),
    ],
    ("online-attention", "attention_course/exercises/online.py", "12-scores-today"): [
        ("sum not rescaled", "solution-online", '"total * factor + term"', '"total + term"'),
        (
            "output not rescaled",
            "solution-online",
            '"output * factor + term * value"',
            '"output + term * value"',
        ),
    ],
    ("OnlineFigure", "attention_figures/online.py", "12-scores-today"): [
        ("sum not rescaled", "online-figure", "total * factor + term\n", "total + term\n"),
        ("output not rescaled", "online-figure", "mean * total * factor", "mean * total"),
        ("rescaled the other way", "online-figure", "exp(top - higher)", "exp(higher - top)"),
        ("unread keys", "online-figure", ">= self.step", "> self.step"),
    ],
    ("CacheFigure", "attention_figures/cache.py", "12-scores-today"): [
        ("the cache forgets", "growing-figure", "if self.cached else torch", "if False else torch"),
        ("upper for lower", "growing-figure", ".tril()", ".triu()"),
        ("not the newest", "growing-figure", ".tril()", ".tril(-1)"),
        ("a step too many", "growing-figure", "< self.step", "<= self.step"),
    ],
    ("GroupsFigure", "attention_figures/groups.py", "12-scores-today"): [
        ("cached for every head", "groups-figure", CACHED, CACHED.replace("kv", "num")),
        ("keys alone", "groups-figure", "= 2 * self.layers", "= self.layers"),
    ],
    ("WindowFigure", "attention_figures/window.py", "12-scores-today"): [
        ("upper corner", "corner-figure", 'if self.corner == "lower"', 'if self.corner == "upper"'),
        ("not itself", "window-figure", "(distance >= 0)", "(distance > 0)"),
        ("upper for lower", "window-figure", "(distance >= 0)", "(distance <= 0)"),
        ("one too many", "window-figure", "distance < self.width", "distance <= self.width"),
        ("farther is dearer the wrong way", "slope-figure", "scores - self", "scores + self"),
    ],
    ("MaskDoctorFigure", "attention_figures/mask_doctor.py", "12-scores-today"): [
        ("True takes part", "doctor-figure", "masked_fill(marked", "masked_fill(~marked"),
        ("True is ignored", "doctor-figure", "masked_fill(~marked", "masked_fill(marked"),
        ("taken off", "finite-figure", "scores + mask", "scores - mask"),
    ],
}

FAULTS = [
    Fault(of, name, f"en/{page}.ipynb", cell, module, right, wrong)
    for (of, module, page), rows in TABLE.items()
    for name, cell, right, wrong in rows
]

# Cells that compute something themselves. By page and cell: name of a slip, right and wrong source.
IN_CELLS: dict[tuple[str, str], list[tuple[str, str, str]]] = {
    ("10-self-attention", "self-attention-by-hand"): [
        ("keys ask", "x @ W_q.T", "x @ W_k.T"),
        ("queries answer", "x @ W_k.T", "x @ W_q.T"),
        ("words for values", "x @ W_v.T", "x"),
        ("exchanged", "queries @ keys.mT", "keys @ queries.mT"),
        ("along the queries", "dim=-1", "dim=1"),
    ],
    ("10-self-attention", "distance-alone"): [("a place off", "P[11]", "P[12]")],
    ("10-self-attention", "causal-lengths"): [
        ("not itself", "torch.arange(1, 5)", "torch.arange(4)"),
        ("upside down", "torch.arange(1, 5)", "torch.arange(4, 0, -1)"),
    ],
    ("10-self-attention", "both-lengths"): [
        ("the larger", "torch.minimum", "torch.maximum"),
        ("not itself", "torch.arange(1, 7)", "torch.arange(6)"),
    ],
    ("10-self-attention", "left-padding-mask"): [
        ("looks ahead", ".tril()", ".triu()"),
        ("queries for keys", "is_word[:, None]", "is_word[..., None]"),
    ],
    ("10-self-attention", "split-heads-cell"): [
        ("not transposed", ".transpose(1, 2)[0, 1]", ".flatten()[8:].view(4, 2)"),
    ],
    ("10-self-attention", "averaged-cell"): [("the sum", ".mean(dim=1)", ".sum(dim=1)")],
    ("10-self-attention", "block-cell"): [("no attention", "attend(y, y, y)", "y")],
    ("10-self-attention", "same-outputs"): [
        ("True keeps", "~length_mask", "length_mask"),
        ("heads mixed up", "repeat_interleave(2, dim=0)", "repeat(2, 1, 1)"),
    ],
    ("11-learning-to-align", "one-step-by-hand"): [
        ("exchanged", "[state, context]", "[context, state]"),
        ("a 0 before the first", "[11, 11]", "[0, 0]"),
    ],
    ("11-learning-to-align", "which-look"): [
        ("states compared", "step(state, digit)[1]", "step(state, digit)[0]"),
    ],
    ("11-learning-to-align", "solution-context"): [
        ("no mask", "masked_softmax(s, valid_lens)", "torch.softmax(s, dim=-1)"),
        ("not scaled", " / math.sqrt(states.shape[-1])", ""),
    ],
    ("12-scores-today", "with-a-cache"): [
        ("the newest too late", "k[:, :, t : t + 1]", "k[:, :, max(t - 1, 0) : max(t, 1)]"),
        ("in front", "[values, v[:, :, t : t + 1]]", "[v[:, :, t : t + 1], values]"),
        ("the mask of another corner", "keys, values))", "keys, values, is_causal=True))"),
        ("no mask at once", ", is_causal=True", ""),
    ],
    ("12-scores-today", "corners"): [("the other corner", "causal_lower_right(2, 6)", "None")],
    ("12-scores-today", "grouped"): [
        ("dealt out", "pair.repeat_interleave(4, dim=2)", "pair.repeat(1, 1, 4, 1, 1)"),
        ("one for all", "pair.repeat_interleave(4, dim=2)", "pair[:, :, :1].expand(2, 1, 8, 6, 8)"),
    ],
    ("12-scores-today", "two-blocks"): [
        ("sum not rescaled", "a * l1 + b * l2", "l1 + l2"),
        ("output not rescaled", "a * o1 + b * o2", "o1 + o2"),
        ("each by its own", "torch.stack([m1, m2]) - torch.maximum(m1, m2)", "torch.zeros(2)"),
    ],
    ("12-scores-today", "nan-block"): [("a key", "-torch.inf", "0.0")],
    ("12-scores-today", "guarded-block"): [
        ("no guard", ".clamp(min=torch.finfo(s.dtype).min)", ""),
        ("sum not rescaled", "a * l1 + b * l2", "l1 + l2 + 1"),
    ],
    ("12-scores-today", "finite-added"): [
        ("infinite", "lowest, lowest, 0, 0", "-torch.inf, -torch.inf, 0, 0")
    ],
    ("12-scores-today", "finite-right"): [
        ("one mask alone", " & torch.ones(4, 4, dtype=torch.bool).tril()", ""),
        ("upper for lower", ".tril()", ".triu()"),
    ],
    ("12-scores-today", "flash-again"): [("not normalised", " - lse", "")],
    ("12-scores-today", "window-by-sdpa"): [
        ("one too many", "distance < 3", "distance <= 3"),
        ("not itself", "distance >= 0", "distance > 0"),
        ("upper for lower", "distance >= 0", "distance <= 0"),
    ],
    ("12-scores-today", "solution-online"): [
        ("sum not rescaled", "total * factor", "total"),
        ("output not rescaled", "output * factor", "output"),
        ("rescaled the other way", "torch.exp(top - higher)", "torch.exp(higher - top)"),
    ],
}

SLIPS = [
    Slip(name, f"en/{page}.ipynb", cell, right, wrong)
    for (page, cell), rows in IN_CELLS.items()
    for name, right, wrong in rows
]
