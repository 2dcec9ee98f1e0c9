"""Shapes that pictures are made of, as SVG text.

The marks of seats and the dice are those of static/shapes/svg.js.

Lengths are in units of the picture's own view box, colours are tokens.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from games.rules.base import Seat

Point = tuple[float, float]

GOLDEN_ANGLE = pi * (3 - sqrt(5))

SEATS = 8
"""Seats that have a mark of their own."""

OUTLINES = (
    "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
    "M0-1.12L1.12 0L0 1.12L-1.12 0Z",
    "M0-1.1L1.1 0.85L-1.1 0.85Z",
    "M-0.9-0.9H0.9V0.9H-0.9Z",
    "M0-1.08L0.95-0.54V0.54L0 1.08L-0.95 0.54V-0.54Z",
    "M0-1.2L0.32-0.4L1.15-0.37L0.5 0.15L0.72 0.98L0 0.5L-0.72 0.98L-0.5 0.15L-1.15-0.37L-0.32-0.4Z",
    "M-0.4-1.05H0.4V-0.4H1.05V0.4H0.4V1.05H-0.4V0.4H-1.05V-0.4H-0.4Z",
    "M-1.1-0.85H1.1L0 1.1Z",
)
EMBLEMS = (
    "",
    "M-0.55 0H0.55",
    "M0 0.2V0.21",
    "M-0.5-0.5L0.5 0.5M0.5-0.5L-0.5 0.5",
    "M-0.35-0.45V0.45M0.35-0.45V0.45",
    "M0-0.05V-0.04",
    "",
    "M0-0.5V0.35",
)
WEAVES = (
    "",
    "M0 4H8",
    "M2 2V2.1M6 6V6.1",
    "M0 0L8 8M8 0L0 8",
    "M4 0V8",
    "M-2 2L2-2M0 8L8 0M6 10L10 6",
    "M0 4H8M4 0V8",
    "M-2 6L2 10M0 0L8 8M6-2L10 2",
)
PIPS: dict[int, tuple[Point, ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
DIGITS = (
    "M2 0C.6 0 0 1.3 0 3S.6 6 2 6 4 4.7 4 3 3.4 0 2 0Z",
    "M.9 1.2 2.4 0V6",
    "M.2 1.4C.4.4 1.1 0 2 0 3.1 0 3.9.7 3.9 1.7 3.9 3.4.4 4.2.1 6H4",
    "M.3.9Q.8 0 2 0C4.3 0 4.3 2.9 1.9 2.9 4.7 2.9 4.7 6 2 6Q.6 6 .1 4.9",
    "M3 6V0L0 4.2H4",
    "M3.7 0H.7L.4 2.8Q1 2.3 2 2.3C4.7 2.3 4.7 6 2 6Q.6 6 0 5.1",
    "M3.5.5Q3 0 2.2 0C.8 0 0 1.4 0 3.6 0 6.8 4 6.8 4 4.1 4 1.7.4 1.7 0 3.9",
    "M0 0H4L1.5 6",
    "M2 2.8C-.2 2.8-.2 0 2 0S4.2 2.8 2 2.8C-.7 2.8-.7 6 2 6S4.7 2.8 2 2.8Z",
    "M.5 5.5Q1 6 1.8 6C3.2 6 4 4.6 4 2.4 4-.8 0-.8 0 1.9 0 4.3 3.6 4.3 4 2.1",
)
"""Strokes within 4 by 6."""
STAR = OUTLINES[5]


def tag(name: str, *children: str, **attributes: float | str | None) -> str:
    """An element. `_` in the name of an attribute stands for `-`; one that is None is left out."""
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else _short(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _short(number: float) -> str:
    """Two decimals are finer than a screen, and short."""
    return f"{round(number, 2):g}" if abs(number) < 100_000 else str(round(number))


def group(*children: str, **attributes: float | str | None) -> str:
    return tag("g", *children, **attributes)


def circle(x: float, y: float, r: float, **attributes: float | str | None) -> str:
    return tag("circle", cx=x, cy=y, r=r, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: float | str | None) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def path(d: str, **attributes: float | str | None) -> str:
    return tag("path", d=d, **attributes)


def at(x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """The `transform` of something that is drawn around 0, 0; `turn` is in degrees."""
    turned = f" rotate({_short(turn)})" if turn else ""
    scaled = f" scale({_short(scale)})" if scale != 1 else ""
    return f"translate({_short(x)} {_short(y)}){turned}{scaled}"


def gradient(kind: str, name: str, *colours: str, **attributes: float | str | None) -> str:
    """A definition to fill with `url(#name)`; `kind` is "linear" or "radial", the colours stand evenly."""
    last = max(1, len(colours) - 1)
    stops = [tag("stop", offset=nth / last, stop_color=colour) for nth, colour in enumerate(colours)]
    return tag(f"{kind}Gradient", *stops, id=name, **attributes)


def number(value: int, x: float, y: float, height: float, colour: str, weight: float = 0.8) -> str:
    """A number centred on a point; `height` is that of its digits."""
    scale, pitch = height / 6, 5.6
    figures = str(value)
    left = -(pitch * (len(figures) - 1) + 4) / 2
    strokes = [
        path(DIGITS[int(figure)], transform=at(left + nth * pitch, -3)) for nth, figure in enumerate(figures)
    ]
    look: dict[str, float | str] = {"fill": "none", "stroke": colour, "stroke_width": weight}
    return group(*strokes, transform=at(x, y, scale), stroke_linecap="round", stroke_linejoin="round", **look)


def seat_colour(seat: Seat) -> str:
    return f"var(--seat-{seat % SEATS})"


def seat_mark(seat: Seat, x: float, y: float, r: float) -> str:
    """The mark of a seat: its outline, colour and emblem, within a circle of radius `r`, in a halo."""
    nth = seat % SEATS
    halo = path(
        OUTLINES[nth], fill="none", stroke="var(--seat-halo)", stroke_width=0.44, stroke_linejoin="round"
    )
    outline = path(
        OUTLINES[nth],
        fill=seat_colour(seat),
        stroke="var(--seat-line)",
        stroke_width=0.16,
        stroke_linejoin="round",
    )
    emblem = path(
        EMBLEMS[nth],
        fill="none",
        stroke=f"var(--on-seat-{nth})",
        stroke_width=0.55 if nth in (2, 5) else 0.24,
        stroke_linecap="round",
    )
    return group(halo, outline, emblem if EMBLEMS[nth] else "", transform=at(x, y, r))


def seat_pattern(seat: Seat, size: float) -> str:
    """The definition behind `seat_fill`, whose tiles have sides of `size`."""
    nth = seat % SEATS
    weave = path(
        WEAVES[nth],
        stroke=f"var(--on-seat-{nth})",
        stroke_width=3 if nth == 2 else 1.4,
        stroke_linecap="round",
        stroke_opacity=0.75,
    )
    ground = rect(0, 0, 8, 8, fill=seat_colour(seat))
    return tag(
        "pattern",
        ground,
        weave if WEAVES[nth] else "",
        id=f"seat-{nth}",
        width=8,
        height=8,
        patternUnits="userSpaceOnUse",
        patternTransform=f"scale({size / 8:g})",
    )


def seat_fill(seat: Seat) -> str:
    """The fill of an area that belongs to a seat: colour and pattern together."""
    return f"url(#seat-{seat % SEATS})"


def star(x: float, y: float, r: float) -> str:
    """What a winner has."""
    look = {"fill": "var(--mark)", "stroke": "var(--mark-edge)", "stroke_linejoin": "round"}
    return path(STAR, transform=at(x, y, r), stroke_width=0.16, **look)


def die(face: int, x: float, y: float, size: float, turn: float = 0) -> str:
    """A die seen from above; face 0 is one that has not been thrown."""
    edge = size / 2
    body = rect(
        -edge,
        -edge,
        size,
        size,
        rx=size * 0.2,
        fill="var(--die)",
        stroke="var(--die-edge)",
        stroke_width=size * 0.05,
    )
    pips = [
        circle(across * size * 0.25, down * size * 0.25, size * 0.1, fill="var(--die-pip)")
        for across, down in PIPS[face]
    ]
    return group(body, *pips, transform=at(x, y, turn=turn))


def sunflower(count: int, width: float, height: float, piece: float) -> list[Point]:
    """Where `count` round pieces of radius `piece` lie around 0, 0, within an ellipse of such radii."""
    room = max(1.0, sqrt(max(1, count)))
    step = [min(piece * 1.75, (reach - piece) / room) for reach in (width, height)]
    # In a long ellipse the pieces spread along it before they lie on each other.
    across, down = step
    spots = []
    for nth in range(count):
        angle, reach = nth * GOLDEN_ANGLE, sqrt(nth + 0.3)
        spots.append((across * reach * cos(angle), down * reach * sin(angle)))
    return spots


def grid(count: int, width: float, height: float, most: float) -> tuple[float, list[Point]]:
    """The size of `count` squares that fit into a box around 0, 0, `most` at most, and their middles."""
    size = most
    while True:
        pitch = size * 1.2
        columns = int((width + pitch - size) / pitch)
        if columns * int((height + pitch - size) / pitch) >= count:
            break
        size -= 0.5
    rows = max(1, -(-count // columns))
    columns = -(-count // rows)
    middles = []
    for nth in range(count):
        row = nth // columns
        in_row = min(columns, count - row * columns)
        x = (nth % columns - (in_row - 1) / 2) * pitch
        middles.append((x, (row - (rows - 1) / 2) * pitch))
    return size, middles
