"""From a file to its receipts: the file's pages, the papers on each page, the slips that belong together.

`read_file` does the slow half, `interpret_all` the fast one. A file of one page with one paper gives exactly
what `pipeline.read_page` and `pipeline.interpret` give.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from receipt_engine.document import Page, Paper, Quad, Reading, Record, Span
from receipt_engine.errors import NoTextError
from receipt_engine.merchants import MerchantTable
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret, read_page
from receipt_engine.result import Result
from receipt_engine.runtime.protocols import Models
from receipt_engine.stages.legibility import limited
from receipt_engine.stages.papers import choose_receipts, find_papers
from receipt_engine.stages.preprocess.decode import decode_pages
from receipt_engine.stages.preprocess.source import Source
from receipt_engine.trace import Trace

#: Room between readings that are put below each other, in pixels.
_APART = 40
#: Confidence from which a page has a total of its own.
_TOTAL = 0.6
#: Confidence, at most, of what stands beside another receipt with only a gap between them.
_UNSURE = 0.95
_NUMBER = "ReceiptNumber"


class Document(Record, frozen=True):
    """One receipt or invoice. pages: indices of the pages it stands on. outlines: those of its papers on the
    first of them, empty for a whole page. sure: whether it is certain which text belongs to it."""

    reading: Reading
    pages: tuple[int, ...]
    outlines: tuple[Quad, ...] = ()
    sure: bool = True


def read_file(source: Source, models: Models, trace: Trace) -> Reading:
    """The reading of the first page that has text, with those of its papers and of the file's further pages.

    Raises ImageError, and NoTextError when no page has text.
    """
    readings: list[Reading] = []
    empty: NoTextError | None = None
    for page in decode_pages(source):
        try:
            readings.append(_read(page, models, trace.quiet() if readings else trace))
        except NoTextError as error:
            empty = error
    if not readings:
        raise empty or NoTextError("The file has no pages.")
    return replace(readings[0], further=tuple(readings[1:])) if len(readings) > 1 else readings[0]


def _read(page: Page, models: Models, trace: Trace) -> Reading:
    upright, whole = read_page(page, models, trace)
    papers: list[Paper] = []
    cuts = trace.run("papers", find_papers, upright, whole.spans)
    for cut in cuts:
        try:
            papers.append(Paper(read_page(cut.page, models, trace.quiet())[1], cut.outline, cut.parted))
        except NoTextError:
            continue
    if len(papers) < len(cuts) and len(papers) < 2:
        return whole
    return replace(whole, papers=tuple(papers))


def interpret_all(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None, trace: Trace | None = None
) -> tuple[Result, ...]:
    """The Result of every receipt of a file, in reading order."""
    trace = trace or Trace(keep=False)
    if not reading.papers and not reading.further:
        documents = [Document(reading, (0,))]
    else:
        documents = find_documents(reading, options, merchants)
    pages = (reading, *reading.further)
    results = []
    for index, document in enumerate(documents):
        result = interpret(document.reading, options, merchants, trace)
        if not document.sure:
            result = limited(result, _UNSURE)
        if result.evidence is not UNSET:
            places = _places(documents, index, pages)
            result = replace(result, evidence={**result.evidence, **places})
        results.append(result)
    return tuple(results)


def main_receipt(results: Sequence[Result]) -> Result:
    """The one that `extract` gives: with a total and most products, the first of such."""
    return max(results, key=lambda r: (r.total is not None, len(r.line_items)))


def find_documents(
    reading: Reading, options: ExtractOptions, merchants: MerchantTable | None
) -> list[Document]:
    """The receipts and invoices of a file, in reading order."""
    quiet = dataclasses.replace(options, evidence=False, custom_fields=(_NUMBER,))
    pages = (reading, *reading.further)
    documents: list[Document] = []
    for index, page in enumerate(pages):
        found = _on_page(page, index, quiet, merchants)
        whole = len(found) == 1 and not found[0].outlines
        if whole and documents and not documents[-1].outlines:
            last = documents[-1]
            if _goes_on(last.reading, page, (index + 1, len(pages)), quiet, merchants):
                joined = below([last.reading, page])
                documents[-1] = replace(last, reading=joined, pages=(*last.pages, index))
                continue
        documents += found
    return documents


def _on_page(
    page: Reading, index: int, options: ExtractOptions, merchants: MerchantTable | None
) -> list[Document]:
    if len(page.papers) == 1:
        return [Document(page.papers[0].reading, (index,), (page.papers[0].outline,))]
    whole = [Document(replace(page, papers=(), further=()), (index,))]
    if not page.papers:
        return whole
    results = [interpret(paper.reading, options, merchants, Trace(keep=False)) for paper in page.papers]
    groups = choose_receipts(results, [paper.parted for paper in page.papers])
    if len(groups) < 2:
        return whole
    return [
        Document(
            below([page.papers[i].reading for i in group]),
            (index,),
            tuple(page.papers[i].outline for i in group),
            page.papers[group[0]].parted,
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
    """Whether a page continues the document before it: its number says so, both have the same document's
    number, the document has no total yet, or the page has no date.

    number: the page's, from 1, and how many pages the file has.
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
    """Whether a text holds the page's number and how many there are: "Page 2 of 3", "2/3".

    >>> _is_numbered("Seite 2 von 3", (2, 3)), _is_numbered("12/3", (2, 3)), _is_numbered("1/3", (2, 3))
    (True, False, False)
    """
    page, count = number
    return (
        re.search(rf"(?<![\d.,/-]){page}\s?(?:/|\s[^\W\d_]{{1,4}}\s)\s?{count}(?![\d.,/-])", text) is not None
    )


def below(readings: Sequence[Reading]) -> Reading:
    """Readings put below each other, as one."""
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
        further=(),
    )


def _moved(quad: Quad, down: float) -> Quad:
    return Quad(*((x, y + down) for x, y in quad.points))


def _places(documents: Sequence[Document], index: int, pages: Sequence[Reading]) -> dict[str, object]:
    """What evidence says of where a document stands in the file."""
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
