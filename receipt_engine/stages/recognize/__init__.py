"""Text recognition: finds which way up the page is, then reads its text boxes as spans."""

from receipt_engine.stages.recognize.classes import Feature, LearnedHead, LinearHead, MeanHead, ScriptHead
from receipt_engine.stages.recognize.orientation import make_upright
from receipt_engine.stages.recognize.reading import NetworkRecognizer, read_boxes
from receipt_engine.stages.recognize.spans import LineScripts
from receipt_engine.stages.recognize.text_layer import read_text

__all__ = [
    "Feature", "LearnedHead", "LineScripts", "LinearHead", "MeanHead", "NetworkRecognizer", "ScriptHead",
    "make_upright", "read_boxes", "read_text",
]  # fmt: skip
