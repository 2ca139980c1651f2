"""Composes small receipts from one language's words, each with its true values.

A till of a country that prints the language sells two items: in cash, by card with a tip, with a rounded
total, on an invoice. The words are those of `regions/languages/<code>.toml`. Where a receipt is folded, no
sum balances: only the words identify an amount.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from receipt_engine import assets
from receipt_engine.region import Language, Region, Role, load_language, load_region, region_codes
from receipt_engine.scoring.certainty import SURE

#: Fields of the Result that a receipt may state, as the API names them.
FIELDS = (
    *("total", "subTotal", "tax", "cash", "change", "discount", "tip", "rounding"),
    *("date", "paymentMethod", "documentType"),
)
_SOLD_ON = date(2026, 3, 14)
_WIDTH = 44
Value = Decimal | str | None


@dataclass
class LanguageReceipt:
    """text: its rows; region: the country's code; says: field → value, None where none is printed."""

    kind: str
    region: str
    text: str
    says: dict[str, Value]


def language_codes() -> list[str]:
    """Every language that has a file, sorted."""
    return sorted(path.stem for path in (assets.folder("regions") / "languages").glob("*.toml"))


@cache
def countries_of(code: str) -> list[Region]:
    """Countries that list the language earliest: those with a tax first, then its namesake, then frequent
    ones."""
    regions = [load_region(region) for region in region_codes()]
    printing = [region for region in regions if code in region.languages]
    first = min(region.languages.index(code) for region in printing)
    return sorted(
        (region for region in printing if region.languages.index(code) == first),
        key=lambda region: (not _rate(region), region.code != code, region.rare),
    )


def receipts_in(code: str, wording: int = 0) -> tuple[LanguageReceipt, ...]:
    """The receipts of a language. wording, from 0: selects the high-confidence phrase of each role and the
    country."""
    language, countries = load_language(code), countries_of(code)
    region = countries[wording % len(countries)]
    return tuple(make(_Till(language, region, wording)).done() for make in _MAKERS)


@dataclass
class _Till:
    language: Language
    region: Region
    wording: int
    kind: str = ""
    rows: list[str] = field(default_factory=list)
    says: dict[str, Value] = field(default_factory=dict)

    def word(self, role: Role) -> str | None:
        """The language's printed phrase for a role; None where it has none of high confidence."""
        sure = [phrase.text for phrase in self.language.phrases(role) if phrase.weight >= SURE]
        return sure[self.wording % len(sure)].upper() if sure else None

    def amount(self, value: Decimal) -> str:
        """The amount as the country prints it."""
        habit = self.region.numbers.habits[0]
        whole, _, fraction = f"{value:.{self.region.currency.decimals}f}".partition(".")
        sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
        group = habit.groups[0] if habit.groups else ""
        grouped = f"{digits[:-3]}{group}{digits[-3:]}" if len(digits) > 3 else digits
        return sign + grouped + (habit.decimal + fraction if fraction else "")

    def price(self, text: str) -> Decimal:
        """An amount in the country's currency: a hundred times as much where it has no cents."""
        return Decimal(text) * (1 if self.region.currency.decimals else 100)

    def row(self, words: str, value: Decimal) -> None:
        amount = self.amount(value)
        self.rows.append(f"{words}{amount:>{max(_WIDTH - len(words), len(amount) + 2)}}")

    def state(self, role: Role, name: str, value: Decimal, printed: Decimal | None = None) -> None:
        """Adds a row of the role, where the language has a word for it. printed: if not the value."""
        if word := self.word(role):
            self.row(word, value if printed is None else printed)
            self.says[name] = value

    def done(self) -> LanguageReceipt:
        says = {name: self.says.get(name) for name in FIELDS}
        return LanguageReceipt(self.kind, self.region.code, "\n".join(self.rows), says)


def _head(till: _Till, kind: str, title: Role = "receipt") -> Decimal:
    """Adds name, title, date and two items; returns the sum of the items."""
    called = till.word(title) or ""
    till.kind = kind
    till.rows += ["          ZORVEX & PLIMT", f"     {called}", _date_row(till), ""]
    till.says["date"] = _SOLD_ON.isoformat()
    till.says["documentType"] = "Invoice" if called and title == "invoice" else "Receipt"
    prices = [till.price("14.00"), till.price("26.50")]
    for name, price in zip(("XAVOLA BRIMTO", "QUILPO GRENZU"), prices, strict=True):
        till.row(name, price)
    till.rows.append("")
    return sum(prices, Decimal())


