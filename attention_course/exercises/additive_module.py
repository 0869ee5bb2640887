"""Define an exercise of chapter 5: additive attention as a module."""

import ast
from collections.abc import Callable, Sequence
from functools import partial
from linecache import getlines
from types import FunctionType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from attention_course.exercises.additive import SCORE_MISTAKES, additive_scores
from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import (
    HALF_OF_LARGEST,
    VIEW_HINT,
    extreme_scores,
    near_the_limit,
    spoilt_padding,
    transposed,
)
from attention_course.exercises.common.masks import (
    EXTREME_MISTAKES,
    LENGTH_HINTS,
    MASK_MISTAKES,
    as_given,
    masked_softmax,
    padded,
)
from attention_course.exercises.common.pairs import PAIRS_HINT
from attention_course.exercises.common.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    TRANSPOSED,
    weighted_sum,
)
from attention_course.exercises.engine.errors import raised
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Function,
    Outcome,
    Puzzle,
    draw,
    hint,
)
from attention_course.exercises.engine.running import built, run
from attention_course.exercises.engine.texts import listed
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.exercises.module_dropout import INPUTS, judge_dropout
from attention_course.translated import Text

Sizes = tuple[int, int, int]  # sizes of keys, queries and hidden units
Leaves = dict[int | str, Tensor]
SIZES: Sizes = (2, 3, 5)
# With these weights, w_v makes scores that are far from 0, or near the limit of float32.
STEEP: Sizes = (1, 3, 1)
STEEPEST: Sizes = (1, 2, 1)
STEEPNESS = {STEEP: 2.0**120, STEEPEST: HALF_OF_LARGEST}
SEEDS = ("torch.manual_seed", "torch.random.manual_seed")
SIGNATURE = ("key_size", "query_size", "num_hiddens", "dropout")
_MASK_STEPS = ("spread", "keep", "before", "normalise", "after", "whole")

INSTANCE = Text(
    "`check` builds the module itself, in several sizes. Give it the class, without parentheses.",
    "`check` 会自动创建几种大小的模块，请直接传入类，不要加括号。",
)
NOT_MODULE = Text(
    "The exercise asks for a subclass of `nn.Module`, but yours makes an object of type `{type}`.",
    "请让你的类继承 `nn.Module`，现在创建出来的对象是 `{type}` 类型。",
)
MISSING = Text(
    "The module has no {names} yet. Create the layers in `__init__`, after `super().__init__()`.",
    "模块里还没有 {names}。请在 `__init__` 里先调用 `super().__init__()`，再创建这些层。",
)
NOT_LINEAR = Text(
    "`{name}` should be an `nn.Linear` without bias, but it is of type `{type}`.",
    "`{name}` 应该是不带偏置的 `nn.Linear`，现在却是 `{type}` 类型。",
)
BIAS = Text(
    "`{name}` has a bias, but the formula has none. Give `nn.Linear` the argument `bias=False`.",
    "公式里没有偏置，你的 `{name}` 却带了偏置。创建 `nn.Linear` 时请设置 `bias=False`。",
)
OTHER_PARAMETERS = Text(
    "The module has further parameters: {names}. Training would change them, but the formula has "
    "only the weights of `W_q`, `W_k` and `w_v`.",
    "模块里多了参数：{names}。公式里只有 `W_q`、`W_k`、`w_v` 的权重，多出来的参数在训练时也会更"
    "新。",
)
SEEDED = Text(
    "All results are right, but the class sets the seed of torch's random numbers for the whole "
    "program, which its users do not expect. Leave out `torch.manual_seed`, or call it outside the "
    "class.",
    "结果都对。不过这个类会改掉整个程序的 torch 随机种子，别人使用时很难发现。请去掉 "
    "`torch.manual_seed`，或者移到类的外面。",
)
WEIGHT_SHAPE = Text(
    "With key_size {key_size}, query_size {query_size} and num_hiddens {num_hiddens} the weight of "
    "`{name}` should have the shape {expected}; yours has {got}. `nn.Linear` takes the size of its "
    "input first.",
    "key_size、query_size、num_hiddens 分别取 {key_size}、{query_size}、{num_hiddens} 时，"
    "`{name}` 的权重形状应该是 {expected}，你得到的是 {got}。注意，`nn.Linear` 的第一个参数是输入的"
    "维数。",
)
MODULE_HINTS = (
    hint(
        "before Module.__init__",
        "Call `super().__init__()` first in `__init__`.",
        "在 `__init__` 里，请先调用 `super().__init__()`。",
    ),
    hint(
        r"missing 1 required positional argument: 'valid_lens'",
        "Without lengths all keys count: give `valid_lens` the default `None`.",
        "没有传入长度，就表示所有的键都有效。请把 `valid_lens` 的默认值设为 `None`。",
    ),
    hint(
        r"__init__\(\) (takes|missing|got)",
        "The class needs an `__init__` that takes these four, in this order.",
        "请为类定义 `__init__`，依次接收题目中的四个参数。",
    ),
)


