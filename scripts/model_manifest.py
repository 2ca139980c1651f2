"""Keeps `models/manifest.toml` true: `record` a file after writing it.

python -m scripts.model_manifest          # digests of all listed files anew
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from receipt_engine import assets

MODELS = Path(__file__).resolve().parent.parent / "models"
_HEADER = "# Every file the engine may load. Checked when it is opened; see README.md.\n"


def record(path: Path, *, licence: str, source: str) -> None:
    """Adds or renews the entry of a file in `models/`."""
    entries = _entries()
    entries[path.name] = {"licence": licence, "source": source}
    _write(entries)


def _entries() -> dict[str, dict[str, str]]:
    manifest = MODELS / "manifest.toml"
    if not manifest.is_file():
        return {}
    listed = tomllib.loads(manifest.read_text(encoding="utf-8")).get("file", [])
    return {e["name"]: {"licence": e["licence"], "source": e["source"]} for e in listed}


def _write(entries: dict[str, dict[str, str]]) -> None:
    text = _HEADER
    for name, entry in sorted(entries.items()):
        text += (
            f'\n[[file]]\nname = "{name}"\nsha256 = "{assets.sha256(MODELS / name)}"\n'
            f'licence = "{entry["licence"]}"\nsource = "{entry["source"]}"\n'
        )
    (MODELS / "manifest.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write(_entries())
