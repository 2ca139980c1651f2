"""A PostgreSQL server for the tests, started when its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, or None when PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[str]:
    """A fresh server on a unix socket; gives a URL without a database name.

    durable: on the disk where TMPDIR is, and synced, as in service; else in memory.
    """
    folder = programs()
    assert folder is not None
    user = _user()
    memory = Path("/dev/shm")
    home = Path(tempfile.mkdtemp(prefix="pg-", dir=None if durable or not memory.is_dir() else memory))
    if user:
        shutil.chown(home, user)
    data = home / "data"

    def run(*command: str) -> None:
        subprocess.run(command, check=True, user=user, cwd=home, capture_output=True, timeout=300)

    run(str(folder / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-c listen_addresses= -c unix_socket_directories={home} -c fsync={'on' if durable else 'off'}"
    options += " -c max_connections=200"
    log = str(home / "log")
    run(str(folder / "pg_ctl"), "-D", str(data), "-w", "-t", "300", "-l", log, "-o", options, "start")
    try:
        yield f"postgresql+psycopg://postgres@/{{}}?host={home}"
    finally:
        run(str(folder / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(home, ignore_errors=True)
