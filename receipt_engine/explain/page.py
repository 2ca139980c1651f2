"""The page of one image: what to check, values and their confidences, rows, region and times."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from html import escape
from typing import Any

from receipt_engine.document import Item, Ledger, Line, ParsedLine, RegionGuess, Sheet
from receipt_engine.explain import words
from receipt_engine.explain.explanation import Explanation
from receipt_engine.explain.markup import bar, document, meter, row, section, sureness, table
from receipt_engine.explain.picture import COLOURS, figure
from receipt_engine.result import LineItem, Result
from receipt_engine.trace import Trace

_VERDICTS = {"proved": "sure", "consistent": "soft", "contradicted": "weak", "unchecked": "soft"}
#: Most reasons, and most other values, shown for each value.
_REASONS, _OTHERS = 4, 3
#: Fields whose values take more room than an amount.
_LONG = frozenset(("address", "url", "barcodes"))
_LIKELY_REGIONS = 4
#: Score of a row from which a product on it counts as read clearly.
_CLEAR = 0.97


def to_html(explanations: Sequence[Explanation]) -> str:
    """The page of an image with one or more receipts."""
    several = len(explanations) > 1
    body = "".join(_receipt(one, number) for number, one in enumerate(explanations))
    names = [one.result.establishment or "Receipt" for one in explanations]
    if several:
        entries = "".join(_entry(one, number) for number, one in enumerate(explanations))
        body = f"<nav><h1>{len(explanations)} receipts in this picture</h1><ol>{entries}</ol></nav>{body}"
    return document(", ".join(names), body, "".join(map(_links, range(len(explanations)), explanations)))


def _entry(one: Explanation, number: int) -> str:
    result = one.result
    total = "no total" if result.total is None else f"{result.total} {result.currency or ''}"
    name = escape(result.establishment or "Unnamed")
    return f"<li><a href='#receipt-{number}'>{name}</a>, {escape(total)}</li>"


def _class(number: int, index: int) -> str:
    """The CSS class of a printed row in the image and in tables. number: the receipt's."""
    return f"r{number}-{index}"


def _links(number: int, one: Explanation) -> str:
    """CSS rules that highlight everything of a row when the pointer is over any part of it."""
    names = [_class(number, row.line.index) for row in one.trace["parse"]]
    return "".join(
        f"main:has(.{n}:hover) polygon.{n}{{fill-opacity:.45;stroke-width:3.5}}"
        f"main:has(.{n}:hover) :is(tr,div).{n}{{background:var(--mark)}}"
        for n in names
    )


def _receipt(one: Explanation, number: int) -> str:
    trace, result = one.trace, one.result
    lines: tuple[Line, ...] = trace["group"]
    rows: tuple[ParsedLine, ...] = trace["parse"]
    sheet: Sheet = trace["sheet"]
    ledger: Ledger = trace["reconcile"]

    def name(index: int) -> str:
        return _class(number, index)

    sections = (
        _head(one),
        section("Check this", _checks(words.checks(result, ledger))),
        section("Result", _fields(result, rows, number)),
        section("Confidence, and why", _confidences(result)) if result.evidence else "",
        section("Other possible values", _others(result, ledger)),
        section("Equations", _equations(ledger)),
        section("Products", _products(result, ledger, rows, number)),
        section("Totals block", _items(result.summary_items) if result.summary_items else ""),
        section("Rows", _rows(rows, sheet, number)),
        section("Region", _regions(trace["localize"])),
        section("Time", _times(trace)),
    )
    picture = figure(one.page, one.reading, lines, sheet, ledger, name)
    return f"<main id='receipt-{number}'>{picture}<div class='text'>{''.join(sections)}</div></main>"


