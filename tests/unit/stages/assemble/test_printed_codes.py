"""Interleaved 2 of 5 codes beside their printed digits."""

from __future__ import annotations

import pytest

from receipt_engine.document import Barcode, ParsedLine, Quad
from receipt_engine.region import load_region
from receipt_engine.stages.assemble.result import repair_cut_codes
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans
from tests.unit.stages.merchant.merchant_contexts import doubted

#: Bars on rows 1 and 2 of the page.
BARS = Quad((20, 30), (160, 30), (160, 72), (20, 72))


def rows_of(below: str, score: float = 0.99) -> tuple[ParsedLine, ...]:
    found = spans(f"COPPER KETTLE\n\n\n  {below}\nTOTAL   17.00")
    return parse(group(doubted(found, below, score)), load_region("de"), AmountHints())


def data_of(data: str, below: str, kind: str = "Interleaved 2 of 5", score: float = 0.99) -> list[str]:
    return [code.data for code in repair_cut_codes([Barcode(data, kind, BARS)], rows_of(below, score))]


@pytest.mark.parametrize("below", ["4417082931", "4417 0829 31", "*4417082931*", "(01)4417082931", "REF 12"])
def test_a_code_that_agrees_stays(below: str) -> None:
    assert data_of("4417082931", below) == ["4417082931"]


def test_other_digits_beside_a_code_do_not_change_it() -> None:
    assert data_of("4417082931", "4417082937") == ["4417082931"]


def test_a_code_cut_short_takes_its_printed_digits() -> None:
    assert data_of("44170829", "441708293155") == ["441708293155"]
    assert data_of("29315507", "4417 0829 3155 07") == ["44170829315507"]


@pytest.mark.parametrize(("below", "score"), [("441708293155", 0.9), ("44170829315", 0.99)])
def test_a_code_cut_short_is_left_out_where_the_digits_are_doubtful(below: str, score: float) -> None:
    assert data_of("44170829", below, score=score) == []


def test_other_kinds_have_ends_of_their_own() -> None:
    assert data_of("44170829", "441708293155", kind="Code 128") == ["44170829"]


def test_digits_far_from_the_bars_do_not_count() -> None:
    far = Barcode("44170829", "Interleaved 2 of 5", Quad((20, 400), (160, 400), (160, 440), (20, 440)))
    assert repair_cut_codes([far], rows_of("441708293155")) == (far,)


def test_a_code_whose_own_digits_are_printed_is_not_taken_for_a_part_of_others() -> None:
    rows = parse(
        group(spans("COPPER KETTLE\n\n\n  441708\n  44170829315507\nTOTAL   17.00")),
        load_region("de"),
        AmountHints(),
    )
    code = Barcode("441708", "Interleaved 2 of 5", BARS)
    assert repair_cut_codes([code], rows) == (code,)


def test_the_digits_of_a_code_stand_in_its_width() -> None:
    beside = Barcode("44170829", "Interleaved 2 of 5", Quad((400, 30), (560, 30), (560, 72), (400, 72)))
    assert repair_cut_codes([beside], rows_of("441708293155")) == (beside,)
