"""Papers: separates the receipts in one image and cuts each out as its own page.

In: the page and the spans read from it. Out: `Papers`: cuts in reading order, empty when there is one paper
(unless it is strongly tilted) or when several cannot be distinguished; and the spans beside the only paper.
Decides: which spans lie on one paper (`separate`, by the surface between them, then `gaps`) or on none, and
how each paper is cut out level (`cut`); after each has been read separately, which of them are receipts and
which are card slips of one, and whether one is really two (`choose`).
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Page, Quad, Record, Span
from receipt_engine.stages.papers.choose import are_two, choose_receipts, places_between
from receipt_engine.stages.papers.cut import cut_out, tilt
from receipt_engine.stages.papers.separate import separate

__all__ = ["PaperCut", "Papers", "are_two", "choose_receipts", "find_papers", "places_between"]

#: Papers are side by side when their tops are less than this share of the page's height apart.
_BESIDE = 0.15
#: Tilt of text, in radians, beyond which a single paper is cut out level: the detector was trained on level
#: rows and finds tilted ones less well. Up to 24 degrees, labelled images gain nothing.
_ASKEW = 0.5


class PaperCut(Record, frozen=True):
    """A paper cut out as its own page. outline: its corners on the original page. has_edge: whether another
    surface surrounds it; otherwise only a gap separates it from its neighbour."""

    page: Page
    outline: Quad
    has_edge: bool


class Papers(Record, frozen=True):
    """The papers of a page. cuts: those that may each be a receipt, in reading order; empty for fewer than
    two, unless the only one is strongly tilted. beside: indices of the spans that lie beside the only
    paper."""

    cuts: tuple[PaperCut, ...] = ()
    beside: tuple[int, ...] = ()


def find_papers(page: Page, spans: Sequence[Span]) -> Papers:
    """The papers that lie on a page."""
    if page.printed or not spans:
        return Papers()  # a page with a text layer is one document
    found = separate(page.image, spans)
    if len(found.groups) < 2:
        own = [i for i in range(len(spans)) if i not in found.beside]
        askew = abs(tilt([spans[i] for i in own])) > _ASKEW
        cuts = (PaperCut(*cut_out(page, spans, own), True),) if askew else ()
        return Papers(cuts, found.beside)
    papers = [PaperCut(*cut_out(page, spans, group.members), group.has_edge) for group in found.groups]
    return Papers(_in_reading_order(papers, _BESIDE * page.height))


def _in_reading_order(papers: Sequence[PaperCut], beside: float) -> tuple[PaperCut, ...]:
    """From top to bottom; papers whose tops are less than `beside` below the highest one's, from left to
    right."""
    rest = sorted(papers, key=_top)
    ordered: list[PaperCut] = []
    while rest:
        band = [paper for paper in rest if _top(paper) - _top(rest[0]) < beside]
        ordered += sorted(band, key=lambda paper: paper.outline.center[0])
        rest = rest[len(band) :]
    return tuple(ordered)


def _top(paper: PaperCut) -> float:
    return min(y for _, y in paper.outline.points)
