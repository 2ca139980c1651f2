"""Splits a file into receipts: the file's pages, the papers on each page, the card slips that belong to them.

In: an image or PDF file. Out: one Result per receipt. `read_file` is the slow half, `interpret_all` the fast
one. A file of one page with one paper gives exactly what `pipeline.read_page` and `pipeline.interpret` give.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from receipt_engine.document import Page, Paper, Quad, Reading, Record, Span
from receipt_engine.errors import NoTextError
from receipt_engine.explain.explanation import Explanation
from receipt_engine.merchants import MerchantTable
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret, read_page
from receipt_engine.result import Result
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.protocols import Models
from receipt_engine.stages.legibility import limited
from receipt_engine.stages.papers import are_two, choose_receipts, find_papers, places_between
from receipt_engine.stages.preprocess.decode import decode_pages
from receipt_engine.stages.preprocess.source import Source
from receipt_engine.trace import Trace

#: Vertical gap between readings that are stacked into one, in pixels.
_APART = 40
#: Confidence from which a page counts as having a total.
_TOTAL = 0.6
#: Upper limits of confidence: for a receipt that only a gap separates from another one; and for a page whose
#: papers name different days but are not separate receipts, so it is unclear whose total it is.
_GAP, _UNCLEAR = 0.95, 0.6
_NUMBER = "ReceiptNumber"
#: Upright images of pages and papers, by the id() of their `spans` tuple, which copies of a reading share.
_Seen = dict[int, Page]


class Document(Record, frozen=True):
    """One receipt or invoice. parts: the pages and papers that hold its text, from the top. pages: indices of
    the pages it is on. outlines: those of its papers on the first of these pages, empty for a whole page.
    most: upper limit of its confidences, below 1 when it is uncertain which text belongs to it."""

    parts: tuple[Reading, ...]
    pages: tuple[int, ...]
    outlines: tuple[Quad, ...] = ()
    most: float = 1.0

    @property
    def reading(self) -> Reading:
        """Its parts stacked into a single reading."""
        return below(self.parts)


def read_file(source: Source, models: Models, trace: Trace, seen: _Seen | None = None) -> Reading:
    """The reading of the first page that has text, with those of its papers and of the file's further pages.

    seen: receives the upright image of every page and paper that was read. Raises ImageError, and NoTextError
    when no page has text.
    """
    readings: list[Reading] = []
    empty: NoTextError | None = None
    for page in decode_pages(source, check=trace.check):
        try:
            readings.append(_read(page, models, trace.quiet() if readings else trace, seen))
        except NoTextError as error:
            empty = error
    if not readings:
        raise empty or NoTextError("The file has no pages.")
    return replace(readings[0], further_pages=tuple(readings[1:])) if len(readings) > 1 else readings[0]


def _read(page: Page, models: Models, trace: Trace, seen: _Seen | None) -> Reading:
    return with_papers(*_read_one(page, models, trace, seen), models, trace, seen)


def with_papers(
    upright: Page, whole: Reading, models: Models, trace: Trace, seen: _Seen | None = None
) -> Reading:
    """The reading of a page with those of its papers, read separately; text beside a single one is
    removed."""
    papers: list[Paper] = []
    found = trace.run("papers", find_papers, upright, whole.spans)
    if found.beside:
        beside = set(found.beside)
        whole = replace(whole, spans=tuple(s for i, s in enumerate(whole.spans) if i not in beside))
        if seen is not None:
            seen[id(whole.spans)] = upright
    cuts = found.cuts
    for cut in cuts:
        release()  # otherwise the page's memory would add to the paper's
        try:
            reading = _read_one(cut.page, models, trace.quiet(), seen)[1]
            papers.append(Paper(reading, cut.outline, cut.has_edge))
        except NoTextError:
            continue
    if len(papers) < len(cuts) and len(papers) < 2:
        return whole
    return replace(whole, papers=tuple(papers))


def _read_one(page: Page, models: Models, trace: Trace, seen: _Seen | None) -> tuple[Page, Reading]:
    upright, reading = read_page(page, models, trace)
    if seen is not None:
        seen[id(reading.spans)] = upright
    return upright, reading


def interpret_all(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None, trace: Trace | None = None
) -> tuple[Result, ...]:
    """The Result of every receipt in a file, in reading order."""
    trace = trace or Trace(keep=False)
    reading = _parted(reading, options, merchants)
    documents = _documents(reading, options, merchants)
    pages = (reading, *reading.further_pages)
    return tuple(_interpreted(documents, i, pages, options, merchants, trace) for i in range(len(documents)))


def explain_all(
    source: Source, options: ExtractOptions, merchants: MerchantTable | None, models: Models
) -> tuple[Explanation, ...]:
    """The explanation of every receipt in a file, in reading order."""
    seen: _Seen = {}
    reading_trace = Trace(keep=True)
    reading = _parted(read_file(source, models, reading_trace, seen), options, merchants, seen)
    documents = _documents(reading, options, merchants)
    pages = (reading, *reading.further_pages)
    found = []
    for index, document in enumerate(documents):
        trace = Trace(keep=True, steps=list(reading_trace.steps))
        result = _interpreted(documents, index, pages, options, merchants, trace)
        page = _stacked([seen[id(part.spans)] for part in document.parts])
        found.append(Explanation(page, document.reading, result, trace))
    return tuple(found)


def _parted(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None, seen: _Seen | None = None
) -> Reading:
    """Splits each paper, or the page when it has none, where two receipts were read as one.

    Applies to files of one page: in a file of several pages, documents are separated by page.
    """
    if reading.further_pages:
        return reading
    if not reading.papers:
        return replace(reading, papers=_halves(reading, options, merchants, seen))
    papers: list[Paper] = []
    for paper in reading.papers:
        halves = _halves(paper.reading, options, merchants, seen)
        papers += [replace(half, outline=_placed(half.outline, paper)) for half in halves] or [paper]
    return replace(reading, papers=tuple(papers))


def _halves(
    whole: Reading, options: ExtractOptions, merchants: MerchantTable | None, seen: _Seen | None
) -> tuple[Paper, ...]:
    """The two receipts that were read as one; empty when there is only one."""
    quiet = dataclasses.replace(options, evidence=False, custom_fields=())
    best: tuple[float, tuple[Reading, ...]] = (0.0, ())
    for sides in places_between(whole.spans):
        halves = tuple(replace(whole, spans=tuple(whole.spans[i] for i in side)) for side in sides)
        results = [interpret(half, quiet, merchants, Trace(keep=False)) for half in halves]
        if are_two(*results):
            sure = sum(
                (r.total_confidence or 0) + (r.establishment_confidence or 0) + (r.date_confidence or 0)
                for r in results
            )
            best = max(best, (sure, halves), key=lambda found: found[0])
    if seen is not None:
        seen.update((id(half.spans), seen[id(whole.spans)]) for half in best[1])
    return tuple(Paper(half, _around(half.spans), has_edge=False) for half in best[1])


def _around(spans: Sequence[Span]) -> Quad:
    """The upright bounding rectangle of spans."""
    xs, ys = zip(*(point for span in spans for point in span.quad.points), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    return Quad((left, top), (right, top), (right, bottom), (left, bottom))


def _placed(quad: Quad, paper: Paper) -> Quad:
    """Maps a quad from a paper's reading to the page that the paper is on."""
    corners = np.array(paper.outline.points)
    start = paper.reading.rotation // 90  # the corner that became the top left when turned upright
    origin, across, down = (corners[(start * 3 + at) % 4] for at in (0, 1, 3))
    points = [
        origin + (across - origin) * (x / paper.reading.width) + (down - origin) * (y / paper.reading.height)
        for x, y in quad.points
    ]
    return Quad(*((float(x), float(y)) for x, y in points))


