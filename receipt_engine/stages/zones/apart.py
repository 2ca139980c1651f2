"""Adapts the features of rows to pages that print amounts apart from their words, as apps and e-mails do."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, AmountRow, says
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.zones.features import RowFeatures, has_name, row_features
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Largest gap between a label and the amount below it, in row heights.
_MAX_GAP = 1.5
#: Least weight of words by which a row belongs to the totals block.
_SUMMARY = 0.5


def with_labels_above(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features; an amount alone on its row has those of the words right above it: "Total" above
    "€12.50"."""
    found = list(features)
    for at in range(1, len(rows)):
        if _is_alone(rows[at]) and not rows[at - 1].amounts and _is_near(rows[at - 1], rows[at]):
            # Here a tax and its rate are no note on the product above.
            label = row_features(replace(rows[at - 1], percents=()), frozenset())
            found[at] = replace(
                found[at],
                summary=max(found[at].summary, label.summary),
                tender=max(found[at].tender, label.tender),
                letters=label.letters,
            )
    return found


def _is_alone(row: AmountRow) -> bool:
    """Whether a row has an amount with decimals and no words."""
    amount = row.amount if row.in_column else None
    if amount is None or not amount.decimals:
        return False
    return not any(map(str.isalnum, row.text[: amount.start] + row.text[amount.end :]))


def _is_near(above: AmountRow, row: AmountRow) -> bool:
    height = max(above.line.height, row.line.height)
    return row.line.top - above.line.bottom < _MAX_GAP * height


def with_names_below_taxes(features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features; words between a row of the totals and a bare count and price are the name of what is sold
    at that price: some tills print the tax of each product below it ("VAT 10% 1.60", "SHAMPOO", "2 x 4.50
    9.00")."""
    found = list(features)
    for at in range(1, len(features) - 1):
        above, row, below = features[at - 1 : at + 2]
        plain = not row.column and max(row.summary, row.tender, row.after, row.header) < _SUMMARY
        priced = below.sold and below.letters < SHORTEST_NAME <= row.letters
        if plain and priced and above.column and above.summary >= _SUMMARY:
            found[at] = replace(row, sold=True)
    return found


def without_first_total(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features, without those of a total that stands above the products and again below them: the receipt
    of a ride begins with the price."""
    found = list(features)
    placed = [at for at, row in enumerate(rows) if row.in_column]
    first = next((k for k, at in enumerate(placed) if not rows[at].names_total), 0)
    values = {_value(rows[at]) for at in placed[:first]}
    if len(values) != 1:
        return found
    again = next(
        (
            at
            for at in placed[first:]
            if _value(rows[at]) in values and says(rows[at].roles, ["total", "subtotal"], LIKELY)
        ),
        0,
    )
    between = [at for at in placed[first:] if at < again]
    if not any(_may_be_product(features[at]) for at in between):
        return found
    for at in placed[:first]:
        found[at] = replace(found[at], amount=False, column=False, summary=0.0)
    return found


def without_named_totals(rows: Sequence[AmountRow], features: Sequence[RowFeatures]) -> list[RowFeatures]:
    """The features, without a total's where a product's name is beside the word and the amount is smaller
    than one above it, which it cannot add up: "TOTAL MUESLI 3.49" below "HONEY 5.99". Behind a discount only
    what is left of all of them is a sum."""
    found = list(features)
    most = left = ZERO
    discounted = False
    for at, row in enumerate(rows):
        amount = row.amount if row.in_column else None
        if amount is None or features[at].table or max(features[at].tender, features[at].after) >= _SUMMARY:
            continue
        named = any(m.role == "total" and m.weight >= LIKELY for m in row.roles) and has_name(row)
        if amount.value < most and named and not (discounted and amount.value == left):
            plain = replace(row, roles=tuple(m for m in row.roles if m.role != "total"))
            found[at] = row_features(plain, frozenset())
        if found[at].summary < _SUMMARY:
            most = max(most, amount.value)
            left += amount.value
            discounted |= amount.value < 0
    return found


def _value(row: AmountRow) -> Decimal | None:
    return row.amount.value if row.amount is not None else None


def _may_be_product(row: RowFeatures) -> bool:
    """Whether a row has words and an amount, and nothing says that it belongs to the totals block."""
    return row.letters > 1 and not row.table and max(row.summary, row.tender, row.after) < _SUMMARY
