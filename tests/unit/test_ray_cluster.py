"""Ray Data for real, on a cluster of this machine: what is lost is read again, and every picture once."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.unit.batch.text_reader import RECEIPT

ROOT = Path(__file__).parents[2]
#: A program of its own: Ray starts a dozen processes, and leaves threads and settings behind.
PROGRAM = """
import sys
import ray
from receipt_engine import ray as receipts
from receipt_engine.batch import Row
from tests.unit.batch.text_reader import TextReader

folder, *paths = sys.argv[1:]
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80_000_000)
pictures = ray.data.from_items([{"path": path} for path in paths])
reader = TextReader(log=folder + "/log.txt")
rows = receipts.extract(pictures, reader, actors=2, memory=50_000_000).materialize()
with open(folder + "/rows.jsonl", "w") as file:
    file.writelines(row.to_json() + "\\n" for row in receipts.read_rows(rows))
receipts.tables(rows).write_parquet(folder + "/table")
ray.shutdown()
"""


def _run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.needs("ray")
def test_a_lost_actor_costs_no_picture_and_gives_none_twice(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    from receipt_engine.batch import read_rows

    texts = {f"{n}.png": RECEIPT.replace("12 Mill", f"{n} Mill") for n in range(10)}
    texts["3.png"] = f"!die once {tmp_path / 'died'}\n{RECEIPT.replace('12 Mill', '3 Mill')}"
    texts["7.png"] = "!die"
    texts["8.png"] = "# not a picture"
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("in.png", RECEIPT)
    # A file system of fsspec that needs neither a network nor another package.
    inside = f"zip://in.png::file://{tmp_path / 'more.zip'}"
    paths = [*(str(tmp_path / name) for name in texts), str(tmp_path / "none.png"), inside]
    _run("-c", PROGRAM, str(tmp_path), *paths)
    rows = {row.file: row for row in read_rows(tmp_path / "rows.jsonl")}
    assert len(list(read_rows(tmp_path / "rows.jsonl"))) == len(rows)  # none twice
    assert sorted(rows) == sorted(paths)  # none lost
    failed = {Path(file).name: row.failure.type for file, row in rows.items() if row.failure}
    assert failed == {
        "7.png": "WorkerDiedError",
        "8.png": "NotAnImageError",
        "none.png": "FileNotFoundError",
    }
    assert all(str(row.found.total) == "7.30" for row in rows.values() if row.found)
    # The actor died at the third, in a process of Ray's, and it was read again.
    assert (tmp_path / "log.txt").read_text().count("!die once") == 2
    table = pq.read_table(tmp_path / "table")
    assert sorted(table["file"].to_pylist()) == sorted(paths)


@pytest.mark.needs("ray")
def test_the_example_reads_only_what_is_new(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    shoebox, out = tmp_path / "shoebox", tmp_path / "out"
    shoebox.mkdir()
    shutil.copy(ROOT / "examples" / "receipt.jpg", shoebox / "1.jpg")
    command = ("examples/ray_receipts.py", str(shoebox), str(out))
    _run(*command)
    before = set((out / "rows").iterdir())
    (shoebox / "2.jpg").write_text("milk")
    _run(*command)
    (new,) = set((out / "rows").iterdir()) - before
    assert [Path(file).name for file in pq.read_table(new)["file"].to_pylist()] == ["2.jpg"]
    table = {Path(row["file"]).name: row for row in pq.read_table(out / "table").to_pylist()}
    assert str(table["1.jpg"]["total"]) == "72.0900" and table["1.jpg"]["items"]
    assert table["2.jpg"]["error"]
