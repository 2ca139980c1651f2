"""Finds the last four digits of the card that paid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from receipt_engine.document import Found, ParsedLine, Sheet, says
from receipt_engine.region import Term
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.vocabulary import find_terms, has_term

#: A masked card number and its last digits: mask characters in a row or in groups. A match can only begin
#: where a run of mask characters begins, so that long runs take linear time.
_STAR = r"[xX*×•·#]"
_BLANK = r"[\s.\-]"
#: After the last letter of "AMEX", which is not a mask character.
_WORD = rf"(?<=[^\W\d_xX][xX]{_BLANK})"
_MASKED = re.compile(
    rf"(?:(?<!{_STAR})(?<!{_STAR}{_BLANK})(?<!{_STAR}{_BLANK}{_BLANK})|{_WORD})(?:#\s{{1,2}})?{_STAR}{{2}}(?:{_BLANK}{{0,2}}{_STAR})*{_BLANK}{{0,2}}"
    r"(\d{4})(?!\d|[.,]\d)|[.…]{3,}+\s?(\d{4})(?!\d|[.,]\d)"
)
#: A single mask character after the name of the card: "VISA x4402", "Visa *6138".
_SHORT = re.compile(r"(?<=[^\W\d_][\s:])\s?[xX*×•#](\d{4})(?![\d.,])")
#: Four digits after words that announce them.
_LAST_DIGITS = re.compile(r"\s?[.:#]*\s?(\d{4})(?![\d.,/-])")
_NUMBER_SIGN = re.compile(r"\s?#\s?(\d{4})(?![\d.,/-])")
#: A masked number by its last or first digits. Each run of mask characters is matched as a whole, without
#: backtracking into it, so that long rows take linear time.
_HIDDEN = re.compile(r"(?<![*xX×•#])[*xX×•#]{3}[\s*xX×•#-]*+\d{3,4}|\d{4}[ *xX]+(?<=[ *xX][*xX]{4})")
#: Mask characters from which a match scores higher.
_FULL = 8


def card_digits(rows: Sequence[ParsedLine], sheet: Sheet) -> Found | None:
    """The last four digits of the paying card, from a masked number near its scheme or a word for card."""
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
    """Whether a text has a card number that is masked except for its last or first digits."""
    return _HIDDEN.search(text) is not None or any(_announced(text, "ending_in"))


def _matches(text: str) -> tuple[tuple[Iterable[re.Match[str]], float], ...]:
    """(matches, base score) for each way in which a text may print the last digits of a card."""
    announced = (
        *_announced(text, "ending_in"),
        *_announced(text, "card_number"),
        *_announced(text, "card", _NUMBER_SIGN),
    )
    return ((_MASKED.finditer(text), 0.45), (_SHORT.finditer(text), 0.3), (announced, 0.45))


def _announced(text: str, term: Term, pattern: re.Pattern[str] = _LAST_DIGITS) -> Iterator[re.Match[str]]:
    """Matches of four digits right after a term."""
    found = (pattern.match(text, match.end) for match in find_terms(text) if match.term == term)
    return (match for match in found if match)


def _context(index: int, rows: Sequence[ParsedLine], sheet: Sheet) -> float:
    """Score, added to the match's own, for a masked number on this row to be of the card that paid."""
    near = [m for i in range(max(0, index - 3), min(len(rows), index + 2)) for m in sheet.roles[i]]
    text = rows[index].text
    card = says(near, ["card"], LIKELY)
    card = card or has_term(text, "card", "non_cash", "debit")
    other = has_term(text, "other_card")
    other = other or any(m.role in ("loyalty", "balance") for m in sheet.roles[index])
    return 0.3 * card - 0.6 * other
