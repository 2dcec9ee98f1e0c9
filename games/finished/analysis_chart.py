"""The curve of an analysis as shapes for an SVG template. Pure; lengths are in units of the view box."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, groupby, pairwise
from typing import NamedTuple

from games.domain.analysis import Standing

WIDTH, HEIGHT = 1000.0, 100.0
"""Size of the view box: the chart is stretched to the available width; a height of 100 is a certain win."""

ROOM = 10.0
"""Width that the number of a moment needs on a phone, in per cent of the chart."""

DASHES = ("", "7 4", "2 3", "12 4 2 4", "1 5", "14 4", "7 3 1 3 1 3", "3 3 9 3")
"""Dash patterns of the seats' lines, so that they differ by more than colour."""


class Trace(NamedTuple):
    """The line of a seat: points of a polyline, and dashes, in SVG syntax."""

    seat: int
    points: str
    dashes: str


class Interval(NamedTuple):
    """A range in which the result was proved."""

    x: float
    width: float


class Flag(NamedTuple):
    """A number above the chart: its horizontal position in per cent, and its row."""

    number: int
    x: float
    row: int


class Chart(NamedTuple):
    """The shapes. `area` lies below the first line and `above` over it, for matches of two."""

    traces: list[Trace]
    area: str
    above: str
    proved: list[Interval]


def chart(curve: Sequence[Standing], last: int) -> Chart | None:
    """The chart of a curve up to ply `last`; None with fewer than two points."""
    if len(curve) < 2:
        return None
    places = [round(standing.ply / last * WIDTH, 1) for standing in curve]
    seats = len(curve[0].shares)
    # For two seats one line is enough.
    shown = range(seats) if seats > 2 else range(1)
    traces = [Trace(seat, _points(curve, places, seat), DASHES[seat % len(DASHES)]) for seat in shown]
    area, above = (_beside(traces[0], places, edge) if seats == 2 else "" for edge in (HEIGHT, 0.0))
    return Chart(traces, area, above, _proved(curve, places))


def flags(plies: Sequence[int], last: int) -> list[Flag]:
    """Positions of the ply numbers above the chart, without overlaps. `plies` must be sorted."""
    found: list[Flag] = []
    for number, ply in enumerate(plies, 1):
        x = round(100 * ply / last, 1)
        near = {flag.row for flag in found if x - flag.x < ROOM}
        found.append(Flag(number, x, next(row for row in count() if row not in near)))
    return found


def _points(curve: Sequence[Standing], places: Sequence[float], seat: int) -> str:
    return " ".join(
        f"{x},{round(HEIGHT * (1 - standing.shares[seat]), 1)}"
        for x, standing in zip(places, curve, strict=True)
    )


def _beside(trace: Trace, places: Sequence[float], edge: float) -> str:
    """The area between a line and the lower or the upper edge."""
    return f"{places[0]},{edge} {trace.points} {places[-1]},{edge}"


def _proved(curve: Sequence[Standing], places: Sequence[float]) -> list[Interval]:
    """The ranges of consecutive proved positions."""
    both = [one.proved and other.proved for one, other in pairwise(curve)]
    found, index = [], 0
    for proved, group in groupby(both):
        end = index + len(list(group))
        if proved:
            found.append(Interval(places[index], round(places[end] - places[index], 1)))
        index = end
    return found
