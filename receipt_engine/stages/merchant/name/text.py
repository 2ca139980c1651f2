"""Extracts the name from a segment's text: without greetings, store and company numbers and ornaments."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from receipt_engine.region import Term
from receipt_engine.stages.merchant.name.greetings import greeting_end
from receipt_engine.stages.merchant.store_numbers import ORNAMENTS, is_store_number, without_store_number
from receipt_engine.vocabulary import (
    find_terms,
    has_term,
    is_term,
    lowered,
    term_at_end,
    term_at_start,
    term_pattern,
    term_phrases,
)
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_legal_form, with_form_repaired
from receipt_engine.vocabulary.normalise import INDIAN_SIGNS, count_letters, letters, squeeze
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import is_trade_word
from receipt_engine.vocabulary.wide_labels import wide_label

#: A company's number behind its legal form, perhaps with letters misread for digits ("LTD 8O2775-U"), or
#: without the blank and the bracket between ("BHD519537-X)").
_NUMBER_BEHIND_FORM = re.compile(
    r"(?<=[^\W\d_]{3})[\s,]+\(?(?=[A-Z\dO]*\d[A-Z\d]*\d)[A-Z\d]{5,12}(?:-[A-Z\d]{1,2})?\)?\s*$"
    r"|(?<=[^\W\d_]{3})\s*\((?=[^)]*\d{4})[^\s)]+\)?\s*$"
    r"|(?<=[^\W\d_]{2}|/[^\W\d_])\d{5,7}-[A-Z]\)?\s*$"
)
_SHORT_LAST = re.compile(rf"(?:^|[\s.])(?:[^\W\d_][{INDIAN_SIGNS}]*){{1,4}}$")
#: A legal form, a name in quotation marks, and the rest of a label behind it: SIA "KETTLE" PVN.
_QUOTED = re.compile(r"""^(\w{1,4}\W{1,2}[^\W\d_][^"”]*["”])\W+[^\W\d_]{1,4}\W*$""")
#: Behind a label: a bracket, a colon, or a blank behind East Asian characters.
_BEHIND_LABEL = re.compile(
    r"\s*(?:[\])】]\s*[:：]?|[:：])\s*|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])\s+"
)
#: "Trading as" and "operating as", abbreviated.
_TRADING_AS = re.compile(r"(?<![^\W_])[to]\s?/\s?as?\b", re.IGNORECASE)
#: Letters misread as digits: "Gri11", "Gr111", "0ld", "0'Malley", "P0INT", "F00DS", "STUDI0"; but
#: "1st", "10th".
_MISREAD = re.compile(
    r"(?<![^\W_])(?:[01]+[a-z]{3,}|0[a-z1][a-z]|[A-Za-z]*[a-z]{2,}[01]+[a-z]*|[a-z]11|[A-Z]?[a-z]1[1a-z]+)"
    r"(?![^\W_])"
    r"|(?<![^\W_])(?:0[A-Z]{2,}|[A-Z]+[01]{1,2}[A-Z]{2,}|[A-Z]{3,}(?:[01][A-Z]|0)|[A-Z]0[a-z]{2,})(?![^\W_])"
)
#: A word with a number, unless the word with a letter in its place is a trade: "Box1", but "Hote1".
_NUMBERED = re.compile(r"[A-Za-z]+[01]")
#: Words before a number: "Level11".
_COUNTED: tuple[Term, ...] = ("unit", "plot", "store", "number", "table")
_MISREAD_CAPITAL = re.compile(r"(?<![^\W_])0(?=['’][A-Z])")
#: A one that is an i: before two others, or between consonants of which the last is no ending: "Ch1cken".
_AS_I = re.compile(r"(?<=[a-z])1(?=11)|(?<=[bcdfghjkmnpqrstvwxz])1(?=[bcdfghjklmnpqrtvwxz]|s[a-z])")
_AS_LETTERS, _AS_CAPITALS = str.maketrans("01", "ol"), str.maketrans("01", "OI")
_DIGIT = re.compile(r"\d")
#: Words for what a shop sells, how long it is open and since when it exists.
_OFFERS: tuple[Term, ...] = ("offer", "opening", "founded")
_NUMBER_BEHIND = re.compile(r"[^\w\s]*\d")
#: A name between stars, and the branch behind it: "* KETTLE * Northgate".
_FRAMED = re.compile(r"\*+ *([^*]*[^\W\d_]{3}[^*]*?) *\*+ *[^\W_]")
#: The sender of a letter before the address on the same row: "Kettle Ltd · 12 Mill St · 97201 Portland",
#: "Kessel, Am Bach 3, 97201 Weimar".
_LETTERHEAD = re.compile(
    r"([^\d·|•]{3,}?)\s*[·|•]\s*(?=[^·|•]*\d[^·|•]*[·|•][^·|•]*\d)"
    r"|([^\d,]{3,}?)\s*,\s*(?=[^,]*\d[^,]*,[^,]*\d)"
)
#: The sender of an e-mail before the address in angle brackets, which is blank: "From: Kettle < >".
_MAILBOX = re.compile(r"(?:[^\W\d_]{2,8} ?: ?)?([^<>:]*[^\W\d_]{3}[^<>:]*?) ?<(?: ?>)?$")
#: An ornament between two rows of a name: "BISTRO *** KETTLE ***".
_ORNAMENT = re.compile(r"(?<=[^\W\d_]{3}) [*=~+#.-]{2,} (?=[^\W\d_]{2})")
#: Quotation marks that begin a quotation, and those that end it.
_QUOTES = (("„", '“”"'), ("«", "»"), ("“", '”"'))
_EMPTY_BRACKETS = re.compile(r"[(\[{]\s*[)\]}]")


@lru_cache(maxsize=4096)
def clean_name(text: str) -> str:
    """The name in a segment's text; "" when nothing is left.

    >>> clean_name("*** Welcome to Corner Deli #0042 ***")
    'Corner Deli'
    """
    name = _ORNAMENT.sub(" ", _EMPTY_BRACKETS.sub(" ", text.replace("_", " ")))
    if is_store_number(name):
        return ""
    name = " ".join(name.split())
    framed = _FRAMED.match(name) or _LETTERHEAD.match(name) or _MAILBOX.match(name)
    name = framed[framed.lastindex or 0] if framed else name
    numbered = _DIGIT.search(name) is not None
    if numbered:
        name = _MISREAD_CAPITAL.sub("O", _MISREAD.sub(_as_letters, name))
    name = _without_label_behind(name[_label_end(name) :])
    if greeted := greeting_end(name):
        name = _without_sentence(name[greeted:])
    name = _shop_of_company(name)
    name = _without_former_name(_trim(name[_owner_end(name) :]))
    name = _without_owner_behind(_without_tax_label(name))
    if '"' in name or "”" in name:
        name = _QUOTED.sub(r"\1", name)
    name = _NUMBER_BEHIND_FORM.sub("", name) if numbered else name
    name = _without_offer(name)
    return with_form_repaired(_trim(without_store_number(name) if numbered else name))


def _without_sentence(name: str) -> str:
    """The name behind a greeting without the rest of its sentence: "Kettle Goods is on its way"."""
    words = (match for match in find_terms(name) if match.term == "sentence" and match.start > 0)
    start = next((match.start for match in words if name[match.start :].islower()), len(name))
    return name[:start].rstrip(" !")


def _as_letters(misread: re.Match[str]) -> str:
    """A word with its digits as letters; unchanged where the digit may number it."""
    found = misread.group()
    spelled = _AS_I.sub("i", found).translate(_AS_LETTERS)
    word = found.translate(_AS_CAPITALS) if found.isupper() else _capital(found, spelled)
    counted = term_at_start(bare := found.rstrip("01"), *_COUNTED)
    numbered = _NUMBERED.fullmatch(found) is not None or (counted is not None and counted.end == len(bare))
    return found if numbered and not is_trade_word(word) else word


def _capital(found: str, word: str) -> str:
    """The word with a capital where its first letter was read as a zero: "0ld"."""
    return "O" + word[1:] if found[0] == "0" else word


def _label_end(text: str) -> int:
    """End of a label before a shop's name, with its colon or bracket ("[매장명]"); 0 without one."""
    if is_term(text, "name_label"):
        return len(text)
    wide = wide_label(text)
    if wide is not None and is_term(wide.letters, "name_label"):
        return wide.end
    label = term_at_start(text, "name_label")
    sign = _BEHIND_LABEL.match(text, label.end) if label else None
    return sign.end() if sign else 0


