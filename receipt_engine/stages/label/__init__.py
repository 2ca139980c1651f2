"""Finds the key phrases of each row and the roles that they give it.

In: the parsed rows and the region. Out: the rows with their key phrases, each with a role and a weight.
Decides which phrases a row contains (`receipt_engine.vocabulary`), which heads name the amounts below them
(`heads`) and which tips and totals are only suggested to the guest (`tip_guides`). Which of a row's roles is
right is decided by later stages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import LabelledRow, ParsedLine, RoleMatch
from receipt_engine.region import TAXES, Region, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.label.heads import with_heads
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
