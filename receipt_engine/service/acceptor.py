"""The thread that commits uploads in batches: those that arrive together share one sync of the log."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from receipt_engine.service.codes import Refusal
from receipt_engine.service.uploads import Accepted, Prepared, Upload, Uploads

_BATCH = 32


class Acceptor:
    """The thread that commits uploads in batches. `submit` from any thread; `close` ends it."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._queue: queue.SimpleQueue[tuple[Prepared, Future[Accepted]] | None] = queue.SimpleQueue()
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
        open_ = True
        while open_:
            batch = []
            entry = self._queue.get()
            while entry is not None:
                batch.append(entry)
                if len(batch) >= _BATCH or self._queue.empty():
                    break
                entry = self._queue.get()
            open_ = entry is not None
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[tuple[Prepared, Future[Accepted]]]) -> None:
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
