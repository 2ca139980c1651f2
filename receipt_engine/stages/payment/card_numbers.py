"""The last digits of the card that paid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from receipt_engine.document import Found, ParsedLine, Sheet, says
from receipt_engine.region import Term
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.vocabulary import find_terms, has_term
from receipt_engine.vocabulary.card_schemes import find_schemes

#: A masked card number and its last digits: stars in a row or in groups. It begins where a run of
#: stars does, so that rows of stars take linear time.
_STAR = r"[xX*×•·#]"
_BLANK = r"[\s.\-]"
#: Behind the last letter of "AMEX", which is no sign.
_WORD = rf"(?<=[^\W\d_xX][xX]{_BLANK})"
_MASKED = re.compile(
    rf"(?:(?<!{_STAR})(?<!{_STAR}{_BLANK})(?<!{_STAR}{_BLANK}{_BLANK})|{_WORD})(?:#\s{{1,2}})?{_STAR}{{2}}(?:{_BLANK}{{0,2}}{_STAR})*{_BLANK}{{0,2}}"
    r"(\d{4})(?!\d|[.,]\d)|[.…]{3,}+\s?(\d{4})(?!\d|[.,]\d)"
)
#: One sign only, behind the name of the card: "VISA x4402", "Visa *6138".
_SHORT = re.compile(r"(?<=[^\W\d_][\s:])\s?[xX*×•#](\d{4})(?![\d.,])")
#: Behind words that announce the last digits.
_LAST_DIGITS = re.compile(r"\s?[.:#]*\s?(\d{4})(?![\d.,/-])")
_NUMBER_SIGN = re.compile(r"\s?#\s?(\d{4})(?![\d.,/-])")
#: Both kinds of signs are taken whole, never shared between them, so that long rows take linear time.
_HIDDEN = re.compile(r"(?<![*xX×•#])[*xX×•#]{3}[\s*xX×•#-]*+\d{3,4}|\d{4}[ *xX]+(?<=[ *xX][*xX]{4})")
_FULL = 8


def card_digits(rows: Sequence[ParsedLine], sheet: Sheet) -> Found | None:
    """The last four digits of the paying card, from a masked number beside its scheme or a word for card."""
    ranked: list[tuple[float, int, str]] = []
    for index, parsed in enumerate(rows):
        if not any(map(str.isdigit, parsed.text)):
            continue
        for matches, sure in _matches(parsed.text):
            for match in matches:
                value = next(g for g in match.groups() if g)
                score = sure + _context(index, rows, sheet)
                score += 0.15 * (sum(c in "xX*×•·#" for c in match.group()) >= _FULL)
                ranked.append((score, index, value))
    if not ranked:
        return None
    score, index, value = max(ranked, key=lambda r: (r[0], r[1]))
    return Found(value, round(min(0.95, score), 3), (index,), "masked number") if score > LIKELY else None


def has_masked_number(text: str) -> bool:
    """Whether a card number stands in a text, hidden but for its last or first digits."""
    return _HIDDEN.search(text) is not None or any(_announced(text, "ending_in"))


def _matches(text: str) -> tuple[tuple[Iterable[re.Match[str]], float], ...]:
    """What may be the last digits of a card in a text, with how surely it is."""
    announced = (
        *_announced(text, "ending_in"),
        *_announced(text, "card_number"),
        *_announced(text, "card", _NUMBER_SIGN),
    )
    return ((_MASKED.finditer(text), 0.45), (_SHORT.finditer(text), 0.3), (announced, 0.45))


def _announced(text: str, term: Term, pattern: re.Pattern[str] = _LAST_DIGITS) -> Iterator[re.Match[str]]:
    """Four digits right behind a term."""
    found = (pattern.match(text, match.end) for match in find_terms(text) if match.term == term)
    return (match for match in found if match)


def _context(index: int, rows: Sequence[ParsedLine], sheet: Sheet) -> float:
    """How surely a masked number on a row belongs to the card that paid."""
    near = [m for i in range(max(0, index - 3), min(len(rows), index + 2)) for m in sheet.roles[i]]
    text = rows[index].text
    card = says(near, ["card"], LIKELY)
    card = card or has_term(text, "card", "non_cash", "debit") or bool(find_schemes(text))
    other = has_term(text, "other_card")
    other = other or any(m.role in ("loyalty", "balance") for m in sheet.roles[index])
    return 0.3 * card - 0.6 * other
