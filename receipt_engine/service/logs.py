"""Writes JSON log lines without receipt contents, keys, tokens or file names.

An exception is logged with its type and stack frames, never with its message: parsers' messages quote the
input they could not parse.
"""

from __future__ import annotations

import datetime
import json
import logging
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import TextIO

#: Fields added to every line of a request or job: its id, and the account once it is known.
_bound: ContextVar[Mapping[str, object]] = ContextVar("bound", default=MappingProxyType({}))


def begin(**fields: object) -> None:
    """Sets the fields that this task or thread adds to each line, replacing earlier ones. Ids only."""
    _bound.set(fields)


def bind(**fields: object) -> None:
    """Adds fields to those set by `begin`."""
    _bound.set({**_bound.get(), **fields})


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object per line: time, level, logger, event, then the event's fields."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        line: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line |= _bound.get()
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            frames = traceback.extract_tb(error.__traceback__)
            line["error"] = type(error).__name__
            line["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str = "INFO", stream: TextIO | None = None) -> None:
    """Sends all loggers to `stream` (default: standard error) as JSON."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("uvicorn", "uvicorn.error", "procrastinate", "asyncio"):
        logging.getLogger(noisy).handlers.clear()
        logging.getLogger(noisy).propagate = True
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLogger().level))
    logging.getLogger("uvicorn.access").disabled = True
