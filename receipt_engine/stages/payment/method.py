"""How the receipt was paid: the scheme that is printed, or cash when cash was tendered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from receipt_engine.document import Found, ParsedLine, RoleMatch, Sheet
from receipt_engine.stages.payment.tenders import asks_how, is_generic
from receipt_engine.vocabulary.normalise import letters

#: The contract's known values, with what is printed for them, OCR slips included.
_KNOWN: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (value, re.compile(pattern, re.IGNORECASE))
    for value, pattern in (
        ("VISA", r"(?<![^\W_])[vu][i1l]sa(?=$|[^a-z]|debit|credit|card|electron)"),
        (
            "Mastercard",
            r"(?<![^\W_])(?:debit\s?)?master\s?c[ao]rd|(?<![^\W_])m(?:a)?st(?:e)?rc(?:a)?rd|(?<![^\W_])master(?![^\W_])",
        ),
        ("American Express", r"american\s?express|(?<![^\W_])amex(?![^\W_])"),
        ("Discover", r"(?<![^\W_])discover(?![^\W_])"),
        ("ALIPAY", r"ali\s?pay|支付[宝寶]"),
        ("WE CHAT", r"we\s?chat|wei\s?xin|微信"),
    )
)
#: A scheme's short form counts only beside a card number or an amount.
_SHORT = re.compile(r"(?<![^\W_])(?:MC|VS|AX)(?![^\W_])")
_SHORT_NAMES = {"MC": "Mastercard", "VS": "VISA", "AX": "American Express"}
_MASK = re.compile(r"[*xX×•#]{3,}[\s*xX•-]*\d{3,4}|\d{4}[ *xX]+[*xX]{4}|ending in \d{4}")
_NOT_PAID = re.compile(
    r"\b(?:accept|accepted|minimum|min\b|we take|no cash|not accepted|gift|deposit|dep[oó]sito|"
    r"anzahlung|acompte|prepaid|balance|saldo|"
    r"cash sale|cash bill|cash memo|cash discount|cash price|cashback|cashier|points|earn|save|apply)\b",
    re.IGNORECASE,
)
_CARD = re.compile(
    r"card|karte|carte|elettronic|tarj|targ|cartao|carta|kort|kaart|kad|kartu|the|karta|カード|卡|καρτ|kapt"
)
#: Left of a scheme's name: "Paid EFTPOS", "Tendered NETS".
_LEADING = re.compile(
    r"^(?:paid(?: by| with)?|payment(?: by)?|tendered|tender|pay(?:ed)?(?: by| with)?|by|sale|"
    r"pag[oó](?: con)?|bezahlt(?: mit)?|gegeben|geg\.|betaald(?: met)?|"
    r"r[eé]gl[eé](?: par)?|pay[eé](?: par)?)\s+",
    re.IGNORECASE,
)
#: Schemes beside those of the contract: they name the card better than "EC-Cash" or "REDCOMPRA".
#: "Paid in cash", "pagato contanti", "réglé en espèces" (letters alone).
_PAID = re.compile(
    r"(?:paid|pagat[oa]|pago|pagado|regle|paye|bezahlt|betaald|betalt|dibayar)"
    r"(?:in|by|en|mit|met|con|com|par|with)?"
)
_SCHEMES = frozenset(
    ("maestro", "diners", "dinersclub", "jcb", "unionpay", "rupay", "elo", "hipercard", "mada", "vpay", "mir")
)


#: A name alone right below the amount that a card paid: the card's, where the amount has a word for any.
_UNDER_TENDER = 1.4
#: Least weight of a word for cash that says so without an amount.
_SAYS_CASH = 0.9
_SHORT_ROW = 20
#: Cash behind a word that asks for it, and the least weight of the word.
_ANSWERED = 1.5
_SURELY = 0.8
#: Confidence in the words of a card slip that names no scheme.
_OF_SLIP = 0.6


@dataclass(frozen=True, slots=True)
class _Reading:
    value: str
    score: float
    line: int
    rule: str


def payment_method(rows: Sequence[ParsedLine], sheet: Sheet) -> Found | None:
    """The scheme, wallet or card as printed ("CASH" for cash); None when no tender is printed."""
    readings = [
        *_schemes(rows, sheet),
        *_local(rows, sheet),
        *_cash(rows, sheet),
        *_answered_cash(rows, sheet),
    ]
    best: dict[str, _Reading] = {}
    for reading in readings:
        kept = best.get(reading.value.upper())
        if kept is None or reading.score > kept.score:
            best[reading.value.upper()] = reading
    ranked = sorted(best.values(), key=lambda r: (-r.score, r.line))
    if ranked and ranked[0].score < 1.0 and any(_MASK.search(row.text) for row in rows):
        # A slip of a terminal that names no scheme: its words for any card are what is printed.
        return Found(ranked[0].value, _OF_SLIP, (ranked[0].line,), ranked[0].rule)
    if not ranked or ranked[0].score < 1.0:
        return None
    first = ranked[0]
    margin = first.score - (ranked[1].score if len(ranked) > 1 else 0.0)
    confidence = min(0.97, 0.45 + 0.1 * min(first.score, 4.0) + 0.05 * min(margin, 3.0))
    others = tuple((r.value, round(r.score, 2)) for r in ranked[1:4])
    return Found(first.value, round(confidence, 3), (first.line,), first.rule, others)


def _tender_rows(sheet: Sheet, role: str) -> set[int]:
    """Rows with an amount of that tender."""
    found = [e for e in sheet.entries if any(r == role and w >= 0.5 for r, w in e.roles[:2])]
    return {e.line for e in found if e.amount.value != 0} or {e.line for e in found}


def _context(index: int, rows: Sequence[ParsedLine], sheet: Sheet, tenders: set[int]) -> float:
    """How surely a word on a row tells how this sale was paid."""
    text = rows[index].text
    zone = sheet.zones[index]
    score = 2.0 * (index in tenders)
    score += 1.2 * (_MASK.search(text) is not None)
    beside = (i for i in (index - 1, index + 1) if 0 <= i < len(rows))
    score += 0.8 * any(_MASK.search(rows[i].text) and not _names_card(sheet.roles[i]) for i in beside)
    labels = (
        (m.role == "card" and (asks_how(m.phrase) or m.phrase.startswith("card")) and is_generic(m.phrase))
        or m.phrase in ("cardtype", "applabel", "label", "appname")
        for m in sheet.roles[index]
    )
    score += 0.8 * any(labels)
    score += _UNDER_TENDER * (index not in tenders and index - 1 in tenders and _is_short(text))
    score += 0.6 * (zone in ("summary", "after")) - 1.5 * (zone == "items") - 0.3 * (zone == "header")
    return score - 2.5 * (_NOT_PAID.search(text) is not None)


def _is_short(text: str) -> bool:
    """Whether a row is little more than a name."""
    return len(letters(text)) <= _SHORT_ROW


def _names_card(roles: Sequence[RoleMatch]) -> bool:
    """Whether a row has a tender of its own."""
    return any(m.role == "card" and m.weight >= 0.5 and not is_generic(m.phrase) for m in roles)


def _schemes(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    tenders = _tender_rows(sheet, "card")
    found: list[_Reading] = []
    page = "\n".join([parsed.text for parsed in rows])
    printed = [(value, pattern) for value, pattern in _KNOWN if pattern.search(page)]
    for index, parsed in enumerate(rows):
        for value, pattern in printed:
            match = pattern.search(parsed.text)
            if match:
                score = 1.8 + _context(index, rows, sheet, tenders)
                found.append(_Reading(value, score, index, f"printed {match.group()}"))
        short = _SHORT.search(parsed.text)
        if short and (_MASK.search(parsed.text) or index in tenders):
            found.append(
                _Reading(
                    _SHORT_NAMES[short.group()],
                    0.8 + _context(index, rows, sheet, tenders),
                    index,
                    "short form",
                )
            )
    return found


def _local(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Schemes and words of the country, as printed; a bare word for "card" ranks lowest."""
    tenders = _tender_rows(sheet, "card")
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        if any(m.role == "discount" and m.weight >= _SURELY for m in sheet.roles[index]):
            continue  # taken off by the terms of a card or an insurer, not paid with it
        for match in sheet.roles[index]:
            if match.role != "card" or match.weight < 0.5 or not _is_whole_word(parsed.text, match):
                continue
            if sheet.zones[index] == "items" and match.phrase not in letters(parsed.text):
                continue  # a slip of the reader in a product's name
            printed = _LEADING.sub("", _whole_name(parsed.text, match, sheet.roles[index]))
            if any(pattern.search(printed) for _, pattern in _KNOWN):
                continue
            generic = is_generic(match.phrase)
            debit = match.phrase in ("debit", "debitcard", "usdebit", "debittend", "debittender", "debitsale")
            base = -1.6 if generic else -0.2 if debit else 0.6 * match.weight + 0.2
            base += 1.0 * (match.phrase in _SCHEMES)
            value = "Debit" if debit else _after_label(parsed.text, match) if generic else printed
            if generic and value and value not in parsed.text[match.start : match.end]:
                base = 0.0  # a label says that this is how was paid
            if value:
                found.append(
                    _Reading(
                        value, base + _context(index, rows, sheet, tenders), index, f"words {match.phrase}"
                    )
                )
    return found


