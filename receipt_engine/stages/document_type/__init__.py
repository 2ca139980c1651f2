"""Decides whether the document is a receipt or an invoice: rows and the sheet in, a `Found` out.

The evidence is the document's own title, whether it addresses a customer or states a due date, and whether
cash was handed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from receipt_engine.document import Found, ParsedLine, Sheet, Zone
from receipt_engine.region import KEPT_REGIONS, Region, Role, Term, role_phrases
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.vocabulary import TermMatch, find_terms, term_at_start
from receipt_engine.vocabulary.normalise import count_letters, squeeze

#: Smallest share of a row's letters that a title takes.
_TITLE_SHARE = 0.35
#: Terms found on bills that are paid later: billing details, the due date and the guest's stay.
_BILLING: tuple[Term, ...] = ("billing_detail", "due_day", "stay")
#: A gap wider than this many row heights separates columns.
_COLUMN_BLANK = 3.0
#: What may follow a label: signs and then a digit or the end of the row, or a colon.
_VALUE = re.compile(r"\W*(?:\d|$)|\s*\.?\s*[:：]")
_COLON = re.compile(r"\s*+(?:\.\s*+)?[:：]\s*+")
#: The start of a name; initials may come first: "M. Okafor".
_NAME = re.compile(r"(?:[^\W\d_]{1,2}\. ?)*[^\W\d_]{2}")
#: What follows a salutation: a name in capitals or capitalised words, or nothing.
_PERSON = re.compile(r"\.?(?: +[^\W\d_a-z][^\W\d]*\.?-?)*")
_SEPARATED = re.compile(r"\w+")
_TILL = frozenset(("cash", "change"))
#: Strength of a title with a number: "Factura: 0012345" is that of a receipt as often as of an invoice.
_WITH_NUMBER = 0.5
_NUMBERED = re.compile(r"\d{3}")


def find_document_type(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region, customer: Sequence[int] = ()
) -> Found:
    """Returns "Receipt" or "Invoice", by the document's title, whom it addresses and how it was paid.

    customer: rows of the head with the customer's town.
    """
    titled, lines = _titles(rows, sheet, region)
    billed = [index for index, parsed in enumerate(rows) if _is_billed(parsed, sheet.zones[index])]
    billed = billed or [*customer[:1]]
    due = any(_states(parsed.text, "due_day", "billing_detail") for parsed in rows)
    score = -0.6 + titled + min(1.0, 0.5 * len(billed) + 0.2 * due)
    if any(e.role in _TILL and e.zone in ("summary", "after") for e in sheet.entries):
        score -= 0.3
    value = "Invoice" if score > 0 else "Receipt"
    confidence = min(0.95, 0.55 + 0.25 * abs(score))
    return Found(value, round(confidence, 3), tuple(sorted({*lines, *billed})), f"score {score:.2f}")


def _titles(rows: Sequence[ParsedLine], sheet: Sheet, region: Region) -> tuple[float, list[int]]:
    """(score, rows titled as an invoice). The score is positive for an invoice, negative for a receipt. The
    label of its number, "Facture n°", "Receipt no.", is its title where there is no invoice's."""
    score = number = 0.0
    lines: list[int] = []
    for index, parsed in enumerate(rows):
        columns = parsed.line.columns(_COLUMN_BLANK)
        for match in sheet.roles[index]:
            start = next(column[0] for column in columns if match.start < column[1])
            end = next(column[1] for column in columns if match.end <= column[1])
            if len(match.phrase) / max(1, count_letters(parsed.text[start:end])) < _TITLE_SHARE:
                continue
            numbered = _NUMBERED.search(parsed.text, match.end, end) is not None
            if match.role == "invoice" and match.weight >= LIKELY:
                strength = (_WITH_NUMBER if numbered else 0.95) * match.weight
                strength *= 0.3 if sheet.zones[index] == "after" else 1.0
                score += 0.2 if lines else strength
                lines.append(index)
            elif match.role == "receipt" and match.weight >= SURE and sheet.zones[index] == "header":
                score -= 0.3 if numbered else 0.8
            elif match.role == "receipt_number" and numbered:
                named = _of(match.phrase, region, "invoice") or -_of(match.phrase, region, "receipt")
                number = max((number, _WITH_NUMBER * named), key=abs)
    return score if lines else score + number, lines


def _of(label: str, region: Region, role: Role) -> float:
    """Weight of the longest title of an invoice or a receipt in the label of a number, 0.0 without any:
    "facturano"."""
    inside = [(len(title), weight) for title, weight in _titles_of(region, role) if title in label]
    weight = max(inside, default=(0, 0.0))[1]
    return weight if weight >= LIKELY else 0.0


@lru_cache(maxsize=KEPT_REGIONS)
def _titles_of(region: Region, role: Role) -> tuple[tuple[str, float], ...]:
    return tuple((squeeze(phrase.text), phrase.weight) for phrase in role_phrases(region, role))


def _is_billed(parsed: ParsedLine, zone: Zone) -> bool:
    """Whether a column of a row names the customer, or states something that only a bill states."""
    columns = [parsed.text[start:end] for start, end in parsed.line.columns(_COLUMN_BLANK)]
    if zone == "after":
        return any(_states(text, "due_day") for text in columns)
    return any(_states(text, *_BILLING) or _addresses(text) for text in columns)


def _states(text: str, *terms: Term) -> bool:
    """Whether a row begins with one of the terms and a value after it, or has such a term before a colon."""
    return any(
        _VALUE.match(text, match.end) and (_begins(text, match) or _COLON.match(text, match.end))
        for match in find_terms(text)
        if match.term in terms
    )


def _addresses(text: str) -> bool:
    """Whether a text names the customer ("Customer: Paul", "Mr P. Lind", "To: Mr P. Lind", not "Customer
    copy", a number or a count of guests), or is only a label for one ("Bill to", "Customer:")."""
    to = term_at_start(text, "addressee")
    colon = _COLON.match(text, to.end) if to else None
    text = text[colon.end() :] if colon else text
    person = term_at_start(text, "salutation")
    if person is not None and _PERSON.fullmatch(text, person.end):
        return True
    for match in find_terms(text):
        if match.term != "customer":
            continue
        colon = _COLON.match(text, match.end)
        if colon and (_NAME.match(text, colon.end()) or colon.end() == len(text)):
            return term_at_start(text[colon.end() :], "walk_in") is None
        several = len(_SEPARATED.findall(text[match.start : match.end])) > 1
        if several and _begins(text, match) and not any(map(str.isalnum, text[match.end :])):
            return True
    return False


def _begins(text: str, match: TermMatch) -> bool:
    """Whether no letter or digit precedes the term."""
    return not any(map(str.isalnum, text[: match.start]))
