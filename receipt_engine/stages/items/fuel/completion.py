"""Completes the products with volumes and unit prices from rows of their own, and with the name of what was
measured, on a row near these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import PLAUSIBLE, AmountRow, Entry, Item, sum_items
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.items.fuel.measures import Measure, find_measures
from receipt_engine.stages.items.rows.codes import find_code
from receipt_engine.stages.items.rows.holes import PUMP_ROLES
from receipt_engine.stages.items.rows.words import blank_out, repair_digits, tidy
from receipt_engine.vocabulary.normalise import count_letters, weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Upper bound on the rounding of a cash total: in major units, or as a share of it.
_MAX_ROUNDING = Decimal(1)
_MAX_ROUNDING_SHARE = Decimal("0.002")
#: Roles of a word that stands for the amount of what was measured: "AMOUNT 79.89".
_AMOUNT_LABELS: frozenset[Role] = frozenset(("column", "total", "subtotal"))
#: Largest distances, in rows, from volume and price to the name above or below.
NAME_ABOVE = 4
NAME_BELOW = 2
#: Short fuel grades: a number with or without capitals, or two capitals for diesel in some languages.
_GRADE = re.compile(r"\d{2}|[^\W\d_]{1,2}-?\d{2}|[^\W\d_]{2}")
#: The number of a pump or a till after its word.
_LABEL_NUMBER = re.compile(r"[ .:#]*[0-9]{1,2}(?![0-9.,])")
#: Roles of words that label a volume, a price or a column; and roles of rows that are not a name.
_VALUE_LABELS: frozenset[Role] = frozenset(("column", "weight", "quantity"))
_NOT_NAMES: frozenset[Role] = SUMS | TENDERS | {
    "address", "phone", "date", "time", "company", "tax_id", "receipt_number", "footer", "suggested",
    "invoice",
}  # fmt: skip


def with_fuel(items: Sequence[Item], rows: Sequence[AmountRow], entries: Sequence[Entry]) -> tuple[Item, ...]:
    """The products, with volume and price from rows of their own. If no item is more than a label of these
    numbers, the single product that volume, price and total show."""
    wanted = {i.total.value for i in items if i.price is None and i.unit is None and i.qty is None}
    total = _amounts_paid(entries)
    found = find_measures(rows, {v for v in wanted | total if v > 1})
    for value in sorted(total & found.keys(), key=lambda v: abs(found[v].volume * found[v].price - v)):
        if all(_is_part_of_measure(item, value, found[value], rows, entries) for item in items):
            product = _measured_item(value, found[value], items, rows, entries)
            return (product,) if product is not None else tuple(items)
    sold = [m for item in items if (m := found.get(item.total.value)) and item.line == m.rows[1] + 1]
    items = [item for item in items if not _is_priced_in_one_row(item, sold)]
    apart = {value: m for value, m in found.items() if not _is_priced_by_another(m, items)}
    return _with_partial_sum(tuple(_with_measure(item, apart, rows) for item in items), rows, entries)


def _is_priced_in_one_row(item: Item, sold: Iterable[Measure]) -> bool:
    """Whether an apparent product is the row of a volume and its price: "Litre 31.50  CHF/L 1.84". sold: the
    measures right above the amounts that they make; elsewhere a size and a price may make one by chance."""
    own = (m for m in sold if m.rows == (item.line, item.line))
    return item.unit is None and any(item.total.value == measure.price for measure in own)


def _is_priced_by_another(measure: Measure, items: Sequence[Item]) -> bool:
    """Whether the price is the amount of another product: "WINE 0.5L  7.00" below "PASTA  14.00"."""
    return any(item.line in measure.rows and item.total.value == measure.price for item in items)


def _with_partial_sum(
    items: tuple[Item, ...], rows: Sequence[AmountRow], entries: Sequence[Entry]
) -> tuple[Item, ...]:
    """The products, and the fuel that only its own amount shows ("FUEL SALE 33.60"), where the goods make a
    sum below only with it."""
    totals = [e for e in entries if e.weight("total", "subtotal") >= LIKELY]
    known = {item.total.value for item in items}
    printed = [(at, row.amount.value) for at, row in enumerate(rows) if row.amount is not None]
    for value, measure in find_measures(rows, {value for _, value in printed} - known).items():
        goods = tuple(item for item in items if item.line not in measure.rows)
        whole = value + sum_items(goods)
        lines = [at for at, amount in printed if amount == value and at > measure.rows[1]]
        if goods and lines and any(e.amount.value == whole and e.line > lines[0] for e in totals):
            product = _measured_item(value, measure, goods, rows, entries)
            return tuple(sorted((product, *goods), key=lambda i: i.line)) if product is not None else items
    return items


def _is_part_of_measure(
    item: Item, value: Decimal, measure: Measure, rows: Sequence[AmountRow], entries: Sequence[Entry]
) -> bool:
    """Whether an apparent product is really the volume, the price or the labelled amount ("AMOUNT:")."""
    if item.line in measure.rows:
        whole = item.unit is not None or (measure.counted and item.qty is not None)
        return not whole or item.total.value != value  # else the product, with its columns on one row
    labelled = rows[item.line].text[: item.total.start].rstrip().endswith(":")
    if labelled and item.total.value == value and 0 < item.line - measure.rows[1] <= NAME_BELOW:
        return True
    called = any(e.line == item.line and e.weight("total") >= POSSIBLE for e in entries)
    return called and item.total.value == value and any(line in measure.rows for line in item.lines)


def _amounts_paid(entries: Sequence[Entry]) -> set[Decimal]:
    """The amount finally paid, by its label, and the same before rounding. A partial sum ("FUEL TOTAL") is
    left out, since other products may be missing from it."""
    likely = [e for e in entries if e.amount.is_plausible]
    totals = [e for e in likely if e.weight("total") >= LIKELY]
    totals = totals or [e for e in likely if e.weight("total") >= POSSIBLE and e.last]
    if not totals:
        return set()
    last = max(totals, key=lambda e: e.line).amount.value
    totals += [e for e in likely if e.weight("subtotal") >= LIKELY]
    most = max(_MAX_ROUNDING, _MAX_ROUNDING_SHARE * abs(last))
    return {e.amount.value for e in totals if abs(e.amount.value - last) < most}


def _with_measure(item: Item, found: Mapping[Decimal, Measure], rows: Sequence[AmountRow]) -> Item:
    """The product with the volume and price that make its amount; as it is without them or with its own."""
    measure = found.get(item.total.value)
    if measure is None or item.price is not None or item.unit is not None or item.qty is not None:
        return item
    if abs(item.line - measure.rows[1]) > NAME_ABOVE:
        return item
    if measure.counted:
        return replace(item, price=measure.price, qty=measure.volume)
    name = _name_instead_of_label(item, measure, rows)
    return replace(item, price=measure.price, unit=measure.volume, desc_clean=name or item.desc_clean)


def _name_instead_of_label(item: Item, measure: Measure, rows: Sequence[AmountRow]) -> str | None:
    """The name on another row, where the item right below the measure has only the label of its amount for
    one; else None."""
    if item.line - measure.rows[1] != 1 or " " in item.desc_clean or item.above:
        return None
    named = find_name(measure, rows, item.total.value)
    if named is None:
        return None
    line, name = named
    if not item.desc_clean:
        return name
    if line != measure.rows[0]:
        return name if line < measure.rows[0] and ":" in rows[line].text else None
    letters = count_letters(item.desc_clean)
    called = any(m.role in _AMOUNT_LABELS and len(m.phrase) == letters for m in rows[item.line].roles)
    return name if called else None


def _measured_item(
    value: Decimal,
    measure: Measure,
    items: Sequence[Item],
    rows: Sequence[AmountRow],
    entries: Sequence[Entry],
) -> Item | None:
    """The single product that the measure makes; None without a name or without its amount on a row."""
    labelled = [(i.line, i.total) for i in items if i.total.value == value and i.line not in measure.rows]
    printed = labelled or [(e.line, e.amount) for e in entries if e.amount.value == value]
    above = ((at, row.amount) for at, row in enumerate(rows) if row.amount is not None)
    printed = printed or [(at, amount) for at, amount in above if amount.value == value]
    named = find_name(measure, rows, value)
    if named is None or not printed:
        return None
    line, name = named
    # Without a label of its own, the first of several rows with the amount is the product's. A single row is
    # the total, unless the name is on it.
    repeated = labelled or len({at for at, _ in printed}) > 1
    own = printed[0] if repeated else next((found for found in printed if found[0] == line), None)
    at, total = own or (line, printed[0][1])
    return Item(
        line=at,
        lines=tuple(sorted({line, *measure.rows, at})),
        desc=rows[at].text[: total.start if own else None].strip(" :.*"),
        desc_clean=name,
        total=total,
        price=measure.price,
        unit=measure.volume,
        symbols=total.symbols if own else (),
    )


def find_name(measure: Measure, rows: Sequence[AmountRow], value: Decimal) -> tuple[int, str] | None:
    """(row, name): the words after a label, before the volume on its row, or on the nearest row of words."""
    first, last = measure.rows
    around = range(max(0, first - NAME_ABOVE), min(len(rows), last + NAME_BELOW + 1))
    by_distance = sorted(around, key=lambda i: (max(first - i, i - last, 0), i))
    found: list[tuple[int, int, str]] = []
    for index in by_distance:
        row = rows[index]
        costs = [*(d.cost for d in row.dates), *(t.cost for t in row.times)]
        if min(costs, default=PLAUSIBLE) < PLAUSIBLE:
            continue
        labels, behind = _behind_label(row)
        if behind and "column" in labels:
            found.append((0, index, behind))
        elif behind and labels & PUMP_ROLES:  # may also be a car's number
            found.append((3, index, behind))
        elif behind and not row.roles and index == first - 1:
            found.append((1, index, behind))
        elif not behind and (words := _row_name(row, value)):
            found.append((2 if index <= last else 4, index, words))
    if not found:
        return None
    _, index, name = min(found, key=lambda f: f[0])
    return index, name


def _behind_label(row: AmountRow) -> tuple[set[Role], str]:
    """(roles of the label, the name behind it); an empty name if none is there."""
    label, behind = _split_label(row)
    if behind:
        behind = _without_labels(row)[len(label) + 1 :].rpartition(":")[2].strip()
        # A fuel's grade is short: "95", "E10", "ДТ".
        behind = _words(behind) or (behind if _GRADE.fullmatch(behind) and behind == behind.upper() else "")
        behind = "" if any(a.currency == behind for a in row.amounts) else behind
    return {m.role for m in row.roles if m.weight >= POSSIBLE and m.end <= len(label) + 1}, behind


def _split_label(row: AmountRow) -> tuple[str, str]:
    """(label, what follows it): up to the colon behind the last column heading of the row ("Nozzle: 3
    Product: PETROL"), else up to the first colon."""
    for match in reversed(row.roles):
        if match.role == "column" and row.text[match.end :].lstrip()[:1] == ":":
            end = row.text.index(":", match.end)
            return row.text[:end], row.text[end + 1 :]
    label, _, behind = row.text.partition(":")
    return label, behind


def _row_name(row: AmountRow, value: Decimal) -> str:
    """The words of a row without a label, up to the amount that was paid; empty if they are no name."""
    if any(m.role in _NOT_NAMES and m.weight >= LIKELY for m in row.roles):
        return ""
    text = _without_labels(row)
    if row.amount is not None and row.amount.value == value:  # its tax code follows it
        text = text[: row.amount.start]
    code = find_code(text)
    return _words(blank_out(text, [(code.start, code.end)]) if code is not None else text)


def _without_labels(row: AmountRow) -> str:
    """The row's text without words that label values, and without a pump or till and its number."""
    text = row.text
    for match in row.roles:
        if match.role in _VALUE_LABELS:
            text = blank_out(text, [(match.start, match.end)])
        elif match.role in PUMP_ROLES and match.weight >= POSSIBLE:
            number = _LABEL_NUMBER.match(text, match.end)
            text = blank_out(text, [(match.start, number.end() if number else match.end)])
    return text


def _words(text: str) -> str:
    """The words of a name, without numbers that have decimals; empty if too few letters remain."""
    text = repair_digits(tidy(re.sub(r"(?:[$€£]|\b[^\W\d_]{1,3})?\d+[.,]\d+\S*|@|/.*", " ", text)))
    return text if weigh_letters(text) >= SHORTEST_NAME else ""
