"""What drawing can fail with, as part of the package's error tree."""

from receipt_engine.errors import ReceiptEngineError


class DrawingError(ReceiptEngineError):
    """A receipt cannot be drawn: data of this folder are wrong, or no installed font has its letters."""
