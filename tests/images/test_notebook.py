"""The notebook among the examples, run by a kernel as a reader would: it prints what it shows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
#: A program of its own, for the kernel's sockets and its event loop. They are files: no port is needed.
PROGRAM = """
import sys
import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")
NotebookClient(notebook, km=kernel, startup_timeout=600).execute()
nbformat.write(notebook, sys.argv[1])
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, as names of sockets have to be."""
    with tempfile.TemporaryDirectory(prefix="nb") as name:
        yield Path(name)


def _printed(notebook: Any) -> list[str]:
    """What stands below each cell of code."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts = [o.get("text") or o.data["text/plain"] for o in cell.outputs]
            found.append("".join(texts))
    return found


@pytest.mark.skipif(os.name == "nt", reason="the kernel is spoken to through files")
def test_the_notebook_prints_what_it_shows(folder: Path) -> None:
    shutil.copy(NOTEBOOK, folder)
    shutil.copy(ROOT / "examples" / "receipt.jpg", folder)
    own = {name: str(folder) for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, NOTEBOOK.name],
        cwd=folder,
        env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    shown = nbformat.read(NOTEBOOK, as_version=4)
    found = _printed(nbformat.read(folder / NOTEBOOK.name, as_version=4))
    assert found[:2] == _printed(shown)[:2] and all(found[:2])  # the others change with confidences
    assert "receipt.jpg" in found[-1]