def _without_label_behind(text: str) -> str:
    """The name without the label at its end, with its colon, of the address below: "Kettle address:"."""
    label = term_at_end(text, "address_label") if text.rstrip().endswith(":") else None
    shorter = text[: label.start] if label else text
    return shorter if count_letters(shorter) >= SHORTEST_NAME else text


@lru_cache(maxsize=4096)
def is_announced(text: str) -> bool:
    """Whether a label for a shop's name stands before it, "Merchant name: Kettle", or its company behind it:
    "Kettle is a trading name of Copper Foods Ltd"."""
    return 0 < _label_end(text) < len(text) or _company_start(text) > 0


def _company_start(text: str) -> int:
    """Start of the words between a trading name and its company; 0 without them."""
    if not has_term(text, "trading_name_of"):
        return 0
    return next(m.start for m in find_terms(text) if m.term == "trading_name_of")


def _owner_end(text: str) -> int:
    """End of the words before a name that announce the company or person behind a shop; 0 without any."""
    owner = term_at_start(text, "owner")
    sign = _trading_sign(text)
    begins = sign is not None and not letters(text[: sign[0]])
    return owner.end if owner else sign[1] if sign and begins else 0


def _trading_sign(text: str) -> tuple[int, int] | None:
    """Start and end of "trading as" in a text, whole or abbreviated; None without it."""
    if (sign := _TRADING_AS.search(text)) is not None:
        return sign.span()
    if not has_term(text, "trading_as"):
        return None
    return next((m.start, m.end) for m in find_terms(text) if m.term == "trading_as")


