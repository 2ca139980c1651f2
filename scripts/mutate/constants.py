"""Counts numeric constants of the stages, and makes mutants that double or halve one."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from scripts.mutate.mutant import Mutant
from scripts.mutate.source import Source, functions, sources, within


@dataclass(frozen=True)
class Constant:
    """name: the module-level name whose value it is, "" for a float in a function.
    literals: its numbers."""

    source: Source
    name: str
    literals: tuple[ast.Constant, ...]

    @property
    def changeable(self) -> tuple[ast.Constant, ...]:
        """The numbers that doubling changes."""
        return tuple(literal for literal in self.literals if literal.value)

    def mutants(self, literal: ast.Constant) -> tuple[Mutant, Mutant]:
        """The number doubled, and halved; an integer stays an integer."""
        number = literal.value
        assert isinstance(number, int | float)
        halved = number // 2 if isinstance(number, int) else number / 2
        return (
            self.source.mutant(literal, repr(number * 2), "doubled", self.name),
            self.source.mutant(literal, repr(halved), "halved", self.name),
        )


def constants(rooms: list[str]) -> list[Constant]:
    """The named constants outside functions and the floats within functions, by file and line."""
    return [constant for source in sources(rooms) for constant in (*_named(source), *_inline(source))]


def _named(source: Source) -> list[Constant]:
    found = []
    for statement in source.tree.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if numbers := _numbers(within(statement.value), int, float):
            found.append(Constant(source, ast.unparse(target), numbers))
    return found


def _inline(source: Source) -> list[Constant]:
    nodes = (node for function in functions(source.tree) for node in within(function))
    return [Constant(source, "", (number,)) for number in _numbers(nodes, float)]


def _numbers(nodes: Iterable[ast.AST], *types: type) -> tuple[ast.Constant, ...]:
    return tuple(node for node in nodes if isinstance(node, ast.Constant) and type(node.value) in types)
