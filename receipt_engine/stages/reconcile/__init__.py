"""Reconciliation: the cheapest assignment of roles to amounts around which the receipt adds up."""

from receipt_engine.stages.reconcile.ledger import reconcile

__all__ = ["reconcile"]