def _shop_of_company(name: str) -> str:
    """The shop behind "trading as" and its company: "Copper Foods LLC dba Kettle". The text before these
    words where nothing stands behind them, or the company does."""
    if start := _company_start(name):
        return name[:start]
    sign = _trading_sign(name)
    if sign is None or count_letters(name[: sign[0]]) < SHORTEST_NAME:
        return name
    behind = name[sign[1] :]
    shop = count_letters(behind) >= SHORTEST_NAME and not has_legal_form(behind)
    return behind if shop else name[: sign[0]]


@lru_cache(maxsize=4096)
def names_shop(text: str, above: str) -> bool:
    """Whether "trading as" stands before a text without a legal form, or at the end of the row above it."""
    sign = _trading_sign(text)
    begins = sign is not None and not letters(text[: sign[0]])
    return (begins or ends_in_trading_sign(above)) and not has_legal_form(text)


@lru_cache(maxsize=4096)
def ends_in_trading_sign(text: str) -> bool:
    """Whether a company's row ends in "trading as", so that its shop's name follows below."""
    sign = _trading_sign(text)
    return sign is not None and bool(letters(text[: sign[0]])) and not letters(text[sign[1] :])


def _without_former_name(name: str) -> str:
    """The name without the company's former name: "GREEN GROCER LTD FKA RED GROCER LTD"."""
    if not has_term(name, "formerly"):
        return name
    for former in find_terms(name):
        parted = name[former.start - 1 : former.start] in tuple(" ,(-")
        if former.term == "formerly" and former.start > 0 and parted:
            return name[: former.start].rstrip(" ,(-")
    return name


def _without_owner_behind(name: str) -> str:
    """The name without the owner behind a comma: "Kettle Bakery, owner: Ana Lee"."""
    before, _, behind = name.rpartition(",")
    if count_letters(before) < SHORTEST_NAME or not has_term(behind, "owner"):
        return name
    owner = behind[_owner_end(behind) :]
    return before if owner != behind and count_letters(owner) >= SHORTEST_NAME else name


def _without_tax_label(name: str) -> str:
    """The name without the label, in capitals, of a tax number printed behind a company's name."""
    label = term_at_end(name, "tax_number")
    if label is None or not name[label.start : label.end].isupper():
        return name
    before = name[: label.start].rstrip(" ,-")
    return before if has_legal_form(before) else name


