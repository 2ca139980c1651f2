"""The name within a segment of text: without greetings, store numbers, registration numbers and ornaments."""

from __future__ import annotations

import re
from functools import lru_cache

from receipt_engine.stages.merchant.name.greetings import greeting_end
from receipt_engine.vocabulary.legal_forms import with_form_mended
from receipt_engine.vocabulary.normalise import count_letters

#: Words that announce the company behind the trading name.
_OWNER = re.compile(
    r"^\W*(?:operated by|owned(?: and operated)? by|own by|managed by|(?:a )?(?:unit|division|"
    r"franchisee|licensee) of|dimiliki(?: oleh)?|"
    r"dikendalikan oleh|t\s?/\s?a|trading as|betrieben von|inh(?:aber)?\b\.?|propriet(?:or|aire|ario)|"
    r"prop\b\.?|"
    r"razon social|ragione sociale|raison sociale|nazwa|formerly known as|f\.?k\.?a\b\.?)[\s:.]*",
    re.IGNORECASE,
)
#: A store's number behind the name: "#0733", "No. 12", "Store 5451", "017314".
_STORE_NUMBER = re.compile(
    r"[\s,\-(]*(?:(?:store|shop|branch|unit|filiale|fil|outlet)\s*)?(?:[#№]|\bno\.?|\bnr\.?)\s*[A-Z]{0,3}-?\d{1,8}\)?\s*$"
    r"|\s+\(?\d{4,8}\)?\s*$|\s+(?:store|shop|branch|filiale)\s*[#№]?\s*\d{1,8}\s*$",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[#№]|[^\W\d_]{2}")
_LEADING_NUMBER = re.compile(
    r"^\W*(?:store|shop)?\s?[#№]\s?\d+[\s:,\-]+|^\W*\d{5,}\s+(?=[^\W\d_]{3})", re.IGNORECASE
)
#: A segment that is nothing but a store's number.
_NUMBER_ALONE = re.compile(
    r"^\W*(?:store|shop|branch|unit|outlet|filiale|fil|markt|register|terminal)\s?(?:(?:[#№:]|no\b|nr\b)[\s.:#]*\d+|\d{3,})\W*$",
    re.IGNORECASE,
)
#: Words between a name and the name that the company had before.
_FORMERLY = re.compile(
    r"[\s,(\-]+(?:f\.?k\.?a\.?|formerly(?: known as)?|vormals|anciennement|già)\s.*$", re.IGNORECASE
)
#: A company's number behind its legal form, read with letters for digits ("LTD 8O2775-U").
_NUMBER_BEHIND_FORM = re.compile(
    r"(?<=[^\W\d_]{3})[\s,]+\(?(?=[A-Z\dO]*\d[A-Z\d]*\d)[A-Z\d]{5,12}(?:-[A-Z\d]{1,2})?\)?\s*$"
    r"|(?<=[^\W\d_]{3})\s*\((?=[^)]*\d{4})[^\s)]+\)?\s*$"
)
#: Words for a tax number that is printed behind the name.
_NUMBER_WORD = re.compile(
    r"[\s,\-]+(?:PVN|PUN|VAT|GST|TIN|NIP|NIF|CIF|RUC|RUT|CUIT|CNPJ|RFC|ABN|UID|BTW|TVA|MST|P\.?\s?IVA)(?:\s?(?:no|nr|reg))?\W*$"
)
#: What a shop offers, behind its name in the same row.
_OFFER = re.compile(
    r"(?<=[^\W_]{2})[\s,\-–*|]+(?:we deliver|free delivery|home delivery|now hiring|open 24 ?(?:hours|hrs)|"
    r"(?:since|est\.?|seit|desde|depuis|dal|established)\s*(?:in )?(?:1[89]|20)\d\d)\W*$",
    re.IGNORECASE,
)
_ORNAMENT = " \t*=~_+|<>•·.,:;-–—#^`´'\"“”„«»/\\"
_SHORT_LAST = re.compile(r"(?:^|[\s.])[^\W\d_]{1,4}$")
_KEPT_END = re.compile(r"(?:[.!?)\]]|,-)+$")
#: Digits that are letters: "Gri11", "0ld".
_MISREAD = re.compile(r"(?<![^\W_])(?:[01]+[a-z]{2,}|[A-Za-z]*[a-z]{2,}[01]+[a-z]*|[a-z]11)(?![^\W_])")
_AS_LETTERS = str.maketrans("01", "ol")
_DIGIT = re.compile(r"\d")
#: A name has at least so many letters beside its store's number.
_OWN_LETTERS = 3
_EMPTY_BRACKETS = re.compile(r"[(\[{]\s*[)\]}]")


@lru_cache(maxsize=4096)
def clean_name(text: str) -> str:
    """The name in a segment; "" when nothing is left.

    >>> clean_name("*** Welcome to Corner Deli #0042 ***")
    'Corner Deli'
    """
    name = _EMPTY_BRACKETS.sub(" ", text.replace("_", " "))
    if _NUMBER_ALONE.match(name):
        return ""
    name = " ".join(name.split())
    numbered = _DIGIT.search(name) is not None
    if numbered:
        name = _MISREAD.sub(lambda m: m.group().translate(_AS_LETTERS), name)
    name = name[greeting_end(name) :]
    owner = _OWNER.match(name)
    name = _FORMERLY.sub("", _trim(name[owner.end() :] if owner else name))
    name = _NUMBER_WORD.sub("", _LEADING_NUMBER.sub("", name) if numbered else name)
    name = _OFFER.sub("", _NUMBER_BEHIND_FORM.sub("", name) if numbered else name)
    shorter = _STORE_NUMBER.sub("", name) if numbered and _ends_in_number(name) else ""
    if count_letters(shorter) >= _OWN_LETTERS:
        name = shorter
    return with_form_mended(_trim(name))


def _trim(name: str) -> str:
    """Without ornaments at both ends; a final point, bracket or exclamation mark that belongs stays."""
    bare = name.strip(_ORNAMENT)
    if not bare:
        return ""
    behind = name[name.rfind(bare) + len(bare) :].strip()
    before = name[: name.find(bare)].strip()
    if behind[:1] in ('"', "”", "“") and (before[-1:] in ('"', "„", "“") or bare.count('"') % 2):
        bare += '"'
    if before[-1:] == '"' and bare.count('"') % 2:
        bare = '"' + bare
    if (behind.startswith(".") and "." in bare and _SHORT_LAST.search(bare)) or _abbreviated(bare, behind):
        bare += "."
    if bare.count("(") > bare.count(")"):
        bare += ")" if ")" in behind or len(bare) - bare.rfind("(") > 2 else ""
        bare = bare.rstrip("( ")
    elif bare.count(")") > bare.count("("):
        bare = _without_stray_bracket(bare)
    return bare


def _without_stray_bracket(bare: str) -> str:
    """Without a closing bracket that nothing opens, and a scrap of a number behind it."""
    if bare.endswith(")"):
        return bare.replace(")", "").strip()
    before, _, behind = bare.rpartition(")")
    return before.strip() if "(" not in before and len(behind.strip()) <= 3 else bare


def _abbreviated(bare: str, behind: str) -> bool:
    last = bare.rsplit(" ", 1)[-1].lower()
    return behind.startswith(".") and last in (
        "inc",
        "ltd",
        "co",
        "corp",
        "bhd",
        "bros",
        "int'l",
        "st",
        "k",
        "e",
    )


def _ends_in_number(text: str) -> bool:
    """Whether a store's number may stand at the end: spares the search in nearly all texts."""
    last = text.rstrip()[-1:]
    return last == ")" or last.isdecimal()


@lru_cache(maxsize=4096)
def has_store_number(text: str) -> bool:
    """Whether the number of a store, marked as one, stands behind the name ("Corner Deli #42").

    >>> has_store_number("Corner Deli #42"), has_store_number("Store #42"), has_store_number("Route 4200")
    (True, False, False)
    """
    bare = text.strip(_ORNAMENT)
    found = _STORE_NUMBER.search(bare) if _ends_in_number(bare) else None
    return found is not None and _MARKED.search(found.group()) is not None and not _NUMBER_ALONE.match(text)


@lru_cache(maxsize=4096)
def is_owner(text: str) -> bool:
    """Whether words before a name say that it is the owner's or a former one, not the trading name."""
    return _OWNER.match(text) is not None


@lru_cache(maxsize=4096)
def is_greeted(text: str) -> bool:
    """Whether a greeting stands before the name ("Welcome to Corner Deli")."""
    return greeting_end(text) > 0


def is_greeting_only(text: str) -> bool:
    """Whether a segment only greets ("Welcome to"), so that the name follows below it."""
    return is_greeted(text) and not clean_name(text)
