"""The output of other OCR engines as a `Reading`, one module each with one function, `to_reading`."""
