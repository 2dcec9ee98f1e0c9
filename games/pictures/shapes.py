"""Shapes that pictures are made of, as SVG text.

They are those of static/shapes/svg.js, drawn from the same outlines (`plans`).

Lengths are in units of the picture's own view box, colours are tokens.
"""

from __future__ import annotations

from games.pictures.plans import plan
from games.rules.base import Seat

Point = tuple[float, float]
Look = dict[str, float | str | None]
"""Attributes that shapes share."""

SEATS = 8
"""Seats that have a mark of their own."""

_DRAWN = plan("shapes/outlines.js")
OUTLINES: list[str] = _DRAWN["outlines"]
EMBLEMS: list[str] = _DRAWN["emblems"]
WEAVES: list[str] = _DRAWN["weaves"]
PIPS: list[list[Point]] = _DRAWN["pips"]
DIGITS: list[str] = _DRAWN["digits"]
STAR = OUTLINES[5]
SHADE: Look = {"fill": "var(--shade)", "fill_opacity": 0.35}


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
    """A `g` element."""
    return tag("g", *children, **attributes)


def circle(x: float, y: float, r: float, **attributes: float | str | None) -> str:
    """A circle around (x, y) with radius r."""
    return tag("circle", cx=x, cy=y, r=r, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: float | str | None) -> str:
    """A rectangle whose top left corner is (x, y)."""
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def path(d: str, **attributes: float | str | None) -> str:
    """A path with the commands `d`."""
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


def number(
    value: int,
    x: float,
    y: float,
    height: float,
    colour: str,
    weight: float = 0.9,
    **attributes: float | str | None,
) -> str:
    """A number centred on a point; `height` is that of its digits, `attributes` are those of the whole."""
    scale, pitch = height / 6, 5.6
    figures = str(value)
    left = -(pitch * (len(figures) - 1) + 4) / 2
    strokes = [
        path(DIGITS[int(figure)], transform=at(left + nth * pitch, -3)) for nth, figure in enumerate(figures)
    ]
    look: dict[str, float | str] = {"fill": "none", "stroke": colour, "stroke_width": weight}
    round_ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return group(*strokes, transform=at(x, y, scale), **attributes, **round_ends, **look)


def seat_colour(seat: Seat) -> str:
    """The colour of a seat, as a CSS variable."""
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
        id=f"seat-fill-{nth}",
        width=8,
        height=8,
        patternUnits="userSpaceOnUse",
        patternTransform=f"scale({size / 8:g})",
    )


def seat_fill(seat: Seat) -> str:
    """The fill of an area that belongs to a seat: colour and pattern together."""
    return f"url(#seat-fill-{seat % SEATS})"


def star(x: float, y: float, r: float) -> str:
    """What a winner has."""
    look = {"fill": "var(--mark)", "stroke": "var(--mark-edge)", "stroke_linejoin": "round"}
    return path(STAR, transform=at(x, y, r), stroke_width=0.16, **look)


def die(face: int, x: float, y: float, size: float, turn: float = 0) -> str:
    """A die seen from above; face 0 is one that has not been thrown."""
    edge = size / 2
    body: Look = {"rx": size * 0.2, "fill": "var(--die)", "stroke": "var(--die-edge)"}
    shade = rect(-edge, -edge + size * 0.05, size, size, rx=size * 0.2, **SHADE)
    pips = [
        circle(across * size * 0.25, down * size * 0.25, size * 0.095, fill="var(--die-pip)")
        for across, down in PIPS[face]
    ]
    top = rect(-edge, -edge, size, size, **body, stroke_width=size * 0.035)
    return group(shade, top, *pips, transform=at(x, y, turn=turn))


def die_turn(nth: int, face: int) -> float:
    """A die lies askew, each a little differently; in degrees."""
    return round(12 * scatter(nth, face) - 6, 2)


def scatter(*integers: int) -> float:
    """A pseudo-random number in [0, 1) from integers: `scatter` of static/shapes/svg.js."""
    mixed, word = 0x9E3779B9, 0xFFFFFFFF
    for integer in integers:
        mixed = ((mixed ^ (integer + 1)) * 0x85EBCA6B) & word
        mixed = ((mixed ^ (mixed >> 13)) * 0xC2B2AE35) & word
        mixed ^= mixed >> 16
    return mixed / 2**32
