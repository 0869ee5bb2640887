"""Faults that a person could make in the library, each with a cell of the book that shows it.

A fault replaces a piece of the source, which must be there exactly once. Where the library is
written anew, its faults are too: a fault that cannot be planted fails, and says so.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import attention_lib


class Fault(NamedTuple):
    """One change of the source, and the cell that no longer shows what it did."""

    of: str  # what the book uses: "masked_softmax", "scores.dot"
    name: str
    page: str
    cell: str
    module: str
    right: str
    wrong: str


def copy_library(folder: Path) -> Path:
    """Copy the library, for faults to be planted in the copy."""
    library = Path(attention_lib.__file__).parent
    shutil.copytree(library, folder / library.name, ignore=shutil.ignore_patterns("node_modules"))
    return folder


@contextmanager
def planted(folder: Path, module: str, right: str, wrong: str) -> Iterator[None]:
    """Plant a fault in a copy of the library, and take it out again."""
    path = folder / attention_lib.__name__ / module
    source = path.read_text("utf-8")
    count = source.count(right)
    assert count == 1, f"{module} must hold once what the fault replaces; got {count} of {right!r}"
    path.write_text(source.replace(right, wrong), "utf-8")
    try:
        yield
    finally:
        path.write_text(source, "utf-8")


KEEP = "keep, empty = _positions(num_keys, valid_lens) < lengths"
SOFTMAX = "weights = torch.softmax(torch.where(keep, X, fill), dim=-1)"
UNMASKED = "return torch.softmax(X, dim=-1)"
CHECK = "check_lengths(valid_lens, _length_shapes(batch, num_queries), num_keys)"
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
UNITS = "F.linear((q + k).tanh_(), w_v).squeeze(-1)"

SCORED = "masked_softmax(self.score(queries, keys), valid_lens)"
POOL = "weighted_sum(self.dropout(weights), values, valid_lens)"
KEY_LAYER = "self.W_k = nn.Linear(key_size, num_hiddens, bias=False)"
QUERY_LAYER = "self.W_q = nn.Linear(query_size, num_hiddens, bias=False)"
WEIGHTS = "self.W_q.weight, self.W_k.weight, self.w_v.weight"
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
PARTS = 'for part in ("train", "dev", "test")'

# What is used, its module and the page: name of a fault, cell, right and wrong.
Row = tuple[str, str, str, str]
TABLE: dict[tuple[str, str, str], list[Row]] = {
    ("masked_softmax", "masking.py", "04-masked-softmax"): [
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
        ("any shape", "wrong-shape", f"{CHECK}\n    lengths", "lengths"),
        (
            "in place",
            "arguments-unchanged",
            SOFTMAX,
            f"X[:] = torch.where(keep, X, fill); {SOFTMAX}",
        ),
        ("fill -1e6", "fill-too-large", FILL, "torch.where(empty, 0.0, -1e6)"),
        ("fill -1e9", "smaller-fill", FILL, "torch.where(empty, 0.0, -1e9)"),
        ("uniform if empty", "masked-softmax-in-float16", EMPTY, "return weights"),
        ("NaN if empty", "masked-softmax-in-float16", EMPTY, "return weights / ~empty"),
        ("always float32", "masked-softmax-in-float16", EMPTY, "return (weights * ~empty).float()"),
    ],
    ("masked_softmax", "_checks.py", "04-masked-softmax"): [
        ("any length", "wrong-shape", "if low < 0 or high > most", "if low < 0"),
    ],
    ("masked_softmax", "masking.py", "05-additive-attention"): [
        ("along the queries if unmasked", "by-hand-module", UNMASKED, UNMASKED.replace("-1", "1")),
    ],
    ("length_mask", "masking.py", "04-masked-softmax"): [
        ("a key too many", "mask-shapes", LENGTH_MASK, LENGTH_MASK.replace("<", "<=")),
        ("True hides", "mask-shapes", LENGTH_MASK, LENGTH_MASK.replace("<", ">=")),
        (
            "(B, K)",
            "mask-shapes",
            LENGTH_MASK,
            "return (_positions(num_keys, valid_lens) < _per_row(valid_lens)).squeeze(1)",
        ),
    ],
    ("sequence_mask", "masking.py", "04-masked-softmax"): [
        ("value ignored", "filled-copies", COPY, COPY.replace(", value", ", 0")),
        ("an entry too many", "filled-copies", COPY, COPY.replace(">=", ">")),
        ("keeps the padding", "filled-copies", COPY, COPY.replace(">=", "<")),
        ("in place", "filled-copies", COPY, COPY.replace("masked_fill", "masked_fill_")),
    ],
    ("show_heatmaps", "heatmaps.py", "04-masked-softmax"): [
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
    ("scores.dot", "scores.py", "03-scoring-functions"): [
        ("scaled", "terms", DOT, f"{DOT} / queries.shape[-1] ** 0.5"),
        ("sign", "terms", DOT, DOT.replace("return ", "return -")),
    ],
    ("scores.scaled_dot", "scores.py", "misreadings"): [
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
    ("scores.gaussian", "scores.py", "03-scoring-functions"): [
        ("no half", "shape-walk-scores", DISTANCE, DISTANCE.replace(" / 2", "")),
        ("not squared", "shape-walk-scores", DISTANCE, "-(k - q).norm(dim=-1) / 2"),
        ("sign", "shape-walk-scores", DISTANCE, DISTANCE.replace("(k - q)", "(q - k)")),
        ("mean for sum", "shape-walk-scores", DISTANCE, DISTANCE.replace("sum", "mean")),
    ],
    ("scores.gaussian", "scores.py", "01-queries-keys-values"): [
        ("no half", "set-the-figure", DISTANCE, DISTANCE.replace(" / 2", "")),
    ],
    ("scores.cosine", "scores.py", "03-scoring-functions"): [
        ("no lengths", "score-functions", COSINE, "torch.bmm(queries, keys.mT)"),
        ("only the keys' lengths", "score-functions", COSINE, "torch.bmm(queries, _unit(keys).mT)"),
        ("sums for lengths", "score-functions", UNIT, "F.normalize(x, p=1, dim=-1)"),
        ("along the keys", "score-functions", UNIT, "F.normalize(x, dim=1)"),
        ("zeros are NaN", "drive-the-figure", UNIT, "x / x.norm(dim=-1, keepdim=True)"),
    ],
    ("scores.bilinear", "scores.py", "03-scoring-functions"): [
        ("transposed", "score-functions", BILINEAR, BILINEAR.replace("W,", "W.mT,")),
        ("scaled", "score-functions", BILINEAR, f"{BILINEAR} / W.shape[1] ** 0.5"),
        ("W ignored", "score-functions", BILINEAR, "torch.bmm(queries, keys.mT)"),
    ],
    ("scores.additive", "scores.py", "03-scoring-functions"): [
        ("no tanh", "score-functions", UNITS, UNITS.replace(".tanh_()", "")),
        ("a product", "score-functions", UNITS, UNITS.replace("q + k", "q * k")),
        ("a bias", "score-functions", UNITS, f"{UNITS} + 1"),
        ("mean for sum", "score-functions", UNITS, f"{UNITS} / w_v.shape[1]"),
    ],
    ("scores.additive", "scores.py", "05-additive-attention"): [
        (
            "portions in another order",
            "solution-memory",
            "for part in parts]",
            "for part in parts[::-1]]",
        ),
    ],
    ("Attention", "modules.py", "03-scoring-functions"): [
        (
            "scores kept for weights",
            "a-score-of-your-own",
            "weights.detach()",
            "self.score(queries, keys).detach()",
        ),
        ("the mean for the sum", "a-score-of-your-own", SCORED, f"{SCORED} / keys.shape[1]"),
    ],
    ("DotProductAttention", "modules.py", "06-scaled-dot-product"): [
        ("not scaled", "toy-different-keys", "scores.scaled_dot", "scores.dot"),
        ("lengths ignored", "toy-batch", SCORED, SCORED.replace("valid_lens", "None")),
        (
            "divided last",
            "half-precision",
            "return scores.scaled_dot(queries, keys)",
            "return scores.dot(queries, keys) / queries.shape[-1] ** 0.5",
        ),
    ],
    ("DotProductAttention", "modules.py", "07-dropout-on-weights"): [
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
            "modes-compared",
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
    ("AdditiveAttention", "modules.py", "04-masked-softmax"): [
        ("keys of NaN", "nan-in-padding", "keys = harmless(keys", "(keys"),
        (
            "values cut off",
            "gradients-are-weights",
            POOL,
            POOL.replace("values", "values.detach()"),
        ),
    ],
    ("AdditiveAttention", "_padding.py", "04-masked-softmax"): [
        (
            "values of NaN",
            "nan-in-padding",
            "torch.bmm(weights, harmless(values, valid_lens, weights.shape[1]))",
            "torch.bmm(weights, values)",
        ),
    ],
    ("AdditiveAttention", "modules.py", "05-additive-attention"): [
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
            WEIGHTS,
            WEIGHTS.replace("W_q", "W_k")
            + " if self.W_k.weight.shape == self.W_q.weight.shape else 0",
        ),
    ],
    ("AdditiveAttention", "modules.py", "07-dropout-on-weights"): [
        ("no dropout", "whole-values", f"{DROPOUT}W_k", f"{DROPOUT}W_k".replace("dropout", "")),
    ],
    ("BilinearAttention", "modules.py", "07-dropout-on-weights"): [
        ("no dropout", "whole-values", f"{DROPOUT}W =", f"{DROPOUT}W =".replace("dropout", "")),
    ],
    ("BilinearAttention", "modules.py", "08-choosing-a-score"): [
        ("a bias", "five-scores", "(key_size, query_size, bias=False)", "(key_size, query_size)"),
        (
            "scaled",
            "five-scores",
            "keys, self.W.weight)",
            "keys, self.W.weight) / keys.shape[-1] ** 0.5",
        ),
        (
            "sizes exchanged",
            "bilinear-module",
            "(key_size, query_size, bias",
            "(query_size, key_size, bias",
        ),
    ],
    ("GaussianAttention", "modules.py", "02-kernel-pooling"): [
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
    ("kernels.gaussian", "kernels.py", "02-kernel-pooling"): [
        ("no half", "kernels-at-four-distances", "** 2) / 2)", "** 2))"),
        ("not squared", "kernels-at-four-distances", "(x, x_i) ** 2) / 2)", "(x, x_i).abs()) / 2)"),
    ],
    ("kernels.boxcar", "kernels.py", "02-kernel-pooling"): [
        ("edge outside", "kernels-at-four-distances", ".abs() <= 1)", ".abs() < 1)"),
        ("half as wide", "kernels-at-four-distances", ".abs() <= 1)", ".abs() <= 0.5)"),
        ("one side", "compare-kernels", ".abs() <= 1)", " <= 1)"),
    ],
    ("kernels.epanechnikov", "kernels.py", "02-kernel-pooling"): [
        (
            "a triangle",
            "kernels-at-four-distances",
            "(x, x_i) ** 2).clamp",
            "(x, x_i).abs()).clamp",
        ),
        ("negative outside", "kernels-at-four-distances", "** 2).clamp(min=0)", "** 2)"),
    ],
    ("kernels.triangular", "kernels.py", "02-kernel-pooling"): [
        ("a parabola", "by-hand-with-the-library", ".abs()).clamp", "** 2).clamp"),
        ("negative outside", "kernels-at-four-distances", ".abs()).clamp(min=0)", ".abs())"),
    ],
    ("kernels.linear", "kernels.py", "02-kernel-pooling"): [
        ("a triangle", "linear-weights", "return x * x_i", "return triangular(x, x_i)"),
        ("never negative", "linear-shifted-weights", "return x * x_i", "return (x * x_i).abs()"),
    ],
    ("kernel_weights", "kernels.py", "02-kernel-pooling"): [
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
            "linear-cancels",
            "(total.abs() <= _LAST_BITS",
            "(total.abs() <= 0",
        ),
    ],
    ("nadaraya_watson", "kernels.py", "02-kernel-pooling"): [
        (
            "always Gaussian",
            "by-hand-with-the-library",
            CALL,
            CALL.replace("kernel, w", "gaussian, w"),
        ),
        ("w dropped", "widths", CALL, CALL.replace(", w", "")),
    ],
    ("DecomposableAttention", "decomposable.py", "09-decomposable-attention"): [
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
            "harmless(words, lens), aligned]",
            "aligned, harmless(words, lens)]",
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
            "a, b = harmless(a, premise_lens), harmless(b, hypothesis_lens)",
            "pass",
        ),
        (
            "words of NaN compared",
            "padding-of-nan",
            "harmless(words, lens), aligned",
            "words, aligned",
        ),
    ],
    ("LABELS", "nli/reading.py", "09-decomposable-attention"): [
        ("order", "label-balance", '"neutral", "contradiction")', '"contradiction", "neutral")'),
    ],
    ("Vocabulary", "nli/vocabulary.py", "09-decomposable-attention"): [
        ("upper case", "vocabularies", "sentence.lower()", "sentence"),
        (
            "numbers from 1",
            "a-row-of-the-batch",
            "enumerate(self.words)",
            "enumerate(self.words, 1)",
        ),
        ("alphabetical", "a-row-of-the-batch", "*frequent)", "*sorted(frequent))"),
        (
            "padding counted",
            "a-row-of-the-batch",
            "[len(row) for row in rows]",
            "[max(map(len, rows))] * len(rows)",
        ),
        (
            "padding in front",
            "a-row-of-the-batch",
            "row[: len(numbers)]",
            "row[len(row) - len(numbers) :]",
        ),
        (
            "unknown words dropped",
            "an-unknown-word",
            f"[{KNOWN} for w in self.split(s)]",
            "[self._ids[w] for w in self.split(s) if w in self._ids]",
        ),
        ("unknown words as padding", "an-unknown-word", KNOWN, KNOWN.replace("1", "0")),
        ("shortest match", "a-cut", "reverse=True", "reverse=False"),
        (
            "unknown characters apart",
            "a-cut",
            "if unknown < start:\n            yield run[unknown:start]",
            "yield from run[unknown:start]",
        ),
    ],
    ("encode_pairs", "nli/vocabulary.py", "09-decomposable-attention"): [
        (
            "premises twice",
            "vocabularies",
            "encode([hypothesis for _, hypothesis, _",
            "encode([premise for premise, _, _",
        ),
        ("labels from 1", "train", "LABELS.index(label)", "(LABELS.index(label) + 1) % 3"),
    ],
    ("neighbour_vectors", "nli/neighbours.py", "09-decomposable-attention"): [
        (
            "left neighbours alone",
            "neighbour-vectors",
            "range(2 * window + 1)",
            "range(window + 1)",
        ),
        ("the word itself", "neighbour-vectors", "if shift != window]", "if shift == window]"),
        ("the last columns", "neighbour-vectors", "U[:, :size] * S[:size]", "U[:, -size:]"),
    ],
    ("counterparts", "nli/counterparts.py", "09-decomposable-attention"): [
        ("all words", "counterparts-found", "matter is not None and matter == other", "True"),
        ("other matters", "counterparts-found", "and matter == other", "and matter != other"),
    ],
    ("load_pairs", "nli/reading.py", "09-decomposable-attention"): [
        ("exchanged", "data", PARTS, 'for part in ("test", "dev", "train")'),
        ("always English", "vocabularies", 'f"{lang}-', 'f"en-'),
    ],
    ("read_pairs", "nli/reading.py", "09-decomposable-attention"): [
        ("exchanged", "data-examples", PAIR, "return Pair(hypothesis, premise, label)"),
        ("without consensus", "snli-format", " if pair.label != _NO_CONSENSUS]", "]"),
    ],
}

FAULTS = [
    Fault(of, name, f"en/{page}.ipynb", cell, module, right, wrong)
    for (of, module, page), rows in TABLE.items()
    for name, cell, right, wrong in rows
]
