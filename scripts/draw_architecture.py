"""Draws docs/assets/architecture-light.svg and -dark.svg: the pipeline's steps and the records passed on.

    python -m scripts.draw_architecture

The steps are those of `receipt_engine/pipeline.py` and `documents.py`; a test compares the drawing with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "assets"
WIDTH = 960
_LEFT, _TOP = 24, 20
_ROW, _GAP, _PITCH = 34, 8, 10
_LETTER, _PADDING = 7.2, 22
_START = "a path, bytes, an open file, a Pillow image, an array"


@dataclass(frozen=True)
class Band:
    """Steps that answer one question. makes: the record that they pass on; color: index in the theme."""

    title: str
    steps: tuple[str, ...]
    makes: str
    color: int


BANDS = (
    Band("What is in the file?", ("preprocess", "papers"), "Page", 0),
    Band(
        "What is printed, and where?",
        ("detect", "orient", "detect turned", "quality", "recognize", "barcodes"),
        "Reading: spans of text with alternatives, codes",
        0,
    ),
    Band(
        "Which rows, which country, which values?",
        ("group", "fiscal_codes", "localize", "parse"),
        "ParsedLine: amounts and dates, each with ranked readings",
        1,
    ),
    Band(
        "What may each row and each amount be?",
        ("laws", "label", "columns", "zones", "items", "totals", "complete_items", "sheet"),
        "Sheet",
        1,
    ),
    Band(
        "With which readings do the sums add up?",
        ("reconcile",),
        "Ledger: amounts, equations, residuals, repairs",
        2,
    ),
    Band(
        "Who, when, where, how?",
        (
            *("dating", "currency", "entities", "merchant", "address_parts", "contacts", "payment"),
            *("document_type", "expense"),
        ),
        "Details",
        2,
    ),
    Band(
        "What is reported, and with what confidence?",
        ("assemble", "legibility", "custom_fields"),
        "Result: values, confidences, evidence",
        3,
    ),
)
#: Inputs of the bands besides the records: text, first and last band.
SOURCES = (
    ("models/*.onnx", 0, 1),
    ("regions/*.toml", 2, 5),
    ("models/confidence.toml", 6, 6),
)
#: Theme → background, text colour, muted text, line, then a fill and an edge for each colour of the bands.
THEMES = {
    "light": (
        *("#ffffff", "#1d2328", "#5c6670", "#c9d0d6"),
        *(
            ("#e3effa", "#2f7fd1"),
            ("#fdeedd", "#c96f00"),
            ("#fbe3f1", "#b3176f"),
            ("#def3ea", "#00734f"),
        ),
    ),
    "dark": (
        *("#1b1f24", "#e8ecf0", "#a4aeb8", "#424a53"),
        *(
            ("#1c3247", "#6fb1f0"),
            ("#40301c", "#f0a64a"),
            ("#43203a", "#ec7fc0"),
            ("#173a2f", "#4cc79f"),
        ),
    ),
}


def main() -> int:
    """Writes both drawings; returns the exit status."""
    for theme in THEMES:
        (FOLDER / f"architecture-{theme}.svg").write_text(draw(theme), encoding="utf-8")
    return 0


def draw(theme: str) -> str:
    """The drawing as an SVG document."""
    ground, ink, soft, line, *colors = THEMES[theme]
    parts: list[str] = []
    edges: list[tuple[int, int]] = []
    y = _TOP + 34
    right = WIDTH - 190
    for band in BANDS:
        rows = _rows(band.steps, right - _LEFT - 24)
        height = 34 + len(rows) * (_ROW + _GAP) + 4
        fill, edge = colors[band.color]
        parts.append(
            f'<rect x="{_LEFT}" y="{y}" width="{right - _LEFT}" height="{height}" rx="9" fill="{fill}"/>'
            f'<text x="{_LEFT + 14}" y="{y + 23}" class="q">{escape(band.title)}</text>'
        )
        for number, row in enumerate(rows):
            x: float = _LEFT + 12
            for step in row:
                width = _PADDING + _LETTER * len(step)
                top = y + 34 + number * (_ROW + _GAP)
                parts.append(
                    f'<rect x="{x:.0f}" y="{top}" width="{width:.0f}" height="{_ROW - 4}" rx="6" '
                    f'fill="{ground}" stroke="{edge}"/>'
                    f'<text x="{x + width / 2:.0f}" y="{top + 20}" class="s">{escape(step)}</text>'
                )
                x += width + _PITCH
        edges.append((y, y + height))
        y += height
        parts.append(
            f'<path d="M{_LEFT + 30} {y + 3} v17" stroke="{soft}" stroke-width="1.6" '
            f'marker-end="url(#tip)"/>'
            f'<text x="{_LEFT + 44}" y="{y + 17}" class="r">{escape(band.makes)}</text>'
        )
        y += 28
    for name, first, last in SOURCES:
        top, bottom = edges[first][0], edges[last][1]
        parts.append(
            f'<path d="M{right + 8} {top} h10 v{bottom - top} h-10" fill="none" stroke="{line}"/>'
            f'<text x="{right + 28}" y="{(top + bottom) / 2 + 4:.0f}" class="m">{escape(name)}</text>'
        )
    height = y + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        "font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif\" font-size=\"13\">"
        "<title>The steps from a picture file to a Result</title>"
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{soft}"/></marker></defs>'
        f"<style>text{{fill:{ink}}}.q{{font-weight:600}}.s{{text-anchor:middle}}"
        f".r,.m{{fill:{soft};font-size:12px}}.m{{font-family:ui-monospace,Menlo,Consolas,monospace}}</style>"
        f'<rect width="100%" height="100%" rx="10" fill="{ground}"/>'
        f'<text x="{_LEFT}" y="{_TOP + 16}" class="q">{_START}</text>'
        f"{''.join(parts)}</svg>\n"
    )


def _rows(steps: tuple[str, ...], room: float) -> list[list[str]]:
    """The steps in rows that fit the width."""
    rows: list[list[str]] = [[]]
    used = 0.0
    for step in steps:
        width = _PADDING + _LETTER * len(step) + _PITCH
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(step)
        used += width
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
