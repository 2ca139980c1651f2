"""Finds how the receipt was paid: the printed scheme, or cash when cash was tendered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.document import ZERO, Entry, Found, ParsedLine, RoleMatch, Sheet, says, sum_items
from receipt_engine.region import TAXES, Term
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.payment.card_numbers import has_masked_number
from receipt_engine.vocabulary import find_terms, has_term, is_made_of, phrase_terms, term_at_start
from receipt_engine.vocabulary.card_schemes import (
    begins_with_scheme,
    find_schemes,
    is_scheme,
    is_short_form,
    scheme_in,
    short_scheme,
)
from receipt_engine.vocabulary.normalise import letters, squeeze

_ANY_CARD: tuple[Term, ...] = ("card", "non_cash", "payment_label")


def is_generic(phrase: str) -> bool:
    """Whether a phrase (letters alone) only says that a card was used: "tarjeta", "pago con tarjeta"."""
    if begins_with_scheme(phrase):  # "PayPay", alone or before a word for paying
        return False
    return is_made_of(phrase, *_ANY_CARD) or (asks_how(phrase) and is_made_of(phrase, *_ANY_CARD, "means"))


def asks_how(phrase: str) -> bool:
    """Whether a phrase (letters alone) is a label for the payment method: "forma de pago", "payment"."""
    return "payment_label" in phrase_terms(phrase)


def names_card(phrase: str) -> bool:
    """Whether a generic phrase (letters alone) means a card: "payment card", not "payment"."""
    return is_made_of(phrase, *_ANY_CARD, "means") and not is_made_of(
        phrase, "non_cash", "payment_label", "means"
    )


_MASKED_BEFORE = re.compile(r"[*xX×•#]{2}[ -]*$")
_WORD = re.compile(r"[^\W\d_]{2,}")
#: Added to a name alone on the row below a card tender: it is the card's, where the tender row has only a
#: generic word.
_UNDER_TENDER = 1.4
#: Least weight of a word for cash (or card) that counts without an amount.
_SAYS_CASH = 0.9
#: Most letters of a row that is little more than a name.
_SHORT_ROW = 20
#: Score of cash where a card paid a larger part.
_LESSER_PART = 1.0
#: Score of a word for cash after a label for the payment method.
_ANSWERED = 1.5
#: Base score of a word for "card" after such a label.
_LABELLED = 0.2
#: Of a generic word for cards behind one for paying.
_SAID_PAID = 0.6
#: Words of a row, besides the name of a tender, from which it is a sentence: "Use your vouchers at any till".
_SENTENCE = 4
#: Confidence in the generic words of a card slip that names no scheme.
_OF_SLIP = 0.6


@dataclass(frozen=True, slots=True)
class _Reading:
    value: str
    score: float
    line: int
    rule: str


def payment_method(rows: Sequence[ParsedLine], sheet: Sheet, named: Collection[int]) -> Found | None:
    """The scheme, wallet or card as printed ("CASH" for cash); None without a printed tender.

    named: rows of the merchant's name.
    """
    tenders, sold = _card_rows(rows, sheet), {line for item in sheet.items for line in item.lines}
    readings = [
        *_schemes(rows, sheet, tenders, sold),
        *_local(rows, sheet, tenders, sold),
        *_cash(rows, sheet, sold),
        *_answered_cash(rows, sheet),
    ]
    best: dict[str, _Reading] = {}
    for reading in sorted(readings, key=lambda r: -r.score):
        if reading.line not in named or has_masked_number(rows[reading.line].text):
            best.setdefault(reading.value.upper(), reading)
    ranked = sorted(best.values(), key=lambda r: (-r.score, r.line))
    if not ranked:
        return None
    first = ranked[0]
    if first.score < 1.0:
        # A terminal slip that names no scheme, or a row with these words alone ("Payment: card"): report its
        # generic words for a card.
        slip = any(has_masked_number(row.text) for row in rows) or _is_said_alone(first.line, rows, sheet)
        return Found(first.value, _OF_SLIP, (first.line,), first.rule) if slip else None
    margin = first.score - (ranked[1].score if len(ranked) > 1 else 0.0)
    confidence = min(0.97, 0.45 + 0.1 * min(first.score, 4.0) + 0.05 * min(margin, 3.0))
    others = tuple((r.value, round(r.score, 2)) for r in ranked[1:4])
    return Found(first.value, round(confidence, 3), (first.line,), first.rule, others)


def _is_said_alone(index: int, rows: Sequence[ParsedLine], sheet: Sheet) -> bool:
    """Whether a row below the products consists of words for paying by card, without an amount."""
    whole = "" if any(map(str.isdigit, rows[index].text)) else letters(rows[index].text)
    words = (m for m in sheet.roles[index] if m.role == "card" and m.weight >= SURE)
    return sheet.zones[index] in ("summary", "after") and any(m.phrase == whole for m in words)


def _card_rows(rows: Sequence[ParsedLine], sheet: Sheet) -> set[int]:
    """Rows with the largest amount paid by card, which the last digits of a card are not; of zero only below
    a total, if there are no others: above it, "MC 0.00" is a product."""
    found = [
        e
        for e in sheet.entries
        if any(role == "card" and weight >= LIKELY for role, weight in e.roles[:2])
        and e.role not in TAXES
        and not _MASKED_BEFORE.search(rows[e.line].text, 0, e.amount.start)
    ]
    found = [e for e in found if not is_made_of(squeeze(e.label), "paid")] or found
    totals = [e for e in sheet.entries if e.weight("total") >= LIKELY]
    total = min((e.line for e in totals), default=0)
    whole = max((e.amount.value for e in totals), default=ZERO)
    if whole:  # more than the total is a number without a point: a postcode behind a card's name
        found = [e for e in found if e.amount.is_plausible or e.amount.value <= whole]
    most = max((e.amount.value for e in found if e.amount.value <= whole), default=ZERO)
    found = [e for e in found if not 0 < e.amount.value < most]
    return {e.line for e in found if e.amount.value != 0} or {e.line for e in found if e.line > total}


def _context(index: int, rows: Sequence[ParsedLine], sheet: Sheet, tenders: set[int]) -> float:
    """Score of a row's context for a word on it to name how this sale was paid."""
    text = rows[index].text
    zone = sheet.zones[index]
    score = 2.0 * (index in tenders)
    score += 1.2 * has_masked_number(text)
    beside = (i for i in (index - 1, index + 1) if 0 <= i < len(rows))
    score += 0.8 * any(has_masked_number(rows[i].text) and not _names_tender(sheet.roles[i]) for i in beside)
    labels = (
        (m.role == "card" and is_generic(m.phrase) and (asks_how(m.phrase) or names_card(m.phrase)))
        or "slip_label" in phrase_terms(m.phrase)
        for m in sheet.roles[index]
    )
    score += 0.8 * any(labels)
    above = index not in tenders and index - 1 in tenders and says(sheet.roles[index - 1], ["card"], LIKELY)
    score += _UNDER_TENDER * (above and len(letters(text)) <= _SHORT_ROW)
    score += 0.6 * (zone in ("summary", "after")) - 1.5 * (zone == "items") - 0.3 * (zone == "header")
    score -= 1.5 * (index not in tenders and _is_sentence(text, sheet.roles[index]))
    return score - 2.5 * has_term(text, "not_paid")


