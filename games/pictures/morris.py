"""A picture of Nine Men's Morris and its relatives: a plank with the board, and a rail of men for each side.

It has the shapes of static/boards/morris.js, from the same plan; that board adds words and what may be
pressed.
"""

from __future__ import annotations

from typing import Any

from games.pictures.plans import plan
from games.pictures.shapes import SHADE, Point, at, circle, gradient, group, path, rect, star, tag
from games.rules.base import Outcome, Seat
from games.rules.morris import MEN, State
from games.rules.morris_boards import BOARDS, LINES

ICON = (
    '<path d="M3 3h18v18H3zM7.5 7.5h9v9h-9zM12 3v4.5M12 16.5V21M3 12h4.5M16.5 12H21"/>'
    '<circle cx="12" cy="12" r="1"/>'
)
COLOURS = ("white", "black")
FILES = "abcdefg"
BREADTH = 0.4
"""The radius of a man, in the distance of two points."""

_PLAN: dict[str, Any] = plan("boards/morris/plan.js")["wide"]


def size(state: State) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    width, height = _PLAN["size"]
    return width, height


def draw(state: State, outcome: Outcome | None) -> str:
    """The picture of a position as SVG elements."""
    width, height = size(state)
    corner = _PLAN["corner"]
    return "".join(
        (
            _definitions(),
            rect(1, 3, width - 2, height - 3, rx=corner, fill="var(--wood-edge)"),
            rect(1, 1, width - 2, height - _PLAN["thick"], rx=corner, fill="url(#morris-wood)"),
            _lines(state),
            *(_rail(state, seat, outcome) for seat in (0, 1)),
            *(_point(state, point) for point in BOARDS[state.options.board].points),
        )
    )


def _definitions() -> str:
    wood = gradient(
        "linear", "morris-wood", "var(--wood-light)", "var(--wood)", "var(--wood-dark)", x2=0.35, y2=1
    )
    skins = [
        gradient(
            "radial",
            f"morris-{colour}",
            f"var(--man-{colour})",
            f"var(--man-{colour})",
            f"var(--man-{colour}-edge)",
            cx=0.42,
            cy=0.36,
            r=0.78,
        )
        for colour in COLOURS
    ]
    return tag("defs", wood, *skins)


def _step(state: State) -> float:
    """The distance of two neighbouring files."""
    last: int = max(FILES.index(point[0]) for point in BOARDS[state.options.board].points)
    return float(_PLAN["field"][2] / last)


def _spot(state: State, point: str) -> Point:
    x, y, side = _PLAN["field"]
    step = _step(state)
    return round(x + FILES.index(point[0]) * step, 2), round(y + side - (int(point[1]) - 1) * step, 2)


def _lines(state: State) -> str:
    """The lines, cut into the wood: a dark groove with light on its lower lip."""
    width = _PLAN["groove"]

    def groove(shift: float, **look: float | str) -> str:
        d = ""
        for row in LINES[state.options.board].split():
            (ax, ay), (bx, by) = (_spot(state, point) for point in (row[:2], row[-2:]))
            d += f"M{ax:g} {ay + shift:g}L{bx:g} {by + shift:g}"
        return path(d, fill="none", stroke_width=width, stroke_linecap="round", **look)

    lip = groove(width * 0.4, stroke="var(--wood-light)", stroke_opacity=0.75)
    return lip + groove(0, stroke="var(--groove)")


def _point(state: State, point: str) -> str:
    x, y = _spot(state, point)
    r = min(_step(state) * BREADTH, _PLAN["man"])
    man = state.board[BOARDS[state.options.board].points.index(point)]
    look = {"fill": "var(--hollow-deep)", "stroke": "var(--wood-light)"}
    hole = circle(x, y, r * 0.27, stroke_width=r * 0.06, **look)
    return hole + (_man(MEN.index(man), x, y, r) if man in MEN else "")


def _man(seat: Seat, x: float, y: float, r: float) -> str:
    colour = COLOURS[seat]
    look = {"fill": f"url(#morris-{colour})", "stroke": f"var(--man-{colour}-edge)"}
    body = circle(0, 0, 1, stroke_width=0.08, **look)
    engraved = _engraved(seat, f"var(--man-{colour}-line)")
    return group(circle(0, 0.13, 1.03, **SHADE), body, engraved, transform=at(x, y, r))


def _engraved(seat: Seat, colour: str) -> str:
    """What the men of a seat are engraved with: rings or a diamond."""
    cut: dict[str, Any] = {"stroke": colour, "stroke_width": 0.11, "stroke_linejoin": "round"}
    if seat == 0:
        return "".join(circle(0, 0, reach, fill="none", **cut) for reach in (0.68, 0.36))
    inner = path("M0-0.3L0.3 0L0 0.3L-0.3 0Z", fill=colour, **cut)
    return path("M0-0.72L0.72 0L0 0.72L-0.72 0Z", fill="none", **cut) + inner


def _rail(state: State, seat: Seat, outcome: Outcome | None) -> str:
    """The men of a side that are not on the board, and whether it is its turn or it has won."""
    x, y, width, height = _PLAN["rails"][1 - seat]
    won = outcome is not None and seat in outcome.winners
    active = won or (outcome is None and state.turn == seat)
    felt = rect(
        x,
        y,
        width,
        height,
        rx=width / 2,
        fill="var(--felt-deep)",
        stroke="var(--mark)" if active else "var(--wood-edge)",
        stroke_width=5 if active else 3,
    )
    return felt + (_head(seat, won) if active else "") + "".join(_sockets(state, seat))


def _head(seat: Seat, won: bool) -> str:
    """The turn, pointing to the field, or the star of the winner."""
    x, y, width, _ = _PLAN["rails"][1 - seat]
    place, r = (x + width / 2, y + _PLAN["head"] * 0.6), _PLAN["slot"] * 0.7
    if won:
        return star(*place, r)
    return path(
        "M-0.6-0.8L0.8 0L-0.6 0.8Z",
        transform=at(*place, r, turn=0 if seat else 180),
        fill="var(--mark)",
        stroke="var(--mark-edge)",
        stroke_width=0.12,
        stroke_linejoin="round",
    )


def _sockets(state: State, seat: Seat) -> list[str]:
    """Men in hand, crosses for those lost, and between them sockets with what the men are engraved with."""
    x, y, width, height = _PLAN["rails"][1 - seat]
    head, slot, men = _PLAN["head"], _PLAN["slot"], state.options.men
    pitch = (height - head - slot / 2) / men
    r = round(min(slot, pitch * 0.46), 2)
    kept = state.hand[seat] + state.board.count(MEN[seat])
    drawn = []
    for nth in range(men):
        place = x + width / 2, y + head + (nth + 0.5) * pitch
        if nth < state.hand[seat]:
            drawn.append(_man(seat, *place, r))
        else:
            drawn.append(_socket(seat, *place, r, gone=nth >= kept))
    return drawn


def _socket(seat: Seat, x: float, y: float, r: float, gone: bool) -> str:
    cross: dict[str, Any] = {"stroke": "var(--on-felt)", "stroke_width": 0.2, "stroke_linecap": "round"}
    rim = circle(0, 0, 0.92, fill="none", stroke="var(--on-felt)", stroke_width=0.08)
    inside = (
        path("M-0.42-0.42L0.42 0.42M0.42-0.42L-0.42 0.42", fill="none", **cross)
        if gone
        else _engraved(seat, "var(--on-felt)")
    )
    return group(rim, inside, transform=at(x, y, r), opacity=0.9 if gone else 0.4)
