"""Measures the time of reconciliation on generated ledgers, ordinary and hostile.

    python -m benchmarks.protocols.ledgers [--count 10000] [--seed 1]

Each ledger has random products and entries with random roles, several readings per amount and sums that hold
half of the time; every tenth is as large and as ambiguous as a page can be.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import get_args

import numpy as np

from receipt_engine.document import AmountReading, AmountRule, Entry, Item, Money, Sheet
from receipt_engine.region import Region, Role, load_region
from receipt_engine.stages.reconcile import reconcile

_ROLES: tuple[Role, ...] = ("total", "subtotal", "tax", "total_tax", "tip", "service", "discount", "rounding")
_MORE: tuple[Role, ...] = ("cash", "card", "change", "net", "gross", "savings", "deposit", "balance")


def main() -> None:
    """Prints the median, the 95th percentile and the worst time in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    times = measure(options.count, options.seed, load_region("us"))
    for name, share in (("median", 50), ("95 %", 95), ("worst", 100)):
        print(f"{name:8}{np.percentile(times, share):8.2f} ms")


def measure(count: int, seed: int, region: Region) -> list[float]:
    """Processor time of each ledger, in milliseconds."""
    generator = random.Random(seed)
    times = []
    for number in range(count):
        sheet = draw(generator, hostile=number % 10 == 0)
        start = time.process_time()
        reconcile(sheet, region)
        times.append((time.process_time() - start) * 1000)
    return times


def draw(generator: random.Random, *, hostile: bool) -> Sheet:
    """A sheet of random products and entries."""
    products = generator.randint(60, 150) if hostile else generator.randint(1, 20)
    others = generator.randint(30, 60) if hostile else generator.randint(2, 10)
    readings = 6 if hostile else 2
    items = tuple(Item(line, (line,), "x", "x", _amount(generator, readings)) for line in range(products))
    entries = [
        Entry(products + line, _amount(generator, readings), "summary", _roles(generator, hostile), "x")
        for line in range(others)
    ]
    if generator.random() < 0.5:
        entries.append(_closing(items, entries))
    return Sheet((), (), items, tuple(entries), ())


def _closing(items: Sequence[Item], entries: Sequence[Entry]) -> Entry:
    total = sum((i.total.value for i in items), Decimal(0))
    total += sum((e.amount.value for e in entries if e.role in ("tax", "tip", "service")), Decimal(0))
    return Entry(entries[-1].line + 1, _as_read(total), "summary", (("total", 1.0),), "TOTAL")


def _roles(generator: random.Random, hostile: bool) -> tuple[tuple[Role, float], ...]:
    pool = [r for r in (*_ROLES, *_MORE) if r in get_args(Role)]
    chosen = generator.sample(pool, generator.randint(1, 3) if hostile else 1)
    return tuple((role, generator.uniform(0.4, 1.0)) for role in chosen)


def _amount(generator: random.Random, readings: int) -> AmountReading:
    values = [Decimal(generator.randint(1, 20_000)) / 100 for _ in range(generator.randint(1, readings))]
    moneys = tuple(Money(value, 0.5 * i, AmountRule.AS_PRINTED) for i, value in enumerate(values))
    return AmountReading(str(values[0]), 0, len(str(values[0])), moneys, decimals=2)


def _as_read(value: Decimal) -> AmountReading:
    return AmountReading(
        str(value), 0, len(str(value)), (Money(value, 0.0, AmountRule.AS_PRINTED),), decimals=2
    )


if __name__ == "__main__":
    main()
