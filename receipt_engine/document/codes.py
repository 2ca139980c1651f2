"""The content of a barcode printed by a till, a tax office or a bank."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document.record import Record


class FiscalCode(Record, frozen=True):
    """The content of one code; parts that its format lacks are empty.

    name: of the format. country: of the seller, as a region code; "" where the format does not give it.
    currency: ISO 4217. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``. total and tax: in the currency. seller: the
    tax number. asks: it requests a payment, which need not be that of the sale.
    """

    name: str
    country: str = ""
    currency: str | None = None
    date: str | None = None
    time: str | None = None
    total: Decimal | None = None
    tax: Decimal | None = None
    seller: str | None = None
    asks: bool = False
