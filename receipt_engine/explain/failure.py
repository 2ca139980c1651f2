"""The page of an image that could not be read: why, what to do, and the image if it can be decoded."""

from __future__ import annotations

from html import escape

from receipt_engine.document import Page
from receipt_engine.errors import (
    ImageTooLargeError,
    NotAnImageError,
    NoTextError,
    ReceiptEngineError,
    UnreadableImageError,
    in_words,
)
from receipt_engine.explain.markup import document, section
from receipt_engine.explain.picture import embedded
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.preprocess.source import Source

_ADVICE: dict[type[Exception], tuple[str, ...]] = {
    NotAnImageError: (
        "Send a picture: JPEG, PNG, WebP, TIFF, BMP, GIF or AVIF.",
        "HEIC files need the extra heif, PDF files the extra pdf.",
    ),
    UnreadableImageError: (
        "Send the file exactly as the camera or scanner wrote it; this one is damaged or cut off.",
        "Save a protected PDF without its password first.",
    ),
    ImageTooLargeError: ("Make the picture smaller, or split the file.",),
    NoTextError: (
        "Go closer: the receipt should fill the picture.",
        "Hold still and tap on the paper to focus.",
        "Use more light, with no shadow across the print and no flash.",
    ),
}


def decoded(source: Source) -> Page | None:
    """The image in a file that could not be read, None when it cannot even be decoded."""
    try:
        return decode(source)
    except (ReceiptEngineError, OSError):
        return None


def failure_html(name: str, error: Exception, page: Page | None = None) -> str:
    """The page of a failure. name: of the file; page: the image, where it could be decoded."""
    advice = next((steps for kind, steps in _ADVICE.items() if isinstance(error, kind)), ())
    again = (
        "The same file will fail the same way."
        if isinstance(error, ReceiptEngineError)
        else "Reading it may work another time."
    )
    steps = "".join(f"<li>{escape(step)}</li>" for step in advice)
    picture = ""
    if page is not None:
        inside = f"<svg viewBox='0 0 {page.width} {page.height}' role='img'>{embedded(page)}</svg>"
        picture = f"<figure>{inside}<figcaption>The picture as it was decoded.</figcaption></figure>"
    body = (
        "<section class='head'><div><h1>Could not be read</h1>"
        f"<p class='soft'>{escape(name)}</p></div>"
        f"<span class='badge weak'>{type(error).__name__}</span></section>"
        f"{section('Why', f'<p>{escape(in_words(error, with_file=False))}</p><p class=soft>{again}</p>')}"
        f"{section('What to do', f'<ul class=checks>{steps}</ul>' if steps else '')}"
    )
    style = "" if picture else " class='alone'"
    return document(
        f"{name}: could not be read", f"<main{style}>{picture}<div class='text'>{body}</div></main>"
    )
