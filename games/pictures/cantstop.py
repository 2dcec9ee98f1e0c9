"""A picture of Can't Stop: eleven columns with a stop sign on each, dice to their left, players right."""

from __future__ import annotations

from dataclasses import replace

from games.pictures.shapes import (
    at,
    circle,
    die,
    group,
    number,
    path,
    rect,
    seat_fill,
    seat_mark,
    seat_pattern,
    star,
    tag,
)
from games.rules.base import Outcome, Seat
from games.rules.cantstop import PUBLISHED, State

ICON = '<path d="M8.5 3h7L20.5 8v8l-5 5h-7l-5-5V8z"/><path d="M8 15.5v-1M12 15.5V11M16 15.5V8.5"/>'
WIDTH, LANE, TILE, ROW, SIGN, TOP, FOOT = 720.0, 62.0, 54.0, 44.0, 24.0, 66.0, 46.0
LENGTHS = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
GROUND = TOP + max(LENGTHS.values()) * ROW
EDGE = (WIDTH - len(LENGTHS) * LANE) / 2
TO_WIN = 3
PLACES = {
    1: ((0.0, 0.0),),
    2: ((-0.24, 0.0), (0.24, 0.0)),
    3: ((-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24)),
    4: ((-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24), (0.24, 0.24)),
    5: ((-0.3, -0.26), (0.3, -0.26), (-0.3, 0.26), (0.3, 0.26), (0.0, 0.0)),
}
"""Where pieces that share a space stand, in tiles from its middle."""
BEDS = ((-45, -45), (45, -45), (-45, 45), (45, 45))
RUNNER = "M0-10A4.6 4.6 0 0 1 3.4-2.3C6 0 7.4 4 7.6 9.4H-7.6C-7.4 4-6 0-3.4-2.3A4.6 4.6 0 0 1 0-10Z"


def size(state: State) -> tuple[float, float]:
    return WIDTH, GROUND + FOOT + 10


def draw(state: State, outcome: Outcome | None) -> str:
    seats = range(len(state.cones))
    return "".join(
        (
            tag("defs", *(seat_pattern(seat, 14) for seat in seats)),
            rect(0, 0, *size(state), rx=22, fill="var(--felt)"),
            *(_column(state, column) for column in LENGTHS),
            *(_trail(state, column) for column in LENGTHS),
            *(_pieces(state, column) for column in LENGTHS),
            _dice(state),
            *(_player(state, seat, outcome) for seat in seats),
        )
    )


def sample(start: State) -> tuple[State, Outcome | None]:
    """A pairing of 7 and 8 was thrown, the runner in column 7 having come to its top already."""
    seven, eight, before = 7, 8, 4
    cones = tuple(before if column == eight else 0 for column in range(len(start.runners)))
    moves_on = start.options.topped == PUBLISHED
    climbed = {seven: LENGTHS[seven], eight: before + 1 if moves_on else 0}
    runners = tuple(climbed.get(column, 0) for column in range(len(start.runners)))
    return replace(start, cones=(cones, *start.cones[1:]), runners=runners, dice=(3, 4, 2, 6)), None


def _middle(column: int) -> float:
    return EDGE + (column - 1.5) * LANE


def _height(space: int) -> float:
    return GROUND - (space - 0.5) * ROW


def _column(state: State, column: int) -> str:
    x, owner = _middle(column), state.owners[column]
    top = GROUND - LENGTHS[column] * ROW
    lane = rect(x - LANE / 2, top - 4, LANE, GROUND - top + 8, fill="var(--felt-deep)")
    foot = number(column, x, GROUND + FOOT / 2, 20, "var(--on-felt)")
    sign_at = at(x, top - SIGN - 4)
    if owner is not None:
        bed = rect(
            x - TILE / 2,
            top + 2,
            TILE,
            GROUND - top - 4,
            rx=9,
            fill="var(--seat-bed)",
            stroke="var(--on-felt)",
            stroke_width=3,
        )
        filled = rect(x - TILE / 2 + 7, top + 9, TILE - 14, GROUND - top - 18, rx=5, fill=seat_fill(owner))
        sign = path(octagon(SIGN), fill="var(--card)", stroke="var(--on-felt)", stroke_width=2.5)
        return group(
            lane, bed, filled, foot, group(sign, seat_mark(owner, 0, 0, SIGN * 0.66), transform=sign_at)
        )
    tiles = [
        rect(
            x - TILE / 2,
            _height(space) - ROW / 2 + 2,
            TILE,
            ROW - 4,
            rx=9,
            fill="var(--card)",
            stroke="var(--tile-edge)",
        )
        for space in range(1, LENGTHS[column] + 1)
    ]
    sign = path(octagon(SIGN), fill="var(--danger)", stroke="var(--on-danger)", stroke_width=2.5)
    return group(
        lane, *tiles, foot, group(sign, number(column, 0, 0, 19, "var(--on-danger)"), transform=sign_at)
    )


