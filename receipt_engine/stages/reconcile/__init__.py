"""Decides which amount is the total, and which role every other amount plays.

In: the sheet and the region. Out: the ledger. Chooses the cheapest assignment of roles to amounts for which
the receipt adds up. `candidates` lists the possible totals, `proofs` the equations that close around a total,
`misreadings` repairs misread amounts, `search` ranks the totals, and `amounts` chooses the other amounts.
"""

from receipt_engine.stages.reconcile.ledger import reconcile

__all__ = ["reconcile"]
