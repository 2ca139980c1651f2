"""The container's recipe and the systemd unit, as far as they can be checked without running them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from receipt_engine.service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "docs" / "service" / "receipt-engine.service"


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_runs_without_privileges_and_tells_its_health() -> None:
    names = [name for name, _ in instructions()]
    last = dict(instructions())
    assert re.fullmatch(r"\d+:\d+", last["USER"]) and not last["USER"].startswith("0")
    assert names.index("USER") < names.index("ENTRYPOINT") and "ADD" not in names
    assert "/health" in last["HEALTHCHECK"] and str(Settings().operations_port) in last["HEALTHCHECK"]
    assert last["EXPOSE"] == str(Settings().port) and last["VOLUME"] == "/var/lib/receipt-engine"
    assert "RECEIPT_ENGINE_DATA_DIR=/var/lib/receipt-engine" in last["ENV"]


def test_the_containers_base_is_pinned() -> None:
    base = dict(instructions())["ARG"]
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-[a-z]+", base)
    assert [rest.split()[0] for name, rest in instructions() if name == "FROM"] == ["${BASE}"] * 2


def test_what_the_container_copies_is_there() -> None:
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            assert all((ROOT / source).exists() for source in rest.split()[:-1]), rest


@pytest.mark.needs("systemd-analyze")
def test_the_unit_is_understood(tmp_path: Path) -> None:
    unit = UNIT.read_text(encoding="utf-8").replace("/opt/receipt-engine/bin/receipt-engine", "/bin/true")
    (tmp_path / UNIT.name).write_text(unit, encoding="utf-8")
    program = shutil.which("systemd-analyze")
    assert program
    done = subprocess.run(
        [program, "verify", str(tmp_path / UNIT.name)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and UNIT.name not in done.stderr, done.stderr
