"""Draws the comparison's plots as SVG, each for light and for dark pages: accuracy against time, risk
against coverage, reliability."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.compare.systems import Compared
from benchmarks.protocols.fields import tally
from benchmarks.protocols.selective import answers
from benchmarks.scoring.statistics import reliability, wilson

_WIDTH, _HEIGHT = 560, 340
_LEFT, _TOP, _RIGHT, _BOTTOM = 56, 40, 170, 48
#: Distinguishable by most colour-blind readers (Okabe and Ito).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a000")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a page."""

    name: str
    paper: str
    ink: str
    rule: str


THEMES = (Theme("light", "#ffffff", "#24292f", "#d0d7de"), Theme("dark", "#0d1117", "#e6edf3", "#30363d"))


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from low to high. ticks: (value, label). logarithmic: equal ratios are equally long."""

    title: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    logarithmic: bool = False

    def place(self, value: float, length: float) -> float:
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(at)
        return (at - low) / (high - low) * length


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve, or separate points. bars: lower and upper end of an interval for each point."""

    name: str
    points: Sequence[Point]
    joined: bool = False
    bars: Sequence[Point] = ()


def charts(systems: Sequence[Compared]) -> dict[str, str]:
    """SVG by file name, for every plot that has data."""
    plots = {
        "time": _time(systems),
        "risk": _risk(systems),
        "reliability": _reliability(systems),
    }
    return {
        f"{name}-{theme.name}.svg": _draw(title, x, y, series, theme)
        for name, (title, x, y, series) in plots.items()
        if series
        for theme in THEMES
    }


Plot = tuple[str, Axis, Axis, list[Series]]


def _percent(low: float, high: float, step: float, title: str) -> Axis:
    count = round((high - low) / step)
    marks = [low + at * step for at in range(count + 1)]
    return Axis(title, low, high, [(mark, f"{100 * mark:.0f}") for mark in marks])


def _time(systems: Sequence[Compared]) -> Plot:
    series = []
    for system in systems:
        counts = tally(system.outcomes, "total")
        if system.seconds is not None and counts.n:
            bar = wilson(counts.right, counts.n)
            series.append(Series(system.name, [(system.seconds, counts.accuracy)], bars=[bar]))
    times = [at for s in series for at, _ in s.points] or [1.0]
    low, high = 10 ** math.floor(math.log10(min(times))), 10 ** math.ceil(math.log10(max(times) * 1.01))
    ticks = [(k * low * 10**e, f"{k * low * 10**e:g}") for e in range(4) for k in (1, 2, 5)]
    across = Axis("processor seconds a receipt", low, high, [t for t in ticks if t[0] <= high * 1.001], True)
    return "Total: accuracy against time", across, _percent(0.0, 1.0, 0.2, "total right, %"), series


def risk_curve(given: Sequence[tuple[float, bool]], labelled: int) -> list[Point]:
    """(coverage, error) when values are accepted in order of falling confidence; ties go together.

    given: (confidence, whether right). labelled: number of labelled receipts, the base of coverage.
    """
    ordered = sorted(given, key=lambda pair: -pair[0])
    curve: list[Point] = []
    wrong = 0
    for number, (confidence, right) in enumerate(ordered, 1):
        wrong += not right
        if number == len(ordered) or ordered[number][0] != confidence:
            curve.append((number / labelled, wrong / number))
    return curve


def _risk(systems: Sequence[Compared]) -> Plot:
    series = []
    for system in systems:
        found = answers(system.outcomes, "total")
        if found.given:
            series.append(Series(system.name, risk_curve(found.given, found.labelled), joined=True))
        elif (counts := tally(system.outcomes, "total")).n > counts.missing:
            there = counts.n - counts.missing
            series.append(Series(system.name, [(there / counts.n, 1 - counts.right / there)]))
    most = max((error for s in series for _, error in s.points), default=0.1)
    high = min(1.0, 0.1 * math.ceil(10 * most + 1e-9))
    rows = _percent(0.0, max(0.1, high), max(0.1, high) / 5, "wrong among them, %")
    return "Total: risk against coverage", _percent(0.0, 1.0, 0.2, "receipts answered, %"), rows, series


def _reliability(systems: Sequence[Compared]) -> Plot:
    series = []
    for system in systems:
        bins = reliability(answers(system.outcomes, "total").given)
        if bins:
            points = [(b.confidence, b.accuracy) for b in bins]
            bars = [wilson(round(b.accuracy * b.n), b.n) for b in bins]
            series.append(Series(system.name, points, joined=True, bars=bars))
    if series:
        series.insert(0, Series("as stated", [(0.0, 0.0), (1.0, 1.0)], joined=True))
    across = _percent(0.0, 1.0, 0.2, "stated confidence, %")
    return "Total: reliability", across, _percent(0.0, 1.0, 0.2, "right, %"), series


def _draw(title: str, across: Axis, up: Axis, series: Sequence[Series], theme: Theme) -> str:
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="12" fill="{theme.ink}" role="img">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{theme.paper}"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{html.escape(title)}</text>',
        f'<g transform="translate({_LEFT},{_TOP})">',
    ]
    for value, label in across.ticks:
        x = across.place(value, width)
        parts.append(f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height}" stroke="{theme.rule}"/>')
        parts.append(f'<text x="{x:.1f}" y="{height + 16}" text-anchor="middle">{label}</text>')
    for value, label in up.ticks:
        y = height - up.place(value, height)
        parts.append(f'<line x1="0" y1="{y:.1f}" x2="{width}" y2="{y:.1f}" stroke="{theme.rule}"/>')
        parts.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    parts.append(f'<text x="{width / 2}" y="{height + 38}" text-anchor="middle">{across.title}</text>')
    parts.append(
        f'<text transform="translate(-40,{height / 2}) rotate(-90)" text-anchor="middle">{up.title}</text>'
    )
    for number, one in enumerate(series):
        colour = theme.ink if one.name == "as stated" else _COLOURS[number % len(_COLOURS)]
        parts += _drawn(one, across, up, (width, height), colour)
        y = 14 + 18 * number
        parts.append(f'<rect x="{width + 14}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{width + 30}" y="{y}">{html.escape(one.name)}</text>')
    return "".join([*parts, "</g></svg>\n"])


def _drawn(one: Series, across: Axis, up: Axis, size: tuple[float, float], colour: str) -> list[str]:
    width, height = size
    places = [(across.place(x, width), height - up.place(y, height)) for x, y in one.points]
    parts = []
    for (x, _), (low, high) in zip(places, one.bars, strict=False):
        ends = [height - up.place(edge, height) for edge in (low, high)]
        parts.append(
            f'<line x1="{x:.1f}" y1="{ends[0]:.1f}" x2="{x:.1f}" y2="{ends[1]:.1f}" stroke="{colour}" '
            'stroke-opacity=".6"/>'
        )
    if one.joined:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dashes = ' stroke-dasharray="4 4"' if one.name == "as stated" else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
    if not one.joined or one.bars:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in places]
    return parts
