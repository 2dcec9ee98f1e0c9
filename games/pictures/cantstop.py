"""A picture of Can't Stop: a mountain with eleven paths, each with a stop sign at its summit.

It has the shapes of static/boards/cantstop.js, from the same plan; that board adds words and what may
be pressed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.pictures.plans import plan
from games.pictures.shapes import (
    Look,
    Point,
    at,
    circle,
    die,
    die_turn,
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
from games.rules.cantstop import COLUMNS, LENGTHS, PUBLISHED, TO_WIN, State

ICON = '<path d="M8.5 3h7L20.5 8v8l-5 5h-7l-5-5V8z"/><path d="M8 15.5v-1M12 15.5V11M16 15.5V8.5"/>'
RUNNER = 1.25
"""The size of a runner, in those of a cone."""

_BOARD = plan("boards/cantstop/plan.js")
_PLAN: dict[str, Any] = _BOARD["wide"]
_ROW, _GROUND, _FOOT, _SIGN = _PLAN["row"], _PLAN["ground"], _PLAN["foot"], _PLAN["sign"]


def size(state: State) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    width, height = _PLAN["size"]
    return width, height


def draw(state: State, outcome: Outcome | None) -> str:
    """The picture of a position as SVG elements."""
    seats = range(len(state.cones))
    return "".join(
        (
            tag("defs", *(seat_pattern(seat, 14) for seat in seats)),
            rect(0, 0, *size(state), rx=22, fill="var(--felt)"),
            path(_PLAN["far"], fill="var(--felt-deep)", fill_opacity=0.4),
            path(_PLAN["hill"], fill="var(--felt-deep)"),
            *(_column(state, column) for column in COLUMNS),
            *(_trail(state, column) for column in COLUMNS),
            *(_pieces(state, column) for column in COLUMNS),
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
    left: float = _PLAN["edge"]
    lane: float = _PLAN["lane"]
    return left + (column - 1.5) * lane


def _summit(column: int) -> float:
    return float(_GROUND - LENGTHS[column] * _ROW)


def _centre(column: int, space: int) -> Point:
    """The middle of a space, on a path that winds; space 0 is the number below the column."""
    if not space:
        return _middle(column), _GROUND + _FOOT / 2
    return _middle(column) + _PLAN["sway"][space - 1], _GROUND - (space - 0.5) * _ROW


def _column(state: State, column: int) -> str:
    owner = state.owners[column]
    foot = number(
        column, *_centre(column, 0), _FOOT * 0.5, "var(--on-felt)", opacity=None if owner is None else 0.6
    )
    claim = "" if owner is None else _claim(column, owner)
    return group(_spaces(column, owner), claim, _sign(column, owner), foot)


def _spaces(column: int, owner: Seat | None) -> str:
    width, height = _PLAN["tile"]
    spaces = [_centre(column, space) for space in range(1, LENGTHS[column] + 1)]
    look: Look = {"fill": "var(--wood-light)", "stroke": "var(--wood-edge)", "stroke_width": 1.5}
    stones = [rect(x - width / 2, y - height / 2, width, height, rx=height / 2.4, **look) for x, y in spaces]
    way = [(_middle(column), _GROUND), *spaces, (_middle(column), _summit(column))]
    d = "M" + "L".join(f"{x:g} {y:g}" for x, y in way)
    return group(
        path(d, fill="none", stroke="var(--wood-edge)", stroke_width=5),
        *stones,
        opacity=None if owner is None else 0.3,
    )


def _sign(column: int, owner: Seat | None) -> str:
    """A stop sign with the number of the column, or with the mark of its owner."""
    if owner is None:
        look = {"fill": "var(--danger)", "stroke": "var(--on-danger)"}
        shown = number(column, 0, 0, _SIGN * 0.8, "var(--on-danger)")
    else:
        look = {"fill": "var(--card)", "stroke": "var(--on-felt)"}
        shown = seat_mark(owner, 0, 0, _SIGN * 0.66)
    place = at(_middle(column), _summit(column) - _SIGN - 4)
    return group(path(octagon(_SIGN), stroke_width=2.5, **look), shown, transform=place)


def _claim(column: int, owner: Seat) -> str:
    """A banner from foot to summit, in the owner's colour and pattern."""
    width, top = _PLAN["tile"][0] * 0.44, _summit(column) + 2
    left, height = _middle(column) - width / 2, _GROUND - top - 2
    edge: Look = {"stroke": "var(--on-felt)", "stroke_width": 2.5}
    return group(
        rect(left, top, width, height, rx=9, fill="var(--seat-bed)", **edge),
        rect(left + 5, top + 5, width - 10, height - 10, rx=5, fill=seat_fill(owner)),
    )