def _is_sentence(text: str, roles: Sequence[RoleMatch]) -> bool:
    """Whether many words of a row are no name or word for a tender, or it begins like a sentence: "with your
    Larch Visa"."""
    if len([m for m in find_terms(text) if m.term == "sentence"]) > 1:
        return True
    paid = [m for m in roles if m.role in ("card", "cash")]
    others = (w for w in _WORD.finditer(text) if not any(m.start <= w.start() < m.end for m in paid))
    return sum(1 for _ in others) >= _SENTENCE


def _names_tender(roles: Sequence[RoleMatch]) -> bool:
    """Whether a row names a specific tender."""
    return any(m.role == "card" and m.weight >= LIKELY and not is_generic(m.phrase) for m in roles)


def _schemes(rows: Sequence[ParsedLine], sheet: Sheet, tenders: set[int], sold: set[int]) -> list[_Reading]:
    """Schemes by name; by a short form not among the products: "Signature MC 8.00" is a cake."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        for scheme in find_schemes(parsed.text):
            score = 1.8 + _context(index, rows, sheet, tenders)
            rule = f"printed {parsed.text[scheme.start : scheme.end]}"
            found.append(_Reading(scheme.name, score, index, rule))
        short = short_scheme(parsed.text)
        if short and (has_masked_number(parsed.text) or index in tenders - sold):
            score = 0.8 + _context(index, rows, sheet, tenders)
            found.append(_Reading(short, score, index, "short form"))
    return found


def _local(rows: Sequence[ParsedLine], sheet: Sheet, tenders: set[int], sold: set[int]) -> list[_Reading]:
    """Local schemes and words for cards, as printed; a generic word for "card" ranks lowest."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        if says(sheet.roles[index], ["discount"], SURE):
            continue  # a discount by the terms of a card or an insurer, not a payment with it
        for match in sheet.roles[index]:
            if match.role != "card" or match.weight < LIKELY or not _is_whole_word(parsed.text, match):
                continue
            product = sheet.zones[index] == "items" or parsed.quantities
            if product and match.phrase not in letters(parsed.text):
                continue  # a character confusion in a product's name
            if index in sold and is_short_form(match.phrase):
                continue  # "Signature MC 8.00"
            printed = _without_paid(_whole_name(parsed.text, match, sheet.roles[index]))
            if find_schemes(printed):
                continue
            printed = scheme_in(match.phrase) or printed  # misread: "Vlsa"
            generic = is_generic(match.phrase)
            debit = "debit" in phrase_terms(match.phrase)
            base = -1.6 if generic else -0.2 if debit else 0.6 * match.weight + 0.2
            base += 1.0 * is_scheme(match.phrase)
            value = "Debit" if debit else _after_label(parsed.text, match) if generic else printed
            labelled = value not in parsed.text[match.start : match.end]
            labelled = labelled or (index not in tenders and asks_how(squeeze(parsed.text[: match.start])))
            if any(other.role == "cash" and other.start >= match.end for other in sheet.roles[index]):
                labelled = False  # "Payment method: cash"
                value = "" if asks_how(match.phrase) else value
            value = value.rpartition(":")[2].strip() if generic else value
            if generic and value and labelled:
                base = _LABELLED
            elif generic and index not in tenders and _says_paid(parsed.text, match):
                base = _SAID_PAID
            if value:
                score = base + _context(index, rows, sheet, tenders)
                found.append(_Reading(value, score, index, f"words {match.phrase}"))
    return found


