"""Keeps this host's worker processes running, recovers lost jobs and deletes expired data.

One thread starts workers, replaces those that end, requeues the jobs of dead workers, kills workers that
lost their lease or use too much memory, recovers leases that expired on any host, and sweeps what is past
its retention. A death caused by the image (crash signal, memory, time) is distinguished from one of unknown
cause.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from receipt_engine.service.assembly import Parts
from receipt_engine.service.jobs.heartbeat import remove_heartbeat
from receipt_engine.service.jobs.worker import DAMAGED
from receipt_engine.service.settings import to_environment
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed
from receipt_engine.service.storage.retention import sweep

log = logging.getLogger(__name__)

# In seconds: pause of the main loop, interval of the checks, waiting time after which a job is announced
# again, longest pause before a worker is restarted.
_TICK = 0.1
_CHECK_SECONDS = 1.0
_REMIND_AFTER = 1.0
_LONGEST_BACKOFF = 30.0
_CRASHES = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE})
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class _Child:
    process: subprocess.Popen[bytes]
    owner: str
    started: float
    blamed: bool = False  # killed by us because of its image
    oom_kills: int = field(default_factory=lambda: _oom_kills())


class Supervisor:
    """Manages the worker processes. Call `start`, then `drain`; the workers end with this process anyway."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._name = f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(4)}"
        self._children: list[_Child | None] = [None] * parts.settings.workers
        self._quick_deaths = 0
        self._next_start = 0.0
        self._next_check = 0.0
        self._next_sweep = 0.0
        self._draining = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        """Starts the supervision; with SQLite, first requeues jobs left running by a killed predecessor."""
        if self._parts.settings.embedded:
            recovered = self._parts.jobs.recover(everything=True)
            log.info("started", extra={"fields": {"recovered_jobs": recovered}})
        self._thread.start()

    def begin_drain(self) -> None:
        """Lets workers finish their current jobs within `drain_seconds`, then kills the rest."""
        self._draining.set()

    def drain(self) -> None:
        """Like `begin_drain`, and waits until it is done."""
        self._draining.set()
        self._thread.join()

    def pids(self) -> list[int]:
        """Returns the process ids of the running workers."""
        return [child.process.pid for child in self._children if child is not None]

    def _run(self) -> None:
        while not self._draining.is_set():
            try:
                self._reap()
                self._start_missing()
                self._check()
            except (DatabaseDown, DatabaseQueryFailed, OSError) as error:
                log.error("supervision is hindered", extra={"fields": {"reason": str(error)}})
                self._draining.wait(1.0)
            self._draining.wait(_TICK)
        self._end_workers()

    def _start_missing(self) -> None:
        now = time.monotonic()
        for index, child in enumerate(self._children):
            if child is None and now >= self._next_start:
                owner = f"{self._name}:{secrets.token_hex(4)}"
                self._children[index] = _Child(self._spawn(owner), owner, now)

    def _spawn(self, owner: str) -> subprocess.Popen[bytes]:
        settings = self._parts.settings
        threads = str(settings.engine_threads)
        environment = {
            **os.environ,
            **to_environment(settings),
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
        }
        command = [sys.executable, "-m", "receipt_engine.service.jobs.worker", owner]
        return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)

    def _reap(self) -> None:
        for index, child in enumerate(self._children):
            if child is None or child.process.poll() is None:
                continue
            status = child.process.returncode
            self._put_back(child, fault=child.blamed or _crashed(child, status))
            self._children[index] = None
            if child.process.stdin:
                child.process.stdin.close()
            quick = status == DAMAGED or (status != 0 and time.monotonic() - child.started < 5)
            self._quick_deaths = self._quick_deaths + 1 if quick else 0
            if self._quick_deaths > 3 or status == DAMAGED:  # the engine does not load: back off
                pause = min(2.0 ** max(1, self._quick_deaths - 3), _LONGEST_BACKOFF)
                self._next_start = time.monotonic() + pause
            if status != 0:
                log.warning("a worker ended", extra={"fields": {"status": status, "blamed": child.blamed}})

    def _put_back(self, child: _Child, *, fault: bool) -> None:
        for held in self._parts.jobs.held_by(child.owner):
            if fault:
                self._parts.jobs.fault(held.image_id, held.lease)
            else:
                self._parts.jobs.lose(held.image_id, held.lease)
        remove_heartbeat(self._parts.database, child.owner)

    def _check(self) -> None:
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + _CHECK_SECONDS
        settings = self._parts.settings
        for child in self._children:
            if child is None:
                continue
            # A lease expires when the worker hangs in native code, but also when the machine is far too slow.
            # So only a job over its time limit is blamed on the image.
            stuck = [held for held in self._parts.jobs.held_by(child.owner) if held.expired]
            overdue = any(held.since > settings.job_seconds * 1000 for held in stuck)
            greedy = _resident(child.process.pid) > settings.worker_memory
            if stuck or greedy:
                child.blamed = overdue or greedy
                child.process.kill()
        self._parts.jobs.recover()
        self._parts.broker.remind(self._forgotten())
        if now >= self._next_sweep:
            self._next_sweep = now + settings.sweep_seconds
            swept = sweep(self._parts.database, self._parts.blobs, audit_ms=settings.audit_ms)
            log.info("swept", extra={"fields": vars(swept)})

    def _forgotten(self) -> list[str]:
        """Returns ids of jobs that have waited for a while, in case their notification was lost."""
        if self._parts.settings.embedded:
            return []
        return self._parts.jobs.waiting(older_than=int(_REMIND_AFTER * 1000))

    def _end_workers(self) -> None:
        alive = [child for child in self._children if child is not None]
        for child in alive:
            child.process.terminate()
        deadline = time.monotonic() + self._parts.settings.drain_seconds
        for child in alive:
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
            if child.process.stdin:
                child.process.stdin.close()
            try:
                self._put_back(child, fault=False)
            except (DatabaseDown, DatabaseQueryFailed) as error:  # recovered at the next start
                log.error("a job was not put back", extra={"fields": {"reason": str(error)}})


def _crashed(child: _Child, status: int) -> bool:
    """True for a crash signal, or for SIGKILL if the kernel's count of out-of-memory kills has risen."""
    if -status in _CRASHES:
        return True
    return status == -signal.SIGKILL and _oom_kills() > child.oom_kills


def _oom_kills() -> int:
    """Returns the kernel's count of out-of-memory kills since boot; 0 when unknown."""
    try:
        lines = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def _resident(pid: int) -> int:
    """Returns the resident memory in bytes; 0 when the process is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0