def additive_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    valid_lens: Tensor | None,
    num_hiddens: int,
    *,
    pool: Function = weighted_sum,
    clean_keys: Function = as_given,
    clean_values: Function = as_given,
    **steps: Any,
) -> Outcome:
    """Attend step by step, with the same parameters as the reader's module."""
    mask_steps = {name: steps.pop(name) for name in _MASK_STEPS if name in steps}
    keys, values = clean_keys(keys, valid_lens), clean_values(values, valid_lens)
    parameters = _parameters((keys.shape[-1], queries.shape[-1], num_hiddens))
    leaves: Leaves = {name: x.to(queries).requires_grad_() for name, x in parameters.items()}
    scores = additive_scores(queries, keys, *leaves.values(), **steps)
    weights = masked_softmax(scores, valid_lens, **mask_steps)
    return Outcome(pool(weights, values), {"attention_weights": weights}, leaves)


def _parameters(sizes: Sizes) -> dict[str, Tensor]:
    key_size, query_size, num_hiddens = sizes
    if sizes in STEEPNESS:
        w_v = torch.full((1, 1), STEEPNESS[sizes])
        W_q, W_k = torch.zeros(1, query_size), torch.ones(1, 1)
        return {"W_q": W_q.float(), "W_k": W_k.float(), "w_v": w_v.float()}
    shapes = (num_hiddens, query_size), (num_hiddens, key_size), (1, num_hiddens)
    return dict(zip(("W_q", "W_k", "w_v"), draw(80, *shapes), strict=True))


def _prepare(made: Any) -> Function | Verdict:
    """Turn a class into a function of queries, keys, values, lengths and the number of units."""
    if isinstance(made, nn.Module):
        return refusal(INSTANCE)
    modules: dict[Sizes, nn.Module] = {}

    def attend(*case: Any) -> Outcome | Verdict:
        *inputs, num_hiddens = case
        sizes = (inputs[1].shape[-1], inputs[0].shape[-1], num_hiddens)
        if sizes not in modules:
            module = _build(made, sizes, 0.0, inputs)
            if isinstance(module, Verdict):
                return module
            modules[sizes] = module
        # One module serves all cases of the same sizes, so that a forbidden memory shows.
        return _attend(modules[sizes], training=False)(*inputs)

    module = _module(made, EXERCISE.cases[0], 0.0)
    # Report problems of the class first.
    return module if isinstance(module, Verdict) else attend


def _attend(module: nn.Module, training: bool) -> Callable[..., Outcome]:
    """Turn a module into a function that returns everything that is judged."""

    def attend(*inputs: Any) -> Outcome:
        module.to(inputs[0].dtype).train(training)
        # Without lengths, `valid_lens` is not passed, so that its default is used.
        output = module(*(inputs if inputs[-1] is not None else inputs[:-1]))
        stored = getattr(module, "attention_weights", None)  # storing the weights is optional
        leaves: Leaves = {name: getattr(module, name).weight for name in ("W_q", "W_k", "w_v")}
        return Outcome(output, {} if stored is None else {"attention_weights": stored}, leaves)

    return attend


