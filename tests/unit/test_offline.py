"""An extraction asks nothing of a network, starts no program and writes no file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os, sys
from receipt_engine import Engine, ExtractOptions
sys.dont_write_bytecode = True

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT

def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES
    if writes and arguments[0] == os.devnull:
        return
    if writes or event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.spawn", "os.fork")):
        sys.stderr.write(f"{event} {arguments}\\n")
        os._exit(3)

sys.addaudithook(watch)
result = Engine(threads=1).extract("examples/receipt.jpg", evidence=True)
print(result.total)
"""


def test_an_extraction_reaches_nothing_and_writes_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout.strip()) == (0, "72.09"), done.stderr


def test_the_watch_notices_a_connection() -> None:
    told = PROGRAM.replace("result =", "import socket; socket.socket()\nresult =")
    done = subprocess.run([sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 3 and "socket" in done.stderr


def test_libraries_leave_no_trace_of_their_own(tmp_path: Path) -> None:
    """The watch sees what Python does. onnxruntime's telemetry, written in C++, begins with an identifier in
    the user's cache; it is silent in continuous integration, whose variables are therefore left out."""
    kept = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ
    }
    own = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=kept | own, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
