"""Damaged, cut off and hostile files: the right error, never half a picture, in little time and memory."""

from __future__ import annotations

import random
import struct
import time
import tracemalloc
import warnings
import zlib

import drawn
import numpy as np
import pytest
from PIL import Image

from receipt_engine.errors import ImageError, ImageTooLargeError, UnreadableImageError
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.preprocess.jpeg import MAX_SCANS, read_jpeg

END = b"\xff\xd9"
FORMS: dict[str, dict[str, object]] = {
    "baseline": {},
    "optimized": {"optimize": True},
    "full colour": {"subsampling": 0},
    "restarts": {"restart_marker_rows": 1},
    "progressive": {"progressive": True},
}


def refused(file: bytes, match: str = ".") -> None:
    with pytest.raises(UnreadableImageError, match=match):
        decode(file)


def data_start(file: bytes) -> int:
    """Where the data of the first scan begins."""
    place = file.index(b"\xff\xda")
    return place + 2 + int.from_bytes(file[place + 2 : place + 4])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "end", [b"", END, bytes(5000), b"\xff" * 5000], ids=["cut", "closed", "zeros", "ones"]
)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8])
def test_cut_off_jpeg(form: str, end: bytes, share: float) -> None:
    file = drawn.jpeg(**FORMS[form])
    start = data_start(file)
    # Of a progressive file the first scan is taken: later ones only sharpen what is already whole.
    stop = read_jpeg(file).scans[0].end if form == "progressive" else len(file) - 2
    refused(file[: int(start + share * (stop - start))] + end)


@pytest.mark.parametrize("form", ["baseline", "optimized", "full colour", "restarts"])
def test_jpeg_cut_off_shortly_before_its_end(form: str) -> None:
    file = drawn.jpeg(**FORMS[form])
    for missing in (80, 300):
        refused(file[:-missing])
        refused(file[:-missing] + END)


def test_progressive_jpeg_without_its_last_scans() -> None:
    file = drawn.jpeg(progressive=True)
    scans = read_jpeg(file).scans
    assert len(scans) > 4
    for scan in scans[:-1]:
        refused(read_jpeg(file).picture[: scan.end])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "change",
    [
        lambda file: file[:-2],
        lambda file: file[:-1],
        lambda file: file + b"<html>trailing</html>" * 100,
        lambda file: file + file,
        lambda file: file[:-2] + file,
        lambda file: file[:-2] + b"\xff\xff\xff" + END,
        lambda file: file + bytes(1000),
        lambda file: drawn.with_segment(file, 0xE2, b"ICC_PROFILE\0\x07\x01" + bytes(50)),
        lambda file: drawn.with_segment(file, 0xE2, b"MPF\0MM\0*" + b"\xff" * 30),
        lambda file: drawn.with_segment(file, 0xED, b"Photoshop 3.0\0" + b"8BIM" * 5),
        lambda file: drawn.with_segment(file, 0xE1, b"Exif\0\0" + drawn.jpeg(Image.new("RGB", (9, 9)))),
        lambda file: drawn.with_segment(file, 0xFE, b"\xff\xd9\xff\xda"),
        lambda file: file[:2] + b"\xff\xff\xff" + file[2:],
    ],
)
def test_harmless_jpeg_damage_changes_nothing(form: str, change) -> None:  # type: ignore[no-untyped-def]
    file = drawn.jpeg(**FORMS[form])
    assert (decode(change(file)).image == decode(file).image).all()


def test_stray_marker_ends_a_scan_early() -> None:
    file = drawn.jpeg()
    middle = (data_start(file) + len(file)) // 2
    for marker in (0x40, 0xD3):
        refused(file[:middle] + bytes((0xFF, marker)) + file[middle + 2 :])


def test_lost_restart_marker() -> None:
    file = drawn.jpeg(restart_marker_rows=1)
    start = data_start(file)
    place = file.index(b"\xff\xd2", start)
    refused(file[:place] + file[place + 2 :], "strips")
    refused(file[:place] + b"\xff\xd5" + file[place + 2 :], "strips")


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_truly_grey_corner_is_no_damage(mode: str, progressive: bool) -> None:
    for level in (127, 128):
        picture = Image.new(mode, (64, 64), level if mode == "L" else (level,) * len(mode))
        file = drawn.jpeg(picture, progressive=progressive)
        assert decode(file).image.shape == (64, 64, 3)


def test_missing_channel() -> None:
    file = drawn.jpeg(progressive=True, subsampling=0)
    parsed = read_jpeg(file)
    # A sequential file that never brings its colours: only the first component is scanned.
    frame = file.index(b"\xff\xc2")
    sequential = file[:frame] + b"\xff\xc0" + file[frame + 2 : parsed.scans[0].end]
    place = sequential.index(b"\xff\xda")
    header = b"\xff\xda" + struct.pack(">HB", 8, 1) + sequential[place + 5 : place + 7] + b"\0\x3f\0"
    refused(sequential[:place] + header + bytes(2000) + END)


