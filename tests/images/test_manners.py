"""How an engine behaves in another's program: deadlines, cancellation, pickling, forks, logging."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from receipt_engine import Cancellation, CancelledError, DeadlineError, MerchantTable, OptionError
from receipt_engine.engine import Engine

ROOT = Path(__file__).parents[2]
RECEIPT = ROOT / "examples" / "receipt.jpg"
#: Seconds within which an extraction ends that is told to, on a machine with other work to do.
SOON = 1.0


@pytest.mark.parametrize("deadline", [0.001, 0.1, 0.3])
def test_a_deadline_ends_the_extraction(engine: Engine, deadline: float) -> None:
    start = time.monotonic()
    with pytest.raises(DeadlineError, match=f"within {deadline} s"):
        engine.extract(RECEIPT, deadline=deadline)
    assert time.monotonic() - start < deadline + SOON


def test_a_deadline_that_is_kept_changes_nothing(engine: Engine) -> None:
    cancel = Cancellation()
    assert engine.extract(RECEIPT, deadline=300, cancel=cancel) == engine.extract(RECEIPT)
    cancel.cancel()  # too late
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_another_thread_cancels(engine: Engine) -> None:
    cancel = Cancellation()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    start = time.monotonic()
    with pytest.raises(CancelledError):
        engine.extract(RECEIPT, cancel=cancel)
    assert time.monotonic() - start < 0.2 + SOON
    timer.join()
    with pytest.raises(CancelledError):
        engine.extract(RECEIPT, cancel=cancel)


@pytest.mark.parametrize("deadline", [0, -1, float("nan"), float("inf"), "5", True])
def test_a_deadline_is_positive(engine: Engine, deadline: Any) -> None:
    with pytest.raises(OptionError, match="deadline"):
        engine.extract(RECEIPT, deadline=deadline)


def test_only_a_cancellation_cancels(engine: Engine) -> None:
    cancel: Any = threading.Event()
    with pytest.raises(OptionError, match="use a Cancellation"):
        engine.extract(RECEIPT, cancel=cancel)


def test_engines_of_a_process_share_their_networks() -> None:
    assert Engine(threads=1)._models is Engine(threads=1)._models


def test_an_engine_is_pickled_with_its_settings(tmp_path: Path) -> None:
    from receipt_engine import import_merchants

    table, csv = tmp_path / "table.sqlite", tmp_path / "table.csv"
    csv.write_text("name\nMikro\n")
    import_merchants(csv, table)
    data = pickle.dumps(Engine(threads=1, merchants=MerchantTable(table)))
    assert len(data) < 1000
    again = pickle.loads(data)
    assert again._settings["threads"] == 1
    assert len(again._settings["merchants"]) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_after_a_fork_an_engine_says_what_to_do() -> None:
    program = f"""
import os, sys, warnings
warnings.simplefilter("ignore")
from receipt_engine import Engine, ForkError
engine = Engine(threads=2)
engine.warm_up()
child = os.fork()
if not child:
    try:
        engine.extract({str(RECEIPT)!r})
    except ForkError as error:
        os._exit(7 if "spawn" in str(error) else 8)
    os._exit(9)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=120).returncode == 7


def test_the_log_has_times_and_counts_but_nothing_of_the_receipt(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="receipt_engine"):
        result = engine.extract(RECEIPT)
    assert "recognize" in caplog.text and " ms" in caplog.text
    said = caplog.text.casefold()
    printed = [result.establishment, str(result.total), result.phone_number]
    printed += [item.desc_clean for item in result.line_items]
    assert not [text for text in printed if text and text.casefold() in said]
