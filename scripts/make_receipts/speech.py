"""Chooses a receipt's phrases: the generator's first, then those of the region data."""

from __future__ import annotations

from receipt_engine.region import Region, Role, load_language
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.vocabulary import Country, Tongue, alternatives

#: Purpose of the generator → role of the region data with the same meaning.
ROLES: dict[str, Role] = {
    "total": "total",
    "to_pay": "total",
    "subtotal": "subtotal",
    "net": "net",
    "gross": "gross",
    "total_tax": "total_tax",
    "tip": "tip",
    "service": "service",
    "discount": "discount",
    "promo": "discount",
    "savings": "savings",
    "rounding": "rounding",
    "cash": "cash",
    "change": "change",
    "deposit": "deposit",
    "void": "void",
    "item_count": "item_count",
    "balance": "balance",
    "date": "date",
    "return_by": "not_date",
    "expiry": "not_date",
    "due": "not_date",
    "time": "time",
    "phone": "phone",
    "fax": "fax",
    "receipt_no": "receipt_number",
    "cashier": "cashier",
    "invoice_title": "invoice",
    "receipt_title": "receipt",
    "thanks": "footer",
    "suggested": "suggested",
}
#: Phrases for languages without one, used alike by many tills.
NEUTRAL = {
    "times": "x | X | * | @",
    "tax_line": "{tax} {rate}% | {tax} @ {rate}%",
    "tax_incl": "{tax} {rate}% incl.",
    "col_name": "Item",
    "col_qty": "Qty",
    "col_price": "Price",
    "col_amount": "Amount",
    "col_rate": "%",
}
#: Words of one currency, which tills of others do not print.
CURRENCIES = {"eur": "EUR", "euro": "EUR", "ευρω": "EUR", "chf": "CHF", "gbp": "GBP", "r$": "BRL"}
CURRENCIES |= {"m.n.": "MXN", "b/.": "PAB", "us$": "PAB", "rm": "MYR", "sek": "SEK"}
#: Probability of using the region's own words although the generator has some.
BORROWED = 0.15
#: Only this many phrases of a role are used: later ones are rare, or spellings of misreadings.
COMMON = 5


class Speech:
    """One receipt's choice of words: the phrase for a purpose is the same throughout."""

    def __init__(self, region: Region, country: Country, tongue: Tongue, echo: Tongue | None, dice: Dice):
        self.region = region
        self.country = country
        self.tongue = tongue
        self.echo = echo
        self._dice = dice
        self._said: dict[str, str] = {}

    def knows(self, purpose: str) -> bool:
        """Whether there is any phrase for it."""
        return bool(self._own(purpose) or self._borrowed(purpose))

    def say(self, purpose: str) -> str:
        """The phrase of this receipt for a purpose; "" when neither data nor region has one."""
        if purpose not in self._said:
            self._said[purpose] = self._choose(purpose)
        return self._said[purpose]

    def fresh(self, purpose: str) -> str:
        """A phrase that may differ from the last one (promotions, footers)."""
        return self._choose(purpose)

    def all(self, purpose: str) -> tuple[str, ...]:
        """Every phrase of the generator for a purpose."""
        return self._own(purpose)

    def both(self, purpose: str) -> str:
        """The phrase, in bilingual receipts followed by that of the second language."""
        phrase = self.say(purpose)
        second = alternatives(self.echo.phrases.get(purpose, "")) if self.echo else ()
        if not second:
            return phrase
        key = f"{purpose}/echo"
        if key not in self._said:
            self._said[key] = self._dice.pick(second)
        return f"{phrase}{self._joint()}{self._said[key]}"

    def _joint(self) -> str:
        if "/joint" not in self._said:
            self._said["/joint"] = self._dice.pick((" ", " / ", "/"))
        return self._said["/joint"]

    def _choose(self, purpose: str) -> str:
        own, borrowed = self._own(purpose), self._borrowed(purpose)
        if borrowed and (not own or self._dice.chance(BORROWED)):
            return self._dice.pick(borrowed)
        return self._dice.pick(own) if own else ""

    def _own(self, purpose: str) -> tuple[str, ...]:
        text = self.country.phrases.get(f"{self.tongue.code}.{purpose}") or self.country.phrases.get(purpose)
        phrases = alternatives(text or self.tongue.phrases.get(purpose) or NEUTRAL.get(purpose, ""))
        return tuple(phrase for phrase in phrases if self._domestic(phrase))

    def _domestic(self, phrase: str) -> bool:
        named = {CURRENCIES[word] for word in phrase.lower().split() if word in CURRENCIES}
        return named <= {self.region.currency.code}

    def _borrowed(self, purpose: str) -> tuple[str, ...]:
        role = ROLES.get(purpose)
        if role is None or self.tongue.code not in self.region.languages:
            return ()
        phrases = load_language(self.tongue.code).phrases(role)
        # A single letter left of a currency sign ("total r") is not a printable word.
        sure = [p.text for p in phrases if p.weight >= 0.95 and len(p.text.split()[-1]) > 1]
        return tuple(_capital(text) for text in sure[:COMMON] if self._domestic(text))


def _capital(text: str) -> str:
    """Region phrases are in lower case; a receipt starts them with a capital."""
    return text[:1].upper() + text[1:]
