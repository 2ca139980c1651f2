"""Provides a file's syntax tree and the positions of its expressions in the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from scripts.mutate.mutant import PACKAGE, ROOT, Mutant

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """A source file. path: relative to the checkout."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = (ROOT / path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for line in self.text.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def mutant(self, node: ast.expr | ast.stmt, instead: str, kind: str, name: str = "") -> Mutant:
        """The file with `instead` in place of the node."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self._line_starts[node.lineno - 1] + node.col_offset
        end = self._line_starts[node.end_lineno - 1] + node.end_col_offset
        return Mutant(self.path, node.lineno, node.end_lineno, start, end, instead, kind, name)


def sources(rooms: list[str]) -> list[Source]:
    """The files in the given stage folders, or of all stages, sorted."""
    folders = [PACKAGE / room for room in rooms] or [PACKAGE]
    files: set[Path] = {path for folder in folders for path in folder.rglob("*.py")}
    return [Source(path.relative_to(ROOT).as_posix()) for path in sorted(files)]


def functions(tree: ast.Module) -> Iterator[Function]:
    """The outermost functions and methods."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            waiting = [*node.body, *waiting]


def within(node: ast.AST) -> Iterator[ast.AST]:
    """The node and its descendants in order, except annotations, decorators and parts of f-strings."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from within(child)
