"""Tells by a row's words that it is not a product: a payment, a total, a note on the sale."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import AmountReading, AmountRow, QuantityRule, RoleMatch, says
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_NOT_PRODUCTS: frozenset[Role] = (
    SUMS
    | TENDERS
    | {"tip", "service", "withheld", "rounding", "savings", "loyalty", "balance", "item_count", "suggested"}
)
_ABOUT_SALE: frozenset[Role] = frozenset(
    ("date", "phone", "fax", "tax_id", "receipt_number", "cashier", "header", "invoice", "company", "footer")
)
#: Words for means of payment also name animals, shoes and drinks.
_SOLD_TOO: frozenset[Role] = frozenset(("card", "cash", "change", "balance"))
#: Words beside an article number above its amount: its department, or a service or tip that is sold as one.
_OF_ARTICLES: frozenset[Role] = frozenset(("header", "service", "tip"))
#: Smallest share of a row's letters for words that show that it is not a product; and for those of a tender.
_SHARE = 0.4
_SHARE_OF_TENDER = 0.6
#: Highest cost of an amount that is certain enough for the words beside it to be a product name.
_SURE_AMOUNT = 0.65
#: Weights from which words show that a row is not a product, and that they are an address; words of lower
#: weight occur in product names.
_NO_PRODUCT = 0.6
_PLACE = 0.9


#: Behind a column's word that labels a number of the product: "(Código: 21468)".
_LABELS_NUMBER = re.compile(r"\s?:\s?\d")


def is_no_product(
    parsed: AmountRow, roles: Sequence[RoleMatch], amount: AmountReading | None, has_code: bool
) -> bool:
    """Whether a row's words say that it is not a product. roles: those of its words that count. amount: its
    own, if it has one. has_code: whether it has an article number."""
    letters = count_letters(parsed.text)
    negative = amount is not None and amount.value < 0
    if amount is not None and says(roles, ["deposit", "void"], LIKELY):
        return False
    for match in roles:
        share = _SHARE_OF_TENDER if match.role in _SOLD_TOO else _SHARE
        covers = len(match.phrase) >= share * letters
        taken_off = negative or (amount is None and says(roles, ["discount"], LIKELY))
        if taken_off and match.role in ("savings", "loyalty"):
            continue  # subtracted, not just information; the amount may be on the next row
        if negative and match.role == "item_count" and amount is not None and amount.decimals:
            continue  # "3 ITEMS SPECIAL -1.50"
        if negative and match.role == "card" and says(roles, ["discount"], LIKELY):
            continue  # "DISC. VISA -2.00": a discount for paying by card
        if negative and match.role == "change" and letters > len(match.phrase) + 2:
            continue  # "RETOUR JEAN": a returned product
        if match.role == "discount" and covers and amount is not None and not amount.value:
            return not _is_counted(parsed)  # none was given
        if match.role in _OF_ARTICLES and has_code and amount is None:
            continue
        if match.role in _NOT_PRODUCTS and match.weight >= _NO_PRODUCT and covers:
            return True
        titled = match.role == "receipt" and amount is None and not match.start
        if titled and _is_number(parsed.text[match.end :]):
            return True  # the document's title
        if match.role == "address" and match.weight >= _PLACE and amount and amount.cost > _SURE_AMOUNT:
            return True  # a house number
        about = match.role in _ABOUT_SALE and match.weight >= _NO_PRODUCT and len(match.phrase) > 2
        # With an amount of low cost, the words are a product: a room may be sold, too.
        if about and (amount is None or (covers and amount.cost > _SURE_AMOUNT)):
            return True
    if amount is None and not parsed.quantities and _only_dates(parsed):
        return True
    if amount is None and parsed.dates and term_at_start(parsed.text, "earlier_document") is not None:
        return True  # the receipt of what is returned: "Orig: 0231 12/19/25 5102"
    columns = (m for m in roles if m.role == "column" and m.weight >= POSSIBLE)
    headings = sum(1 for m in columns if not _LABELS_NUMBER.match(parsed.text, m.end))
    priced = any(q.unit_price is not None for q in parsed.quantities)  # "Qty 3 @ 1.89 each"
    return headings >= 2 and amount is None and not priced


def _is_counted(parsed: AmountRow) -> bool:
    """Whether a row begins with a count: "1 COURTESY COFFEE 0.00"."""
    return any(q.rule is QuantityRule.LEADING for q in parsed.quantities)


def _is_number(text: str) -> bool:
    """Whether a text is a number or empty."""
    number = text.strip(" .:#")
    return not number or number.isdigit()


def _only_dates(parsed: AmountRow) -> bool:
    """Whether a row has a date and next to no words besides those that announce it: "Valid 18.06.2024", "Du
    12/06/2024 au 14/06/2024"."""
    announced = [(m.start, m.end) for m in parsed.roles if m.role in ("date", "not_date")]
    known = [*announced, *((d.start, d.end) for d in parsed.dates)]
    letters = (c for at, c in enumerate(parsed.text) if not any(s <= at < e for s, e in known))
    return bool(announced and parsed.dates) and count_letters("".join(letters)) < SHORTEST_NAME
