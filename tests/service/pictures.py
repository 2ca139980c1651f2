"""Pictures made on the spot: real headers, arbitrary bodies."""

from __future__ import annotations

import itertools
import struct
import zlib

from tests.service.fake_engine import MARK

_numbers = itertools.count()


def png(
    width: int = 800, height: int = 1400, *, order: bytes = b"", unique: bool = True, size: int = 0
) -> bytes:
    """A PNG header for these dimensions, a marker for the fake engine, `size` bytes of filling."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    data += b"\x00\x00\x00\x00IEND\xaeB`\x82" + b"z" * size
    if unique:
        data += f"number {next(_numbers)}".encode()
    return data + (MARK + order if order else b"")


def jpeg(width: int = 800, height: int = 1400, *, order: bytes = b"") -> bytes:
    """A JPEG start with an application segment before the frame header, like a camera's."""
    app = b"\xff\xe1" + struct.pack(">H", 2 + 20) + b"Exif\x00\x00" + b"\x00" * 14
    frame = (
        b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\x01\x22\x00\x02\x11\x01\x03\x11\x01"
    )
    data = b"\xff\xd8" + app + frame + b"\xff\xd9" + f"number {next(_numbers)}".encode()
    return data + (MARK + order if order else b"")
