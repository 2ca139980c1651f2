"""Decodes large PNG files at reduced size, one strip of rows at a time.

A row's filter needs the row above it, so each strip is decoded as a separate PNG file whose first row is the
last row of the previous strip. The filters treat each byte of a pixel independently, so only the upper byte
of 16-bit colours is decoded. OpenCV removes filters several times as fast as Pillow.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from receipt_engine.document import Image
from receipt_engine.stages.preprocess.color import to_rgb
from receipt_engine.stages.preprocess.png import CHANNELS, PALETTE, PngFile, PngHeader, write_png

Bytes = NDArray[np.uint8]

#: Approximate bytes per strip: small against the image, large enough to outweigh the overhead per strip.
_STRIP = 8 << 20
#: Bytes per pixel → colour type of an 8-bit PNG file.
_TYPE_OF = {1: 0, 2: 4, 3: 2, 4: 6}
_NO_FILTER = 0


def reduced(file: PngFile, shrink: int, clear: tuple[int, ...], check: Callable[[], None]) -> Image | None:
    """The image as RGB with its sides divided by shrink; None when rows are missing.

    file: must not be interlaced. clear: the colour that means transparent, as for `to_rgb`. check: called
    before each strip; an exception that it raises ends the decoding. Raises zlib.error and ValueError for
    damaged data.
    """
    header = file.header
    image = np.empty((-(-header.height // shrink), -(-header.width // shrink), 3), np.uint8)
    top = 0
    for rows in _strips(file, shrink):
        check()
        strip = to_rgb(_picture(rows, file), clear)
        size = (image.shape[1], -(-len(strip) // shrink))
        image[top : top + size[1]] = cv2.resize(strip, size, interpolation=cv2.INTER_AREA)
        top += size[1]
    return image if top == len(image) else None


def _strips(file: PngFile, shrink: int) -> Iterator[Bytes]:
    """Unfiltered rows in strips: shape (rows, width, bytes per pixel), or (rows, bytes, 1) for packed pixels.

    Every strip but the last has a multiple of shrink rows. Stops early when data is missing.
    """
    header = file.header
    bits = header.depth * CHANNELS[header.color]
    wide = 1 + (header.width * bits + 7) // 8
    count = shrink * max(1, _STRIP // (wide * shrink))
    inflate, rest = zlib.decompressobj(), file.pixels
    above: Bytes | None = None
    for top in range(0, header.height, count):
        size = min(count, header.height - top) * wide
        parts: list[bytes] = []
        while size > 0 and not inflate.eof:
            part = inflate.decompress(rest, size)
            rest = inflate.unconsumed_tail
            if not part and not rest:
                break
            parts.append(part)
            size -= len(part)
        if size > 0:
            return
        filtered = np.frombuffer(b"".join(parts), np.uint8).reshape(-1, wide)
        pixels = filtered[:, 1:].reshape(len(filtered), -1, max(1, bits // 8))
        if header.depth == 16 and header.color:
            pixels = pixels[..., ::2]
        rows = _unfiltered(filtered[:, 0], pixels, above)
        above = rows[-1]
        yield rows


def _unfiltered(filters: Bytes, pixels: Bytes, above: Bytes | None) -> Bytes:
    """Undoes the filters of rows.

    filters: (rows,). pixels: (rows, pixels, bytes). above: the row before them; None means zeros.
    """
    rows, columns, channels = pixels.shape
    header = PngHeader(columns, rows + 1, 8, _TYPE_OF[channels], False)
    coded: Bytes = np.empty((rows + 1, 1 + columns * channels), np.uint8)
    coded[0, 0], coded[1:, 0] = _NO_FILTER, filters
    coded[0, 1:] = 0 if above is None else above.reshape(-1)
    coded[1:, 1:] = pixels.reshape(rows, -1)
    whole = write_png(header, zlib.compress(coded.data, 0))
    decoded = cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_UNCHANGED)
    if decoded is None:
        raise ValueError("a row has a filter that PNG does not have")
    own = decoded.reshape(rows + 1, columns, -1)[1:]
    if channels == 2:  # OpenCV expands grey with alpha to colour with alpha
        own = np.ascontiguousarray(own[..., 2:])
    elif channels > 2:
        own = cv2.cvtColor(own, cv2.COLOR_BGR2RGB if channels == 3 else cv2.COLOR_BGRA2RGBA)
    return np.asarray(own, np.uint8)


def _picture(rows: Bytes, file: PngFile) -> Pillow.Image:
    """The rows in the mode that Pillow gives for the whole file; of 16-bit colours the upper 8 bits."""
    header = file.header
    if header.depth < 8:
        packed = np.unpackbits(rows[..., 0], axis=1).reshape(len(rows), -1, header.depth)
        rows = (packed @ (1 << np.arange(header.depth)[::-1])).astype(np.uint8)[:, : header.width, None]
        if header.color != PALETTE:
            rows = rows * np.uint8(255 // (2**header.depth - 1))
    if header.color == 0 and header.depth == 16:
        return Pillow.fromarray(np.ascontiguousarray(rows).view(">u2")[..., 0].astype(np.uint16))
    picture = Pillow.fromarray(rows[..., 0] if rows.shape[2] == 1 else rows)
    if header.color == PALETTE:
        picture.putpalette(file.palette)
        if file.transparency:
            picture.info["transparency"] = file.transparency
    return picture
