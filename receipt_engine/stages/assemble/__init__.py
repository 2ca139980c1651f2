"""Assembles the decisions of the stages into the contract's Result, with calibrated confidences."""

from receipt_engine.stages.assemble.result import assemble

__all__ = ["assemble"]
