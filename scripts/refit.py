"""Refits every model that depends on labelled receipts, in the order in which they depend on each other.

    python -m scripts.refit --data FOLDER --cache FOLDER [--check]

First names and addresses (`scripts.fit_merchant`, with the priors of `scripts.name_expectations`), then the
confidences (`scripts.fit_confidence`), which are fitted on Results that the new weights gave. It writes the
models, their entries in `models/manifest.toml` and their cards, `docs/models/`. The same data and code give
the same bytes. --check fits too, prints which files of `models/` would change, and restores everything.

`models/line-scripts.npz` and the heads are fitted on drawn lines and depend on no receipt: models/README.md
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.reading_cache import DEFAULT_FOLDER
from scripts.model_cards import CARDS, ROOT
from scripts.model_manifest import MODELS

#: In this order: the second reads the output of the first.
FITS = ("scripts.fit_merchant", "scripts.fit_confidence")
#: Files in `models/` that the fits write.
WRITTEN = ("merchant.toml", "confidence.toml", "confidence-curve.csv", "manifest.toml")
#: With another number of threads, sums differ in their last bits.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fits and prints; returns 1 when --check finds that a file would change."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    data = [argument for path in options.data for argument in ("--data", str(path.resolve()))]
    before = _contents()
    try:
        _fit([*data, "--cache", str(options.cache.resolve())])
        changed = changed_files(before, _contents())
    finally:
        if options.check:
            _restore(before)
    print(f"changed: {', '.join(changed) or 'nothing'}")
    return int(options.check and bool(changed))


def _fit(arguments: Sequence[str]) -> None:
    """Runs each fit in a separate process, which loads the output of the ones before it."""
    for module in FITS:
        start = time.monotonic()
        subprocess.run(
            (sys.executable, "-m", module, *arguments), cwd=ROOT, env=os.environ | _ONE_THREAD, check=True
        )
        print(f"{module}: {time.monotonic() - start:.0f} s", flush=True)


def _contents() -> dict[Path, bytes]:
    """The present content of the files that the fits write."""
    paths = [*(MODELS / name for name in WRITTEN), *sorted(CARDS.glob("*.md"))]
    return {path: path.read_bytes() for path in paths if path.is_file()}


def changed_files(before: dict[Path, bytes], after: dict[Path, bytes]) -> list[str]:
    """Names of the models' files that changed; cards name the commit and always change."""
    paths = sorted({path for path in (*before, *after) if path.parent == MODELS})
    return [path.name for path in paths if before.get(path) != after.get(path)]


def _restore(before: dict[Path, bytes]) -> None:
    for path in _contents().keys() - before.keys():
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)


if __name__ == "__main__":
    raise SystemExit(main())
