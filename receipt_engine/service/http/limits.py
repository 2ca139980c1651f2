"""Rate limits by account, address and name, and a shared memory limit for request bodies in flight."""

from __future__ import annotations

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Callable

from receipt_engine.service.codes import Code, Refusal

#: Most buckets kept; the least recently used one is evicted.
MOST_BUCKETS = 30_000
#: Longest Retry-After, in seconds.
_LONGEST_WAIT = 3600.0


class RateLimiter:
    """Token buckets by key: `rate` per second on average, `burst` at once. Per server process.

    Memory and time are bounded for any number of keys: keys are digests of fixed length, and beyond `most`
    the least recently used bucket is evicted. clock: seconds from a monotonic source.
    """

    def __init__(self, clock: Callable[[], float], most: int = MOST_BUCKETS) -> None:
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()  # tokens, time of that count
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, kind: str, key: object, rate: float, burst: float) -> None:
        """Takes one token; raises Refusal 510 with the seconds to wait when there is none.

        kind: separates the keys of different limits, e.g. "upload" and "read".
        """
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
    """Limits the bytes of request bodies held at one time, over all requests. For the event loop only."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.used = 0

    def take(self, amount: int) -> None:
        """Reserves `amount` bytes; raises Refusal 510 when the budget is spent."""
        if self.used + amount > self.total:
            raise Refusal(Code.SERVER_ERROR, "the service is receiving too much at once", retry_after=2)
        self.used += amount

    def give_back(self, amount: int) -> None:
        """Releases bytes reserved by `take`."""
        self.used -= amount