def _head(one: Explanation) -> str:
    result, reading = one.result, one.reading
    total = "no total" if result.total is None else f"{result.total}"
    badge = ""
    if result.total_confidence is not None:
        word = "proved" if result.validated_total else "not proved"
        style = sureness(result.total_confidence)
        badge = f" <span class='badge {style}'>{word}, {result.total_confidence:.3f}</span>"
    width, height = reading.source_size
    turned = f", rotated by {reading.rotation}°" if reading.rotation else ""
    seconds = sum(step.milliseconds for step in one.trace.steps) / 1000
    return (
        f"<section class='head'><div><h1>{escape(result.establishment or 'Unnamed merchant')}</h1>"
        f"<p class='soft'>{escape(result.date or 'no date')}, read in {seconds:.1f} s from"
        f" {width} × {height} pixels{turned}</p></div>"
        f"<div><span class='sum'>{escape(total)} <small>{escape(result.currency or '')}</small></span>"
        f"{badge}</div></section>"
    )


def _checks(found: Sequence[str]) -> str:
    if not found:
        return "<p class='sure'>Nothing: every value is reliable, and the sums add up.</p>"
    return f"<ul class='checks'>{''.join(f'<li>{escape(sentence)}</li>' for sentence in found)}</ul>"


def _fields(result: Result, rows: Sequence[ParsedLine], number: int) -> str:
    evidence: dict[str, Any] = (result.evidence or {}).get("fields", {})
    body = []
    for field, value, confidence in _named_fields(result):
        if value is None:
            continue
        names = [_class(number, index) for index in _printed(evidence.get(field), rows)]
        style = " ".join((*(["long"] if field in _LONG else []), *names))
        body.append(
            f"<div class='{style}'><dt>{escape(field)}</dt><dd>{escape(str(value))}</dd>"
            f"{bar(confidence)}</div>"
        )
    return f"<dl class='facts'>{''.join(body)}</dl>"


def _printed(evidence: Any, rows: Sequence[ParsedLine]) -> list[int]:
    """The rows that a field's evidence quotes."""
    quoted = {
        text
        for one in (evidence if isinstance(evidence, list) else [evidence] if evidence else [])
        for text in (one.get("text") or "").split(" / ")
    }
    return [row.line.index for row in rows if row.text in quoted]


