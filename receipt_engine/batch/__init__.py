"""Extracts many files in several processes: each file gives one or more rows, and none is lost.

In: paths, and how to make an engine. Out: a JSON Lines file of `Row`s that can be resumed however the run
ended and, once finished, is in the order of the files with duplicates marked. Nothing here decides the
content of a receipt.
"""

from receipt_engine.batch.doubts import Doubt, doubts, is_doubtful
from receipt_engine.batch.duplicates import Duplicates
from receipt_engine.batch.inputs import Input, find_inputs
from receipt_engine.batch.journal import Journal, JournalError, read_rows
from receipt_engine.batch.row import Duplicate, Extracted, Failure, Row
from receipt_engine.batch.run import extract_files
from receipt_engine.batch.workers import EngineReader, default_jobs

__all__ = [
    "Doubt",
    "Duplicate",
    "Duplicates",
    "EngineReader",
    "Extracted",
    "Failure",
    "Input",
    "Journal",
    "JournalError",
    "Row",
    "default_jobs",
    "doubts",
    "extract_files",
    "find_inputs",
    "is_doubtful",
    "read_rows",
]
