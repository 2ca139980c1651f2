"""The index of the pages of many images, the most doubtful first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from receipt_engine.explain.markup import document, section, sureness, table
from receipt_engine.result import Result

#: Fields that every receipt has.
_NEEDED = ("establishment", "date", "total")
#: A value with a lower confidence should be checked.
_RELIABLE = 0.9


class Entry(NamedTuple):
    """A page in the index. file: the file that was read; page: name of its page, beside the index; found: a
    Result per receipt; error: why there is none."""

    file: str
    page: str
    found: tuple[Result, ...] = ()
    error: str = ""


def index_html(entries: Sequence[Entry]) -> str:
    """A table of all images: failures first, then receipts, the most doubtful first."""
    failed = [entry for entry in entries if entry.error]
    rows = [(least(result), entry, result) for entry in entries for result in entry.found]
    rows.sort(key=lambda one: one[0])
    doubtful = sum(sure < _RELIABLE for sure, _, _ in rows)
    counts = f"{len(entries)} files, {len(rows)} receipts, {doubtful} to check, {len(failed)} not read"
    failures = table(
        ("file", "why"), (f"<td>{_link(e)}</td><td>{escape(e.error)}</td>" for e in failed), "small"
    )
    receipts = table(
        ("file", "merchant", "date", "#total", "", "#lowest confidence", ""),
        (_row(sure, entry, result) for sure, entry, result in rows),
    )
    body = (
        "<section class='head'><div><h1>How the files were read</h1>"
        f"<p class='soft'>{counts}</p></div></section>"
        f"{section('Not read', failures if failed else '')}{section('Receipts', receipts if rows else '')}"
    )
    return document("How the files were read", f"<main class='alone'><div class='text'>{body}</div></main>")


def least(result: Result) -> float:
    """The lowest confidence among merchant, date and total; 0 where one is missing."""
    return min(getattr(result, f"{name}_confidence") or 0.0 for name in _NEEDED)


def _row(sure: float, entry: Entry, result: Result) -> str:
    style = sureness(sure)
    total = "" if result.total is None else str(result.total)
    proved = "proved" if result.validated_total else ""
    return (
        f"<td>{_link(entry)}</td><td>{escape(result.establishment or '')}</td>"
        f"<td>{escape((result.date or '')[:10])}</td><td class='n'>{total}</td>"
        f"<td>{escape(result.currency or '')}</td><td class='n {style}'>{sure:.3f}</td>"
        f"<td class='sure'>{proved}</td>"
    )


def _link(entry: Entry) -> str:
    return f"<a href='{quote(entry.page)}'>{escape(entry.file)}</a>"
