"""Draws a receipt that exercises every stage."""

from __future__ import annotations

import cv2
import numpy as np

from receipt_engine.document import Image

_LINES = ("CORNER SHOP", "12 MILL LANE", "14/03/2024 18:20", "TEA  4.50", "SCONE  2.80", "TOTAL  7.30")


def warm_up_picture() -> Image:
    """RGB, uint8, shape (height, width, 3)."""
    image = np.full((80 * len(_LINES) + 80, 640, 3), 255, np.uint8)
    for row, line in enumerate(_LINES, 1):
        cv2.putText(image, line, (40, 80 * row), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 0), 2, cv2.LINE_AA)
    return image
