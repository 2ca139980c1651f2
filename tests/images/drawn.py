"""Pictures and files drawn in code: a receipt-like page, and PNG and JPEG files made by hand."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def page(width: int = 320, height: int = 480) -> Image.Image:
    """Dark rows of text on uneven light paper; the upper half differs from the lower."""
    shade = np.linspace(215, 250, height)[:, None, None] + np.zeros((height, width, 3))
    noise = np.random.default_rng(7).normal(0, 4, (height, width, 3))
    picture = Image.fromarray(np.clip(shade + noise, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(picture)
    for row, top in enumerate(range(12, height - 12, 18)):
        pen.text((10, top), f"ARTICLE {row:02d}", fill=(20, 20, 30))
        pen.text((width - 60, top), f"{row}.{row * 7 % 100:02d}", fill=(20, 20, 30))
    return picture


def jpeg(picture: Image.Image | None = None, **options: Any) -> bytes:
    """A JPEG file of the page, or of a picture; options as Pillow takes them."""
    buffer = io.BytesIO()
    (picture or page()).save(buffer, "JPEG", **({"quality": 90} | options))
    return buffer.getvalue()


def png(picture: Image.Image | None = None, **options: Any) -> bytes:
    """A PNG file of the page, or of a picture; options as Pillow takes them."""
    buffer = io.BytesIO()
    (picture or page()).save(buffer, "PNG", **options)
    return buffer.getvalue()


def chunk(kind: bytes, body: bytes = b"", checksum: int | None = None) -> bytes:
    """A PNG chunk, with its right checksum unless another is given."""
    right = zlib.crc32(kind + body)
    return (
        struct.pack(">I", len(body))
        + kind
        + body
        + struct.pack(">I", right if checksum is None else checksum)
    )


def header(width: int, height: int, depth: int = 8, color: int = 2, interlaced: int = 0) -> bytes:
    """The IHDR chunk."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))


def pixels(rows: NDArray[Any]) -> bytes:
    """The IDAT chunk of rows of bytes, unfiltered; 16-bit values in network order."""
    flat = rows.astype(">u2").view(np.uint8) if rows.dtype == np.uint16 else rows.astype(np.uint8)
    flat = flat.reshape(len(rows), -1)
    return chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in flat)))


def with_segment(file: bytes, marker: int, body: bytes) -> bytes:
    """A JPEG file with one more segment after the start marker."""
    return file[:2] + bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body + file[2:]


def exif(orientation: int, order: str = "<") -> bytes:
    """An EXIF block, from its byte-order mark on, that holds nothing but an orientation."""
    mark = b"II" if order == "<" else b"MM"
    return mark + struct.pack(f"{order}HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)
