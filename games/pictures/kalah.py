"""A picture of Kalah: a plank with two rows of pits, the first player's below, and a store at either end.

It has the shapes of static/boards/kalah.js, from the same plan; that board adds words and what may be
pressed.
"""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi, sin, sqrt
from typing import Any

from games.pictures.plans import plan
from games.pictures.shapes import (
    Point,
    at,
    gradient,
    group,
    number,
    rect,
    scatter,
    seat_mark,
    star,
    tag,
)
from games.rules.base import Outcome, Seat
from games.rules.kalah import State

ICON = (
    '<path d="M5 7h14a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z"/>'
    '<path d="M5 10.5v3M19 10.5v3"/>'
    '<path d="M9 10v.01M12 10v.01M15 10v.01M9 14v.01M12 14v.01M15 14v.01"/>'
)
TRIES = 48
"""Places that are looked at for a seed."""
CHUNK = 8
"""Seeds whose places are looked for together."""

_BOARD = plan("boards/kalah/plan.js")
_PLAN: dict[str, Any] = _BOARD["wide"]
_COLOURS: list[str] = _BOARD["seeds"]


def size(state: State) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    width = 2 * (_PLAN["margin"] + _PLAN["end"]) + state.options.pits * _PLAN["pitch"]
    return width, 2 * _PLAN["band"] + 4 * _PLAN["pit"][1] + _PLAN["gap"]


def draw(state: State, outcome: Outcome | None) -> str:
    """The picture of a position as SVG elements."""
    width, height = size(state)
    corner = _PLAN["corner"]
    return "".join(
        (
            _definitions(),
            rect(2, 4, width - 4, height - 5, rx=corner, fill="var(--wood-edge)"),
            rect(2, 2, width - 4, height - _PLAN["thick"], rx=corner, fill="url(#kalah-wood)"),
            *(_place(state, place, outcome) for place in range(len(state.board))),
        )
    )


def _definitions() -> str:
    wood = gradient(
        "linear", "kalah-wood", "var(--wood-light)", "var(--wood)", "var(--wood-dark)", x2=0.25, y2=1
    )
    hollow = gradient(
        "radial",
        "kalah-hollow",
        "var(--hollow)",
        "var(--hollow)",
        "var(--hollow-deep)",
        cx=0.5,
        cy=0.62,
        r=0.62,
    )
    lip = gradient(
        "linear", "kalah-lip", "var(--wood-edge)", "var(--wood-dark)", "var(--wood-light)", x2=0, y2=1
    )
    return tag("defs", wood, hollow, lip)


def _owner(state: State, place: int) -> Seat:
    return 0 if place <= state.options.pits else 1


def _is_store(state: State, place: int) -> bool:
    return (place + 1) % (state.options.pits + 1) == 0


def _spots(state: State, place: int) -> tuple[Point, Point]:
    """The middle of a place, and of the number beside it; the second player's row runs from right to left."""
    width, height = size(state)
    owner = _owner(state, place)
    if _is_store(state, place):
        x, y = width - _PLAN["margin"] - _PLAN["end"] / 2 + 4, height / 2
        beyond = _PLAN["store"][1] + _PLAN["band"] / 2
    else:
        along = place - owner * (state.options.pits + 1) + 0.5
        x = _PLAN["margin"] + _PLAN["end"] + along * _PLAN["pitch"]
        y = height - _PLAN["band"] - _PLAN["pit"][1]
        beyond = _PLAN["pit"][1] + _PLAN["band"] / 2
    if owner == 0:
        return (x, y), (x, y + beyond)
    return (width - x, height - y), (width - x, height - y - beyond)


def _place(state: State, place: int, outcome: Outcome | None) -> str:
    middle, beside = _spots(state, place)
    store = _is_store(state, place)
    rx, ry = _PLAN["store" if store else "pit"]
    lip = _PLAN["lip"]
    colours = [int(scatter(place, nth, 2) * len(_COLOURS)) for nth in range(state.board[place])]
    seeds = [
        _seed(place, nth, _COLOURS[colour], middle[0] + x, middle[1] + y)
        for nth, (colour, (x, y)) in enumerate(zip(colours, _lying(place, len(colours), rx, ry), strict=True))
    ]
    on_turn = store and outcome is None and state.turn == _owner(state, place)
    turn = _frame(middle, rx, ry, store, 6, fill="none", stroke="var(--mark)", stroke_width=5)
    return group(
        _frame(middle, rx, ry, store, lip, fill="url(#kalah-lip)"),
        _frame(middle, rx, ry, store, 0, fill="url(#kalah-hollow)"),
        turn if on_turn else "",
        *seeds,
        _store_words(state, place, beside, outcome) if store else _count(state, place, *beside),
    )


def _frame(
    middle: Point, rx: float, ry: float, store: bool, beyond: float, **look: float | str | None
) -> str:
    """The outline of a place, `beyond` its edge: a pit is an ellipse, a store has round ends."""
    (x, y), across, down = middle, rx + beyond, ry + beyond
    end = (rx if store else ry) + beyond
    return rect(x - across, y - down, 2 * across, 2 * down, rx=across, ry=end, **look)


def _lying(place: int, count: int, rx: float, ry: float) -> tuple[Point, ...]:
    """Where the seeds of a place lie around its middle; another one moves none of them."""
    return _searched(place, -(-count // CHUNK) * CHUNK, rx, ry)[:count]


@cache
def _searched(place: int, count: int, rx: float, ry: float) -> tuple[Point, ...]:
    """Each lies as close to the middle as it can without touching another of its layer."""
    radius = _PLAN["seed"]
    spots: list[Point] = []
    layer: list[Point] = []
    for nth in range(count):
        tries = sorted(
            (_try(place, nth, each, rx - radius * 1.15, ry - radius * 1.15) for each in range(TRIES)),
            key=lambda point: hypot(*point),
        )
        free = [(x, y) for x, y in tries if all(hypot(x - a, y - b) >= radius * 1.85 for a, b in layer)]
        if not free:
            layer = []
        spots.append((free or tries)[0])
        layer.append(spots[-1])
    return tuple(spots)


def _try(place: int, nth: int, each: int, rx: float, ry: float) -> Point:
    angle, reach = scatter(place, nth, each, 0) * 2 * pi, sqrt(scatter(place, nth, each, 1))
    return cos(angle) * reach * rx, sin(angle) * reach * ry


def _seed(place: int, nth: int, colour: str, x: float, y: float) -> str:
    # Flat, since gradients of so many seeds take half a second to paint.
    look = {"fill": f"var(--seed-{colour})", "stroke": f"var(--seed-{colour}-edge)"}
    lying = at(x, y, _PLAN["seed"], scatter(place, nth, 3) * 360)
    return tag("ellipse", cx=0, cy=0, rx=1, ry=0.8, **look, stroke_width=0.2, transform=lying)


def _count(state: State, place: int, x: float, y: float) -> str:
    return number(state.board[place], x, y, _PLAN["number"], "var(--on-wood)", 1.1)


def _store_words(state: State, place: int, beside: Point, outcome: Outcome | None) -> str:
    """Whose a store is, or the star of the winner, beside the number of its seeds."""
    (x, y), seat = beside, _owner(state, place)
    left, right, r = _PLAN["owner"]
    won = outcome is not None and seat in outcome.winners
    mark = star(x + left, y, r * 1.3) if won else seat_mark(seat, x + left, y, r)
    return mark + _count(state, place, x + right, y)
