"""Counts requests and events and renders them in the Prometheus text format (version 0.0.4).

Labels hold routes and codes, never tokens.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping

#: Upper bounds of the histogram of request durations, in seconds.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)


class Metrics:
    """Thread-safe counters: requests by route and code, their durations, and events by one label."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._slots: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(_BUCKETS))
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._count: defaultdict[str, int] = defaultdict(int)
        self._events: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))

    def count(self, name: str, label: str, value: str) -> None:
        """Counts one event by the value of its only label."""
        with self._lock:
            self._events[name][f'{{{label}="{value}"}}'] += 1

    def request(self, route: str, code: int, seconds: float) -> None:
        """Counts one answered request."""
        with self._lock:
            self._requests[route, code] += 1
            self._seconds[route] += seconds
            self._count[route] += 1
            for index, bound in enumerate(_BUCKETS):
                if seconds <= bound:
                    self._slots[route][index] += 1

    def render(self, gauges: Mapping[str, Iterable[tuple[str, float]]]) -> str:
        """Returns the exposition text. gauges: name to (labels, value); the labels are already formatted."""
        lines = ["# TYPE receipt_engine_requests_total counter"]
        with self._lock:
            for (route, code), count in sorted(self._requests.items()):
                lines.append(f'receipt_engine_requests_total{{route="{route}",code="{code}"}} {count}')
            lines.append("# TYPE receipt_engine_request_seconds histogram")
            for route in sorted(self._count):
                name = "receipt_engine_request_seconds"
                for bound, slot in zip(_BUCKETS, self._slots[route], strict=True):
                    lines.append(f'{name}_bucket{{route="{route}",le="{bound}"}} {slot}')
                lines.append(f'{name}_bucket{{route="{route}",le="+Inf"}} {self._count[route]}')
                lines.append(f'{name}_sum{{route="{route}"}} {self._seconds[route]:.6f}')
                lines.append(f'{name}_count{{route="{route}"}} {self._count[route]}')
            for event, counts in sorted(self._events.items()):
                lines.append(f"# TYPE receipt_engine_{event} counter")
                lines += [
                    f"receipt_engine_{event}{labels} {count}" for labels, count in sorted(counts.items())
                ]
        for name, values in gauges.items():
            lines.append(f"# TYPE receipt_engine_{name} gauge")
            lines += [f"receipt_engine_{name}{labels} {value:g}" for labels, value in values]
        return "\n".join(lines) + "\n"
