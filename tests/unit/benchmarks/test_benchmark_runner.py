"""Readings are kept exactly, found again, and failures of single pictures stay single."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invented import FakeReader, make_reading, make_span
from msgspec import structs

from benchmarks import reading_cache, runner
from benchmarks.datasets import Label, Sample
from benchmarks.outcome import text_rows
from benchmarks.reading_cache import Entry, ReadingCache, encode, picture_key, reading_code
from benchmarks.runner import Setup, call_for, run


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Sample]:
    def make(text: str, **extra: Any) -> Sample:
        image = tmp_path / f"{len(list(tmp_path.iterdir()))}.png"
        image.write_text(text)
        return Sample(image.stem, "set", image, **extra)

    return make


def test_a_reading_comes_back_as_it_was() -> None:
    reading = make_reading("TOTAL 1.00", "ありがとう")
    odd = structs.replace(reading, quality=structs.replace(reading.quality, sharpness=np.float64(0.1)))
    assert Entry("code", 1.0, encode(reading)).decode() == reading
    assert Entry("code", 1.0, encode(odd)).decode() == odd
    assert Entry("code", 1.0, encode(structs.replace(reading, width=np.int64(7)))).decode().width == 7


def test_an_error_has_no_reading() -> None:
    with pytest.raises(ValueError, match="holds an error"):
        Entry("code", 1.0, error=("NoTextError", "No text.")).decode()


def test_entries_are_found_by_picture_and_engine(tmp_path: Path) -> None:
    entry = Entry("code", 1.0, encode(make_reading("A")))
    key = picture_key(b"picture")
    ReadingCache(tmp_path, "one").put(key, entry)
    assert ReadingCache(tmp_path, "one").get(key) == entry
    assert ReadingCache(tmp_path, "two").get(key) is None
    assert ReadingCache(tmp_path, "one").get(picture_key(b"other")) is None


def test_a_damaged_entry_is_read_again(tmp_path: Path) -> None:
    cache, key = ReadingCache(tmp_path, "one"), picture_key(b"picture")
    cache.put(key, Entry("code", 1.0))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:4])
    assert cache.get(key) is None


def test_the_code_digest_ignores_comments_and_docstrings(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        (folder / "runtime").mkdir(parents=True)
        (folder / "runtime" / "a.py").write_text(text)
        return reading_code(folder)

    plain = digest('"""About."""\ndef f():\n    return 1\n')
    assert digest('# Note\ndef f():\n    """Doc."""\n    return 1\n') == plain
    assert digest("def f():\n    return 2\n") != plain


def test_a_second_run_does_not_read(
    sample: Callable[..., Sample], reader: FakeReader, tmp_path: Path
) -> None:
    setup = Setup(tmp_path / "cache", make_reader=lambda: reader)
    samples = [sample("TOTAL 1.00"), sample("TOTAL 2.00")]
    first = run(samples, setup)
    assert [outcome.result["total"] for outcome in first if outcome.result] == [1.0, 2.0]
    assert len(reader.reads) == 2
    again = run(samples, setup)
    assert [outcome.result for outcome in again] == [outcome.result for outcome in first]
    assert len(reader.reads) == 2
    run(samples, replace(setup, refresh=True))
    assert len(reader.reads) == 4
    assert again[0].rows == ("TOTAL 1.00",)


def test_without_a_cache_every_run_reads(sample: Callable[..., Sample], reader: FakeReader) -> None:
    picture = sample("TOTAL 1.00")
    for _ in range(2):
        run([picture], Setup(None, make_reader=lambda: reader))
    assert len(reader.reads) == 2


def test_errors_are_kept_and_retried_only_on_request(
    sample: Callable[..., Sample], reader: FakeReader, tmp_path: Path
) -> None:
    setup = Setup(tmp_path / "cache", make_reader=lambda: reader)
    empty, good = sample(""), sample("TOTAL 1.00")
    for _ in range(2):
        failed, fine = run([empty, good], setup)
        assert failed.error == ("NoTextError", "No text was found.")
        assert failed.expected_error
        assert fine.result is not None
    assert reader.reads == [empty.image, good.image]
    run([empty, good], replace(setup, retry=True))
    assert reader.reads == [empty.image, good.image, empty.image]


def test_crashes_are_told_apart(sample: Callable[..., Sample], reader: FakeReader) -> None:
    missing = Sample("gone", "set", Path("does-not-exist.png"))
    outcomes = run([sample("BUG"), missing, sample("TOTAL 1.00")], Setup(None, make_reader=lambda: reader))
    assert [outcome.expected_error for outcome in outcomes] == [False, False, True]
    assert outcomes[0].error == ("KeyError", "'bug'")
    assert outcomes[1].error is not None and outcomes[1].error[0] == "FileNotFoundError"
    assert outcomes[2].result is not None


def test_only_a_pictures_own_errors_are_kept(
    sample: Callable[..., Sample], reader: FakeReader, tmp_path: Path
) -> None:
    picture = sample("MODEL")
    for _ in range(2):
        (outcome,) = run([picture], Setup(tmp_path / "cache", make_reader=lambda: reader))
        assert outcome.error == ("ModelError", "A model is missing.")
        assert not outcome.expected_error
    assert len(reader.reads) == 2


def test_processes_get_samples_region_by_region() -> None:
    regions = ["us", "de", None, *["us"] * 4, "de", *["us"] * 4]
    samples = [Sample(str(n), "set", Path(f"{n}.png"), region=code) for n, code in enumerate(regions)]
    batches = list(runner._batches(samples))
    assert sorted(number for batch in batches for number, _ in batch) == list(range(len(samples)))
    assert all(sample is samples[number] for batch in batches for number, sample in batch)
    assert [[sample.region for _, sample in batch] for batch in batches] == [
        [None],
        ["de", "de"],
        ["us", "us", "us", "us"],
        ["us", "us", "us", "us"],
        ["us"],
    ]


def test_old_readings_are_marked(
    sample: Callable[..., Sample], reader: FakeReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup(tmp_path / "cache", make_reader=lambda: reader)
    picture = sample("TOTAL 1.00")
    assert not run([picture], setup)[0].stale
    monkeypatch.setattr(runner, "reading_code", lambda: "changed")
    assert run([picture], setup)[0].stale


def test_reading_alone_gives_text_and_no_result(sample: Callable[..., Sample], reader: FakeReader) -> None:
    (outcome,) = run([sample("BUG")], Setup(None, interpret=False, make_reader=lambda: reader))
    assert outcome.rows == ("BUG",)
    assert outcome.result is None and outcome.error is None


def test_the_call_follows_the_labels(sample: Callable[..., Sample], reader: FakeReader) -> None:
    labels = {"documentType": Label.of("Invoice"), "customFields.VATNumber": Label.of("X1")}
    labelled = sample("TOTAL 1.00", region="de", fields=labels)
    assert call_for(labelled).document_type == "auto"
    assert call_for(labelled).custom_fields == ("VATNumber",)
    assert call_for(sample("TOTAL 1.00")).document_type == "receipt"
    run([labelled], Setup(None, make_reader=lambda: reader))
    run([labelled], Setup(None, use_region=False, make_reader=lambda: reader))
    assert [call.region for call in reader.calls] == ["de", None]


class PoolReader(FakeReader):
    """Says which process interpreted."""

    def interpret(self, reading, call):  # type: ignore[no-untyped-def]
        return {**super().interpret(reading, call), "url": str(os.getpid())}


def test_many_pictures_are_shared_between_processes_in_order(
    sample: Callable[..., Sample], tmp_path: Path
) -> None:
    texts = [f"TOTAL {number}.00" for number in range(60)]
    outcomes = run([sample(text) for text in texts], Setup(tmp_path / "cache", make_reader=PoolReader))
    assert [outcome.rows[0] for outcome in outcomes] == texts
    processes = {outcome.result["url"] for outcome in outcomes if outcome.result}
    assert str(os.getpid()) not in processes
    assert 1 <= len(processes) <= 2


def test_rows_are_read_from_left_to_right() -> None:
    reading = make_reading()
    spans = (make_span("5.00", 3.0, left=200.0), make_span("TOTAL", 0.0), make_span("THANKS", 60.0))
    assert text_rows(structs.replace(reading, spans=spans)) == ("TOTAL  5.00", "THANKS")
    assert text_rows(reading) == ()


def test_the_default_folder_is_ignored_by_git() -> None:
    root = reading_cache.DEFAULT_FOLDER.parent.parent
    assert ".cache/" in (root / ".gitignore").read_text().splitlines()
