"""Mutants of the stages: what is changed, how constants are counted, which tests are chosen."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from scripts.mutate import mutant, source
from scripts.mutate.code import code_mutants
from scripts.mutate.constants import constants
from scripts.mutate.line_map import LineMap
from scripts.mutate.mutant import Mutant

MODULE = '''"""Prices, in two lines: 3 of them."""
_LIMIT = 2.5
_TABLE = {"é": (1, 0.0)}

def cheap(price: float, sure: bool = False) -> bool:
    if sure and not price:
        price += 0.5
    return price <= _LIMIT + 1 or f"{price:.2f}" == "0.00"
'''


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with one file, in the place of the stages."""
    package = tmp_path / "receipt_engine" / "stages"
    (package / "prices").mkdir(parents=True)
    (package / "prices" / "cheap.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(mutant, "ROOT", tmp_path)
    monkeypatch.setattr(source, "ROOT", tmp_path)
    monkeypatch.setattr(source, "PACKAGE", package)


def test_every_mutant_is_another_program() -> None:
    found = code_mutants(["prices"])
    assert len({each.after for each in found}) == len(found)
    assert all(ast.dump(ast.parse(each.after)) != ast.dump(ast.parse(MODULE)) for each in found)


def test_functions_are_changed_and_nothing_beside_them() -> None:
    found = code_mutants(["prices"])
    assert Counter(each.kind for each in found) == {
        "truth": 1,  # sure = False
        "and, or": 2,
        "not": 1,
        "left out": 1,  # price += 0.5
        "number": 2,
        "comparison": 2,
        "arithmetic": 1,
    }
    assert min(each.first for each in found) == 5


def test_constants_are_named_ones_and_floats_in_functions() -> None:
    assert [(c.name, [n.value for n in c.literals]) for c in constants(["prices"])] == [
        ("_LIMIT", [2.5]),
        ("_TABLE", [1, 0.0]),
        ("", [0.5]),
    ]


def test_a_constant_is_doubled_and_halved() -> None:
    limit = constants(["prices"])[0]
    doubled, halved = limit.mutants(limit.changeable[0])
    assert doubled.diff() == "-_LIMIT = 2.5\n+_LIMIT = 5.0"
    assert halved.diff() == "-_LIMIT = 2.5\n+_LIMIT = 1.25"


def test_zero_is_no_number_to_double() -> None:
    table = constants(["prices"])[1]
    assert [number.value for number in table.changeable] == [1]


def _map(path: str, lines: dict[int, list[str]]) -> LineMap:
    seconds = {test: 1.0 for tests in lines.values() for test in tests}
    return LineMap({path: lines}, seconds)


PATH = "receipt_engine/stages/prices/cheap.py"
NEAR, WHOLE, FAR = "tests/unit/stages/prices/a.py::x", "tests/golden/b.py::x", "tests/unit/stages/c.py::x"


def test_tests_of_the_room_come_first_and_all_of_them() -> None:
    known = _map(PATH, {6: [FAR, WHOLE, NEAR], 8: []})
    on_line_6 = Mutant(PATH, 6, 6, 0, 1, "", "comparison")
    assert known.tests_of(on_line_6, budget=9.0) == [NEAR, WHOLE, FAR]
    assert known.tests_of(on_line_6, budget=2.5) == [NEAR, WHOLE]
    assert known.tests_of(on_line_6, budget=0.0) == [NEAR]


def test_tests_of_the_stage_come_before_those_of_whole_receipts() -> None:
    path = "receipt_engine/stages/prices/sale/cheap.py"
    own = "tests/unit/stages/prices/sale/d.py::x"
    known = _map(path, {6: [FAR, WHOLE, NEAR, own]})
    on_line_6 = Mutant(path, 6, 6, 0, 1, "", "comparison")
    assert known.tests_of(on_line_6, budget=9.0) == [own, NEAR, WHOLE, FAR]


def test_a_named_constant_is_tested_where_it_is_read() -> None:
    known = _map(PATH, {6: [FAR], 8: [NEAR]})
    assert known.tests_of(Mutant(PATH, 2, 2, 0, 1, "", "doubled", "_LIMIT"), budget=9.0) == [NEAR]
