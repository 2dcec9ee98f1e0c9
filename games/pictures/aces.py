"""A picture of Aces: trays of dice around a table, in turn order clockwise, and the aces in the middle.

It has the shapes of static/boards/aces.js, from the same plan; that board adds words and what may be pressed.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, copysign, cos, degrees, hypot, pi, radians, sin, sqrt
from typing import Any

from games.pictures.plans import plan
from games.pictures.shapes import (
    SHADE,
    Look,
    Point,
    at,
    circle,
    die,
    gradient,
    group,
    path,
    rect,
    scatter,
    seat_fill,
    seat_mark,
    seat_pattern,
    star,
    tag,
)
from games.rules.aces import WINS, State
from games.rules.base import Outcome, Seat

ICON = '<path d="M4 9.5l8-5 8 5v7l-8 5-8-5zM4 9.5l8 5 8-5M12 14.5v7"/><path d="M12 9.5v.01"/>'
ACE = 1
GOLDEN_ANGLE = pi * (3 - sqrt(5))
RESTING = (3, 6, 4)
"""What dice show that nobody has thrown: faces that stay where they are."""
NAME_HEIGHT = 28
_PLAN = plan("boards/aces/plan.js")


def size(state: State) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    width, height = _layout(state)["size"]
    return width, height


def draw(state: State, outcome: Outcome | None) -> str:
    """The picture of a position as SVG elements."""
    seats = range(len(state.dice))
    felt = gradient("radial", "aces-felt", "var(--felt)", "var(--felt-deep)")
    wood = gradient("linear", "aces-wood", "var(--wood-light)", "var(--wood-dark)", x2=0, y2=1)
    return "".join(
        (
            tag("defs", felt, wood, *(seat_pattern(seat, 7) for seat in seats)),
            _table(state),
            "" if outcome else _pointer(state),
            _centre(state),
            *(_tray(state, seat, outcome) for seat in seats),
        )
    )


def sample(start: State) -> tuple[State, Outcome | None]:
    """All aces are in the centre, the last of them thrown by the first player."""
    seats = range(max(3, len(start.dice)))
    winners = (0,) if start.options.last_ace == WINS else tuple(seats)[1:]
    thrown = replace(
        start,
        dice=((),) * len(seats),
        present=(True,) * len(seats),
        centre=len(seats) * start.options.dice,
    )
    return thrown, Outcome(winners, "")


def _layout(state: State) -> dict[str, Any]:
    by_seats = next(each for each in _PLAN["layouts"] if len(state.dice) <= each["seats"])
    return {**_PLAN["wide"], **by_seats["wide"]}


def _middle(state: State, seat: Seat) -> Point:
    """The middle of a tray. Between ellipse and rectangle, so that corners are used as well."""
    layout = _layout(state)
    (width, height), (tray_width, tray_height), margin = layout["size"], layout["tray"], layout["margin"]
    angle = 2 * pi * seat / len(state.dice)
    across, down = _bulge(sin(angle), 0.35), _bulge(cos(angle), layout["bulge"])
    return (
        width / 2 - across * (width / 2 - tray_width / 2 - margin),
        height / 2 + down * (height / 2 - tray_height / 2 - margin),
    )


def _bulge(part: float, power: float) -> float:
    return 0 if abs(part) < 1e-9 else copysign(abs(part) ** power, part)


def _table(state: State) -> str:
    layout = _layout(state)
    (width, height), corner = layout["size"], layout["corner"]
    edge: Look = {"stroke": "var(--wood-edge)", "stroke_width": 2}
    return "".join(
        rect(
            inset,
            inset,
            width - 2 * inset,
            height - 2 * inset,
            rx=corner - inset,
            fill=f"url(#{fill})",
            **edge,
        )
        for inset, fill in ((1, "aces-wood"), (layout["rim"], "aces-felt"))
    )


def _pointer(state: State) -> str:
    """A light from the centre onto the seat on turn."""
    layout = _layout(state)
    (cx, cy, _), (width, height) = layout["pot"], layout["tray"]
    x, y = _middle(state, state.turn)
    length = hypot(x - cx, y - cy)
    dx, dy = (x - cx) / length, (y - cy) / length
    edge = min(width / 2 / abs(dx) if dx else height, height / 2 / abs(dy) if dy else width) + 7
    half = height * 0.45
    cone = ((cx, cy), (x - dy * half, y + dx * half), (x + dy * half, y - dx * half))
    d = "L".join(f"{round(px, 2):g} {round(py, 2):g}" for px, py in cone)
    place = at(x - dx * edge, y - dy * edge, turn=degrees(atan2(dy, dx)))
    arrow: Look = {"fill": "var(--mark)", "stroke": "var(--mark-edge)", "stroke_linejoin": "round"}
    return path(f"M{d}Z", fill="var(--mark)", fill_opacity=0.2) + path(
        "M6 0L-6-7V7Z", transform=place, **arrow
    )


def _centre(state: State) -> str:
    x, y, pot = _layout(state)["pot"]
    step = pot / (sqrt(state.options.dice * len(state.dice)) + 0.9)
    aces = []
    for nth in range(state.centre):
        reach, angle = step * sqrt(nth + 0.4), nth * GOLDEN_ANGLE
        place = x + reach * cos(angle), y + reach * sin(angle)
        aces.append(die(ACE, *place, round(step * 1.45, 2), scatter(nth) * 90))
    return group(
        circle(x, y, pot, fill="var(--felt-deep)", stroke="var(--wood-light)", stroke_width=3),
        circle(x, y, pot + 3, fill="none", stroke="var(--wood-edge)"),
        _turn_order(x, y, pot + 11),
        *aces,
    )


def _turn_order(x: float, y: float, reach: float) -> str:
    """Three arrows round the centre in turn order."""
    arrows = []
    for start in (125, 245, 5):
        points = [
            f"{round(reach * cos(radians(angle)), 2):g} {round(reach * sin(radians(angle)), 2):g}"
            for angle in (start, start + 50)
        ]
        end = radians(start + 50)
        arrows += [
            path(f"M{points[0]}A{reach:g} {reach:g} 0 0 1 {points[1]}", fill="none"),
            path(
                "M-4-4L0 1L4-4",
                fill="none",
                transform=at(reach * cos(end), reach * sin(end), turn=start + 50),
            ),
        ]
    look: Look = {"stroke": "var(--on-felt)", "stroke_width": 1.6, "stroke_opacity": 0.55}
    return group(*arrows, transform=at(x, y), stroke_linecap="round", **look)


def _tray(state: State, seat: Seat, outcome: Outcome | None) -> str:
    width, height = _layout(state)["tray"]
    x, y = _middle(state, seat)
    left, top = round(x, 2) - width / 2, round(y, 2) - height / 2
    won = outcome is not None and seat in outcome.winners
    lit = won if outcome else state.turn == seat
    box = rect(
        left,
        top,
        width,
        height,
        rx=12,
        fill="var(--felt-deep)",
        stroke="var(--mark)" if lit else "var(--wood-light)",
        stroke_width=4 if lit else 1.5,
        stroke_dasharray=None if state.present[seat] else "5 4",
    )
    mark = left + 18, top + 4 + NAME_HEIGHT / 2
    plate = "var(--mark)" if lit else "var(--card)"
    return group(
        rect(left, top + 2, width, height, rx=12, **SHADE),
        box,
        rect(left + 4, top + 4, width - 8, NAME_HEIGHT, rx=8, fill=plate),
        rect(left + 9, top + NAME_HEIGHT + 4, width - 18, 6, rx=3, fill="var(--seat-bed)"),
        rect(left + 10, top + NAME_HEIGHT + 5, width - 20, 4, rx=2, fill=seat_fill(seat)),
        star(*mark, 10) if won else seat_mark(seat, *mark, 8.5),
        *_dice(state, seat, x, y),
        opacity=None if state.present[seat] else 0.6,
    )


def _dice(state: State, seat: Seat, x: float, y: float) -> list[str]:
    """The dice of a seat; those about to be thrown are in a hand that shakes them, and show no face."""
    layout = _layout(state)
    (width, height), head, foot = layout["tray"], layout["head"], layout["foot"]
    count, shaken = len(state.dice[seat]), state.due and state.turn == seat
    length, pitch, columns = _grid(count, width - 16, height - head - foot, layout["dice"])
    rows, drawn = -(-count // columns), []
    for nth, thrown in enumerate(state.dice[seat]):
        row = nth // columns
        in_row = min(columns, count - row * columns)
        turn = round((scatter(seat, nth) - 0.5) * 16, 2) * (5 if shaken else 1)
        face = 0 if shaken else thrown or RESTING[(nth + seat) % len(RESTING)]
        place = (
            x + (nth % columns - (in_row - 1) / 2) * pitch,
            y + (head - foot) / 2 + (row - (rows - 1) / 2) * pitch,
        )
        drawn.append(die(face, *place, length, turn))
    return drawn


def _grid(count: int, width: float, height: float, most: float) -> tuple[float, float, int]:
    """The size, pitch and columns of `count` dice that fit into a width and a height."""
    length = most
    while True:
        pitch = length * 1.22
        columns = int((width + pitch - length) / pitch)
        if columns * int((height + pitch - length) / pitch) >= count:
            return length, pitch, -(-count // -(-count // columns)) if count else 1
        length -= 0.5
