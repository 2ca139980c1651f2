"""Run by test_added_region.py in a copy of the package: reads drawn receipts and prints what came out.

    python read_drawn.py REGION COUNT
    python read_drawn.py REGION picture

One JSON object a line: `truth` and `result` of COUNT receipts as text, or of one picture.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from receipt_engine.document import Quality, Reading
from receipt_engine.engine import Engine
from receipt_engine.options import ExtractOptions
from scripts.composed_lines import composed_spans
from scripts.make_receipts import compose_receipt, draw_receipt


def texts(region: str, count: int) -> None:
    engine = Engine(threads=1)
    options = ExtractOptions(region=region)
    for seed in range(count):
        composed = compose_receipt(region, seed=seed)
        reading = Reading(1000, 4000, (1000, 4000), 0, Quality(), composed_spans(composed))
        _tell(composed.truth, engine.interpret(reading, options).to_dict())


def picture(region: str) -> None:
    drawn = draw_receipt(region, kind="supermarket", look="clean", seed=1)
    _tell(drawn.truth, Engine(threads=1).extract(drawn.file, region=region).to_dict())


def _tell(truth: dict[str, Any], result: dict[str, Any]) -> None:
    print(json.dumps({"truth": truth, "result": result}))


if __name__ == "__main__":
    if sys.argv[2] == "picture":
        picture(sys.argv[1])
    else:
        texts(sys.argv[1], int(sys.argv[2]))
