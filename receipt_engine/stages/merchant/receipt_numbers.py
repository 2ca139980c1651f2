"""The number of the receipt, bill or invoice, by the words that announce it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine import assets
from receipt_engine.document import Found, ParsedLine, RoleMatch, Sheet
from receipt_engine.region import load_language
from receipt_engine.stages.merchant.marks import Mark, covered
from receipt_engine.stages.merchant.words import letters, tokens

#: Between a label and its number: signs, and the word for "number" once more.
_LEAD = re.compile(r"[\s:.,;#№|/°º(\-–]*(?:(?:n[o°ºr]?|nro|nr|num|núm|αρ|no)\b[\s:.,;#№°º]*)?", re.IGNORECASE)
_VALUE = re.compile(r"(?=[\w/.\-]*\d)\w+(?:[-/.]+\w+)*")
#: A series before the number itself: "FACTURA POS BQ2 N. 0077103".
_AFTER_SERIES = re.compile(r"\S{1,6}\s+n(?:[o°º]|ro|r)?\.?[\s:#]*(?=\d{3})", re.IGNORECASE)
#: Alone on its row: the letter and digits of a series, a dash, the number ("F001-00012345").
_SERIES = re.compile(r"[A-Z]{1,4}\d{2,3}\s?-\s?\d{5,10}")
_DATE_LIKE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
_MONEY_LIKE = re.compile(r"\d{1,6}[.,]\d{2}")
#: Words (beginnings, letters alone) of the paper itself, of an order or a sale, and of card slips and
#: fiscal memories; Greek is folded to the Latin letters of its shape.
_DOCUMENT = re.compile(
    r"rece?i?pt|rct|inv|bill|bon|beleg|ticket|tkt|tiquete?|tique|factur|fra|fatur|faktur|fattur|boleta|cupom|"
    r"che?c?k|rechn|quitt|scontr|ricev|doc|dok|resit|resib|recib|recu|struk|nota|hoadon|hd|phieu|kvitt|slip|"
    r"memo|folio|comprobante|docket|rebut|paragon|nfce|extrato|talao|kassen|kas|ornumber|orno|sino|"
    r"anod|tim|nap|risit|レシート|領収|伝票|納品|收據|單據|單號|发票|發票|帳單|賬單|結單|小票|单号|فاتورة|يصال|रसीद|बिल"
)
_SALE = re.compile(
    r"order|ord|pedido|orden|comanda|bestell|auftrag|commande|table|queue|token|tran|trx|txn|transa|seq|"
    r"booking|reserv|confirm|job|quote|kot|pickup|collection|session|antrian|wait|senha|注文|受付|呼|取引|取餐|訂單|订单"
)
_SLIP = re.compile(
    r"nsu|protoc|ref|rrn|stan|trace|auth|aut|batch|approv|tef|serie|operac|operaz|chiusura|azzer|matr|control|"
    r"自|承認|取引通番|端末|参|參考|支付|商[户戶]|serial|nsc|atcud|ccf|gnf"
)
#: The number of an earlier sale that is returned or exchanged.
_EARLIER = re.compile(
    r"orig|ursp|ursprung|oorspronk|initial|asal\b|goc\b|αρχικ|apxik|riferimento|exchange|purchasedon|refcompra|"
    r"retur|returned|元|原單|原单|gốc|credit(?:note|inv)|replac|voids?no"
)
_EARLIER_COST = 1.2
_LEAST = 0.3
_MAX_LENGTH = 30


@dataclass(frozen=True, slots=True)
class _Number:
    value: str
    score: float
    row: int
    label: str


def receipt_number(
    rows: Sequence[ParsedLine], sheet: Sheet, marks: Sequence[Mark], address: Sequence[int] = ()
) -> Found | None:
    """The number of this receipt, as printed behind its label or below it.

    marks: places that are something else. address: rows of the address, where "No" is a house number.
    """
    found = list(_labelled(rows, sheet, marks, frozenset(address)))
    if not any(number.score >= 0.5 for number in found):
        found += _signed(rows, sheet, marks, frozenset(address))
    ranked = sorted((n for n in found if n.score >= _LEAST), key=lambda n: (-n.score, n.row))
    if not ranked:
        return None
    best = ranked[0]
    others = tuple((n.value, round(n.score, 2)) for n in ranked[1:4] if n.value != best.value)
    confidence = max(0.1, min(0.95, 0.3 + 0.45 * best.score))
    return Found(best.value, round(confidence, 3), (best.row,), f"behind {best.label}", others)


def _labelled(
    rows: Sequence[ParsedLine], sheet: Sheet, marks: Sequence[Mark], address: frozenset[int]
) -> Iterator[_Number]:
    """Numbers behind or below words for the number, the receipt or the invoice."""
    slips = _slip_rows(rows)
    for index, parsed in enumerate(rows):
        for role in sheet.roles[index]:
            if role.role not in ("receipt_number", "receipt", "invoice") or role.weight < 0.2:
                continue
            score = _score(role, parsed.text) - 0.004 * index - 0.3 * (sheet.zones[index] == "items")
            named = _DOCUMENT.match(role.phrase) is not None
            score -= 0.4 * (index in slips and not named)
            if index in address and not named:
                continue
            end = _label_end(parsed.text, role)
            read = _behind(index, parsed, end, marks)
            if read is not None:
                if _enough(read, role, score):
                    yield _Number(read, score + _length(read), index, role.phrase)
            elif index + 1 < len(rows) and role.weight >= 0.6:
                below = _below(index + 1, rows, parsed.line.place(role.start, role.end), marks)
                if below is not None and not parsed.text[end:].strip(" :.#-°º"):
                    yield _Number(below, score - 0.1 + _length(below), index + 1, role.phrase)


def _score(role: RoleMatch, text: str) -> float:
    """How surely a phrase announces this receipt's own number."""
    score = role.weight * (1.0 if role.role == "receipt_number" else 0.75)
    if _SLIP.match(role.phrase):
        score -= 0.3
    elif _DOCUMENT.match(role.phrase) or _DOCUMENT.search(role.phrase[2:]):
        score += 0.3
    elif _SALE.match(role.phrase):
        score -= 0.3
    near = letters(text[max(0, role.start - 24) : role.end + 12])
    return score - _EARLIER_COST * (_EARLIER.search(near) is not None)