def _says_paid(text: str, match: RoleMatch) -> bool:
    """Whether a word for paying stands before a match, and no words behind it: "PAID BY CARD"."""
    return "paid" in phrase_terms(squeeze(text[: match.start])) and not letters(text[match.end :])


def _without_paid(printed: str) -> str:
    """The printed name without a word for paying before it: "Paid EFTPOS", "Tendered NETS"."""
    paid = term_at_start(printed, "paid")
    rest = printed[paid.end :] if paid else ""
    return rest.lstrip(" .:") if rest[:1] in (" ", ".", ":") else printed


def _whole_name(text: str, match: RoleMatch, roles: Sequence[RoleMatch]) -> str:
    """The matched words, extended by those of adjacent tenders: "QR MODO", "PAYTM UPI"."""
    start, end = match.start, match.end
    for other in roles:
        if other.role != "card" or other.weight < POSSIBLE or is_generic(other.phrase):
            continue
        if other.end < start and text[other.end : start] == " ":
            start = other.start
        elif end < other.start and text[end : other.start] == " ":
            end = other.end
    while unicodedata.category(text[end : end + 1] or " ") == "Mn":
        end += 1  # the silencing sign of Thai
    return text[start:end].strip(" :.-*")


def _is_whole_word(text: str, match: RoleMatch) -> bool:
    before = text[max(0, match.start - 2) : match.start]
    joined = before[-1:].isalpha() or (before[:1].isalpha() and before[1:] in ("'", "’"))  # "Sri D'Cash"
    return not joined and not text[match.end : match.end + 1].isalnum()


def _after_label(text: str, match: RoleMatch) -> str:
    """For "Payment: TARGETA" the word after the label; else the printed word; empty for a label alone."""
    behind = re.match(r"\s*(?:\.\s*)?:[:.\s]*([^\W\d_][^\d:*]{1,24})", text[match.end :])
    if behind and len(letters(behind.group(1)).strip("x")) >= 2:  # "x" masks a card's digits
        return behind.group(1).strip(" .-$€£#")
    asks = asks_how(match.phrase) and not names_card(match.phrase)
    return "" if asks else text[match.start : match.end].strip(" :.-")