def _without_offer(name: str) -> str:
    """The name without the shop's range or founding year behind it."""
    if not has_term(name, *_OFFERS):
        return name
    offer = _offer().search(lowered(name))
    return name if offer is None else name[: offer.start()]


@cache
def _offer() -> re.Pattern[str]:
    """An offer, opening hours or the year of foundation, behind a name in the same row."""
    offer, opening, founded = map(term_pattern, _OFFERS)
    return re.compile(
        rf"(?<=[^\W_]{{2}})[\s,\-–*|]+(?:{offer}|{opening} 24\W?[^\W\d_]{{0,8}}"
        rf"|{founded}\.?\s*(?:1[89]|20)\d\d)\W*$"
    )


def _trim(name: str) -> str:
    """The name without ornaments at both ends, but with its own final full stop, quotes or brackets."""
    bare = name.strip(ORNAMENTS)
    if not bare:
        return ""
    behind = name[name.rfind(bare) + len(bare) :].strip()
    before = name[: name.find(bare)].strip()
    if behind[:1] in ('"', "”", "“") and (before[-1:] in ('"', "„", "“") or bare.count('"') % 2):
        bare += '"'
    if before[-1:] == '"' and bare.count('"') % 2:
        bare = '"' + bare
    bare = _with_quotes(bare, before[-1:], behind[:1])
    if (behind.startswith(".") and "." in bare and _SHORT_LAST.search(bare)) or _abbreviated(bare, behind):
        bare += "."
    if bare.count("(") > bare.count(")"):
        bare += ")" if ")" in behind or len(bare) - bare.rfind("(") > 2 else ""
        bare = bare.rstrip("( ")
    elif bare.count(")") > bare.count("("):
        bare = _without_stray_bracket(bare)
    return bare


def _with_quotes(bare: str, before: str, behind: str) -> str:
    """The name with a trimmed quotation mark whose other half it still has: „Kettle“ OOD, OOD «Kettle»."""
    for opening, closing in _QUOTES:
        if before == opening and opening not in bare and any(sign in bare for sign in closing):
            return before + bare
        if behind and behind in closing and opening in bare and not any(sign in bare for sign in closing):
            return bare + behind
    return bare


def _without_stray_bracket(bare: str) -> str:
    """The name without an unmatched closing bracket and up to three characters behind it."""
    if bare.endswith(")"):
        return bare.replace(")", "").strip()
    before, _, behind = bare.rpartition(")")
    return before.strip() if "(" not in before and len(behind.strip()) <= 3 else bare


def _abbreviated(bare: str, behind: str) -> bool:
    if not behind.startswith("."):
        return False
    last = bare.rsplit(" ", 1)[-1].lower()
    return len(last) == 1 or (last.isalpha() and is_legal_form(last)) or is_term(last, "street")


@lru_cache(maxsize=4096)
def is_owner(text: str) -> bool:
    """Whether a word for the owner, or "t/a", stands before the name, so the row is no plain trading name."""
    return _owner_end(text) > 0


@lru_cache(maxsize=4096)
def is_greeted(text: str) -> bool:
    """Whether a text begins with a greeting ("Welcome to Corner Deli")."""
    return greeting_end(text) > 0


def is_greeting_only(text: str) -> bool:
    """Whether a segment is only a greeting ("Welcome to"), so that the name follows below it."""
    return is_greeted(text) and not clean_name(text)


@lru_cache(maxsize=4096)
def count_sentence_words(text: str) -> int:
    """How many words of a text belong to sentences and slogans rather than to names.

    >>> count_sentence_words("You'll always pay less here")
    4
    """
    found = [match for match in find_terms(text) if match.term == "sentence"]
    printed = [text[match.start : match.end] for match in found]
    return sum(
        (word.isascii() or match.phrase in _accented())  # "CƠM" is no "com"
        and _NUMBER_BEHIND.match(text, match.end) is None  # "No. 14" is no "no"
        for match, word in zip(found, printed, strict=True)
    )


@cache
def _accented() -> frozenset[str]:
    """The letters of words of sentences that are written with other letters than a to z. Tills leave accents
    out, but print none that a word has not."""
    return frozenset(squeeze(phrase) for phrase in term_phrases("sentence") if not phrase.isascii())