@pytest.mark.parametrize(
    "file",
    [
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8" + b"\xff" * 1000,
        b"\xff\xd8\xff\xe0",
        b"\xff\xd8\xff\xe0\x00\x01",
        b"\xff\xd8\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + END,
        b"\xff\xd8\xff\xc0\x00\x02" + END,
    ],
)
def test_jpeg_without_a_picture(file: bytes) -> None:
    refused(file)


def with_frame(**fields: int) -> bytes:
    """A JPEG file with changed numbers in its frame header."""
    file = bytearray(drawn.jpeg())
    place = file.index(b"\xff\xc0") + 4
    for name, value in fields.items():
        offset, form = {
            "bits": (0, ">B"),
            "height": (1, ">H"),
            "width": (3, ">H"),
            "count": (5, ">B"),
            "sampling": (7, ">B"),
        }[name]
        struct.pack_into(form, file, place + offset, value)
    return bytes(file)


@pytest.mark.parametrize(
    "fields",
    [
        {"height": 0},
        {"width": 0},
        {"bits": 12},
        {"count": 2},
        {"count": 0},
        {"sampling": 0},
        {"sampling": 0xFF},
        {"count": 255},
    ],
)
def test_jpeg_frame_that_cannot_be(fields: dict[str, int]) -> None:
    refused(with_frame(**fields))


def test_jpeg_that_claims_more_rows_than_it_has() -> None:
    refused(with_frame(height=2000))
    with pytest.raises(ImageTooLargeError):
        decode(with_frame(width=65535, height=65535))


def test_jpeg_with_two_frames_or_too_many_scans() -> None:
    file = drawn.jpeg()
    place = file.index(b"\xff\xc0")
    frame = file[place : place + 2 + int.from_bytes(file[place + 2 : place + 4])]
    refused(file[:place] + frame + file[place:], "two frames")
    parsed = read_jpeg(drawn.jpeg(progressive=True))
    last = parsed.picture[parsed.scans[-2].end : parsed.scans[-1].end]
    refused(parsed.picture[:-2] + last * MAX_SCANS + END, "scans")