def _length(value: str) -> float:
    digits = sum(c.isdigit() for c in value)
    return 0.1 if digits >= 4 else -0.15 if digits <= 2 else 0.0


def _enough(value: str, role: RoleMatch, score: float) -> bool:
    """Weak labels and mere titles need a number that looks like one."""
    digits = sum(c.isdigit() for c in value)
    weak = role.role != "receipt_number" or role.weight < 0.5
    return digits >= 3 if weak else digits >= 1


def _label_end(text: str, role: RoleMatch) -> int:
    """Where the label ends: not inside a number that begins with letters ("Factura: B001-123")."""
    end = role.end
    if end < len(text) and text[end].isdigit():
        start = end
        while start > role.start and text[start - 1].isalnum():
            start -= 1
        if start > role.start and end - start <= 3:
            return start
    return end


def _behind(index: int, parsed: ParsedLine, start: int, marks: Sequence[Mark]) -> str | None:
    """The number right behind an offset of a row."""
    text = parsed.text
    lead = _LEAD.match(text, start)
    at = lead.end() if lead else start
    series = _AFTER_SERIES.match(text, at)
    match = _VALUE.match(text, series.end() if series else at)
    if match is None:
        return None
    first, last = match.start(), _groups_end(parsed, match.end())
    while last > match.end() and _taken(index, parsed, match.end(), last, marks):
        last = text.rindex(" ", first, last)
    value = text[first:last].strip(" .-/")
    return value if _is_number(index, parsed, first, last, value, marks) else None


def _groups_end(parsed: ParsedLine, end: int) -> int:
    """End of a number printed in groups of digits, as close to each other as words are."""
    text = parsed.text
    group = re.compile(r" (\d{2,})(?=$|\s)")
    while match := group.match(text, end):
        left, right = parsed.line.place(end - 1, end)[1], parsed.line.place(*match.span(1))[0]
        if right - left > 0.9 * parsed.line.height:
            break
        end = match.end()
    return end


