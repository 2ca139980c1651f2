"""Reads the products of a page: groups rows into drafts and takes name, quantity, price and code of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import is_likely, multiplies_to
from receipt_engine.document import AmountReading, AmountRow, AmountRule, Item, Money, Zone, text_width
from receipt_engine.region import Region
from receipt_engine.stages.items.drafts import Draft, gather, without_group_sum
from receipt_engine.stages.items.habits import Habits, habits
from receipt_engine.stages.items.names.beside_names import (
    with_name_column,
    without_batches,
    without_days,
    without_former_prices,
    without_leading_rates,
    without_price_marks,
    without_rates,
)
from receipt_engine.stages.items.names.lead import with_lead
from receipt_engine.stages.items.names.own_rows import (
    with_coded_names,
    with_last_name,
    with_lone_codes,
    with_mistaken_names,
    without_units,
)
from receipt_engine.stages.items.names.second_rows import next_rows, with_amounts_below
from receipt_engine.stages.items.names.sizes import with_abbreviations, with_garments, without_packs
from receipt_engine.stages.items.names.till_codes import (
    with_amounts_of_codes,
    with_article_numbers,
    with_prices_above,
    without_tax_codes,
)
from receipt_engine.stages.items.rows import ItemRow, is_pump, read_row
from receipt_engine.stages.items.rows.codes import short_code
from receipt_engine.stages.items.rows.headings import heads, names_tax, names_units, quantity_heading
from receipt_engine.stages.items.rows.quantities import FAR
from receipt_engine.stages.items.rows.words import (
    leading_count,
    list_number,
    repair_digits,
    tidy,
    times,
    trailing_count,
)

#: Cost added to the less likely sign of a discount printed without a minus sign.
_LOST_MINUS = 0.7
#: What stands between a name and its count: "Coffee ...... 2".
_BEFORE_COUNT = re.compile(r"[ -]*(?:\.{2,}[ -]*)?$")
#: A count and the till's mark beside an amount whose name is elsewhere: "1 D  8.00" above "NOODLES".
_COUNT_AND_MARK = re.compile(r"(\d{1,2}) [A-Z]{1,2}")
#: An offer below a product of which one may be bought: "SALE 2/15.00".
_OFFER = re.compile(r"\D*\d{1,2} ?/ ?[$€£]?\d{1,3}[.,]\d{2}")
#: Lowest octane number of petrol.
_LEAST_OCTANE = 80


def read_products(rows: Sequence[AmountRow], zones: Sequence[Zone], region: Region) -> tuple[Item, ...]:
    """Products from top to bottom."""
    inside = [i for i, zone in enumerate(zones) if zone == "items" and not is_pump(rows[i].text)]
    counts = quantity_heading(rows)
    block = [read_row(i, rows[i], counts) for i in inside]
    if not any(row.amount is not None for row in block):
        # The products' amounts are in another column than the totals.
        block = [read_row(i, replace(rows[i], in_column=_ends_in_money(rows[i])), counts) for i in inside]
    # Rates are removed twice: the column of names is found without them, and some show only behind it.
    block = without_leading_rates(block)
    unrated = without_rates(block)
    rated = unrated != block
    units = any(map(names_units, rows))
    block = with_name_column(with_garments(with_prices_above(unrated, rows)), units=units)
    block = with_coded_names(with_lone_codes(block))
    if units:
        block = without_units(block, rows)
    block = with_article_numbers(with_amounts_of_codes(block), rows, counts)
    block = with_lead(without_former_prices(without_price_marks(block)), rows, zones)
    block = with_mistaken_names(with_last_name(block, rows), rows)
    block = without_batches(without_days(without_rates(block, usual=rated)))
    block = without_packs(with_abbreviations(block))
    drafts = without_group_sum(gather(without_tax_codes(block, region.tax.codes)))
    if not drafts or (len(drafts) == 1 and (_is_nameless(drafts[0]) or _is_whole(drafts[0]))):
        return ()
    names = [d.name for d in drafts]
    shared = habits(
        [_first_row(d) for d in drafts],
        [d.amount_row for d in drafts],
        width=text_width(rows),
        headed=any(map(heads, rows)),
        counted=counts,
        rates=region.tax.percents if any(heads(row) and names_tax(row) for row in rows) else (),
    )
    return with_amounts_below([_item(draft, shared, names) for draft in drafts])


def _ends_in_money(row: AmountRow) -> bool:
    """Whether the row ends in an amount with decimals, or in one that a quantity and a price multiply to."""
    amount = row.amount
    if amount is None or not is_likely(row, amount):
        return False
    return amount.decimals > 0 or any(multiplies_to(quantity, amount) for quantity in row.quantities)


def _is_nameless(draft: Draft) -> bool:
    """Whether an amount has no word, code or count beside it: the only one on a slip is the amount paid."""
    row = draft.amount_row
    named = any(c.isalnum() for c in draft.name.desc) or draft.code or row.code
    return draft.name is row and not (named or row.qty or row.unit or draft.detail)


def _is_whole(draft: Draft) -> bool:
    """Whether an amount's only words are for a sum or a column, like the first amount on a card slip, before
    tip and total ("AMOUNT 83.51")."""
    row = draft.amount_row
    return draft.name is row and row.sums and row.heading and row.code is None and row.qty is None


def _item(draft: Draft, shared: Habits, names: Sequence[ItemRow]) -> Item:
    row, detail, name = draft.amount_row, draft.detail, draft.name
    assert row.amount is not None
    words, qty, code = _name_parts(draft, shared)
    below = draft.below
    more = draft.more
    if more is None and (more := next_rows(name, below, names)) is not None:
        below = []
    if more is not None and more.index > name.index:
        words = f"{words} {more.words}"
    price, unit = row.price, row.unit
    if detail is not None and (draft.is_proved or not _OFFER.match(detail.desc)):
        qty = detail.qty if qty is None else qty
        if price is None and _may_be_price(detail, row.amount) and not _is_offer(detail, qty, draft):
            price = detail.price
        unit = detail.unit if unit is None and not _is_size(detail, row.amount) else unit
    if qty is None and unit is None and name is not row and price:
        words, qty = _counted_behind(words, price, row)
    if price is None and name is not row and _is_price(name.price, qty, row):
        price = name.price
    if qty is None and unit is None and name is not row and _counts(name, price, row):
        qty = name.qty
    if price is None and (name is not row or more is not None):
        price = _price_before(qty, row)
    used = {row.index, name.index} | {r.index for r in (detail, more) if r is not None}
    return Item(
        line=row.index,
        lines=tuple(sorted(used | {r.index for r in draft.above + draft.below})),
        desc=row.desc or name.desc,
        desc_clean=repair_digits(words) or name.desc,
        total=_signed(row),
        price=price,
        qty=qty,
        unit=unit,
        product_code=code,
        symbols=row.amount.symbols,
        above=tuple(r.desc for r in draft.above),
        below=tuple(r.desc for r in below),
    )


def _is_price(price: Decimal | None, qty: Decimal | None, row: ItemRow) -> bool:
    """Whether a price beside the name and the count, one where none is printed, make the amount."""
    assert row.amount is not None
    return price is not None and price * (1 if qty is None else qty) == row.amount.value


def _counted_behind(words: str, price: Decimal, row: ItemRow) -> tuple[str, Decimal | None]:
    """(words, count) of a name that ends in the count which makes the amount below it with the price there:
    "RICE  4" above "@ 35.00  140.00"."""
    count = trailing_count(words)
    if count is None or row.amount is None or row.desc[:1] != "@" or count[0] * price != row.amount.value:
        return words, None
    return words[: count[1]].rstrip(), count[0]


def _price_before(qty: Decimal | None, row: ItemRow) -> Decimal | None:
    """The price before an amount whose count is on the row of the name, perhaps less a discount in a column
    between them: "2 OAT MILK" above "1.05  0.00  2.10"."""
    if not qty or row.amount is None or not row.before:
        return None
    price, off = row.before[0], sum(row.before[1:], Decimal(0))
    return price if price and qty * price - row.amount.value in (0, off) else None


def _counts(name: ItemRow, price: Decimal | None, row: ItemRow) -> bool:
    """Whether the count beside a name is of the amount below: it makes it with the price, or may do so where
    no price is known: "2 PCS SOAP" above "18.00  36.00"."""
    if price is None:
        return name.qty is not None and row.is_multiple_of(name.qty)
    return _is_price(price, name.qty, row)


def _may_be_price(detail: ItemRow, amount: AmountReading) -> bool:
    """Whether a row's price is that of one piece: with a quantity, or if it divides the amount. "@8.01" below
    a discount is the price that it leaves."""
    measured = detail.qty is not None or detail.unit is not None
    return measured or not detail.price or amount.value % detail.price == 0


def _is_offer(detail: ItemRow, qty: Decimal | None, draft: Draft) -> bool:
    """Whether a row's count is not the one sold and does not make the amount, so that its price is that of an
    offer: "2/9.00" below "1 WAFFLES  4.50"."""
    return detail.qty not in (None, qty) and draft.proved_count is None


def _is_size(detail: ItemRow, amount: AmountReading) -> bool:
    """Whether a measure makes far more than the amount: "RAISINS 500GM @ 9.90" below "19.80"."""
    return (detail.unit or 0) * (detail.price or 0) > FAR * abs(amount.value)


def _name_parts(draft: Draft, shared: Habits) -> tuple[str, Decimal | None, str | None]:
    """(name, quantity, code), separated by the habits of the receipt."""
    row, name = draft.amount_row, draft.name
    first = _first_row(draft)
    words, qty = _words_of(draft), draft.proved_count if row.qty is None else row.qty
    if first is name is not row and row.amount is not None and row.amount.value < 0:
        words = name.taken_back or words
    others = (draft.detail, draft.more)
    code = row.code or draft.code or name.code or next((r.code for r in others if r is not None), None)
    tail = row.tail if name is row else None
    if tail is not None and shared.counts_at is not None and qty is None:
        least, most = shared.counts_at
        if least <= tail[2] <= most:
            qty = None if shared.rated else tail[0]
            at = words.rfind(str(abs(tail[0])))  # not found if it went with its column
            words = words if at < 0 else _BEFORE_COUNT.sub("", words[:at])
    number = list_number(words) if shared.listed else None
    if number is not None:
        words = number.rest
        if shared.codes_listed and code is None and (second := leading_count(words)) is not None:
            code, words = words.split()[0], second.rest
    if qty is None and (counted := times(words, bracketed=shared.bracketed)) is not None:
        qty, words = counted
    lead = leading_count(words, glued=shared.counts_first)
    measured = row.unit is not None or (draft.detail is not None and draft.detail.unit is not None)
    if measured and lead is not None and lead.number >= _LEAST_OCTANE:
        lead = None  # an octane number: "91 UNLEADED", "30.5 L @ 2.10"
    if lead is not None and (number is not None or not shared.listed):
        apart = name is not row and not row.is_multiple_of(lead.number)
        if qty is None and (shared.counts_first or lead.sure) and not apart:
            qty, words = None if _numbers(lead.number, row) else lead.number, lead.rest
        elif lead.number == qty:
            words = lead.rest
    if qty is None and first.qty and first is not name and row.is_multiple_of(first.qty):
        qty = first.qty
    if qty is None and name is not row and (marked := _COUNT_AND_MARK.fullmatch(row.words)) is not None:
        count = Decimal(marked[1])
        qty = count if row.is_multiple_of(count) else None
    if shared.codes_first and code is None and (short := short_code(words, usual=True)) is not None:
        code, words = short.text, words[short.end :].strip()
    return words, qty, code


def _first_row(draft: Draft) -> ItemRow:
    """The row that begins the product's name."""
    more = draft.more
    return more if more is not None and more.index < draft.name.index else draft.name


