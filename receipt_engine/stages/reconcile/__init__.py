"""Which amount is the total, and what every other amount is.

In: the sheet and the region. Out: the ledger. Decides by the cheapest assignment of roles to amounts around
which the receipt adds up: `candidates` may be the total, `proofs` are the equations that close around one,
`misreadings` what a misread amount may have been, `search` finds which total wins, `amounts` the others.
"""

from receipt_engine.stages.reconcile.ledger import reconcile

__all__ = ["reconcile"]
