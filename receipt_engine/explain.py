"""One self-contained page that shows how a picture was read: no script, no request to anywhere."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from html import escape
from pathlib import Path
from typing import get_args

import cv2

from receipt_engine.document import (
    Equation,
    Ledger,
    Line,
    Page,
    ParsedLine,
    Quad,
    Reading,
    RegionGuess,
    Sheet,
    Word,
    Zone,
)
from receipt_engine.result import LineItem, Result
from receipt_engine.trace import Trace

#: Longest side of the embedded picture, in pixels.
_PICTURE_SIDE = 1600
_JPEG_QUALITY = 80
#: Words of a row that stand nearer than this many heights share a box.
_GAP = 1.2
#: Room beside the first and the last letter of a box, in heights.
_MARGIN = 0.3
#: Part of the receipt → colour of its boxes; told apart also by people who see few colours.
_COLOURS = {
    "header": "#2f7fd1",
    "items": "#009e73",
    "summary": "#e07b00",
    "after": "#8a939b",
    "total": "#c2187a",
    "barcode": "#7a5cff",
}
_VERDICTS = {"proved": "sure", "consistent": "soft", "contradicted": "weak", "unchecked": "soft"}
#: Features of confidences in plain words; `stages/assemble/features.py` tells how each is measured.
_MEANINGS = {
    "margin": "far ahead of any other total",
    "subtotal": "subtotal and adjustments add up to it",
    "items": "the products add up to it",
    "cash": "what was given less the change is this",
    "card": "the card was charged this",
    "table": "the tax table adds up to it",
    "included_tax": "the tax is the right part of it",
    "repeated": "it is printed again",
    "proved": "an equation proves it",
    "proofs": "independent equations prove it",
    "total_proofs": "the total beside it is proved",
    "contradicted": "an equation does not close, others do",
    "contradicted_alone": "equations do not close and none proves it",
    "label": "the words beside it name it",
    "reading_cost": "unusual characters for an amount",
    "score": "its characters were read clearly",
    "repaired": "it was read differently and mended",
    "height": "it is printed large",
    "summary": "it stands among the totals",
    "region": "the country is known",
    "legibility": "the page was read clearly",
    "finder": "its place and its form fit",
    "time": "a time stands with it",
}
#: So many reasons are told for each value.
_REASONS = 4
#: Values that take more room than an amount.
_LONG = frozenset(("address", "url", "barcodes"))
_LIKELY_REGIONS = 4


def to_html(page: Page, reading: Reading, result: Result, trace: Trace) -> str:
    """The page as HTML text."""
    lines: tuple[Line, ...] = trace["group"]
    rows: tuple[ParsedLine, ...] = trace["parse"]
    sheet: Sheet = trace["sheet"]
    ledger: Ledger = trace["reconcile"]
    sections = (
        _head(reading, result, trace),
        _section("Result", _fields(result)),
        _section("How sure, and why", _confidences(result)) if result.evidence else "",
        _section("Equations", _equations(ledger)),
        _section("Products", _items(result.line_items)) if result.line_items else "",
        _section("Totals block", _items(result.summary_items)) if result.summary_items else "",
        _section("Rows", _rows(rows, sheet)),
        _section("Region", _regions(trace["localize"])),
        _section("Time", _times(trace)),
    )
    title = escape(result.establishment or "Receipt")
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_style()}</style></head><body><main>"
        f"{_picture(page, reading, lines, sheet, ledger)}<div class='text'>{''.join(sections)}</div>"
        "</main></body></html>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("explain.css").read_text(encoding="utf-8")


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>"


def _table(head: Sequence[str], body: Iterable[str], style: str = "") -> str:
    """head: a heading a column, those of numbers with a leading #; body: rows of cells."""
    cells = "".join(f"<th class='n'>{h[1:]}</th>" if h.startswith("#") else f"<th>{h}</th>" for h in head)
    heading = f"<thead><tr>{cells}</tr></thead>" if head else ""
    inside = "".join(f"<tr>{row}</tr>" for row in body)
    return f"<div class='wide'><table class='{style}'>{heading}<tbody>{inside}</tbody></table></div>"


