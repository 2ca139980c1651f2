"""Converts the output of other OCR engines to a `Reading`: a module each, with one function, `to_reading`."""
