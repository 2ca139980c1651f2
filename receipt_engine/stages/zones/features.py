"""Computes the features of a row from which its zone is decided."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.arithmetic.tax_splits import MAX_AMOUNTS, split_in_halves, split_tax, tax_amounts
from receipt_engine.document import AmountReading, AmountRow, Record, says
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, WEAK
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: The number before a price, perhaps with its unit: "2", "4,50 hrs".
_COUNT = re.compile(r"(?<![\d.,])(\d{1,4}(?:[.,]\d{1,3})?)(?: ?[^\W\d_]{1,5}\.?)?$")
#: Amounts of a tax table's row that prints all of them.
_COLUMNS = 3
#: Fewest digits of a whole price.
_WHOLE = 3
#: Roles of rows in the totals block.
_SUMMARY_ROLES: frozenset[Role] = SUMS | {"tip", "service", "withheld", "rounding"}
_AFTER_ROLES: frozenset[Role] = frozenset(("savings", "loyalty", "balance", "suggested", "footer"))
_HEADER_ROLES: frozenset[Role] = frozenset(
    ("company", "phone", "fax", "tax_id", "address", "header", "invoice", "cashier", "receipt_number", "date")
)
#: Roles that a product row may have as well: charges sold by count and price, words for a net or gross weight
#: ("0.864 kg NET @ $24.99/kg"), and for what is consumed ("Consumo 182 kWh x 0,86").
_CHARGES: frozenset[Role] = frozenset(("service", "tax", "net", "gross", "subtotal"))
#: Roles of information below the totals or of charges in their block. They are ignored on a row with a
#: negative amount, which is a discount: "SC SOAP SAVINGS -1.50".
_TAKEN_OFF: frozenset[Role] = frozenset(("service", "savings", "loyalty"))
#: An article number before a name; roles of words that also occur in one.
_ARTICLE = re.compile(r"\d{5,14} +(?=[^\W\d_])")
_NAMED_TOO: frozenset[Role] = TENDERS | {"tip", "total"}
#: Weight below which a tender word was matched through a character confusion, or has other meanings.
_SURE_TENDER = 0.6
#: Factor on a word for change on a row with other words and a negative amount: "RETOUR JEAN -16,00".
_RETURNED = 0.3


class RowFeatures(Record, frozen=True):
    """The features of one row.

    amount: the row has a plausible amount; column: its amount ends in the page's amount column. letters:
    number of letters. summary, tender, after, header: highest weight of a word for each, 0 to 1. headings:
    number of column headings. date: the row has a date with high confidence. table: its amounts fit the
    arithmetic of a tax table. sold: a count and a price multiply to its amount. charged: it is a charge on an
    account.
    """

    amount: bool
    column: bool
    letters: int
    summary: float
    tender: float
    after: float
    header: float
    headings: int
    date: bool
    table: bool
    sold: bool = False
    charged: bool = False


def row_features(row: AmountRow, rates: frozenset[Decimal]) -> RowFeatures:
    """The features of one row. rates: the region's tax rates, in percent."""
    amount = row.amount if row.in_column else None
    sold = row.amount is not None and (row.counted or _is_billed(row))
    letters = count_letters(row.text)
    weights = _role_weights(row, amount, letters, sold=sold)
    return RowFeatures(
        amount=any(a.is_plausible for a in row.amounts),
        column=row.in_column,
        letters=letters,
        summary=_surest(weights, _SUMMARY_ROLES),
        tender=_surest(weights, TENDERS),
        after=_surest(weights, _AFTER_ROLES),
        header=_surest(weights, _HEADER_ROLES),
        headings=sum(1 for m in row.roles if m.role == "column" and m.weight >= WEAK),
        date=bool(row.dates) and row.dates[0].cost < 1.0,
        table=_is_table_row(row, rates),
        sold=sold,
    )


