"""Reconciliation: the cheapest assignment of roles to amounts around which the receipt adds up.

`candidates` says what may be the total, `adjustments` and `sums` what can be added up, `sum_proofs`,
`tax_proofs` and `tender_proofs` which equations close, `slips` what a misread amount may have been, `search`
which total wins; `subtotal`, `taxes`, `charges` and `naming` choose the other amounts around it, `equations`
tells what was checked, and `ledger` calls them in order.
"""

from receipt_engine.stages.reconcile.ledger import reconcile

__all__ = ["reconcile"]
