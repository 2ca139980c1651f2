"""`python -m benchmarks compare`: scores the engine, its parts and third-party output on the same receipts.

A system is either a reader (the engine's own OCR, Tesseract, rapidocr) followed by a field extractor (the
engine's interpretation, or `generic_regex`), or a folder of predictions produced by any other program.
"""
