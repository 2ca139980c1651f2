"""`python -m benchmarks compare`: the engine, its parts and anybody else's output on the same receipts.

A system is a reader (the engine's own OCR, Tesseract, rapidocr) and what makes fields of its text (the
engine's understanding, or `generic_regex`); or a folder of predictions, made by whatever its owner has.
"""
