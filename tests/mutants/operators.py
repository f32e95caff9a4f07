"""Plausible bugs: small changes of Python source, each a mistake that somebody could make.

A change replaces the text of one syntax node and leaves everything else as it is, so that lines
keep their numbers and a survivor can be shown as it stands in the file.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Node = ast.expr | ast.stmt
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
OPPOSITES = {"min": "max", "any": "all", "argmin": "argmax", "minimum": "maximum"}
OPPOSITES |= {after: before for before, after in OPPOSITES.items()}
# Smaller numbers are for rounding errors; another small number does as well.
TOLERANCE = 1e-6
# Bars and notes for people's eyes; without them nothing comes out different.
SHOWN_ONLY = ("progress", "task", "log", "logger", "warnings")


@dataclass(frozen=True)
class Mutant:
    """A file of the package with one change."""

    file: str  # in the package
    line: int
    function: str  # the innermost one around it, by its qualified name; empty outside of all
    kind: str
    before: str
    after: str
    text: str  # of the whole file

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.before} -> {self.after}"


def mutants_of(package: Path, file: str) -> list[Mutant]:
    """Every change of a module, in the order of its text."""
    source = (package / file).read_text("utf-8")
    tree = ast.parse(source)
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = []
    whole = source.encode()
    for node, kind, replacement, function in _walk(tree, "", ""):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before, after = whole[begin:end].decode(), ast.unparse(replacement)
        if isinstance(replacement, ast.expr) and not isinstance(replacement, ast.Constant):
            after = f"({after})"
        text = whole[:begin].decode() + after + whole[end:].decode()
        shown = [" ".join(part.split())[:90] for part in (before, after)]
        found.append(Mutant(file, node.lineno, function, kind, shown[0], shown[1], text))
    return found


def _walk(node: ast.AST, function: str, place: str) -> Iterator[tuple[Node, str, ast.AST, str]]:
    """`place`: what the qualified name of a function defined here begins with."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        # Defaults are made where the function is, not in it.
        for name, default in _defaults(node.args):
            if name != "threads":  # any number of them gives the same
                yield from _walk(default, function, place)
        for statement in node.body:
            yield from _walk(statement, place + node.name, f"{place}{node.name}.<locals>.")
        return
    if isinstance(node, ast.ClassDef):
        place += f"{node.name}."
    yield from ((*change, function) for change in _changes(node))
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_left_alone(child):
                yield from _walk(child, function, place)


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    yield from zip(
        (one.arg for one in positional[len(positional) - len(arguments.defaults) :]),
        arguments.defaults,
        strict=True,
    )
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield one.arg, default


def _is_left_alone(node: ast.AST) -> bool:
    """Texts for people, types, and what only shows."""
    if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: an assertion
        return True
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "threads":
        return True
    if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith(
        ("Callable", "NDArray")
    ):
        return True
    call = node.value if isinstance(node, ast.Expr) else node
    if isinstance(call, ast.Call):
        head = ast.unparse(call.func)
        if head in ("isinstance", "cast", "super", "TypeVar"):
            return True
        return (
            isinstance(node, ast.Expr)
            and head.split(".")[-2:-1] != []
            and (head.split(".")[-2].lstrip("_") in SHOWN_ONLY)
        )
    return False


def _changes(node: ast.AST) -> Iterator[tuple[Node, str, ast.AST]]:
    """What to replace, why, and by what."""
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[at] = COMPARISONS[type(operator)]()
                yield node, "comparison", changed
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _is_text(node):
            other = ARITHMETIC[type(node.op)]()
            yield node, "arithmetic", ast.BinOp(node.left, other, node.right)
        case ast.AugAssign():
            if type(node.op) in ARITHMETIC and not _is_text(node):
                other = ARITHMETIC[type(node.op)]()
                yield node, "arithmetic", ast.AugAssign(node.target, other, node.value)
            yield node, "dropped", ast.Pass()
        case ast.BoolOp():
            opposite = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, "and/or", ast.BoolOp(opposite, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node, "not", node.operand
        case ast.UnaryOp(op=ast.USub()) if not isinstance(node.operand, ast.Constant):
            yield node, "sign", node.operand
        case ast.Name(id=name) if name in OPPOSITES:
            yield node, "opposite", ast.Name(OPPOSITES[name])
        case ast.Attribute(attr=name) if name in OPPOSITES:
            yield node, "opposite", ast.Attribute(node.value, OPPOSITES[name])
        case ast.Constant(value=bool()):
            yield node, "constant", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield node, "constant", ast.Constant(node.value + 1)
        case ast.Constant(value=float()) if abs(node.value) > TOLERANCE or node.value == 0:
            yield node, "constant", ast.Constant(node.value * 2 if node.value else 1.0)
        case ast.Slice(upper=ast.expr() as upper) if not isinstance(upper, ast.Constant):
            yield upper, "off by one", ast.BinOp(upper, ast.Add(), ast.Constant(1))
        case ast.Call(args=[one, other, *rest]) if (
            _are_alike(one, other) and ast.unparse(node.func).rpartition(".")[2] not in OPPOSITES
        ):
            yield node, "swapped", ast.Call(node.func, [other, one, *rest], node.keywords)
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield node, "dropped", ast.Pass()
        case ast.If() | ast.While() | ast.IfExp() if not _is_turned_elsewhere(node.test):
            yield node.test, "condition", ast.UnaryOp(ast.Not(), node.test)


def _is_turned_elsewhere(test: ast.expr) -> bool:
    """Whether the change of a comparison, or of a `not`, is the opposite condition already."""
    if isinstance(test, ast.Compare):
        turned = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot
        return len(test.ops) == 1 and isinstance(test.ops[0], turned)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _are_alike(one: ast.expr, other: ast.expr) -> bool:
    """Two arguments of a kind that somebody could give in the wrong order."""
    plain = ast.Name | ast.Attribute | ast.Subscript
    return isinstance(one, plain) and isinstance(other, plain) and ast.dump(one) != ast.dump(other)


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether one operand is plainly a string, so that any other operator is an error."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )
