"""What an actor of Ray does with its pictures, and what becomes of the rows; Ray itself is stood in for."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from receipt_engine import ray
from receipt_engine.batch import Failure, Row
from receipt_engine.errors import OptionError
from receipt_engine.result import LineItem, Result
from tests.unit.batch.text_reader import RECEIPT, TextReader

Actor = Callable[[pa.Table], pa.Table]


@pytest.fixture
def make_actor(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Actor]:
    """Makes an actor. again: whether it has died before."""

    def make(again: bool) -> Actor:
        context = SimpleNamespace(was_current_actor_reconstructed=again)
        monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get_runtime_context=lambda: context))
        return ray._Actor(TextReader(), None)

    return make


def _pictures(*texts: str) -> pa.Table:
    paths = [f"s3://b/{n}" for n in range(len(texts))]
    return pa.table({"path": paths, "bytes": [text.encode() for text in texts]})


class _Dataset:
    """As much of a dataset as `read_rows` and `tables` ask of one."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def iter_rows(self) -> Any:
        return iter(self.table.to_pylist())

    def map_batches(self, change: Any, *, batch_size: None, batch_format: str) -> Any:
        assert (batch_size, batch_format) == (None, "pyarrow")
        return change(self.table)


@pytest.mark.parametrize("again", [False, True])
def test_pictures_become_rows(make_actor: Callable[[bool], Actor], again: bool) -> None:
    found = make_actor(again)(_pictures(RECEIPT, "# no picture", f"{RECEIPT}\f{RECEIPT}"))
    rows = list(ray.read_rows(_Dataset(found)))
    assert [(row.file, row.receipt, row.receipts) for row in rows] == [
        ("s3://b/0", 1, 1),
        ("s3://b/1", 1, 1),
        ("s3://b/2", 1, 2),
        ("s3://b/2", 2, 2),
    ]
    assert all(row.sha256 and len(row.sha256) == 64 for row in rows)
    assert [row.found and row.found.total for row in rows] == [Decimal("7.30"), None, *[Decimal("7.30")] * 2]
    assert rows[1].failure is not None and rows[1].failure.type == "NotAnImageError"


def _fsspec(monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]) -> None:
    """A stand-in for fsspec that has these files, and knows no other file system than theirs."""

    def opened(path: str, mode: str, **storage: str) -> io.BytesIO:
        assert (mode, storage) == ("rb", {})
        if not path.startswith("s3://"):
            raise ImportError("Install gcsfs to access Google Storage")
        if path not in files:
            raise FileNotFoundError(path)
        return io.BytesIO(files[path])

    monkeypatch.setitem(sys.modules, "fsspec", SimpleNamespace(open=opened))


def test_files_are_fetched(make_actor: Callable[[bool], Actor], monkeypatch: pytest.MonkeyPatch) -> None:
    _fsspec(monkeypatch, {"s3://b/1": RECEIPT.encode()})
    found = make_actor(False)(pa.table({"path": ["s3://b/1", "s3://b/2"]}))
    there, missing = ray.read_rows(_Dataset(found))
    assert there.found is not None and there.found.total == Decimal("7.30")
    assert missing.sha256 is None
    assert missing.failure == Failure("FileNotFoundError", "s3://b/2")
    with pytest.raises(OptionError, match="Install gcsfs"):
        make_actor(False)(pa.table({"path": ["gs://b/1"]}))


def test_a_picture_that_kills_is_given_up_by_an_actor_that_died_before(
    make_actor: Callable[[bool], Actor],
) -> None:
    rows = list(ray.read_rows(_Dataset(make_actor(True)(_pictures("!die", RECEIPT)))))
    assert [row.failure and row.failure.type for row in rows] == ["WorkerDiedError", None]


def test_rows_come_back_as_they_were() -> None:
    item = LineItem(desc="Tea", desc_clean="Tea", line_total=Decimal("4.50"))
    result = Result(establishment="Café", total=Decimal("4.50"), line_items=(item,), evidence={"page": {}})
    failure = Failure("OSError", "no such key")
    rows = [
        Row(file="a", sha256="1", page=2, receipt=3, receipts=4, result=result),
        Row(file="b", sha256=None, error=failure),
    ]
    records = ray._records(rows)
    assert list(ray.read_rows(_Dataset(records))) == rows
    assert ray._records([]).schema == records.schema == ray._records(rows[1:]).schema
    table = ray.tables(_Dataset(records))
    assert table["merchant"].to_pylist() == ["Café", None]
    assert table["items"].to_pylist()[0][0]["amount"] == Decimal("4.5000")
    assert table["error"].to_pylist() == [None, "no such key"]


def test_without_the_extra_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray.data", None)
    with pytest.raises(OptionError, match=r"receipt-engine\[ray\]"):
        ray.extract(None)
