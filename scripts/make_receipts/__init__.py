"""Draws receipts with complete ground truth, from region data and invented merchants.

    python -m scripts.make_receipts OUT --region my --count 20 --seed 1

`draw_receipt` gives one receipt as an image, `compose_receipt` as text alone. Text comes from
`data/languages` and `data/countries` here and from `regions/`; arithmetic is exact (`ledger`), layouts are
sampled for each receipt (`style`), and the truth is recorded while each line is printed (`truth`).
"""

from scripts.make_receipts.compose import Composed, compose_receipt
from scripts.make_receipts.drawing import LOOKS, DrawnReceipt, draw_receipt
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.sale import KINDS

__all__ = [
    "KINDS",
    "LOOKS",
    "Composed",
    "DrawingError",
    "DrawnReceipt",
    "compose_receipt",
    "draw_receipt",
]
