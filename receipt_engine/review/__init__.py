"""Lets a person correct the fields that the engine is unsure of, and stores the corrections.

In: a results file and its images. Out: a file of corrections beside it, a memory of merchants, a labelled
folder that benchmarks score. The page is served on this machine only, to whoever has its one-time address.
"""

from receipt_engine.review.corrections import Answer, Corrections, corrected_rows, corrections_path
from receipt_engine.review.labels import write_labels
from receipt_engine.review.questions import Question, questions
from receipt_engine.review.server import ReviewServer

__all__ = [
    "Answer",
    "Corrections",
    "Question",
    "ReviewServer",
    "corrected_rows",
    "corrections_path",
    "questions",
    "write_labels",
]
