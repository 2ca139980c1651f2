"""Papers: the receipts that lie in one picture, each cut out as a page of its own.

In: the page and the spans that were read from it. Out: `Papers`: cuts in reading order, empty when there is
one paper, but for one far from level, or nothing tells several apart; and what stands beside the only paper.
Decides: which spans lie on one paper (`separate`, by the surface between them, then `gaps`) or on none
(`beside`), how each paper is cut out level (`cut`); and, once each has been read on its own, which of them
are receipts and which a card slip that belongs to one (`choose`), and whether one is two (`stacked`).
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Page, Quad, Record, Span
from receipt_engine.stages.papers.choose import choose_receipts
from receipt_engine.stages.papers.cut import cut_out, tilt
from receipt_engine.stages.papers.separate import separate
from receipt_engine.stages.papers.stacked import are_two, places_between

__all__ = ["PaperCut", "Papers", "are_two", "choose_receipts", "find_papers", "places_between"]

#: Papers whose middles lie within this share of the page's height stand beside each other.
_BESIDE = 0.15
#: Radians by which text is tilted so far that the detector, which was taught level rows, sees it worse. Up to
#: 24 degrees labelled pictures gain nothing.
_ASKEW = 0.5


class PaperCut(Record, frozen=True):
    """A paper as a page of its own, and its outline on the page that it lies on. parted: another surface lies
    around it; otherwise only a gap tells it from its neighbour."""

    page: Page
    outline: Quad
    parted: bool


class Papers(Record, frozen=True):
    """cuts: the papers of a page that may each be a receipt, in reading order; empty for fewer than two, but
    for one that lies askew. beside: indices of the spans that stand beside the only paper."""

    cuts: tuple[PaperCut, ...] = ()
    beside: tuple[int, ...] = ()


def find_papers(page: Page, spans: Sequence[Span]) -> Papers:
    """The papers that lie on a page."""
    if page.printed or not spans:
        return Papers()  # a page that its writer set is one document
    found = separate(page.image, spans)
    if len(found.groups) < 2:
        own = [i for i in range(len(spans)) if i not in found.beside]
        askew = abs(tilt([spans[i] for i in own])) > _ASKEW
        cuts = (PaperCut(*cut_out(page, spans, own), True),) if askew else ()
        return Papers(cuts, found.beside)
    papers = [PaperCut(*cut_out(page, spans, group.members), group.parted) for group in found.groups]
    return Papers(tuple(sorted(papers, key=lambda paper: _place(paper.outline, page))))


def _place(outline: Quad, page: Page) -> tuple[int, float]:
    """Rows of papers from the top, and in each from the left."""
    top = min(y for _, y in outline.points)
    return int(top / (_BESIDE * page.height)), outline.center[0]
