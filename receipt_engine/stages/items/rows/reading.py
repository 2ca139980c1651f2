"""Reads each row of the product block on its own: kind, amount, quantity, price, code and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import AmountReading, AmountRow, RoleMatch, says
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.items.rows.cells import cells_of, is_apart, span_of_words
from receipt_engine.stages.items.rows.codes import find_code, flag_beside, labelled_codes
from receipt_engine.stages.items.rows.headings import as_headed
from receipt_engine.stages.items.rows.holes import holes
from receipt_engine.stages.items.rows.item_row import ItemRow
from receipt_engine.stages.items.rows.kinds import is_reduced, kind_of_row, names_something
from receipt_engine.stages.items.rows.no_products import is_no_product
from receipt_engine.stages.items.rows.pumps import pump_end
from receipt_engine.stages.items.rows.quantities import row_quantity, row_values
from receipt_engine.stages.items.rows.words import (
    PER_UNIT,
    blank_out,
    tidy,
    trailing_count,
    trailing_price,
    trailing_product,
)
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.normalise import count_letters, weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Roles that may also be sold by count and price: a cover charge, a city tax.
_CHARGES: frozenset[Role] = frozenset(("service", "tax", "total_tax", "column"))
_VALUE_NAMES: frozenset[Role] = frozenset(("quantity", "weight", "column"))
#: A count alone beside a code, perhaps with its sign: "2", "1x", "*1".
_ONLY_COUNT = re.compile(r"(?:[xX×*] ?)?(-?[1-9]\d?)(?: ?[xX×*])?")
#: Text between the number of a pump and the product: "Pump 3 Diesel", "ТРК 3 АИ-95".
_BEFORE_FUEL = re.compile(r"[ :.-]+(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{2}\b)")
_PUMP_ROLES: frozenset[Role] = frozenset(("header", "cashier"))


def read_row(index: int, parsed: AmountRow, counts: float | None = None) -> ItemRow:
    """The row as an item row. counts: where the heading of quantities stands on the page."""
    roles: Sequence[RoleMatch] = parsed.roles
    amount = parsed.amount if parsed.in_column else None
    if amount is not None and _is_weight(parsed, roles, amount):
        amount = None
    quantity = as_headed(parsed, row_quantity(parsed, amount), counts)
    end = amount.start if amount is not None else len(parsed.text)
    text = blank_out(parsed.text, holes(parsed, amount, quantity))[:end]
    printed = text
    if amount is not None and amount.value < 0:
        text = _without_void(text, roles)
    void = text[:1].isspace() and not printed[:1].isspace()
    text = blank_out(text, labelled_codes(text, roles))
    code = find_code(text)
    sold = code is not None and code.is_flagged  # taxed, so no product group
    if code is not None:
        flag = flag_beside(text, code)
        text = blank_out(text, [(code.start, code.end), *([flag] if flag else [])])
        if any(d.start < code.end and code.start < d.end and d.cost < DOUBTFUL for d in parsed.dates):
            code = None  # the date of the charge
    multiplies = amount is not None and quantity is not None and multiplies_to(quantity, amount)
    charge = amount is not None and parsed.counted and all(m.role in _CHARGES for m in roles)
    pump = pump_end(parsed.text) if any(m.role in _PUMP_ROLES and not m.start for m in roles) else None
    if pump is not None and _BEFORE_FUEL.match(parsed.text, pump):
        text = blank_out(text, [(0, pump)])
        roles = [m for m in roles if m.start >= pump]
    if not (multiplies or charge) and is_no_product(parsed, roles, amount, code is not None):
        return ItemRow(index, "skip", parsed.text, "")
    qty, price, unit = row_values(parsed, amount, quantity)
    tail = None
    if amount is not None and qty is None and unit is None:
        qty, price, tail, text = _trailing_values(parsed, amount, price, text, roles)
    elif quantity is None and qty is not None and (behind := trailing_count(text)) and behind[0] == qty:
        text = text[: behind[1]]
    without_unit = PER_UNIT.sub(lambda unit: " " * len(unit.group()), text)
    if multiplies or (_is_priced(parsed, amount) and not any(map(str.isalpha, without_unit))):
        text = without_unit
    words = tidy(text)
    reduced = is_reduced(parsed, roles, amount, words)
    named = names_something(
        _without_labels(text, roles) if multiplies else words, quantity if multiplies else None
    )
    return ItemRow(
        index=index,
        kind="bare"
        if reduced
        else kind_of_row(parsed, amount, quantity, code.text if code and not sold else None, words, named),
        desc=parsed.text[:end].strip(" :.*"),
        words=words,
        amount=amount,
        qty=qty,
        price=price,
        unit=unit,
        code=code.text if code else None,
        tail=tail,
        apart=tail is not None and is_apart(parsed, text, tail),
        discount=not reduced and says(roles, ["discount", "void"], LIKELY),
        deposit=says(roles, ["deposit"], LIKELY),
        department=any(m.role == "header" and m.start == 0 for m in roles),
        sums=any(m.role in ("total", "subtotal", "net", "gross") and m.start == 0 for m in roles),
        heading=any(m.role == "column" and len(m.phrase) == count_letters(words) for m in roles),
        left=parsed.line.left,
        right=parsed.line.right,
        height=parsed.line.height,
        span=(parsed.line.left, span_of_words(parsed, text)[1]) if void else span_of_words(parsed, text),
        cells=cells_of(parsed, text),
        taken_back=tidy(_without_void(text, roles)) if amount is None else words,
    )


def _trailing_values(
    parsed: AmountRow,
    amount: AmountReading,
    price: Decimal | None,
    text: str,
    roles: Sequence[RoleMatch],
) -> tuple[Decimal | None, Decimal | None, tuple[Decimal, float, float] | None, str]:
    """(quantity, price, whole number in a column, rest of the text): the values that end the text of a row
    whose amount has none of its own."""
    found = trailing_product(text, amount.value)
    if found is not None:
        return found[0], found[1], None, text[: found[2]]
    if (only := _ONLY_COUNT.fullmatch(text.strip())) is not None:
        return Decimal(only.group(1)), price, None, ""
    if (end_of_words := trailing_price(text, amount.value)) is not None:
        return None, amount.value, None, text[:end_of_words]
    if (count := trailing_count(_before_code(text, roles))) is not None:
        return None, price, (count[0], *parsed.line.place(count[1], count[2])), text
    return None, price, None, text


def _before_code(text: str, roles: Sequence[RoleMatch]) -> str:
    """The text before a tax code that ends it, in a column between the quantity and the amount."""
    code = next((m for m in roles if m.role == "tax" and m.weight < LIKELY), None)
    return text[: code.start] if code is not None and not text[code.end :].strip() else text


def _is_priced(parsed: AmountRow, amount: AmountReading | None) -> bool:
    """Whether another amount precedes the row's own."""
    return amount is not None and any(found.end <= amount.start for found in parsed.amounts)


