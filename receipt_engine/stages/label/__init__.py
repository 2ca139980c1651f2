"""Finds the key phrases of each row and the roles that they give it.

In: the parsed rows and the region. Out: the rows with their key phrases, each with a role and a weight.
Decides which phrases a row contains (`receipt_engine.vocabulary`), which heads name the amounts of a row
without words below them, and which tips and totals are only suggested to the guest (`tip_guides`). Which of a
row's roles is right is decided by later stages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

from msgspec.structs import replace

from receipt_engine.document import AmountReading, LabelledRow, ParsedLine, RoleMatch
from receipt_engine.region import SUMS, TAXES, Region, Role
from receipt_engine.scoring.certainty import LIKELY, WEAK
from receipt_engine.stages.label.tip_guides import as_suggested, tip_guides
from receipt_engine.vocabulary import is_term
from receipt_engine.vocabulary.phrases import find_roles
from receipt_engine.vocabulary.rate_notes import rate_notes
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

__all__ = ["label"]

_COUNT = re.compile(r"\d+")
#: An article number between words and an amount, and the roles of sums, which have none.
_ARTICLE = re.compile(r"(?<=\w) +\d{12,13}(?= )")
_SUMS: tuple[Role, ...] = ("total", "subtotal", "service")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_BRACKETS = re.compile(r"\([^()]*\)")
#: Roles of heads that are no sums, as invoices print them between the net amount and the rest to pay.
_BESIDE_SUMS: frozenset[Role] = frozenset(
    ("cash", "card", "change", "tip", "service", "discount", "withheld", "rounding", "balance")
)
#: Fewest different sums that heads name, and amounts of such a row; the most, for which sums are tried.
_FEWEST_SUMS, _FEWEST, _MOST = 2, 3, 6
#: Wider gaps than this, in row heights, separate columns.
_COLUMN_BLANK = 0.9


def label(rows: Sequence[ParsedLine], region: Region) -> tuple[LabelledRow, ...]:
    """The rows with their roles, left to right; a row without a key phrase has none."""
    phrases = find_roles([row.text for row in rows], region)
    whole = _with_wrapped(rows, phrases, region)
    roles = [_with_total_counted(row, found, region) for row, found in zip(rows, whole, strict=True)]
    guides = tip_guides(rows, roles)
    found = tuple(
        LabelledRow(
            line=row.line,
            text=row.text,
            amounts=row.amounts,
            percents=row.percents,
            quantities=row.quantities,
            dates=row.dates,
            times=row.times,
            roles=as_suggested(row, own) if at in guides else _without_notes(row, own),
            guide=at in guides,
        )
        for at, (row, own) in enumerate(zip(rows, roles, strict=True))
    )
    return with_heads(found, region)


def _with_wrapped(
    rows: Sequence[ParsedLine], phrases: Sequence[tuple[RoleMatch, ...]], region: Region
) -> list[tuple[RoleMatch, ...]]:
    """The roles, plus those of labels that narrow paper breaks: "Optional Service" above "Charge 10%  7.20".
    The first row is nothing but a known phrase, the second has an amount and no sure phrase of its own."""
    found = list(phrases)
    for at, (above, row) in enumerate(pairwise(rows), 1):
        alone = any((m.start, m.end) == (0, len(above.text)) for m in phrases[at - 1])
        if not alone or not row.amounts or any(m.weight >= LIKELY for m in phrases[at]):
            continue
        (joined,) = find_roles([f"{above.text} {row.text}"], region)
        cut = len(above.text) + 1
        found[at] += tuple(replace(m, start=0, end=m.end - cut) for m in joined if m.start < cut < m.end)
    return found


def _without_notes(row: ParsedLine, roles: tuple[RoleMatch, ...]) -> tuple[RoleMatch, ...]:
    """The roles without those of words that only state the tax rate of a price, and without a tax's name that
    is a verb inside the row or begins a sentence: "SPEND 20 GET 5", "Get $5 off your next visit". Before an
    article number, words for a sum are a product's name: "TOTAL CEREAL 001600027000 F  3.50"; so is a tip
    before other words that is taxed or measured: "TIP PAPRIKA  1,19 B", "TIP PAPRIKA 250G  1,19". What a plus
    adds to a total is in it: "TOTAL + TIP  51.00"."""
    notes = rate_notes(row)
    kept = (m for m in roles if not any(start <= m.start and m.end <= end for start, end in notes))
    charged = _notes_on_charge(row.text, roles)
    kept = (m for m in kept if m.role not in TAXES or not any(s <= m.start < e for s, e in charged))
    totals = [m.end for m in roles if m.role == "total"]
    kept = (m for m in kept if not any(row.text[end : m.start].strip() == "+" for end in totals))
    article = _ARTICLE.search(row.text)
    if article is not None and any(a.start >= article.end() for a in row.amounts):
        kept = (m for m in kept if m.role not in _SUMS or m.end > article.start())
    return tuple(
        m
        for m in kept
        if not (m.role == "tax" and _is_verb(row, m)) and not (m.role == "tip" and _is_sold(row, m, roles))
    )


def _is_sold(row: ParsedLine, match: RoleMatch, roles: tuple[RoleMatch, ...]) -> bool:
    """Whether words that no phrase knows follow a phrase, before an amount with the letter of a tax rate or
    behind a measure."""
    amount = row.amounts[-1] if row.amounts else None
    measured = any(q.kind != "count" for q in row.quantities)
    if amount is None or not (measured or any(map(str.isalpha, amount.symbols))):
        return False
    unknown = set(range(match.end, amount.start)) - {at for m in roles for at in range(m.start, m.end)}
    return sum(row.text[at].isalpha() for at in unknown) >= SHORTEST_NAME


def _notes_on_charge(text: str, roles: tuple[RoleMatch, ...]) -> list[tuple[int, int]]:
    """The (start, end) offsets of brackets behind a service charge: "Service charge (incl. VAT 5%)"."""
    charges = [m.start for m in roles if m.role == "service" and m.weight >= LIKELY]
    return [note.span() for note in _BRACKETS.finditer(text) if charges and min(charges) < note.start()]


def _is_verb(row: ParsedLine, match: RoleMatch) -> bool:
    """Whether a name is a word of sentences as well, and other words precede it or follow the amount."""
    inside = any(map(str.isalpha, row.text[: match.start]))
    amount = next((a for a in row.amounts if a.end >= match.end), None)
    goes_on = amount is not None and len(_WORDS.findall(row.text, amount.end)) > 1
    name = row.text[match.start : match.end].split()
    return (inside or goes_on) and is_term(name[0], "sentence")


def _with_total_counted(
    row: ParsedLine, roles: tuple[RoleMatch, ...], region: Region
) -> tuple[RoleMatch, ...]:
    """The roles, plus those of the words on either side of a count inside an item-count phrase that an amount
    follows: "TOTAL 4 ITEMS 21.90" and "QTY 4 TOTAL 21.90" are money totals too, "TOTAL ITEMS 4" is not."""
    for match in roles:
        count = _COUNT.search(row.text, match.start, match.end) if match.role == "item_count" else None
        if count is not None and any(a.start >= match.end for a in row.amounts):
            before, behind = row.text[: count.start()], " " * count.end() + row.text[count.end() : match.end]
            return (*(m for side in find_roles([before, behind], region) for m in side), *roles)
    return roles


def with_heads(rows: Sequence[LabelledRow], region: Region) -> tuple[LabelledRow, ...]:
    """The rows; where the totals block is one row of amounts below a row of heads, each amount has the
    role of the head above it: "Net  VAT 20%  Deposit  To pay" above "50.00  10.00  20.00  40.00". Several
    such rows are a tax table."""
    found = list(rows)
    for at in range(1, len(rows)):
        above, row = rows[at - 1], rows[at]
        amounts = tuple(a for a in row.amounts if a.is_plausible)
        alone = _is_bare(row) and not above.amounts and not (at + 1 < len(rows) and _is_bare(rows[at + 1]))
        if not alone or not _FEWEST <= len(amounts) <= _MOST or not _adds_up(amounts):
            continue
        heads = _heads(above, region)
        named = [(a, match) for a in amounts if (match := _over(row.line.place(a.start, a.end), heads))]
        if len({match.role for _, match in named if match.role in SUMS}) >= _FEWEST_SUMS:
            own = (replace(match, start=a.start - 1, end=a.start) for a, match in named)
            found[at] = replace(row, roles=tuple(own))
    return tuple(found)


def _is_bare(row: LabelledRow) -> bool:
    """Whether a row has amounts, and no words, dates and rates."""
    return bool(row.amounts) and not row.dates and not row.percents and not any(map(str.isalpha, row.text))


def _adds_up(amounts: Sequence[AmountReading]) -> bool:
    """Whether an amount is the sum of those before it, each added or taken off."""
    values = [a.value for a in amounts]
    return any(
        values[at] == sum(sign * value for sign, value in zip(signs, values, strict=False))
        for at in range(_FEWEST - 1, len(values))
        for signs in product((1, -1), repeat=at)
    )


def _heads(row: LabelledRow, region: Region) -> list[tuple[float, float, RoleMatch]]:
    """(left, right, role) of each column of a row of heads; words of two columns are no phrase: "Sales Tax
    Total"."""
    columns = row.line.columns(_COLUMN_BLANK)
    roles = find_roles([row.text[start:end] for start, end in columns], region)
    return [
        (*row.line.place(start, end), max(sure, key=lambda m: m.weight))
        for (start, end), matches in zip(columns, roles, strict=True)
        if (sure := [m for m in matches if m.role in SUMS | _BESIDE_SUMS and m.weight >= WEAK])
    ]


def _over(place: tuple[float, float], heads: Sequence[tuple[float, float, RoleMatch]]) -> RoleMatch | None:
    """The head that stands above a place."""
    return next((match for left, right, match in heads if left < place[1] and place[0] < right), None)
