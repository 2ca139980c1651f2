"""Mutates the code of functions: comparisons, logic, arithmetic, numbers, statements left out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from scripts.mutate.mutant import Mutant
from scripts.mutate.source import Function, functions, sources, within

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
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
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_SPELT_OUT = ast.Compare | ast.BoolOp | ast.UnaryOp


def code_mutants(rooms: list[str]) -> list[Mutant]:
    """Every mutant of the functions in the given stage folders, by file and line."""
    return [
        source.mutant(node, instead, kind)
        for source in sources(rooms)
        for function in functions(source.tree)
        for node, kind, instead in _of_function(function)
    ]


def _of_function(function: Function) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Each node that may be changed, the kind of change, and the source that replaces it."""
    for node in within(function):
        for condition in _conditions(node):
            yield condition, "condition", f"(not ({ast.unparse(condition)}))"
        if isinstance(node, ast.expr):
            for kind, new in _other_expressions(node):
                yield node, kind, f"({ast.unparse(new)})"
        elif isinstance(node, ast.AugAssign | ast.Break) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
        ):
            yield node, "left out", "pass"
        elif isinstance(node, ast.Continue):
            yield node, "left out", "break"


def _conditions(node: ast.AST) -> list[ast.expr]:
    """Conditions that are a name or a call; comparisons and logic are changed elsewhere."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    return [t for t in tests if not isinstance(t, _SPELT_OUT)]


def _other_expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                comparison = copy.deepcopy(node)
                comparison.ops[index] = _COMPARISONS[type(operator)]()
                yield "comparison", comparison
        case ast.BoolOp():
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.BinOp() if type(node.op) in _ARITHMETIC and not _is_text(node):
            yield "arithmetic", ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
        case ast.Constant(value=bool()):
            yield "truth", ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield "number", ast.Constant(number + 1)
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            yield "min, max, any, all", ast.Call(ast.Name(_CALLS[name]), node.args, node.keywords)


def _is_text(node: ast.BinOp) -> bool:
    """Whether a side is clearly text or a list: "-" would fail there, which tests nothing."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )
