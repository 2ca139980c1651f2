"""The currency: printed signs and codes first, then the region, never a guess."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine.document import DateChoice, FiscalCode, Found, ParsedLine, RegionGuess, Sheet
from receipt_engine.region import FormerCurrency, Role, normalize_code
from receipt_engine.stages.localize.clues import PROOFS, Kind
from receipt_engine.stages.localize.countries import countries
from receipt_engine.stages.localize.money import Sign, find_signs, is_code, is_sure, meanings
from receipt_engine.stages.localize.posterior import Posterior, coded_countries, weigh

#: What a mark on a row with such words counts; elsewhere 1.
_ON_ROW: dict[Role, float] = {
    "total": 3.0,
    "subtotal": 1.5,
    "cash": 1.5,
    "card": 1.5,
    "change": 1.5,
    "tax": 1.2,
}
_APART = 0.5  # a code that no number touches: a heading
_MAIN = 0.6  # share of the marks that settles the currency
_SETTLED = 0.6  # probability from which on an ambiguous mark is resolved
_POSSIBLE = 0.1  # probability below which letters beside an amount are a tax code, not a currency
_PROVED = 0.65  # probability of the currency's countries from which on no mark is needed
_ONLY = 0.9  # the same, from which on no proof is
_PROOF = 2.0  # nats that tax number, telephone and address must bring
_AGREED, _ALONE, _GIVEN = 0.99, 0.95, 0.93
_CONTRADICTED = 0.7  # the region's currency where another country's sign is printed


@dataclass(frozen=True, slots=True)
class _Marks:
    """counts: mark → how much of it is printed, by the rows it stands on; rows: where."""

    counts: Mapping[str, float]
    rows: Mapping[str, tuple[int, ...]]


def find_currency(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    guesses: Sequence[RegionGuess],
    hint: str | None,
    codes: Sequence[FiscalCode] = (),
    script: str | None = None,
    date: DateChoice | None = None,
) -> Found | None:
    """The currency's code; None when neither the print nor the region tells it.

    guesses: of `localize` on the same lines with the same hint and script. codes: the fiscal codes of the
    page: theirs counts where no sign tells another. date: of the sale, because countries change their
    currency. CNY is called RMB.
    """
    texts = [row.text for row in rows]
    marks = _marks(find_signs(texts), sheet)
    posterior = weigh(texts, hint, coded_countries(codes), script)
    day = date.date if date else None
    currencies = _currencies(day)
    by_currency = _by_currency(posterior, currencies)
    coded = next((c.currency for c in codes if c.currency), None)
    given = coded or _given(hint, guesses, currencies)
    # Without a day a sign of the former currency may be of the one that was paid in.
    former = {code: was.code for code, was in _changed().items()}
    possible = by_currency if day else by_currency | _by_currency(posterior, former)
    printed = _printed(marks, possible, given)
    if printed is not None:
        return printed
    if given is not None:
        sure = _CONTRADICTED if any(is_sure(text) for text in marks.counts) else _GIVEN
        return _found(given, sure, (), "fiscal code" if coded else "region given", by_currency)
    return _proved(posterior, by_currency, currencies)


def _given(hint: str | None, guesses: Sequence[RegionGuess], currencies: Mapping[str, str]) -> str | None:
    """The currency of the region that was given, unless the receipt overruled it."""
    code = normalize_code(hint) if hint else None
    if code is None or not guesses or guesses[0].code != code:
        return None
    return currencies.get(code)


def _currencies(day: str | None) -> Mapping[str, str]:
    """Country → its currency on a day (``YYYY-MM-DD``), today's when the day is not known."""
    if day is None:
        return _present()
    sold = datetime.date.fromisoformat(day)
    then = {code: former.code for code, former in _changed().items() if sold <= former.until}
    return {**_present(), **then}


@cache
def _present() -> Mapping[str, str]:
    """Country → its currency today."""
    return {country.code: country.currency for country in countries()}


@cache
def _changed() -> Mapping[str, FormerCurrency]:
    """Country → the currency that it had before."""
    return {country.code: country.former for country in countries() if country.former}


