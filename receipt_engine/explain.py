"""One self-contained page that shows how a picture was read: no script, no request to anywhere."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape

import cv2

from receipt_engine.document import Ledger, Line, Page, ParsedLine, Reading, Sheet
from receipt_engine.result import LineItem, Result
from receipt_engine.trace import Trace

#: Longest side of the embedded picture, in pixels.
_PICTURE_SIDE = 1600
_JPEG_QUALITY = 80
#: Part of the receipt → colour of its boxes, told apart also by people who see few colours.
_COLOURS = {
    "header": "#0072b2",
    "items": "#009e73",
    "summary": "#d55e00",
    "after": "#999999",
    "total": "#cc0000",
    "barcode": "#cc79a7",
}
_MONEY_FIELDS = (
    ("total", "total_confidence"),
    ("sub_total", "sub_total_confidence"),
    ("tax", None),
    ("tip", "tip_confidence"),
    ("discount", None),
    ("rounding", "rounding_confidence"),
    ("cash", "cash_confidence"),
    ("change", "change_confidence"),
)


def to_html(page: Page, reading: Reading, result: Result, trace: Trace) -> str:
    """The page as HTML text."""
    lines: tuple[Line, ...] = trace["group"]
    rows: tuple[ParsedLine, ...] = trace["parse"]
    sheet: Sheet = trace["classify"]
    ledger: Ledger = trace["reconcile"]
    sections = (
        _picture(page, reading, lines, sheet, ledger),
        "<div class='text'>",
        _fields(result),
        _equations(ledger),
        _items("Products", result.line_items),
        _items("Totals block", result.summary_items),
        _rows(rows, sheet),
        _regions(trace),
        _times(trace),
        "</div>",
    )
    title = escape(result.establishment or "Receipt")
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head>"
        f"<body><main>{''.join(sections)}</main></body></html>"
    )


def _picture(page: Page, reading: Reading, lines: Sequence[Line], sheet: Sheet, ledger: Ledger) -> str:
    scale = min(1.0, _PICTURE_SIDE / max(page.width, page.height))
    size = (max(1, round(page.width * scale)), max(1, round(page.height * scale)))
    small = cv2.resize(page.image, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    picture = base64.b64encode(data.tobytes()).decode()
    total = ledger.total.entry.line if ledger.total and ledger.total.entry else None
    shapes = []
    for line, zone in zip(lines, sheet.zones, strict=True):
        kind = "total" if line.index == total else zone
        for word in line.words:
            shapes.append(_shape(word.quad.points, _COLOURS[kind], f"{line.text} · {kind}"))
    shapes += [_shape(b.quad.points, _COLOURS["barcode"], f"{b.kind}: {b.data}") for b in reading.barcodes]
    legend = "".join(
        f"<span><i style='background:{colour}'></i>{name}</span>" for name, colour in _COLOURS.items()
    )
    return (
        f"<figure><div class='legend'>{legend}</div><svg viewBox='0 0 {page.width} {page.height}' role='img'>"
        f"<image href='data:image/jpeg;base64,{picture}' width='{page.width}' height='{page.height}'/>"
        f"{''.join(shapes)}</svg></figure>"
    )


def _shape(points: Iterable[tuple[float, float]], colour: str, title: str) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    return f"<polygon points='{corners}' stroke='{colour}'><title>{escape(title)}</title></polygon>"


def _fields(result: Result) -> str:
    rows = [
        ("establishment", result.establishment, result.establishment_confidence),
        ("date", result.date, result.date_confidence),
        *((name, getattr(result, name), getattr(result, c) if c else None) for name, c in _MONEY_FIELDS),
        ("taxes", ", ".join(map(str, result.taxes)) or None, min(result.taxes_confidence, default=None)),
        ("currency", result.currency, None),
        ("paymentMethod", result.payment_method, None),
        ("address", result.address, None),
        ("phoneNumber", result.phone_number, None),
        ("url", result.url, None),
        ("documentType", result.document_type, None),
        ("barcodes", ", ".join(f"{data} ({kind})" for data, kind in result.barcodes) or None, None),
    ]
    body = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td><td>{_bar(confidence)}</td></tr>"
        for name, value, confidence in rows
        if value is not None
    )
    return f"<h2>Result</h2><table>{body}</table>"


def _bar(confidence: float | None) -> str:
    if confidence is None:
        return ""
    scale = "min='0' max='1' low='0.7' high='0.9' optimum='1'"
    return f"<meter {scale} value='{confidence}'></meter> {confidence:.3f}"


def _equations(ledger: Ledger) -> str:
    if not ledger.equations:
        return "<h2>Equations</h2><p>None closes: the values rest on their words alone.</p>"
    body = "".join(
        f"<tr><td class='{e.verdict}'>{e.verdict}</td><th>{escape(e.name)}</th><td>"
        + escape("  ".join(f"{value:+} {name}" for name, value in e.terms))
        + f"</td><td>{e.residual}</td></tr>"
        for e in ledger.equations
    )
    others = ", ".join(f"{c.value} ({c.cost:.1f})" for c in ledger.runners_up) or "none"
    chosen = f"{ledger.total.value}" if ledger.total else "none"
    return (
        f"<h2>Equations</h2><table><tr><th></th><th>relation</th><th>terms</th><th>residual</th></tr>{body}"
        f"</table><p>Total {chosen}, ahead by {ledger.margin:.1f}; runners-up: {escape(others)}</p>"
    )


def _items(title: str, items: Sequence[LineItem]) -> str:
    if not items:
        return ""
    body = "".join(
        f"<tr><td>{escape(i.desc_clean or '')}</td><td>{i.qty if i.qty else ''}</td>"
        f"<td>{'' if i.price is None else i.price}</td><td class='n'>{i.line_total}</td>"
        f"<td>{escape(' '.join(i.symbols))}</td><td>{escape(i.line_type or '')}</td></tr>"
        for i in items
    )
    head = "<tr><th></th><th>qty</th><th>price</th><th>amount</th><th></th><th>type</th></tr>"
    return f"<h2>{title}</h2><table>{head}{body}</table>"


def _rows(rows: Sequence[ParsedLine], sheet: Sheet) -> str:
    body = []
    for row, zone, roles in zip(rows, sheet.zones, sheet.roles, strict=True):
        named = ", ".join(f"{m.role} {m.weight:.2f}" for m in roles)
        amounts = "; ".join(
            " | ".join(f"{m.value} ({m.cost:.1f})" for m in a.readings[:3]) for a in row.amounts
        )
        body.append(
            f"<tr><td style='border-left:6px solid {_COLOURS[zone]}'>{escape(row.text)}</td>"
            f"<td>{row.line.score:.2f}</td><td>{escape(named)}</td><td>{escape(amounts)}</td></tr>"
        )
    head = "<tr><th>row</th><th>score</th><th>words for</th><th>amounts with their readings (cost)</th></tr>"
    return f"<h2>Rows</h2><table class='small'>{head}{''.join(body)}</table>"


def _regions(trace: Trace) -> str:
    body = "".join(
        f"<tr><td>{escape(g.code)}</td><td>{g.probability:.3f}</td>"
        f"<td>{escape(', '.join(g.evidence))}</td></tr>"
        for g in trace["localize"][:4]
    )
    return f"<h2>Region</h2><table class='small'>{body}</table>"


def _times(trace: Trace) -> str:
    total = sum(step.milliseconds for step in trace.steps) or 1.0
    body = "".join(
        f"<tr><td>{escape(step.stage)}</td><td class='n'>{step.milliseconds:.1f} ms</td>"
        f"<td><meter min='0' max='1' value='{step.milliseconds / total:.4f}'></meter></td></tr>"
        for step in trace.steps
    )
    return f"<h2>Time</h2><table class='small'>{body}<tr><th>whole</th><th>{total:.0f} ms</th></tr></table>"


_STYLE = """
:root{font:14px/1.4 system-ui,sans-serif;color-scheme:light}
body{margin:0;background:#f4f4f2;color:#1a1a1a}
main{display:grid;grid-template-columns:minmax(280px,42%) 1fr;gap:24px;padding:20px;
  max-width:1700px;margin:auto}
@media(max-width:900px){main{grid-template-columns:1fr}}
figure{margin:0;position:sticky;top:20px;align-self:start}
svg{width:100%;max-height:92vh;background:#ddd;border-radius:6px}
polygon{fill:transparent;stroke-width:2;vector-effect:non-scaling-stroke}
polygon:hover{fill:rgba(255,214,0,.35)}
.legend{display:flex;flex-wrap:wrap;gap:12px;margin-bottom:8px;font-size:12px}
.legend i{display:inline-block;width:12px;height:12px;margin-right:4px;border-radius:2px;vertical-align:-1px}
h2{font-size:15px;margin:22px 0 6px}
.text h2:first-child{margin-top:0}
table{border-collapse:collapse;width:100%;background:#fff;border-radius:6px;overflow:hidden}
th,td{text-align:left;padding:4px 8px;border-bottom:1px solid #ececea;vertical-align:top}
th{font-weight:600}
.n{text-align:right;font-variant-numeric:tabular-nums}
.small{font-size:12px}
.small td:first-child{font-family:ui-monospace,monospace;white-space:pre-wrap}
meter{width:80px;height:12px}
.proved{color:#00674b;font-weight:600}.contradicted{color:#b00020;font-weight:600}
"""
