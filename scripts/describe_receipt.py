"""Writes docs/one-receipt.md: `examples/receipt.jpg` in the pipeline, with each step's output.

    python -m scripts.describe_receipt

Figures that may differ slightly between processors are written after ≈; the test that keeps the page up to
date allows for that, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from receipt_engine.document import Equation, Ledger, ParsedLine, RegionGuess, Sheet
from receipt_engine.engine import Engine, Explanation

ROOT = Path(__file__).resolve().parent.parent
PICTURE = "examples/receipt.jpg"
TARGET = ROOT / "docs" / "one-receipt.md"
#: Rows to show of long tables.
_SPANS, _REGIONS, _REASONS = 6, 3, 5
#: Minimum weight of a role to be shown.
_LIKELY = 0.5


def main() -> int:
    """Writes the page; returns the exit status."""
    TARGET.write_text(describe(), encoding="utf-8")
    return 0


def describe() -> str:
    """The whole page."""
    found = Engine().explain(ROOT / PICTURE)
    sections = (_head(found), _text(found), _rows(found), _sheet(found), _ledger(found), _rest(found))
    return "\n\n".join((*sections, _result(found))) + "\n"


def _head(found: Explanation) -> str:
    page = found.page
    width, height = page.source_size
    boxes = len(found.trace["detect"])
    return f"""# One receipt, step by step

Written by `python -m scripts.describe_receipt` from [{PICTURE}](../{PICTURE}), a drawn photo; a test
keeps it current. `receipt-engine explain {PICTURE} -o out.html` shows the same for any picture, with boxes.

## Picture

**preprocess** decodes {width} × {height} pixels. **detect** finds {boxes} boxes with text, **orient** turns
the page by {page.rotation}°, **barcodes** finds {_codes(found)}."""


def _codes(found: Explanation) -> str:
    return ", ".join(f"{code.kind} `{code.data}`" for code in found.reading.barcodes) or "none"


def _text(found: Explanation) -> str:
    spans = sorted(found.reading.spans, key=lambda span: span.quad.center[1])
    return f"""## Text

**recognize** reads each box: {len(spans)} spans, every character with its score and its
alternatives. The first {_SPANS} from the top:

{_table(("text", "score"), ((f"`{s.text}`", _about(s.score)) for s in spans[:_SPANS]))}

The alternatives are kept: a misread digit may be replaced by one of them if the sums require it."""


def _rows(found: Explanation) -> str:
    rows: Sequence[ParsedLine] = found.trace["parse"]
    guesses: Sequence[RegionGuess] = found.trace["localize"]
    regions = ((f"`{g.code}`", _about(g.probability), _evidence(g)) for g in guesses[:_REGIONS])
    zones = found.trace["sheet"].zones
    amounts = (a for row, zone in zip(rows, zones, strict=True) if zone == "items" for a in row.amounts)
    amount = max(amounts, key=lambda a: len(a.readings))
    ways = ", ".join(f"{money.value} ({money.rule})" for money in amount.readings)
    return f"""## Rows

**group** joins the spans to {len(rows)} printed rows, also on tilted or bent paper. **localize**
estimates which country the receipt is from:

{_table(("region", "probability", "evidence"), regions)}

**parse** finds {sum(len(row.amounts) for row in rows)} amounts, each with every way of reading it, and
dates. It does not choose among them: `{amount.raw}` may be {ways}."""


def _evidence(guess: RegionGuess) -> str:
    return ", ".join(clue.rpartition(" ")[0] for clue in guess.evidence)


def _sheet(found: Explanation) -> str:
    rows: Sequence[ParsedLine] = found.trace["parse"]
    sheet: Sheet = found.trace["sheet"]
    body = []
    for row, zone, roles in zip(rows, sheet.zones, sheet.roles, strict=True):
        if zone in ("items", "summary"):
            named = ", ".join(f"{match.role} {match.weight:g}" for match in roles if match.weight >= _LIKELY)
            amounts = ", ".join(str(a.readings[0].value) for a in row.amounts if a.readings)
            body.append((f"`{row.text}`", zone, named, amounts))
    return f"""## Sheet

**label** says what the words of a row may mean, **columns** which number is its amount, **zones**
where the products begin and end, **items** which rows make a product, **totals** what each other amount
may be. Of products and totals:

{_table(("row", "zone", "meaning of its words", "amounts"), body)}"""


def _ledger(found: Explanation) -> str:
    ledger: Ledger = found.trace["reconcile"]
    assert ledger.total is not None
    others = ", ".join(str(other.value) for other in ledger.runners_up) or "none"
    equations = ((equation.verdict, _relation(equation)) for equation in ledger.equations)
    return f"""## Ledger

**reconcile** tries each amount as the total and takes the one for which the most independent equations
add up: {ledger.total.value}, ahead of {others}.

{_table(("verdict", "equation"), equations)}"""


def _relation(equation: Equation) -> str:
    return (
        " ".join(
            f"{'−' if term.value < 0 else '+'} {abs(term.value)} {term.text}" for term in equation.terms
        ).removeprefix("+ ")
        + f" = {equation.residual}"
    )


def _rest(found: Explanation) -> str:
    trace = found.trace
    date, merchant = trace["dating"], trace["merchant"]
    details = [
        ("dating", f"{date.date} {date.time}", date.rule),
        ("currency", trace["currency"].value, trace["currency"].rule),
        ("merchant", merchant.name.value, merchant.name.rule),
        ("merchant", merchant.address.value, merchant.address.rule),
        ("contacts", trace["contacts"].phone.value, trace["contacts"].phone.rule),
        ("payment", trace["payment"].method.value, trace["payment"].method.rule),
        ("expense", trace["expense"].value, trace["expense"].rule),
    ]
    return f"""## Details

{_table(("step", "value", "rule"), ((step, f"`{value}`", rule) for step, value, rule in details))}"""


def _result(found: Explanation) -> str:
    result = found.result.to_dict()
    told = found.result.to_dict()["evidence"]["confidence"]["total"]
    reasons = ", ".join(
        f"{reason['feature']} ({'for' if reason['share'] > 0 else 'against'})"
        for reason in sorted(told["contributions"], key=lambda r: r["feature"])[:_REASONS]
    )
    names = ("establishment", "date", "total", "subTotal")
    fields = [(name, result[name], result[f"{name}Confidence"]) for name in names]
    return f"""## Result

**assemble** gives each value the probability that it is right. For the total, it is computed from, among
others, {reasons}; [confidence](confidence.md) explains how.

{_table(("field", "value", "confidence"), ((f, f"`{v}`", _about(c)) for f, v, c in fields))}

`validatedTotal` is {str(result["validatedTotal"]).lower()}. There are {len(result["lineItems"])} `lineItems`
and {len(result["summaryItems"])} `summaryItems`. [The Result](result.md) explains every field."""


def _about(share: float) -> str:
    return f"≈ {share:.2f}"


def _table(head: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    rows = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', '¦') for cell in row)} |" for row in rows)


if __name__ == "__main__":
    raise SystemExit(main())
