"""What is asked, what is answered, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from benchmarks.datasets import load
from receipt_engine.batch import Duplicate, Failure, Row, read_rows
from receipt_engine.cli import main
from receipt_engine.errors import OptionError
from receipt_engine.memory import MerchantMemory
from receipt_engine.result import Result
from receipt_engine.review import (
    Answer,
    Corrections,
    corrected_rows,
    corrections_path,
    questions,
    write_labels,
)
from receipt_engine.review.corrections import corrected
from receipt_engine.review.session import Session


def _session(results: Path, memory: MerchantMemory | None = None) -> Session:
    return Session(results, lambda path: f"why {path.name}", memory)


def test_the_likeliest_wrong_is_asked_first(results: Path) -> None:
    asked = questions(list(read_rows(results)))
    assert [(q.row, q.field, q.chance) for q in asked] == [
        (1, "establishment", 0.8),
        (1, "date", 0.8),
        (1, "total", 0.8),
        (0, "total", 0.6),
        (0, "establishment", 0.3),
        (0, "taxes[1]", 0.2),
        (0, "date", 0.03),
    ]
    total, tax = asked[3], asked[5]
    assert (total.value, total.text, total.others) == ("7.80", "TOTAL 7.80", ["7.30"])
    assert total.boxes == tax.boxes and tax.text == "B"


def _dated(*days: str) -> list[Row]:
    sure = {"establishment_confidence": 1.0, "total_confidence": 1.0, "date_confidence": 0.98}
    return [
        Row(file=day, sha256=None, result=Result(date=day, date_iso=f"{day}T00:00:00", **sure))  # type: ignore[arg-type]
        for day in days
    ]


def test_a_date_far_from_the_others_is_asked_earlier() -> None:
    rows = _dated(*(f"2024-{month:02d}-07" for month in range(1, 13)), "2019-03-07")
    chances = {q.value: q.chance for q in questions(rows)}
    assert chances.pop("2019-03-07") > 0.05
    assert set(chances.values()) == {0.02}  # a crowd makes none surer
    # Among three receipts nothing is unusual yet.
    few = [q.chance for q in questions(_dated("2024-03-07", "2024-03-09", "2019-03-07"))]
    assert max(few) < 0.03
    assert [q.chance for q in questions(_dated("2024-03-07"))] == [0.02]


def _sold_by(*names: str | None, phone: str = "020 7946 0018", address: str | None = None) -> list[Row]:
    return [
        Row(
            file=f"{number}.jpg",
            sha256=None,
            result=Result(
                establishment=name,
                establishment_confidence=0.9 if name else None,
                phone_number=phone,
                address=address,
            ),
        )
        for number, name in enumerate(names)
    ]


def _chances(rows: list[Row]) -> list[float]:
    asked = {q.row: q.chance for q in questions(rows, worth=0.0) if q.field == "establishment"}
    return [asked[number] for number in sorted(asked)]


def test_a_name_that_is_met_again_at_its_place_is_asked_later() -> None:
    assert _chances(_sold_by("Cafe Mikro")) == [0.1]
    twice = _chances(_sold_by("Cafe Mikro", "CAFE MIKR0"))
    assert twice[0] == twice[1] < 0.03
    house = "1 Market Row, Elsewhere"
    assert _chances(_sold_by("Cafe Mikro", "CAFE MIKR0", phone="", address=house)) == twice


def test_another_name_at_the_same_place_is_asked_earlier() -> None:
    one, other = _chances(_sold_by("Cafe Mikro", "Thank you"))
    assert one == other > 0.3
    # Two that agree are not doubted for a third.
    agreeing = _chances(_sold_by("Cafe Mikro", "Thank you", "Cafe Mikro"))
    assert agreeing[0] == agreeing[2] < 0.03 < agreeing[1]


def test_too_little_tells_no_place() -> None:
    assert _chances(_sold_by("Cafe Mikro", "Bakery", phone="123", address="Row 1")) == [0.1, 0.1]
    assert _chances(_sold_by("Cafe Mikro", None)) == [0.1, 0.8]


def test_a_duplicate_is_no_witness() -> None:
    first, second = _sold_by("Cafe Mikro", "Cafe Mikro")
    again = msgspec.structs.replace(second, duplicate=Duplicate("0.jpg", 1, 1, "same receipt"))
    assert _chances([first, again]) == [0.1]


def test_answers_are_kept_and_applied(results: Path) -> None:
    session = _session(results)
    before = session.state()["expected"]
    session.answer(0, "total", "7,30")
    session.answer(0, "establishment", "Café Mikro")
    session.answer(0, "taxes[1]", None)
    session.answer(1, "total", "5")
    session.answer(1, "total", "6")
    assert session.state()["answered"] == 4 and session.state()["expected"] > before
    assert session.receipt(0)["answers"]["total"] == "7,30"

    first, second, third = corrected_rows(results)
    assert first.found is not None and second.found is not None
    assert (first.found.total, first.found.total_confidence, first.found.validated_total) == (
        *(Decimal("7.30"), 1.0),
        True,
    )
    assert (first.found.establishment, first.found.taxes) == ("Café Mikro", (Decimal("0.50"), Decimal(0)))
    assert first.found.line_items and first.found.evidence
    assert (second.found.total, second.failure) == (Decimal(6), None)
    assert [third] == [row for row in read_rows(results) if row.file == "c.png"]
    assert _session(results).state()["answered"] == 4  # another time, they are still there
    answer = Corrections(corrections_path(results)).of(first)["total"]
    assert (answer.was, answer.file) == ("7.80", "a.png") and answer.at


@pytest.mark.parametrize(
    ("field", "value", "attribute", "kept"),
    [
        ("total", "1,234.50", "total", Decimal("1234.50")),
        ("total", "12,5", "total", Decimal("12.5")),
        ("total", None, "total", None),
        ("date", "2024-03-15", "date", "2024-03-15 00:00:00"),
        ("date", "2024-03-15 18:20", "date_iso", "2024-03-15T18:20:00"),
        ("date", None, "date", None),
        ("expenseType", "Meals/Coffee", "expense_type", "Meals/Coffee"),
    ],
)
def test_values_as_a_person_types_them(field: str, value: str | None, attribute: str, kept: object) -> None:
    answer = Answer(file="a", sha256="1", page=1, receipt=1, field=field, value=value)
    assert getattr(corrected(Result(), [answer]), attribute) == kept


@pytest.mark.parametrize(
    ("field", "value"),
    [("total", "seven"), ("total", "nan"), ("date", "15 March"), ("lineItems", "x"), ("nosuch[0]", "1")],
)
def test_what_a_field_cannot_be_is_refused_and_not_kept(results: Path, field: str, value: str) -> None:
    session = _session(results)
    with pytest.raises(OptionError):
        session.answer(0, field, value)
    assert not corrections_path(results).exists()


def test_a_picture_is_found_where_the_results_lie(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    session = _session(results)
    crop, whole = session.crop(3), session.whole(0)
    assert crop.startswith(b"\xff\xd8") and whole.startswith(b"\xff\xd8")
    assert session.why(0) == "why a.png"
    (results.parent / "c.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"c\.png is no longer there"):
        session.whole(2)


def test_another_picture_of_the_same_name_is_not_shown(results: Path) -> None:
    session = _session(results)
    (results.parent / "a.png").replace(results.parent / "c.png")
    with pytest.raises(FileNotFoundError, match=r"c\.png is no longer there, or is another picture now"):
        session.whole(2)


def test_files_with_the_same_bytes_are_one_label(results: Path, tmp_path: Path) -> None:
    row = next(read_rows(results))
    (tmp_path / "again.png").write_bytes((tmp_path / "a.png").read_bytes())
    again = msgspec.structs.replace(row, file="again.png", duplicate=Duplicate("a.png", 1, 1, "same bytes"))
    results.write_text(f"{row.to_json()}\n{again.to_json()}\n", encoding="utf-8")
    _session(results).answer(0, "total", "7.30")
    assert write_labels(results, tmp_path / "labelled") == 1


def test_what_was_looked_at_becomes_a_labelled_folder(results: Path, tmp_path: Path) -> None:
    session = _session(results)
    session.answer(0, "total", "7.30")
    session.answer(0, "date", "2024-03-14 18:20")
    session.answer(0, "establishment", "Café Mikro")
    session.answer(2, "tip", None)
    assert write_labels(results, tmp_path / "labelled") == 1
    (sample,) = load([tmp_path / "labelled"])
    assert sample.image.read_bytes() == (tmp_path / "a.png").read_bytes()
    assert set(sample.fields) == {"total", "date", "time", "dateTime", "establishment"}
    with pytest.raises(FileExistsError):
        write_labels(results, tmp_path / "labelled")


def test_exports_and_sums_have_the_corrections(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _session(results).answer(0, "total", "7.30")
    assert main(["export", str(results), "-o", str(tmp_path / "out.csv")]) == 0
    assert "7.30" in (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    assert main(["export", str(results), "--labels", str(tmp_path / "labelled")]) == 0
    assert main(["summary", str(results), "--by", "currency"]) == 0
    assert "10.30" in capsys.readouterr().out
    assert main(["export", str(results)]) == 2


def test_amounts_are_shown_as_they_are_printed(results: Path) -> None:
    row = Row(file="d.png", sha256="1", result=Result(tax=Decimal("5.50"), sub_total=Decimal("63.70")))
    results.write_text(f"{row.to_json()}\n", encoding="utf-8")
    shown = _session(results).receipt(0)["fields"]
    assert (shown["tax"], shown["subTotal"], shown["tip"]) == ("5.50", "63.70", None)


def test_a_corrected_merchant_is_remembered(results: Path, tmp_path: Path) -> None:
    memory = MerchantMemory(tmp_path / "memory" / "merchants.csv")
    session = _session(results, memory)
    session.answer(0, "total", "7.30")
    assert len(memory) == 0
    session.answer(0, "establishment", "Café Mikro")
    session.answer(0, "expenseType", "Meals/Coffee")
    again = MerchantMemory(memory.path)
    later = Result(establishment="THANK YOU", phone_number="+44 20 7946 0018", total=Decimal(1))
    found = again.recall(later)
    assert (found.establishment, found.expense_type) == ("Café Mikro", "Meals/Coffee")
    assert found.total == 1


@pytest.mark.parametrize(
    ("sha256", "failure", "asked"),
    [
        (None, Failure("FileNotFoundError", "No such file."), False),
        ("1", Failure("NotAnImageError", "No picture."), False),
        ("1", Failure("UnreadableImageError", "Damaged."), False),
        ("1", Failure("NoTextError", "No text."), True),
        ("1", Failure("DeadlineError", "Too late."), True),
    ],
)
def test_nobody_is_asked_about_what_cannot_be_shown(
    results: Path, sha256: str | None, failure: Failure, asked: bool
) -> None:
    before = _session(results).state()["expected"]
    with results.open("a", encoding="utf-8") as file:
        file.write(f"{Row(file='d.png', sha256=sha256, error=failure).to_json()}\n")
    session = _session(results)
    assert any(question.row == 3 for question in session.questions) is asked
    assert session.without_picture() == (not asked)
    assert (session.state()["expected"] < before) is asked


@contextmanager
def _room(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes meanwhile, as if the disk were full then."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_takes_no_answer_and_loses_none(results: Path) -> None:
    session = _session(results)
    path = corrections_path(results)
    session.answer(0, "total", "7.30")
    before = path.read_bytes()
    with _room(len(before) + 20), pytest.raises(OSError, match=r"File too large") as full:
        session.answer(0, "date", "2024-03-14")
    assert full.value.filename == str(path)
    assert path.read_bytes() == before
    assert "date" not in session.corrections.of(session.rows[0])
    session.answer(0, "date", "2024-03-15")
    answers = Corrections(path).of(session.rows[0])
    assert {field: answer.value for field, answer in answers.items()} == {
        "total": "7.30",
        "date": "2024-03-15",
    }


def test_an_answer_that_a_kill_cut_off_is_left_out(results: Path) -> None:
    session = _session(results)
    path = corrections_path(results)
    session.answer(0, "total", "7.30")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole + whole[:length])
        corrections = Corrections(path)
        assert [a.value for a in corrections.of(session.rows[0]).values()] == ["7.30"]
        corrections.add(msgspec.structs.replace(*corrections.of(session.rows[0]).values(), value="7.40"))
        assert len(path.read_bytes().splitlines()) == 2 + (length == len(whole) - 1)
        assert [a.value for a in Corrections(path).of(session.rows[0]).values()] == ["7.40"]


def test_the_first_answer_stays_though_it_is_as_long_as_what_was_cut_off(results: Path) -> None:
    session = _session(results)
    path = corrections_path(results)
    session.answer(0, "total", "7.30")
    total = session.corrections.of(session.rows[0])["total"]
    path.write_text('{"file": "'.ljust(path.stat().st_size, "x"), encoding="utf-8")
    corrections = Corrections(path)
    corrections.add(total)
    corrections.add(msgspec.structs.replace(total, field="cash", value="10.00"))
    assert list(Corrections(path).of(session.rows[0])) == ["total", "cash"]


def test_what_is_no_answer_is_refused(results: Path) -> None:
    path = corrections_path(results)
    path.write_text('{"field": 1}\n', encoding="utf-8")
    with pytest.raises(OptionError, match="line 1: this is not a correction"):
        Corrections(path)


def test_a_merchant_that_cannot_be_remembered_is_said_and_the_answer_kept(
    results: Path, tmp_path: Path
) -> None:
    memory = MerchantMemory(tmp_path / "file.csv" / "merchants.csv")
    memory.path.parent.write_text("in the way of the folder")
    session = _session(results, memory)
    with pytest.raises(OSError, match="the answer itself is saved"):
        session.answer(0, "establishment", "Cafe Mikro")
    assert session.corrections.of(session.rows[0])["establishment"].value == "Cafe Mikro"