def _date_row(till: _Till) -> str:
    order = till.region.dates.order
    pattern = {"dmy": "%d/%m/%Y", "mdy": "%m/%d/%Y", "ymd": "%Y/%m/%d"}[order]
    printed = _SOLD_ON.strftime(pattern)
    if till.wording and order != "ymd" and till.language.months:
        day, month = str(_SOLD_ON.day), till.language.months[_SOLD_ON.month - 1][0]
        printed = " ".join((day, month) if order == "dmy" else (month, day)) + f" {_SOLD_ON.year}"
    return f"{till.word('date') or ''}  {printed}  18:42"


def _rate(region: Region) -> Decimal:
    """The usual tax rate, 0 where there is none."""
    rates = [Decimal(rate.rate) for rate in region.tax.rates if rate.until is None]
    return next(filter(None, rates), Decimal())


def _tax(till: _Till, net: Decimal, gross: Decimal | None = None) -> Decimal:
    """Adds a row of tax, on the net price or contained in the gross one; returns the tax, 0 without a row."""
    rate = _rate(till.region)
    step = Decimal(1).scaleb(-till.region.currency.decimals)
    part = gross * rate / (100 + rate) if gross is not None else net * rate / 100
    amount = part.quantize(step, ROUND_HALF_UP)
    if amount and (word := till.word("tax")):
        till.row(f"{word} {rate.normalize():f}%", amount)
        till.says["tax"] = amount
        return amount
    return Decimal()


def _cash(till: _Till) -> _Till:
    """Discount, total, tax contained in prices, cash and change."""
    items = _head(till, "cash")
    till.state("subtotal", "subTotal", items)
    off = till.price("1.50")
    till.state("discount", "discount", off, printed=-off)
    total = items - (off if till.says.get("discount") else 0)
    inclusive = till.region.tax.inclusive != "no"
    if not inclusive:
        total += _tax(till, total)
    till.state("total", "total", total)
    if inclusive:
        _tax(till, total, gross=total)
    given = till.price("100.00")
    till.state("cash", "cash", given)
    till.state("change", "change", given - total)
    till.says["paymentMethod"] = "CASH"
    return till


def _card(till: _Till) -> _Till:
    """A tip on top, paid by card."""
    items = _head(till, "card")
    till.state("subtotal", "subTotal", items)
    total = items
    if till.region.tax.inclusive == "no":
        total += _tax(till, items)
    till.state("tip", "tip", till.price("4.00"))
    total += till.price("4.00") if till.says.get("tip") else 0
    till.state("total", "total", total)
    if word := till.word("card"):
        till.row(word, total)
        till.says["paymentMethod"] = word
    return till


def _rounded(till: _Till) -> _Till:
    """A total rounded to an amount payable in coins."""
    items = _head(till, "rounded")
    till.row("XAVOLA TRENK", till.price("1.02"))
    total = items + till.price("1.02")
    till.rows.append("")
    till.state("subtotal", "subTotal", total)
    off = till.price("-0.02")
    till.state("rounding", "rounding", off)
    total += off if till.says.get("rounding") else 0
    till.state("total", "total", total)
    given = till.price("50.00")
    till.state("cash", "cash", given)
    till.state("change", "change", given - total)
    till.says["paymentMethod"] = "CASH"
    return till


def _invoice(till: _Till) -> _Till:
    """An invoice with a title that says so."""
    items = _head(till, "invoice", "invoice")
    till.state("total", "total", items)
    return till


def _folded_subtotal(till: _Till) -> _Till:
    """Subtotal, total and cash."""
    _head(till, "folded: subtotal")
    till.state("subtotal", "subTotal", till.price("83.40"))
    till.state("total", "total", till.price("90.15"))
    till.state("cash", "cash", till.price("100.00"))
    till.says["paymentMethod"] = "CASH"
    return till


def _folded_discount(till: _Till) -> _Till:
    """A discount, and a tax without its rate."""
    _head(till, "folded: discount")
    off = till.price("1.50")
    till.state("discount", "discount", off, printed=-off)
    till.state("total", "total", till.price("61.30"))
    if _rate(till.region):
        till.state("tax", "tax", till.price("4.10"))
    return till


def _folded_tip(till: _Till) -> _Till:
    """A tip, a rounding, and change, which implies cash."""
    _head(till, "folded: tip")
    till.state("tip", "tip", till.price("7.00"))
    till.state("rounding", "rounding", till.price("-0.03"))
    till.state("total", "total", till.price("77.20"))
    till.state("change", "change", till.price("2.80"))
    till.says["paymentMethod"] = "CASH"
    return till


_MAKERS = (_cash, _card, _rounded, _invoice, _folded_subtotal, _folded_discount, _folded_tip)
