"""A picture of a game that has none of its own: a mosaic that belongs to the position, and who is to move."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from games.domain import codec
from games.pictures.shapes import group, rect, seat_fill, seat_mark, seat_pattern, star, tag
from games.rules.base import Outcome, Seat

ICON = (
    '<path d="M4 4h16v16H4zM12 4v16M4 12h16"/>'
    '<circle cx="8" cy="8" r="1.5"/><circle cx="16" cy="16" r="1.5"/>'
)
SIDE, TILES, EDGE = 480.0, 8, 40.0


def size(state: Any) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    return SIDE, SIDE


def draw(state: Any, outcome: Outcome | None) -> str:
    """The picture of a position as SVG elements."""
    digest = sha256(codec.encode(state)).digest()
    pitch = (SIDE - 2 * EDGE) / TILES
    tiles = [
        rect(
            EDGE + nth % TILES * pitch + 3,
            EDGE + nth // TILES * pitch + 3,
            pitch - 6,
            pitch - 6,
            rx=8,
            fill=seat_fill(byte % 4) if byte & 128 else "var(--felt-deep)",
        )
        for nth, byte in enumerate(digest + digest[::-1])
    ]
    return "".join(
        (
            tag("defs", *(seat_pattern(seat, 10) for seat in range(4))),
            rect(
                2, 2, SIDE - 4, SIDE - 4, rx=36, fill="var(--felt)", stroke="var(--wood-edge)", stroke_width=4
            ),
            *tiles,
            group(_mark(state.turn, outcome)),
        )
    )


def _mark(turn: Seat, outcome: Outcome | None) -> str:
    middle = SIDE / 2
    plate = rect(middle - 56, middle - 56, 112, 112, rx=28, fill="var(--card)")
    if outcome is None:
        return plate + seat_mark(turn, middle, middle, 38)
    winners = outcome.winners[:4]
    marks = [
        seat_mark(seat, middle + (nth - (len(winners) - 1) / 2) * 26, middle + 26, 11)
        for nth, seat in enumerate(winners)
    ]
    return plate + star(middle, middle - 14, 28) + "".join(marks)
