"""Finds the data folders `regions/` and `models/` in an installed wheel or in a checkout."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from pathlib import Path

from receipt_engine.errors import ModelError

_PACKAGE = Path(__file__).resolve().parent


_regions: Path | None = None


def folder(name: str) -> Path:
    """Path of the data folder ("regions" or "models") that is in use."""
    return _regions if name == "regions" and _regions is not None else shipped(name)


def use_regions(path: Path | None) -> None:
    """Makes `folder("regions")` return another folder; None: the shipped one. Caches of the old folder's
    files are cleared by `receipt_engine.own_regions`, the only caller."""
    global _regions
    _regions = path


@cache
def shipped(name: str) -> Path:
    """Path of a data folder as shipped with the package."""
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise ModelError(f"The folder {name}/ is missing from this installation; install receipt-engine again.")


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _manifest() -> dict[str, dict[str, str]]:
    path = folder("models") / "manifest.toml"
    return {entry["name"]: entry for entry in tomllib.loads(path.read_text(encoding="utf-8"))["file"]}


@cache
def model_file(name: str) -> Path:
    """Path of a file in `models/`, once its bytes match the manifest; raises ModelError otherwise."""
    entry = _manifest().get(name)
    path = folder("models") / name
    if entry is None:
        raise ModelError(f"{name} is not listed in models/manifest.toml.")
    if not path.is_file():
        raise ModelError(f"The model file {path} is missing; install receipt-engine again.")
    if sha256(path) != entry["sha256"]:
        raise ModelError(f"{path} does not match its digest in models/manifest.toml; install it again.")
    return path


def model_manifest() -> tuple[dict[str, str], ...]:
    """name, sha256, licence and source of every model file, in the manifest's order. An entry for one part of
    a split file also has `whole`, the digest of the file it was split from."""
    return tuple(_manifest().values())
