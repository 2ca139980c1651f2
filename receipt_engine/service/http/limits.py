"""Rate limits by account, address and name, and the memory that bodies in flight may take together."""

from __future__ import annotations

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Callable

from receipt_engine.service.codes import Code, Refusal

#: Buckets kept; the one that was used least recently makes room.
MOST_BUCKETS = 30_000
_LONGEST_WAIT = 3600.0


class RateLimiter:
    """Token buckets by key: `rate` per second on average, `burst` at once. Kept by each server process.

    Memory and time are bounded however many keys there are: keys are digests of one length, and beyond `most`
    the bucket that was left alone longest is forgotten.
    clock: seconds from a monotonic source.
    """

    def __init__(self, clock: Callable[[], float], most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()  # tokens, and when they were
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, kind: str, key: object, rate: float, burst: float) -> None:
        """Takes one token; raises Refusal 510 with the seconds to wait when there is none."""
        now = self._clock()
        name = hashlib.blake2b(f"{kind}\0{key}".encode(errors="replace"), digest_size=16).digest()
        with self._lock:
            tokens, at = self._buckets.get(name, (burst, now))
            tokens = min(burst, tokens + (now - at) * rate)
            granted = tokens >= 1
            self._buckets[name] = (tokens - granted, now)
            self._buckets.move_to_end(name)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        if not granted:
            wait = (1 - tokens) / rate if rate > 0 else math.inf
            detail = "too many requests for this account's plan"
            raise Refusal(Code.SERVER_ERROR, detail, retry_after=min(wait, _LONGEST_WAIT))


class MemoryBudget:
    """Bytes of request bodies held at one time, over all requests; used from the event loop only."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.used = 0

    def take(self, amount: int) -> None:
        """Raises Refusal 510 when the budget is spent."""
        if self.used + amount > self.total:
            raise Refusal(Code.SERVER_ERROR, "the service is receiving too much at once", retry_after=2)
        self.used += amount

    def give_back(self, amount: int) -> None:
        """Frees what `take` took."""
        self.used -= amount