def _picture(page: Page, reading: Reading, lines: Sequence[Line], sheet: Sheet, ledger: Ledger) -> str:
    scale = min(1.0, _PICTURE_SIDE / max(page.width, page.height))
    size = (max(1, round(page.width * scale)), max(1, round(page.height * scale)))
    small = cv2.resize(page.image, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    picture = base64.b64encode(data.tobytes()).decode()
    total = ledger.total.entry.line if ledger.total and ledger.total.entry else None
    shapes = [
        _shape(quad, "total" if line.index == total else zone, line.text)
        for line, zone in zip(lines, sheet.zones, strict=True)
        for quad in _runs(line.words)
    ]
    shapes += [_shape(b.quad, "barcode", f"{b.kind}: {b.data}") for b in reading.barcodes]
    shown = [
        *get_args(Zone),
        *(["total"] if total is not None else []),
        *["barcode"] * bool(reading.barcodes),
    ]
    legend = "".join(f"<span><i style='background:{_COLOURS[n]}'></i>{n}</span>" for n in shown)
    return (
        f"<figure><svg viewBox='0 0 {page.width} {page.height}' role='img'>"
        f"<image href='data:image/jpeg;base64,{picture}' width='{page.width}' height='{page.height}'/>"
        f"{''.join(shapes)}</svg><figcaption>{legend}</figcaption></figure>"
    )


def _runs(words: Sequence[Word]) -> Iterator[Quad]:
    """One box for words that stand close together."""
    start = 0
    for i, word in enumerate(words):
        last = i + 1 == len(words)
        if last or words[i + 1].left - word.right > _GAP * word.height:
            first = words[start].quad
            run = Quad(first.top_left, word.quad.top_right, word.quad.bottom_right, first.bottom_left)
            # Letters stand a little out of the places that the recogniser gives them.
            margin = _MARGIN * run.height / max(1.0, run.width)
            yield run.slice(-margin, 1 + margin)
            start = i + 1


def _shape(quad: Quad, kind: str, title: str) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in quad.points)
    colour = _COLOURS[kind]
    return (
        f"<polygon class='{kind}' points='{corners}' stroke='{colour}' fill='{colour}'>"
        f"<title>{escape(title)} ({kind})</title></polygon>"
    )


def _head(reading: Reading, result: Result, trace: Trace) -> str:
    total = "no total" if result.total is None else f"{result.total}"
    badge = ""
    if result.total_confidence is not None:
        word = "proved" if result.validated_total else "not proved"
        style = _sureness(result.total_confidence)
        badge = f" <span class='badge {style}'>{word}, {result.total_confidence:.3f}</span>"
    width, height = reading.source_size
    turned = f", turned by {reading.rotation}°" if reading.rotation else ""
    seconds = sum(step.milliseconds for step in trace.steps) / 1000
    return (
        f"<section class='head'><div><h1>{escape(result.establishment or 'Unnamed merchant')}</h1>"
        f"<p class='soft'>{escape(result.date or 'no date')}, read in {seconds:.1f} s from"
        f" {width} × {height} pixels{turned}</p></div>"
        f"<div><span class='sum'>{escape(total)} <small>{escape(result.currency or '')}</small></span>"
        f"{badge}</div></section>"
    )


def _fields(result: Result) -> str:
    body = "".join(
        f"<div class='{'long' if name in _LONG else ''}'><dt>{escape(name)}</dt>"
        f"<dd>{escape(str(value))}</dd>{_bar(confidence)}</div>"
        for name, value, confidence in _named_fields(result)
        if value is not None
    )
    return f"<dl class='facts'>{body}</dl>"


def _named_fields(result: Result) -> list[tuple[str, object, float | None]]:
    """(name in the interface, value, confidence) of what a reader looks for first."""

    def joined(values: Sequence[Decimal]) -> str | None:
        return "  ".join(map(str, values)) or None

    return [
        ("establishment", result.establishment, result.establishment_confidence),
        ("date", result.date, result.date_confidence),
        ("total", result.total, result.total_confidence),
        ("subTotal", result.sub_total, result.sub_total_confidence),
        ("tax", result.tax, None),
        ("taxes", joined(result.taxes), min(result.taxes_confidence, default=None)),
        ("tip", result.tip, result.tip_confidence),
        (
            "serviceCharges",
            joined(result.service_charges),
            min(result.service_charge_confidences, default=None),
        ),
        ("discounts", joined(result.discounts), min(result.discount_confidences, default=None)),
        ("rounding", result.rounding, result.rounding_confidence),
        ("cash", result.cash, result.cash_confidence),
        ("change", result.change, result.change_confidence),
        ("currency", result.currency, None),
        ("paymentMethod", result.payment_method, None),
        ("phoneNumber", result.phone_number, None),
        ("address", result.address, None),
        ("url", result.url, None),
        ("documentType", result.document_type, None),
        ("expenseType", result.expense_type, None),
        ("barcodes", ", ".join(f"{data} ({kind})" for data, kind in result.barcodes) or None, None),
    ]


def _confidences(result: Result) -> str:
    """The probability of each value, and what speaks for it (+) and against it (−), the strongest first."""
    body = []
    for field, found in (result.evidence or {})["confidence"].items():
        for one in found if isinstance(found, list) else [found]:
            reasons = "; ".join(
                f"{'+' if c['share'] > 0 else '−'} {escape(_MEANINGS[c['feature']])}"
                for c in one["contributions"][:_REASONS]
            )
            sure = _sureness(one["probability"])
            body.append(
                f"<td>{escape(field)}</td><td class='n {sure}'>{one['probability']:.3f}</td>"
                f"<td>{reasons}</td>"
            )
    return _table(("", "#right with", "because"), body, "small")