def _build(
    made: Function, sizes: Sizes, dropout: float, inputs: Sequence[Any]
) -> nn.Module | Verdict:
    """Build the reader's module and give it our parameters."""
    module = made(*sizes, dropout)
    if not isinstance(module, nn.Module):
        return refusal(NOT_MODULE.filled(type=type(module).__name__))
    missing = [name for name in ("W_k", "W_q", "w_v") if not hasattr(module, name)]
    if missing:
        return refusal(MISSING.filled(names=listed(missing)))
    module.to(inputs[0].dtype)
    if any(is_lazy(parameter) for parameter in module.parameters()):
        module(*inputs)  # lazy layers take their sizes from a first call
    faults = [_load(module, name, weight, sizes) for name, weight in _parameters(sizes).items()]
    fault = next((fault for fault in faults if fault is not None), None)
    fault = _check_parameters(module) if fault is None else fault
    return module if fault is None else fault


def _check_parameters(module: nn.Module) -> Verdict | None:
    """Report parameters that are not in the formula, such as a bias that starts at 0."""
    known = [getattr(module, name).weight for name in ("W_k", "W_q", "w_v")]
    others = [
        name
        for name, parameter in module.named_parameters()
        if not any(parameter is one for one in known)
    ]
    return refusal(OTHER_PARAMETERS.filled(names=listed(others))) if others else None


def _module(made: Any, case: Case, dropout: float) -> nn.Module | Verdict:
    """Build a module, or return a verdict on what the class raised."""
    *inputs, num_hiddens = case
    sizes = (inputs[1].shape[-1], inputs[0].shape[-1], num_hiddens)
    module, error = built(_build, made, sizes, dropout, inputs)
    if error is not None:
        where = Text(*[f"({', '.join(SIGNATURE)})"] * 2)
        return refusal(*raised(error, where, EXERCISE.hints))
    assert isinstance(module, nn.Module | Verdict)
    return module


def _load(module: nn.Module, name: str, weight: Tensor, sizes: Sizes) -> Verdict | None:
    layer = getattr(module, name)
    if not isinstance(layer, nn.Linear):
        return refusal(NOT_LINEAR.filled(name=name, type=type(layer).__name__))
    if layer.bias is not None:
        return refusal(BIAS.filled(name=name))
    if layer.weight.shape != weight.shape:
        shapes = {"expected": tuple(weight.shape), "got": tuple(layer.weight.shape)}
        built_with = dict(zip(SIGNATURE, sizes, strict=False))
        return refusal(WEIGHT_SHAPE.filled(name=name, **built_with, **shapes))
    with torch.no_grad():
        layer.weight.copy_(weight)
    return None


def _check_dropout(made: Any) -> Verdict | None:
    """Judge dropout, which the comparison of outputs does not cover."""
    num_hiddens = 5

    def build(rate: float) -> nn.Module | Verdict:
        return _module(made, (*INPUTS, None, num_hiddens), rate)

    solution = partial(additive_attention, num_hiddens=num_hiddens)
    found = judge_dropout(build, _attend, solution, EXERCISE.hints)
    return _check_seeds(made) if found is None else found


def _check_seeds(made: Any) -> Verdict | None:
    """Report a class that sets a seed, when it is defined or when a module is built."""
    one, other = (run(lambda: made(*SIZES, 0.0), (), seed) for seed in (0, 1))
    is_seeded = b"" != one.generator == other.generator or built(_body_sets_seed, made)[0]
    return refusal(SEEDED) if is_seeded else None


def _body_sets_seed(made: Any) -> bool:
    """Search the source of a class body for a seed, because the body ran before the check."""
    code = next(x.__code__ for x in vars(made).values() if isinstance(x, FunctionType))
    todo: list[ast.AST] = [
        node
        for node in ast.walk(ast.parse("".join(getlines(code.co_filename))))
        if isinstance(node, ast.ClassDef)
        and node.name == made.__name__
        # If the class was defined twice, use the definition that contains the method.
        and node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)
    ]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and ast.unparse(node.func) in SEEDS:
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)
    return False


PLAIN = draw(82, (2, 3, 5), (2, 7, 11), (2, 7, 17))
LENGTHS = torch.tensor([2, 6])


MISTAKES = (
    *SCORE_MISTAKES,
    *POOLING_MISTAKES,
    TRANSPOSED,
    # Plain additive scores are bounded: none dominates the others, or lies far from 0.
    *(one for one in MASK_MISTAKES if one not in EXTREME_MISTAKES),
)


