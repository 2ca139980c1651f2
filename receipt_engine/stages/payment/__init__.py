"""Determines how the receipt was paid: rows and the sheet in, a `Payment` out.

Decides the method (a scheme or wallet as printed, or cash) by the words of the rows, the amounts beside them
and masked card numbers near them; and the card's last four digits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from receipt_engine.document import ParsedLine, Payment, Sheet
from receipt_engine.stages.payment.card_numbers import card_digits
from receipt_engine.stages.payment.method import payment_method

__all__ = ["find_payment"]


def find_payment(rows: Sequence[ParsedLine], sheet: Sheet, named: Collection[int] = ()) -> Payment:
    """The method and the card's digits; each None without evidence. named: rows of the merchant's name, which
    may contain a scheme's ("CAFFE MAESTRO")."""
    return Payment(payment_method(rows, sheet, named), card_digits(rows, sheet))
