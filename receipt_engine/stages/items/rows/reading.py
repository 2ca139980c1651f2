"""Reads each row of the product block on its own: kind, amount, quantity, price, code and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import AmountReading, AmountRow, QuantityReading, RoleMatch, says
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.items.rows.codes import Code, find_code, flag_beside, labelled_codes
from receipt_engine.stages.items.rows.headings import as_headed
from receipt_engine.stages.items.rows.holes import holes, pump_beside_fuel
from receipt_engine.stages.items.rows.item_row import ItemRow, cells_of, is_apart, room_behind, span_of_words
from receipt_engine.stages.items.rows.kinds import (
    is_no_product,
    is_reduced,
    kind_of_row,
    names_something,
    tells_former_price,
)
from receipt_engine.stages.items.rows.quantities import row_quantity, row_values
from receipt_engine.stages.items.rows.words import (
    PER_UNIT,
    blank_out,
    tidy,
    trailing_count,
    trailing_price,
    trailing_product,
)
from receipt_engine.vocabulary import is_made_of, term_at_start
from receipt_engine.vocabulary.normalise import count_letters, letters, weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Roles that may also be sold by count and price: a cover charge, a city tax.
_CHARGES: frozenset[Role] = TAXES | {"service", "column"}
#: Terms of words beside a price that name nothing.
_OF_PRICES = (("quantity_label", "apiece", "former_price"), ("each_price",))
#: Roles of words that label a quantity, price or column.
_VALUE_LABELS: frozenset[Role] = frozenset(("quantity", "weight", "column"))
#: A count alone beside a code, perhaps with its sign: "2", "1x", "*1".
_ONLY_COUNT = re.compile(r"(?:[xX×*] ?)?(-?[1-9]\d?)(?: ?[xX×*])?")


def read_row(index: int, parsed: AmountRow, counts: float | None = None) -> ItemRow:
    """The row as an item row. counts: where the heading of quantities stands on the page."""
    amount = _own_amount(parsed)
    quantity = as_headed(parsed, row_quantity(parsed, amount), counts)
    multiplies = amount is not None and quantity is not None and multiplies_to(quantity, amount)
    end = amount.start if amount is not None else len(parsed.text)
    printed = blank_out(parsed.text, holes(parsed, amount, quantity))[:end]
    returned = amount is not None and amount.value < 0
    text = _without_void(printed, parsed.roles) if returned else printed
    void_first = text[:1].isspace() and not printed[:1].isspace()
    text, code = _separate_code(parsed, text)
    text, roles = _without_pump(parsed, text)
    charge = amount is not None and parsed.counted and all(m.role in _CHARGES for m in parsed.roles)
    counts_of = [q for q in parsed.quantities if q.kind == "count"]
    offered = amount is None and len(counts_of) > 1 and any(q.per > 1 for q in counts_of)
    if offered:  # "4.19 ea or 2/7.58": how it may be bought, not how it was
        return ItemRow(index, "skip", parsed.text, "")
    if not (multiplies or charge) and is_no_product(parsed, roles, amount, code is not None):
        return ItemRow(index, "skip", parsed.text, "")
    values = read_values(parsed, amount, quantity, text, roles)
    text = _without_unit_price(parsed, amount, values.text, multiplies)
    words = tidy(text)
    valued = quantity is not None or values.price is not None or _is_priced(parsed, amount)
    if valued and letters(words) and any(is_made_of(letters(words), *terms) for terms in _OF_PRICES):
        # "Qty: 2" between a name and its amount, "Qty 2  4.90 each" or "4.90 each" below both; "at
        # 1.95  3.90" below the count and the name
        words = ""
    labelled = any(m.role == "weight" and len(m.phrase) > 2 and not text[: m.start].strip() for m in roles)
    if labelled and parsed.quantities and not letters(_without_labels(text, roles)):
        words = ""  # "Tare 0.02 lb  12.00" below the name, the weight and the price
    if amount is None and tells_former_price(parsed):
        words = ""  # "Was 5.50 now 4.90" between a name and its amount
    priced = multiplies or (quantity is not None and quantity.unit_price is not None)
    sized = quantity is not None and quantity.kind == "count" and any(map(str.isdigit, words))
    # Labels and units beside a count name nothing: "500 ml x 2" below a name.
    name = _without_labels(text, roles) if words and (priced or sized) else words
    named = names_something(name, quantity if priced else None) and not _is_offer(parsed, amount)
    reduced = is_reduced(parsed, roles, amount, words)
    group = code.text if code and not code.is_flagged else None  # a product with a tax code is no group
    row = ItemRow(
        index=index,
        kind="bare" if reduced else kind_of_row(parsed, amount, quantity, group, words, named),
        desc=parsed.text[:end].strip(" :.*"),
        words=words,
        amount=amount,
        qty=values.qty,
        price=values.price,
        unit=values.unit,
        code=code.text if code else None,
        tail=values.tail,
        taken_back=tidy(_without_void(text, roles)) if amount is None else words,
        opens=parsed.text.rstrip().endswith(":"),
        before=tuple(
            a.value
            for a in parsed.amounts
            if a.is_plausible
            and a.end <= end
            and (a.decimals or (amount is not None and not amount.decimals))
        ),
    )
    return _with_places(_with_roles(row, roles, reduced), parsed, text, void_first)


def _own_amount(parsed: AmountRow) -> AmountReading | None:
    """The amount in the column of amounts, unless a label right before it says that it is a weight, or it is
    the price of one beside only a count: "Qty 2  4.90 each"."""
    amount = parsed.amount if parsed.in_column else None
    if amount is None or _is_weight(parsed, amount):
        return None
    before = parsed.text[: amount.start]
    counted = any(map(str.isdigit, before)) and is_made_of(letters(before), "quantity_label")
    each = counted and term_at_start(parsed.text[amount.end :].lstrip(), "apiece") is not None
    return None if each else amount


def _separate_code(parsed: AmountRow, text: str) -> tuple[str, Code | None]:
    """(text without the product's codes, the code); a date, as of a charge, goes but is no code."""
    labelled = list(labelled_codes(text, parsed.roles))
    # "SOAP (Code: 21468)  Total", above the count, the price and the amount
    headings = [
        (m.start, m.end)
        for m in parsed.roles
        if m.role == "column" and any(m.start >= e for _, e in labelled)
    ]
    text = blank_out(text, [*labelled, *headings])
    code = find_code(text)
    if code is None:
        return text, None
    flag = flag_beside(text, code)
    text = blank_out(text, [(code.start, code.end), *([flag] if flag else [])])
    dated = any(d.start < code.end and code.start < d.end and d.cost < DOUBTFUL for d in parsed.dates)
    return text, None if dated else code


def _without_pump(parsed: AmountRow, text: str) -> tuple[str, Sequence[RoleMatch]]:
    """(text, roles) without the pump beside a fuel."""
    pump = pump_beside_fuel(parsed.text)
    if pump is None:
        return text, parsed.roles
    start, end = pump
    return blank_out(text, [pump]), [m for m in parsed.roles if m.end <= start or m.start >= end]


def _without_unit_price(parsed: AmountRow, amount: AmountReading | None, text: str, multiplies: bool) -> str:
    """The text without the rest of a unit price ("/kg"), where the row has one; offsets stay."""
    rest = PER_UNIT.sub(lambda unit: " " * len(unit.group()), text)
    return rest if multiplies or (_is_priced(parsed, amount) and not any(map(str.isalpha, rest))) else text


def _is_offer(parsed: AmountRow, amount: AmountReading | None) -> bool:
    """Whether an amount has only an offer before it, for the product above: "3 for 50 kr  59.85"."""
    if amount is None or amount.value <= 0:
        return False
    offers = (q for q in parsed.quantities if q.per > 1 and not parsed.text[: q.start].strip())
    return any(count_letters(parsed.text[q.end : amount.start]) < SHORTEST_NAME for q in offers)


def _with_roles(row: ItemRow, roles: Sequence[RoleMatch], reduced: bool) -> ItemRow:
    """The row with what its words say. reduced: they say it of the product above."""
    return replace(
        row,
        discount=not reduced and says(roles, ["discount", "void"], LIKELY),
        deposit=says(roles, ["deposit"], LIKELY),
        department=any(m.role == "header" and m.start == 0 for m in roles),
        sums=any(m.role in ("total", "subtotal", "net", "gross") and m.start == 0 for m in roles),
        heading=any(m.role == "column" and len(m.phrase) == count_letters(row.words) for m in roles),
    )


def _with_places(row: ItemRow, parsed: AmountRow, text: str, void_first: bool) -> ItemRow:
    """The row with its places on the page. void_first: a word for a return was removed before the words."""
    first, last = span_of_words(parsed, text)
    cells = cells_of(parsed, text)
    return replace(
        row,
        apart=row.tail is not None and is_apart(parsed, text, row.tail),
        left=parsed.line.left,
        right=parsed.line.right,
        height=parsed.line.height,
        span=(parsed.line.left if void_first else first, last),
        cells=cells,
        room=room_behind(parsed, text, cells),
    )


def _is_priced(parsed: AmountRow, amount: AmountReading | None) -> bool:
    """Whether another amount precedes the row's own."""
    return amount is not None and any(found.end <= amount.start for found in parsed.amounts)


def _without_labels(text: str, roles: Sequence[RoleMatch]) -> str:
    """The words without those that only label a quantity, price or column ("Qty 3 @ 1.50 each")."""
    labels = (m for m in roles if m.role in _VALUE_LABELS and not _is_in_word(text, m))
    return tidy(blank_out(text, [(m.start, m.end) for m in labels]))


def _is_in_word(text: str, match: RoleMatch) -> bool:
    """Whether a label is a part of an East Asian word, which has no blanks around it: "宿泊料 2 泊"."""
    around = text[match.start - 1 : match.start] + text[match.end : match.end + 1]
    return any(c.isalpha() and not c.isascii() for c in around)


def _without_void(text: str, roles: Sequence[RoleMatch]) -> str:
    """The text without a word for a return or void before or after the name; offsets stay."""
    deposits = [m for m in roles if m.role == "deposit"]
    for match in roles:
        if any(d.start <= match.start and match.end <= d.end for d in deposits):
            continue  # "EMPTIES RETURN": bottles that came back, not a voided deposit
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
    if returned is not None and not deposits and weigh_letters(text[returned.end :]) >= SHORTEST_NAME:
        return blank_out(text, [(0, returned.end)])
    return text


def _is_weight(parsed: AmountRow, amount: AmountReading) -> bool:
    """Whether a label right before the number says that it is a weight ("TARE = .01"); after a name, a unit
    is the product's size ("MILK GAL 3.19")."""
    if any(multiplies_to(quantity, amount) for quantity in parsed.quantities):
        return False
    before = [m for m in parsed.roles if m.role == "weight" and len(m.phrase) > 2 and m.end <= amount.start]
    for match in before:
        between = parsed.text[match.end : amount.start]
        labels = bool(set(between) & set("=:")) or not any(c.isalpha() for c in parsed.text[: match.start])
        if labels and not between.strip(" =:."):
            return True
    return False


class Values(NamedTuple):
    """What counts and prices a row's amount. tail: a whole number after the words, perhaps from a column of
    quantities, with its left and right edge. text: the row's text without the values that end it."""

    text: str
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    tail: tuple[Decimal, float, float] | None = None


def read_values(
    parsed: AmountRow,
    amount: AmountReading | None,
    quantity: QuantityReading | None,
    text: str,
    roles: Sequence[RoleMatch],
) -> Values:
    """The values of the row; whole numbers that end the text only where nothing else counts the amount."""
    qty, price, unit = row_values(parsed, amount, quantity)
    if amount is not None and qty is None and unit is None:
        return _trailing_values(parsed, amount, price, text, roles)
    count = trailing_count(text) if quantity is None and qty is not None else None
    return Values(text[: count[1]] if count is not None and count[0] == qty else text, qty, price, unit)


def _trailing_values(
    parsed: AmountRow, amount: AmountReading, price: Decimal | None, text: str, roles: Sequence[RoleMatch]
) -> Values:
    """The values that end the text of a row whose amount has no quantity of its own."""
    if (found := trailing_product(text, amount.value)) is not None:
        return Values(text[: found[2]], found[0], found[1])
    if (only := _ONLY_COUNT.fullmatch(text.strip())) is not None:
        return Values("", Decimal(only.group(1)), price)
    if (end_of_words := trailing_price(text, amount.value)) is not None:
        return Values(text[:end_of_words], price=amount.value)
    if (count := trailing_count(_before_code(text, roles))) is not None:
        return Values(text, price=price, tail=(count[0], *parsed.line.place(count[1], count[2])))
    return Values(text, price=price)


def _before_code(text: str, roles: Sequence[RoleMatch]) -> str:
    """The text before a tax code that ends it, in a column between the quantity and the amount."""
    code = next((m for m in roles if m.role == "tax" and m.weight < LIKELY), None)
    return text[: code.start] if code is not None and not text[code.end :].strip() else text
