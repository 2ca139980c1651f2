"""Which pieces of text are the merchant's address: a log-odds for each, then the best run of them."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.stages.merchant.facts import Facts
from receipt_engine.stages.merchant.weights import score, weights

#: Log-odds that an address costs at all, and those of leaving out one or two pieces inside it.
_START = -1.0
_SKIPPED = (0.0, -2.0, -4.0)

_ROLES = (
    "address",
    "company",
    "phone",
    "tax_id",
    "receipt_number",
    "cashier",
    "footer",
    "header",
    "invoice",
    "receipt",
    "column",
    "total",
    "card",
    "cash",
    "date",
    "quantity",
    "loyalty",
    "fax",
    "item_count",
    "time",
)


def row_features(facts: Sequence[Facts], at: int) -> dict[str, float]:
    """What speaks for or against one piece, its neighbours included; names as in the weights' file."""
    own = facts[at]
    features = {"bias": 1.0} | _own(own)
    order = at / 4
    features["early"] = max(0.0, 1.0 - order)
    features["late"] = min(3.0, order)
    for name, step in (("above", -1), ("below", 1)):
        for distance in (1, 2):
            other = at + step * distance
            neighbour = facts[other] if 0 <= other < len(facts) else None
            suffix = f"{name}{distance}:"
            if neighbour is None:
                features[suffix + "none"] = 1.0
                continue
            for key, value in _short(neighbour).items():
                features[suffix + key] = value
    return features


def _own(own: Facts) -> dict[str, float]:
    text = own.rest
    f: dict[str, float] = {}
    for role in _ROLES:
        if own.roles.get(role):
            f["role:" + role] = own.roles[role]
    for kind in own.places:
        f["place:" + kind] = 1.0
    for kind in own.world:
        f["world:" + kind] = 1.0
    for kind in own.marks:
        f["mark:" + kind] = 1.0
    f["zone:" + own.piece.zone] = 1.0
    f["places"] = min(3, len(own.places))
    f["number_first"] = own.number_first
    f["number_last"] = own.number_last
    f["unit_first"] = own.unit_first
    f["code"] = own.code
    f["number_and_word"] = own.number_first and own.roles.get("address", 0) > 0.3
    f["comma_last"] = text.endswith((",", ", ."))
    f["comma"] = "," in text[:-1]
    f["digits"] = own.digits > 0
    f["few_letters"] = own.letters < 3
    f["no_letters"] = own.letters == 0
    f["digit_share"] = own.digits / max(1, own.letters + own.digits)
    f["amount"] = own.amount
    f["big"] = min(2.0, max(0.0, own.size - 1.2))
    f["colon"] = ":" in text
    f["brackets"] = text.startswith("(") and text.endswith(")")
    f["low_score"] = max(0.0, 0.9 - own.piece.score)
    f["words"] = min(1.0, len(text.split()) / 6)
    f["cjk_address"] = own.code and own.letters >= 5 and any("\u3400" <= c <= "\u9fff" for c in text)
    return {k: float(v) for k, v in f.items() if v}


def _short(other: Facts) -> dict[str, float]:
    f = {
        "address": max(other.roles.get("address", 0.0), 0.8 * bool(other.places), 0.7 * bool(other.world), 0.6 * other.code),
        "number": other.number_first or other.number_last or other.unit_first,
        "postcode": "postcode" in other.places,
        "company": other.roles.get("company", 0.0),
        "phone": "phone" in other.marks or "fax" in other.marks,
        "id": "id" in other.marks,
        "date": "date" in other.marks,
        "comma": other.rest.endswith(","),
        "big": other.size > 1.4,
        "amount": other.amount,
        "sale": max(other.roles.get(r, 0.0) for r in ("cashier", "receipt_number", "column", "invoice")),
    }
    return {k: float(v) for k, v in f.items() if v}


def address_scores(facts: Sequence[Facts]) -> tuple[float, ...]:
    """The log-odds of every piece of being part of the merchant's address."""
    table = weights().address
    return tuple(score(row_features(facts, at), table) for at in range(len(facts)))


def best_run(scores: Sequence[float]) -> tuple[int, ...]:
    """Indices of the pieces of the likeliest address, in order; empty when none is likelier than not."""
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    ends: list[tuple[float, tuple[int, ...]]] = []
    for at, own in enumerate(scores):
        choices = [(_START + own, (at,))]
        for skipped, cost in enumerate(_SKIPPED):
            before = at - 1 - skipped
            if before >= 0:
                choices.append((ends[before][0] + cost + own, (*ends[before][1], at)))
        ends.append(max(choices))
        best = max(best, ends[-1], key=lambda run: run[0])
    return best[1]
