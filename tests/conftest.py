"""Tests that need a program or fonts of the machine are left out where it lacks them, and it is said."""

from __future__ import annotations

import importlib.util
import shutil

import pytest
from hypothesis import HealthCheck, settings

from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.fonts import covering
from tests.service import postgresql
from tests.service.browser import BROWSER


def _prints(letters: str) -> bool:
    try:
        return bool(covering(letters, mono=False))
    except DrawingError:
        return False


NEEDS = {
    "PostgreSQL": postgresql.programs() is not None,
    "Chromium": bool(BROWSER),
    "Tesseract": bool(shutil.which("tesseract")),
    "PaddleOCR and rapidocr": all(map(importlib.util.find_spec, ("paddleocr", "rapidocr"))),
    "ray": importlib.util.find_spec("ray") is not None,
    "curl": bool(shutil.which("curl")),
    "systemd-analyze": bool(shutil.which("systemd-analyze")),
    "a font with accents": _prints("ãéç€"),
}


# A busy machine is no failure.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in [name for name, there in NEEDS.items() if not there]:
        terminalreporter.write_line(f"Tests that need {name} were left out: it is not installed.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests whose program is missing are left out; the last lines say which."""
    lacking = [
        item for item in items if (need := item.get_closest_marker("needs")) and not NEEDS[need.args[0]]
    ]
    items[:] = [item for item in items if item not in lacking]
    if lacking:
        config.hook.pytest_deselected(items=lacking)