def _sureness(confidence: float) -> str:
    return "sure" if confidence >= 0.9 else "fair" if confidence >= 0.7 else "weak"


def _bar(confidence: float | None) -> str:
    if confidence is None:
        return ""
    style = _sureness(confidence)
    return f"<div class='bar'>{_meter(confidence, style)}<span class='{style}'>{confidence:.3f}</span></div>"


def _meter(share: float, style: str = "soft") -> str:
    return (
        f"<svg class='{style}' viewBox='0 0 100 1' preserveAspectRatio='none' aria-hidden='true'>"
        f"<rect width='{100 * share:.1f}' height='1' fill='currentColor'/></svg>"
    )


def _equations(ledger: Ledger) -> str:
    if not ledger.equations:
        return "<p class='soft'>Nothing to add up: no total was found.</p>"
    body = (
        f"<td class='verdict {_VERDICTS[e.verdict]}'>{e.verdict}</td><td>{escape(e.kind)}</td>"
        f"<td class='n'>{escape(_relation(e))}</td>"
        for e in ledger.equations
    )
    others = ", ".join(f"{c.value} (cost {c.cost:.1f})" for c in ledger.runners_up)
    lead = f", ahead of {escape(others)}" if others else ""
    cost = f" at cost {ledger.total.cost:.1f}" if ledger.total else ""
    chosen = f"{ledger.total.value}{cost}{lead}" if ledger.total else "none"
    return _table((), body) + f"<p class='small soft'>Total: {chosen}</p>"


def _relation(equation: Equation) -> str:
    """The terms as a sum: those that count positive, and what they come to."""
    *parts, last = equation.terms
    if not parts:
        return f"{_short(abs(last.value))} {last.text}, and nothing to compare it with"
    left = " ".join(
        f"{'−' if t.value < 0 else '+' if i else ''}{' ' if i else ''}{_short(abs(t.value))} {t.text}"
        for i, t in enumerate(parts)
    )
    return f"{left} {_sign(equation)} {_short(-last.value)} {last.text}"


def _sign(equation: Equation) -> str:
    """Sums that were rounded to the printed digits nearly close; contradicted ones do not."""
    return "≠" if equation.verdict == "contradicted" else "=" if not equation.residual else "≈"


def _short(value: Decimal) -> str:
    return f"{round(value, 4) if -value.as_tuple().exponent > 4 else value}"  # type: ignore[operator]


def _items(items: Sequence[LineItem]) -> str:
    body = (
        f"<td>{escape(i.desc_clean or i.desc or '')}</td><td class='n'>{i.qty or ''}</td>"
        f"<td class='n'>{_blank(i.unit)}</td><td class='n'>{_blank(i.price)}</td>"
        f"<td class='n'>{_blank(i.line_total)}</td><td>{escape(' '.join(i.symbols))}</td>"
        f"<td class='soft'>{escape(i.line_type or '')}</td>"
        for i in items
    )
    return _table(("descClean", "#qty", "#unit", "#price", "#lineTotal", "", "lineType"), body)


def _blank(value: Decimal | None) -> str:
    return "" if value is None else str(value)


def _rows(rows: Sequence[ParsedLine], sheet: Sheet) -> str:
    body = []
    for row, zone, roles in zip(rows, sheet.zones, sheet.roles, strict=True):
        named = ", ".join(f"{m.role} {m.weight:.2f}" for m in roles)
        amounts = "; ".join(
            " or ".join(f"{m.value} ({m.cost:.1f})" for m in a.readings[:3]) for a in row.amounts
        )
        body.append(
            f"<td class='zone' style='background:{_COLOURS[zone]}'></td>"
            f"<td class='mono'>{escape(row.text)}</td>"
            f"<td class='n'>{row.line.score:.2f}</td><td>{escape(named)}</td><td>{escape(amounts)}</td>"
        )
    return _table(("", "text", "#score", "its words may mean", "its amounts may be (cost)"), body, "small")


def _regions(guesses: Sequence[RegionGuess]) -> str:
    body = (
        f"<td class='mono'>{escape(g.code)}</td><td class='n'>{g.probability:.3f}</td>"
        f"<td>{escape(', '.join(g.evidence))}</td>"
        for g in guesses[:_LIKELY_REGIONS]
    )
    return _table(("code", "#probability", "evidence"), body, "small")


def _times(trace: Trace) -> str:
    total = sum(step.milliseconds for step in trace.steps) or 1.0
    body = [
        f"<td>{escape(step.stage)}</td><td class='n'>{step.milliseconds:.1f} ms</td>"
        f"<td class='time'>{_meter(step.milliseconds / total)}</td>"
        for step in trace.steps
    ]
    body.append(f"<th>whole</th><th class='n'>{total:.0f} ms</th><td></td>")
    return _table((), body, "small")
