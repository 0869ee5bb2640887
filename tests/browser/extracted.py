"""Extract recorded answers as programs of their own, which MicroPython can run.

A program holds an expression of a module, such as an entry of a table of answers, and all that it
needs of this module and of those of the repository that it imports from, without annotations.
"""

import ast
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
OWN = ("attention_course", "answers")  # whose sources are extracted too
# The library checks its arguments by means that MicroPython lacks; these compute the same.
LIBRARY = {
    "length_mask": """
def length_mask(valid_lens, num_queries, num_keys):
    lengths = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[..., None]
    return torch.arange(num_keys) < lengths
""",
    "masked_softmax": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[..., None]
    keep = torch.arange(X.shape[2]) < lengths
    return X.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0)
""",
    "sequence_mask": """
def sequence_mask(X, valid_len, value=0):
    return X.masked_fill(torch.arange(X.shape[1]) >= valid_len[:, None], value)
""",
}


class Module:
    """The definitions of a module, by their names."""

    def __init__(self, name: str) -> None:
        path = next(one for one in _paths(name) if one.exists())
        self.defined: dict[str, ast.stmt] = {}
        for node in ast.parse(path.read_text("utf-8")).body:
            for defined in _names(node):
                self.defined[defined] = node

    def table(self, name: str) -> Iterator[tuple[str, ast.expr]]:
        """Yield the names of a table of answers, and their expressions."""
        node = self.defined.get(name)
        if node is not None:
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            assert node.value
            yield from _entries(node.value)


def _paths(name: str) -> list[Path]:
    folder = ROOT / ("tests/exercises" if name.startswith("answers") else "")
    path = folder / name.replace(".", "/")
    return [path.with_suffix(".py"), path / "__init__.py"]


@cache
def module(name: str) -> Module:
    return Module(name)


def program(start: Module, expression: ast.expr) -> str:
    """Return the source that computes an expression of a module as `answer`."""
    parts: list[str] = []
    _extract(start, expression, parts, {})
    return "\n".join([*parts, f"answer = {ast.unparse(_plain(expression))}"])


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [
        x.id for target in targets if target for x in ast.walk(target) if isinstance(x, ast.Name)
    ]


def _entries(value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the entries of `{name: answer, **table}` and of `{f.__name__: f for f in answers}`."""
    if isinstance(value, ast.DictComp):
        (loop,) = value.generators
        assert isinstance(loop.target, ast.Name)
        assert isinstance(loop.iter, ast.Tuple)
        for one in loop.iter.elts:
            yield ast.unparse(one), _Replaced(loop.target.id, one).visit(deepcopy(value.value))
        return
    assert isinstance(value, ast.Dict)
    for key, one in zip(value.keys, value.values, strict=True):
        if key is None:
            yield from _entries(one)
        else:
            yield str(ast.literal_eval(key)), one.elts[0] if isinstance(one, ast.Tuple) else one


class _Replaced(ast.NodeTransformer):
    def __init__(self, name: str, by: ast.expr) -> None:
        self.name, self.by = name, by

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.by if node.id == self.name else node


class _Plain(ast.NodeTransformer):
    """Drop annotations and docstrings."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value, lineno=node.lineno)


def _plain(node: Any) -> Any:
    return ast.fix_missing_locations(_Plain().visit(deepcopy(node)))


def _extract(own: Module, node: ast.AST, parts: list[str], done: dict[str, ast.stmt]) -> None:
    """Append the definitions that a node needs, each after those that it needs itself."""
    for x in ast.walk(_plain(node)):
        if not isinstance(x, ast.Name) or x.id not in own.defined:
            continue
        definition = own.defined[x.id]
        if x.id in done:
            same = ast.dump(done[x.id]) == ast.dump(definition)
            assert same, f"two definitions of {x.id}"
            continue
        done[x.id] = definition
        if isinstance(definition, ast.ImportFrom) and x.id in LIBRARY:
            parts += ["import torch", LIBRARY[x.id]]
            continue
        if isinstance(definition, ast.ImportFrom) and (definition.module or "").startswith(OWN):
            (alias,) = (a for a in definition.names if (a.asname or a.name) == x.id)
            _extract_import(definition.module or "", alias, parts, done)
            continue
        _extract(own, definition, parts, done)
        parts.append(ast.unparse(_plain(definition)))


def _extract_import(
    name: str, alias: ast.alias, parts: list[str], done: dict[str, ast.stmt]
) -> None:
    try:
        other = module(f"{name}.{alias.name}")
    except StopIteration:
        other = module(name)
    del done[alias.asname or alias.name]
    _extract(other, ast.Name(alias.name), parts, done)
    if alias.asname:
        parts.append(f"{alias.asname} = {alias.name}")
