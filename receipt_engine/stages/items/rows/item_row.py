"""Reads each row of the product block on its own: kind, amount, quantity, price, code and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import AmountReading, AmountRow, QuantityReading, Record, RoleMatch, says
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.scoring.costs import DOUBTFUL
from receipt_engine.stages.items.rows.codes import find_code, flag_beside, labelled_codes
from receipt_engine.stages.items.rows.headings import as_headed
from receipt_engine.stages.items.rows.holes import holes
from receipt_engine.stages.items.rows.no_products import is_no_product
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

#: named: words and an amount. bare: an amount that belongs to words on another row. detail: a quantity
#: or price without an amount. text: only words. code: a code with at most a short word. skip: not a
#: product.
RowKind = Literal["named", "bare", "detail", "text", "code", "skip"]

#: Roles that may also be sold by count and price: a cover charge, a city tax.
_CHARGES: frozenset[Role] = frozenset(("service", "tax", "total_tax", "column"))
_VALUE_NAMES: frozenset[Role] = frozenset(("quantity", "weight", "column"))
#: A count alone beside a code, perhaps with its sign: "2", "1x", "*1".
_ONLY_COUNT = re.compile(r"(?:[xX×*] ?)?(-?[1-9]\d?)(?: ?[xX×*])?")
_BEFORE_NAME = re.compile(r"\W*(?:\d{1,3} ?[xX×*]? +(?=\S*[^\W\d_]))?")
_PUMP_NUMBER = re.compile(r"\.?:? ?\d{1,2}(?!\d)")
#: Text between the number of a pump and the product: "Pump 3 Diesel", "ТРК 3 АИ-95".
_BEFORE_FUEL = re.compile(r"[ :.-]+(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{2}\b)")
_PUMP_ROLES: frozenset[Role] = frozenset(("header", "cashier"))
#: Digits from which a code makes a row a code row even beside a few letters; and the letters of a unit.
_LONG_CODE = 6
_UNIT_LETTERS = 2
#: Petrol named by its octane number.
_GRADE = re.compile(r"[A-Z]{2,3} ?\d{2}(?!\w)")
#: Gap above which two words are in different columns, in row heights.
_WIDE = 1.2
_NUMBER = re.compile(r"\d{4,}")
_PRINTED = re.compile(r"\S+")
#: The list number before the article number: "002 7890000000017 LEITE".
_LIST_NUMBER = re.compile(r"\d{1,3}[.)-]? +(?=\d)")
#: Digits of an article number with its check digit.
_ARTICLE = 12


class Cell(Record, frozen=True):
    """Words of a row that wide gaps separate from others, with their left and right edge."""

    text: str
    left: float
    right: float


class ItemRow(Record, frozen=True):
    """One row of the block.

    index: its row on the page. desc: the row up to its amount, as printed. words: the same without amounts,
    quantities and codes. span: left and right edge of the words, after a leading count. taken_back: the words
    without one for a return or void, used as the name of a negative amount on another row. tail: a whole
    number after the words that may be in a column of quantities, with its left and right edge; apart: a wide
    gap precedes it. left, right, height: of the whole row. cells: the words by column. discount: words for a
    discount or void; deposit: for a deposit. department: the row begins with a group of products. sums: it
    begins with a word for a total, subtotal, net or gross amount. heading: the words are only a column
    heading.
    """

    index: int
    kind: RowKind
    desc: str
    words: str
    amount: AmountReading | None = None
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    code: str | None = None
    tail: tuple[Decimal, float, float] | None = None
    apart: bool = False
    discount: bool = False
    deposit: bool = False
    department: bool = False
    sums: bool = False
    heading: bool = False
    left: float = 0.0
    right: float = 0.0
    height: float = 1.0
    span: tuple[float, float] = (0.0, 0.0)
    cells: tuple[Cell, ...] = ()
    taken_back: str = ""


def is_pump(text: str) -> bool:
    """Whether a row only says where fuel was sold ("Pump 03").

    >>> is_pump("Pump 03"), is_pump("Pump 03 Diesel")
    (True, False)
    """
    end = _pump_end(text)
    return end is not None and not any(map(str.isalnum, text[end:]))


def _pump_end(text: str) -> int | None:
    """The end offset of a pump's number at the start of a row, or None."""
    pump = term_at_start(text, "pump")
    number = _PUMP_NUMBER.match(text, pump.end) if pump is not None else None
    return number.end() if number is not None else None


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
    pump = _pump_end(parsed.text) if any(m.role in _PUMP_ROLES and not m.start for m in roles) else None
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
    reduced = _is_reduced(parsed, roles, amount, words)
    named = _names(_without_labels(text, roles) if multiplies else words, quantity if multiplies else None)
    return ItemRow(
        index=index,
        kind="bare"
        if reduced
        else _kind(parsed, amount, quantity, code.text if code and not sold else None, words, named),
        desc=parsed.text[:end].strip(" :.*"),
        words=words,
        amount=amount,
        qty=qty,
        price=price,
        unit=unit,
        code=code.text if code else None,
        tail=tail,
        apart=tail is not None and _is_apart(parsed, text, tail),
        discount=not reduced and says(roles, ["discount", "void"], LIKELY),
        deposit=says(roles, ["deposit"], LIKELY),
        department=any(m.role == "header" and m.start == 0 for m in roles),
        sums=any(m.role in ("total", "subtotal", "net", "gross") and m.start == 0 for m in roles),
        heading=any(m.role == "column" and len(m.phrase) == count_letters(words) for m in roles),
        left=parsed.line.left,
        right=parsed.line.right,
        height=parsed.line.height,
        span=(parsed.line.left, _span(parsed, text)[1]) if void else _span(parsed, text),
        cells=_cells(parsed, text),
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


def _is_reduced(
    parsed: AmountRow, roles: Sequence[RoleMatch], amount: AmountReading | None, words: str
) -> bool:
    """Whether a row has only a word for a discount, the discount of the product above and the price that is
    left: "DISC -2.90 25.70"."""
    if amount is None or amount.value <= 0:
        return False
    said = any(m.role == "discount" and len(m.phrase) == count_letters(words) for m in roles)
    return said and any(a.value < 0 and a.decimals and a.end <= amount.start for a in parsed.amounts)


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


def _is_apart(parsed: AmountRow, text: str, tail: tuple[Decimal, float, float]) -> bool:
    """Whether a wide gap separates the number after the words from them, as in a column."""
    words = len(text.rstrip().rpartition(" ")[0].rstrip())
    return tail[1] - parsed.line.place(0, words)[1] > _WIDE * parsed.line.height


def _cells(parsed: AmountRow, text: str) -> tuple[Cell, ...]:
    """The words, split where the gap between two is wide, and before a long number at the end."""
    cells: list[Cell] = []
    for word in _PRINTED.finditer(text):
        left, right = parsed.line.place(*word.span())
        number = _NUMBER.fullmatch(word.group()) and word.end() == len(text.rstrip())
        if cells and not number and left - cells[-1].right <= _WIDE * parsed.line.height:
            cells[-1] = Cell(f"{cells[-1].text} {word.group()}", cells[-1].left, right)
        else:
            cells.append(Cell(word.group(), left, right))
    return tuple(cells)


def _span(parsed: AmountRow, text: str) -> tuple[float, float]:
    """Left and right edge of the words after a leading count, given the text without amounts and codes."""
    match = _BEFORE_NAME.match(text)
    start = match.end() if match else 0
    return parsed.line.place(start, len(text.rstrip()))


def _kind(
    parsed: AmountRow,
    amount: AmountReading | None,
    quantity: QuantityReading | None,
    code: str | None,
    words: str,
    named: bool,
) -> RowKind:
    if amount is not None:
        return "named" if named else "bare"
    few = count_letters(words) <= 8 or " " not in words
    if quantity is not None and quantity.unit_price is not None and few:
        return "detail"
    long = code is not None and len(code) >= _LONG_CODE and code.isdigit()
    # After a full article number a word is a short name; elsewhere it is a product group.
    listed = _LIST_NUMBER.match(parsed.text)
    begins = parsed.text.startswith(code or "", listed.end() if listed else 0)
    article = long and begins and len(code or "") >= _ARTICLE
    beside = long and (not article or count_letters(words) <= _UNIT_LETTERS)
    if code is not None and (not named or (few and beside)):
        return "code"
    if not named:
        return "detail" if parsed.amounts or quantity else "skip"
    return "text"


def _names(words: str, quantity: QuantityReading | None) -> bool:
    """Whether the words name something. Beside quantity, price and their product, signs and units do not, nor
    does one East Asian character, a mark of the tax ("内")."""
    if all(like_a_code(word) for word in words.split() if any(c.isalpha() for c in word)):
        return False
    if quantity is None:
        return count_letters(words) >= 2
    unit = (quantity.unit or "").lower()
    if _GRADE.match(words):
        return True
    for word in words.replace("/", " ").split():
        letters = count_letters(word)
        if word.lower() != unit and (letters > 2 or weigh_letters(word) > letters > 1):
            return True
    return False


def like_a_code(word: str) -> bool:
    """Whether a word looks like an article number with letters: "KXP350"."""
    return len(word) >= 5 and word.isascii() and word.isupper() and sum(c.isdigit() for c in word) >= 3
