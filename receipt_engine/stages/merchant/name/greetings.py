"""Finds the merchant's name in sentences: behind greetings and thanks, even misread ones, and before words
for loyalty programmes."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from receipt_engine.region import Language, language_codes, load_language
from receipt_engine.vocabulary import find_terms, is_term, term_at_start
from receipt_engine.vocabulary.normalise import count_letters, squeeze
from receipt_engine.vocabulary.tokens import tokens

#: Smallest similarity of the first word, and of the whole phrase, in percent.
_FIRST_ALIKE = 72
_ALIKE = 86
_WORD = re.compile(r"\S+")
_MOST_WORDS = 8
_BETWEEN = re.compile(r"[\s:,.]*")
#: A name of up to four words. The first begins with a letter, the others with a letter or digit, or are "&".
_NAME = re.compile(r"[^\W\d_][\w&'’.\-]*(?: (?:&|[^\W_][\w&'’.\-]*)){0,3} ?")


@lru_cache(maxsize=4096)
def greeting_end(text: str) -> int:
    """Index where the greeting at the start of a text ends and the name begins; 0 without a greeting, and
    where a comma stands before the name, because it is then the customer's.

    >>> greeting_end("Thank you for shoppi ng at Corner Deli")
    27
    >>> greeting_end("Thanks for riding, Rosa")
    0
    """
    end = _greeting_end(text)
    return 0 if text[:end].rstrip().endswith(",") else end


def _greeting_end(text: str) -> int:
    welcome = term_at_start(text, "welcome")
    if welcome is not None:
        return _name_start(text, welcome.end)
    thanks = term_at_start(text, "thanks")
    visit = term_at_start(text[thanks.end :], "visit") if thanks else None
    if thanks is not None and visit is not None:
        return _name_start(text, thanks.end + visit.end)
    return _misread_greeting_end(text)


def _name_start(text: str, end: int) -> int:
    between = _BETWEEN.match(text, end)
    start = between.end() if between else end
    # "Welcome to the", with the name in the row below; "The" is the name's own.
    article = text[start:].islower() and is_term(text[start:], "determiner", "link")
    return len(text) if article else start


def _misread_greeting_end(text: str) -> int:
    """Like `greeting_end`, for a greeting with misread letters; 0 where the whole text is most like one, as
    "Herzlichen Dank für Ihren Besuch" without the name."""
    first, *rest = text.split(maxsplit=1) or ("",)
    if not rest or not _may_greet(squeeze(first)):
        return 0
    phrases, _ = _greetings()
    words = list(_WORD.finditer(text))[:_MOST_WORDS]
    best: tuple[float, int] = (_ALIKE, 0)
    for count in range(2, len(words) + 1):
        key = squeeze(text[: words[count - 1].end()])
        found = process.extractOne(key, phrases, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        best = max(best, (found[1] if found else 0.0, words[count].start() if count < len(words) else 0))
    return best[1]


@lru_cache(maxsize=4096)
def _may_greet(word: str) -> bool:
    """Whether a word is similar to the first word of a greeting."""
    _, openings = _greetings()
    return process.extractOne(word, openings, scorer=fuzz.ratio, score_cutoff=_FIRST_ALIKE) is not None


@cache
def _greetings() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The greetings of all languages, letters only, and their first words."""
    phrases = [phrase for code in language_codes() for phrase in _of_language(load_language(code))]
    firsts = (found[0].text for phrase in phrases if (found := tokens(phrase)))
    return tuple(dict.fromkeys(map(squeeze, phrases))), tuple(dict.fromkeys(firsts))


def _of_language(language: Language) -> list[str]:
    """The language's phrases of welcome, and those of thanks combined with words for a visit."""
    terms = language.terms
    thanks = [f"{first} {second}" for first in terms.get("thanks", ()) for second in terms.get("visit", ())]
    return [*terms.get("welcome", ()), *thanks]


@lru_cache(maxsize=4096)
def name_before_programme(text: str) -> str:
    """The name in a row on a merchant's loyalty programme, gift cards or app; "" when there is none.

    >>> name_before_programme("Join the Corner Deli Rewards Club today")
    'Corner Deli'
    """
    invitation = term_at_start(text, "invitation")
    start = invitation.end if invitation else 0
    for programme in find_terms(text):
        if programme.term != "programme" or programme.start <= start:
            continue
        lead = text[start : programme.start]
        name = lead.lstrip()
        own = _NAME.fullmatch(name) is not None and not name.islower()
        return name.strip() if own and not _is_nameless(name.split()[0]) else ""
    return ""


def _is_nameless(word: str) -> bool:
    """Whether a first word stands before a programme without naming the shop: "our", "e-"."""
    return count_letters(word) <= 1 or is_term(word, "determiner", "invitation", "sentence")
