"""Reads products sold by measure whose volume, price and amount are printed on separate rows: mostly fuel.

The rows are matched by arithmetic, volume × price = amount, because labels and their order differ from pump
to pump.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import MEASURED, PLAUSIBLE, ZERO, AmountRow, Entry, Item, Record
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.items.rows.codes import find_code
from receipt_engine.stages.items.rows.words import blank_out, repair_digits, tidy
from receipt_engine.vocabulary.normalise import count_letters, weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

_NUMBER = re.compile(r"(?<![\w.,/-])[$€£]?(\d{1,6})[.,](\d{1,4})(?=\D|$)(?![.,:/]\d)")
#: A number with thousands and decimals ("1.465,02").
_GROUPED = re.compile(r"\d[.,' ]\d{3}[.,]\d")
#: Short fuel grades: a number with or without capitals, or two capitals for diesel in some languages.
_GRADE = re.compile(r"\d{2}|[^\W\d_]{1,2}-?\d{2}|[^\W\d_]{2}")
#: Largest distances, in rows: between volume and price, and from them to the name above or below.
_APART = 3
_NAME_ABOVE = 4
_NAME_BELOW = 2
#: How far volume × price may be from an amount with cents, and from one in whole units.
_CENT = Decimal("0.0101")
_UNIT = Decimal("0.51")
#: Amounts from here on may be rounded to units although printed with cents.
_LARGE = 1000
#: Bounds on the search: numbers of the page, and the volume.
_MAX_NUMBERS = 80
_MAX_VOLUME = 2000
#: Upper bound on the rounding of a cash total: in major units, or as a share of it.
_ROUNDED = Decimal(1)
_ROUNDED_SHARE = Decimal("0.002")
#: The number of a pump or a till after its word.
_LABEL_NUMBER = re.compile(r"[ .:#]*[0-9]{1,2}(?![0-9.,])")
#: Roles of a word that stands for the amount of what was measured: "AMOUNT 79.89".
_AMOUNT_LABELS: frozenset[Role] = frozenset(("column", "total", "subtotal"))
_LABELS: frozenset[Role] = frozenset(("column", "weight", "quantity"))
_NOT_NAMES: frozenset[Role] = frozenset(
    (
        "address",
        "phone",
        "date",
        "time",
        "company",
        "tax_id",
        "receipt_number",
        "card",
        "cash",
        "total",
        "subtotal",
        "tax",
        "total_tax",
        "net",
        "gross",
        "change",
        "footer",
        "suggested",
        "invoice",
    )
)


class _Number(Record, frozen=True):
    row: int
    value: Decimal
    decimals: int
    labelled: bool
    priced: bool = False


@dataclass(frozen=True, slots=True)
class _Measure:
    """A volume and its unit price. rows: those of the two, upper one first. counted: the volume is a whole
    number without a unit, as of pieces ("2.000 / 39.00")."""

    rows: tuple[int, int]
    volume: Decimal
    price: Decimal
    counted: bool = False


def with_fuel(
    items: Sequence[Item],
    rows: Sequence[AmountRow],
    entries: Sequence[Entry],
) -> tuple[Item, ...]:
    """The products, with volume and price from rows of their own. If no item is more than a label of these
    numbers, the single product that volume, price and total show."""
    wanted = {i.total.value for i in items if i.price is None and i.unit is None and i.qty is None}
    total = _totals(entries)
    found = _measures(rows, {v for v in wanted | total if v > 1})
    for value in sorted(total & found.keys(), key=lambda v: abs(found[v].volume * found[v].price - v)):
        if all(_is_label(item, value, found[value], rows, entries) for item in items):
            product = _product(value, found[value], items, rows, entries)
            return (product,) if product is not None else tuple(items)
    return _with_partial_sum(tuple(_measured(item, found, rows) for item in items), rows, entries)


def _with_partial_sum(
    items: tuple[Item, ...], rows: Sequence[AmountRow], entries: Sequence[Entry]
) -> tuple[Item, ...]:
    """The products, and the fuel that only its own sum shows ("FUEL TOTAL 33.60"), where the goods make a sum
    below only with it."""
    totals = [e for e in entries if max(e.weight("total"), e.weight("subtotal")) >= LIKELY]
    known = {item.total.value for item in items}
    for value, measure in _measures(rows, {e.amount.value for e in totals} - known).items():
        goods = tuple(item for item in items if item.line not in measure.rows)
        whole = value + sum((item.total.value for item in goods), ZERO)
        lines = [e.line for e in totals if e.amount.value == value and e.line > measure.rows[1]]
        if goods and lines and any(e.amount.value == whole and e.line > lines[0] for e in totals):
            product = _product(value, measure, goods, rows, entries)
            return tuple(sorted((product, *goods), key=lambda i: i.line)) if product is not None else items
    return items


def _is_label(
    item: Item, value: Decimal, measure: _Measure, rows: Sequence[AmountRow], entries: Sequence[Entry]
) -> bool:
    """Whether an apparent product is really the volume, the price or the labelled amount ("AMOUNT:")."""
    if item.line in measure.rows:
        return item.unit is None or item.total.value != value  # else the product, with its columns on one row
    labelled = rows[item.line].text[: item.total.start].rstrip().endswith(":")
    if labelled and item.total.value == value and 0 < item.line - measure.rows[1] <= _NAME_BELOW:
        return True
    called = any(e.line == item.line and e.weight("total") >= POSSIBLE for e in entries)
    return called and item.total.value == value and any(line in measure.rows for line in item.lines)


def _totals(entries: Sequence[Entry]) -> set[Decimal]:
    """The amount finally paid, by its label, and the same before rounding. A partial sum ("FUEL TOTAL") is
    left out, since other products may be missing from it."""
    likely = [e for e in entries if e.amount.is_plausible]
    totals = [e for e in likely if e.weight("total") >= LIKELY]
    totals = totals or [e for e in likely if e.weight("total") >= POSSIBLE and e.last]
    if not totals:
        return set()
    last = max(totals, key=lambda e: e.line).amount.value
    totals += [e for e in likely if e.weight("subtotal") >= LIKELY]
    most = max(_ROUNDED, _ROUNDED_SHARE * abs(last))
    return {e.amount.value for e in totals if abs(e.amount.value - last) < most}


def _measured(
    item: Item,
    found: Mapping[Decimal, _Measure],
    rows: Sequence[AmountRow],
) -> Item:
    measure = found.get(item.total.value)
    if measure is None or item.price is not None or item.unit is not None or item.qty is not None:
        return item
    if abs(item.line - measure.rows[1]) > _NAME_ABOVE:
        return item
    if measure.counted:
        return replace(item, price=measure.price, qty=measure.volume)
    item = replace(item, price=measure.price, unit=measure.volume)
    labelled = item.line - measure.rows[1] == 1 and " " not in item.desc_clean and not item.above
    named = _name(measure, rows, item.total.value) if labelled else None
    is_label = named is not None and ":" in rows[named[0]].text and named[0] < measure.rows[0]
    if named is not None and named[0] == measure.rows[0]:
        is_label = any(
            m.role in _AMOUNT_LABELS and len(m.phrase) == count_letters(item.desc_clean)
            for m in rows[item.line].roles
        )
    return replace(item, desc_clean=named[1]) if named is not None and is_label else item


def _measures(rows: Sequence[AmountRow], wanted: set[Decimal]) -> dict[Decimal, _Measure]:
    """Each wanted amount → the volume and price that multiply to it, if found."""
    found: dict[Decimal, _Measure] = {}
    numbers = list(_numbers(rows))[:_MAX_NUMBERS] if wanted else []
    for at, first in enumerate(numbers):
        for second in numbers[at + 1 :]:
            if second.row - first.row > _APART:
                break
            if max(first.decimals, second.decimals) < MEASURED and not (first.labelled or second.labelled):
                continue
            product = first.value * second.value
            for value in wanted:
                known = value in (first.value, second.value) or 1 in (first.value, second.value)
                if known or abs(product - value) > _tolerance(value, first, second):
                    continue  # a factor of one proves nothing
                # The volume is the labelled number, else the one that is no price, else the first: prices
                # follow volumes.
                swap = (second.labelled, first.priced) > (first.labelled, second.priced)
                volume, price = (second, first) if swap else (first, second)
                if volume.value > _MAX_VOLUME:
                    continue
                counted = not volume.labelled and volume.value % 1 == 0
                measure = _Measure((first.row, second.row), volume.value, price.value, counted)
                found.setdefault(value, measure)
    return found


def _tolerance(value: Decimal, first: _Number, second: _Number) -> Decimal:
    """How far volume times price may be from an amount: large amounts without cents are rounded to units, and
    the last digit of the volume may have been cut off."""
    no_cents = value == value.to_integral_value() and abs(value) >= _LARGE
    if not no_cents and int(value.as_tuple().exponent) < 0:
        return _CENT
    volume, price = (first, second) if first.decimals >= second.decimals else (second, first)
    return max(_UNIT, price.value.scaleb(-volume.decimals)) if volume.decimals == MEASURED else _UNIT


def _numbers(rows: Sequence[AmountRow]) -> Iterator[_Number]:
    """Numbers that may be a volume or a price, each in every way in which it can be read."""
    for index, row in enumerate(rows):
        if row.dates:
            continue
        measured = (m for m in row.roles if m.role == "weight")
        # After a slash the unit is that of a price: "RATE/LTR".
        called = any(not row.text[: m.start].rstrip().endswith("/") for m in measured)
        volumes = {q.value for q in row.quantities if q.kind != "count" and q.unit}
        money = [(a.start, a.end) for a in row.amounts if a.currency is not None and not a.decimals]
        prices = [(a.start, a.end) for a in row.amounts if a.currency is not None]
        price = _whole_price(row)
        if price is not None:
            yield _Number(index, price, 0, False)
        for amount in row.amounts:
            if amount.decimals and amount.is_plausible and _GROUPED.search(amount.raw):
                yield _Number(index, abs(amount.value), amount.decimals, False)
            elif amount.decimals and amount.is_plausible and amount.raw[:1].isalpha():  # "RM2.05/L"
                yield _Number(index, abs(amount.value), amount.decimals, False, True)
        for match in _NUMBER.finditer(row.text):
            head, tail = match.groups()
            value = Decimal(f"{head}.{tail}")
            marked = any(start <= match.start() < end for start, end in money)
            labelled = called or value in volumes
            if value:
                if not marked:  # "Rp10.000" is ten thousand, not ten
                    priced = any(start <= match.start() < end for start, end in prices)
                    yield _Number(index, value, len(tail), labelled, priced)
                if len(tail) == MEASURED:
                    yield _Number(index, Decimal(head + tail), 0, labelled)


def _whole_price(row: AmountRow) -> Decimal | None:
    """The whole number after a column heading ("単価: 177"), or None."""
    if len(row.amounts) != 1:
        return None
    amount = row.amounts[0]
    if any(q.end <= amount.start or amount.end <= q.start for q in row.quantities[1:]):
        return None
    named = any(m.role == "column" and m.weight >= POSSIBLE for m in row.roles)
    return amount.value if named and not amount.decimals and amount.value > 1 else None


def _product(
    value: Decimal,
    measure: _Measure,
    items: Sequence[Item],
    rows: Sequence[AmountRow],
    entries: Sequence[Entry],
) -> Item | None:
    labelled = [(i.line, i.total) for i in items if i.total.value == value and i.line not in measure.rows]
    printed = labelled or [(e.line, e.amount) for e in entries if e.amount.value == value]
    named = _name(measure, rows, value)
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
        qty=None,
        unit=measure.volume,
        product_code=None,
        symbols=total.symbols if own else (),
        above=(),
        below=(),
    )


def _name(measure: _Measure, rows: Sequence[AmountRow], value: Decimal) -> tuple[int, str] | None:
    """(row, name): the words after a label, before the volume on its row, or on the nearest row of words."""
    first, last = measure.rows
    around = range(max(0, first - _NAME_ABOVE), min(len(rows), last + _NAME_BELOW + 1))
    by_distance = sorted(around, key=lambda i: (max(first - i, i - last, 0), i))
    found: list[tuple[int, int, str]] = []
    for index in by_distance:
        costs = [*(d.cost for d in rows[index].dates), *(t.cost for t in rows[index].times)]
        if min(costs, default=PLAUSIBLE) < PLAUSIBLE:
            continue
        label, behind = _labelled(rows[index])
        if behind:
            behind = _without_labels(rows[index])[len(label) + 1 :].rpartition(":")[2]
            behind = _words(behind) or _grade(behind)
            behind = "" if any(a.currency == behind for a in rows[index].amounts) else behind
        roles = rows[index].roles
        labels = {m.role for m in roles if m.weight >= POSSIBLE and m.end <= len(label) + 1}
        if behind and "column" in labels:
            found.append((0, index, behind))
        elif behind and labels & {"header", "cashier"}:  # may also be a car's number
            found.append((3, index, behind))
        elif behind and not roles and index == first - 1:
            found.append((1, index, behind))
        elif not any(m.role in _NOT_NAMES and m.weight >= LIKELY for m in roles) and not behind:
            inside = _without_labels(rows[index])
            paid = rows[index].amount
            if paid is not None and paid.value == value:  # its tax code follows it
                inside = inside[: paid.start]
            code = find_code(inside)
            inside = _words(blank_out(inside, [(code.start, code.end)]) if code is not None else inside)
            if inside:
                found.append((2 if index <= last else 4, index, inside))
    if not found:
        return None
    _, index, name = min(found, key=lambda f: f[0])
    return index, name


def _labelled(row: AmountRow) -> tuple[str, str]:
    """(label, what follows it): up to the colon behind the last column heading of the row ("Nozzle: 3
    Product: PETROL"), else up to the first colon."""
    for match in reversed(row.roles):
        if match.role == "column" and row.text[match.end :].lstrip()[:1] == ":":
            end = row.text.index(":", match.end)
            return row.text[:end], row.text[end + 1 :]
    label, _, behind = row.text.partition(":")
    return label, behind


def _without_labels(row: AmountRow) -> str:
    text = row.text
    for match in row.roles:
        about = match.role in ("header", "cashier") and match.weight >= POSSIBLE
        if match.role in _LABELS or about:
            number = _LABEL_NUMBER.match(text, match.end) if match.role not in _LABELS else None
            end = number.end() if number else match.end
            text = text[: match.start] + " " * (end - match.start) + text[end:]
    return text


def _grade(text: str) -> str:
    """The text if it is a short fuel grade ("95", "E10", "ДТ"), else empty."""
    text = text.strip()
    return text if _GRADE.fullmatch(text) and text == text.upper() else ""


def _words(text: str) -> str:
    """The words of a name, without numbers that have decimals; empty if too few letters remain."""
    text = repair_digits(tidy(re.sub(r"(?:[$€£]|\b[^\W\d_]{1,3})?\d+[.,]\d+\S*|@|/.*", " ", text)))
    return text if weigh_letters(text) >= SHORTEST_NAME else ""
