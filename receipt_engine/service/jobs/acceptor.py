"""The thread that commits uploads in batches: those that arrive together share one sync of the log."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future

from receipt_engine.service.codes import Refusal
from receipt_engine.service.jobs.booking import Accepted, Prepared, Upload
from receipt_engine.service.jobs.uploads import Uploads

_BATCH = 32
#: Seconds a batch waits at most for as many uploads as came together last time.
_GATHER = 0.01
_Entry = tuple[Prepared, "Future[Accepted]"]


class Acceptor:
    """The thread that commits uploads in batches. `submit` from any thread; `close` ends it.

    Whatever arrived during a commit is the next batch. It waits a moment for as many as the last one had:
    clients that were answered together come back together, and a commit costs little more for all of them
    than for one. A client by itself never waits.
    """

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="acceptor", daemon=True)
        self._thread.start()

    def submit(self, upload: Upload) -> Future[Accepted]:
        """Seals the picture here and queues it for the next commit.

        The future raises Refusal, DatabaseDown or DatabaseQueryFailed; it is done when the upload is durable.
        """
        future: Future[Accepted] = Future()
        self._queue.put((self._uploads.prepare(upload), future))
        return future

    def close(self) -> None:
        """Commits what was submitted, then ends the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        expected = 1
        while (first := self._queue.get()) is not None:
            batch, open_ = self._gather(first, expected)
            expected = len(batch)
            self._commit(batch)
            if not open_:
                return

    def _gather(self, first: _Entry, expected: int) -> tuple[list[_Entry], bool]:
        """The next batch, and whether more may come."""
        batch = [first]
        deadline = time.monotonic() + _GATHER
        while len(batch) < _BATCH:
            patience = deadline - time.monotonic() if len(batch) < expected else 0
            try:
                entry = self._queue.get(patience > 0, max(patience, 0))
            except queue.Empty:
                break
            if entry is None:
                return batch, False
            batch.append(entry)
        return batch, True

    def _commit(self, batch: list[_Entry]) -> None:
        try:
            outcomes = self._uploads.accept([prepared for prepared, _ in batch])
        except Exception as error:  # the callers answer with the code it stands for
            for _, future in batch:
                future.set_exception(error)
            return
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Refusal):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
