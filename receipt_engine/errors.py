"""The errors that the package raises on purpose.

    ReceiptEngineError
    ├── ImageError              the image cannot be used; the same bytes fail the same way
    │   ├── UnreadableImageError    damaged, truncated or protected
    │   ├── NotAnImageError         the bytes are not an image of a known format
    │   ├── ImageTooLargeError      more pixels or bytes than the engine accepts
    │   └── NoTextError             a sound image without any readable text
    ├── ReadingError            the output of another OCR engine cannot be understood
    ├── OptionError             an argument has a value the interface does not allow
    ├── RegionDataError         a region or language file is invalid; names the file
    ├── MerchantTableError      a merchant table or the CSV file for one cannot be used
    ├── ModelError              a model file is missing or is not the one its manifest names
    ├── ForkError               the engine was loaded before the process forked
    └── StoppedError            the extraction was stopped before it was done
        ├── DeadlineError           by its deadline
        └── CancelledError          by the caller

Messages say what to do next. Anything else that escapes is a bug in the engine.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path


class ReceiptEngineError(Exception):
    """Base class of the tree above."""


class ImageError(ReceiptEngineError):
    """The image cannot be turned into a result."""


class UnreadableImageError(ImageError):
    """The image is damaged, truncated or in a form that cannot be decoded completely."""


class NotAnImageError(ImageError):
    """The bytes are not an image file of a supported format."""


class ImageTooLargeError(ImageError):
    """The image has more pixels, or the file more bytes, than the engine accepts."""


class NoTextError(ImageError):
    """No text was found: a blank, hopelessly blurred or unrelated image."""


class ReadingError(ReceiptEngineError, ValueError):
    """The output of another OCR engine, or words in it, do not have the expected form."""


class OptionError(ReceiptEngineError, ValueError):
    """An argument has a value that the interface does not allow."""


class RegionDataError(ReceiptEngineError):
    """A data file in ``regions/`` does not follow its schema."""


class ModelError(ReceiptEngineError):
    """A model file is missing, damaged or unknown to ``models/manifest.toml``."""


class ForkError(ReceiptEngineError, RuntimeError):
    """The engine was loaded in the process that this one was forked from."""


class StoppedError(ReceiptEngineError):
    """The extraction was stopped before it was done; the same image may be read another time."""


class DeadlineError(StoppedError, TimeoutError):
    """The extraction took longer than its deadline allowed."""


class CancelledError(StoppedError):
    """The extraction was cancelled through its `Cancellation`."""


class MerchantTableError(ReceiptEngineError):
    """A merchant table, or the CSV file it is to be built from, cannot be used; names the file."""


def in_words(error: BaseException, *, with_file: bool = True) -> str:
    """The message of an error for a person: an operating system error without its number, after its file's
    name.

    with_file: False where the file is named anyway.
    """
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or type(error).__name__
    named = with_file and error.filename is not None
    return f"{os.fsdecode(error.filename)}: {error.strerror}." if named else f"{error.strerror}."


def refuse_to_replace(output: Path, inputs: Iterable[str | Path]) -> None:
    """Raises OptionError when writing `output` would replace one of the files that are to be read."""
    for path in map(Path, inputs):
        if output.is_file() and path.is_file() and output.samefile(path):
            raise OptionError(f"{output} is what is to be read: choose another name for the output.")


def named(error: OSError, path: Path) -> OSError:
    """The same operating system error with the file named: errors on writing name none."""
    return OSError(error.errno or errno.EIO, error.strerror or str(error), str(path))