def _documents(reading: Reading, options: ExtractOptions, merchants: MerchantTable | None) -> list[Document]:
    if not reading.papers and not reading.further_pages:
        return [Document((reading,), (0,))]
    return find_documents(reading, options, merchants)


def _interpreted(
    documents: Sequence[Document],
    index: int,
    pages: Sequence[Reading],
    options: ExtractOptions,
    merchants: MerchantTable | None,
    trace: Trace,
) -> Result:
    document = documents[index]
    result = interpret(document.reading, options, merchants, trace)
    if document.most < 1:
        result = limited(result, document.most)
    if result.evidence is not UNSET:
        result = replace(result, evidence={**result.evidence, **_places(documents, index, pages)})
    return result


def _stacked(pages: Sequence[Page]) -> Page:
    """Pages stacked vertically, as `below` stacks their text."""
    if len(pages) == 1:
        return pages[0]
    height = sum(page.height + _APART for page in pages) - _APART
    whole = np.full((height, max(page.width for page in pages), 3), 255, np.uint8)
    top = 0
    for page in pages:
        whole[top : top + page.height, : page.width] = page.image
        top += page.height + _APART
    return replace(pages[0], image=whole)


def main_receipt(results: Sequence[Result]) -> Result:
    """The one that `extract` returns: the first of those with most products, preferring any with a total."""
    return max(results, key=lambda r: (r.total is not None, len(r.line_items)))


