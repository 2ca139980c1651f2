"""Describes the machine and code of a measurement, without host names or paths."""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
import re
import subprocess
from pathlib import Path

_REPOSITORY = Path(__file__).resolve().parent.parent


def commit() -> str:
    """Short hash of the checkout, with "+" when tracked files differ from it; "unknown" outside one."""
    try:
        revision = _git("rev-parse", "--short=10", "HEAD")
        changed = _git(
            "status", "--porcelain", "--untracked-files=no", "--", "receipt_engine", "regions", "models"
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return revision + ("+" if changed else "")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(_REPOSITORY), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def code(root: Path = _REPOSITORY) -> str:
    """Digest of everything that determines a Result: code, region data and the tables in models/, committed
    or not.

    Two runs can be compared image by image only when it is equal. Models are identified by their checksums
    in models/manifest.toml.
    """
    digest = hashlib.sha256()
    for pattern in ("receipt_engine/**/*.py", "regions/**/*.toml", "models/*.toml"):
        for path in sorted(root.glob(pattern)):
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def processor() -> str:
    """The processor's model name as the operating system reports it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.machine()


def cores() -> int:
    """Number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def facts() -> dict[str, str]:
    """The facts at the head of every report; taken before the run, see `changed_since`."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit(),
        "code": code(),
        "machine": f"{cores()} cores, {processor()}",
        "Python": platform.python_version(),
    }


def changed_since(before: dict[str, str]) -> dict[str, str]:
    """A warning when the code has changed since `before` was taken; else empty."""
    now = code()
    if now == before["code"]:
        return {}
    return {"CODE CHANGED DURING THE RUN": f"from {before['code']} to {now}; these numbers belong to neither"}
