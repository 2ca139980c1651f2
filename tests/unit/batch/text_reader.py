"""A stand-in for the engine that worker processes can be started with: files hold the text of a receipt."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from receipt_engine.batch import Extracted
from receipt_engine.errors import ModelError, NotAnImageError
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace
from tests.printed import reading

RECEIPT = """
    CAFE MIKRO
    12 Mill Lane
    14/03/2024 18:20
    Tea             4.50
    Scone           2.80
    TOTAL           7.30
"""


@dataclass(frozen=True)
class TextReader:
    """Takes what `EngineReader` takes. A file may ask for trouble in its first line:

    ``#``: it is no picture. ``!bug``: an error that nobody foresaw. ``!die``: the process is killed.
    ``!die once FILE``: only until FILE is there. ``!wait SECONDS``. Every reading adds the file's name to
    `log`, when there is one.
    """

    make: Callable[[], Any] | None = None
    options: ExtractOptions = ExtractOptions()  # noqa: RUF009  frozen
    log: str = ""

    def __call__(self) -> Callable[[str | bytes], tuple[Extracted, ...]]:
        if self.log == "no models":
            raise ModelError("A model file is missing.")
        if self.log == "no memory":
            os.kill(os.getpid(), signal.SIGKILL)
        return self._read

    def _read(self, source: str | bytes) -> tuple[Extracted, ...]:
        text = source.decode() if isinstance(source, bytes) else Path(source).read_text(encoding="utf-8")
        if self.log:
            with Path(self.log).open("a", encoding="utf-8") as log:
                log.write(f"{source!s}\n")
        word, *rest = text.split("\n", 1)[0].split() or [""]
        if word == "#":
            raise NotAnImageError("The file is neither JPEG nor PNG.")
        if word == "!bug":
            raise ZeroDivisionError("division by zero")
        if word == "!die" and not (rest and Path(rest[1]).exists()):
            if rest:
                Path(rest[1]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "!wait":
            time.sleep(float(rest[0]))
        body = text.split("\n", 1)[1] if word.startswith("!") else text
        return tuple(
            Extracted(interpret(reading(part), self.options, None, Trace(keep=False)), 1, number)
            for number, part in enumerate(body.split("\f"), 1)
        )
