"""An engine for tests: what it does is written behind the picture's last byte.

`made_picture(..., order=b"unreadable")` makes such a picture. Results depend on the bytes alone.
"""

from __future__ import annotations

import hashlib
import os
import signal
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

from receipt_engine.errors import ModelError, UnreadableImageError
from receipt_engine.result import LineItem, Result

MARK = b"\nORDER:"
#: Stands for receipt text that must never reach a log.
CANARY = "CANARY-MERCHANT"
#: A file that `HeldStart` waits for to be gone.
HOLD = "hold"


class FakeExplanation:
    """Stands for the engine's explanation."""

    def __init__(self, digest: str) -> None:
        self._digest = digest

    def to_html(self) -> str:
        """A page with a style and a script, which the service's policy must tame."""
        script = "<script>document.title='ran'</script>"
        return f"<style>p{{color:green}}</style><p>explained {self._digest}</p>{script}"


class FakeEngine:
    """The engine's public seam."""

    def __init__(self, threads: int | None = None, merchants: object = None) -> None:
        self.threads, self.merchants = threads, merchants

    def extract(self, image: bytes, **options: Any) -> Result:
        """Does what the picture orders, then returns a result made from its digest."""
        for order in image.partition(MARK)[2].split():
            self._obey(order.decode())
        digest = hashlib.sha256(image).hexdigest()[:12]
        return Result(
            establishment=f"{CANARY} {digest}",
            establishment_confidence=0.9,
            total=Decimal(int(digest[:4], 16)) / 100,
            total_confidence=0.95,
            document_type="Receipt",
            line_items=(LineItem(desc="Tea", desc_clean="Tea", line_total=Decimal("1.50"), qty=Decimal(1)),),
            evidence={"options": {name: value for name, value in options.items() if value not in (None, ())}},
        )

    def explain(self, image: bytes, options: Any) -> FakeExplanation:
        """The explanation of the same picture."""
        return FakeExplanation(hashlib.sha256(image).hexdigest()[:12])

    def _obey(self, order: str) -> None:
        if order.startswith("sleep="):
            time.sleep(float(order.removeprefix("sleep=")))
        elif order == "unreadable":
            raise UnreadableImageError("The picture is damaged. Photograph the receipt again.")
        elif order == "bug":
            raise ValueError(f"cannot parse {CANARY} 12.30")
        elif order == "damaged":
            raise ModelError("A model file is missing; install receipt-engine again.")
        elif order == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif order == "greedy":
            self.hoard = bytearray(b"x" * (600 << 20))
            time.sleep(30)


class HeldStart(FakeEngine):
    """Does not end to load while there is a file `HOLD` in the data directory."""

    def __init__(self, threads: int | None = None, merchants: object = None) -> None:
        super().__init__(threads, merchants)
        while Path(os.environ["RECEIPT_ENGINE_DATA_DIR"], HOLD).exists():
            time.sleep(0.02)


class Snoop(FakeEngine):
    """Explains what its process can get at."""

    def explain(self, image: bytes, options: Any) -> FakeExplanation:
        found = []
        for path in (Path(os.environ["RECEIPT_ENGINE_DATA_DIR"], "master.keys"), Path("/etc/passwd")):
            try:
                found.append(f"read {path.read_text(encoding='utf-8')}")
            except OSError as error:
                found.append(type(error).__name__)
        return FakeExplanation(" ".join(found))


class TellTale(FakeEngine):
    """Explains what its process was told."""

    def explain(self, image: bytes, options: Any) -> FakeExplanation:
        return FakeExplanation(repr(dict(os.environ)))
