"""Whatever Pillow decoded, as RGB on white paper."""

from __future__ import annotations

import numpy as np
from PIL import Image as Pillow

from receipt_engine.document import Image

_STRIP = 512


def to_rgb(picture: Pillow.Image, clear: tuple[int, ...] = ()) -> Image:
    """RGB, uint8, C-contiguous. clear: the colour that means transparent, in the picture's own values.

    16 bits are cut to the upper 8. CMYK is converted by its ink amounts, without a profile: text stays
    dark on light paper, which is all that reading needs.
    """
    if picture.mode == "I;16":
        values = np.asarray(picture)
        grey = (values >> 8).astype(np.uint8)
        return _from_grey(grey, values == clear if clear else None)
    if picture.mode in ("1", "L"):
        grey = np.array(picture.convert("L"))
        return _from_grey(grey, grey == clear if clear else None)
    if picture.mode in ("LA", "PA", "RGBA") or (picture.mode == "P" and "transparency" in picture.info):
        return _to_array(_on_white(picture.convert("RGBA")))
    image = _to_array(picture if picture.mode == "RGB" else picture.convert("RGB"))
    if clear:
        image[(image == clear).all(axis=2)] = 255
    return image


def _from_grey(grey: Image, clear: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None) -> Image:
    if clear is not None:
        grey[clear] = 255
    return np.repeat(grey[:, :, None], 3, axis=2)


def _on_white(picture: Pillow.Image) -> Pillow.Image:
    alpha = picture.getchannel("A")
    if alpha.getextrema() == (255, 255):
        return picture.convert("RGB")
    paper = Pillow.new("RGB", picture.size, "white")
    paper.paste(picture, mask=alpha)
    return paper


def _to_array(picture: Pillow.Image) -> Image:
    """Copied in strips, so the picture is never held a third time."""
    image = np.empty((picture.height, picture.width, 3), dtype=np.uint8)
    for top in range(0, picture.height, _STRIP):
        bottom = min(top + _STRIP, picture.height)
        image[top:bottom] = np.asarray(picture.crop((0, top, picture.width, bottom)))
    return image
