"""A picture of Aces: trays of dice around a table, in turn order clockwise, and the aces in the middle."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, copysign, cos, degrees, hypot, pi, sin

from games.pictures.shapes import (
    at,
    circle,
    die,
    grid,
    group,
    number,
    path,
    rect,
    seat_fill,
    seat_mark,
    seat_pattern,
    star,
    sunflower,
    tag,
)
from games.rules.aces import WINS, State
from games.rules.base import Outcome, Seat

ICON = '<path d="M4 9.5l8-5 8 5v7l-8 5-8-5zM4 9.5l8 5 8-5M12 14.5v7"/><path d="M12 9.5v.01"/>'
WIDTH, HEIGHT, POT = 720.0, 600.0, 84.0
TRAYS = {2: (320, 130), 3: (250, 130), 4: (200, 130), 6: (180, 130), 8: (164, 126)}
"""Width and height of a tray where at most so many sit at the table."""
MARGIN = 26.0
"""From the edge of the table to a tray: its rim, and a little felt."""
HEAD = 34.0
"""What a tray needs above its dice for whose they are, and how many."""


def size(state: State) -> tuple[float, float]:
    return WIDTH, HEIGHT


def draw(state: State, outcome: Outcome | None) -> str:
    seats = range(len(state.dice))
    return "".join(
        (
            tag("defs", *(seat_pattern(seat, 7) for seat in seats)),
            rect(
                1,
                1,
                WIDTH - 2,
                HEIGHT - 2,
                rx=144,
                fill="var(--wood)",
                stroke="var(--wood-edge)",
                stroke_width=2,
            ),
            rect(
                20,
                20,
                WIDTH - 40,
                HEIGHT - 40,
                rx=124,
                fill="var(--felt)",
                stroke="var(--wood-edge)",
                stroke_width=2,
            ),
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


def _tray_size(state: State) -> tuple[float, float]:
    return next(tray for most, tray in TRAYS.items() if len(state.dice) <= most)


def _middle(state: State, seat: Seat) -> tuple[float, float]:
    """The middle of a tray. Between ellipse and rectangle, so that corners are used as well."""
    width, height = _tray_size(state)
    angle = 2 * pi * seat / len(state.dice)
    across, down = _bulge(sin(angle), 0.35), _bulge(cos(angle), 0.75)
    return (
        WIDTH / 2 - across * (WIDTH / 2 - width / 2 - MARGIN),
        HEIGHT / 2 + down * (HEIGHT / 2 - height / 2 - MARGIN),
    )


def _bulge(part: float, power: float) -> float:
    return copysign(abs(part) ** power, part)


def _pointer(state: State) -> str:
    """An arrow from the centre to the seat that is to throw."""
    x, y = _middle(state, state.turn)
    dx, dy = x - WIDTH / 2, y - HEIGHT / 2
    reach = (POT + 26) / hypot(dx, dy)
    turn = degrees(atan2(dy, dx))
    place = at(WIDTH / 2 + dx * reach, HEIGHT / 2 + dy * reach, turn=turn)
    look = {"fill": "var(--mark)", "stroke": "var(--mark-edge)", "stroke_linejoin": "round"}
    return path("M-12-16 16 0-12 16Z", transform=place, stroke_width=2, **look)


def _centre(state: State) -> str:
    x, y = WIDTH / 2, HEIGHT / 2
    pot = circle(x, y, POT, fill="var(--felt-deep)", stroke="var(--wood-light)", stroke_width=4)
    spots = sunflower(state.centre, POT - 8, POT - 8, 21)
    smaller = min(34.0, 1.5 * POT / max(1, state.centre) ** 0.5)
    aces = [die(1, x + dx, y + dy, smaller, nth * 37 % 90) for nth, (dx, dy) in enumerate(spots)]
    return group(pot, *aces)


def _tray(state: State, seat: Seat, outcome: Outcome | None) -> str:
    width, height = _tray_size(state)
    x, y = _middle(state, seat)
    left, top = x - width / 2, y - height / 2
    lit = outcome is None and state.turn == seat
    won = outcome is not None and seat in outcome.winners
    box = rect(
        left + 2,
        top + 2,
        width - 4,
        height - 4,
        rx=12,
        fill="var(--felt-deep)",
        stroke="var(--mark)" if lit or won else "var(--wood-light)",
        stroke_width=5 if lit else 2,
        stroke_dasharray=None if state.present[seat] else "7 6",
    )
    head = (
        rect(left + 8, top + 9, width - 16, 23, rx=8, fill="var(--card)"),
        rect(left + 58, top + 15, width - 72, 11, rx=4, fill=seat_fill(seat)),
        star(left + 23, top + 20, 11) if won else seat_mark(seat, left + 23, top + 20, 9),
        number(len(state.dice[seat]), left + 43, top + 20, 13, "var(--ink)"),
    )
    room = grid(len(state.dice[seat]), width - 24, height - HEAD - 16, 42)
    # Whoever has won and holds no dice has the room for it.
    trophy = star(x, y + HEAD / 2, 40) if won and not state.dice[seat] else ""
    return group(box, *head, trophy, *_dice(state, seat, x, y + HEAD / 2, room))


def _dice(
    state: State, seat: Seat, x: float, y: float, room: tuple[float, list[tuple[float, float]]]
) -> list[str]:
    """The dice of a seat; those that are about to be thrown show no face and lie in a heap."""
    length, spots = room
    in_hand = state.due and state.turn == seat
    faces = (0,) * len(spots) if in_hand else state.dice[seat]
    closer, turned = (0.8, 40) if in_hand else (1, 6)
    return [
        die(face, x + dx * closer, y + dy * closer, length, (seat * 5 + nth * 11) % (2 * turned + 1) - turned)
        for nth, (face, (dx, dy)) in enumerate(zip(faces, spots, strict=True))
    ]
