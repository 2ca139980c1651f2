"""Sound files of every form become the right upright RGB page."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from pathlib import Path

import drawn
import numpy as np
import pytest
from PIL import Image, ImageOps

from receipt_engine.document import Page
from receipt_engine.errors import ImageTooLargeError, NotAnImageError, OptionError
from receipt_engine.stages.preprocess.decode import decode


def assert_same(page: Page, picture: Image.Image, tolerance: int = 0) -> None:
    expected = np.asarray(picture.convert("RGB")).astype(int)
    assert page.image.shape == expected.shape
    assert page.image.dtype == np.uint8
    assert page.image.flags.c_contiguous
    assert np.abs(page.image.astype(int) - expected).max() <= tolerance


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"progressive": True},
        {"optimize": True},
        {"subsampling": 0},
        {"restart_marker_rows": 1},
        {"restart_marker_blocks": 3, "progressive": True},
        {"keep_rgb": True},
    ],
)
def test_jpeg_forms(options: dict[str, object]) -> None:
    file = drawn.jpeg(**options)
    page = decode(file)
    assert_same(page, drawn.page(), tolerance=90)
    assert np.abs(page.image.astype(int) - np.asarray(drawn.page())).mean() < 6
    assert page.source_size == (320, 480)
    assert page.rotation == 0


def test_png_is_exact() -> None:
    assert_same(decode(drawn.png()), drawn.page())


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
def test_png_modes(mode: str) -> None:
    picture = drawn.page().convert(mode)
    assert_same(decode(drawn.png(picture)), picture)


def test_grey_jpeg() -> None:
    grey = drawn.page().convert("L")
    image = decode(drawn.jpeg(grey)).image
    assert (image[:, :, 0] == image[:, :, 1]).all()
    assert (image[:, :, 0] == image[:, :, 2]).all()
    assert np.abs(image[:, :, 0].astype(int) - np.asarray(grey)).mean() < 4


@pytest.mark.parametrize(("transform", "inks"), [(0, (0, 0, 0)), (2, (255, 127, 127))])
def test_cmyk_and_ycck_give_dark_text_on_light_paper(transform: int, inks: tuple[int, ...]) -> None:
    # Files hold 255 - ink; as YCCK those three are luminance 0 and no chroma, which means no ink.
    picture = Image.new("CMYK", (64, 64), (*inks, 10))
    picture.paste((*inks, 230), (16, 16, 48, 48))
    file = drawn.jpeg(picture)
    place = file.index(b"Adobe") + 11
    assert file[place] == 0
    image = decode(file[:place] + bytes((transform,)) + file[place + 1 :]).image.astype(int)
    assert np.abs(image[4, 4] - 245).max() <= 3
    assert np.abs(image[32, 32] - 25).max() <= 3


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_alpha_is_laid_on_white(mode: str) -> None:
    picture = Image.new(mode, (40, 20), (0, 0, 0, 0) if mode == "RGBA" else (0, 0))
    picture.paste((0, 0, 0, 255) if mode == "RGBA" else (0, 255), (10, 5, 30, 15))
    picture.putpixel((0, 0), (0, 0, 0, 128) if mode == "RGBA" else (0, 128))
    image = decode(drawn.png(picture)).image
    assert (image[18, 2] == 255).all()
    assert (image[10, 20] == 0).all()
    assert image[0, 0, 0] == 127


def test_transparent_palette_entry() -> None:
    picture = Image.new("P", (8, 8), 1)
    picture.putpalette([0, 0, 0, 0, 0, 0])
    picture.putpixel((3, 3), 0)
    image = decode(drawn.png(picture, transparency=b"\xff\x00")).image
    assert (image[0, 0] == 255).all()
    assert (image[3, 3] == 0).all()


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_transparent_grey(depth: int) -> None:
    top = 2**depth - 1
    bits = f"{0:0{depth}b}{top:0{depth}b}"  # a black and a white pixel
    row = np.array([[int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2)]], dtype=np.uint16)
    body = row.astype(np.uint8) if depth < 8 else np.array([[0, top]], dtype=np.uint8)
    file = drawn.SIGNATURE + drawn.header(2, 1, depth, 0) + drawn.chunk(b"tRNS", struct.pack(">H", 0))
    image = decode(file + drawn.pixels(body) + drawn.chunk(b"IEND")).image
    assert image[0, :, 0].tolist() == [255, 255]
    opaque = drawn.SIGNATURE + drawn.header(2, 1, depth, 0) + drawn.pixels(body) + drawn.chunk(b"IEND")
    assert decode(opaque).image[0, :, 0].tolist() == [0, 255]


def test_transparent_rgb() -> None:
    rows = np.array([[[1, 2, 3], [1, 2, 4]]], dtype=np.uint8)
    file = drawn.SIGNATURE + drawn.header(2, 1) + drawn.chunk(b"tRNS", struct.pack(">HHH", 1, 2, 3))
    image = decode(file + drawn.pixels(rows) + drawn.chunk(b"IEND")).image
    assert image[0].tolist() == [[255, 255, 255], [1, 2, 4]]


def test_sixteen_bits() -> None:
    grey = np.array([[0, 255, 256, 0x8080, 0xFFFF]], dtype=np.uint16)
    start = drawn.SIGNATURE + drawn.header(5, 1, 16, 0)
    file = start + drawn.pixels(grey) + drawn.chunk(b"IEND")
    assert decode(file).image[0, :, 1].tolist() == [0, 0, 1, 0x80, 0xFF]
    key = drawn.chunk(b"tRNS", struct.pack(">H", 0x8080))
    assert decode(start + key + drawn.pixels(grey) + drawn.chunk(b"IEND")).image[0, 3, 0] == 255
    color = np.array([[[0x1234, 0x5678, 0x9ABC]]], dtype=np.uint16)
    file = drawn.SIGNATURE + drawn.header(1, 1, 16, 2) + drawn.pixels(color) + drawn.chunk(b"IEND")
    assert decode(file).image[0, 0].tolist() == [0x12, 0x56, 0x9A]
    alpha = np.array([[[0, 0]], [[0, 0xFFFF]]], dtype=np.uint16)
    file = drawn.SIGNATURE + drawn.header(1, 2, 16, 4) + drawn.pixels(alpha) + drawn.chunk(b"IEND")
    assert decode(file).image[:, 0, 0].tolist() == [255, 0]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("order", ["<", ">"])
def test_exif_orientation(orientation: int, order: str) -> None:
    stored = drawn.page(60, 40)
    tagged = stored.copy()
    tagged.getexif()[0x0112] = orientation
    upright = ImageOps.exif_transpose(tagged)
    block = drawn.exif(orientation, order)
    picture = drawn.png(stored)
    file = picture[:33] + drawn.chunk(b"eXIf", block) + picture[33:]
    page = decode(file)
    assert_same(page, upright)
    assert page.source_size == (60, 40)
    photo = decode(drawn.with_segment(drawn.jpeg(stored), 0xE1, b"Exif\0\0" + block))
    assert photo.image.shape == page.image.shape
    assert np.abs(photo.image.astype(int) - page.image).mean() < 8


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"II*\0",
        drawn.exif(9),
        drawn.exif(0),
        drawn.exif(6)[:-10],
        b"II*\0\xff\xff\xff\x7f",
        b"II*\0\x08\0\0\0\xff\xff" + b"\x12" * 40,
        drawn.exif(6).replace(b"II", b"XX"),
    ],
)
def test_broken_exif_means_as_stored(block: bytes) -> None:
    file = drawn.with_segment(drawn.jpeg(), 0xE1, b"Exif\0\0" + block)
    assert (decode(file).image == decode(drawn.jpeg()).image).all()


def test_only_the_first_exif_block_counts() -> None:
    file = drawn.with_segment(drawn.jpeg(), 0xE1, b"Exif\0\0" + drawn.exif(6))
    file = drawn.with_segment(file, 0xE1, b"Exif\0\0" + drawn.exif(1))
    assert decode(file).image.shape == (480, 320, 3)


def test_animation_gives_its_default_picture() -> None:
    first, second = Image.new("RGB", (9, 9), "white"), Image.new("RGB", (9, 9), "red")
    file = drawn.png(first, save_all=True, append_images=[second])
    assert b"acTL" in file
    assert_same(decode(file), first)


def test_interlaced_png() -> None:
    # All seven passes of a picture of one colour.
    size, raw = 9, b""
    for left, top, across, down in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]:
        columns, rows = -(-(size - left) // across), -(-(size - top) // down)
        raw += (b"\0" + bytes([70, 80, 90]) * columns) * rows
    start = drawn.SIGNATURE + drawn.header(size, size, interlaced=1)
    file = start + drawn.chunk(b"IDAT", zlib.compress(raw)) + drawn.chunk(b"IEND")
    assert (decode(file).image == [70, 80, 90]).all()


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (7, 5)])
def test_tiny_and_thin_pictures(size: tuple[int, int]) -> None:
    picture = Image.new("RGB", size, (200, 100, 50))
    assert_same(decode(drawn.png(picture)), picture)
    assert_same(decode(drawn.jpeg(picture)), picture, tolerance=4)


def test_names_and_kinds_of_source(tmp_path: Path) -> None:
    path = tmp_path / "receipt.jpg"
    path.write_bytes(drawn.png())  # the content decides, not the name
    expected = decode(drawn.png()).image
    for source in (path, str(path), path.read_bytes(), bytearray(path.read_bytes())):
        assert (decode(source).image == expected).all()


def test_missing_path_keeps_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        decode(tmp_path / "no such file.png")
    with pytest.raises(IsADirectoryError):
        decode(tmp_path)


def test_arrays() -> None:
    color = np.asarray(drawn.page())
    page = decode(color[:, ::-1])
    assert (page.image == color[:, ::-1]).all()
    assert page.image.flags.c_contiguous
    assert page.source_size == (320, 480)
    own = color.copy()
    page = decode(own)
    own[:] = 0
    assert page.image.any(), "the page must not follow later changes of the caller's array"
    grey = decode(color[:, :, 0]).image
    assert (grey == color[:, :, :1]).all()


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 4, 3)),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4,), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((1, 4, 4, 3), np.uint8),
    ],
)
def test_arrays_of_another_form(array: np.ndarray) -> None:
    with pytest.raises(OptionError, match="uint8"):
        decode(array)


@pytest.mark.parametrize("source", [None, 3, [1, 2], object()])
def test_other_kinds_of_source(source: object) -> None:
    with pytest.raises(OptionError, match="path, bytes, an open binary file"):
        decode(source)  # type: ignore[arg-type]


def test_limits_are_inclusive(tmp_path: Path) -> None:
    file = drawn.png(Image.new("RGB", (30, 20)))
    path = tmp_path / "a.png"
    path.write_bytes(file)
    for source in (file, path):
        assert decode(source, max_pixels=600, max_bytes=len(file)).image.shape == (20, 30, 3)
        assert decode(source, max_pixels=599).image.shape == (10, 15, 3)
        with pytest.raises(ImageTooLargeError, match="30 x 20"):
            decode(source, max_pixels=149)
        with pytest.raises(ImageTooLargeError, match="bytes"):
            decode(source, max_bytes=len(file) - 1)
    with pytest.raises(ImageTooLargeError):
        decode(np.zeros((20, 30), np.uint8), max_pixels=599)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"\n <HTML>", "web page"),
        (b"just words", "some other"),
        (b"\0\0\0\x18ftypisom", "video"),
        (b"PK\3\4", "archive"),
        (b"\0", "some other"),
        (b" " + drawn.jpeg(), "some other"),
        (b"\xff\xd8", "some other"),
        (drawn.SIGNATURE.replace(b"\r\n", b"\n"), "some other"),
    ],
)
def test_what_is_no_picture(data: bytes, name: str) -> None:
    with pytest.raises(NotAnImageError, match=name):
        decode(data)


def test_memory_stays_near_two_copies() -> None:
    picture = Image.new("RGB", (3000, 3000), "white")
    file = drawn.jpeg(picture)
    tracemalloc.start()
    page = decode(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Pillow's own copy is not traced: what is left is the page and a strip.
    assert peak < 1.2 * page.image.nbytes
