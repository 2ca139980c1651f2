"""Who may import whom, held by import-linter contracts written here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import receipt_engine

PACKAGE = Path(receipt_engine.__file__).parent
STAGES = sorted(p.name for p in (PACKAGE / "stages").iterdir() if (p / "__init__.py").is_file())
#: What every stage may use beside its own folder: the records, the rules, files and the errors.
SHARED = {
    "receipt_engine.arithmetic",
    "receipt_engine.document",
    "receipt_engine.region",
    "receipt_engine.result",
    "receipt_engine.errors",
    "receipt_engine.assets",
    "receipt_engine.options",
    "receipt_engine.merchants",
    "receipt_engine.runtime.memory",
    "receipt_engine.runtime.onnx",
    "receipt_engine.runtime.protocols",
    "receipt_engine.runtime.stopping",
    "receipt_engine.scoring",
    "receipt_engine.vocabulary",
}


def imported(path: Path) -> set[str]:
    """Modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {
                f"{node.module}.{alias.name}" for alias in node.names if node.module == "receipt_engine"
            }
    return {name for name in found if name.startswith("receipt_engine.")}


def within(module: str, room: str) -> bool:
    """Whether a module is the room or a part of it."""
    return module == room or module.startswith(room + ".")


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_the_records_and_its_own_folder(stage: str) -> None:
    own = f"receipt_engine.stages.{stage}"
    for path in (PACKAGE / "stages" / stage).rglob("*.py"):
        foreign = {m for m in imported(path) if not any(within(m, room) for room in (own, *SHARED))}
        assert not foreign, f"{path.relative_to(PACKAGE)} imports {sorted(foreign)}"


def test_only_the_runtime_imports_onnxruntime() -> None:
    for path in PACKAGE.rglob("*.py"):
        if "runtime" in path.relative_to(PACKAGE).parts:
            continue
        assert "import onnxruntime" not in path.read_text(encoding="utf-8"), path


def test_nothing_imports_the_service_and_it_uses_public_names_only() -> None:
    public = {"receipt_engine", "receipt_engine.errors"}
    for path in PACKAGE.rglob("*.py"):
        inside = "service" in path.relative_to(PACKAGE).parts
        modules = imported(path)
        if inside:
            foreign = {
                m
                for m in modules
                if not m.startswith("receipt_engine.service")
                and m not in public
                and m.removeprefix("receipt_engine.") not in receipt_engine.__all__
            }
            assert not foreign, f"{path.relative_to(PACKAGE)} imports {sorted(foreign)}"
        elif path.parent.name != "cli":
            assert not any(m.startswith("receipt_engine.service") for m in modules), path


def test_the_recipe_calls_every_stage_once() -> None:
    modules = ("pipeline.py", "documents.py", "models.py")
    source = "".join((PACKAGE / module).read_text(encoding="utf-8") for module in modules)
    for stage in STAGES:
        assert source.count(f"from receipt_engine.stages.{stage}") >= 1, stage


def test_exported_names_are_exactly_those_listed() -> None:
    assert list(receipt_engine.__all__) == sorted(receipt_engine.__all__)
    for name in receipt_engine.__all__:
        assert getattr(receipt_engine, name).__doc__, name
