"""Extracts images by the million on many machines: a Ray Data dataset of paths in, the rows of a batch out.

Every Ray actor holds one engine with one thread and works as `receipt_engine.batch` does: a failure becomes a
row, and a lost actor or machine loses no image and gives none twice. Needs the extra `ray`.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from receipt_engine.batch.row import Failure, Row, rows_of
from receipt_engine.batch.workers import BYTES_EACH, EngineReader, Outcome, Read, Reader, Workers, outcome
from receipt_engine.engine import Engine
from receipt_engine.errors import OptionError
from receipt_engine.export import parquet
from receipt_engine.options import ExtractOptions
from receipt_engine.result import Result

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

__all__ = ["extract", "read_rows", "tables"]

#: Images per task: more are read again when an actor dies, fewer cost more overhead.
_PICTURES = 4


def extract(
    dataset: Dataset,
    reader: Reader | None = None,
    *,
    actors: int | None = None,
    memory: int = BYTES_EACH,
    storage: Mapping[str, Any] | None = None,
) -> Dataset:
    """The rows of all images of `dataset`, extracted when it is consumed, in any order.

    dataset: records with `path`, a path or URL of any file system that fsspec supports (``s3://…``), and the
    image's `bytes` if already loaded, as by `ray.data.read_binary_files`. reader: makes the function that
    reads a file; an engine with default options when None. actors: the most to start; one per processor of
    the cluster when None. memory: bytes reserved for each. storage: options for fsspec, such as credentials.
    The cluster needs two processors: one distributes the work until all of it is distributed.

    Records of the result have `file`, `sha256`, `page`, `receipt` and `receipts` of a `Row`, and either
    `result`, as JSON, or `error`, {type, message}; `read_rows` and `tables` parse them. An actor that died is
    restarted and from then on reads in a child process: an image that kills this process twice gives a row
    with a WorkerDiedError. Raises OptionError when the extra is not installed and, while it is consumed, when
    fsspec lacks a package for the file system.
    """
    try:
        from ray.data import ActorPoolStrategy
    except ImportError:
        raise OptionError("Ray Data needs more packages: pip install 'receipt-engine[ray]'.") from None
    return dataset.repartition(target_num_rows_per_block=_PICTURES).map_batches(
        _Actor,
        fn_constructor_args=(reader or EngineReader(partial(Engine, threads=1), ExtractOptions()), storage),
        compute=ActorPoolStrategy(min_size=1, max_size=actors),
        batch_size=None,
        batch_format="pyarrow",
        num_cpus=1,
        memory=memory,
    )


def read_rows(dataset: Dataset) -> Iterator[Row]:
    """The rows in the output of `extract`, one at a time, as `receipt_engine.batch` gives them."""
    return map(_row, dataset.iter_rows())


def tables(dataset: Dataset) -> Dataset:
    """Converts the output of `extract` to the records that the batch writes to Parquet: typed columns, with
    products and taxes nested."""
    return dataset.map_batches(_table, batch_size=None, batch_format="pyarrow")


class _Actor:
    """Runs in a Ray process and reads the images of its tasks one after another."""

    def __init__(self, reader: Reader, storage: Mapping[str, Any] | None) -> None:
        import ray

        self._storage = storage or {}
        # An image that killed this actor may do so again without end, so a child process reads instead.
        with warnings.catch_warnings(action="ignore"):  # Ray itself uses a deprecated name here
            again = ray.get_runtime_context().was_current_actor_reconstructed
        self._workers = Workers(reader, 1) if again else None
        self._read: Read | None = None if again else reader()

    def __call__(self, pictures: pa.Table) -> pa.Table:
        found = [row for picture in pictures.to_pylist() for row in self._rows(picture)]
        return _records(found)

    def _rows(self, picture: dict[str, Any]) -> tuple[Row, ...]:
        file = picture["path"]
        data = picture.get("bytes")
        if data is None:
            try:
                data = _fetched(file, self._storage)
            except ImportError as error:  # no image on this file system can be read
                raise OptionError(f"{file}: {error}") from error
            except Exception as error:  # each file system has its own errors
                return rows_of(file, None, Failure.of(error))
        return rows_of(file, hashlib.sha256(data).hexdigest(), self._outcome(data))

    def _outcome(self, data: bytes) -> Outcome:
        if self._workers is None:
            assert self._read is not None
            return outcome(self._read, data)
        ((_, found),) = self._workers.run(iter([(0, data)]))
        return found


def _fetched(path: str, storage: Mapping[str, Any]) -> bytes:
    import fsspec

    with fsspec.open(path, "rb", **storage) as file:
        data: bytes = file.read()
    return data


def _records(rows: Iterable[Row]) -> pa.Table:
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    schema = pa.schema(
        {
            "file": text,
            "sha256": text,
            "page": number,
            "receipt": number,
            "receipts": number,
            "result": text,
            "error": pa.struct({"type": text, "message": text}),
        }
    )
    return pa.Table.from_pylist([_record(row) for row in rows], schema=schema)


def _record(row: Row) -> dict[str, Any]:
    return {
        "file": row.file,
        "sha256": row.sha256,
        "page": row.page,
        "receipt": row.receipt,
        "receipts": row.receipts,
        "result": row.found and row.found.to_json(),
        "error": row.failure and {"type": row.failure.type, "message": row.failure.message},
    }


def _row(record: Mapping[str, Any]) -> Row:
    result, error = record["result"], record["error"]
    return Row(
        file=record["file"],
        sha256=record["sha256"],
        page=record["page"],
        receipt=record["receipt"],
        receipts=record["receipts"],
        result=UNSET if result is None else Result.from_json(result),
        error=UNSET if error is None else Failure(**error),
    )


def _table(records: pa.Table) -> pa.Table:
    return parquet.table([_row(record) for record in records.to_pylist()])
