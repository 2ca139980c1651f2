"""Converts any Pillow image to an RGB array on a white background, and turns images upright by the
orientation tag of EXIF data."""

from __future__ import annotations

import struct
from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image as Pillow

from receipt_engine.document import Image
from receipt_engine.stages.preprocess.source import never_stop

#: Rows converted at a time, so that no third copy of the image is held.
_STRIP = 64
#: The tag's number.
ORIENTATION = 0x0112
#: Struct format of the TIFF types that writers use for this tag: BYTE, SHORT, LONG.
_TYPES = {1: "B", 3: "H", 4: "I"}


def to_rgb(
    picture: Pillow.Image, clear: tuple[int, ...] = (), check: Callable[[], None] = never_stop
) -> Image:
    """The image as an RGB array, uint8, C-contiguous.

    clear: the colour that means transparent, in the image's own values. check: called repeatedly. Of 16 bits
    the upper 8 are kept. CMYK is converted from its ink amounts, without a profile: text stays dark on
    light paper, which is enough for recognition.
    """
    picture = _eight_bits(picture)
    image = np.empty((picture.height, picture.width, 3), dtype=np.uint8)
    for top in range(0, picture.height, _STRIP):
        check()
        bottom = min(top + _STRIP, picture.height)
        strip = picture.crop((0, top, picture.width, bottom))
        values = np.asarray(_without_alpha(strip))
        if values.ndim == 2:
            values = values[:, :, None]
        image[top:bottom] = values if values.dtype == np.uint8 else values >> 8
        if clear:
            image[top:bottom][(values == clear).all(axis=2)] = 255
    return image


def _eight_bits(picture: Pillow.Image) -> Pillow.Image:
    """32-bit integer or float grey scaled to 8 bits; the maximum decides its range: 0 to 1, 255 or 65535."""
    if picture.mode not in ("I", "F"):
        return picture
    values = np.nan_to_num(np.asarray(picture, dtype=np.float32))
    most = float(values.max(initial=0))
    top = 1.0 if picture.mode == "F" and most <= 1 else next((t for t in (255.0, 65535.0) if most <= t), most)
    return Pillow.fromarray((np.clip(values / top, 0, 1) * 255).astype(np.uint8))


def _without_alpha(picture: Pillow.Image) -> Pillow.Image:
    """The image in mode L, I;16 or RGB, on a white background where it is transparent."""
    if picture.mode in ("L", "RGB") or picture.mode.startswith("I;16"):
        return picture
    if picture.mode == "1":
        return picture.convert("L")
    if picture.mode not in ("LA", "La", "PA", "RGBA", "RGBa") and "transparency" not in picture.info:
        return picture.convert("RGB")
    if picture.mode == "La":
        picture = picture.convert("LA")
    picture = picture.convert("RGBA")
    alpha = picture.getchannel("A")
    if alpha.getextrema() == (255, 255):
        return picture.convert("RGB")
    paper = Pillow.new("RGB", picture.size, "white")
    paper.paste(picture, mask=alpha)
    return paper


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
