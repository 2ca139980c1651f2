"""Reads the receipts in `scripts/headers`, which were written by hand for what stands in their headers.

They show what drawn receipts lack: greetings and slogans, shops in malls and stations, owners beside brands,
stamps, several addresses and telephone numbers. The shops are invented; a few stand below a real fuel
chain's or post office's sign. The fit of names and addresses learns from them, and a test reads each.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from receipt_engine.region.load import read_table

FOLDER = Path(__file__).parent / "headers"


class WrittenHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """text: the printed rows; two or more spaces separate columns. region: its code; None for a country
    without a region. name, address, phone: accepted values, the best first; none where nothing is printed.
    missed: of these, the fields that the engine gets wrong."""

    text: str
    region: str | None = None
    name: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    phone: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    header: tuple[WrittenHeader, ...]


def written_headers() -> dict[str, WrittenHeader]:
    """Every receipt by its identifier: the name of its file and its number there."""
    return {
        f"{path.stem}-{number}": header
        for path in sorted(FOLDER.glob("*.toml"))
        for number, header in enumerate(read_table(path, _File).header, 1)
    }
