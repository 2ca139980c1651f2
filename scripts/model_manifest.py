"""Keeps `models/manifest.toml` up to date: call `record` for a file after writing it.

python -m scripts.model_manifest          # recomputes the digests of all listed files
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from receipt_engine import assets

MODELS = Path(__file__).resolve().parent.parent / "models"
_HEADER = "# Every file the engine may load. Checked when it is opened; see README.md.\n"


def record(path: Path, *, licence: str, source: str, whole: str | None = None) -> None:
    """Adds or replaces the entry of a file in `models/`; entries of missing files are dropped.

    whole: SHA-256 of the original file that this file and its other parts together reproduce.
    """
    entries = _entries()
    entries[path.name] = {"licence": licence, "source": source} | ({"whole": whole} if whole else {})
    _write(entries)


def _entries() -> dict[str, dict[str, str]]:
    manifest = MODELS / "manifest.toml"
    if not manifest.is_file():
        return {}
    listed = tomllib.loads(manifest.read_text(encoding="utf-8")).get("file", [])
    return {
        e["name"]: {key: e[key] for key in ("licence", "source", "whole") if key in e}
        for e in listed
        if (MODELS / e["name"]).is_file()
    }


def _write(entries: dict[str, dict[str, str]]) -> None:
    text = _HEADER
    for name, entry in sorted(entries.items()):
        text += (
            f'\n[[file]]\nname = "{name}"\nsha256 = "{assets.sha256(MODELS / name)}"\n'
            f'licence = "{entry["licence"]}"\nsource = "{entry["source"]}"\n'
        )
        text += f'whole = "{entry["whole"]}"\n' if "whole" in entry else ""
    (MODELS / "manifest.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write(_entries())
