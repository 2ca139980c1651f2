"""Reads an image's format (JPEG or PNG) and size in pixels from its header, without decoding it.

JPEG markers: ITU-T T.81 annex B. PNG chunks: ISO/IEC 15948 clause 5.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

#: Recommended smallest size in pixels: short side, long side.
RECOMMENDED = (720, 1280)

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
#: Start-of-frame markers; C4, C8 and CC in that range mean something else.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
#: Markers without a length: TEM, RST0 to RST7, SOI.
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})


@dataclass(frozen=True)
class Picture:
    """Format, and width and height in pixels, as the header states them."""

    kind: Literal["jpeg", "png"]
    width: int
    height: int

    @property
    def pixels(self) -> int:
        """Width times height."""
        return self.width * self.height

    @property
    def small(self) -> bool:
        """True below the recommended 720x1280, in either orientation."""
        short, long = sorted((self.width, self.height))
        return short < RECOMMENDED[0] or long < RECOMMENDED[1]


def inspect(data: bytes) -> Picture | None:
    """Returns the image's header data, or None when the bytes are not a JPEG or PNG with a usable header."""
    if data.startswith(_PNG):
        size = _png_size(data)
        return Picture("png", *size) if size else None
    if data.startswith(_JPEG):
        size = _jpeg_size(data)
        return Picture("jpeg", *size) if size else None
    return None


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return (width, height) if width and height else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    position = 2
    while position + 4 <= len(data):
        if data[position] != 0xFF:
            return None
        marker = data[position + 1]
        if marker == 0xFF:  # fill byte
            position += 1
            continue
        if marker in _BARE:
            position += 2
            continue
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        if marker in _FRAMES and length >= 8 and position + 9 <= len(data):
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return (width, height) if width and height else None
        if length < 2 or marker in {0xD9, 0xDA}:  # invalid, end of image, or start of scan
            return None
        position += 2 + length
    return None
