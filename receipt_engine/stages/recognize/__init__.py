"""Text recognition: the page's right way up, then its boxes read as spans."""

from receipt_engine.stages.recognize.classes import Classes
from receipt_engine.stages.recognize.orientation import make_upright
from receipt_engine.stages.recognize.reading import Recognizer, read_boxes
from receipt_engine.stages.recognize.scripts import Script

__all__ = ["Classes", "Recognizer", "Script", "make_upright", "read_boxes"]
