"""Writes docs/regions.md: the known facts of every region, from the files in regions/.

python -m scripts.describe_regions
"""

from __future__ import annotations

from pathlib import Path

from receipt_engine.region import (
    Identifier,
    Region,
    Separators,
    Tax,
    load_language,
    load_region,
    region_codes,
)

TARGET = Path(__file__).resolve().parent.parent / "docs" / "regions.md"
HEAD = """# What is known of each region

Written by `python -m scripts.describe_regions` from `regions/*.toml`; `regions/README.md` explains the files.
Tax rates are those without an end date; the laws are named in the files. Cash totals are rounded to the step
in the column rounding. Identifiers marked ✓ have check digits that are verified.
"""
COLUMNS = (
    *("code", "country", "languages", "currency", "numbers", "dates", "taxes, %", "in prices", "rounding"),
    *("identifiers", "postcode"),
)
_MANY_RATES = 12
_PLACES = {"before_city": "before the city", "after_city": "after the city", "own_line": "on its own row"}


def main() -> int:
    """Writes the file; returns the exit status."""
    TARGET.write_text(describe(), encoding="utf-8")
    return 0


def describe() -> str:
    """The whole file: a row for each region, sorted by code."""
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(_cells(load_region(code)) for code in region_codes())]
    return HEAD + "".join(f"\n| {' | '.join(row)} |" for row in rows) + "\n"


def _cells(region: Region) -> list[str]:
    rounding = [rule.step for rule in region.rounding if rule.until is None]
    return [
        f"`{region.code}`",
        region.name,
        ", ".join(load_language(code).name for code in region.languages),
        " ".join(dict.fromkeys((region.currency.code, region.currency.symbols[0]))),
        ", ".join(f"`{_number(habit, region.currency.decimals)}`" for habit in region.numbers.habits),
        region.dates.order,
        _taxes(region.tax),
        region.tax.inclusive if region.tax.names else "",
        ", ".join(rounding),
        ", ".join(map(_identifier, region.identifiers)),
        _PLACES.get(region.address.postcode_place, "none"),
    ]


def _taxes(tax: Tax) -> str:
    rates = sorted({float(rate.rate) for rate in tax.rates if rate.until is None}, reverse=True)
    names = ", ".join(tax.names[:2]) or "none"
    if len(rates) > _MANY_RATES:
        return f"{names}: {len(rates)} rates, up to {rates[0]:g}"
    return f"{names}: {', '.join(f'{rate:g}' for rate in rates)}" if rates else names


def _number(habit: Separators, decimals: int) -> str:
    """1234567.89 as printed with these separators."""
    group = habit.groups[0] if habit.groups else ""
    whole = group.join(("12", "34", "567") if habit.indian else ("1", "234", "567"))
    return f"{whole}{habit.decimal}{'890'[:decimals]}" if decimals else whole


def _identifier(identifier: Identifier) -> str:
    return f"{identifier.name} ✓" if identifier.stdnum else identifier.name


if __name__ == "__main__":
    raise SystemExit(main())
