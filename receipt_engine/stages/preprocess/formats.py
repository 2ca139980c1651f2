"""Opens image files other than JPEG and PNG: WebP, TIFF, BMP, GIF, AVIF and, with the extra `heif`, HEIC.

Their decoders reject truncated data themselves, so one Pillow plugin per format is enough. WebP pixels come
from OpenCV, which is a quarter faster and does not hold Python's global lock, as Pillow does for tenths of a
second. All pages of a TIFF file are returned; of an animation or a burst only the first image.
"""

from __future__ import annotations

import ctypes
import io
import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    ImageFile,
    TiffImagePlugin,
    WebPImagePlugin,
    _imaging,
)
from PIL import Image as Pillow

from receipt_engine.errors import ImageTooLargeError, NotAnImageError, StoppedError, UnreadableImageError
from receipt_engine.stages.preprocess.color import ORIENTATION
from receipt_engine.stages.preprocess.source import CheckedFile

#: A file with more pages than this is not a receipt.
MAX_PAGES = 100
#: Seconds between two calls of `check` while a decoder runs.
_PATIENCE = 0.05
_SUBFILE_TYPE = 254
_REDUCED = 1

#: Pillow logs errors before it raises them; without a handler Python would print them.
logging.getLogger("PIL").addHandler(logging.NullHandler())

_T = TypeVar("_T")