def _answered_cash(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Cash after a label for the payment method or a word for paying ("MODE : CASH"), at the end of a row."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        for match in sheet.roles[index]:
            if match.role != "cash" or match.weight < SURE:
                continue
            lead, own = parsed.text[: match.start], parsed.text[match.start : match.end]
            closes = not parsed.text[match.end :].strip(" .*")
            asked, _, answer = parsed.text[: match.end].rpartition(":")  # "method of payment: cash"
            labelled = own.endswith(answer.strip()) and asks_how(squeeze(asked))
            labelled = labelled or "paid" in phrase_terms(squeeze(lead))
            labelled = labelled or (not letters(lead) and term_at_start(own, "paid") is not None)
            if closes and labelled:
                found.append(_Reading("CASH", _ANSWERED, index, "cash asked for"))
    return found


def _said_cash(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Rows without digits whose only words are for cash: "EFECTIVO"."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        words = [m for m in sheet.roles[index] if m.role == "cash" and m.weight >= _SAYS_CASH]
        if not words or any(c.isdigit() for c in parsed.text) or sheet.zones[index] == "items":
            continue
        rest = parsed.text[: words[0].start] + parsed.text[words[-1].end :]
        if not letters(rest):
            found.append(_Reading("CASH", 1.3, index, "cash named"))
    return found


def _cash(rows: Sequence[ParsedLine], sheet: Sheet, sold: set[int]) -> list[_Reading]:
    """Cash that was handed over, with its amount; else from words for cash alone, or from change given."""
    found: list[_Reading] = []
    change = any(e.role == "change" for e in sheet.entries)
    most = _largest_part(sheet)
    products = sum_items(sheet.items)
    adds_up = any(e.amount.value == products for e in sheet.entries if e.line not in sold)
    for entry in sheet.entries:
        weight = entry.weight("cash")
        if (
            weight < LIKELY
            or (adds_up and entry.line in sold)  # "Cash box 39.50"
            or (entry.zone in ("header", "items") and weight < 0.9)
            or has_term(entry.label, "not_paid")
        ):
            continue
        if entry.amount.value == 0 or _is_by_card(entry, sheet.roles[entry.line]):
            continue
        if _is_number(entry, sheet.roles[entry.line]) or _repeats_card(entry, sheet):
            continue
        if weight < SURE and not change and _only_says_paid(sheet.roles[entry.line]):
            continue  # in whatever way: "Amount paid 47.00"; also a part paid before
        score = 1.6 + 1.4 * weight + 0.8 * change - 0.8 * (entry.role != "cash")
        if abs(entry.amount.value) < most:
            score = _LESSER_PART
        found.append(_Reading("CASH", score, entry.line, "cash tendered"))
    found = found or _said_cash(rows, sheet)
    change_rows = [e.line for e in sheet.entries if e.role == "change" and e.amount.value != 0]
    given_back = [line for line in change_rows if line not in sold]  # "Chang 3.50" is a beer
    if given_back and not found:
        found.append(_Reading("CASH", 1.2, given_back[0], "change given"))
    return found


def _is_number(entry: Entry, roles: Sequence[RoleMatch]) -> bool:
    """Whether a label of the till, the receipt or a register stands before the amount, which is its number:
    "CASH REG NO: 704 1879", "CSH: Ana  TRAN: 359461"."""
    before = (m for m in roles if m.weight >= LIKELY and m.start < entry.amount.start)
    return any(m.role in ("cashier", "receipt_number", "tax_id") for m in before)


def _repeats_card(entry: Entry, sheet: Sheet) -> bool:
    """Whether the amount repeats the whole total that the row of a card has, as what was received in whatever
    way: "Debit card 47.00", "Received 47.00", "Change 0.00"."""
    value = entry.amount.value
    totals = (e.amount.value for e in sheet.entries if e.role == "total")
    cards = (e for e in sheet.entries if e.is_called("card", SURE) and e.last and e.line != entry.line)
    given = any(e.role == "change" and e.amount.value for e in sheet.entries)
    return not given and value in totals and any(e.amount.value == value for e in cards)


def _only_says_paid(roles: Sequence[RoleMatch]) -> bool:
    """Whether the words of a row that may mean cash only say that something was paid."""
    words = [m for m in roles if m.role == "cash"]
    return bool(words) and all("paid" in phrase_terms(m.phrase) for m in words)


def _largest_part(sheet: Sheet) -> Decimal:
    """The largest part of the total that a card paid; zero where none paid less than the whole."""
    whole = max((e.amount.value for e in sheet.entries if e.role == "total"), default=ZERO)
    cards = (e for e in sheet.entries if e.is_called("card", SURE) and e.last)
    return max((e.amount.value for e in cards if e.amount.value < whole), default=ZERO)


def _is_by_card(entry: Entry, roles: Sequence[RoleMatch]) -> bool:
    """Whether a card paid although the row's word for paying also means cash: "Paid by card",
    "Received VISA"."""
    if entry.role == "card" and entry.weight("cash") < _SAYS_CASH:
        return True
    cards = [m.start for m in roles if m.role == "card" and m.weight >= _SAYS_CASH]
    paid = [m.end for m in roles if m.role == "cash" and "paid" in phrase_terms(m.phrase)]
    return bool(cards and paid) and min(paid) <= min(cards)
