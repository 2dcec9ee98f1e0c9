"""QR codes as shapes that a template draws, and as text for a terminal."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from qrcode import QRCode
from qrcode.constants import ERROR_CORRECT_M

QUIET = 4
"""Width of the blank margin in modules, which scanners need."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Characters by whether the upper and the lower half are dark."""
BLACK_ON_WHITE, PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"


class Picture(NamedTuple):
    """A QR code for an `<svg>`: its side length in modules, and the path of the dark modules."""

    side: int
    path: str


def picture(text: str) -> Picture:
    """The QR code of a text, with its margin."""
    rows = _rows(text)
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark]
    return Picture(len(rows), "".join(dark))


def lines(text: str) -> list[str]:
    """The QR code of a text for a terminal with colours, two rows of modules to a line."""
    rows = _rows(text)
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=[False] * len(rows))
    return [
        BLACK_ON_WHITE + "".join(HALVES[dark] for dark in zip(upper, lower, strict=True)) + PLAIN
        for upper, lower in pairs
    ]


def _rows(text: str) -> list[list[bool]]:
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    rows: list[list[bool]] = code.get_matrix()
    return rows
