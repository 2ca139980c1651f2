"""Parses PNG files: checks the chunks that define the image and drops all others.

Only IHDR, PLTE, tRNS and the first run of IDAT reach the decoder. Text, profiles, animation frames and
unknown chunks never do, so none can inflate to gigabytes, print a warning or spoil an intact image.

Large files are decoded at reduced size, one strip of rows at a time. A row's filter needs the row above it,
so each strip is decoded as a separate PNG file whose first row is the last row of the previous strip. The
filters treat each byte of a pixel independently, so only the upper byte of 16-bit colours is decoded. OpenCV
removes filters several times as fast as Pillow.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from receipt_engine.document import Image
from receipt_engine.errors import UnreadableImageError
from receipt_engine.stages.preprocess.color import read_orientation, to_rgb

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE = 3
CHANNELS = {0: 1, 2: 3, PALETTE: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), PALETTE: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
#: First column, first row, column step and row step of each pass of an interlaced file.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_MAX_CHUNKS = 100_000
_INFLATE_STEP = 1 << 20
Bytes = NDArray[np.uint8]

#: Approximate bytes per strip: small against the image, large enough to outweigh the overhead per strip.
_STRIP = 8 << 20
#: Bytes per pixel → colour type of an 8-bit PNG file.
_TYPE_OF = {1: 0, 2: 4, 3: 2, 4: 6}
_NO_FILTER = 0


@dataclass(frozen=True, slots=True)
class PngHeader:
    """IHDR's fields. color: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha; depth in bits."""

    width: int
    height: int
    depth: int
    color: int
    interlaced: bool


@dataclass(frozen=True, slots=True)
class PngFile:
    """A PNG file whose image chunks passed their checksums.

    picture: a minimal PNG file with the same pixels. pixels: its deflated rows. palette, transparency: the
    bodies of PLTE and tRNS; in `picture` only when there is a palette. orientation: EXIF, 1 to 8.
    """

    header: PngHeader
    picture: bytes
    pixels: bytes
    palette: bytes
    transparency: bytes
    orientation: int


def read_png_header(data: bytes) -> PngHeader:
    """The header chunk; raises UnreadableImageError when it is damaged."""
    kind, body, sound = next(_chunks(data), (b"", memoryview(b""), False))
    if kind != b"IHDR" or len(body) != 13 or not sound:
        raise _damaged("its header is wrong")
    width, height, depth, color, compression, filtering, interlace = struct.unpack(">IIBBBBB", body)
    if not 0 < width < 2**31 or not 0 < height < 2**31:
        raise _damaged("it claims to have no pixels")
    if depth not in _DEPTHS.get(color, ()) or compression or filtering or interlace > 1:
        raise _damaged("it claims a format that PNG does not have")
    return PngHeader(width, height, depth, color, bool(interlace))


def read_png(data: bytes) -> PngFile:
    """Parses a PNG file; raises UnreadableImageError when it is damaged or cut off.

    A missing IEND chunk, damaged ancillary chunks and anything after the pixels are tolerated. A wrong
    checksum on a critical chunk is not.
    """
    header = read_png_header(data)
    runs: list[tuple[bytes, list[memoryview]]] = []
    for kind, body, sound in _chunks(data):
        if not sound:
            if kind[:1].islower():  # ancillary chunk
                continue
            raise _damaged(f"{kind.decode()} does not match its checksum")
        if kind == b"IDAT" and runs[-1][0] == kind:
            runs[-1][1].append(body)
        else:
            runs.append((kind, [body]))
    found: dict[bytes, bytes] = {}
    for kind, bodies in runs:
        if kind[:1].isupper() and kind not in (b"IHDR", b"PLTE", b"IDAT", b"IEND"):
            raise _damaged(f"it needs the chunk {kind.decode()}, which PNG does not have")
        if kind not in found:
            found[kind] = b"".join(bodies)
    if b"IDAT" not in found:
        raise _damaged("it contains no pixels")
    kept = [b"IHDR", b"IDAT"]
    if header.color == PALETTE:
        if not found.get(b"PLTE"):
            raise _damaged("its palette is missing")
        kept[1:1] = [b"PLTE", b"tRNS"]
    return PngFile(
        header=header,
        picture=_file((kind, found[kind]) for kind in kept if kind in found),
        pixels=found[b"IDAT"],
        palette=found.get(b"PLTE", b""),
        transparency=found.get(b"tRNS", b""),
        orientation=read_orientation(found.get(b"eXIf", b"")),
    )


def has_all_rows(file: PngFile, check: Callable[[], None]) -> bool:
    """Whether the pixel data inflates to every row of the image. check: called before each step."""
    header = file.header
    bits = header.depth * CHANNELS[header.color]
    missing = 0
    for left, top, step_x, step_y in _PASSES if header.interlaced else ((0, 0, 1, 1),):
        columns, rows = -(-(header.width - left) // step_x), -(-(header.height - top) // step_y)
        if columns > 0 and rows > 0:
            missing += rows * (1 + (columns * bits + 7) // 8)
    inflate = zlib.decompressobj()
    rest = file.pixels
    try:
        while missing > 0 and not inflate.eof:
            check()
            part = inflate.decompress(rest, _INFLATE_STEP)
            rest = inflate.unconsumed_tail
            if not part and not rest:
                break
            missing -= len(part)
    except zlib.error:
        return False
    return missing <= 0


def write_png(header: PngHeader, pixels: bytes) -> bytes:
    """The bytes of a PNG file with a header and its deflated rows."""
    body = struct.pack(
        ">IIBBBBB", header.width, header.height, header.depth, header.color, 0, 0, header.interlaced
    )
    return _file(((b"IHDR", body), (b"IDAT", pixels)))


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview, bool]]:
    """Type, body and whether the checksum is right of each chunk, up to IEND or the first invalid chunk."""
    view = memoryview(data)
    position = len(SIGNATURE)
    for _ in range(_MAX_CHUNKS):
        length, kind = (
            struct.unpack(">I4s", view[position : position + 8]) if position + 8 <= len(view) else (0, b"")
        )
        body = view[position + 8 : position + 8 + length]
        position += 12 + length
        if not kind.isalpha() or kind == b"IEND":
            return
        if position > len(view):
            if kind == b"IDAT":
                raise UnreadableImageError(
                    "The PNG file is cut off: the end of the picture is missing. "
                    "Upload the complete file again."
                )
            return
        yield kind, body, zlib.crc32(body, zlib.crc32(kind)) == int.from_bytes(view[position - 4 : position])
    raise _damaged(f"it has more than {_MAX_CHUNKS} chunks")


def _file(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    parts = [SIGNATURE]
    for kind, body in (*chunks, (b"IEND", b"")):
        checksum = zlib.crc32(body, zlib.crc32(kind))
        parts += [struct.pack(">I4s", len(body), kind), body, struct.pack(">I", checksum)]
    return b"".join(parts)


def _damaged(how: str) -> UnreadableImageError:
    return UnreadableImageError(
        f"The PNG file is damaged ({how}). Copy it again from its source, or photograph the receipt again."
    )


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