def octagon(r: float) -> str:
    """A stop sign around 0, 0 whose flat sides are `r` away."""
    cut = f"{round(r * 41.4) / 100:g}"
    return f"M-{cut} {-r:g}H{cut}L{r:g} -{cut}V{cut}L{cut} {r:g}H-{cut}L{-r:g} {cut}V-{cut}Z"


def _trail(state: State, column: int) -> str:
    """The spaces of a turn that would be lost by a bust."""
    width, height = _PLAN["tile"]
    start = state.cones[state.turn][column]
    centres = [_centre(column, space) for space in range(start + 1, state.runners[column] + 1)]
    return "".join(
        rect(
            x - width / 2 + 2,
            y - height / 2 + 2,
            width - 4,
            height - 4,
            rx=height / 2.6,
            fill="var(--mark)",
        )
        for x, y in centres
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
        right, down = _PLAN["places"][str(len(sharing))][sharing.index(seat)]
        r = _PLAN["radii"][len(sharing) - 1]
        x, y = _centre(column, space)
        x, y = x + right, y + down
        drawn.append(_runner(state.turn, x, y, r * RUNNER) if seat is None else seat_mark(seat, x, y, r))
    return "".join(drawn)


def _runner(seat: Seat, x: float, y: float, r: float) -> str:
    """A climber, unlike any cone, with the mark of its seat."""
    look = {"fill": "var(--ink)", "stroke": "var(--card)", "stroke_linejoin": "round"}
    body = path(_BOARD["runner"], stroke_width=1.6, **look)
    return group(body, seat_mark(seat, 0, 4, 3.6), transform=at(x, y, r / 10))


def _dice(state: State) -> str:
    """The throw; dice in the hand have no faces, and between throws they are faint."""
    (x, y), bed, edge = _PLAN["valley"], _PLAN["bed"], _PLAN["die"]
    beds = [(x - bed, y - bed), (x + bed, y - bed), (x - bed, y + bed), (x + bed, y + bed)]
    faces = state.dice or (0,) * len(beds)
    opacity = 1 if state.dice or state.due else 0.35
    return "".join(
        group(die(face, *place, edge, die_turn(nth, face)), opacity=opacity)
        for nth, (face, place) in enumerate(zip(faces, beds, strict=True))
    )


def _player(state: State, seat: Seat, outcome: Outcome | None) -> str:
    """Whose turn it is, and how many columns each player has of those that win."""
    x, top, width, room, most, apart = _PLAN["seats"]
    pitch = min(most, room / len(state.cones))
    y, height = top + seat * pitch, pitch - apart
    on_turn = outcome is None and state.turn == seat
    won = outcome is not None and seat in outcome.winners
    ink = "var(--ink)" if on_turn else "var(--on-felt)"
    box = rect(
        x,
        y,
        width,
        height,
        rx=12,
        fill="var(--card)" if on_turn else "var(--felt-deep)",
        stroke="var(--mark)" if on_turn or won else None,
        stroke_width=4,
    )
    middle = x + height / 2 + 1, y + height / 2
    mark = star(*middle, height * 0.32) if won else seat_mark(seat, *middle, height * 0.29)
    claimed, sign = list(state.owners).count(seat), height * 0.2
    left = x + width - 14 - 2.6 * TO_WIN * sign
    signs = [
        path(
            octagon(sign),
            transform=at(left + (1.3 + 2.6 * nth) * sign, middle[1]),
            fill=ink if nth < claimed else "none",
            stroke=ink,
            stroke_width=2,
        )
        for nth in range(TO_WIN)
    ]
    ground = circle(*middle, height * 0.4, fill="var(--card)")
    return group(box, ground, mark, *signs, opacity=None if state.present[seat] else 0.45)
