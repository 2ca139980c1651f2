"""The rooms of the service: each imports only those below it, is small, and says what it decides."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import receipt_engine.service

SERVICE = Path(receipt_engine.service.__file__).parent
#: Room: the rooms it may import. What puts the parts together (`assembly`, `commands`, `server`) is no room.
ALLOWED: dict[str, frozenset[str]] = {
    "storage": frozenset(),
    "accounts": frozenset({"storage"}),
    "webhooks": frozenset({"accounts", "storage"}),
    "jobs": frozenset({"accounts", "storage", "webhooks"}),
    "ops": frozenset({"accounts", "http", "jobs", "storage"}),
    "http": frozenset({"accounts", "jobs", "ops", "storage"}),
    "dashboard": frozenset({"accounts", "http", "jobs", "storage", "webhooks"}),
}
#: The application names every route.
EXEMPT = frozenset({("http", "app.py", "dashboard")})


def imports(path: Path) -> set[str]:
    """Rooms a module imports from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("receipt_engine.service."):
            found.add((node.module or "").split(".")[2])
    return found & ALLOWED.keys()


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    for path in (SERVICE / room).glob("*.py"):
        foreign = imports(path) - ALLOWED[room] - {room}
        foreign -= {other for here, name, other in EXEMPT if (here, name) == (room, path.name)}
        assert not foreign, f"{room}/{path.name} imports {sorted(foreign)}"


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_is_small_and_says_what_it_decides(room: str) -> None:
    assert len(list((SERVICE / room).glob("*.py"))) <= 15
    text = ast.get_docstring(ast.parse((SERVICE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert all(word in text for word in ("In: ", "Out: ", "Decides ")), room


def test_every_room_is_listed() -> None:
    assert {path.parent.name for path in SERVICE.glob("*/__init__.py")} == set(ALLOWED)
