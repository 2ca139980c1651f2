"""Decodes an image file to upright RGB pages, or raises an error that says what is wrong with it.

The JPEG and PNG decoders never get the file itself but a minimal copy of it (see `jpeg` and `png`), so Pillow
sees nothing but pixels. Pillow decodes them: on a 12-megapixel JPEG it is as fast as OpenCV, and OpenCV
prints the warnings of libjpeg and libpng and returns half an image without an error. Other formats are in
`formats`, PDF in `pdf`.

Errors outside the tree of `receipt_engine.errors`: a path that cannot be read keeps the operating system's
own error (FileNotFoundError, IsADirectoryError, PermissionError), since the image is not at fault.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageChops, ImageFile, JpegImagePlugin, PngImagePlugin

from receipt_engine.document import Image, Page
from receipt_engine.errors import (
    ImageTooLargeError,
    NotAnImageError,
    OptionError,
    StoppedError,
    UnreadableImageError,
)
from receipt_engine.stages.preprocess import jpeg, png
from receipt_engine.stages.preprocess.color import ORIENTATION, to_rgb, turn_upright
from receipt_engine.stages.preprocess.formats import format_of, open_pages
from receipt_engine.stages.preprocess.pdf import is_pdf, open_pdf
from receipt_engine.stages.preprocess.source import CheckedFile, Source, never_stop, open_source

#: Allows 64-megapixel cameras. Decoding temporarily takes about 7 bytes per pixel.
MAX_PIXELS = 1 << 26
MAX_BYTES = 50_000_000
#: A JPEG or PNG of up to this many times max_pixels is reduced while it is decoded, to support cameras of 108
#: and 200 megapixels.
_REDUCIBLE = 4
#: Factors by which the sides are divided; libjpeg decodes at these scales directly from DCT coefficients.
_REDUCTIONS = (2, 4, 8)
#: Largest size of a reduced image, as a share of max_pixels: it keeps enough detail at that size.
_REDUCED_SHARE = 0.5

#: Grey levels by which a pixel may depend on missing data: the last bit of fine detail, which is not needed.
_FORGIVEN = 16

_T = TypeVar("_T")

#: Other files that people send: offset, magic bytes, name for the error message.
_OTHERS = ((4, b"ftyp", "a video"), (0, b"PK", "an archive or office document"), (0, b"8BPS", "a PSD file"))


def decode(
    source: Source,
    *,
    max_pixels: int = MAX_PIXELS,
    max_bytes: int = MAX_BYTES,
    check: Callable[[], None] = never_stop,
) -> Page:
    """The first page of `decode_pages`."""
    return next(decode_pages(source, max_pixels=max_pixels, max_bytes=max_bytes, check=check))


def decode_pages(
    source: Source,
    *,
    max_pixels: int = MAX_PIXELS,
    max_bytes: int = MAX_BYTES,
    check: Callable[[], None] = never_stop,
) -> Iterator[Page]:
    """The pages of a file as RGB images: upright by EXIF, alpha on white, 16 bits reduced to 8.

    source: a path, the bytes of a JPEG, PNG, WebP, TIFF, BMP, GIF, AVIF, HEIC or PDF file, an open binary
    file, a Pillow image, or a uint8 array of shape (height, width, 3), RGB, or (height, width), grey, which
    is copied. Any size from 1 × 1 on is accepted. Pages are decoded on demand. check: called repeatedly while
    an image is decoded; a StoppedError that it raises ends the decoding.

    Raises NotAnImageError (none of these formats), ImageTooLargeError (more than max_pixels, according to
    the header, or max_bytes; a JPEG, or a PNG that is not interlaced, of up to four times max_pixels is
    reduced instead), UnreadableImageError (damaged or cut off; half an image is never returned), OptionError
    (an array of another form, or another type), and for a path the operating system's error.
    """
    opened = open_source(source, max_bytes)
    if isinstance(opened, np.ndarray):
        yield _from_array(opened, max_pixels)
    elif isinstance(opened, Pillow.Image):
        yield _from_picture(opened, max_pixels)
    elif opened.startswith(png.SIGNATURE):
        yield _from_png(opened, max_pixels, check)
    elif opened.startswith(jpeg.SIGNATURE):
        yield _from_jpeg(opened, max_pixels, check)
    elif is_pdf(opened):
        yield from open_pdf(opened)
    elif (known := format_of(opened)) is not None:
        for picture, orientation, size in open_pages(
            opened, known, lambda w, h: _check_size(w, h, max_pixels), check
        ):
            yield Page(turn_upright(to_rgb(picture, check=check), orientation), source_size=size)
    else:
        raise NotAnImageError(
            f"This is {_name(opened)}, not a picture that can be read. Convert it to JPEG or PNG first."
        )


def _from_array(array: NDArray[np.uint8], max_pixels: int) -> Page:
    grey = array.ndim == 2
    if array.dtype != np.uint8 or not (grey or (array.ndim == 3 and array.shape[2] == 3)) or not array.size:
        raise OptionError(
            "An array must be uint8 of shape (height, width, 3), RGB, or (height, width), grey, and not "
            f"empty; this one is {array.dtype} of shape {array.shape}."
        )
    _check_size(array.shape[1], array.shape[0], max_pixels)
    image = np.repeat(array[:, :, None], 3, axis=2) if grey else np.array(array, order="C")
    return Page(image, source_size=(image.shape[1], image.shape[0]))


def _from_picture(picture: Pillow.Image, max_pixels: int) -> Page:
    size = picture.size
    if not all(size):
        raise OptionError("The Pillow image is empty.")
    _check_size(*size, max_pixels)
    try:
        picture.load()
        orientation = picture.getexif().get(ORIENTATION, 1)  # 1 after Pillow has turned a TIFF file itself
    except MemoryError:
        raise
    except Exception as error:  # a file that Pillow opened and could not decode
        raise UnreadableImageError(f"The picture is damaged or cut off ({error}).") from error
    return Page(turn_upright(to_rgb(picture), orientation), source_size=size)


def _from_jpeg(data: bytes, max_pixels: int, check: Callable[[], None]) -> Page:
    file = jpeg.read_jpeg(data)
    size = (file.frame.width, file.frame.height)
    _check_size(*size, _REDUCIBLE * max_pixels)
    shrink = _reduction(*size, max_pixels)

    def plugin(stream: io.BytesIO) -> ImageFile.ImageFile:
        picture = JpegImagePlugin.JpegImageFile(stream)
        if shrink > 1:
            picture.draft(None, (size[0] // shrink, size[1] // shrink))
        return picture

    picture = _load(plugin, file.picture, check)
    # Decoders use grey (128, or 127 when inverted) for missing data.
    last = picture.getpixel((picture.width - 1, picture.height - 1))
    if file.provable and (file.doubtful or set(last if isinstance(last, tuple) else (last,)) <= {127, 128}):
        proof = _load(plugin, file.with_filler(), check)
        extrema = np.array(ImageChops.difference(picture, proof).getextrema())
        if int(extrema.max()) > _FORGIVEN:
            raise UnreadableImageError(
                "The JPEG file is cut off: part of the picture is missing. Upload the complete file again."
            )
    return Page(turn_upright(to_rgb(picture, check=check), file.orientation), source_size=size)


def _reduction(width: int, height: int, max_pixels: int) -> int:
    """The factor by which the sides are divided during decoding; 1 for an image within max_pixels."""
    if width * height <= max_pixels:
        return 1
    most = _REDUCED_SHARE * max_pixels
    return next((r for r in _REDUCTIONS if width * height <= most * r * r), _REDUCTIONS[-1])


def _from_png(data: bytes, max_pixels: int, check: Callable[[], None]) -> Page:
    header = png.read_png_header(data)
    size = (header.width, header.height)
    _check_size(*size, max_pixels if header.interlaced else _REDUCIBLE * max_pixels)
    file = png.read_png(data)
    shrink, clear = _reduction(*size, max_pixels), _clear_color(file)
    if shrink > 1:
        image = _decoded(lambda: png.reduced(file, shrink, clear, check))
    else:
        image = _whole_png(file, clear, check)
    if image is None:
        raise UnreadableImageError(
            "The PNG file is cut off: rows of the picture are missing. Upload the complete file again."
        )
    return Page(turn_upright(image, file.orientation), source_size=size)


def _whole_png(file: png.PngFile, clear: tuple[int, ...], check: Callable[[], None]) -> Image | None:
    """The image at full size; None when rows are missing."""
    picture = _load(PngImagePlugin.PngImageFile, file.picture, check)
    last = (0, file.header.height - 1, file.header.width, file.header.height)
    # The decoder leaves missing rows at 0.
    if (file.header.interlaced or not picture.crop(last).getbbox()) and not png.has_all_rows(file, check):
        return None
    return to_rgb(picture, clear, check)


def _clear_color(file: png.PngFile) -> tuple[int, ...]:
    """The colour that tRNS makes transparent, in Pillow's pixel values; () for none.

    Pillow cuts 16-bit RGB to 8 bits, where the colour can no longer be distinguished from its neighbours.
    """
    header, count = file.header, len(file.transparency) // 2
    values = struct.unpack(f">{count}H", file.transparency[: 2 * count])
    if header.color == 0 and count == 1:
        return (values[0] * (255 // (2**header.depth - 1) if header.depth < 8 else 1),)
    return values if (header.color, header.depth, count) == (2, 8, 3) else ()


def _load(
    plugin: Callable[[io.BytesIO], ImageFile.ImageFile], data: bytes, check: Callable[[], None]
) -> Pillow.Image:
    """Decodes with one Pillow plugin, bypassing Pillow's format detection and its pixel limit."""

    def loaded() -> Pillow.Image:
        picture = plugin(CheckedFile(data, check))
        picture.load()
        return picture

    return _decoded(loaded)


def _decoded(step: Callable[[], _T]) -> _T:
    """The step's value; whatever a decoder raises becomes an UnreadableImageError."""
    try:
        return step()
    except (MemoryError, StoppedError):
        raise
    except Exception as error:  # Pillow reports damage by OSError, SyntaxError, ValueError, struct.error, …
        raise UnreadableImageError(
            f"The picture is damaged or cut off ({error}). Upload the complete file again."
        ) from error


def _check_size(width: int, height: int, max_pixels: int) -> None:
    if width * height > max_pixels:
        raise ImageTooLargeError(
            f"The picture has {width} x {height} pixels, more than {max_pixels}. Send a smaller one; "
            "4000 pixels along the receipt are plenty."
        )


def _name(data: bytes) -> str:
    if not data:
        return "an empty file"
    for offset, magic, name in _OTHERS:
        if data[offset:].startswith(magic):
            return name
    return (
        "a web page"
        if data[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
        else "some other file"
    )
