"""Geometry of the charts that templates draw as SVG. Pure; lengths are in viewBox units."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple

WIDTH, HEIGHT = 360, 150
EDGE = 8
LABELS = 42
"""Width of the numbers left of a curve."""
HALF_LABEL = 18
"""Margin for the numbers below the outermost bars of a histogram."""
FOOT = 20
"""Height of the numbers below the bars of a histogram."""
MOST_POINTS = 240
"""More points are indistinguishable at this width."""
LEAST_SPAN = 100.0
"""Minimum rating range of a curve, so that small changes look small."""


class Tick(NamedTuple):
    """A label of an axis and its position."""

    at: float
    label: int


class Curve(NamedTuple):
    """A line chart: `points` of the polyline, its last point, and the labels of its axis."""

    points: str
    end: tuple[float, float]
    ticks: list[Tick]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: upper left corner, size, range of values and count."""

    x: float
    y: float
    width: float
    height: float
    low: int
    high: int
    count: int


class Histogram(NamedTuple):
    """Bars, the labels below them and, if requested, a mark."""

    bars: list[Bar]
    ticks: list[Tick]
    mark: float | None


class Part(NamedTuple):
    """A share of a whole in per cent: left edge and width."""

    x: float
    width: float


def curve(values: Sequence[float]) -> Curve:
    """A curve through evenly spaced values, at least one."""
    values = thinned(values, MOST_POINTS)
    low, high = _span(values)
    step = (WIDTH - LABELS - EDGE) / max(len(values) - 1, 1)

    def y(value: float) -> float:
        return round(EDGE + (high - value) / (high - low) * (HEIGHT - 2 * EDGE), 1)

    places = [(round(LABELS + number * step, 1), y(value)) for number, value in enumerate(values)]
    ticks = [Tick(y(value), value) for value in round_numbers(low, high, most=4)]
    return Curve(" ".join(f"{x},{y}" for x, y in places), places[-1], ticks)


def thinned(values: Sequence[float], most: int) -> Sequence[float]:
    """At most `most` (two or more) of the values, evenly chosen, including the first and the last."""
    if len(values) <= most:
        return values
    return [values[number * (len(values) - 1) // (most - 1)] for number in range(most)]


def round_numbers(low: float, high: float, most: int) -> list[int]:
    """Multiples of 10, 20 or 50 times a power of ten between two numbers, at most `most` of them."""
    for step in (digit * 10**power for power in itertools.count(1) for digit in (1, 2, 5)):
        found = [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
        if len(found) <= most:
            break
    return found


def histogram(counts: Mapping[int, int], step: int, mark: float | None = None) -> Histogram:
    """A histogram; empty without counts.

    Args:
        counts: the number of values from each key up to the next, keys being multiples of `step`.
        step: the width of a bar, in values.
        mark: a value to be marked.
    """
    if not counts:
        return Histogram([], [], None)
    lows = range(min(counts), max(counts) + step, step)
    unit = (WIDTH - 2 * HALF_LABEL) / len(lows)
    room = HEIGHT - EDGE - FOOT
    tallest = max(counts.values())
    bars = []
    for number, low in enumerate(lows):
        count = counts.get(low, 0)
        height = room * count / tallest
        x, y = HALF_LABEL + number * unit, EDGE + room - height
        x, y, width, height = (round(each, 1) for each in (x + unit * 0.08, y, unit * 0.84, height))
        bars.append(Bar(x, y, width, height, low, low + step, count))

    def x_of(value: float) -> float:
        return round(HALF_LABEL + (value - lows.start) / step * unit, 1)

    ticks = [Tick(x_of(value), value) for value in round_numbers(lows.start, lows.stop, most=6)]
    return Histogram(bars, ticks, None if mark is None else x_of(mark))


def parts(*counts: int) -> list[Part]:
    """The share of each count in their sum, which must not be 0, side by side."""
    whole, before, found = sum(counts), 0, []
    for count in counts:
        found.append(Part(round(100 * before / whole, 2), round(100 * count / whole, 2)))
        before += count
    return found


def _span(values: Sequence[float]) -> tuple[float, float]:
    """The range of the values, widened to at least `LEAST_SPAN`."""
    low, high = min(values), max(values)
    missing = max(LEAST_SPAN - (high - low), 0) / 2
    return low - missing, high + missing
