"""Renders each page of a PDF file to an image and reads its text layer when it has one (extra `pdf`).

PDFium renders; it is built without JavaScript and without XFA. Only one thread at a time may use it.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from receipt_engine.document import Image, Page
from receipt_engine.errors import ImageError, ImageTooLargeError, NotAnImageError, UnreadableImageError
from receipt_engine.stages.preprocess.formats import MAX_PAGES
from receipt_engine.stages.preprocess.pdf_text import read_text_layer

SIGNATURE = b"%PDF-"
#: Some PDF writers put a few bytes before the signature; Acrobat looks for it in the first kilobyte.
_SIGNATURE_WITHIN = 1024
_POINTS = 72.0
#: Dots per inch at which an ordinary page is rendered, and the limits for a page that is mostly a scan, which
#: is rendered at the scan's own resolution.
_DPI = 200.0
_SCAN_DPI = (150.0, 300.0)
#: A page is a scan when an image covers at least this share of it.
_SCAN_SHARE = 0.5
#: A page with more pixels, or a longer side, is rendered at a lower resolution.
_MAX_PAGE_PIXELS = 25_000_000
_MAX_SIDE = 20_000
#: Seconds that rendering a page may take.
_TIME_LIMIT = 10.0

_PDFIUM = threading.RLock()


def is_pdf(data: bytes) -> bool:
    return SIGNATURE in data[:_SIGNATURE_WITHIN]


def open_pdf(data: bytes) -> Iterator[Page]:
    """The pages, each rendered on demand, with the spans of its text layer in `Page.printed`.

    Raises UnreadableImageError (damaged, encrypted, with a script or an XFA form, or with a page that takes
    too long), ImageTooLargeError (too many pages) and NotAnImageError without the extra.
    """
    try:
        import pypdfium2
    except ImportError:
        raise NotAnImageError(
            "This is a PDF file. Install the extra to read it: pip install 'receipt-engine[pdf]'."
        ) from None
    with _PDFIUM:
        document = _open(pypdfium2, data)
    try:
        for index in range(len(document)):
            with _PDFIUM:
                page = _page(pypdfium2, document, index)
            yield page
    finally:
        with _PDFIUM:
            document.close()


def _open(pypdfium2: Any, data: bytes) -> Any:
    raw = pypdfium2.raw
    try:
        document = pypdfium2.PdfDocument(data)
        pages = len(document)
    except pypdfium2.PdfiumError as error:
        # PDFium may report a stale error when opening fails without one, as for a file without pages.
        locked = error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        if locked and b"/Encrypt" in data:
            raise UnreadableImageError(
                "The PDF file is protected by a password. Save it without one and send it again."
            ) from error
        raise UnreadableImageError(
            f"The PDF file is damaged ({error}). Copy the complete file again."
        ) from error
    refusal: ImageError | None = None
    if not pages:
        refusal = UnreadableImageError(
            "The PDF file has no pages. Copy the complete file from its source again."
        )
    elif pages > MAX_PAGES:
        refusal = ImageTooLargeError(f"The PDF file has {pages} pages, more than {MAX_PAGES}. Split it.")
    elif raw.FPDFDoc_GetJavaScriptActionCount(document) > 0 or raw.FPDF_GetFormType(document) in (
        raw.FORMTYPE_XFA_FULL,
        raw.FORMTYPE_XFA_FOREGROUND,
    ):
        refusal = UnreadableImageError(
            "The PDF file has active content, which is not run, so its pages may not show what they should. "
            "Print it to a new PDF file and send that."
        )
    if refusal is not None:
        document.close()
        raise refusal
    if raw.FPDF_GetFormType(document) == raw.FORMTYPE_ACRO_FORM:
        document.init_forms()
    return document


def _page(pypdfium2: Any, document: Any, index: int) -> Page:
    try:
        page = document[index]
        try:
            width, height = page.get_size()
            if not (math.isfinite(width) and math.isfinite(height) and min(width, height) > 0):
                raise UnreadableImageError(f"Page {index + 1} of the PDF file has no size.")
            scale = _scale(pypdfium2, page, width, height)
            if scale * min(width, height) < 1:
                raise UnreadableImageError(
                    f"Page {index + 1} of the PDF file ({width:.0f} x {height:.0f} points) is too narrow to "
                    "show anything. Print it to a new PDF file and send that."
                )
            image = _draw(pypdfium2, page, scale)
            size = (image.shape[1], image.shape[0])
            return Page(image, source_size=size, printed=read_text_layer(pypdfium2, page, size))
        finally:
            page.close()
    except (pypdfium2.PdfiumError, ctypes.ArgumentError, ValueError) as error:
        raise UnreadableImageError(
            f"Page {index + 1} of the PDF file is damaged ({error}). Copy the complete file again."
        ) from error


def _scale(pypdfium2: Any, page: Any, width: float, height: float) -> float:
    """The rendering scale, in pixels per point."""
    dpi = _DPI
    for picture in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = picture.get_bounds()
        if (right - left) * (top - bottom) >= _SCAN_SHARE * width * height:
            finest = max(picture.get_px_size()) / max(right - left, top - bottom) * _POINTS
            dpi = min(max(finest, _SCAN_DPI[0]), _SCAN_DPI[1])
    return min(dpi / _POINTS, _MAX_SIDE / max(width, height), math.sqrt(_MAX_PAGE_PIXELS / (width * height)))


def _draw(pypdfium2: Any, page: Any, scale: float) -> Image:
    """The page as RGB on white; raises after _TIME_LIMIT, since a page can be crafted to take hours."""
    raw = pypdfium2.raw
    width, height = (max(1, round(side * scale)) for side in page.get_size())
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        end = time.monotonic() + _TIME_LIMIT
        late = type(raw.IFSDK_PAUSE().NeedToPauseNow)(lambda _: time.monotonic() > end)
        pause = raw.IFSDK_PAUSE(version=1, NeedToPauseNow=late)
        status = raw.FPDF_RenderPageBitmap_Start(
            bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT, ctypes.byref(pause)
        )
        while status == raw.FPDF_RENDER_TOBECONTINUED and time.monotonic() <= end:
            status = raw.FPDF_RenderPage_Continue(page, ctypes.byref(pause))
        raw.FPDF_RenderPage_Close(page)
        if status == raw.FPDF_RENDER_TOBECONTINUED:
            raise UnreadableImageError(
                "A page of the PDF file takes too long to render. Send it as a picture."
            )
        if status != raw.FPDF_RENDER_DONE:
            raise UnreadableImageError(
                "A page of the PDF file cannot be rendered. Copy the complete file again."
            )
        if page.formenv is not None:
            raw.FPDF_FFLDraw(page.formenv, bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT)
        image: Image = np.ascontiguousarray(bitmap.to_numpy()[:, :, 2::-1], dtype=np.uint8)
        return image
    finally:
        bitmap.close()
