"""Determines the currency: from printed signs and codes first, then from the region; never guesses."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine.document import (
    Chosen,
    DateChoice,
    FiscalCode,
    Found,
    ParsedLine,
    RegionGuess,
    Sheet,
    says,
)
from receipt_engine.region import FormerCurrency, Role, currency_marks, normalize_code
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.localize.countries import PROOFS, countries
from receipt_engine.stages.localize.money import Sign, find_misread, find_signs, is_code, is_sure, meanings
from receipt_engine.stages.localize.posterior import Posterior, coded_countries, weigh

#: Weight of a mark on a row of this role; 1 on any other row.
_ON_ROW: dict[Role, float] = {
    "total": 3.0,
    "subtotal": 1.5,
    "cash": 1.5,
    "card": 1.5,
    "change": 1.5,
    "tax": 1.2,
}
_APART = 0.5  # weight of a code without a number beside it: a heading
_STRAY = 1.0  # at most this weight of all marks of another currency than the region's may be a misreading
_MAIN = 0.6  # share of the marks that settles the currency
_SETTLED = 0.6  # minimum probability that resolves an ambiguous mark
_POSSIBLE = 0.1  # minimum probability of a possible country; below it, letters are a tax code, no currency
_PROVED = 0.65  # minimum probability of the currency's countries if no mark is printed
_ONLY = 0.9  # the same, if there is no proof either
_PROOF = 2.0  # minimum summed score, in nats, of the kinds of clues in `PROOFS`
_AGREED, _ALONE, _GIVEN = 0.99, 0.95, 0.93
_MISREAD = 0.8  # if the sign is read as another one
_CONTRADICTED = 0.7  # confidence in the region's currency if an unambiguous mark is printed


@dataclass(frozen=True, slots=True)
class _Marks:
    """counts: mark → summed weight of its occurrences. rows: mark → the rows it stands on."""

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
    total: Chosen | None = None,
) -> Found | None:
    """Returns the currency's code, or None when neither the printed text nor the region determines it.

    guesses: result of `localize` on the same lines with the same hint and script. codes: the page's fiscal
    codes; their currency counts unless printed marks decide. date: of the sale, because countries change
    their currency. total: the chosen one, whose own code decides where the page has several ("TOTAL (USD)").
    CNY is reported as RMB.
    """
    texts = [row.text for row in rows]
    signs = find_signs(texts)
    marks = _marks(signs, sheet)
    posterior = weigh(texts, hint, coded_countries(codes), script)
    day = date.date if date else None
    currencies = _currencies(day)
    by_currency = _by_currency(posterior, currencies)
    coded = next((c.currency for c in codes if c.currency), None)
    given = coded or _given(hint, guesses, currencies)
    # Without a date, the sale may have been paid in the former currency.
    former = {code: was.code for code, was in _changed().items()}
    possible = by_currency if day else by_currency | _by_currency(posterior, former)
    own = given or next((c for c, p in by_currency.items() if p >= _SETTLED), None)
    misread = {own: _marks(tuple(find_misread(texts, own)), sheet)} if own and marks.counts else {}
    printed = _printed(marks, misread, possible, given)
    if printed is not None:
        of_total = _of_total(signs, total, printed, possible)
        if of_total is not None or not _is_converted(printed, sheet, total):
            return of_total or printed
    if given is not None:
        sure = _CONTRADICTED if any(is_sure(text) for text in marks.counts) else _GIVEN
        return _found(given, sure, (), "fiscal code" if coded else "region given", by_currency)
    return _proved(posterior, by_currency, currencies)


def _given(hint: str | None, guesses: Sequence[RegionGuess], currencies: Mapping[str, str]) -> str | None:
    """Returns the currency of the region given as hint, unless the receipt overruled the hint."""
    code = normalize_code(hint) if hint else None
    if code is None or not guesses or guesses[0].code != code:
        return None
    return currencies.get(code)


def _currencies(day: str | None) -> Mapping[str, str]:
    """Returns country → its currency on a day (``YYYY-MM-DD``), or today's if the day is not known."""
    if day is None:
        return _present()
    sold = datetime.date.fromisoformat(day)
    then = {code: former.code for code, former in _changed().items() if sold <= former.until}
    return {**_present(), **then}


@cache
def _present() -> Mapping[str, str]:
    """Returns country → its present currency."""
    return {country.code: country.currency for country in countries()}


