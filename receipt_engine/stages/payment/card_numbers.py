"""The last digits of the card that paid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import Found, ParsedLine, Sheet
from receipt_engine.vocabulary.normalise import letters

#: A masked card number and its last digits: stars in a row or in groups. It begins where a run of
#: stars does, so that rows of stars take linear time.
_STAR = r"[xX*×•·#]"
_BLANK = r"[\s.\-]"
_MASKED = re.compile(
    rf"(?<!{_STAR})(?<!{_STAR}{_BLANK})(?<!{_STAR}{_BLANK}{_BLANK})(?:#\s{{1,2}})?{_STAR}{{2}}(?:{_BLANK}{{0,2}}{_STAR})*{_BLANK}{{0,2}}"
    r"(\d{4})(?!\d|[.,]\d)|[.…]{3,}+\s?(\d{4})(?!\d|[.,]\d)"
)
#: One sign only, behind the name of the card: "VISA x4402", "Visa *6138".
_SHORT = re.compile(r"(?<=[^\W\d_][\s:])\s?[xX*×•#](\d{4})(?![\d.,])")
_SAID = re.compile(
    r"(?:\bend(?:ing|s)(?: in| with)?|endet auf|endziffern|terminad[ao] en|termin[ée]e? par|final|"
    r"last (?:4|four)(?: digits)?|card (?:no|number|#)|acct|account #?)\s?[.:#]*\s?(\d{4})(?![\d.,/-])",
    re.IGNORECASE,
)
_CARD_WORDS = re.compile(
    r"card|karte|carte|tarj|kort|kaart|cartao|kartu|κάρτα|καρτα|カード|卡|credit|debit|visa|master"
)
_OTHER_CARDS = re.compile(
    r"gift|loyal|member|medlem|mitglied|fidel|punkt|point|punto|ponto|bonus|reward|driver|phone|"
    r"geschenk|cadeau|regalo|presente|会員|會員|会员"
)
_FULL = 8
_LEAST = 0.5


def card_digits(rows: Sequence[ParsedLine], sheet: Sheet) -> Found | None:
    """The last four digits of the paying card, from a masked number beside its scheme or a word for card."""
    ranked: list[tuple[float, int, str]] = []
    for index, parsed in enumerate(rows):
        if not any(map(str.isdigit, parsed.text)):
            continue
        for pattern, sure in ((_MASKED, 0.45), (_SHORT, 0.3), (_SAID, 0.45)):
            for match in pattern.finditer(parsed.text):
                value = next(g for g in match.groups() if g)
                score = sure + _context(index, rows, sheet)
                score += 0.15 * (sum(c in "xX*×•·#" for c in match.group()) >= _FULL)
                ranked.append((score, index, value))
    if not ranked:
        return None
    score, index, value = max(ranked, key=lambda r: (r[0], r[1]))
    return Found(value, round(min(0.95, score), 3), (index,), "masked number") if score > _LEAST else None


def _context(index: int, rows: Sequence[ParsedLine], sheet: Sheet) -> float:
    """How surely a masked number on a row belongs to the card that paid."""
    near = [m for i in range(max(0, index - 3), min(len(rows), index + 2)) for m in sheet.roles[i]]
    text = letters(rows[index].text)
    card = any(m.role == "card" and m.weight >= 0.5 for m in near) or _CARD_WORDS.search(text) is not None
    other = _OTHER_CARDS.search(text) is not None
    other = other or any(m.role in ("loyalty", "balance") for m in sheet.roles[index])
    return 0.3 * card - 0.6 * other
