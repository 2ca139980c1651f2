"""Renders the explain view of a stored image on demand, in a separate process; the view is never stored.

Run as a program, this module reads the image from standard input and writes HTML, confined to the program's
own files. The server limits its time and runs one at a time, so that views cannot starve the workers.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from receipt_engine import ExtractOptions
from receipt_engine.service.dashboard import confinement
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.jobs.worker import load_engine
from receipt_engine.service.settings import Settings, load_settings, to_environment
from receipt_engine.service.storage.vault import key_file

_one_at_a_time = asyncio.Semaphore(1)


class ExplainFailed(Exception):
    """The view could not be rendered; the message may be shown to the user."""


async def explain(settings: Settings, picture: bytes, options: Options) -> bytes:
    """Returns the explain view as HTML; raises ExplainFailed."""
    async with _one_at_a_time:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            confinement.__file__,
            os.pathsep.join(map(str, _readable(settings))),
            "receipt_engine.service.dashboard.explain",
            options.to_text(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(settings),
        )
        try:
            async with asyncio.timeout(settings.job_seconds):
                page, _ = await process.communicate(picture)
        except TimeoutError as error:
            raise ExplainFailed("The explain view took too long.") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode != 0 or not page:
        raise ExplainFailed("This picture could not be explained.")
    return page


def _readable(settings: Settings) -> list[Path]:
    """Returns the program's own files and the merchant table, without data directory and master keys."""
    found = confinement.own_files(settings.data)
    if not settings.master_keys:
        keys = key_file(settings).resolve()
        found = [path for path in found if not keys.is_relative_to(path)]
    return [*found, *([Path(settings.merchants).resolve()] if settings.merchants else [])]


def _environment(settings: Settings) -> dict[str, str]:
    """Returns this process's environment without secrets, plus its import path.

    The child is started by a file path, so it would not find the package otherwise.
    """
    places = [str(Path(entry or ".").resolve()) for entry in sys.path]
    inherited = {name: value for name, value in os.environ.items() if name != "CREDENTIALS_DIRECTORY"}
    own = to_environment(_without_secrets(settings))
    return {**inherited, **own, "PYTHONPATH": os.pathsep.join(places)}


def _without_secrets(settings: Settings) -> Settings:
    """Returns the settings that a process that decodes an untrusted image may know."""
    return replace(settings, master_keys="", master_key_file="", database_url="", private_key="")


def main() -> int:
    """Reads one image from standard input and writes its HTML to standard output."""
    engine: Any = load_engine(load_settings())
    options = ExtractOptions(evidence=True, **Options.from_text(sys.argv[1]).arguments())
    page = engine.explain(sys.stdin.buffer.read(), options).to_html()
    sys.stdout.buffer.write(page.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
