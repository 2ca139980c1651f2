"""Commits uploads in batches on one thread, so that uploads that arrive together share one log sync."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future

from receipt_engine.service.codes import Refusal
from receipt_engine.service.jobs.booking import Accepted, Prepared, Upload
from receipt_engine.service.jobs.uploads import Uploads

#: Most uploads in one commit.
_BATCH = 32
#: Longest time in seconds that a batch waits to reach the size of the previous one.
_GATHER = 0.01
_Entry = tuple[Prepared, "Future[Accepted]"]


class Acceptor:
    """A thread that commits uploads in batches. `submit` may be called from any thread; `close` ends it.

    Uploads that arrive during a commit form the next batch. A batch waits briefly to reach the size of the
    previous one: clients answered together send their next upload together, and one commit for all of them
    costs little more than for one. A single client never waits.
    """

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="acceptor", daemon=True)
        self._thread.start()

    def submit(self, upload: Upload) -> Future[Accepted]:
        """Encrypts the image in the calling thread and queues it for the next commit.

        The future completes when the upload is durable; it raises Refusal, DatabaseDown or
        DatabaseQueryFailed.
        """
        future: Future[Accepted] = Future()
        self._queue.put((self._uploads.prepare(upload), future))
        return future

    def close(self) -> None:
        """Commits everything submitted so far, then ends the thread."""
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
        """Returns the next batch, and False once `close` was called."""
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
        except Exception as error:  # the callers map it to an outcome code
            for _, future in batch:
                future.set_exception(error)
            return
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Refusal):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
