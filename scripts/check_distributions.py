"""Builds sdist and wheel, reads a receipt with the wheel alone, and runs tests from the unpacked sdist.

    python -m scripts.check_distributions

The wheel is unpacked into a folder and run without a checkout on the path; its dependencies come from the
current environment.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Tests that the unpacked sdist must pass by itself, covering every folder that it must contain.
TESTS = (
    "tests/architecture",
    "tests/golden",
    "tests/unit/test_result.py",
    "tests/unit/test_assets.py",
    "tests/unit/scripts/test_run_readme.py",
    "tests/regions/test_files.py",
)
#: Licence files that the wheel's dist-info must contain before the wheel may be distributed.
LICENCES = (
    "LICENSE",
    "NOTICE",
    "LICENSES/BSD-3-Clause-name-suggestion-index.txt",
    "LICENSES/CC-BY-4.0.txt",
    "LICENSES/Unicode-3.0.txt",
)


def main() -> int:
    """Returns the exit status; raises CalledProcessError where a step fails."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        _run([sys.executable, "-m", "hatchling", "build", "-d", str(made)], ROOT)
        (wheel,), (sdist,) = made.glob("*.whl"), made.glob("*.tar.gz")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.0f} MB")
        check_wheel(wheel, made / "installed")
        print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.0f} MB")
        check_sdist(sdist, made / "unpacked")
    return 0


def check_wheel(wheel: Path, target: Path) -> None:
    """Reads the example with the wheel; raises SystemExit when a licence is missing or the total differs."""
    names = zipfile.ZipFile(wheel).namelist()
    missing = [file for file in LICENCES if not any(name.endswith(f"licenses/{file}") for name in names)]
    if missing:
        raise SystemExit(f"{wheel.name} lacks {', '.join(missing)}; see license-files in pyproject.toml.")
    # The wheel is unpacked, not installed: its dependencies are already present.
    zipfile.ZipFile(wheel).extractall(target)
    command = [sys.executable, "-m", "receipt_engine", "extract", str(ROOT / "examples" / "receipt.jpg")]
    printed = _run(command, target, {"PYTHONPATH": str(target), "PYTHONSAFEPATH": "1"}, show=False)
    truth = json.loads((ROOT / "examples" / "receipt.json").read_text(encoding="utf-8"))
    if json.loads(printed)["total"] != truth["total"]:
        raise SystemExit(f"{wheel.name} does not read the total {truth['total']} of the example.")
    print(f"total {truth['total']} read with the wheel")


def check_sdist(sdist: Path, target: Path) -> None:
    """Runs `TESTS` inside the unpacked sdist."""
    shutil.unpack_archive(sdist, target)  # `tarfile` takes a filter only from Python 3.11.4 on
    (folder,) = target.iterdir()
    _run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS], folder)


def _run(
    command: Sequence[str], cwd: Path, environment: dict[str, str] | None = None, *, show: bool = True
) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdout=None if show else subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout or ""


if __name__ == "__main__":
    raise SystemExit(main())