@cache
def _changed() -> Mapping[str, FormerCurrency]:
    """Returns country → its former currency, for countries that have one."""
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
    """Returns currency → summed probability of the countries that use it, largest first."""
    found: dict[str, float] = {}
    for code, currency in currencies.items():
        found[currency] = found.get(currency, 0.0) + posterior.probabilities.get(code, 0.0)
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _printed(
    marks: _Marks, misread: Mapping[str, _Marks], by_currency: Mapping[str, float], given: str | None
) -> Found | None:
    """Returns the currency of the printed marks, each mark read as its likeliest meaning.

    misread: currency → what may be misread signs of it; they only count against marks of another currency.
    """
    votes: dict[str, float] = {}
    sure: dict[str, float] = {}
    rows: dict[str, list[int]] = {}
    for text, count in marks.counts.items():
        meant, probability = _meant(meanings(text), by_currency, given)
        coded = any(is_code(mark) for mark in marks.counts if meanings(mark) & meanings(text))
        unknown = None if coded else _unknown(text, by_currency, given)
        if unknown is not None:
            meant, probability = unknown, _MISREAD
        on_total = count >= _ON_ROW["total"] and is_code(text)  # "MAD" in "TOTAL MAD 80.95" is not a word
        sure_mark = (is_sure(text) and count > _APART) or on_total
        if meant is None or not (sure_mark or by_currency.get(meant, 0.0) >= _POSSIBLE):
            continue
        votes[meant] = votes.get(meant, 0.0) + count
        sure[meant] = max(probability, sure.get(meant, 0.0))
        rows.setdefault(meant, []).extend(marks.rows[text])
    if not votes:
        return None
    for own, letters in misread.items():
        if letters.counts:
            votes[own] = votes.get(own, 0.0) + sum(letters.counts.values())
            sure[own] = max(_MISREAD, sure.get(own, 0.0))
            rows.setdefault(own, []).extend(row for found in letters.rows.values() for row in found)
    # If two are equally strong, as when a country changes its currency, the one printed first was paid in.
    strength = {c: round(vote * (0.5 + by_currency.get(c, 0.0)), 1) for c, vote in votes.items()}
    best = max(votes, key=lambda c: (strength[c], -min(rows[c]), c))
    share = votes[best] / sum(votes.values())
    confidence = sure[best] * (1.0 if share >= _MAIN else max(share, by_currency.get(best, 0.0)))
    stray = given not in (None, best) and votes[best] <= _STRAY
    if sure[best] < _SETTLED or stray:
        return None
    others = {c: (1 - share) * v / sum(votes.values()) for c, v in votes.items() if c != best}
    return _found(best, confidence, tuple(sorted(set(rows[best]))), "printed", others)


def _is_converted(printed: Found, sheet: Sheet, total: Chosen | None) -> bool:
    """Whether a currency is printed only beside other totals than the chosen one, which they convert."""
    if total is None or total.entry is None or not printed.lines:
        return False
    return all(
        says(sheet.roles[row], ["total"], LIKELY)
        and not any(e.line == row and e.amount.value == total.value for e in sheet.entries)
        for row in printed.lines
    )


def _of_total(
    signs: Sequence[Sign], total: Chosen | None, printed: Found, by_currency: Mapping[str, float]
) -> Found | None:
    """Returns the currency whose code stands in the total's row, if the page's marks are those of another."""
    row = total.entry.line if total and total.entry else None
    codes = {sign.text for sign in signs if sign.row == row and is_code(sign.text)}
    meant = {
        currency
        for code in codes
        for currency in meanings(code)
        if is_sure(code) or by_currency.get(currency, 0.0) >= _POSSIBLE
    }
    if row is None or len(meant) != 1 or _name(next(iter(meant))) == printed.value:
        return None
    return _found(meant.pop(), _ALONE, (row,), "printed", {printed.value: 1 - _ALONE})


def _unknown(mark: str, by_currency: Mapping[str, float], given: str | None) -> str | None:
    """Returns the currency whose sign the recogniser does not know and reads as this mark, if it is given or
    likely; else None."""
    signs = currency_marks().unknown.get(mark, "")
    found = (currency for sign in signs for currency in sorted(meanings(sign)))
    return next((c for c in found if c == given or by_currency.get(c, 0.0) >= _SETTLED), None)


def _meant(
    possible: frozenset[str], by_currency: Mapping[str, float], given: str | None
) -> tuple[str | None, float]:
    """Returns the likeliest of the currencies that share a mark, and its probability."""
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
    """Returns the likeliest currency if clues of the kinds in `PROOFS` prove its countries against those that
    are possible too (a script of many countries proves none of them), or if hardly any other country is
    possible: Icelandic with its taxes is paid in one currency."""
    best = next(iter(by_currency), None)
    if best is None or by_currency[best] < _PROVED:
        return None
    own = [code for code, currency in currencies.items() if currency == best]
    rivals = [c for c, p in posterior.probabilities.items() if p >= _POSSIBLE and currencies[c] != best]
    others = {kind: max((posterior.score(kind, c) for c in rivals), default=0.0) for kind in PROOFS}
    proof = max(sum(max(0.0, posterior.score(k, c) - others[k]) for k in PROOFS) for c in own)
    if proof < _PROOF and by_currency[best] < _ONLY:
        return None
    rule = "region proved" if proof >= _PROOF else "printed nowhere else"
    return _found(best, by_currency[best] * _GIVEN, (), rule, by_currency)


def _found(
    currency: str, confidence: float, rows: tuple[int, ...], rule: str, others: Mapping[str, float]
) -> Found:
    runners = sorted(((c, p) for c, p in others.items() if c != currency and p >= 0.01), key=lambda r: -r[1])
    named = [(_name(c), p) for c, p in runners[:3]]
    return Found(_name(currency), confidence, rows, rule, tuple(named))


def _name(currency: str) -> str:
    """Returns the reported code: the yuan is reported as RMB."""
    return "RMB" if currency == "CNY" else currency
