"""Comparison rules, one function per kind of field: is `given` right when `expected` is the label?

Both are non-empty values of the kind. `strict` requires the value itself; otherwise the tolerances stated in
each rule apply as well.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from benchmarks.datasets.sample import Value
from benchmarks.scoring import text

Rule = Callable[[Value, Value, bool], bool]

NAME_SIMILARITY = 0.8
ADDRESS_SIMILARITY = 0.85
#: Minimum number of digits that two phone numbers of different lengths must share.
PHONE_DIGITS = 7
#: From this length a name may be found inside another one with spaces removed.
JOINED_NAME = 5


def same_text(expected: Value, given: Value, strict: bool) -> bool:
    """Equal text, ignoring white space and case."""
    return text.squeezed(str(expected)) == text.squeezed(str(given))


def same_code(expected: Value, given: Value, strict: bool) -> bool:
    """Equal letters and digits: the number may be printed with dots, dashes or spaces."""
    return text.letters(str(expected)) == text.letters(str(given))


def same_tax_number(expected: Value, given: Value, strict: bool) -> bool:
    """Like `same_code`; unless strict, one may start with the two letters of the country."""
    wanted, found = text.letters(str(expected)), text.letters(str(given))
    if wanted == found or strict:
        return wanted == found
    longer, shorter = max(wanted, found, key=len), min(wanted, found, key=len)
    return len(longer) == len(shorter) + 2 and longer[:2].isalpha() and longer[2:] == shorter


def same_name(expected: Value, given: Value, strict: bool) -> bool:
    """At least 80 % similar."""
    return text.similarity(str(expected), str(given)) >= NAME_SIMILARITY


def contains_name(expected: Value, given: Value, strict: bool) -> bool:
    """The answer contains the label's words; a longer label may also be joined with its neighbours."""
    wanted, found = text.words(str(expected)), text.words(str(given))
    length = len(wanted)
    if any(found[at : at + length] == wanted for at in range(len(found) - length + 1)):
        return True
    joined = "".join(wanted)
    return len(joined) >= JOINED_NAME and joined in "".join(found)


def same_address(expected: Value, given: Value, strict: bool) -> bool:
    return text.similarity(str(expected), str(given)) >= ADDRESS_SIMILARITY


def same_phone(expected: Value, given: Value, strict: bool) -> bool:
    """Equal digits; unless strict, one may have a country or area code in front."""
    wanted, found = text.digits(str(expected)), text.digits(str(given))
    if wanted == found or strict:
        return wanted == found
    wanted, found = wanted.lstrip("0"), found.lstrip("0")
    shorter = min(len(wanted), len(found))
    return shorter >= PHONE_DIGITS and (wanted.endswith(found) or found.endswith(wanted))


def same_amount(expected: Value, given: Value, strict: bool) -> bool:
    return Decimal(str(expected)) == Decimal(str(given))


def same_amounts(expected: Value, given: Value, strict: bool) -> bool:
    """Equal lists, ignoring amounts of zero and, unless strict, the order."""
    wanted, found = _nonzero(expected), _nonzero(given)
    return wanted == found if strict else sorted(wanted) == sorted(found)


def _nonzero(values: Value) -> list[Decimal]:
    listed = values if isinstance(values, tuple) else ()
    return [value for value in listed if isinstance(value, Decimal) and value != 0]


def same_date(expected: Value, given: Value, strict: bool) -> bool:
    """Equal days; the time is ignored."""
    return str(expected)[:10] == str(given)[:10]


def same_time(expected: Value, given: Value, strict: bool) -> bool:
    """Equal to the second; unless strict, to the minute."""
    length = len("hh:mm:ss") if strict else len("hh:mm")
    return str(expected)[:length] == str(given)[:length]


def same_moment(expected: Value, given: Value, strict: bool) -> bool:
    """Equal days and times."""
    wanted, found = str(expected), str(given)
    return same_date(wanted, found, strict) and same_time(wanted[11:], found[11:], strict)


def same_barcodes(expected: Value, given: Value, strict: bool) -> bool:
    """Equal data and types; unless strict, ignoring order and white space."""
    wanted, found = _codes(expected), _codes(given)
    if strict:
        return wanted == found
    return sorted(map(_bare, wanted)) == sorted(map(_bare, found))


def _codes(values: Value) -> list[tuple[str, str]]:
    listed = values if isinstance(values, tuple) else ()
    return [value for value in listed if isinstance(value, tuple)]


def _bare(code: tuple[str, str]) -> tuple[str, str]:
    return ("".join(code[0].split()), code[1])