def _named_fields(result: Result) -> list[tuple[str, object, float | None]]:
    """(name in the interface, value, confidence) of the fields that a reader looks for first."""

    def joined(values: Sequence[Decimal]) -> str | None:
        return "  ".join(map(str, values)) or None

    services = min(result.service_charge_confidences, default=None)
    return [
        ("establishment", result.establishment, result.establishment_confidence),
        ("date", result.date, result.date_confidence),
        ("total", result.total, result.total_confidence),
        ("subTotal", result.sub_total, result.sub_total_confidence),
        ("tax", result.tax, None),
        ("taxes", joined(result.taxes), min(result.taxes_confidence, default=None)),
        ("tip", result.tip, result.tip_confidence),
        ("serviceCharges", joined(result.service_charges), services),
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
    """The confidence of each value, and the reasons for it (+) and against it (−), the strongest first."""
    body = []
    for field, confidence, one in words.judged_fields(result):
        reasons = [
            f"{'+' if c['share'] > 0 else '−'} {escape(words.MEANINGS[c['feature']])}"
            for c in one["contributions"][:_REASONS]
        ]
        if confidence < one["probability"]:
            reasons.append(f"− {words.LIMITED}")
        body.append(
            f"<td>{escape(field)}</td><td class='n {sureness(confidence)}'>{confidence:.3f}</td>"
            f"<td>{'; '.join(reasons)}</td>"
        )
    return table(("", "#confidence", "reasons"), body, "small")


def _others(result: Result, ledger: Ledger) -> str:
    """The runners-up of the name, the date and other fields, and those of the total with their likelihood."""
    fields: dict[str, Any] = (result.evidence or {}).get("fields", {})
    body = []
    for field, evidence in fields.items():
        listed = evidence["runnersUp"] if isinstance(evidence, dict) and field != "total" else []
        named = [escape(str(value)) for value, *_ in listed[:_OTHERS]]
        if named:
            body.append(f"<td>{escape(field)}</td><td>{'<br>'.join(named)}</td>")
    if ledger.total and ledger.runners_up:
        cost = ledger.total.cost
        others = [f"{c.value}, {words.likelihood(c.cost - cost)}" for c in ledger.runners_up[:_OTHERS]]
        body.insert(0, f"<td>total</td><td>{'<br>'.join(map(escape, others))}</td>")
    return table(("", "next best first"), body, "small others") if body else ""


def _equations(ledger: Ledger) -> str:
    if not ledger.equations:
        return "<p class='soft'>Nothing to add up: no total was found.</p>"
    body = (
        f"<td class='verdict {_VERDICTS[e.verdict]}'>{e.verdict}</td><td>{escape(e.kind)}</td>"
        f"<td class='n'>{escape(words.relation(e))}</td>"
        for e in ledger.equations
    )
    return table((), body)


def _products(result: Result, ledger: Ledger, rows: Sequence[ParsedLine], number: int) -> str:
    if not result.line_items:
        return ""
    closes = any("items" in e.kind and e.verdict == "proved" for e in ledger.equations)
    clear = {row.line.index: row.line.score for row in rows}
    body = []
    for shown, item in zip(result.line_items, ledger.items, strict=True):
        sure, style = _sure_of(item, clear, closes)
        names = [_class(number, index) for index in item.lines]
        body.append(row(f"{_cells(shown)}<td class='{style}'>{sure}</td>", names))
    return table(("descClean", "#qty", "#unit", "#price", "#lineTotal", "", "reliability"), body)


def _sure_of(item: Item, clear: dict[int, float], closes: bool) -> tuple[str, str]:
    """How reliable a product is, in words, and its CSS class. closes: products add up to a printed sum."""
    score = min((clear[index] for index in item.lines if index in clear), default=0.0)
    if closes:
        return ("adds up", "sure") if score >= _CLEAR else ("adds up, name unclear", "fair")
    return ("read clearly", "fair") if score >= _CLEAR else ("read unclearly", "weak")


def _items(items: Sequence[LineItem]) -> str:
    body = (f"{_cells(i)}<td class='soft'>{escape(i.line_type or '')}</td>" for i in items)
    return table(("descClean", "#qty", "#unit", "#price", "#lineTotal", "", "lineType"), body)


def _cells(item: LineItem) -> str:
    return (
        f"<td>{escape(item.desc_clean or item.desc or '')}</td><td class='n'>{item.qty or ''}</td>"
        f"<td class='n'>{_blank(item.unit)}</td><td class='n'>{_blank(item.price)}</td>"
        f"<td class='n'>{_blank(item.line_total)}</td><td>{escape(' '.join(item.symbols))}</td>"
    )


def _blank(value: Decimal | None) -> str:
    return "" if value is None else str(value)


def _rows(rows: Sequence[ParsedLine], sheet: Sheet, number: int) -> str:
    body = []
    for printed, zone, roles in zip(rows, sheet.zones, sheet.roles, strict=True):
        amounts = "; ".join(words.readings(amount) for amount in printed.amounts if amount.readings)
        cells = (
            f"<td class='zone' style='background:{COLOURS[zone]}'></td>"
            f"<td class='mono'>{escape(printed.text)}</td>"
            f"<td class='n'>{100 * printed.line.score:.0f} %</td>"
            f"<td>{escape(words.roles(roles))}</td><td>{escape(amounts)}</td>"
        )
        body.append(row(cells, [_class(number, printed.line.index)]))
    return table(("", "text", "#clarity", "meaning of its words", "amounts"), body, "small")


def _regions(guesses: Sequence[RegionGuess]) -> str:
    body = (
        f"<td class='mono'>{escape(g.code)}</td><td class='n'>{100 * g.probability:.1f} %</td>"
        f"<td>{escape(', '.join(clue.rpartition(' ')[0] or clue for clue in g.evidence))}</td>"
        for g in guesses[:_LIKELY_REGIONS]
    )
    return table(("code", "#probability", "evidence, strongest first"), body, "small")


def _times(trace: Trace) -> str:
    total = sum(step.milliseconds for step in trace.steps) or 1.0
    body = [
        f"<td>{escape(step.stage)}</td><td class='n'>{step.milliseconds:.1f} ms</td>"
        f"<td class='time'>{meter(step.milliseconds / total)}</td>"
        for step in trace.steps
    ]
    body.append(f"<th>total</th><th class='n'>{total:.0f} ms</th><td></td>")
    return table((), body, "small")