def octagon(r: float) -> str:
    """A stop sign around 0, 0 whose flat sides are `r` away."""
    cut = round(r * 0.414, 2)
    return f"M{-cut} {-r}H{cut}L{r} {-cut}V{cut}L{cut} {r}H{-cut}L{-r} {cut}V{-cut}Z"


def _trail(state: State, column: int) -> str:
    """The spaces of a turn that would be lost by a bust."""
    start = state.cones[state.turn][column]
    return "".join(
        rect(
            _middle(column) - TILE / 2 + 3,
            _height(space) - ROW / 2 + 5,
            TILE - 6,
            ROW - 10,
            rx=7,
            fill="var(--mark)",
            fill_opacity=0.75,
        )
        for space in range(start + 1, state.runners[column] + 1)
    )


def _pieces(state: State, column: int) -> str:
    pieces: list[tuple[Seat | None, int]] = [
        (seat, cones[column]) for seat, cones in enumerate(state.cones) if cones[column]
    ]
    if state.runners[column]:
        pieces.append((None, state.runners[column]))
    drawn = []
    for seat, space in pieces:
        sharing = [piece for piece, theirs in pieces if theirs == space]
        right, down = PLACES[len(sharing)][sharing.index(seat)]
        r = (0.4, 0.25, 0.21, 0.21, 0.17)[len(sharing) - 1] * ROW
        x, y = _middle(column) + right * TILE, _height(space) + down * ROW
        drawn.append(_runner(state.turn, x, y, r * 1.12) if seat is None else seat_mark(seat, x, y, r))
    return "".join(drawn)


def _runner(seat: Seat, x: float, y: float, r: float) -> str:
    """A climber, unlike any cone, with the mark of its seat."""
    body = path(RUNNER, fill="var(--ink)", stroke="var(--card)", stroke_width=1.6, stroke_linejoin="round")
    return group(body, seat_mark(seat, 0, 4, 3.6), transform=at(x, y, r / 10))


def _dice(state: State) -> str:
    """The throw on the table; dice in the hand have no faces, and between throws they are faint."""
    x, y = EDGE + 1.5 * LANE, 118
    faces = state.dice or (0,) * len(BEDS)
    opacity = 1 if state.dice or state.due else 0.35
    dice = [
        die(face, x + right, y + down, 74, nth * 5 % 11 - 5)
        for nth, (face, (right, down)) in enumerate(zip(faces, BEDS, strict=True))
    ]
    return group(*dice, opacity=opacity)


def _player(state: State, seat: Seat, outcome: Outcome | None) -> str:
    """Whose turn it is, and how many columns each player has of those that win."""
    x, y, width = _middle(10) - LANE / 2 + 2, 16 + seat * 62, 3 * LANE + 4
    on_turn = outcome is None and state.turn == seat
    won = outcome is not None and seat in outcome.winners
    ink = "var(--ink)" if on_turn else "var(--on-felt)"
    box = rect(
        x,
        y,
        width,
        56,
        rx=12,
        fill="var(--card)" if on_turn else "var(--felt-deep)",
        stroke="var(--mark)" if on_turn or won else None,
        stroke_width=4,
    )
    mark = star(x + 29, y + 28, 19) if won else seat_mark(seat, x + 29, y + 28, 16)
    claimed = list(state.owners).count(seat)
    signs = [
        path(
            octagon(12),
            transform=at(x + 76 + nth * 34, y + 28),
            fill=ink if nth < claimed else "none",
            stroke=ink,
            stroke_width=2.5,
        )
        for nth in range(TO_WIN)
    ]
    ground = circle(x + 29, y + 28, 22, fill="var(--card)")
    return group(box, ground, mark, *signs, opacity=None if state.present[seat] else 0.45)