def _words_of(draft: Draft) -> str:
    """The name's words, of both its rows if it began above."""
    first = _first_row(draft)
    words = _words_beside(draft)
    return words if first is draft.name else f"{first.words} {words}"


def _words_beside(draft: Draft) -> str:
    """The words of the name's own row; with the number among them if the code is on the amount's row: "BOX
    70581 BLUE"."""
    row, name = draft.amount_row, draft.name
    if name is row or row.code is None or name.code is None or name.desc.startswith(name.code):
        return name.words
    rest = tidy(name.desc.replace(name.code, " "))
    mark = rest[len(name.words) :]  # of a tax, taken off before
    return tidy(name.desc).removesuffix(mark) if rest.startswith(name.words) else name.words


def _numbers(number: Decimal, row: ItemRow) -> bool:
    """Whether a number before the name is a list number rather than a count: the row's whole amount equals
    its unit price."""
    amount = row.amount
    return number != 1 and amount is not None and not amount.decimals and row.price == amount.value


def _signed(row: ItemRow) -> AmountReading:
    """The row's amount; a discount or deposit without a minus also gets negative readings. For a discount,
    these are the likelier ones unless the row has a quantity or a price: "(OFFER) 1 x 12.90  12.90"."""
    amount = row.amount
    assert amount is not None
    if not (row.discount or row.deposit) or amount.value < 0:
        return amount
    sold = not row.discount or row.qty is not None or row.price is not None
    more, less = (0.0, _LOST_MINUS) if sold else (_LOST_MINUS, 0.0)
    readings = [replace(m, cost=m.cost + more) for m in amount.readings]
    readings += [
        Money(-m.value, m.cost + less, AmountRule.LOST_MINUS) for m in amount.readings if m.value > 0
    ]
    return replace(amount, readings=tuple(sorted(readings, key=lambda m: m.cost)))
