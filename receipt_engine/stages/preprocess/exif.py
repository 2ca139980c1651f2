"""Reads the orientation tag of EXIF data and turns images upright by it."""

from __future__ import annotations

import struct

import cv2
import numpy as np

from receipt_engine.document import Image

#: The tag's number.
ORIENTATION = 0x0112
#: Struct format of the TIFF types that writers use for this tag: BYTE, SHORT, LONG.
_TYPES = {1: "B", 3: "H", 4: "I"}


def read_orientation(tiff: bytes) -> int:
    """The orientation tag, 1 to 8, of an EXIF block (from its byte-order mark on).

    Returns 1 (as stored) for a broken block, a missing tag or a value out of range. Broken EXIF data is
    common and does not mean that the image is damaged.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        for entry in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(f"{order}HH", tiff, entry)
            if tag == ORIENTATION and kind in _TYPES:
                (value,) = struct.unpack_from(order + _TYPES[kind], tiff, entry + 8)
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1


def turn_upright(image: Image, orientation: int) -> Image:
    """The upright image, from the stored image and its EXIF orientation (EXIF 2.32, tag 274)."""
    if orientation in (5, 6, 7, 8):
        image = np.asarray(cv2.transpose(image), dtype=np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return image if flip is None else np.asarray(cv2.flip(image, flip), dtype=np.uint8)
