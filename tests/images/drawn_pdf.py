"""PDF files drawn in code: an invoice as text, as a scan, encrypted, with a script, over several pages."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest

ROWS = (
    ("NORTHFIELD TOOLS LTD", ""),
    ("12 High Street, Leeds LS1 4AP", ""),
    ("Invoice no: INV-2231", ""),
    ("Date: 14/03/2024", ""),
    ("", ""),
    ("Hammer", "12.50"),
    ("Box of nails", "3.20"),
    ("Saw blade 200mm", "22.99"),
    ("Subtotal", "38.69"),
    ("VAT 20%", "7.74"),
    ("Total GBP", "46.43"),
)


def reportlab_pdf(
    pages: Sequence[Sequence[tuple[str, str]]] = (ROWS,),
    draw: Callable[[Any], None] | None = None,
    **options: Any,
) -> bytes:
    """A file that ReportLab writes. draw: called with the canvas on its first page; options: the canvas's."""
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(595, 842), **options)
    for number, rows in enumerate(pages):
        if draw is not None and not number:
            draw(sheet)
        sheet.setFont("Helvetica", 11)
        for row, (left, right) in enumerate(rows):
            sheet.drawString(60, 780 - 16 * row, left)
            sheet.drawRightString(500, 780 - 16 * row, right)
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


def fpdf_pdf(rows: Sequence[tuple[str, str]] = ROWS) -> bytes:
    """A file that fpdf2 writes."""
    fpdf = pytest.importorskip("fpdf")
    sheet = fpdf.FPDF(format="A4")
    sheet.add_page()
    sheet.set_font("Times", size=12)
    for left, right in rows:
        sheet.cell(120, 6, left)
        sheet.cell(50, 6, right, align="R", new_x="LMARGIN", new_y="NEXT")
    return bytes(sheet.output())


def scanned_pdf(picture: Any) -> bytes:
    """A file that holds nothing but a picture of its page."""
    buffer = io.BytesIO()
    picture.save(buffer, "PDF", resolution=200)
    return buffer.getvalue()
