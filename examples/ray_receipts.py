"""Extracts a folder or bucket on a Ray cluster: `python examples/ray_receipts.py s3://shoebox/2026 OUT`.

Works with any file system that fsspec supports; s3:// needs s3fs. OUT gets two folders of Parquet files:
`rows` with the complete results, and `table` with typed columns. Images that already have rows are skipped.
"""

from __future__ import annotations

import sys
from functools import partial

import fsspec
import ray

from receipt_engine import Engine, ExtractOptions
from receipt_engine.batch import EngineReader
from receipt_engine.ray import extract, tables


def pictures(source: str) -> list[str]:
    """Returns the URLs of all files below a folder."""
    files, folder = fsspec.url_to_fs(source)
    return [files.unstrip_protocol(name) for name in files.find(folder)]


def read_before(rows: str) -> set[str]:
    """Returns the images done by an earlier run, even if it was interrupted."""
    files, folder = fsspec.url_to_fs(rows)
    if not files.exists(folder):
        return set()
    return {row["file"] for row in ray.data.read_parquet(rows).select_columns(["file"]).iter_rows()}


def main(source: str, out: str) -> None:
    known = read_before(f"{out}/rows")
    new = [{"path": path} for path in pictures(source) if path not in known]
    if new:
        reader = EngineReader(partial(Engine, threads=1), ExtractOptions(evidence=True), deadline=120)
        extract(ray.data.from_items(new), reader).write_parquet(f"{out}/rows", max_rows_per_file=10_000)
    tables(ray.data.read_parquet(f"{out}/rows")).write_parquet(f"{out}/table", mode="overwrite")


if __name__ == "__main__":
    main(*sys.argv[1:])
