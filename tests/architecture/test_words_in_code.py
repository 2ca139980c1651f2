"""Words of natural languages belong to regions/, not to Python: what is left is counted and may only fall.

Counted are the rooms that see printed text. What counts there is what code compares text with: the words

* of every regular expression, and of every string that is compared, looked for or tested as an ending;
* of every string in a collection (tuple, list, set, dictionary) and of every list that is written as one
  string and split;

unless the string is a name of the program itself: a member of a `Literal` or an enum, a key of a typed
table, a parameter, an attribute, a feature with a weight, an identifier in camel case. A word is a run of
three letters or more, of two beyond ASCII, or one East Asian character. Docstrings, annotations and messages
of errors do not count, nor do the shapes of characters in `vocabulary/confusions.py`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import receipt_engine
from receipt_engine import assets

PACKAGE = Path(receipt_engine.__file__).parent
#: The rooms that see printed text.
ROOMS = ("document", "region", "stages", "vocabulary")
#: Words that may still stand in code. Lower it with every list that moves to regions/.
MOST_WORDS = 120
#: Branches on the code of a region that may still stand in code.
MOST_BRANCHES = 0

_PATTERN_CALLS = frozenset(("compile", "match", "search", "fullmatch", "finditer", "findall", "sub", "split"))
_TEXT_CALLS = frozenset(
    ("startswith", "endswith", "find", "rfind", "count", "partition", "rpartition", "index")
)
_MESSAGES = re.compile(
    r"Error$|Warning$|^(?:print|error|warning|info|debug|exception|add_argument|add_parser)$"
)
#: What a pattern says with letters that are no words: groups, flags, classes of characters, escapes.
_SYNTAX = re.compile(r"\(\?P[<=]\w+[>)]|\(\?[aiLmsux]+[:)]|\(\?\(\w+\)|\\[AbBdDsSwWZnrt]|\\u[0-9a-fA-F]{4}")
_CAMEL_CASE = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*")
_CLASS = re.compile(r"(?<!\\)\[(?:\\.|[^\]\\])*\]")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u0000-\u007f\u3040-\u30ff\u3400-\u9fff]{2,}"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff]{3,}"
)


def words(text: str, pattern: bool) -> list[str]:
    """The words of a string; of a pattern those that are left without its syntax."""
    if pattern:
        text = _CLASS.sub("", _SYNTAX.sub(" ", text))  # "[o0]" joins what stands around it
        text = re.sub(r"[?*+]|\{[\d,]*\}", "", text)
    return _WORD.findall(text)


@cache
def program_names() -> frozenset[str]:
    """Strings by which the program calls its own things."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("Literal"):
                found.update(constants(node.slice))
            elif isinstance(node, ast.ClassDef):
                for statement in node.body:
                    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                        found.add(statement.target.id)
                    elif isinstance(statement, ast.Assign) and any(
                        "Enum" in ast.unparse(b) for b in node.bases
                    ):
                        found.update(constants(statement.value))
            elif isinstance(node, ast.arg | ast.keyword) and node.arg:
                found.add(node.arg)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    for path in assets.folder("models").glob("*.toml"):
        found |= keys(tomllib.loads(path.read_text(encoding="utf-8")))
    return frozenset(found)


def is_enum(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases)


def is_program_name(text: str) -> bool:
    return text in program_names() or _CAMEL_CASE.fullmatch(text) is not None


def keys(table: object) -> set[str]:
    """Every key of nested tables."""
    if isinstance(table, dict):
        return set(table).union(*map(keys, table.values()))
    return set().union(*map(keys, table)) if isinstance(table, list) else set()


def constants(node: ast.AST) -> list[str]:
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def compared(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, word) of every word that code may compare printed text with."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        use = how_used(node, parents)
        if use is None or (use == "name" and is_program_name(node.value)):
            continue
        for word in words(node.value, use == "pattern"):
            yield node.lineno, word


def how_used(node: ast.Constant, parents: dict[ast.AST, ast.AST]) -> str | None:
    """ "pattern", "name" (a string that may be a name of the program) or None when it is not compared."""
    child: ast.AST = node
    collected = False
    while (parent := parents.get(child)) is not None:
        if isinstance(parent, ast.Expr | ast.arguments | ast.Raise | ast.ImportFrom):
            return None
        if isinstance(parent, ast.Subscript) and child is parent.slice:
            return None  # an annotation, or the key of a table
        if isinstance(parent, ast.AnnAssign) and child is parent.annotation:
            return None
        if isinstance(parent, ast.Assign) and ast.unparse(parent.targets[0]) in ("__all__", "__slots__"):
            return None
        if isinstance(parent, ast.Call) and child is not parent.func:
            called = ast.unparse(parent.func).rpartition(".")[2]
            if _MESSAGES.search(called):
                return None
            if called in _PATTERN_CALLS and ast.unparse(parent.func) != "text.split":
                return "pattern"
            if called in _TEXT_CALLS:
                return "name"
        if isinstance(parent, ast.Attribute) and parent.attr == "split":
            return "name"
        if isinstance(parent, ast.Compare):
            return "name"
        collected |= isinstance(parent, ast.Tuple | ast.List | ast.Set | ast.Dict)
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            if is_enum(parents[parent]):
                return None
            name = ast.unparse(parent.targets[0] if isinstance(parent, ast.Assign) else parent.target)
            if collected:
                return "name"
            return "pattern" if name.isupper() or name.lstrip("_").isupper() else None
        child = parent
    return "name" if collected else None


@cache
def found() -> tuple[tuple[str, int, str], ...]:
    """(file, line, word) of all that counts."""
    return tuple(
        (path.relative_to(PACKAGE).as_posix(), line, word)
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
        if path != PACKAGE / "vocabulary" / "confusions.py"
        for line, word in compared(ast.parse(path.read_text(encoding="utf-8")))
    )


def test_words_in_code_only_fall() -> None:
    by_file = Counter(file for file, _, _ in found())
    total = by_file.total()
    assert total <= MOST_WORDS, f"{total} words in code, {MOST_WORDS} allowed: {by_file.most_common(15)}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('X = ("kunde", "klant")', ["kunde", "klant"]),
        ('X = re.compile(r"(?P<name>\\b(?:street|rd))[a-z]")', ["street"]),
        ('X = "kilo gram"\nY = X', ["kilo", "gram"]),
        ('X = "your our".split()', ["your", "our"]),
        ('if text.startswith("bill to"): pass', ["bill"]),
        ('found = phrase == "debitcard"', ["debitcard"]),
        ('X = "東京"', ["東", "京"]),
        ('raise ValueError("a message in words")', []),
        ('X = ("total", "subTotal", "PlaceName")', []),
        ('def f():\n    """A docstring."""', []),
    ],
)
def test_the_count_finds_words_and_leaves_names(code: str, expected: list[str]) -> None:
    assert [word for _, word in compared(ast.parse(code))] == expected


def test_no_code_knows_a_region_by_name() -> None:
    known = re.compile(r"""region\.code\s*(?:==|!=|in\b|not in\b)|["'][a-z]{2}["']\s*[!=]=\s*region""")
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if known.search(line)
    ]
    assert len(found) <= MOST_BRANCHES, found
