"""The command line without what a person's own reviews have left on the machine."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_memory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder: Path = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
