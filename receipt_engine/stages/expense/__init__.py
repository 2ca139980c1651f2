"""Classifies the expense: the merchant and the rows -> a label such as ``Food/Restaurant``.

The evidence is the chain that the merchant belongs to, the trade words in its names, and the words for
products in the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Found, Merchant, ParsedLine
from receipt_engine.region import Region
from receipt_engine.vocabulary.brands import brand_named
from receipt_engine.vocabulary.legal_forms import without_legal_form
from receipt_engine.vocabulary.trades import labels_of_item, labels_of_name, trades

__all__ = ["find_expense_type"]

#: Score of a known chain, the same as for a trade word in its name. Products of another kind (fuel at a
#: supermarket's pumps) may outweigh it.
_CHAIN = 3.0


def find_expense_type(rows: Sequence[ParsedLine], merchant: Merchant, region: Region) -> Found | None:
    """The expense label, ``Group/Leaf``; None when neither the names nor the products are clear."""
    name = merchant.name.value if merchant.name else ""
    scores: dict[str, float] = {}
    lines: dict[str, set[int]] = {}
    chain = brand_named(without_legal_form(name), region.code)
    if chain is not None and chain.trade:
        scores[chain.trade] = _CHAIN
    for text, weight in ((name, 3.0), (merchant.legal_name, 1.5)):
        for labels in labels_of_name(text):
            for label in labels:
                scores[label] = scores.get(label, 0.0) + weight / len(labels)
    for index, row in enumerate(rows):
        for labels in labels_of_item(row.text):
            for label in labels:
                if index not in lines.setdefault(label, set()):
                    lines[label].add(index)
                    scores[label] = scores.get(label, 0.0) + min(1.0, 2.0 / len(lines[label])) / len(labels)
    order = {trade.label: i for i, trade in enumerate(trades())}
    ranked = sorted(scores.items(), key=lambda s: (-s[1], order[s[0]]))
    if not ranked or ranked[0][1] < 1.0:
        return None
    best, score = ranked[0]
    margin = score - (ranked[1][1] if len(ranked) > 1 else 0.0)
    confidence = min(0.95, 0.4 + 0.1 * min(score, 3.0) + 0.1 * min(margin, 2.5))
    others = tuple((label, round(s, 2)) for label, s in ranked[1:4])
    return Found(best, round(confidence, 3), tuple(sorted(lines.get(best, ()))), "trade words", others)
