"""The records that pass between stages. All are frozen; no stage changes what an earlier one made.

There are two coordinate frames, both in pixels with y pointing down:

* *page*: the upright image that `Page.image` holds. `Quad` is in this frame.
* *reading*: the page turned by the common tilt of its text, so that printed rows are level.
  `Word.left`, `.right`, `.top`, `.bottom` are in this frame.
"""

from __future__ import annotations

from receipt_engine.document.codes import FiscalCode
from receipt_engine.document.decisions import (
    UNDECIDED,
    Chosen,
    Contacts,
    DateChoice,
    Details,
    Found,
    KnownMerchant,
    Ledger,
    Merchant,
    Payment,
    RegionGuess,
)
from receipt_engine.document.entities import Entity, EntityKind
from receipt_engine.document.equations import (
    Equation,
    EquationKind,
    Family,
    Term,
    TermKind,
    Verdict,
)
from receipt_engine.document.picture import (
    Barcode,
    Char,
    Image,
    Page,
    Paper,
    Point,
    Quad,
    Quality,
    Reading,
    Span,
    TextBox,
)
from receipt_engine.document.placed_text import PlacedText
from receipt_engine.document.readings import (
    HABIT,
    MEASURED,
    PLAUSIBLE,
    THOUSANDS,
    ZERO,
    AmountReading,
    DateReading,
    Money,
    ParsedLine,
    PercentReading,
    QuantityReading,
    TimeReading,
    decimals_of,
    text_width,
)
from receipt_engine.document.record import Record
from receipt_engine.document.rows import Line, Word
from receipt_engine.document.rules import AmountRule, DateDigits, DateLayout, NumericOrder, QuantityRule
from receipt_engine.document.sheet import (
    AmountRow,
    Entry,
    Item,
    LabelledRow,
    Products,
    RoleMatch,
    Sheet,
    TaxRow,
    Totals,
    Zone,
    is_account,
    says,
    sum_entries,
    sum_items,
)

__all__ = [
    "HABIT",
    "MEASURED",
    "PLAUSIBLE",
    "THOUSANDS",
    "UNDECIDED",
    "ZERO",
    "AmountReading",
    "AmountRow",
    "AmountRule",
    "Barcode",
    "Char",
    "Chosen",
    "Contacts",
    "DateChoice",
    "DateDigits",
    "DateLayout",
    "DateReading",
    "Details",
    "Entity",
    "EntityKind",
    "Entry",
    "Equation",
    "EquationKind",
    "Family",
    "FiscalCode",
    "Found",
    "Image",
    "Item",
    "KnownMerchant",
    "LabelledRow",
    "Ledger",
    "Line",
    "Merchant",
    "Money",
    "NumericOrder",
    "Page",
    "Paper",
    "ParsedLine",
    "Payment",
    "PercentReading",
    "PlacedText",
    "Point",
    "Products",
    "Quad",
    "Quality",
    "QuantityReading",
    "QuantityRule",
    "Reading",
    "Record",
    "RegionGuess",
    "RoleMatch",
    "Sheet",
    "Span",
    "TaxRow",
    "Term",
    "TermKind",
    "TextBox",
    "TimeReading",
    "Totals",
    "Verdict",
    "Word",
    "Zone",
    "decimals_of",
    "is_account",
    "says",
    "sum_entries",
    "sum_items",
    "text_width",
]
