"""A file's pages and papers become documents, each with a Result of its own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from receipt_engine.document import Paper, Quad, Reading
from receipt_engine.documents import below, find_documents, interpret_all, main_receipt
from receipt_engine.options import ExtractOptions
from tests.printed import reading

OPTIONS = ExtractOptions(region="us")
SQUARE = Quad((0, 0), (9, 0), (9, 9), (0, 9))


def receipt(total: str, name: str = "CORNER SHOP", more: str = "", date: str = "05/06/2024") -> Reading:
    """A receipt of two articles that add up to the total, each total at an hour of its own."""
    rest = float(total) - 1.2
    return reading(
        f"""
{name}
12 Main Street
Date: {date} 1{total[0]}:31

Milk                1.20
Bread               {rest:.2f}
TOTAL               {float(total):.2f}
CASH                {float(total):.2f}
{more}
"""
    )


def totals(one: Reading) -> list[str]:
    return [str(result.total) for result in interpret_all(one, OPTIONS, None)]


def test_one_page_with_one_paper_is_one_document() -> None:
    assert totals(receipt("6.60")) == ["6.60"]


def test_papers_are_receipts_of_their_own() -> None:
    papers = tuple(Paper(receipt(total), SQUARE) for total in ("6.60", "8.80", "4.40"))
    assert totals(replace(receipt("6.60"), papers=papers)) == ["6.60", "8.80", "4.40"]


def test_one_paper_that_was_turned_back_is_read_there() -> None:
    page = replace(receipt("8.80"), papers=(Paper(receipt("6.60"), SQUARE),))
    assert totals(page) == ["6.60"]


def test_papers_that_are_no_receipts_of_their_own_leave_the_page_whole() -> None:
    papers = (Paper(receipt("6.60"), SQUARE), Paper(reading("THANK YOU\nVISIT US AGAIN 24/7"), SQUARE))
    assert totals(replace(receipt("6.60", more="THANK YOU"), papers=papers)) == ["6.60"]


def test_papers_of_different_days_that_are_not_all_receipts_make_the_page_doubtful() -> None:
    def confidence(other: Reading) -> float:
        page = replace(receipt("6.60"), papers=(Paper(receipt("6.60"), SQUARE), Paper(other, SQUARE)))
        (result,) = interpret_all(page, OPTIONS, None)
        assert result.total_confidence is not None
        return result.total_confidence

    assert confidence(reading("CORNER SHOP\nDate: 05/06/2024\nTHANK YOU")) > 0.9
    assert confidence(reading("RIVER CAFE\nDate: 07/09/2024\nTHANK YOU")) <= 0.6


def test_main_receipt_has_the_most_products() -> None:
    longer = reading(
        """
CORNER SHOP
Milk                1.20
Bread               2.30
Apples              3.10
TOTAL               6.60
"""
    )
    papers = (Paper(receipt("5.00"), SQUARE), Paper(longer, SQUARE))
    results = interpret_all(replace(longer, papers=papers), OPTIONS, None)
    assert [str(result.total) for result in results] == ["5.00", "6.60"]
    assert str(main_receipt(results).total) == "6.60"


def test_pages_of_several_receipts() -> None:
    pages = replace(receipt("6.60"), further_pages=(receipt("8.80", date="07/08/2024"),))
    assert totals(pages) == ["6.60", "8.80"]


FIRST = """
NORTHFIELD TOOLS INC
Invoice 2231
Date: 05/06/2024
Hammer             12.50
Saw                20.00
{number}
"""
LAST = """
Nails               3.20
TOTAL              35.70
{number}
"""


@pytest.mark.parametrize("number", ["Page {} of 2", "Seite {} von 2", "{}/2", ""])
def test_an_invoice_over_two_pages_is_one_document(number: str) -> None:
    pages = replace(
        reading(FIRST.format(number=number.format(1))),
        further_pages=(reading(LAST.format(number=number.format(2))),),
    )
    (document,) = find_documents(pages, OPTIONS, None)
    assert document.pages == (0, 1)
    (result,) = interpret_all(pages, OPTIONS, None)
    assert (str(result.total), result.date_iso, len(result.line_items)) == ("35.70", "2024-05-06T00:00:00", 3)


def test_readings_below_each_other() -> None:
    first, second = receipt("6.60"), receipt("8.80")
    both = below([first, second])
    assert both.height > first.height + second.height
    assert len(both.spans) == len(first.spans) + len(second.spans)
    assert min(y for span in both.spans[len(first.spans) :] for _, y in span.quad.points) > first.height


def test_evidence_tells_the_page_and_the_papers() -> None:
    papers = tuple(Paper(receipt(total), SQUARE) for total in ("6.60", "8.80"))
    page = replace(receipt("6.60"), papers=papers, source_size=(90, 60), rotation=90)
    _, second = interpret_all(page, ExtractOptions(region="us", evidence=True), None)
    assert isinstance(second.evidence, dict)
    assert second.evidence["page"] | {"width": 0, "height": 0} == {
        "number": 1,
        "pages": 1,
        "width": 0,
        "height": 0,
        "sourceWidth": 90,
        "sourceHeight": 60,
        "rotation": 90,
    }
    outline = [list(point) for point in SQUARE.points]
    assert second.evidence["receipts"] == {"count": 2, "index": 1, "outlines": [[outline], [outline]]}
