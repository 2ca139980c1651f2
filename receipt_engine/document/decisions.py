"""The decisions on a receipt: the region, the amounts and their proofs, the date, the merchant."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document.equations import Equation
from receipt_engine.document.record import Record
from receipt_engine.document.rules import NumericOrder
from receipt_engine.document.sheet import Entry, Item
from receipt_engine.result import AddressNorm


class Chosen(Record, frozen=True):
    """A decided value. entry: where it is printed; cost: of the chosen reading.

    printed: the value as recognised, when the decision differs (a repair). unrounded: the value as printed,
    when a rounding printed below it is part of the decision.
    """

    value: Decimal
    entry: Entry | None
    cost: float = 0.0
    printed: Decimal | None = None
    unrounded: Decimal | None = None


class Ledger(Record, frozen=True):
    """All amounts after reconciliation.

    further_tips: added to the same total as the first one ("Auto gratuity", "Additional tip").
    items: the products, each total reduced to the decided reading. margin: how much cheaper the chosen total
    is than the best other candidate, on the scale of costs; runners_up: these other candidates.
    """

    total: Chosen | None
    subtotal: Chosen | None
    tax: Decimal | None
    taxes: tuple[Chosen, ...]
    tip: Chosen | None
    services: tuple[Chosen, ...]
    discounts: tuple[Chosen, ...]
    rounding: Chosen | None
    cash: Chosen | None
    change: Chosen | None
    card: Chosen | None
    items: tuple[Item, ...]
    equations: tuple[Equation, ...]
    margin: float = 0.0
    runners_up: tuple[Chosen, ...] = ()
    further_tips: tuple[Chosen, ...] = ()


class Found(Record, frozen=True):
    """A value found on the page. confidence: the finder's own estimate, 0 to 1, before calibration.

    lines: rows it was read from; rule: what produced it; runners_up: other candidates, best first.
    """

    value: str
    confidence: float
    lines: tuple[int, ...]
    rule: str
    runners_up: tuple[tuple[str, float], ...] = ()


class RegionGuess(Record, frozen=True):
    """A country with its probability and the clues for it; ranked lists hold the likeliest first.

    code: of its region file, or ISO 3166 in lower case where it has none. order: of day, month and year in
    its dates.
    """

    code: str
    probability: float
    order: NumericOrder
    evidence: tuple[str, ...] = ()


#: Highest confidence of a date whose order of day and month is a guess.
UNDECIDED = 0.65


class DateChoice(Record, frozen=True):
    """The purchase date. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``, None when none is printed.

    confidence: that the date is right, before calibration. lines: rows the two were read from; rule: what
    decided; runners_up: other dates, best first. undecided: nothing distinguishes day from month, so the
    order is guessed from the country.
    """

    date: str
    time: str | None
    confidence: float
    lines: tuple[int, ...]
    rule: str
    runners_up: tuple[tuple[str, float], ...] = ()
    undecided: bool = False

    @property
    def iso(self) -> str:
        """``YYYY-MM-DDThh:mm:ss``; midnight when no time is printed."""
        return f"{self.date}T{self.time or '00:00:00'}"


class Merchant(Record, frozen=True):
    """The seller's name and address. validated: a merchant table knows the name, and its phone or address
    agrees.

    legal_name: the first text with a legal form, "" without one. row: where the address or else the name
    begins, None when neither was found. customer: rows of the head with the town of whom it addresses.
    """

    name: Found | None = None
    address: Found | None = None
    validated: bool = False
    legal_name: str = ""
    row: int | None = None
    customer: tuple[int, ...] = ()


class Contacts(Record, frozen=True):
    """The merchant's contact and registration details, and the number of the receipt."""

    phone: Found | None = None
    url: Found | None = None
    tax_number: Found | None = None
    receipt_number: Found | None = None
    country: Found | None = None


class Payment(Record, frozen=True):
    """How the receipt was paid. method: scheme or wallet as printed, or "CASH"; card_digits: the last
    four."""

    method: Found | None = None
    card_digits: Found | None = None


class Details(Record, frozen=True):
    """Everything on a receipt except its date and its amounts. address_parts: of the merchant's address."""

    merchant: Merchant
    address_parts: AddressNorm | None
    contacts: Contacts
    payment: Payment
    document_type: Found
    expense_type: Found | None


class KnownMerchant(Record, frozen=True):
    """An entry of a merchant table that agrees with a receipt. name: the one of its names that is nearest to
    the printed one; by_phone, by_address: what else agrees."""

    id: str
    name: str
    by_phone: bool
    by_address: bool
