"""Tables, sections and the HTML frame that all pages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path


def document(title: str, body: str, style: str = "") -> str:
    """A whole HTML page. title: plain text; body: markup; style: CSS rules of this page alone."""
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        "<meta name='viewport' content='width=device-width'><meta name='color-scheme' content='light dark'>"
        f"<style>{_style()}{style}</style></head><body>{body}</body></html>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def section(title: str, body: str) -> str:
    """A titled part of the page; "" without a body."""
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def table(head: Sequence[str], body: Iterable[str], style: str = "") -> str:
    """A table. head: a heading per column, those of numbers with a leading #; body: rows, each from `row` or
    just its cells."""
    cells = "".join(f"<th class='n'>{h[1:]}</th>" if h.startswith("#") else f"<th>{h}</th>" for h in head)
    heading = f"<thead><tr>{cells}</tr></thead>" if head else ""
    inside = "".join(r if r.startswith("<tr") else f"<tr>{r}</tr>" for r in body)
    return f"<div class='wide'><table class='{style}'>{heading}<tbody>{inside}</tbody></table></div>"


def row(cells: str, names: Iterable[str]) -> str:
    """A table row that belongs to printed rows; names: their CSS classes."""
    return f"<tr class='{' '.join(names)}'>{cells}</tr>"


def sureness(confidence: float) -> str:
    """The CSS class of a confidence."""
    return "sure" if confidence >= 0.9 else "fair" if confidence >= 0.7 else "weak"


def bar(confidence: float | None) -> str:
    """A confidence as a bar and a number."""
    if confidence is None:
        return ""
    style = sureness(confidence)
    return f"<div class='bar'>{meter(confidence, style)}<span class='{style}'>{confidence:.3f}</span></div>"


def meter(share: float, style: str = "soft") -> str:
    """A share, 0 to 1, as a bar."""
    return (
        f"<svg class='{style}' viewBox='0 0 100 1' preserveAspectRatio='none' aria-hidden='true'>"
        f"<rect width='{100 * share:.1f}' height='1' fill='currentColor'/></svg>"
    )
