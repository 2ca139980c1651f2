"""Where and on what a measurement was made, without names of hosts or paths."""

from __future__ import annotations

import datetime
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


def processor() -> str:
    """The processor's model, as the system names it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.machine()


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def facts() -> dict[str, str]:
    """What every report begins with."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit(),
        "machine": f"{cores()} cores, {processor()}",
        "Python": platform.python_version(),
    }
