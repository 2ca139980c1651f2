"""Run by test_added_region.py in a copy of the package: reads drawn receipts and prints what came out.

    python read_drawn.py texts REGION[,REGION…] ROUNDS
    python read_drawn.py picture REGION

One JSON object a line: `region`, `truth`, `result` and `customer` (whether a customer is printed) of eight
receipts a round as text, of every kind of business, or of one picture.
"""

from __future__ import annotations

import json
import sys

from receipt_engine.document import Quality, Reading
from receipt_engine.engine import Engine
from receipt_engine.options import CUSTOM_FIELDS, ExtractOptions
from receipt_engine.region import load_region
from scripts.composed_lines import composed_spans
from scripts.make_receipts import Composed, compose_receipt, draw_receipt
from scripts.make_receipts.sale import KINDS
from scripts.make_receipts.vocabulary import alternatives, load_country, load_tongue

#: Invoices twice: they alone name a customer.
EIGHT = (*KINDS, "invoice")


def texts(regions: list[str], rounds: int) -> None:
    engine = Engine(threads=1)
    for region in regions:
        options = ExtractOptions(region=region, document_type="auto", custom_fields=CUSTOM_FIELDS)
        for seed in range(rounds * len(EIGHT)):
            composed = compose_receipt(region, kind=EIGHT[seed % len(EIGHT)], seed=seed)
            reading = Reading(1000, 4000, (1000, 4000), 0, Quality(), composed_spans(composed))
            _tell(composed, engine.interpret(reading, options).to_dict())


def picture(region: str) -> None:
    drawn = draw_receipt(region, kind="supermarket", look="clean", seed=1)
    _tell(drawn.composed, Engine(threads=1).extract(drawn.file, region=region).to_dict())


def _tell(composed: Composed, result: dict[str, object]) -> None:
    told = {"region": composed.region, "truth": composed.truth, "result": result}
    print(json.dumps(told | {"customer": _names_customer(composed)}))


def _names_customer(composed: Composed) -> bool:
    """Whether a row begins with the words that its till prints before a customer."""
    codes = load_country(composed.region).languages or load_region(composed.region).languages
    tongues = map(load_tongue, codes)
    said = {word.lower() for t in tongues if t for word in alternatives(t.phrases.get("bill_to", ""))}
    return bool(said) and any(row.text.strip().lower().startswith(tuple(said)) for row in composed.rows)


if __name__ == "__main__":
    what, where, *count = sys.argv[1:]
    if what == "picture":
        picture(where)
    else:
        texts(where.split(","), int(count[0]))
