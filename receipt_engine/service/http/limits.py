"""Rate limits per account and the memory that bodies in flight may take together."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

from receipt_engine.service.codes import Code, Refusal

_MAX_BUCKETS = 100_000


@dataclass
class _Bucket:
    tokens: float
    at: float


class RateLimiter:
    """Token buckets by key: `rate` per second on average, `burst` at once. Kept by each server process.

    clock: seconds from a monotonic source.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: dict[object, _Bucket] = {}
        self._lock = threading.Lock()

    def take(self, key: object, rate: float, burst: float) -> None:
        """Takes one token; raises Refusal 510 with the seconds to wait when there is none."""
        now = self._clock()
        with self._lock:
            bucket = self._buckets.get(key)
            if bucket is None:
                self._make_room(now)
                bucket = self._buckets[key] = _Bucket(burst, now)
            bucket.tokens = min(burst, bucket.tokens + (now - bucket.at) * rate)
            bucket.at = now
            if bucket.tokens >= 1:
                bucket.tokens -= 1
                return
            wait = (1 - bucket.tokens) / rate if rate > 0 else math.inf
        detail = "too many requests for this account's plan"
        raise Refusal(Code.SERVER_ERROR, detail, retry_after=min(wait, 3600))

    def _make_room(self, now: float) -> None:
        if len(self._buckets) >= _MAX_BUCKETS:  # a bucket left alone for an hour is full again
            self._buckets = {key: item for key, item in self._buckets.items() if now - item.at < 3600}


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
