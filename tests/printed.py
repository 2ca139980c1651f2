"""Receipts as text: every character on a grid, so that stages after recognition can be tested alone."""

from __future__ import annotations

from receipt_engine.testing import HEIGHT, PITCH, WIDTH, reading, spans

__all__ = ["HEIGHT", "PITCH", "WIDTH", "reading", "spans"]
