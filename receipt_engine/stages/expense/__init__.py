"""Classifies the expense: the merchant and the rows -> a label such as ``Meals/Restaurant``.

Evidence is weighed: a trade that the shop's name or a row of the header states is worth several rows of
products. Words for serving guests ("Table 4", "Guests: 2") show a meal, whatever the house is called. A weak
word, which stands on many receipts, decides nothing alone. Rows of the address are no evidence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from receipt_engine.document import Found, Merchant, ParsedLine, Zone
from receipt_engine.region import Region
from receipt_engine.vocabulary import term_at_end
from receipt_engine.vocabulary.brands import brand_named, brand_of_branch
from receipt_engine.vocabulary.legal_forms import without_legal_form
from receipt_engine.vocabulary.normalise import letters, squeeze
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import is_description, product_words, service_words, trade_words, trades

__all__ = ["find_expense_type"]

#: Score of a known chain and of a trade in the shop's name or in a row of the header.
_NAME = 3.0
#: Score of a chain whose name begins the shop's; of a trade in the legal name.
_BRANCH, _LEGAL = 1.5, 1.5
#: Score of a word for serving guests; of a weak word, wherever it stands.
_SERVICE, _WEAK = 1.5, 0.5
#: Least score of a label that is given.
_ENOUGH = 1.0
_NUMBER = re.compile(r"[\s#№]*\d")
#: The rows at the top in which one may state the trade.
_HEAD = 8


class _Evidence:
    """The score of every label, and the rows that speak for it. chain: the letters of the chain that the shop
    belongs to, whose name is no word for a trade ("Metro"); "" when unknown."""

    def __init__(self, chain: str = "") -> None:
        self.chain = chain
        self.scores: defaultdict[str, float] = defaultdict(float)
        self.rows: dict[str, set[int]] = {}

    def add(self, label: str, score: float, row: int | None = None) -> None:
        """Adds evidence for a label."""
        self.scores[label] += score
        if row is not None:
            self.rows.setdefault(label, set()).add(row)

    def add_names(self, text: str, score: float, row: int | None = None) -> None:
        """Adds the words for a trade in a name, other than the chain's own name."""
        for word in trade_words(text):
            for label in word.labels if word.key != self.chain else ():
                self.add(label, (_WEAK if label in word.weak else score) / len(word.labels), row)


def find_expense_type(
    rows: Sequence[ParsedLine], zones: Sequence[Zone], merchant: Merchant, region: Region
) -> Found | None:
    """The expense label, ``Group/Leaf``; None when neither the names nor the products are clear.

    zones: the part of the receipt that each row belongs to.
    """
    evidence = _weighed_names(merchant, region)
    name = set(merchant.name.lines if merchant.name else ())
    place = set(merchant.address.lines if merchant.address else ())
    stating = set(_stating_rows(rows, zones, merchant)) - name - place
    for row in sorted(stating):
        evidence.add_names(rows[row].text, _NAME, row)
    others = [row for row in range(len(rows)) if row not in place | stating]
    _weigh_branches(evidence, rows, [row for row in others[:_HEAD] if zones[row] == "header"])
    _weigh_service(evidence, rows, [row for row in others if zones[row] != "items" and row not in name])
    aside = name | {row for row in others if zones[row] == "after"}
    _weigh_products(evidence, rows, others, aside)
    return _decided(evidence)


def _weighed_names(merchant: Merchant, region: Region) -> _Evidence:
    """The evidence of the shop's name and legal name."""
    name = merchant.name.value if merchant.name else ""
    bare = without_legal_form(name)
    chain, of_branch = brand_named(bare, region.code), brand_of_branch(bare, region.code)
    evidence = _Evidence(squeeze(bare) if chain is not None else "")
    if chain is not None and chain.trade:
        evidence.add(chain.trade, _NAME)
    elif chain is None and of_branch is not None and of_branch.trade:
        evidence.add(of_branch.trade, _BRANCH)
    evidence.add_names(name, _NAME)
    evidence.add_names(merchant.legal_name, _LEGAL)
    return evidence


def _stating_rows(rows: Sequence[ParsedLine], zones: Sequence[Zone], merchant: Merchant) -> Iterator[int]:
    """The rows of the header that only state the trade ("Family Restaurant") or repeat the name with it. One
    with a number ("Store 12") tells of many shops which it is."""
    name = letters(merchant.name.value) if merchant.name else ""
    for row, zone in enumerate(zones[:_HEAD]):
        text = rows[row].text
        repeated = len(name) >= SHORTEST_NAME and name in letters(text) and bool(trade_words(text))
        if zone == "header" and (repeated or (is_description(text) and not any(map(str.isdigit, text)))):
            yield row


def _weigh_branches(evidence: _Evidence, rows: Sequence[ParsedLine], among: Sequence[int]) -> None:
    """Weighs a trade of two or more words before the number of a branch: "Petrol station no. 12"."""
    for row in among:
        lead = _NUMBER.split(rows[row].text, maxsplit=1)[0]
        number = term_at_end(lead, "number")
        trade = lead[: number.start] if number is not None else lead
        if lead != rows[row].text and len(trade.split()) > 1 and is_description(trade):
            evidence.add_names(trade, _BRANCH, row)


def _weigh_service(evidence: _Evidence, rows: Sequence[ParsedLine], among: Sequence[int]) -> None:
    """Weighs the words for serving guests, each once. They speak for the kind of house that the names tell,
    within the group of their own label: a cafe with tables is a cafe."""
    named = evidence.scores.copy()
    seen: set[str] = set()
    for row in among:
        for word in service_words(rows[row].text):
            if word.key not in seen:
                seen.add(word.key)
                for label in word.labels:
                    evidence.add(_of_group(label, named), _SERVICE, row)


def _of_group(label: str, named: Mapping[str, float]) -> str:
    """The label of the same group with the highest score; the label itself without any."""
    group = label.partition("/")[0] + "/"
    return max([label, *(own for own in named if own.startswith(group))], key=lambda own: named.get(own, 0.0))


def _weigh_products(
    evidence: _Evidence, rows: Sequence[ParsedLine], among: Sequence[int], aside: Collection[int]
) -> None:
    """Weighs the words for products, each further row of a label less. In rows aside, which are those of the
    name and of the card slips and loyalty programmes below the totals, weak words count for nothing."""
    count: Counter[str] = Counter()
    for row in among:
        found: dict[str, float] = {}
        for word in product_words(rows[row].text):
            for label in word.labels - (word.weak if row in aside else frozenset()):
                own = (_WEAK if label in word.weak else 1.0) / len(word.labels)
                found[label] = max(own, found.get(label, 0.0))
        for label, score in found.items():
            count[label] += 1
            evidence.add(label, min(1.0, 2.0 / count[label]) * score, row)


def _decided(evidence: _Evidence) -> Found | None:
    """The label with the highest score; None when that is too low."""
    order = {trade.label: i for i, trade in enumerate(trades())}
    ranked = sorted(evidence.scores.items(), key=lambda s: (-s[1], order[s[0]]))
    if not ranked or ranked[0][1] < _ENOUGH:
        return None
    best, score = ranked[0]
    margin = score - (ranked[1][1] if len(ranked) > 1 else 0.0)
    confidence = min(0.95, 0.4 + 0.1 * min(score, 3.0) + 0.1 * min(margin, 2.5))
    others = tuple((label, round(s, 2)) for label, s in ranked[1:4])
    return Found(
        best, round(confidence, 3), tuple(sorted(evidence.rows.get(best, ()))), "trade words", others
    )