def _whole_name(text: str, match: RoleMatch, roles: Sequence[RoleMatch]) -> str:
    """The words with those of other tenders right beside them: "QR MODO", "PAYTM UPI"."""
    start, end = match.start, match.end
    for other in roles:
        if other.role != "card" or other.weight < 0.3 or is_generic(other.phrase):
            continue
        if other.end < start and text[other.end : start] == " ":
            start = other.start
        elif end < other.start and text[end : other.start] == " ":
            end = other.end
    return text[start:end].strip(" :.-*")


def _is_whole_word(text: str, match: RoleMatch) -> bool:
    before = text[match.start - 1 : match.start]
    return not before.isalpha() and not text[match.end : match.end + 1].isalnum()


def _after_label(text: str, match: RoleMatch) -> str:
    """For "Payment: TARGETA" the word behind the label; else the printed word itself."""
    behind = re.match(r"\s*(?:\.\s*)?:[:.\s]*([^\W\d_][^\d:*]{1,24})", text[match.end :])
    if behind and len(letters(behind.group(1))) >= 2:
        return behind.group(1).strip(" .-$€£")
    asks = asks_how(match.phrase) and not _CARD.search(match.phrase)
    return "" if asks else text[match.start : match.end].strip(" :.-")


def _answered_cash(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Cash as the answer to a word that asks how was paid ("MODE : CASH"), on a row without an amount."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        for match in sheet.roles[index]:
            asks = letters(parsed.text[: match.start])
            closes = not parsed.text[match.end :].strip(" .*")
            told = parsed.text[: match.start].rstrip()[-1:] == ":" and asks_how(asks)
            told = told or _PAID.fullmatch(asks) is not None or (not asks and bool(_PAID.match(match.phrase)))
            if match.role == "cash" and match.weight >= _SURELY and closes and told:
                found.append(_Reading("CASH", _ANSWERED, index, "cash asked for"))
    return found


def _said_cash(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Rows without an amount that say nothing but that cash was paid: "EFECTIVO"."""
    found: list[_Reading] = []
    for index, parsed in enumerate(rows):
        words = [m for m in sheet.roles[index] if m.role == "cash" and m.weight >= _SAYS_CASH]
        if not words or any(c.isdigit() for c in parsed.text) or sheet.zones[index] == "items":
            continue
        rest = parsed.text[: words[0].start] + parsed.text[words[-1].end :]
        if not letters(rest):
            found.append(_Reading("CASH", 1.3, index, "cash named"))
    return found


def _cash(rows: Sequence[ParsedLine], sheet: Sheet) -> list[_Reading]:
    """Cash that was handed over, with its amount."""
    found: list[_Reading] = []
    change = any(e.role == "change" for e in sheet.entries)
    for entry in sheet.entries:
        weight = entry.weight("cash")
        if (
            weight < 0.5
            or (entry.zone in ("header", "items") and weight < 0.9)
            or _NOT_PAID.search(entry.label)
        ):
            continue
        by_card = entry.role == "card" and entry.weight("card") >= _SAYS_CASH and weight < _SAYS_CASH
        if entry.amount.value == 0 or by_card:  # "Paid by card": a word for paying is one for cash, too
            continue
        score = 1.6 + 1.4 * weight + 0.8 * change - 0.8 * (entry.role != "cash")
        found.append(_Reading("CASH", score, entry.line, "cash tendered"))
    found = found or _said_cash(rows, sheet)
    given_back = [e for e in sheet.entries if e.role == "change" and e.amount.value != 0]
    if given_back and not found:
        found.append(_Reading("CASH", 1.2, given_back[0].line, "change given"))
    return found
