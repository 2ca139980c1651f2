"""Caches the reading of each image, so that all later stages can be scored again in seconds.

An entry is found by the image's bytes and the engine's fingerprint (models and version of the reading code).
It also stores a digest of the reading code: when that has changed under the same fingerprint, the entry is
still used, and the run reports it as stale.
"""

from __future__ import annotations

import ast
import hashlib
import os
import tempfile
import zlib
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

import receipt_engine
from receipt_engine.document import Reading

#: Parts of the package that determine the reading of an image.
READING_CODE = ("runtime", "stages/preprocess", "stages/detect", "stages/recognize", "stages/barcodes")
DEFAULT_FOLDER = Path(__file__).resolve().parent.parent / ".cache" / "ocr"


class Entry(msgspec.Struct, frozen=True):
    """One image. reading: compressed, None when there was an error; error: (class, message).

    code: digest of the reading code. seconds: wall time of the reading.
    """

    code: str
    seconds: float
    reading: bytes | None = None
    error: tuple[str, str] | None = None

    def decode(self) -> Reading:
        """The reading, equal to the one that was stored."""
        if self.reading is None:
            raise ValueError("This entry holds an error, not a reading.")
        return _decoder.decode(zlib.decompress(self.reading))


class ReadingCache:
    """A folder of entries. Several processes may use it at once; an interrupted write leaves no trace."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._folder = folder / fingerprint

    def get(self, key: str) -> Entry | None:
        """The entry of an image, or None when there is none or it cannot be decoded."""
        try:
            return msgspec.msgpack.decode(self._path(key).read_bytes(), type=Entry)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def put(self, key: str, entry: Entry) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.msgpack.encode(entry))
        Path(temporary).replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]


def picture_key(image: bytes) -> str:
    """The key of an image: the digest of its file."""
    return hashlib.sha256(image).hexdigest()


def encode(reading: Reading) -> bytes:
    """A reading for an `Entry`, exact to the last bit of every number."""
    return zlib.compress(_encoder.encode(reading), 1)


@cache
def reading_code(package: Path = Path(receipt_engine.__file__).parent) -> str:
    """Digest of the code that reads images. Comments, docstrings and layout do not count."""
    digest = hashlib.sha256()
    for part in READING_CODE:
        path = package / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(ast.dump(_bare(ast.parse(file.read_bytes()))).encode())
    return digest.hexdigest()[:16]


def _bare(tree: ast.Module) -> ast.Module:
    """The module without docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]
    return tree


def _plain(value: object) -> object:
    """Converts numpy scalars to Python's own numbers, for the encoder."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A reading holds a {type(value).__name__}, which cannot be stored.")


_encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
_decoder = msgspec.msgpack.Decoder(Reading)