def _role_weights(
    row: AmountRow, amount: AmountReading | None, letters: int, *, sold: bool
) -> dict[Role, float]:
    """The weight of each role that the row's words mean where they stand. amount: its amount in the column;
    letters: their number; sold: as in `RowFeatures`."""
    weights: dict[Role, float] = {}
    priced = sold or (row.amount is not None and any(multiplies_to(q, row.amount) for q in row.quantities))
    priced = priced and has_name(row, SUMS)
    coded = _ARTICLE.match(row.text) is not None and has_name(row)
    reduced = amount is not None and amount.value < 0 and says(row.roles, ["discount"], LIKELY)
    for match in row.roles:
        if amount is not None and match.start >= amount.start:
            continue  # a tax code after the amount says nothing about the row
        weight = match.weight
        if match.role in _SUMMARY_ROLES and weight < WEAK:
            continue  # a tax code before a name
        if match.role in _CHARGES and (sold or priced):
            continue  # a cover charge, a city tax or a net weight among the products
        if match.role == "total" and priced:
            continue  # "GIFT CARD TOTAL SPA 2 25.00 50.00"
        rate = match.role == "net" or (match.role == "tax" and row.percents)
        named = sum(len(m.phrase) for m in row.roles if m.role == match.role)
        if rate and row.amount is None and letters == named:
            continue  # the rate of the products above or below, or that it has none: "VAT 10%", "БЕЗ НДС"
        if match.role in _TAKEN_OFF and amount is not None and amount.value < 0:
            continue
        if match.role in TENDERS and sold and weight < _SURE_TENDER:
            continue  # a product whose name differs from a card's by one letter
        if match.role == "card" and reduced:
            continue  # "DISC. VISA -2.00": a discount for paying by card
        if match.role in _NAMED_TOO and coded:
            continue  # "1402201 CHANGE MAT BABY 18.99"
        if match.role == "tip" and not any(a.is_plausible for a in row.amounts):
            weight *= min(1.0, 1.5 * len(match.phrase) / max(1, letters))
        if match.role in TENDERS:
            # A tender's word makes up most of its row. "Octopus" is a payment card, but also food.
            weight *= min(1.0, 1.5 * len(match.phrase) / max(1, letters))
            if match.role == "change" and letters > len(match.phrase) + 2 and amount and amount.value < 0:
                weight *= _RETURNED
        weights[match.role] = max(weight, weights.get(match.role, 0.0))
    if weights.keys() >= {"footer", "header", "not_date"}:
        del weights["footer"]  # batch and expiry date of the product above: "LOTE G4279 VENC. 08/28"
    return weights


def has_name(row: AmountRow, known_roles: Collection[Role] | None = None) -> bool:
    """Whether words with none of the roles, by default with no known one, stand before a row's amount, as a
    product's name does."""
    text = row.text if row.amount is None else row.text[: row.amount.start]
    for match in row.roles:
        if match.weight >= LIKELY and (known_roles is None or match.role in known_roles):
            text = text[: match.start] + " " * (match.end - match.start) + text[match.end :]
    return max(map(count_letters, text.split()), default=0) >= SHORTEST_NAME


def charge(row: AmountRow) -> RowFeatures:
    """The features of a dated charge on an account: whatever its words, room and taxes stand in one list."""
    plain = replace(row, roles=tuple(m for m in row.roles if m.role in TENDERS), dates=())
    features = row_features(plain, frozenset())
    return replace(features, charged=features.tender == 0)


def _surest(weights: Mapping[Role, float], roles: frozenset[Role]) -> float:
    return max([weight for role, weight in weights.items() if role in roles], default=0.0)


def _is_billed(row: AmountRow) -> bool:
    """Whether a name and a count stand before a price and the net amount that the two make, as on an invoice
    whose products have their own taxes ("Parking 2 20.00 40.00 23% 9.20 49.20")."""
    prices = [a for a in row.amounts if a.decimals or sum(map(str.isdigit, a.raw)) >= _WHOLE]
    for price, net in pairwise(prices):
        before = row.text[: price.start].rstrip()
        count = _COUNT.search(before)
        named = count is not None and count_letters(before[: count.start()]) >= SHORTEST_NAME
        if count is not None and named and Decimal(count[1].replace(",", ".")) * price.value == net.value:
            return True
    return False


def _is_table_row(row: AmountRow, rates: frozenset[Decimal]) -> bool:
    """Whether the row prints a rate of the region and its amounts are net, tax and gross at that rate, or two
    of these; or net, two halves of such a tax, and gross; or only net, tax and gross, without words."""
    numbers = tax_amounts(row)
    values = [a.value for a in numbers]
    if _is_billed(row):
        return False
    if split_in_halves(values, tuple(rates), printed=[p.value for p in row.percents]) is not None:
        return True
    if not 2 <= len(numbers) <= MAX_AMOUNTS:
        return False
    printed = rates & ({p.value for p in row.percents} or {a.value for a in row.amounts})
    letters = count_letters(row.text) - sum(count_letters(a.currency or "") for a in numbers)
    if not printed and len(values) == _COLUMNS and letters < SHORTEST_NAME:
        whole = split_tax(values, row.percents, tuple(sorted(rates)))  # "A 0 % 14.25 0.00 14.25", too
        return whole is not None and None not in (whole.net, whole.gross)
    split = split_tax(values, row.percents, tuple(sorted(printed))) if printed else None
    return split is not None and split.rate in printed and values[split.tax] != split.rate
