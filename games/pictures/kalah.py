"""A picture of Kalah: a plank with two rows of pits, the first player's below, and a store at either end."""

from __future__ import annotations

from games.pictures.shapes import circle, gradient, group, number, path, rect, seat_mark, star, sunflower, tag
from games.rules.base import Outcome, Seat
from games.rules.kalah import State

ICON = (
    '<path d="M5 7h14a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z"/>'
    '<path d="M5 10.5v3M19 10.5v3"/>'
    '<path d="M9 10v.01M12 10v.01M15 10v.01M9 14v.01M12 14v.01M15 14v.01"/>'
)
MARGIN, STORE, PITCH, HEIGHT = 22.0, 104.0, 104.0, 380.0
RX, RY, BAND, SEED = 44.0, 62.0, 50.0, 12.5
COLOURS = ("ivory", "carob", "slate", "moss", "amber")


def size(state: State) -> tuple[float, float]:
    return 2 * (MARGIN + STORE) + state.options.pits * PITCH, HEIGHT


def draw(state: State, outcome: Outcome | None) -> str:
    width, _ = size(state)
    return "".join(
        (
            _definitions(),
            rect(2, 4, width - 4, HEIGHT - 5, rx=44, fill="var(--wood-edge)"),
            rect(2, 2, width - 4, HEIGHT - 9, rx=44, fill="url(#wood)"),
            *(_place(state, place) for place in range(len(state.board))),
            "" if outcome else _on_turn(state),
            *(_store_words(state, seat, outcome) for seat in (0, 1)),
        )
    )


def _definitions() -> str:
    wood = gradient("linear", "wood", "var(--wood-light)", "var(--wood)", "var(--wood-dark)", x2=0.25, y2=1)
    return tag("defs", wood, gradient("radial", "hollow", "var(--hollow)", "var(--hollow-deep)"))


def _owner(state: State, place: int) -> Seat:
    return 0 if place <= state.options.pits else 1


def _is_store(state: State, place: int) -> bool:
    return (place + 1) % (state.options.pits + 1) == 0


def _middle(state: State, place: int) -> tuple[float, float]:
    """The middle of a place. The second player's row runs from right to left."""
    width, _ = size(state)
    owner = _owner(state, place)
    if _is_store(state, place):
        x, y = width - MARGIN - STORE / 2, HEIGHT / 2
    else:
        nth = place - owner * (state.options.pits + 1)
        x, y = MARGIN + STORE + (nth + 0.5) * PITCH, HEIGHT - BAND - RY - 4
    return (x, y) if owner == 0 else (width - x, HEIGHT - y)


def _on_turn(state: State) -> str:
    """A frame around the row of the seat that is to move, with an arrow along the way of its seeds."""
    left, y = MARGIN + STORE - 3, _middle(state, 0)[1]
    length = state.options.pits * PITCH + 6
    width, _ = size(state)
    look = {"fill": "var(--mark)", "stroke": "var(--mark-edge)", "stroke_linejoin": "round"}
    frame = rect(
        left, y - RY - 10, length, 2 * RY + BAND + 6, rx=30, fill="none", stroke="var(--mark)", stroke_width=5
    )
    arrow = path(f"M{left + length - 8} {y - 16}l20 16l-20 16z", stroke_width=2.5, **look)
    turned = f"rotate(180 {width / 2:g} {HEIGHT / 2:g})" if state.turn else None
    return group(frame, arrow, transform=turned)


def _place(state: State, place: int) -> str:
    x, y = _middle(state, place)
    store = _is_store(state, place)
    rx, ry = (STORE / 2 - 8, HEIGHT / 2 - BAND) if store else (RX, RY)
    hollow = rect(
        x - rx,
        y - ry,
        2 * rx,
        2 * ry,
        rx=min(rx, 44),
        fill="url(#hollow)",
        stroke="var(--wood-dark)",
        stroke_width=4,
    )
    seeds = [
        _seed(COLOURS[(place * 3 + nth * 7 + nth // 3) % len(COLOURS)], x + dx, y + dy)
        for nth, (dx, dy) in enumerate(sunflower(state.board[place], rx - 3, ry - 3, SEED))
    ]
    return group(hollow, *seeds) + ("" if store else _count(state, place, x, y))


def _seed(colour: str, x: float, y: float) -> str:
    # Flat, since gradients of so many seeds take half a second to paint.
    look = {"fill": f"var(--seed-{colour})", "stroke": f"var(--seed-{colour}-edge)"}
    return circle(x, y, SEED, stroke_width=3, **look)


def _count(state: State, place: int, x: float, y: float) -> str:
    side = 1 if _owner(state, place) == 0 else -1
    return number(state.board[place], x, y + side * (RY + BAND / 2 - 2), 22, "var(--on-wood)")


def _store_words(state: State, seat: Seat, outcome: Outcome | None) -> str:
    """Whose a store is, how many seeds are in it, and whether that was enough."""
    place = seat * (state.options.pits + 1) + state.options.pits
    x, y = _middle(state, place)
    line = y + (1 if seat == 0 else -1) * (HEIGHT / 2 - BAND / 2 - 2)
    won = outcome is not None and seat in outcome.winners
    mark = star(x - 24, line, 14) if won else seat_mark(seat, x - 24, line, 10)
    return mark + number(state.board[place], x + 18, line, 26, "var(--on-wood)")
