"""Papers on one page are told apart by what lies between them; one paper stays one."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from receipt_engine.document import Page, Quad, Span
from receipt_engine.stages.papers import find_papers
from receipt_engine.stages.papers.separate import separate
from tests.unit.stages.papers.laid import HEIGHT, MARGIN, PITCH, ROWS, WIDTH, Laid, picture

COUNT = sum(len([text for text in row if text]) for row in ROWS)
LONG = (*ROWS, *ROWS)
DATED = (("CORNER SHOP", ""), ("05/06/2024", ""), *ROWS[1:])
WHITE = {"surface": 250, "paper": 250}


def groups(papers: list[Laid], **options: int) -> list[list[int]]:
    page, spans = picture(papers, **options)
    return sorted(list(group.members) for group in separate(page.image, spans).groups)


@pytest.mark.parametrize(
    "second",
    [Laid(300, 20), Laid(20, 250), Laid(310, 60, turn=7), Laid(320, 40, turn=-12), Laid(280, 20)],
    ids=["beside", "below", "turned", "turned back", "near"],
)
def test_two_papers_on_a_table(second: Laid) -> None:
    assert groups([Laid(20, 20), second]) == [list(range(COUNT)), list(range(COUNT, 2 * COUNT))]


def test_the_ink_of_a_large_logo_is_no_other_surface() -> None:
    page, spans = picture([Laid(20, 20, rows=(*ROWS, *[("", "")] * 6, *ROWS))])
    left, top, right, bottom = 30, 20 + MARGIN + 5 * PITCH + 4, 250, 20 + MARGIN + 11 * PITCH - 16
    image = page.image.copy()
    for stroke in range(left, right - 24, 40):
        image[top + 4 : bottom - 4, stroke : stroke + 24] = 20
    logo = Span("LOGO", 0.98, Quad((left, top), (right, top), (right, bottom), (left, bottom)))
    assert [len(group.members) for group in separate(image, (*spans, logo)).groups] == [2 * COUNT + 1]


def test_six_papers() -> None:
    places = [(20 + 270 * column, 20 + 210 * row, 2.0 * row - 1) for row in range(2) for column in range(3)]
    papers = [Laid(*place) for place in places]
    assert [len(group) for group in groups(papers, size=(900, 460))] == [COUNT] * 6


def test_papers_in_a_scanner_are_parted_by_their_gap() -> None:
    beside = [Laid(10, 20, rows=LONG), Laid(10 + WIDTH, 33, rows=LONG)]
    page, spans = picture(beside, surface=250, paper=250, size=(600, 700))
    assert [group.has_edge for group in separate(page.image, spans).groups] == [False, False]


def test_papers_at_angles_to_each_other_on_white() -> None:
    papers = [Laid(20, 20, turn=8, rows=DATED), Laid(330, 120, turn=-16, rows=DATED)]
    assert [len(group) for group in groups(papers, **WHITE)] == [COUNT + 1] * 2


@pytest.mark.parametrize(("rows", "found"), [(DATED, 2), (ROWS, 1)])
def test_a_narrow_gap_parts_papers_with_a_day_each(rows: tuple[tuple[str, str], ...], found: int) -> None:
    left = 20 + WIDTH - 2 * MARGIN + 13
    assert len(groups([Laid(20, 20, rows=rows), Laid(left, 26, rows=rows)], **WHITE)) == found


TOUCHING = 20 + WIDTH - 2 * MARGIN + 14


@pytest.mark.parametrize(
    ("tone", "rows", "found"),
    [(220, DATED, 2), (250, DATED, 1), (248, DATED, 1), (220, ROWS, 1)],
    ids=["seam", "one tone", "hardly another tone", "no day"],
)
def test_a_seam_parts_papers_of_which_one_has_a_day(
    tone: int, rows: tuple[tuple[str, str], ...], found: int
) -> None:
    first = (*ROWS, *ROWS)
    laid = [Laid(20, 20, rows=(*rows, *ROWS)), Laid(TOUCHING, 20, rows=first, tone=tone)]
    assert len(groups(laid, size=(700, 700), **WHITE)) == found


def test_a_seam_counts_however_each_half_is_lit() -> None:
    laid = [Laid(20, 20, rows=(*DATED, *ROWS)), Laid(TOUCHING, 20, rows=LONG, tone=225)]
    page, spans = picture(laid, **WHITE)
    lit = page.image.astype(float)
    lit[160:, :TOUCHING] *= 0.8  # a shadow on the brighter paper makes it the darker one below
    assert len(separate(lit.astype(np.uint8), spans).groups) == 2


def test_a_shadow_that_begins_slowly_is_no_seam() -> None:
    laid = [Laid(20, 20, rows=(*DATED, *ROWS)), Laid(TOUCHING, 20, rows=LONG)]
    page, spans = picture(laid, **WHITE)
    fading = np.interp(np.arange(page.width), [TOUCHING - 60, TOUCHING + 60], [1, 0.8])
    assert len(separate((page.image * fading[:, None]).astype(np.uint8), spans).groups) == 1


def test_a_seam_between_gaps_is_the_one_that_parts() -> None:
    left = Laid(20, 20, rows=[(f"Article {i}", f"{i}.50") for i in range(10)] + [("05/06/2024", "")])
    right = Laid(TOUCHING, 20, rows=(*DATED, *ROWS), tone=220)
    page, spans = picture([left, right], **WHITE)
    assert sorted(len(group.members) for group in separate(page.image, spans).groups) == [2 * COUNT + 1, 21]


def test_a_neighbour_cut_off_by_the_picture_is_not_told_by_a_seam() -> None:
    page, spans = picture(
        [Laid(-MARGIN, 20, rows=(*DATED, *ROWS)), Laid(WIDTH - 3 * MARGIN + 14, 20, rows=LONG, tone=220)],
        **WHITE,
    )
    found = sorted(separate(page.image, spans).groups, key=lambda group: group.members)
    assert [group.has_edge for group in found] == [False, True]


def test_a_neighbour_cut_off_by_the_picture_is_not_told_by_the_table() -> None:
    page, spans = picture([Laid(-MARGIN, 20), Laid(300, 20), Laid(300, 250)])
    found = {group.members[0]: group.has_edge for group in separate(page.image, spans).groups}
    assert found == {0: False, COUNT: True, 2 * COUNT: True}


@pytest.mark.parametrize(("rows", "found"), [(DATED, 2), (ROWS, 1)])
def test_below_each_other_a_seam_may_be_a_fold_and_days_tell(
    rows: tuple[tuple[str, str], ...], found: int
) -> None:
    top = 20 + 2 * MARGIN + PITCH * (len(DATED) + len(ROWS)) - 24
    page, spans = picture(
        [Laid(20, 20, rows=(*DATED, *ROWS)), Laid(20, top, rows=(*rows, *ROWS), tone=220)], **WHITE
    )
    assert len(separate(page.image, spans).groups) == found


def test_a_paper_on_its_side_is_not_cut_between_its_rows() -> None:
    page, spans = picture([Laid(400, 20, turn=90, rows=(*DATED, *DATED))], **WHITE)
    boxes = [span.quad.points for span in spans]
    standing = tuple(
        replace(span, quad=Quad(d, a, b, c)) for span, (a, b, c, d) in zip(spans, boxes, strict=True)
    )
    assert len(separate(page.image, spans).groups) == 1
    assert len(separate(page.image, standing).groups) == 1


def test_what_lies_upside_down_is_a_paper_of_its_own() -> None:
    page, spans = picture([Laid(20, 20), Laid(20, 250)], **WHITE)
    garbled = tuple(
        replace(span, text="WOLLO", score=0.6) if i >= COUNT else span for i, span in enumerate(spans)
    )
    assert len(separate(page.image, garbled).groups) == 2
    garbled = tuple(replace(span, score=0.99) for span in garbled)
    assert len(separate(page.image, garbled).groups) == 1


def test_one_paper_with_a_gap_before_its_amounts() -> None:
    rows = [(f"Article {i}", f"{i}.50") for i in range(14)]
    assert len(groups([Laid(20, 20, rows=rows)], surface=250, paper=250)) == 1
    assert len(groups([Laid(20, 20, rows=rows)])) == 1


def test_a_fold_in_the_paper_parts_nothing() -> None:
    page, spans = picture([Laid(20, 20, rows=LONG)])
    shaded = page.image.astype(float)
    shaded[150:] *= 0.75  # a shadow's edge
    shaded[148:151] *= 0.6
    assert len(separate(shaded.astype(np.uint8), spans).groups) == 1


def test_the_edge_of_a_neighbour_is_on_no_paper() -> None:
    note = Laid(300, 60, rows=(("bring", ""), ("the", ""), ("keys", "")))
    page, spans = picture([Laid(20, 20), note, Laid(20, 250)])
    found = separate(page.image, spans).groups
    assert len(found) == 2
    assert not {COUNT, COUNT + 1, COUNT + 2} & {i for group in found for i in group.members}


SLIP = (
    ("TERMINAL 7", ""),
    ("05/06/2024", ""),
    ("VISA", ""),
    ("CODE", ""),
    ("APPROVED", ""),
    ("SALE", "6.60"),
)


@pytest.mark.parametrize(("slip", "found"), [(SLIP, [COUNT, 7]), (SLIP[2:], [COUNT + 5])])
def test_a_card_slip_is_a_paper_by_its_amount_and_day(
    slip: tuple[tuple[str, str], ...], found: list[int]
) -> None:
    assert [len(group) for group in groups([Laid(20, 20), Laid(20, 210, rows=slip)])] == found


def _note(left: float, right: float, top: float) -> Span:
    corners = ((left, top), (right, top), (right, top + HEIGHT), (left, top + HEIGHT))
    return Span("note", 0.9, Quad(*corners))


def test_notes_across_the_gap_hold_no_papers_together() -> None:
    dated = (*DATED, ("THANKS FOR SHOPPING!", ""), *ROWS)  # a row as wide as the paper
    page, spans = picture([Laid(20, 20, rows=dated), Laid(20 + WIDTH, 20, rows=dated)], **WHITE)
    notes = (_note(230, 272, 24), _note(250, 290, 140), _note(230, 272, 270))
    found = [group.members for group in separate(page.image, (*spans, *notes)).groups]
    count = len(spans)
    half = count // 2
    assert found == [(*range(half), count, count + 2), (*range(half, count), count + 1)]


@pytest.mark.parametrize(("left", "found"), [(20, 1), (50, 2)])
def test_a_left_margin_of_its_own_begins_a_receipt(left: float, found: int) -> None:
    rows = (*DATED, *ROWS)
    top = 20 + PITCH * len(rows) + HEIGHT  # a gap of 1.6 text heights
    laid = [Laid(20, 20, rows=rows), Laid(left, top, rows=rows)]
    assert len(groups(laid, size=(700, 700), **WHITE)) == found


@pytest.mark.parametrize("turn", [-14, 0, 9])
def test_papers_are_cut_out_level(turn: float) -> None:
    page, spans = picture([Laid(60, 90, turn=turn), Laid(380, 40)])
    papers = find_papers(page, spans).cuts
    assert len(papers) == 2
    first = min(papers, key=lambda paper: paper.outline.center[0])
    along = np.subtract(first.outline.top_right, first.outline.top_left)
    assert abs(np.degrees(np.arctan2(along[1], along[0])) - turn) < 2
    assert abs(first.outline.width - (WIDTH - 40 + 3 * HEIGHT)) < 12
    assert abs(first.page.width - first.outline.width) <= 2
    inked = (first.page.image.max(axis=2) < 60).sum(axis=0)
    assert inked[:10].sum() == 0, "nothing of the neighbour or the table is text"


def test_reading_order() -> None:
    laid = [Laid(300, 300), Laid(20, 20), Laid(310, 30), Laid(20, 290)]
    page, spans = picture(laid, size=(640, 560))
    centers = [paper.outline.center for paper in find_papers(page, spans).cuts]
    right, lower = [x > 280 for x, _ in centers], [y > 250 for _, y in centers]
    assert list(zip(lower, right, strict=True)) == [
        (False, False),
        (False, True),
        (True, False),
        (True, True),
    ]


@pytest.mark.parametrize("top", [20, 70, 74, 78])
def test_papers_side_by_side_are_read_from_the_left(top: int) -> None:
    page, spans = picture([Laid(320, top), Laid(20, top + 12)], size=(640, 500))
    lefts = [paper.outline.center[0] for paper in find_papers(page, spans).cuts]
    assert len(lefts) == 2 and lefts == sorted(lefts)


def test_a_page_that_its_writer_set_is_one_document() -> None:
    page, spans = picture([Laid(20, 20), Laid(300, 20)])
    assert find_papers(replace(page, printed=spans), spans).cuts == ()


@pytest.mark.parametrize("count", [0, 1, 5])
def test_little_text(count: int) -> None:
    page, spans = picture([Laid(20, 20)])
    assert find_papers(page, spans[:count]).cuts == ()


@pytest.mark.parametrize(("turn", "askew"), [(0, False), (20, False), (35, True), (-40, True)])
def test_one_paper_far_from_level_is_turned_back(turn: float, askew: bool) -> None:
    page, spans = picture([Laid(250, 180, turn=turn)])
    papers = find_papers(page, spans).cuts
    assert len(papers) == int(askew)
    for paper in papers:
        assert paper.page.width > 1.2 * paper.page.height


def _with_key(text: str, left: int, top: int, ground: int) -> tuple[Page, tuple[Span, ...]]:
    """A paper, and a word in white on a ground of its own."""
    page, spans = picture([Laid(20, 60, rows=LONG)])
    wide = 10 * len(text)
    image = page.image.copy()
    image[top - 20 : top + HEIGHT + 20, left - 20 : left + wide + 20] = ground
    for stroke in range(left, left + wide, 10):
        image[top + 3 : top + HEIGHT - 3, stroke : stroke + 3] = 230
    box = [(left, top), (left + wide, top), (left + wide, top + HEIGHT), (left, top + HEIGHT)]
    key = Span(text, 0.95, Quad(*((float(x), float(y)) for x, y in box)))
    return replace(page, image=image), (*spans, key)


def test_a_key_beside_the_paper_is_no_part_of_it() -> None:
    page, spans = _with_key("shift", 380, 40, ground=15)
    assert find_papers(page, spans).beside == (len(spans) - 1,)


@pytest.mark.parametrize(("left", "beside"), [(60, False), (380, True)])
def test_a_black_band_on_the_paper_is_part_of_it(left: int, beside: bool) -> None:
    page, spans = _with_key("thanks", left, 400, ground=15)
    image = page.image.copy()
    longer = image[60:480, 20 : 20 + WIDTH]
    longer[longer == 90] = 235  # the table's grey
    assert bool(find_papers(replace(page, image=image), spans).beside) == beside


def test_a_label_of_the_papers_colour_stays() -> None:
    page, spans = _with_key("note", 380, 40, ground=235)
    assert find_papers(page, spans).beside == ()