def test_jpeg_of_endless_segments_or_padding_is_quick() -> None:
    for filler in (b"\xff\xe5\0\2", b"\xff\xd0", b"\xff", b"\0", b"\xff\x00"):
        start = time.perf_counter()
        refused(b"\xff\xd8\xff" + filler * (4_000_000 // len(filler)))
        assert time.perf_counter() - start < 5


def test_cut_off_png() -> None:
    file = drawn.png()
    for share in (0.0, 0.1, 0.5, 0.9, 0.99):
        refused(file[: int(8 + share * (len(file) - 20))])


def test_png_that_lacks_rows() -> None:
    # Every checksum is right and the stream ends properly; there are just too few rows.
    rows = np.full((10, 5, 3), 200, dtype=np.uint8)
    for interlaced in (0, 1):
        file = (
            drawn.SIGNATURE
            + drawn.header(5, 12, interlaced=interlaced)
            + drawn.pixels(rows)
            + drawn.chunk(b"IEND")
        )
        refused(file, "rows|cut off")
    empty = drawn.chunk(b"IDAT", b"")
    refused(drawn.SIGNATURE + drawn.header(5, 12) + empty + drawn.chunk(b"IEND"))


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_png_with_a_black_last_row_is_whole(mode: str) -> None:
    picture = Image.new("RGBA", (30, 30), (0, 0, 0, 0)).convert(mode)
    assert decode(drawn.png(picture)).image.shape == (30, 30, 3)


def test_png_pieces_are_joined_and_later_ones_ignored() -> None:
    rows = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    body = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
    pieces = b"".join(drawn.chunk(b"IDAT", body[i : i + 1]) for i in range(len(body))) + drawn.chunk(b"IDAT")
    file = (
        drawn.SIGNATURE + drawn.header(3, 2) + pieces + drawn.chunk(b"teXt") + drawn.chunk(b"IDAT", b"late")
    )
    assert (decode(file + drawn.chunk(b"IEND")).image == rows).all()


def png_with(extra: bytes, place: int = 33) -> bytes:
    file = drawn.png()
    return file[:place] + extra + file[place:]


@pytest.mark.parametrize(
    "file",
    [
        png_with(b"")[:-12],
        png_with(b"")[:-1],
        png_with(b"") + b"<html>",
        png_with(b"") + drawn.png(),
        png_with(drawn.chunk(b"gAMA", b"\0")),
        png_with(drawn.chunk(b"cHRM")),
        png_with(drawn.chunk(b"iCCP", b"name\0\0not zlib")),
        png_with(drawn.chunk(b"pHYs", b"\0" * 9, checksum=1)),
        png_with(drawn.chunk(b"tRNS", b"\0\1", checksum=1)),
        png_with(drawn.chunk(b"eXIf", drawn.exif(6), checksum=1)),
        png_with(drawn.chunk(b"eXIf", b"garbage")),
        png_with(drawn.chunk(b"acTL", b"\0\0")),
        png_with(drawn.chunk(b"juNK", b"\0" * 3)),
    ],
)
def test_harmless_png_damage_changes_nothing(file: bytes) -> None:
    assert (decode(file).image == np.asarray(drawn.page())).all()


@pytest.mark.parametrize(
    "file",
    [
        drawn.SIGNATURE,
        drawn.SIGNATURE + drawn.chunk(b"IEND"),
        drawn.SIGNATURE + drawn.header(3, 3) + drawn.chunk(b"IEND"),
        drawn.SIGNATURE + drawn.chunk(b"teXt") + drawn.png()[8:],
        drawn.SIGNATURE + drawn.header(0, 3) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.header(2**31, 1) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.header(3, 3, depth=3) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.header(3, 3, color=1) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.header(3, 3, interlaced=2) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.chunk(b"IHDR", b"\0" * 12) + drawn.png()[33:],
        drawn.SIGNATURE + drawn.header(3, 3, color=3) + drawn.pixels(np.zeros((3, 3))) + drawn.chunk(b"IEND"),
        png_with(drawn.chunk(b"ABCD")),
        png_with(drawn.chunk(b"PLTE", b"\0\0\0", checksum=7)),
        png_with(b"\xff" * 12),
        drawn.png()[:29] + b"\0\0\0\0" + drawn.png()[33:],
    ],
)
def test_png_that_cannot_be(file: bytes) -> None:
    refused(file)


def test_png_pixels_must_match_their_checksum() -> None:
    file = bytearray(drawn.png())
    file[len(file) // 2] ^= 1
    refused(bytes(file), "checksum")


def test_chunks_that_inflate_without_end_are_never_inflated() -> None:
    bomb = zlib.compress(bytes(200_000_000), 9)
    file = drawn.png()
    for extra in (
        drawn.chunk(b"zTXt", b"Comment\0\0" + bomb),
        drawn.chunk(b"iTXt", b"Comment\0\1\0\0\0" + bomb),
        drawn.chunk(b"iCCP", b"profile\0\0" + bomb),
    ):
        for place in (33, len(file) - 12):
            start = time.perf_counter()
            tracemalloc.start()
            image = decode(file[:place] + extra + file[place:]).image
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert (image == np.asarray(drawn.page())).all()
            assert peak < 10_000_000
            assert time.perf_counter() - start < 5


def test_pixels_that_inflate_without_end_stop_at_the_last_row() -> None:
    bomb = drawn.chunk(b"IDAT", zlib.compress(bytes(100_000_000), 9))
    for interlaced in (0, 1):
        tracemalloc.start()
        decode(drawn.SIGNATURE + drawn.header(50, 50, interlaced=interlaced) + bomb + drawn.chunk(b"IEND"))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 10_000_000


@pytest.mark.parametrize(
    ("width", "height", "depth"), [(30_000, 30_000, 8), (50_000, 50_000, 1), (2**31 - 1, 2**31 - 1, 8)]
)
def test_huge_png_is_refused_from_its_header(width: int, height: int, depth: int) -> None:
    body = drawn.chunk(b"IDAT", zlib.compress(bytes(1000)))
    with pytest.raises(ImageTooLargeError, match=str(width)):
        decode(drawn.SIGNATURE + drawn.header(width, height, depth, 0) + body)


def test_png_of_endless_chunks_is_quick() -> None:
    start = time.perf_counter()
    refused(drawn.SIGNATURE + drawn.header(3, 3) + drawn.chunk(b"teXt") * 120_000, "chunks")
    assert time.perf_counter() - start < 10


def test_damage_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither libjpeg nor libpng, nor any warning, reaches the caller's terminal."""
    rng = random.Random(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for source in (drawn.jpeg(), drawn.jpeg(progressive=True), drawn.png()):
            for _ in range(40):
                file = bytearray(source)
                for _ in range(rng.randrange(1, 12)):
                    file[rng.randrange(len(file))] = rng.randrange(256)
                try:
                    decode(bytes(file))
                except ImageError as error:
                    assert str(error)
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")
