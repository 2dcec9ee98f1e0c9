"""The curve of an analysis as shapes: what the template of the picture draws. Pure; lengths are its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, groupby, pairwise
from typing import NamedTuple

from games.domain.analysis import Standing

WIDTH, HEIGHT = 1000.0, 100.0
"""The picture is as wide as there is room; a hundred is the whole win."""

ROOM = 10.0
"""Per cent of the width, on a phone, that the number of a moment needs."""

DASHES = ("", "7 4", "2 3", "12 4 2 4", "1 5", "14 4", "7 3 1 3 1 3", "3 3 9 3")
"""How the line of each seat is drawn, so that no colour is needed to tell them apart."""


class Trace(NamedTuple):
    """The line of a seat: the points of a polyline, and its dashes as SVG has them."""

    seat: int
    points: str
    dashes: str


class Interval(NamedTuple):
    """From where to where the result was proved."""

    x: float
    width: float


class Flag(NamedTuple):
    """A number above the picture: how far along it stands, in per cent, and in which row."""

    number: int
    x: float
    row: int


class Chart(NamedTuple):
    """`area` is what lies below the first line, for matches of two, and `above` what lies over it.

    `last` is the number at the right edge.
    """

    traces: list[Trace]
    area: str
    above: str
    proved: list[Interval]
    last: int


def chart(curve: Sequence[Standing], last: int) -> Chart | None:
    """The picture of a curve, as wide as ply `last`; None as long as it has no two points."""
    if len(curve) < 2:
        return None
    places = [round(standing.ply / last * WIDTH, 1) for standing in curve]
    seats = len(curve[0].shares)
    # Of two seats one line says it all.
    shown = range(seats) if seats > 2 else range(1)
    traces = [Trace(seat, _points(curve, places, seat), DASHES[seat % len(DASHES)]) for seat in shown]
    area, above = (_beside(traces[0], places, edge) if seats == 2 else "" for edge in (HEIGHT, 0.0))
    return Chart(traces, area, above, _proved(curve, places), last)


def flags(plies: Sequence[int], last: int) -> list[Flag]:
    """Where the numbers of some plies, in their order, stand above the picture: none hides another."""
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
    """What lies between a line and the lower or the upper edge, as far as the line goes."""
    return f"{places[0]},{edge} {trace.points} {places[-1]},{edge}"


def _proved(curve: Sequence[Standing], places: Sequence[float]) -> list[Interval]:
    """The stretches over which one proved position follows another."""
    both = [one.proved and other.proved for one, other in pairwise(curve)]
    found, index = [], 0
    for proved, group in groupby(both):
        end = index + len(list(group))
        if proved:
            found.append(Interval(places[index], round(places[end] - places[index], 1)))
        index = end
    return found
