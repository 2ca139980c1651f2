"""Several systems on the same receipts: predictions, the regex baseline, tables, plots."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from benchmarks.cli import main
from benchmarks.compare import charts, generic_regex, predictions, systems, tables
from benchmarks.compare.readers import ReadText, TesseractReader
from benchmarks.datasets import Label, LabelError, Sample, load
from receipt_engine.testing import reading

ROWS = (
    "ORCHARD TEA ROOM",
    "03/04/2026 15:20",
    "Scones   6.40",
    "Subtotal 6.40",
    "VAT 20% 1.28",
    "TOTAL 7.68",
)
RECEIPT = "\n".join(row.replace(" ", "   ") for row in ROWS[:2]) + "\nScones        6.40\nTOTAL         6.40"


def _sample(identifier: str, total: str, folder: Path) -> Sample:
    image = folder / f"{identifier}.png"
    image.write_bytes(identifier.encode())
    return Sample(identifier, "set", image, "gb", {"total": Label.of(Decimal(total))})


class _Says:
    """A reader to which every picture shows the same receipt, but for a blank one."""

    def __init__(self, cache: Path | None) -> None:
        self._timed = cache is None

    def read(self, sample: Sample) -> ReadText:
        seconds = 0.5 if self._timed else None
        if sample.id == "blank":
            return ReadText(None, (), seconds)
        return ReadText(reading(RECEIPT), tuple(RECEIPT.splitlines()), seconds, 10**8)


@pytest.fixture
def compared(tmp_path: Path) -> list[systems.Compared]:
    samples = [
        _sample("one", "6.40", tmp_path),
        _sample("two", "9.99", tmp_path),
        _sample("blank", "1.00", tmp_path),
    ]
    lines = [
        {"id": "one", "result": {"total": 6.4, "totalConfidence": 0.9}, "seconds": 2.0, "memory": 5 * 10**8},
        {"id": "two", "result": {"total": 9.99, "totalConfidence": 0.6}},
        {"id": "blank", "result": None},
    ]
    (tmp_path / "predictions.jsonl").write_text("\n".join(map(json.dumps, lines)))
    caches = {"engine": tmp_path}
    return systems.compare(
        ["engine", "engine+regex"],
        {"service": tmp_path},
        samples,
        caches,
        timed=3,
        readers={"engine": _Says},
    )


@pytest.fixture(autouse=True)
def _weighs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems.speed, "peak_memory", lambda name, pictures: 321.0)


def test_every_system_is_scored_on_every_receipt(compared: list[systems.Compared]) -> None:
    found = {table.title: table for table in tables.tables(compared)}
    overview = found["Systems over 3 receipts"].to_dict()["rows"]
    assert [(row["system"], round(row["total"], 2)) for row in overview] == [
        ("engine", 0.33),
        ("engine+regex", 0.33),
        ("service", 0.67),
    ]
    assert overview[2]["seconds"] == 2.0 and overview[2]["MB"] == 500.0
    assert overview[0]["seconds"] > 0.5 and overview[0]["MB"] == 321.0
    (difference, _) = found["Total: difference in points on the same receipts"].to_dict()["rows"]
    assert (difference["system"], round(difference["points"], 1)) == ("service", 33.3)
    confidence = found["Confidence of the total"].to_dict()["rows"]
    assert [row["system"] for row in confidence] == ["engine", "service"]


def test_plots_are_drawn_for_light_and_dark_pages(compared: list[systems.Compared]) -> None:
    drawn = charts.charts(compared)
    assert set(drawn) == {
        f"{plot}-{theme}.svg" for plot in ("time", "risk", "reliability") for theme in ("light", "dark")
    }
    for name, picture in drawn.items():
        text = "".join(ET.fromstring(picture).itertext())
        assert "service" in text, name
    assert all(theme.paper in drawn[f"risk-{theme.name}.svg"] for theme in charts.THEMES)


def test_a_system_without_confidences_is_one_point_of_the_risk_plot() -> None:
    assert charts.risk_curve([(0.9, True), (0.5, False), (0.9, True)], 4) == [(0.5, 0.0), (0.75, 1 / 3)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "one", "result": {"totl": 1}}', "there is no totl. Did you mean total?"),
        ('{"id": "one", "result": {}, "second": 1}', "there is no second. Did you mean seconds?"),
        ('{"id": "one"}', "expected an object with an id and a result"),
        ('{"id": "one", "result": ', "predictions.jsonl:1"),
        ('{"id": "other", "result": null}', "none of its 1 ids is labelled; a label's id is 'one'"),
    ],
)
def test_predictions_of_another_form_are_refused(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "predictions.jsonl").write_text(line)
    with pytest.raises(LabelError, match=said.replace(".", r"\.").replace("?", r"\?")):
        predictions.load(tmp_path, ["one"])


def test_a_folder_without_predictions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="does not exist"):
        predictions.load(tmp_path, ["one"])


def test_a_system_that_there_is_not_is_refused() -> None:
    with pytest.raises(LabelError, match="no system donut; there are: engine, engine\\+regex"):
        systems.parsed("engine,donut")


def test_the_baseline_reads_a_plain_receipt() -> None:
    result = generic_regex.extract(ROWS, "gb")
    assert (result["total"], result["subTotal"], result["tax"]) == (
        Decimal("7.68"),
        Decimal("6.40"),
        Decimal("1.28"),
    )
    assert (result["establishment"], result["date"]) == ("ORCHARD TEA ROOM", "2026-04-03 00:00:00")
    assert generic_regex.extract(ROWS, "us")["date"] == "2026-03-04 00:00:00"


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        (["Subtotal 5.00", "TOTAL", "6.00"], "6.00"),
        (["TOTAL 6.00", "Cash 10.00", "Change 4.00"], "6.00"),
        (["Total 5.10", "Grand Total 6.37"], "6.37"),
        (["Summe 1.234,50"], "1234.50"),
        (["Tea 2.00", "Jam 3.10"], "3.10"),
        (["Total items 3"], None),
    ],
)
def test_the_baseline_finds_totals_as_programs_do(rows: list[str], total: str | None) -> None:
    assert generic_regex.extract(rows, None)["total"] == (None if total is None else Decimal(total))


@pytest.mark.parametrize(
    ("row", "day"),
    [
        ("3 Mar 2026", "2026-03-03"),
        ("Mar 3, 2026", "2026-03-03"),
        ("2026-03-03", "2026-03-03"),
        ("31/31/2026", None),
    ],
)
def test_the_baseline_reads_dates_in_all_common_forms(row: str, day: str | None) -> None:
    assert generic_regex.extract([row], None)["date"] == (None if day is None else f"{day} 00:00:00")


@pytest.mark.needs("Tesseract")
def test_tesseract_is_run_once_for_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Image.new("RGB", (500, 120), "white")
    ImageDraw.Draw(picture).text((30, 30), "TOTAL 48.15", font=ImageFont.load_default(48), fill="black")
    picture.save(tmp_path / "drawn.png")
    sample = Sample("drawn", "set", tmp_path / "drawn.png", "gb")
    first = TesseractReader(tmp_path / "cache").read(sample)
    assert first.rows == ("TOTAL 48.15",)
    assert first.reading is not None and (first.reading.width, first.reading.height) == (500, 120)
    assert first.seconds and first.memory
    monkeypatch.setattr("benchmarks.compare.readers._tesseract", lambda *_: pytest.fail("it was run again"))
    assert TesseractReader(tmp_path / "cache").read(sample) == first


def test_the_command_scores_a_folder_of_ones_own(
    write_labels: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = [{"id": str(at), "image": f"{at}.png", "fields": {"total": at}} for at in range(4)]
    folder = write_labels("mine", *labels)
    made = tmp_path / "made"
    made.mkdir()
    lines = [json.dumps({"id": str(at), "result": {"total": 2, "totalConfidence": 0.7}}) for at in range(4)]
    (made / "predictions.jsonl").write_text("\n".join(lines))
    report = tmp_path / "report.md"
    arguments = ["compare", "--data", str(folder), "--systems", "", "--predictions", f"made={made}"]
    assert main([*arguments, "--every", "mine=2", "--report", str(report)]) == 0
    assert "Systems over 2 receipts" in capsys.readouterr().out
    assert "| made | 50.0 |" in report.read_text(encoding="utf-8")
    assert (tmp_path / "report-risk-dark.svg").is_file()
    assert main([*arguments, "--every", "mine"]) == 2
    assert main(["compare", "--data", str(folder), "--systems", ""]) == 2


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"fields": {"totl": 5}}, "fields has no totl; did you mean total?"),
        (
            {"fields": {"total_any": [5], "vat_number": "1"}},
            "fields has no vat_number; did you mean vatNumber?",
        ),
        ({"truth": {"total": 5, "merchant": "x"}}, "truth has no merchant"),
        ({"fields": {"date": "03/04/2026"}}, "date is '03/04/2026'; write 2026-03-01"),
    ],
)
def test_a_label_that_nothing_scores_is_named(
    row: dict[str, Any], said: str, write_labels: Callable[..., Path]
) -> None:
    folder = write_labels("mine", {"id": "one", "image": "one.png", **row})
    with pytest.raises(LabelError, match="The label of one: " + said.replace("?", r"\?")):
        load([folder])


def test_a_whole_result_may_be_the_truth(write_labels: Callable[..., Path]) -> None:
    truth = {"total": 5, "totalConfidence": 1.0, "validatedTotal": True, "dateISO": None, "customFields": {}}
    folder = write_labels("mine", {"id": "one", "image": "one.png", "truth": truth})
    assert [sample.id for sample in load([folder])] == ["one"]


def test_a_date_is_scored_in_either_spelling(write_labels: Callable[..., Path]) -> None:
    spelled = [
        {"date": "2026-03-01 10:15"},
        {"date": "2026-03-01", "time": "10:15"},
        {"date_iso": "2026-03-01T10:15"},
    ]
    rows = [{"id": str(at), "image": f"{at}.png", "fields": fields} for at, fields in enumerate(spelled)]
    samples = load([write_labels("mine", *rows)])
    assert [sample.fields["dateTime"].main for sample in samples] == ["2026-03-01 10:15"] * 3


def test_other_accepted_times_are_accepted(write_labels: Callable[..., Path]) -> None:
    fields = {"date_iso": "2026-03-01", "time_iso": "10:15", "time_iso_any": ["10:45"]}
    folder = write_labels("mine", {"id": "one", "image": "one.png", "fields": fields})
    (sample,) = load([folder])
    assert sample.fields["time"].accepted == ("10:15", "10:45")
    assert sample.fields["dateTime"].accepted == ("2026-03-01 10:15", "2026-03-01 10:45")
