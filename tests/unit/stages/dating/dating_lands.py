"""Invented countries that print day first and month first, and the way from text to the chosen date."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import DateChoice, RegionGuess
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import (
    Address,
    Currency,
    DateOrder,
    Dates,
    Numbers,
    Phone,
    Region,
    Separators,
    SlipDates,
    Tax,
    Words,
)
from receipt_engine.stages.dating import choose_date
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import spans

WORDS: dict[str, tuple[str | Words, ...]] = {
    "total": ("grand sum",),
    "date": ("day of sale",),
    "not_date": ("good until", "printed on", "bring back by", "came on"),
    "time": ("clock",),
    "phone": ("telephone",),
    "fax": ("facsimile",),
    "tax_id": ("levy number",),
    "loyalty": ("club points",),
    "balance": ("still on plastic",),
    "void": ("cancelled",),
    "receipt_number": ("slip number",),
    "footer": ("doors open", "bank agrees"),
    "card": ("plastic",),
}


def land(order: DateOrder, also: tuple[DateOrder, ...] = ()) -> Region:
    """A country with that order of dates, perhaps others too, and English weekdays."""
    return Region(
        code=order,
        name=f"{order} land",
        languages=(),
        currency=Currency(code="XTS", symbols=("¤",)),
        numbers=Numbers(habits=(Separators(decimal=".", groups=(",",)),)),
        dates=Dates(order=order, also=also, slip=SlipDates("ymd", ("PLASTIC SEEN",))),
        tax=Tax(),
        phone=Phone(calling_code="999", region="ZZ"),
        address=Address(country="Nowhere"),
        words=WORDS,  # type: ignore[arg-type]
    )


LANDS = {order: land(order) for order in ("dmy", "mdy", "ymd")}  # type: ignore[arg-type]


def choose(
    text: str,
    order: str = "dmy",
    asked: str | None = None,
    guesses: Sequence[RegionGuess] = (),
    also: tuple[DateOrder, ...] = (),
) -> DateChoice | None:
    """order, also: of the invented country. Pieces of a row stand two spaces or more apart."""
    region = land(order, also) if also else LANDS[order]  # type: ignore[arg-type]
    rows = parse(group(spans(text)), region, AmountHints(), asked)
    return choose_date(rows, sort_rows(rows, region, Trace()), region, asked, guesses)
