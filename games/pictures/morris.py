"""A picture of Nine Men's Morris and its relatives: the board, and beside it a tray for each player.

A tray has the men in hand above those taken. White men are engraved with rings, black ones with diamonds.
"""

from __future__ import annotations

from itertools import pairwise

from games.pictures.shapes import at, circle, gradient, group, number, path, rect, seat_mark, star, tag
from games.rules.base import Outcome, Seat
from games.rules.morris import State
from games.rules.morris_boards import BOARDS, LINES

ICON = (
    '<path d="M3 3h18v18H3zM7.5 7.5h9v9h-9zM12 3v4.5M12 16.5V21M3 12h4.5M16.5 12H21"/>'
    '<circle cx="12" cy="12" r="1"/>'
)
PLANK, MARGIN, TRAY, GAP = 600.0, 62.0, 122.0, 14.0
MEN = "WB"
COLOURS = ("white", "black")
FILES = "abcdefg"


def size(state: State) -> tuple[float, float]:
    return PLANK + 2 * (TRAY + GAP), PLANK


def draw(state: State, outcome: Outcome | None) -> str:
    return "".join(
        (
            _definitions(),
            rect(TRAY + GAP + 1, 4, PLANK - 2, PLANK - 4, rx=22, fill="var(--wood-edge)"),
            rect(TRAY + GAP + 1, 1, PLANK - 2, PLANK - 7, rx=22, fill="url(#wood)"),
            _lines(state),
            *(_point(state, point) for point in BOARDS[state.options.board].points),
            *(_tray(state, seat, outcome) for seat in (0, 1)),
        )
    )


def _definitions() -> str:
    skins = [
        gradient(
            "radial", colour, f"var(--man-{colour})", f"var(--man-{colour})", f"var(--man-{colour}-edge)"
        )
        for colour in COLOURS
    ]
    wood = gradient("linear", "wood", "var(--wood-light)", "var(--wood)", "var(--wood-dark)", x2=0.35, y2=1)
    return tag("defs", wood, *skins)


def _spot(state: State, point: str) -> tuple[float, float]:
    side = max(FILES.index(name[0]) for name in BOARDS[state.options.board].points)
    pitch = (PLANK - 2 * MARGIN) / side
    x, y = FILES.index(point[0]), side - (int(point[1]) - 1)
    return TRAY + GAP + MARGIN + x * pitch, MARGIN + y * pitch


def _lines(state: State) -> str:
    """The lines, cut into the wood."""
    rows = [row.split("-") for row in LINES[state.options.board].split()]
    d = ""
    for row in rows:
        for one, other in pairwise(row):
            (ax, ay), (bx, by) = _spot(state, one), _spot(state, other)
            d += f"M{ax:g} {ay:g}L{bx:g} {by:g}"
    return path(d, stroke="var(--hollow-deep)", stroke_width=5, stroke_linecap="round", fill="none")


def _point(state: State, point: str) -> str:
    x, y = _spot(state, point)
    man = state.board[BOARDS[state.options.board].points.index(point)]
    if man in MEN:
        return _man(MEN.index(man), x, y, 32)
    return circle(x, y, 9, fill="var(--hollow-deep)", stroke="var(--wood-light)", stroke_width=2)


def _man(seat: Seat, x: float, y: float, r: float) -> str:
    colour = COLOURS[seat]
    cut = f"var(--man-{colour}-line)"
    body = circle(0, 0, 1, fill=f"url(#{colour})", stroke=f"var(--man-{colour}-edge)", stroke_width=0.1)
    if seat == 0:
        rings = [circle(0, 0, reach, fill="none", stroke=cut, stroke_width=0.12) for reach in (0.68, 0.36)]
        return group(body, *rings, transform=at(x, y, r))
    diamond = path("M0-.72.72 0 0 .72-.72 0Z", fill="none", stroke=cut, stroke_width=0.12)
    return group(body, diamond, path("M0-.3.3 0 0 .3-.3 0Z", fill=cut), transform=at(x, y, r))


def _taken(state: State, seat: Seat) -> int:
    """The men that a seat has taken from the other."""
    other = 1 - seat
    return state.options.men - state.hand[other] - state.board.count(MEN[other])


def _tray(state: State, seat: Seat, outcome: Outcome | None) -> str:
    left = 0.0 if seat else PLANK + TRAY + 2 * GAP
    middle = left + TRAY / 2
    on_turn = outcome is None and state.turn == seat
    felt = rect(
        left + 3,
        3,
        TRAY - 6,
        PLANK - 6,
        rx=18,
        fill="var(--felt)",
        stroke="var(--mark)" if on_turn else "var(--wood-edge)",
        stroke_width=6 if on_turn else 2,
    )
    won = outcome is not None and seat in outcome.winners
    mark = star(middle, 42, 24) if won else seat_mark(seat, middle, 42, 17)
    to_take = _crosses(middle, state.takes) if on_turn else ""
    hand = _row(seat, state.hand[seat], middle, 118, 20)
    return group(felt, mark, to_take, hand, _row(1 - seat, _taken(state, seat), middle, 392, 15))


def _row(seat: Seat, count: int, middle: float, top: float, r: float) -> str:
    """Men in two columns, below their number."""
    if not count:
        return ""
    men = [
        _man(seat, middle + (0.52 if nth % 2 else -0.52) * 2 * r, top + 34 + (nth // 2) * 1.9 * r, r)
        for nth in range(count)
    ]
    return number(count, middle, top, 20, "var(--on-felt)") + "".join(men)


def _crosses(middle: float, takes: int) -> str:
    """A cross for each man that is to be taken now."""
    return "".join(
        path(
            "M-8-8 8 8M8-8-8 8",
            transform=at(middle + (nth - (takes - 1) / 2) * 32, 84),
            stroke="var(--mark)",
            stroke_width=6,
            stroke_linecap="round",
        )
        for nth in range(takes)
    )
