"""Sentences that carry the merchant's name: greetings and thanks, also where the recogniser lost letters,
and what is offered to regular customers."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz import fuzz, process

from receipt_engine.vocabulary.normalise import letters

#: Greetings and thanks before a name.
_EXACT = re.compile(
    r"^\W*(?:(?:w|n|v|u)e[l1I]?come\s+(?:to|at)|(?:thank(?:s| you)|"
    r"tq)\s?(?:for\s)?(?:your\s)?(?:shopping|dining|visiting|eating|staying|choosing|visit)"
    r"(?: (?:at|with|in|to))?|bienvenue (?:chez|à|a)|willkommen (?:bei|im|in)|bienvenid[oa]s? a|"
    r"benvenut[io] (?:a|da)|selamat datang (?:ke|di)"
    r"|terima kasih kerana berkunjung ke|bem[- ]vindo a[os]?|v[äa]lkommen till|welkom bij|"
    r"καλως ηρθατε στ[οη]|chao mung(?: quy khach)? den|"
    r"(?:vielen |herzlichen )?dank(?:e)? f[üu]r (?:ihren|deinen) (?:einkauf|besuch) (?:bei|im|in)|"
    r"merci (?:de|pour) votre (?:visite|achat|confiance) (?:chez|à|a|au)|"
    r"gracias por (?:su |tu )?(?:compra(?:r)?|visita(?:r)?) (?:en|a)|"
    r"grazie per (?:aver scelto|la (?:sua )?visita (?:a|da))|"
    r"obrigad[oa] (?:por comprar n[ao]|pela (?:sua )?visita [àa]o?)|"
    r"bedankt voor (?:uw|je) (?:bezoek aan|aankoop bij)|"
    r"tack f[öo]r (?:ditt )?bes[öo]k(?:et)? hos)"
    r"(?![^\W_])[\s:,.]*",
    re.IGNORECASE,
)
#: The same as letters alone, for rows with slips in them. The last word leads to the name.
_LETTERS = tuple(
    letters(phrase)
    for phrase in (
        "welcome to",
        "thank you for shopping at",
        "thank you for shopping with",
        "thank you for dining at",
        "thank you for dining with",
        "thank you for eating at",
        "thank you for choosing",
        "thank you for visiting",
        "thanks for visiting",
        "thanks for shopping at",
        "vielen dank für ihren einkauf bei",
        "vielen dank für ihren besuch bei",
        "merci de votre visite chez",
        "gracias por su compra en",
        "gracias por su visita a",
    )
)
_FIRST = ("welcome", "thank", "thanks", "vielen", "merci", "gracias")
#: Likeness of the first word, and of the whole phrase.
_FIRST_ALIKE = 72
_ALIKE = 86
_WORD = re.compile(r"\S+")
_MOST_WORDS = 8


@lru_cache(maxsize=4096)
def greeting_end(text: str) -> int:
    """Where the greeting at the start of a text ends and the name begins; 0 without a greeting.

    >>> greeting_end("Thank you for shoppi ng at Corner Deli")
    27
    """
    exact = _EXACT.match(text)
    if exact is not None:
        return exact.end()
    first, *rest = text.split(maxsplit=1) or ("",)
    greets = process.extractOne(letters(first), _FIRST, scorer=fuzz.ratio, score_cutoff=_FIRST_ALIKE)
    if not rest or greets is None:
        return 0
    words = list(_WORD.finditer(text))[:_MOST_WORDS]
    best: tuple[float, int] = (_ALIKE, 0)
    for count in range(2, len(words)):
        key = letters(text[: words[count - 1].end()])
        alike = max(fuzz.ratio(key, phrase) for phrase in _LETTERS)
        best = max(best, (alike, words[count].start()))
    return best[1]


#: The name before what a shop offers its regular customers, or behind an invitation to it.
_REGULARS = re.compile(
    r"^\W*(?:(?:please )?join(?: the| our)? |download(?: the| our)? |ask (?:us )?about(?: the| our)? |"
    r"become an? |sign up for(?: the)? )?"
    r"(?P<name>[A-Z][\w&'’.\-]*(?: (?:&|[A-Z0-9][\w&'’.\-]*)){0,3}?) "
    r"(?:(?:loyalty|rewards?)(?: (?:program(?:me)?|club|cards?|members?|app))?|gift cards?|mobile app|"
    r"app)\b",
    re.IGNORECASE,
)
#: Words that say whose it is without a name.
_NAMELESS = frozenset(
    [
        "my",
        "our",
        "your",
        "the",
        "a",
        "this",
        "free",
        "earn",
        "get",
        "new",
        "more",
        "join",
        "use",
        "with",
        "e",
    ]
)


@lru_cache(maxsize=4096)
def name_of_regulars(text: str) -> str:
    """The name in a row on a merchant's loyalty programme, gift cards or app; "" when there is none.

    >>> name_of_regulars("Join the Corner Deli Rewards Club today")
    'Corner Deli'
    """
    found = _REGULARS.match(text)
    name = found.group("name") if found else ""
    words = name.lower().split()
    return "" if not words or words[0] in _NAMELESS or name.islower() else name
