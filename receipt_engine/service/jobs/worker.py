"""Worker process: claims a job, runs the engine on its image, stores the result. Started by the supervisor.

It ends with its parent (end of file on standard input, and the kernel's parent-death signal), after the
current job on SIGTERM, when a job runs too long, and after a configured number of jobs.
"""

from __future__ import annotations

import ctypes
import importlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from receipt_engine import ImageError, MerchantTable, MerchantTableError, ModelError, RegionDataError
from receipt_engine.service import logs
from receipt_engine.service.assembly import Parts, open_parts
from receipt_engine.service.jobs.heartbeat import heartbeat_seconds, record_heartbeat, remove_heartbeat
from receipt_engine.service.jobs.queue import Job
from receipt_engine.service.jobs.result import stored_form
from receipt_engine.service.logs import begin
from receipt_engine.service.settings import Settings, load_settings
from receipt_engine.service.storage.blobs import BlobStoreUnavailable
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed

log = logging.getLogger(__name__)
T = TypeVar("T")

POLL_SECONDS = 0.05
#: Exit status after a job ran too long; the job was requeued already.
TIMED_OUT = 75
#: Exit status when the installation's own files are damaged; the supervisor then backs off.
DAMAGED = 78
_PR_SET_PDEATHSIG = 1


class Readable(Protocol):
    """The part of the engine's result that the worker uses."""

    def to_json(self) -> str:
        """Returns the Result object as JSON text."""
        ...


class Extractor(Protocol):
    """The part of the engine that the worker uses."""

    def extract(self, image: bytes, **options: Any) -> Readable:
        """Extracts one image; raises ImageError when the image is at fault."""
        ...


def load_merchants(settings: Settings) -> MerchantTable | None:
    """Opens the table that the setting `merchants` names, or returns None; raises MerchantTableError."""
    return MerchantTable(Path(settings.merchants)) if settings.merchants else None


def load_engine(settings: Settings) -> Extractor:
    """Creates the engine that the setting `engine` names (module:callable), with the merchant table."""
    module, _, name = settings.engine.partition(":")
    factory = getattr(importlib.import_module(module), name)
    return cast(Extractor, factory(threads=settings.engine_threads, merchants=load_merchants(settings)))


class Worker:
    """Runs jobs one after the other. `stop` may be set from any thread; `run` ends after the current job."""

    def __init__(self, parts: Parts, engine: Extractor, owner: str) -> None:
        self._parts = parts
        self._engine = engine
        self._owner = owner
        self._current: tuple[Job, float] | None = None
        self._jobs_done = 0
        self.stop = threading.Event()
        self.damaged = False  # the installation's own files are at fault

    def run(self) -> None:
        """Runs jobs until stopped or recycled, and sends heartbeats meanwhile."""
        record_heartbeat(self._parts.database, self._owner, socket.gethostname())
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        if self._parts.settings.embedded:
            self._poll()
        else:
            from receipt_engine.service.jobs.subscriber import subscribe

            subscribe(self._parts.settings, self.take, self.stop)
        remove_heartbeat(self._parts.database, self._owner)

    def _poll(self) -> None:
        while not self.stop.is_set():
            try:
                if not self.take():
                    self.stop.wait(POLL_SECONDS)
            except (DatabaseDown, DatabaseQueryFailed) as error:
                log.error("database trouble", extra={"fields": {"reason": str(error)}})
                self.stop.wait(1.0)

    def take(self) -> bool:
        """Claims and runs the next job; returns False when there was none."""
        job = self._parts.jobs.claim(self._owner)
        if job is None:
            return False
        begin(account=job.account_id, picture=job.image_id)
        started = time.monotonic()
        self._current = (job, started)
        try:
            code = self._perform(job)
        finally:
            self._current = None
        log.info("job", extra={"fields": {"outcome": code, "ms": round((time.monotonic() - started) * 1e3)}})
        self._jobs_done += 1
        if self._jobs_done >= self._parts.settings.recycle_after:
            self.stop.set()
        return True

    def _perform(self, job: Job) -> str:
        """Runs one job to its end; returns the outcome as one word for the log."""
        jobs = self._parts.jobs
        try:
            picture = jobs.picture(job)
            result = stored_form(self._engine.extract(picture, **job.options.arguments()).to_json())
        except ImageError as error:
            _insist(lambda: jobs.refuse(job))
            return type(error).__name__
        except (DatabaseDown, DatabaseQueryFailed):
            _insist(lambda: jobs.lose(job.image_id, job.lease))
            raise
        except BlobStoreUnavailable as error:
            log.error("a picture cannot be fetched", extra={"fields": {"reason": str(error)}})
            _insist(lambda: jobs.postpone(job.image_id, job.lease))
            return "postponed"
        except (ModelError, RegionDataError, MerchantTableError) as error:
            log.error("the installation is damaged; run receipt-engine doctor", exc_info=error)
            _insist(lambda: jobs.postpone(job.image_id, job.lease))
            self.damaged = True
            self.stop.set()
            return "postponed"
        except Exception as error:
            log.error("the engine failed", exc_info=error)
            _insist(lambda: jobs.fault(job.image_id, job.lease))
            return "fault"
        return "done" if _insist(lambda: jobs.finish(job, result)) else "late"

    def _beat(self) -> None:
        """Extends the current job's lease and refreshes the worker's row, forever.

        Ends the process when the job takes too long.
        """
        settings = self._parts.settings
        while True:
            time.sleep(heartbeat_seconds(settings))
            current = self._current
            try:
                if current is not None and time.monotonic() - current[1] > settings.job_seconds:
                    log.error("a job ran too long")
                    self._parts.jobs.fault(current[0].image_id, current[0].lease)
                    os._exit(TIMED_OUT)
                if current is not None:
                    self._parts.jobs.extend(current[0])
                record_heartbeat(self._parts.database, self._owner, socket.gethostname())
            except (DatabaseDown, DatabaseQueryFailed) as error:
                log.warning("heartbeat failed", extra={"fields": {"reason": str(error)}})


def _insist(action: Callable[[], T]) -> T:
    """Retries a store action while the database is unreachable, so that a finished result is not lost."""
    for pause in (0.1, 0.5, 1.0, 2.0, 4.0):
        try:
            return action()
        except DatabaseDown:
            time.sleep(pause)
    return action()


def _die_with_parent() -> None:
    """Makes this process end when the supervisor is gone, even while native code holds the interpreter."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        while os.read(0, 1024):
            pass
        os._exit(0)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def main() -> int:
    """Runs `python -m receipt_engine.service.jobs.worker OWNER`; settings come from the environment."""
    _die_with_parent()
    settings = load_settings()
    logs.configure(settings.log_level)
    owner = sys.argv[1]
    parts = open_parts(settings, pool=4)
    worker = Worker(parts, load_engine(settings), owner)
    signal.signal(signal.SIGTERM, lambda *_: worker.stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker.run()
    parts.close()
    return DAMAGED if worker.damaged else 0


if __name__ == "__main__":
    sys.exit(main())
