"""Invented countries, one for each way to print numbers and dates, so that real data can change freely."""

from __future__ import annotations

from receipt_engine.region import (
    Address,
    Currency,
    DateOrder,
    Dates,
    Era,
    Numbers,
    Phone,
    Region,
    Separators,
    Tax,
    Words,
)

POINT = Separators(decimal=".", groups=(",",))
COMMA = Separators(decimal=",", groups=(".",))
SPACED_COMMA = Separators(decimal=",", groups=(" ",))
SPACED_POINT = Separators(decimal=".", groups=(" ", ","))
APOSTROPHE = Separators(decimal=".", groups=("'",))
POINT_OR_BLANK = Separators(decimal=",", groups=(".", " "))
LAKH = Separators(decimal=".", groups=(",",), indian=True)

ERAS = (
    Era(names=("令和", "R"), start=2019),
    Era(names=("平成", "H"), start=1989),
    Era(names=("昭和", "S"), start=1926),
)
LABELS: dict[str, tuple[str | Words, ...]] = {
    "date": ("datum", "day of sale"),
    "time": ("clock", "kl"),
    "phone": ("tel", "ph"),
    "quantity": ("qty", "pzas"),
    "weight": ("kilos",),
}


def land(
    code: str,
    languages: str,
    currency: Currency,
    habits: tuple[Separators, ...],
    order: DateOrder,
    eras: tuple[Era, ...] = (),
    tax_codes: tuple[str, ...] = (),
    calendar: str = "gregorian",
) -> Region:
    return Region(
        code=code,
        name=f"{code} land",
        languages=tuple(languages.split()),
        currency=currency,
        numbers=Numbers(habits=habits),
        dates=Dates(order=order, eras=eras, calendar=calendar),  # type: ignore[arg-type]
        tax=Tax(codes=tax_codes),
        phone=Phone(calling_code="999", region="ZZ"),
        address=Address(country=f"{code} land"),
        words=LABELS,  # type: ignore[arg-type]
    )


def money(code: str, *symbols: str, decimals: int = 2, optional: bool = False) -> Currency:
    return Currency(code=code, symbols=symbols, decimals=decimals, fraction_optional=optional)


LANDS = {
    region.code: region
    for region in (
        land("dollar", "en", money("USD", "$"), (POINT,), "mdy"),
        land("pound", "en", money("GBP", "£"), (POINT,), "dmy"),
        land("ringgit", "ms en", money("MYR", "RM"), (POINT,), "dmy", tax_codes=("SR", "ZRL")),
        land("sol", "es", money("PEN", "S/", "S/."), (POINT,), "dmy", tax_codes=("G", "E")),
        land("real", "pt", money("BRL", "R$"), (COMMA,), "dmy"),
        land("euro", "de", money("EUR", "€"), (COMMA,), "dmy"),
        land("duro", "es ca", money("EUR", "€"), (COMMA,), "dmy"),
        land("lepton", "el", money("EUR", "€"), (COMMA,), "dmy"),
        land("lira", "it", money("EUR", "€"), (COMMA,), "dmy"),
        land("gulden", "nl", money("EUR", "€"), (COMMA,), "dmy"),
        land("franc", "de fr it", money("CHF", "Fr.", "SFr."), (APOSTROPHE,), "dmy"),
        land("ecu", "fr", money("EUR", "€"), (SPACED_COMMA,), "dmy"),
        land("koruna", "sk", money("EUR", "€"), (POINT_OR_BLANK,), "dmy"),
        land("krona", "sv", money("SEK", "kr"), (SPACED_COMMA,), "ymd"),
        land("rand", "en af", money("ZAR", "R"), (SPACED_POINT, SPACED_COMMA), "dmy"),
        land("peso", "es", money("CLP", "$", decimals=0), (COMMA,), "dmy"),
        land("cafetero", "es", money("COP", "$", optional=True), (COMMA, POINT), "dmy"),
        land("yen", "ja", money("JPY", "¥", "円", decimals=0), (POINT,), "ymd", ERAS),
        land("yuan", "zh en", money("HKD", "HK$", "$"), (POINT,), "dmy"),
        land("rupee", "en hi", money("INR", "₹", "Rs.", "Rs"), (LAKH,), "dmy"),
        land("rupiah", "id", money("IDR", "Rp", decimals=0), (COMMA, POINT), "dmy"),
        land("dong", "vi", money("VND", "₫", "đ", decimals=0), (COMMA, POINT), "dmy"),
        land("dirham", "ar en", money("AED", "Dhs", "د.إ"), (POINT,), "dmy"),
        land("shilling", "en sw", money("KES", "KSh", "Kshs"), (POINT,), "dmy"),
        land("paanga", "to en", money("TOP", "T$", "$"), (POINT,), "dmy"),
        land("loonie", "en fr", money("CAD", "$", "CA$"), (POINT, SPACED_COMMA), "ymd"),
        land("baht", "th en", money("THB", "฿"), (POINT,), "dmy", calendar="buddhist"),
        land("nepal", "ne en", money("NPR", "Rs."), (LAKH,), "dmy", calendar="bikram sambat"),
        land("lats", "lv", money("EUR", "€"), (COMMA,), "dmy"),
        land("dinar", "ar en", money("KWD", "KD", decimals=3), (POINT,), "dmy"),
        land("piso", "en fil", money("PHP", "₱", "P"), (POINT,), "mdy"),
    )
}