def find_documents(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None
) -> list[Document]:
    """The receipts and invoices in a file, in reading order."""
    quiet = dataclasses.replace(options, evidence=False, custom_fields=(_NUMBER,))
    pages = (reading, *reading.further_pages)
    documents: list[Document] = []
    for index, page in enumerate(pages):
        found = _on_page(page, index, quiet, merchants)
        whole = len(found) == 1 and not found[0].outlines
        if whole and documents and not documents[-1].outlines:
            last = documents[-1]
            if _goes_on(last.reading, page, (index + 1, len(pages)), quiet, merchants):
                documents[-1] = replace(last, parts=(*last.parts, page), pages=(*last.pages, index))
                continue
        documents += found
    return documents


def _on_page(
    page: Reading, index: int, options: ExtractOptions, merchants: MerchantTable | None
) -> list[Document]:
    if len(page.papers) == 1:
        return [Document((page.papers[0].reading,), (index,), (page.papers[0].outline,))]
    whole = [Document((replace(page, papers=(), further_pages=()),), (index,))]
    if not page.papers:
        return whole
    results = [interpret(paper.reading, options, merchants, Trace(keep=False)) for paper in page.papers]
    groups = choose_receipts(results, [paper.has_edge for paper in page.papers])
    if len(groups) < 2:
        days = {result.date[:10] for result in results if result.date}
        return [replace(whole[0], most=_UNCLEAR)] if len(days) > 1 else whole
    return [
        Document(
            tuple(page.papers[i].reading for i in group),
            (index,),
            tuple(page.papers[i].outline for i in group),
            1.0 if page.papers[group[0]].has_edge else _GAP,
        )
        for group in groups
    ]


def _goes_on(
    before: Reading,
    page: Reading,
    number: tuple[int, int],
    options: ExtractOptions,
    merchants: MerchantTable | None,
) -> bool:
    """Whether a page continues the document before it: it is numbered as a page of the file, both have the
    same receipt number, the document has no total yet, or the page has no date.

    number: the page's number, from 1, and the number of pages in the file.
    """
    if any(_is_numbered(span.text, number) for span in page.spans):
        return True
    first, second = (interpret(r, options, merchants, Trace(keep=False)) for r in (before, page))
    number_of = first.custom_fields.get(_NUMBER)
    same = number_of is not None and number_of == second.custom_fields.get(_NUMBER)
    return same or not _has_total(first) or second.date is None


def _has_total(result: Result) -> bool:
    return result.total is not None and (result.total_confidence or 0) >= _TOTAL


def _is_numbered(text: str, number: tuple[int, int]) -> bool:
    """Whether a text holds the page's number and the number of pages: "Page 2 of 3", "2/3".

    >>> _is_numbered("Seite 2 von 3", (2, 3)), _is_numbered("12/3", (2, 3)), _is_numbered("1/3", (2, 3))
    (True, False, False)
    """
    page, count = number
    return (
        re.search(rf"(?<![\d.,/-]){page}\s?(?:/|\s[^\W\d_]{{1,4}}\s)\s?{count}(?![\d.,/-])", text) is not None
    )


def below(readings: Sequence[Reading]) -> Reading:
    """Readings stacked vertically into one."""
    first = readings[0]
    if len(readings) == 1:
        return first
    spans: list[Span] = []
    barcodes = []
    top = 0
    for reading in readings:
        spans += [replace(span, quad=_moved(span.quad, top)) for span in reading.spans]
        barcodes += [replace(code, quad=_moved(code.quad, top)) for code in reading.barcodes]
        top += reading.height + _APART
    return replace(
        first,
        width=max(reading.width for reading in readings),
        height=top - _APART,
        spans=tuple(spans),
        barcodes=tuple(barcodes),
        papers=(),
        further_pages=(),
    )


def _moved(quad: Quad, down: float) -> Quad:
    return Quad(*((x, y + down) for x, y in quad.points))


def _places(documents: Sequence[Document], index: int, pages: Sequence[Reading]) -> dict[str, object]:
    """The evidence of where a document is in the file: its `page` and `receipts` entries."""
    document = documents[index]
    page = pages[document.pages[0]]
    return {
        "page": {
            "number": document.pages[0] + 1,
            "pages": len(document.pages),
            "width": document.reading.width,
            "height": document.reading.height,
            "sourceWidth": page.source_size[0],
            "sourceHeight": page.source_size[1],
            "rotation": page.rotation,
        },
        "receipts": {
            "count": len(documents),
            "index": index,
            "outlines": [
                [[list(point) for point in outline.points] for outline in other.outlines]
                for other in documents
                if other.pages[0] == document.pages[0]
            ],
        },
    }
