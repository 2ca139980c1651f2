"""What the amounts outside the products may be: totals, taxes, tips, discounts, means of payment.

In: the products and the page as it stands with them. Out: entries (amounts with weighted roles) and rows of
tax tables; with the complete products, the sheet. Decides the roles by words beside the amounts and by the
arithmetic of tax tables; which of the roles is true is for `reconcile` to decide.
"""

from __future__ import annotations

from receipt_engine.stages.totals.sheet import make_sheet
from receipt_engine.stages.totals.summary import find_totals

__all__ = ["find_totals", "make_sheet"]
