"""Writes docs/assets/risk-light.svg, -dark.svg and the table in docs/confidence.md from the committed curve.

    python -m scripts.draw_confidence

`models/confidence-curve.csv` has for each model, per bin of stated confidence, the number of values and the
share that was right, on data sets that were left out of the fit.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CURVE = ROOT / "models" / "confidence-curve.csv"
PAGE = ROOT / "docs" / "confidence.md"
FOLDER = ROOT / "docs" / "assets"
START, END = "<!-- table of scripts/draw_confidence.py -->", "<!-- end of the table -->"
#: Model of the curve → its name in the output.
NAMES = {
    "total": "total",
    "amount": "other amounts",
    "date": "date",
    "phone": "phone",
    "establishment": "merchant's name",
    "address": "address",
}
#: Lowest stated confidences for the columns of the table.
THRESHOLDS = (0.5, 0.8, 0.9)
_W, _H, _LEFT, _BOTTOM = 560, 300, 56, 44
_MOST_RISK = 0.15
_THEMES = {
    "light": ("#ffffff", "#1d2328", "#5c6670", "#dfe4e8"),
    "dark": ("#1b1f24", "#e8ecf0", "#a4aeb8", "#3a424b"),
}
_COLORS = {
    "light": ("#b3176f", "#c96f00", "#2f7fd1", "#6b4fd8", "#00734f", "#66707a"),
    "dark": ("#ec7fc0", "#f0a64a", "#6fb1f0", "#a996ff", "#4cc79f", "#a4aeb8"),
}

#: (stated confidence, values, values that are right)
Bin = tuple[float, int, float]


def main() -> int:
    """Writes the drawings and the table; returns the exit status."""
    curves = read()
    for theme in _THEMES:
        (FOLDER / f"risk-{theme}.svg").write_text(draw(curves, theme), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), curves), encoding="utf-8")
    return 0


def read() -> dict[str, list[Bin]]:
    """Model → its bins, the highest confidence first."""
    curves: dict[str, list[Bin]] = defaultdict(list)
    with CURVE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = int(row["values"])
            curves[row["model"]].append((float(row["stated"]), values, values * float(row["right"])))
    return {name: sorted(curves[name], reverse=True) for name in NAMES}


def risk_and_coverage(bins: list[Bin]) -> list[tuple[float, float, float]]:
    """(lowest stated confidence, share of values kept, share of those that is wrong) as more are kept.

    >>> risk_and_coverage([(0.95, 6, 6.0), (0.6, 2, 1.0)])
    [(0.95, 0.75, 0.0), (0.6, 1.0, 0.125)]
    """
    whole = sum(values for _, values, _ in bins)
    points, kept, right = [], 0, 0.0
    for stated, values, correct in bins:
        kept += values
        right += correct
        points.append((stated, kept / whole, 1 - right / kept))
    return points


def table(curves: dict[str, list[Bin]]) -> str:
    """A row per model: the share kept from each threshold on, and the share of those that is wrong."""
    head = "".join(f" kept from {t:g} | wrong of those |" for t in THRESHOLDS)
    lines = [f"| field | values |{head} wrong of all |", "|---|---:|" + "---:|" * (2 * len(THRESHOLDS) + 1)]
    for name, bins in curves.items():
        points = risk_and_coverage(bins)
        cells = []
        for threshold in THRESHOLDS:
            _, coverage, risk = [p for p in points if p[0] >= threshold][-1]
            cells += [f"{100 * coverage:.1f} %", f"{100 * risk:.1f} %"]
        whole = sum(values for _, values, _ in bins)
        lines.append(f"| {NAMES[name]} | {whole} | {' | '.join(cells)} | {100 * points[-1][2]:.1f} % |")
    return "\n".join(lines)


def with_table(page: str, curves: dict[str, list[Bin]]) -> str:
    """The page with the new table."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{table(curves)}\n\n{END}{after}"


def draw(curves: dict[str, list[Bin]], theme: str) -> str:
    """Share wrong (y axis) against share kept (x axis), a line per field."""
    ground, ink, soft, line = _THEMES[theme]
    parts = []
    for step in range(4):
        y = _y(step * 0.05)
        parts.append(f'<path d="M{_LEFT} {y:.1f} h{_W}" stroke="{line}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{5 * step} %</text>')
    for step in range(0, 101, 20):
        parts.append(f'<text x="{_x(step / 100):.1f}" y="{_H + 34}" text-anchor="middle">{step} %</text>')
    parts.append(f'<text x="{_LEFT + _W / 2}" y="{_H + 54}" text-anchor="middle">share of values kept</text>')
    parts.append(f'<text x="{_LEFT}" y="10">share of the kept values that are wrong</text>')
    for (name, bins), color in zip(curves.items(), _COLORS[theme], strict=True):
        points = [
            (_x(c), _y(r), f"{NAMES[name]} from {s:.2f}: {100 * c:.1f} % kept, {100 * r:.1f} % wrong")
            for s, c, r in risk_and_coverage(bins)
        ]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{color}"><title>{said}</title></circle>'
            for x, y, said in points
        ]
    for number, (name, color) in enumerate(zip(NAMES.values(), _COLORS[theme], strict=True)):
        y = 34 + 20 * number
        parts.append(f'<rect x="{_LEFT + 20}" y="{y}" width="12" height="4" rx="2" fill="{color}"/>')
        parts.append(f'<text x="{_LEFT + 40}" y="{y + 6}" fill="{ink}">{name}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _W + 20} {_H + 64}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{soft}">'
        "<title>Risk against coverage of each field</title>"
        f'<rect width="100%" height="100%" rx="8" fill="{ground}"/>{"".join(parts)}</svg>\n'
    )


def _x(share: float) -> float:
    return _LEFT + share * _W


def _y(risk: float) -> float:
    return 20 + _H * (1 - min(risk, _MOST_RISK) / _MOST_RISK)


if __name__ == "__main__":
    raise SystemExit(main())
