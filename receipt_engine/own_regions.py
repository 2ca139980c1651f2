"""Merges a folder of your own region files with the shipped ones, adding to and overriding them.

Region rules are cached all over the package, once per process. So a process works with one set of them, which
can be changed only while no engine with another set is in use.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from pathlib import Path

from receipt_engine import assets
from receipt_engine.errors import OptionError
from receipt_engine.region import load_region
from receipt_engine.runtime import caches


class Regions:
    """The regions of an engine, in use as long as it is. own: the folder, None for the shipped ones."""

    def __init__(self, own: Path | None) -> None:
        self.own = own


#: Suffixes of the files in a folder of regions.
_DATA = frozenset((".toml", ".txt", ".tsv"))

_lock = threading.Lock()
_in_use: weakref.WeakSet[Regions] = weakref.WeakSet()
_current: Path | None = None
_merged: tempfile.TemporaryDirectory[str] | None = None


def use(folder: str | os.PathLike[str] | None) -> Regions:
    """Makes the process use the region and language files of `folder` as well; None: the shipped ones only.
    Raises OptionError and RegionDataError."""
    global _current
    own = None if folder is None else Path(folder).resolve()
    with _lock:
        if own != _current:
            others = [regions.own for regions in _in_use if regions.own != own]
            if others:
                raise OptionError(
                    f"An engine in this process already uses the regions of {others[0] or 'the package'}. "
                    "Use another process for other regions."
                )
            _change(own)
            _current = own
        regions = Regions(own)
        _in_use.add(regions)
        return regions


def _change(own: Path | None) -> None:
    global _merged
    if own is not None and not own.is_dir():
        raise OptionError(f"{own}: there is no such folder of regions.")
    former = _merged
    _merged = None if own is None else _merge(own)
    assets.use_regions(None if _merged is None else Path(_merged.name))
    caches.clear()
    try:
        for path in own.glob("*.toml") if own is not None else ():
            load_region(path.stem)
    except BaseException:
        assets.use_regions(None if former is None else Path(former.name))
        caches.clear()
        if _merged is not None:
            _merged.cleanup()
        _merged = former
        raise
    if former is not None:
        former.cleanup()


def _merge(own: Path) -> tempfile.TemporaryDirectory[str]:
    """A temporary folder of the shipped files, overlaid with those of `own` that have a place among them: it
    may hold anything else. Raises OptionError when there are none."""
    shipped = assets.shipped("regions")
    folders = (Path(), *(path.relative_to(shipped) for path in shipped.iterdir() if path.is_dir()))
    found = [path for folder in folders for path in (own / folder).glob("*") if path.suffix in _DATA]
    if not found:
        raise OptionError(f"{own}: there is no region file (xx.toml) and no languages/xx.toml in it.")
    merged = tempfile.TemporaryDirectory(prefix="receipt-engine-regions-")
    shutil.copytree(shipped, merged.name, dirs_exist_ok=True)
    for path in found:
        shutil.copyfile(path, Path(merged.name) / path.relative_to(own))
    return merged
