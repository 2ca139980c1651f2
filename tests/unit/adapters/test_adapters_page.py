"""What docs/adapters.md says, run as it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from receipt_engine import adapters

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
RECORDED = Path(__file__).parent / "recorded"


def test_the_pages_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(RECORDED / "tesseract.tsv", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": __name__}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for block in blocks:
        exec(compile(block, "docs/adapters.md", "exec", dont_inherit=True), names)
    assert len(blocks) == 3
    assert names["shouting"].fingerprint != names["engine"].fingerprint


def test_the_page_names_every_adapter() -> None:
    folder = Path(adapters.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "pages"}
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) >= modules
