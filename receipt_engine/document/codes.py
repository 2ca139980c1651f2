"""What a barcode of a till, a tax office or a bank says about the sale."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document.record import Record


class FiscalCode(Record, frozen=True):
    """The content of one code, every part as far as its format has it.

    name: of the format. country: of the seller, as regions are called; "" where the format tells none.
    currency: ISO 4217. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``. total and tax: in the currency. seller: the
    tax number. asks: it asks for a payment, which need not be that of the sale.
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
