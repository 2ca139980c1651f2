"""Large PNG files: made smaller strip by strip, with the pixels that decoding the whole file gives."""

import struct
import tracemalloc
import zlib
from itertools import count
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.errors import CancelledError, ImageTooLargeError, UnreadableImageError
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.preprocess.png import CHANNELS

Bytes = NDArray[np.uint8]
WIDTH, HEIGHT = 202, 402
FORMS = [(color, depth) for color in CHANNELS for depth in (1, 2, 4, 8, 16) if depth >= 8 or color in (0, 3)]
FORMS.remove((3, 16))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def filtered(raw: Any, bpp: int, kinds: list[int]) -> bytes:
    """Rows with the filters of PNG, written anew from its definition."""
    left = np.pad(raw, ((0, 0), (bpp, 0)))[:, :-bpp].astype(int)
    up = np.pad(raw, ((1, 0), (0, 0)))[:-1].astype(int)
    corner = np.pad(raw, ((1, 0), (bpp, 0)))[:-1, :-bpp].astype(int)
    guess = left + up - corner
    apart = np.stack([abs(guess - value) for value in (left, up, corner)])
    paeth = np.choose(apart.argmin(axis=0), (left, up, corner))
    of_kind = (np.zeros_like(left), left, up, (left + up) // 2, paeth)
    rows = ((raw - of_kind[kind]) % 256 for kind in range(5))
    coded = np.stack([row.astype(np.uint8) for row in rows])
    return b"".join(bytes((kind,)) + coded[kind, i].tobytes() for i, kind in enumerate(kinds))


def file_of(color: int, depth: int, *, clear: bytes = b"", interlaced: int = 0, cut: int = 0) -> bytes:
    rng = np.random.default_rng([color, depth])
    bits = depth * CHANNELS[color]
    smooth = cv2.resize(rng.integers(0, 256, (9, 7), np.uint8), ((WIDTH * bits + 7) // 8, HEIGHT))
    raw = smooth if depth >= 8 else rng.integers(0, 256, smooth.shape, np.uint8)
    data = filtered(raw, max(1, bits // 8), rng.integers(0, 5, HEIGHT).tolist())
    palette = rng.integers(0, 256, (2 ** min(depth, 8), 3), np.uint8).tobytes() if color == 3 else b""
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, color, 0, 0, interlaced)),
            chunk(b"PLTE", palette) if palette else b"",
            chunk(b"tRNS", clear) if clear else b"",
            chunk(b"IDAT", zlib.compress(data[: len(data) - cut])),
            chunk(b"IEND", b""),
        )
    )


def halved(image: Bytes) -> Bytes:
    return cv2.resize(image, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA).astype(np.uint8)


@pytest.mark.parametrize(("color", "depth"), FORMS)
def test_strips_give_the_pixels_of_the_whole(color: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("receipt_engine.stages.preprocess.png._STRIP", 20_000)
    data = file_of(color, depth, clear=b"\x80\0\xff" if color == 3 else b"")
    whole = decode(data).image
    smaller = decode(data, max_pixels=WIDTH * HEIGHT - 1)
    assert smaller.source_size == (WIDTH, HEIGHT)
    assert np.array_equal(smaller.image, halved(whole))
    monkeypatch.setattr("receipt_engine.stages.preprocess.decode._reduction", lambda *_: 1)
    monkeypatch.setattr("receipt_engine.stages.preprocess.decode._whole_png", whole_by_strips)
    assert np.array_equal(decode(data).image, whole)


def whole_by_strips(file: object, clear: tuple[int, ...], check: object) -> object:
    from receipt_engine.stages.preprocess import png

    return png.reduced(file, 1, clear, check)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("color", "depth", "clear"), [(0, 8, b"\0\x40"), (0, 16, b"\x40\x40"), (2, 8, b"\0\x10\0\x20\0\x30")]
)
def test_a_colour_that_is_clear_stays_so(
    color: int, depth: int, clear: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = file_of(color, depth, clear=clear)
    whole = decode(data).image
    monkeypatch.setattr("receipt_engine.stages.preprocess.decode._whole_png", whole_by_strips)
    assert np.array_equal(decode(data).image, whole)


def test_rows_that_are_missing_are_missed() -> None:
    with pytest.raises(UnreadableImageError, match="cut off"):
        decode(file_of(2, 8, cut=300), max_pixels=WIDTH * HEIGHT - 1)


def test_a_filter_that_does_not_exist_is_damage() -> None:
    header = struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\x09" + bytes(64)) * 64)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    with pytest.raises(UnreadableImageError):
        decode(data, max_pixels=2048)


def test_more_than_four_times_too_many_and_interlaced_ones_are_refused() -> None:
    with pytest.raises(ImageTooLargeError):
        decode(file_of(2, 8), max_pixels=WIDTH * HEIGHT // 4 - 1)
    with pytest.raises(ImageTooLargeError):
        decode(file_of(2, 8, interlaced=1), max_pixels=WIDTH * HEIGHT - 1)


def test_the_whole_picture_is_never_held() -> None:
    """9000 × 8000 pixels, 216 MB as colours."""
    row = b"\x02" + bytes(3 * 9000)
    packer = zlib.compressobj(1)
    pixels = b"".join([*(packer.compress(row) for _ in range(8000)), packer.flush()])
    header = struct.pack(">IIBBBBB", 9000, 8000, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    tracemalloc.start()
    try:
        page = decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert page.image.shape == (4000, 4500, 3)
    assert peak < 150_000_000


@pytest.mark.parametrize("form", ["png", "reduced png", "jpg", "webp", "tiff", "bmp"])
def test_decoding_ends_when_it_is_to_end(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("receipt_engine.stages.preprocess.png._STRIP", 20_000)
    noise = np.random.default_rng(1).integers(0, 256, (500, 900, 3), np.uint8)
    ok, packed = cv2.imencode("." + form.split()[-1], noise)
    assert ok
    calls = count()

    def end() -> None:
        if next(calls) == 3:
            raise CancelledError("enough")

    with pytest.raises(CancelledError):
        decode(packed.tobytes(), max_pixels=300_000 if form == "reduced png" else 1 << 20, check=end)