def _marks(signs: Sequence[Sign], sheet: Sheet) -> _Marks:
    counts: dict[str, float] = {}
    rows: dict[str, list[int]] = {}
    for sign in signs:
        on_row = max((_ON_ROW.get(m.role, 1.0) * m.weight for m in sheet.roles[sign.row]), default=1.0)
        weight = max(1.0, on_row) * (1.0 if sign.beside else _APART)
        counts[sign.text] = counts.get(sign.text, 0.0) + weight
        rows.setdefault(sign.text, []).append(sign.row)
    return _Marks(counts, {text: tuple(dict.fromkeys(found)) for text, found in rows.items()})


def _by_currency(posterior: Posterior, currencies: Mapping[str, str]) -> dict[str, float]:
    """Probability of the countries that use each currency, largest first."""
    found: dict[str, float] = {}
    for code, currency in currencies.items():
        found[currency] = found.get(currency, 0.0) + posterior.probabilities.get(code, 0.0)
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _printed(marks: _Marks, by_currency: Mapping[str, float], given: str | None) -> Found | None:
    """The currency that the marks mean, each read as the likeliest country that prints it means it."""
    votes: dict[str, float] = {}
    sure: dict[str, float] = {}
    rows: dict[str, list[int]] = {}
    for text, count in marks.counts.items():
        meant, probability = _meant(meanings(text), by_currency, given)
        on_total = count >= _ON_ROW["total"] and is_code(text)  # "TOTAL MAD 80.95" is no word
        sure_mark = (is_sure(text) and count > _APART) or on_total
        if meant is None or not (sure_mark or by_currency.get(meant, 0.0) >= _POSSIBLE):
            continue
        votes[meant] = votes.get(meant, 0.0) + count
        sure[meant] = max(probability, sure.get(meant, 0.0))
        rows.setdefault(meant, []).extend(marks.rows[text])
    if not votes:
        return None
    # Where two are as likely, as when a country changes its currency, the first is the one paid in.
    strength = {c: round(vote * (0.5 + by_currency.get(c, 0.0)), 1) for c, vote in votes.items()}
    best = max(votes, key=lambda c: (strength[c], -min(rows[c]), c))
    share = votes[best] / sum(votes.values())
    confidence = sure[best] * (1.0 if share >= _MAIN else max(share, by_currency.get(best, 0.0)))
    if sure[best] < _SETTLED:
        return None
    others = {c: (1 - share) * v / sum(votes.values()) for c, v in votes.items() if c != best}
    return _found(best, confidence, tuple(sorted(set(rows[best]))), "printed", others)


def _meant(
    possible: frozenset[str], by_currency: Mapping[str, float], given: str | None
) -> tuple[str | None, float]:
    """Which of the currencies that share a mark is meant, and how surely."""
    if len(possible) == 1:
        (only,) = possible
        return only, _AGREED if by_currency.get(only, 0.0) > 0.5 or only == given else _ALONE
    if given in possible:
        return given, _AGREED
    mass = sum(by_currency.get(c, 0.0) for c in possible)
    if mass < _POSSIBLE:
        return None, 0.0
    best = max(sorted(possible), key=lambda c: by_currency.get(c, 0.0))
    return best, min(_AGREED, by_currency.get(best, 0.0) / mass)


def _proved(
    posterior: Posterior, by_currency: Mapping[str, float], currencies: Mapping[str, str]
) -> Found | None:
    """The currency of the countries that tax number, telephone or address prove, or of hardly any other than
    those that print so: Icelandic with its taxes is paid in one currency."""
    best = next(iter(by_currency), None)
    if best is None or by_currency[best] < _PROVED:
        return None
    codes = [code for code, currency in currencies.items() if currency == best]
    proof = max(sum(posterior.score(kind, code) for kind in _proofs()) for code in codes)
    if proof < _PROOF and by_currency[best] < _ONLY:
        return None
    rule = "region proved" if proof >= _PROOF else "printed nowhere else"
    return _found(best, by_currency[best] * _GIVEN, (), rule, by_currency)


def _proofs() -> tuple[Kind, ...]:
    return tuple(sorted(PROOFS))


def _found(
    currency: str, confidence: float, rows: tuple[int, ...], rule: str, others: Mapping[str, float]
) -> Found:
    runners = sorted(((c, p) for c, p in others.items() if c != currency and p >= 0.01), key=lambda r: -r[1])
    named = [(_name(c), p) for c, p in runners[:3]]
    return Found(_name(currency), confidence, rows, rule, tuple(named))


def _name(currency: str) -> str:
    """The contract calls the yuan RMB."""
    return "RMB" if currency == "CNY" else currency