def _case_from_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make the hidden unit so small that tanh(x) ≈ x, and let `w_v` scale it back."""
    (values,) = draw(92, (*scores.shape, 3))
    queries = torch.zeros(len(scores), 2, STEEP[1], dtype=torch.float32)
    return queries, scores[..., None] / STEEPNESS[STEEP], values, lengths, STEEP[2]


def _case_from_high_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make tanh −1, 0 or 1."""
    (values,) = draw(93, (*scores.shape, 3))
    queries = torch.zeros(len(scores), 2, STEEPEST[1], dtype=torch.float32)
    return queries, 20 * scores.sign()[..., None], values, lengths, STEEPEST[2]


H = 13

EXERCISE = Exercise(
    additive_attention,
    (
        (*PLAIN, None, H),
        (*draw(85, (2, 3, 5), (2, 7, 11), (2, 7, 17)), None, H),
        (*draw(83, (5, 5, 5), (5, 5, 5), (5, 5, 5)), None, 5),
        (*PLAIN, LENGTHS, H),
        (*draw(84, (2, 2, 3), (2, 7, 3), (2, 7, 5)), torch.tensor([3, 5]), H),
        (*draw(86, (5, 5, 3), (5, 5, 2), (5, 5, 2)), torch.tensor([2, 4, 1, 3, 5]), 7),
        (*draw(87, (1, 3, 2), (1, 5, 3), (1, 5, 2)), torch.tensor([4]), 2),
        (*draw(88, (3, 1, 2), (3, 5, 3), (3, 5, 2)), torch.tensor([4, 1, 5]), 2),
        (*draw(89, (2, 3, 2), (2, 1, 3), (2, 1, 2)), torch.tensor([1, 1]), 2),
        (*draw(90, (1, 1, 1), (1, 1, 1), (1, 1, 1)), torch.tensor([1]), 1),
        (*PLAIN, torch.tensor([[1, 7, 3], [4, 2, 5]]), H),
        (*draw(91, (3, 1, 2), (3, 5, 3), (3, 5, 2)), torch.tensor([[4], [1], [5]]), 2),
        (*padded(PLAIN, LENGTHS), H),
        (*PLAIN, torch.tensor([0, 4]), H),
        (*PLAIN, torch.tensor([[0, 7, 3], [4, 0, 5]]), H),
    ),
    MISTAKES,
    (*MODULE_HINTS, VIEW_HINT, PRODUCT_HINT, *LENGTH_HINTS, PAIRS_HINT, *GRADIENT_HINTS),
    gradients=(
        (*PLAIN, None, H),
        (*PLAIN, torch.tensor([0, 4]), H),
        (*PLAIN, torch.tensor([[0, 7, 3], [4, 0, 5]]), H),
    ),
    hazards=(
        extreme_scores(_case_from_scores),
        transposed((*PLAIN, torch.tensor([[1, 7, 3], [4, 2, 5]]), H)),
        near_the_limit(_case_from_high_scores, [[1, 3], [0, 3]]),
        spoilt_padding((*PLAIN, LENGTHS, H), LENGTHS, 1, 2),
    ),
    prepare=_prepare,
    returned=None,
    further=_check_dropout,
    puzzle=Puzzle(
        """
class OwnAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        if valid_lens is not None:  # 0 · NaN is NaN, so padding becomes 0
            longest = valid_lens.reshape(len(keys), -1).amax(dim=1)
            padding = torch.arange(keys.shape[1]) >= longest[:, None]
            keys, values = (x.masked_fill(padding[..., None], 0) for x in (keys, values))
        hidden_queries = self.W_q(queries)[:, :, None]
        hidden_keys = self.W_k(keys)[:, None]
        sums = {combine}
        features = {activate}
        w_v = self.w_v.weight
        scores = {weigh}
        self.attention_weights = masked_softmax(scores, valid_lens)
        weights = self.dropout(self.attention_weights)
        return {pool}
""",
        {
            "combine": ("product", "tanh-before-sum"),
            "activate": ("no-tanh",),
            "weigh": ("no-w_v",),
            "pool": ("mean-over-keys", "no-values"),
        },
        (additive_scores,),
    ),
)
