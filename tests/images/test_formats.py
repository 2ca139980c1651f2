"""WebP, TIFF, BMP, GIF, AVIF and HEIC become the same pages as JPEG and PNG, under the same rules."""

from __future__ import annotations

import contextlib
import io
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import drawn
import numpy as np
import pytest
from PIL import AvifImagePlugin, Image, TiffImagePlugin

from receipt_engine.errors import (
    CancelledError,
    ImageError,
    ImageTooLargeError,
    NotAnImageError,
    OptionError,
    UnreadableImageError,
)
from receipt_engine.stages.preprocess import formats
from receipt_engine.stages.preprocess.decode import decode, decode_pages

LOSSLESS: dict[str, dict[str, Any]] = {
    "WEBP": {"lossless": True},
    "TIFF": {},
    "BMP": {},
}
TIFF_FORMS = [None, "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg"]
FORMS = [("WEBP", {}), ("GIF", {}), ("AVIF", {}), *LOSSLESS.items(), ("TIFF", {"compression": "tiff_lzw"})]


def saved(format: str, picture: Image.Image | None = None, **options: Any) -> bytes:
    """The file of a picture, the drawn page by default."""
    if format == "HEIF":
        pillow_heif = pytest.importorskip("pillow_heif")
        buffer = io.BytesIO()
        pillow_heif.from_pillow(picture or drawn.page()).save(buffer, quality=90)
        return buffer.getvalue()
    buffer = io.BytesIO()
    (picture or drawn.page()).save(buffer, format, **options)
    return buffer.getvalue()


def difference(file: bytes, picture: Image.Image | None = None) -> float:
    """Mean difference of the levels of a file's page from those of a picture."""
    image = decode(file).image
    expected = np.asarray((picture or drawn.page()).convert("RGB"))
    assert image.shape == expected.shape
    assert image.flags.c_contiguous
    return float(np.abs(image.astype(int) - expected).mean())


@pytest.mark.parametrize(("format", "options"), LOSSLESS.items())
def test_lossless_formats_are_exact(format: str, options: dict[str, Any]) -> None:
    assert difference(saved(format, **options)) == 0


@pytest.mark.parametrize("format", ["WEBP", "GIF", "AVIF", "HEIF"])
def test_lossy_formats_are_near(format: str) -> None:
    assert difference(saved(format)) < 6


@pytest.mark.parametrize("compression", TIFF_FORMS)
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_tiff_forms(mode: str, compression: str | None) -> None:
    picture = drawn.page().convert(mode)
    tolerance = 12 if compression == "jpeg" else 0.5
    assert difference(saved("TIFF", picture, compression=compression), picture) <= tolerance


@pytest.mark.parametrize("compression", [None, "group4", "group3"])
def test_fax_tiff(compression: str | None) -> None:
    picture = drawn.page().convert("1")
    assert difference(saved("TIFF", picture, compression=compression), picture) == 0


@pytest.mark.parametrize(
    ("mode", "levels"), [("I;16", [0, 32896, 65535]), ("I", [0, 32896, 65535]), ("F", [0.0, 0.503, 1.0])]
)
def test_more_than_eight_bits(mode: str, levels: list[float]) -> None:
    kind = {"I;16": np.uint16, "I": np.int32, "F": np.float32}[mode]
    picture = Image.fromarray(np.array([levels], dtype=kind))
    assert decode(saved("TIFF", picture)).image[0, :, 0].tolist() == [0, 128, 255]


def test_every_page_of_a_tiff_file() -> None:
    pages = [Image.new("RGB", (20 + i, 30), (50 * i, 0, 0)) for i in range(4)]
    file = saved("TIFF", pages[0], save_all=True, append_images=pages[1:])
    found = list(decode_pages(file))
    assert [page.image.shape for page in found] == [(30, 20 + i, 3) for i in range(4)]
    assert [int(page.image[0, 0, 0]) for page in found] == [0, 50, 100, 150]


def test_thumbnails_in_a_tiff_file_are_no_pages() -> None:
    reduced = TiffImagePlugin.ImageFileDirectory_v2()
    reduced[254] = 1
    small = Image.new("RGB", (5, 5))
    small.encoderinfo = {"tiffinfo": reduced}
    file = saved("TIFF", Image.new("RGB", (20, 30)), save_all=True, append_images=[small])
    assert len(list(decode_pages(file))) == 1


def test_too_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_PAGES", 2)
    pages = [Image.new("1", (8, 8))] * 3
    with pytest.raises(ImageTooLargeError, match="3 pages"):
        decode(saved("TIFF", pages[0], save_all=True, append_images=pages[1:]))


@pytest.mark.parametrize("format", ["GIF", "WEBP", "AVIF"])
def test_animations_give_their_first_picture(format: str) -> None:
    first, second = Image.new("RGB", (16, 16), "white"), Image.new("RGB", (16, 16), "red")
    pages = list(decode_pages(saved(format, first, save_all=True, append_images=[second])))
    assert len(pages) == 1
    assert pages[0].image.min() > 250


