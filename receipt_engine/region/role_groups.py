"""Groups of roles that several stages tell from others."""

from __future__ import annotations

from receipt_engine.region.schema import Role

TAXES: frozenset[Role] = frozenset(("tax", "total_tax"))
#: Amounts that add up products, and the taxes on them.
SUMS: frozenset[Role] = TAXES | {"total", "subtotal", "net", "gross"}
#: What a receipt was paid with, and what was given back.
TENDERS: frozenset[Role] = frozenset(("cash", "card", "change"))