def _taken(index: int, parsed: ParsedLine, start: int, end: int, marks: Sequence[Mark]) -> bool:
    """Whether text[start:end] touches a date, a time or another mark."""
    spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1]
    spans += [(t.start, t.end) for t in parsed.times if t.cost < 1]
    return any(s < end and start < e for s, e in spans) or covered(marks, index, start, end)


def _is_number(
    index: int, parsed: ParsedLine, first: int, last: int, value: str, marks: Sequence[Mark]
) -> bool:
    if not any(c.isdigit() for c in value) or len(value) > _MAX_LENGTH:
        return False
    if _DATE_LIKE.fullmatch(value) and any(d.start <= first < d.end for d in parsed.dates):
        return False
    if _MONEY_LIKE.fullmatch(value) or parsed.text[last : last + 1] in ("%", ":"):
        return False
    whole_dates = (d for d in parsed.dates if d.cost < 1 and d.start <= first and last <= d.end)
    return not any(whole_dates) and not covered(marks, index, first, last)


def _below(
    index: int, rows: Sequence[ParsedLine], place: tuple[float, float], marks: Sequence[Mark]
) -> str | None:
    """A number of four or more digits under a label that has none beside it."""
    parsed = rows[index]
    offset = 0
    for word in parsed.line.words:
        under = word.left < place[1] and place[0] < word.right
        match = _VALUE.fullmatch(word.text.strip("#:"))
        if under and match and sum(c.isdigit() for c in word.text) >= 4:
            first = offset + word.text.index(match.group())
            value, last = match.group(), first + len(match.group())
            alone = not letters(parsed.text[:offset]) or len(parsed.line.words) <= 3
            if (
                alone
                and not _taken(index, parsed, first, last, marks)
                and _is_number(index, parsed, first, last, value, marks)
            ):
                return value
        offset += len(word.text) + 1
    return None


def _slip_rows(rows: Sequence[ParsedLine]) -> frozenset[int]:
    """Rows of a card slip: two rows around its technical data."""
    words = ("aid", "tvr", "auth", "trace", "stan", "rrn", "tsi", "arqc", "approved", "approval", "batch")
    near: set[int] = set()
    for index, parsed in enumerate(rows):
        if any(t.text in words for t in tokens(parsed.text)):
            near.update(range(index - 2, index + 3))
    return frozenset(near)


@cache
def _all_labels() -> dict[str, float]:
    """Letters of the phrases for a receipt's number in every language → weight."""
    found: dict[str, float] = {}
    for path in sorted((assets.folder("regions") / "languages").glob("*.toml")):
        for phrase in load_language(path.stem).phrases("receipt_number"):
            key = letters(phrase.text)
            if len(key) >= 2:
                found[key] = max(phrase.weight, found.get(key, 0.0))
    return found


def _signed(
    rows: Sequence[ParsedLine], sheet: Sheet, marks: Sequence[Mark], address: frozenset[int]
) -> Iterator[_Number]:
    """Numbers behind "#" or a colon: with a label of any language before, or with none but a date."""
    labels = _all_labels()
    slips = _slip_rows(rows)
    for index, parsed in enumerate(rows):
        if index in address or index in slips or sheet.zones[index] == "items":
            continue
        if _SERIES.fullmatch(parsed.text.strip()) and not covered(marks, index, 0, len(parsed.text)):
            yield _Number(parsed.text.strip(), 0.45 - 0.004 * index, index, "nothing: a series and a number")
        for sign in re.finditer(r"[#№:]", parsed.text):
            known = any(m.end >= sign.start() - 1 and m.start < sign.start() for m in sheet.roles[index])
            read = None if known else _behind(index, parsed, sign.end(), marks)
            if read is None or sum(c.isdigit() for c in read) < 3:
                continue
            words = [t.text for t in tokens(parsed.text[: sign.start()])]
            label = next((k for n in (3, 2, 1) if (k := "".join(words[-n:])) in labels), "")
            bare = not words or (bool(parsed.dates) and len("".join(words)) <= 3)
            score = 0.6 * labels[label] if label else 0.35 if bare and sign.group() != ":" else 0.0
            if score:
                yield _Number(read, score + _length(read) - 0.004 * index, index, label or sign.group())