@pytest.mark.parametrize("format", ["WEBP", "TIFF", "AVIF"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_orientation(format: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = LOSSLESS.get(format, {"quality": 95})
    page = decode(saved(format, exif=exif, **options))
    expected = decode(drawn.with_segment(drawn.jpeg(), 0xE1, b"Exif\0\0" + drawn.exif(orientation)))
    assert page.image.shape == expected.image.shape
    assert page.source_size == (320, 480)
    assert np.abs(page.image.astype(int) - expected.image).mean() < 8


@pytest.mark.parametrize("format", ["WEBP", "TIFF", "AVIF", "GIF"])
def test_transparent_is_white(format: str) -> None:
    picture = Image.new("RGBA", (32, 32), (0, 0, 0, 0))
    picture.paste((0, 0, 0, 255), (8, 8, 24, 24))
    image = decode(saved(format, picture, **LOSSLESS.get(format, {}))).image
    assert image[2, 2].min() >= 250
    assert image[16, 16].max() <= 8


@pytest.mark.parametrize(("format", "options"), [*FORMS, ("HEIF", {})])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.95])
def test_cut_off_files_are_refused(format: str, options: dict[str, Any], share: float) -> None:
    file = saved(format, **options)
    with pytest.raises(ImageError):
        decode(file[: int(share * len(file))])


@pytest.mark.parametrize(("format", "options"), [*FORMS, ("HEIF", {})])
def test_size_is_checked_before_decoding(format: str, options: dict[str, Any]) -> None:
    file = saved(format, **options)
    decode(file, max_pixels=320 * 480)
    with pytest.raises(ImageTooLargeError, match="320 x 480"):
        decode(file, max_pixels=320 * 480 - 1)


@pytest.mark.parametrize(("format", "options"), [*FORMS, ("HEIF", {})])
def test_edited_files_give_a_page_or_an_error(format: str, options: dict[str, Any]) -> None:
    file = saved(format, drawn.page(48, 64), **options)
    dice = random.Random(7)
    for _ in range(60):
        edited = bytearray(file)
        for _ in range(dice.randrange(1, 6)):
            edited[dice.randrange(len(edited))] = dice.randrange(256)
        try:
            for page in decode_pages(bytes(edited), max_pixels=1_000_000):
                assert page.image.dtype == np.uint8
        except ImageError as error:
            assert len(str(error)) > 20


@pytest.mark.parametrize("compression", ["group4", "tiff_lzw", "jpeg"])
def test_decoders_print_nothing(compression: str, capfd: pytest.CaptureFixture[str]) -> None:
    mode = "1" if compression == "group4" else "RGB"
    file = saved("TIFF", drawn.page(96, 128).convert(mode), compression=compression)
    dice = random.Random(5)
    for _ in range(40):
        edited = bytearray(file)
        for _ in range(4):
            edited[dice.randrange(8, len(edited))] = dice.randrange(256)
        with contextlib.suppress(ImageError):
            decode(bytes(edited))
    assert capfd.readouterr() == ("", "")


def test_heic_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(NotAnImageError, match=r"receipt-engine\[heif\]"):
        decode(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")


def test_large_jpegs_are_reduced_while_decoded() -> None:
    picture = drawn.page(640, 960)
    page = decode(drawn.jpeg(picture), max_pixels=400_000)
    assert page.source_size == (640, 960)
    assert page.image.shape == (480, 320, 3)
    reduced = np.asarray(picture.reduce(2)).astype(int)
    assert np.abs(page.image.astype(int) - reduced).mean() < 4
    with pytest.raises(ImageTooLargeError):
        decode(drawn.jpeg(picture), max_pixels=640 * 960 // 5)
    with pytest.raises(UnreadableImageError):
        decode(drawn.jpeg(picture)[:20_000] + b"\xff\xd9", max_pixels=400_000)


def test_open_files_and_pillow_pictures(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(drawn.png())
    expected = decode(path).image
    with path.open("rb") as file:
        assert (decode(file).image == expected).all()
        assert not file.closed
    file = io.BytesIO(drawn.png())
    assert (decode(file).image == expected).all()
    with pytest.raises(OptionError, match=r"seek\(0\)"):
        decode(file)
    file.close()
    with pytest.raises(OptionError, match="closed"):
        decode(file)
    assert (decode(drawn.page()).image == expected).all()
    with Image.open(path) as picture:
        assert (decode(picture).image == expected).all()
    turned = drawn.page()
    turned.getexif()[0x0112] = 6
    assert decode(turned).image.shape == (320, 480, 3)


def test_what_pillow_tells_its_log_is_not_printed(tmp_path: Path) -> None:
    """In a process of its own: pytest has a handler for every log."""
    samples = b"\x15\x01\x03\x00\x01\x00\x00\x00"
    sound = saved("TIFF")
    assert samples + b"\x03" in sound
    file = tmp_path / "many-samples.tif"
    file.write_bytes(sound.replace(samples + b"\x03", samples + b"\x83"))
    program = (
        "import sys\nfrom receipt_engine.errors import UnreadableImageError\n"
        "from receipt_engine.stages.preprocess.decode import decode\n"
        "try:\n    decode(sys.argv[1])\nexcept UnreadableImageError:\n    sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")


def test_a_decoder_that_nothing_ends_keeps_no_one_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def endless(picture: Image.Image) -> None:
        ended.wait(30)

    def check() -> None:
        if any(thread.name == "decode" for thread in threading.enumerate()):
            raise CancelledError("enough")

    monkeypatch.setattr(AvifImagePlugin.AvifImageFile, "load", endless)
    try:
        with pytest.raises(CancelledError, match="enough"):
            decode(saved("AVIF"), check=check)
        assert not ended.is_set()
    finally:
        ended.set()
