"""Whatever Pillow decoded, as RGB on white paper."""

from __future__ import annotations

import numpy as np
from PIL import Image as Pillow

from receipt_engine.document import Image

#: Rows converted at a time, so the picture is never held a third time.
_STRIP = 64


def to_rgb(picture: Pillow.Image, clear: tuple[int, ...] = ()) -> Image:
    """RGB, uint8, C-contiguous. clear: the colour that means transparent, in the picture's own values.

    16 bits are cut to the upper 8. CMYK is converted by its ink amounts, without a profile: text stays
    dark on light paper, which is all that reading needs.
    """
    image = np.empty((picture.height, picture.width, 3), dtype=np.uint8)
    for top in range(0, picture.height, _STRIP):
        bottom = min(top + _STRIP, picture.height)
        strip = picture.crop((0, top, picture.width, bottom))
        values = np.asarray(_without_alpha(strip))
        if values.ndim == 2:
            values = values[:, :, None]
        image[top:bottom] = values if values.dtype == np.uint8 else values >> 8
        if clear:
            image[top:bottom][(values == clear).all(axis=2)] = 255
    return image


def _without_alpha(picture: Pillow.Image) -> Pillow.Image:
    """The picture laid on white when it is transparent; mode L, I;16 or RGB."""
    if picture.mode in ("L", "I;16", "RGB"):
        return picture
    if picture.mode == "1":
        return picture.convert("L")
    if picture.mode not in ("LA", "PA", "RGBA") and "transparency" not in picture.info:
        return picture.convert("RGB")
    picture = picture.convert("RGBA")
    alpha = picture.getchannel("A")
    if alpha.getextrema() == (255, 255):
        return picture.convert("RGB")
    paper = Pillow.new("RGB", picture.size, "white")
    paper.paste(picture, mask=alpha)
    return paper
