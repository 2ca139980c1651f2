"""Draws the reliability diagram of a report: stated confidence on the x axis, share right on the y axis.

Points on the diagonal are calibrated; below it the engine is overconfident. The area of a point is
proportional to its number of values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks.scoring.statistics import Bin

_SIZE, _MARGIN, _GAP = 240, 44, 28
_LARGEST = 14.0
_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw(curves: Mapping[str, Sequence[Bin]]) -> str:
    """An SVG document with one panel per field. curves: field → bins."""
    width = _GAP + len(curves) * (_SIZE + _MARGIN + _GAP)
    height = _SIZE + 2 * _MARGIN
    panels = [
        f'<g transform="translate({_GAP + at * (_SIZE + _MARGIN + _GAP) + _MARGIN},{_MARGIN})">'
        f"{_panel(field, bins)}</g>"
        for at, (field, bins) in enumerate(curves.items())
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11" fill="#333"><rect width="100%" height="100%" fill="#fff"/>'
        f"{''.join(panels)}</svg>\n"
    )


def _panel(field: str, bins: Sequence[Bin]) -> str:
    parts = [
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#bbb"/>',
        f'<line x1="0" y1="{_SIZE}" x2="{_SIZE}" y2="0" stroke="#bbb" stroke-dasharray="4 3"/>',
        f'<text x="{_SIZE / 2}" y="-14" text-anchor="middle" font-size="13">{field}, '
        f"{sum(b.n for b in bins)} values</text>",
        f'<text x="{_SIZE / 2}" y="{_SIZE + 34}" text-anchor="middle">stated confidence</text>',
    ]
    for step in _STEPS:
        at = step * _SIZE
        parts.append(f'<text x="{at}" y="{_SIZE + 16}" text-anchor="middle">{step:g}</text>')
        parts.append(f'<text x="-8" y="{_SIZE - at + 4}" text-anchor="end">{step:g}</text>')
    most = max((b.n for b in bins), default=1)
    for b in bins:
        x, y = b.confidence * _SIZE, (1 - b.accuracy) * _SIZE
        radius = max(2.5, _LARGEST * math.sqrt(b.n / most))
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#2a6fb0" fill-opacity=".45" '
            f'stroke="#2a6fb0"><title>{b.n} values: stated {b.confidence:.3f}, right {b.accuracy:.3f}'
            "</title></circle>"
        )
    return "".join(parts)