#: Opens a file and reads its header; the pixels are decoded by `load`.
_Opener = Callable[[io.BytesIO], ImageFile.ImageFile]
_MAPPED = Path("/proc/self/maps")
_HANDLERS = ("TIFFSetErrorHandler", "TIFFSetWarningHandler")


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. open: opens its files. paged: whether a file may have several pages. decode: decodes a
    file with a single image, where this is not left to the opener's plugin.
    """

    name: str
    open: _Opener
    paged: bool = False
    decode: Callable[[bytes], Pillow.Image] | None = None


def _open_heif(file: io.BytesIO) -> ImageFile.ImageFile:
    try:
        from pillow_heif import HeifImageFile
    except ImportError:
        raise NotAnImageError(
            "This is a HEIC file. Install the extra to read it: pip install 'receipt-engine[heif]'."
        ) from None
    picture: ImageFile.ImageFile = HeifImageFile(file)  # type: ignore[no-untyped-call,unused-ignore]
    return picture


def _decode_webp(data: bytes) -> Pillow.Image:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise UnreadableImageError(
            "The WebP file is damaged or cut off. Copy the complete file from its source again."
        )
    clear = pixels.shape[2] == 4
    pixels = cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGBA if clear else cv2.COLOR_BGR2RGBA)
    mode = "RGBA" if clear else "RGBX"
    return Pillow.frombuffer(mode, pixels.shape[1::-1], pixels, "raw", mode, 0, 1)  # shares the pixels


_AVIF = Format("AVIF", AvifImagePlugin.AvifImageFile)
_HEIF = Format("HEIC", _open_heif)
_TIFF = Format("TIFF", TiffImagePlugin.TiffImageFile, paged=True)
#: Offset, magic bytes at that offset, and format.
_MAGIC = (
    (0, b"GIF87a", Format("GIF", GifImagePlugin.GifImageFile)),
    (0, b"GIF89a", Format("GIF", GifImagePlugin.GifImageFile)),
    (0, b"BM", Format("BMP", BmpImagePlugin.BmpImageFile)),
    (8, b"WEBPVP8", Format("WebP", WebPImagePlugin.WebPImageFile, decode=_decode_webp)),
    (0, b"II*\0", _TIFF),
    (0, b"MM\0*", _TIFF),
    (0, b"II+\0", _TIFF),
    (0, b"MM\0+", _TIFF),
)
#: Brands of the ISO base media file format that hold a still image.
_BRANDS = {b"avif": _AVIF, b"avis": _AVIF}
_BRANDS |= dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), _HEIF)

# Needed because `warnings.catch_warnings` changes process-wide state.
_QUIET = threading.Lock()


def format_of(data: bytes) -> Format | None:
    """The format identified from the first bytes; None for any other file."""
    for offset, magic, known in _MAGIC:
        if data[offset:].startswith(magic):
            return known
    if data[4:8] != b"ftyp":
        return None
    size = min(int.from_bytes(data[:4]), 256)
    compatible = [data[i : i + 4] for i in range(16, size - 3, 4)]
    if data[8:12] in (b"mif1", b"msf1") and not {b"avif", b"avis"}.isdisjoint(compatible):
        return _AVIF
    return _BRANDS.get(data[8:12])


def open_pages(
    data: bytes, known: Format, check_size: Callable[[int, int], None], check: Callable[[], None]
) -> Iterator[tuple[Pillow.Image, int, tuple[int, int]]]:
    """For each page its image, its EXIF orientation (1 to 8) and its size as stored.

    check_size: called with width and height before any pixel is decoded. check: called repeatedly. Raises
    UnreadableImageError, ImageTooLargeError for too many pages, and whatever check_size and check raise.
    """
    if known.paged:
        silence()
    for index in range(_page_count(data, known) if known.paged else 1):
        picture = _open(data, known, index, check)
        if picture is None:
            continue
        check_size(*picture.size)
        size = _stored_size(picture)
        orientation = 1 if known.paged or known is _HEIF else _orientation(picture)
        # OpenCV would print warnings about a damaged animation.
        decode = known.decode if getattr(picture, "n_frames", 1) == 1 else None
        step = partial(decode, data) if decode else partial(_loaded, picture)
        yield _guard(partial(_apart, step, check), known), orientation, size


def _page_count(data: bytes, known: Format) -> int:
    with _QUIET, warnings.catch_warnings(action="ignore"):
        count: int = _guard(lambda: getattr(known.open(io.BytesIO(data)), "n_frames", 1), known)
    if count > MAX_PAGES:
        raise ImageTooLargeError(f"The file has {count} pages, more than {MAX_PAGES}. Split it.")
    return count


def _open(data: bytes, known: Format, index: int, check: Callable[[], None]) -> ImageFile.ImageFile | None:
    """The image of a page, its pixels not yet decoded; None for a page that is a thumbnail of another."""

    def header() -> ImageFile.ImageFile | None:
        picture = known.open(CheckedFile(data, check))
        if index:
            picture.seek(index)
        picture.getexif()
        if isinstance(picture, TiffImagePlugin.TiffImageFile):
            if index and int(picture.tag_v2.get(_SUBFILE_TYPE, 0)) & _REDUCED:
                return None
            _check_strips(picture, len(data))
        return picture

    with _QUIET, warnings.catch_warnings(action="ignore"):
        return _guard(header, known)


def _check_strips(picture: TiffImagePlugin.TiffImageFile, length: int) -> None:
    """Raises when pixel data would lie beyond the end of a TIFF file: the decoder may leave it blank."""
    for offsets, counts in ((273, 279), (324, 325)):
        places, sizes = picture.tag_v2.get(offsets, ()), picture.tag_v2.get(counts, ())
        if any(place + size > length for place, size in zip(places, sizes, strict=False)):
            raise UnreadableImageError(
                "The TIFF file is cut off. Copy the complete file from its source again."
            )


def _stored_size(picture: ImageFile.ImageFile) -> tuple[int, int]:
    """Width and height as stored in the file; Pillow gives the upright size for a TIFF file."""
    if isinstance(picture, TiffImagePlugin.TiffImageFile) and picture.tag_v2.get(ORIENTATION, 1) >= 5:
        return picture.size[1], picture.size[0]
    return picture.size


def _orientation(picture: Pillow.Image) -> int:
    value = picture.getexif().get(ORIENTATION, 1)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _loaded(picture: ImageFile.ImageFile) -> Pillow.Image:
    picture.load()
    return picture


def _apart(step: Callable[[], _T], check: Callable[[], None]) -> _T:
    """Runs a step on a separate thread and calls `check` meanwhile.

    WebP and AVIF decode an image in one call that cannot be interrupted. When `check` raises, the thread is
    left to finish and its result is discarded: within seconds, even for the largest permitted image.
    """
    ended: Future[_T] = Future()

    def run() -> None:
        try:
            ended.set_result(step())
        except BaseException as error:  # raised again by `ended.result()`
            ended.set_exception(error)

    threading.Thread(target=run, name="decode", daemon=True).start()
    while not wait((ended,), timeout=_PATIENCE).done:
        check()
    return ended.result()


def _guard(step: Callable[[], _T], known: Format) -> _T:
    """The step's value; whatever a decoder raises becomes an UnreadableImageError."""
    try:
        return step()
    except (MemoryError, NotAnImageError, UnreadableImageError, StoppedError):
        raise
    except Exception as error:  # OSError, SyntaxError, ValueError, struct.error, EOFError, …
        raise UnreadableImageError(
            f"The {known.name} file is damaged or cut off ({error}). "
            "Copy the complete file from its source again."
        ) from error


@cache
def silence() -> None:
    """Removes libtiff's handlers, once per process. Does nothing where the library is not found.

    Errors still reach Pillow through the decoder's return value.
    """
    assert _imaging  # importing it loads the library
    with suppress(OSError, AttributeError):
        lines = _MAPPED.read_text(encoding="utf-8", errors="replace").splitlines()
        for path in sorted({line.split()[-1] for line in lines if "libtiff" in line}):
            library = ctypes.CDLL(path)
            for name in _HANDLERS:
                handler = getattr(library, name)
                handler.argtypes, handler.restype = [ctypes.c_void_p], ctypes.c_void_p
                handler(None)