def _without_labels(text: str, roles: Sequence[RoleMatch]) -> str:
    """The words without those that only label a quantity, price or column ("Qty 3 @ 1.50 each")."""
    return tidy(blank_out(text, [(m.start, m.end) for m in roles if m.role in _VALUE_NAMES]))


def _without_void(text: str, roles: Sequence[RoleMatch]) -> str:
    """The text without a word for a return or void before or after the name; offsets stay."""
    for match in roles:
        before, behind = text[: match.start], text[match.end :]
        begins = not before.strip(" *-(")
        # Before a name, a word of lower weight counts too, and so does one for change.
        said = match.role == "void" and match.weight >= (POSSIBLE if begins else LIKELY)
        if not said and not (begins and match.role == "change"):
            continue
        outer = begins or not behind.strip(" *-)")
        if outer and weigh_letters(before + behind) >= SHORTEST_NAME:
            return blank_out(text, [(match.start, match.end)])
    returned = term_at_start(text, "earlier_document")  # "ÉCHANGE JEAN"
    if returned is not None and weigh_letters(text[returned.end :]) >= SHORTEST_NAME:
        return blank_out(text, [(0, returned.end)])
    return text


def _is_weight(parsed: AmountRow, roles: Sequence[RoleMatch], amount: AmountReading) -> bool:
    """Whether a label right before the number says that it is a weight ("TARE = .01"); after a name, a unit
    is the product's size ("MILK GAL 3.19")."""
    if any(multiplies_to(quantity, amount) for quantity in parsed.quantities):
        return False
    before = [m for m in roles if m.role == "weight" and len(m.phrase) > 2 and m.end <= amount.start]
    for match in before:
        between = parsed.text[match.end : amount.start]
        labels = bool(set(between) & set("=:")) or not any(c.isalpha() for c in parsed.text[: match.start])
        if labels and not between.strip(" =:."):
            return True
    return False
