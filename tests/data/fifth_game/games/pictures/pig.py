"""A picture of Pig: a bar for the score of each player, and the die with the points of the turn."""

from __future__ import annotations

from games.pictures.shapes import die, number, rect, seat_fill, seat_mark, seat_pattern, star, tag
from games.rules.base import Outcome, Seat
from games.rules.pig import State

ICON = '<rect x="4" y="4" width="16" height="16" rx="4"/><path d="M9 9v.01M15 15v.01M12 12v.01M9 15v.01"/>'
WIDTH, EDGE, BAR, ROW, DIE = 400.0, 20.0, 300.0, 56.0, 96.0
"""Lengths in units of the view box; a bar is so long when the target is reached."""


def size(state: State) -> tuple[float, float]:
    """Width and height of the picture, in units of its view box."""
    return WIDTH, len(state.scores) * ROW + DIE + 3 * EDGE


def draw(state: State, outcome: Outcome | None) -> str:
    """The picture as SVG."""
    width, height = size(state)
    shown = not state.due
    middle = height - EDGE - DIE / 2
    seats = range(len(state.scores))
    return "".join(
        (
            tag("defs", *(seat_pattern(seat, 8) for seat in seats)),
            rect(0, 0, width, height, rx=16, fill="var(--felt)"),
            *(_bar(state, seat, outcome) for seat in seats),
            die(state.face if shown else 0, width / 2 - DIE / 2, middle, DIE, turn=0 if shown else 20),
            number(state.pot, width / 2 + DIE, middle, 44, "var(--on-felt)"),
        )
    )


def _bar(state: State, seat: Seat, outcome: Outcome | None) -> str:
    y, height = EDGE + seat * ROW, ROW - 16
    left, middle = EDGE + 44, EDGE + seat * ROW + height / 2
    share = min(1, state.scores[seat] / state.options.target)
    won = outcome is not None and seat in outcome.winners
    return "".join(
        (
            star(EDGE + 18, middle, 18) if won else seat_mark(seat, EDGE + 18, middle, 15),
            rect(
                left,
                y,
                BAR,
                height,
                rx=8,
                fill="var(--seat-bed)",
                stroke="var(--mark)" if outcome is None and state.turn == seat else None,
                stroke_width=6,
            ),
            rect(left, y, BAR * share, height, rx=8, fill=seat_fill(seat)) if share else "",
        )
    )


def sample(start: State) -> tuple[State, Outcome | None]:
    """Two of three players are on their way, the third is about to roll once more."""
    return State(start.options, 2, (31, 18, 24), (True,) * 3, face=5, pot=14), None
