"""Every error the package raises on purpose.

    ReceiptEngineError
    ├── ImageError              the picture cannot be used; the same bytes fail the same way
    │   ├── UnreadableImageError    damaged, truncated or protected
    │   ├── NotAnImageError         the bytes are no picture of a known format
    │   ├── ImageTooLargeError      more pixels or bytes than the engine accepts
    │   └── NoTextError             a sound picture without any readable text
    ├── ReadingError            what another OCR engine gave cannot be understood
    ├── OptionError             an argument has a value the interface does not allow
    ├── RegionDataError         a region or language file is wrong; names the file
    ├── MerchantTableError      a merchant table or the CSV file for one cannot be used
    ├── ModelError              a model file is missing or is not the one its manifest names
    ├── ForkError               the engine was loaded before the process forked
    └── StoppedError            the extraction was ended before it was done
        ├── DeadlineError           by its deadline
        └── CancelledError          by the caller

Messages say what to do next. Anything else that escapes is a bug in the engine.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path


class ReceiptEngineError(Exception):
    """Base class of the tree above."""


class ImageError(ReceiptEngineError):
    """The picture cannot be turned into a result."""


class UnreadableImageError(ImageError):
    """The picture is damaged, truncated or of a form that cannot be decoded whole."""


class NotAnImageError(ImageError):
    """The bytes are no picture file of a format that can be read."""


class ImageTooLargeError(ImageError):
    """The picture has more pixels, or the file more bytes, than the engine accepts."""


class NoTextError(ImageError):
    """No text was found: a blank, hopelessly blurred or unrelated picture."""


class ReadingError(ReceiptEngineError, ValueError):
    """Words of another OCR engine, or its output as a whole, are not of the form that is expected."""


class OptionError(ReceiptEngineError, ValueError):
    """An argument of ``extract`` has a value outside the interface."""


class RegionDataError(ReceiptEngineError):
    """A data file in ``regions/`` does not follow its schema."""


class ModelError(ReceiptEngineError):
    """A model file is missing, damaged or unknown to ``models/manifest.toml``."""


class ForkError(ReceiptEngineError, RuntimeError):
    """The engine was loaded in the process that this one was forked from."""


class StoppedError(ReceiptEngineError):
    """The extraction was ended before it was done; the same picture may be read another time."""


class DeadlineError(StoppedError, TimeoutError):
    """The extraction took longer than its deadline allowed."""


class CancelledError(StoppedError):
    """The extraction was cancelled through its `Cancellation`."""


class MerchantTableError(ReceiptEngineError):
    """A merchant table, or the CSV file it is to be made of, cannot be used; names the file."""


def in_words(error: BaseException, *, with_file: bool = True) -> str:
    """What an error says to a person: an operating system's without its number, behind the file it names.

    with_file: False where the file is told anyway.
    """
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or type(error).__name__
    named = with_file and error.filename is not None
    return f"{os.fsdecode(error.filename)}: {error.strerror}." if named else f"{error.strerror}."


def named(error: OSError, path: Path) -> OSError:
    """The same error of the operating system, about a file that it does not name: writing names none."""
    return OSError(error.errno or errno.EIO, error.strerror or str(error), str(path))
